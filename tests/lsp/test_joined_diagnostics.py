"""After any edits, a document has the diagnostics that a new session has, which follow from those of its whole unit.

The documents have ignore comments, are templates, include headers, are fragments, or may be built in several
language versions.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import converters, types
from openclsp.lsp.session.analysis_session import AnalysisSession, DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.diagnostics_cache import serialize_diagnostics
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.snapshot import Snapshot

from .test_unknown_version import HOST
from .whole_document import whole_document_diagnostics

CLIENT = ClientCapabilities(
    supports_related_information=True, supports_unnecessary_tag=True, supports_code_description=True
)

FUNCTIONS = """\
void hub(global const int *p, int n) { }
void first(global int *g, local int *l) {
    hub(l, 1); hub(g, 2);
    local int *q = g; WIDTH + HEIGHT;
}
kernel void k(global int *g, local int *l, int unused) {
    first(l, g); hub(l, WIDTH);
    local int *q = g;
}
"""
COMMENTS = """\
// openclsp: ignore-file[unknown-name]
void hub(global const int *p, int n) { }
void first(global int *g, local int *l) {
    hub(l, 1); // openclsp: ignore
    // openclsp: ignore[pointer-conversion, unused-parameter]
    local int *q = g; WIDTH + HEIGHT;
    WIDTH; /* openclsp: ignore[undeclared-name] */ WIDTH;
}
kernel void k(global int *g, local int *l, int unused) {
    first(l, g); // openclsp: ignore[no-such-code, unused-ignore]
    local int *q = g;
}
"""
HEADER = """\
#define TWICE 1
#define TWICE 2
// openclsp: ignore[pointer-conversion]
constant int *table = (global int *)0;
constant int *other = (global int *)0; int WIDTH2 = WIDTH;
inline void helper(global int *g) { local int *l = g; }
"""

DOCUMENTS: dict[str, dict[str, str]] = {
    "comments": {"k.cl": COMMENTS},
    "a template": {"k.cl": "{{type}} value({{type}} v) { return v; }\n" + COMMENTS},
    "a header": {"k.cl": '#include "h.h"\n' + FUNCTIONS, "h.h": HEADER},
    "a header, and comments": {
        "k.cl": '#include "h.h" // openclsp: ignore[pointer-conversion]\n' + COMMENTS,
        "h.h": HEADER,
    },
    "a header that is a template": {"k.cl": '#include "h.h"\n' + COMMENTS, "h.h": "int {{name}};\n" + HEADER},
    "several versions": {"k.cl": '#include "h.h"\n' + COMMENTS + FUNCTIONS, "h.h": HEADER, "host.c": HOST},
    "a fragment": {
        "k.cl": COMMENTS.replace("kernel void k", "void k"),
        "main.cl": 'typedef int number;\n#include "k.cl"\nkernel void after(global number *n) { hub(n, 1); local int *l = n; }\n',
    },
    "a part of a function": {
        "k.cl": "global float *p = q + 1; // openclsp: ignore\np[i] += dt;\nfloat *r = p;\n"
    },
    "settings": {
        "k.cl": COMMENTS,
        "openclsp.toml": '[severity]\npointer-conversion = "hint"\nunknown-name = "off"\n',
    },
}
PIECES = (
    "",
    "\n",
    " ",
    "}",
    "{",
    "local int *q = g;",
    "hub(l, 1);\n",
    "/*",
    "#if X\n",
    "{{ name }}",
    "// openclsp: ignore\n",
    "/* openclsp: ignore[pointer-conversion, unknown-name] */",
    "// openclsp: ignore-file[unused-ignore]\n",
    "WIDTH;",
)


class EditedKernel:
    """The document `k.cl` of a project, which the test edits as a client does."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        (folder / "openclsp.toml").write_text("")
        for name, text in files.items():
            (folder / name).write_text(text)
        self.documents = OpenDocuments()
        self.uri = (folder / "k.cl").as_uri()
        self.documents.open(types.TextDocumentItem(self.uri, "opencl", 1, files["k.cl"]))
        self.session = self._new_session()

    def _new_session(self) -> AnalysisSession:
        session = AnalysisSession()
        session.scan_project(self._document(), self._snapshot(), lambda: None)
        while session.scan_host_code(self._document(), self._snapshot(), 10) is None:
            pass
        return session

    def _document(self) -> Any:
        document = self.documents.get_by_uri(self.uri)
        assert document is not None
        return document

    def _snapshot(self) -> Snapshot:
        return replace(Snapshot(), documents=self.documents.all_by_name())

    @property
    def text(self) -> str:
        return self._document().text.data.decode()  # type: ignore[no-any-return]

    def edit(self, start: int, end: int, new: str) -> None:
        document = self._document()
        whole = types.TextDocumentContentChangeWholeDocument(self.text[:start] + new + self.text[end:])
        identifier = types.VersionedTextDocumentIdentifier(document.version + 1, self.uri)
        self.documents.apply_changes(identifier, [whole], "utf-16")

    def analysed(self, session: AnalysisSession | None = None) -> DocumentAnalysis:
        found = (session or self.session).analyse(self._document(), self._snapshot(), lambda: None)
        assert found is not None
        return found

    def published(self) -> Any:
        """The diagnostics of the present text; asserts that they are those of a new session, and of the whole unit."""
        found = json.loads(b"[" + serialize_diagnostics(self.analysed(), CLIENT) + b"]")
        new = self.analysed(self._new_session())
        assert found == json.loads(b"[" + serialize_diagnostics(new, CLIENT) + b"]")
        whole = whole_document_diagnostics(new, CLIENT)
        assert found == converters.get_converter().unstructure([each.protocol_diagnostic for each in whole])
        return found

    def replace(self, old: str, new: str) -> Any:
        """Replaces the first `old` of the text; returns the diagnostics."""
        at = self.text.index(old)
        self.edit(at, at + len(old), new)
        return self.published()


