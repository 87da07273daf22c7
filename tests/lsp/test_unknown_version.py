"""With an unknown language version, the editor shows only diagnostics common to all versions, also after edits."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lsprotocol import types
from openclsp.language.dialect import Dialect
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.diagnostics_cache import serialize_diagnostics
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.semantics.translation_unit import TranslationUnit

HOST = """#include <CL/cl.h>
void build(cl_program program, const char *version) {
    char options[99] = "-cl-std=";
    const char *source = read_file("k.cl");
    strcat(options, version);
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
}
"""
TEXT = """#include "a.h"
kernel void k(global float *p) {
    float *q = p;
    local float *l = p;
    scaled(l);
}
"""
CLIENT = ClientCapabilities(supports_related_information=True)


class EditedSession:
    """A kernel of a project whose host code computes the language version. A file of the folder stays as it is."""

    def __init__(self, folder: Path, text: str, host: str = HOST) -> None:
        (folder / "openclsp.toml").write_text("")
        (folder / "host.c").write_text(host)
        (folder / "a.h").write_text("void scaled(global float *p);\n")
        if not (folder / "k.cl").exists():
            (folder / "k.cl").write_text(text)
        self.uri = (folder / "k.cl").as_uri()
        self.documents, self.session = OpenDocuments(), AnalysisSession()
        self.documents.open(types.TextDocumentItem(self.uri, "opencl", 1, text))
        document = self.documents.get_by_uri(self.uri)
        assert document is not None
        snapshot = replace(Snapshot(), documents=self.documents.all_by_name())
        while self.session.scan_host_code(document, snapshot, 10) is None:
            pass

    def published(self) -> list[tuple[int, str, int]]:
        document = self.documents.get_by_uri(self.uri)
        assert document is not None
        snapshot = replace(Snapshot(), documents=self.documents.all_by_name())
        analysed = self.session.analyse(document, snapshot, lambda: None)
        assert analysed is not None
        self.unit = analysed.unit
        diagnostics = json.loads(b"[" + serialize_diagnostics(analysed, CLIENT) + b"]")
        return [
            (diagnostic["range"]["start"]["line"], diagnostic["code"], diagnostic["severity"])
            for diagnostic in diagnostics
        ]

    def edit(self, start: int, end: int, new: str) -> str:
        document = self.documents.get_by_uri(self.uri)
        assert document is not None
        text = document.text.data.decode()
        text = text[:start] + new + text[end:]
        whole = types.TextDocumentContentChangeWholeDocument(text)
        identifier = types.VersionedTextDocumentIdentifier(document.version + 1, self.uri)
        self.documents.apply_changes(identifier, [whole], "utf-16")
        return text


def test_errors_of_every_version_are_reported(tmp_path: Path) -> None:
    editor = EditedSession(tmp_path, TEXT)
    assert editor.published() == [(3, "pointer-conversion", 1), (4, "pointer-conversion", 1)]
    # `l` becomes private or generic: to initialise it is wrong in 1.x alone, to pass it on in every version
    start = TEXT.index("local float *l")
    editor.edit(start, start + len("local "), "")
    assert editor.published() == [(4, "pointer-conversion", 1)]


def test_a_known_version_costs_no_other_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Dialect] = []
    first = TranslationUnit.as_dialect
    monkeypatch.setattr(
        TranslationUnit, "as_dialect", lambda unit, dialect: made.append(dialect) or first(unit, dialect)
    )
    editor = EditedSession(
        tmp_path, TEXT, HOST.replace('"-cl-std="', '"-cl-std=CL1.2"').replace("strcat", "puts")
    )
    assert [line for line, _, _ in editor.published()] == [2, 3, 4]
    assert made == []


def test_without_findings_no_other_unit_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(unit: TranslationUnit, dialect: Dialect) -> TranslationUnit:
        raise AssertionError(dialect)

    monkeypatch.setattr(TranslationUnit, "as_dialect", never)
    assert EditedSession(tmp_path, "kernel void k(global float *p) { *p = 1; }\n").published() == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, len(TEXT)),
            st.integers(0, 6),
            st.sampled_from(["", "local ", "global ", "*", "float", "{", "}", "#if 0\n", "/*", "generic "]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_after_edits_as_fresh(tmp_path: Path, edits: list[tuple[int, int, str]]) -> None:
    editor = EditedSession(tmp_path, TEXT)
    editor.published()
    text = TEXT
    for start, size, new in edits:
        start = min(start, len(text))
        text = editor.edit(start, min(start + size, len(text)), new)
        now = editor.published()
    assert now == EditedSession(tmp_path, text).published()