@pytest.mark.parametrize("files", DOCUMENTS.values(), ids=DOCUMENTS)
def test_each_document_has_diagnostics(tmp_path: Path, files: dict[str, str]) -> None:
    codes = {each["code"] for each in EditedKernel(tmp_path, files).published()}
    assert codes, "the edits below would show nothing"


def test_the_fragment_is_analysed_for_the_kernel_that_includes_it(tmp_path: Path) -> None:
    analysed = EditedKernel(tmp_path, DOCUMENTS["a fragment"]).analysed()
    assert analysed.unit.document.name == str(tmp_path / "main.cl")


@pytest.mark.parametrize(("old", "new"), [("\n", " "), ("/* x\n */", "/* x  */"), ("int b;", "int b;\n")])
def test_a_diagnostic_of_a_header_moves_with_the_include_directive(
    tmp_path: Path, old: str, new: str
) -> None:
    text = 'int a;\n/* x\n */ int b;\n#include "h.h"\n'
    kernel = EditedKernel(tmp_path, {"k.cl": text, "h.h": "constant int *table = (global int *)0;\n"})
    kernel.published()
    kernel.replace(old, new)


def test_which_of_two_equal_diagnostics_is_shown_in_several_versions(tmp_path: Path) -> None:
    """Both functions include the same statements; the related locations are in one of them."""
    text = "".join(
        f'void {name}(global int *p) {{\n#include "body.inc"\n}}\n' for name in ("first", "second")
    )
    kernel = EditedKernel(tmp_path, {"k.cl": text, "body.inc": "local int *q = p; *q = 0;\n", "host.c": HOST})
    before = kernel.published()
    kernel.replace("first(global", "first(local")
    kernel.replace("first(local", "first(global")
    assert kernel.published() == before


def test_a_first_comment_is_used_by_a_diagnostic_that_is_off(tmp_path: Path) -> None:
    kernel = EditedKernel(
        tmp_path,
        {
            "k.cl": "int a;\nvoid f(global int *g) {\n    local int *l = g;\n}\n",
            "openclsp.toml": '[severity]\npointer-conversion = "off"\n',
        },
    )
    kernel.published()
    found = kernel.replace("int a;", "// openclsp: ignore-file[pointer-conversion]\nint a;")
    assert "unused-ignore" not in [each["code"] for each in found]


def test_a_name_that_an_included_file_may_define(tmp_path: Path) -> None:
    kernel = EditedKernel(
        tmp_path,
        {
            "b.cl": "#if 0\nint helper(int a) { return a; }\n#endif\n",
            "k.cl": 'kernel void k(global int *p) { *p = helper(1); }\n// here\n#include "b.cl"\n',
            "host.c": HOST.replace("    strcat(options, version);\n", ""),
        },
    )
    kernel.published()
    assert kernel.replace("// here", "int helper(int a);")
    assert not kernel.replace('#include "b.cl"', '// #include "b.cl"')


@pytest.mark.parametrize("files", DOCUMENTS.values(), ids=DOCUMENTS)
def test_after_any_edits(files: dict[str, str]) -> None:
    @settings(max_examples=5, deadline=None)
    @given(st.data())
    def edited(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as folder:
            kernel = EditedKernel(Path(folder), files)
            kernel.published()
            for _ in range(4):
                text = kernel.text
                start = data.draw(st.integers(0, len(text)))
                end = data.draw(st.integers(start, min(len(text), start + 40)))
                kernel.edit(start, end, data.draw(st.sampled_from((*PIECES, text[end : end + 60]))))
                if data.draw(st.booleans()):
                    kernel.published()
                if data.draw(st.booleans()):
                    kernel.edit(0, len(kernel.text), text)
                    kernel.published()
            kernel.published()

    edited()
