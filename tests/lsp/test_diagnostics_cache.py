"""Diagnostics updated after an edit equal those computed afresh."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import converters, types
from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.ide.diagnostics.severity_settings import UNNECESSARY
from openclsp.lsp.session import diagnostics_cache, included_diagnostics, serialized_diagnostics
from openclsp.lsp.session.analysis_session import AnalysisSession, DocumentAnalysis
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.client_diagnostics import ClientDiagnostic
from openclsp.lsp.session.code_pages import page_uri
from openclsp.lsp.session.diagnostics_cache import document_diagnostics, serialize_diagnostics
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.serialized_diagnostics import (
    GroupMember,
    SerializedDiagnostic,
    serialize_diagnostic,
    serialize_group,
)
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.uris import document_name
from openclsp.rules.finding import Severity
from openclsp.rules.runner.rule_registry import CODES
from openclsp.semantics.items.guessed_conditions import damaged_groups

from ..interpreted import interpreted
from .whole_document import whole_document_diagnostics

TEXT = """\
#define DECLARE(name) local int *name = g
#define UNUSED 50 % of "it"
typedef global int *place;
void hub(global const int *p, int n) { }
void first(global int *g, local int *l) {
    hub(l, 1); /* é */ hub(g, 2);
    DECLARE(m);
    hub(m, 3);
}
// between
void second(place g, constant int *c) {
    hub(c, 1);
    local int *l = g;
    { hub(l, 2); hub(g, 1); }
}

kernel void k(global int *g, local int *l) {
    first(g, l); second(g, l);
    hub(l,
        1);
}
"""
CLIENT = ClientCapabilities(
    supports_related_information=True, supports_unnecessary_tag=True, supports_code_description=True
)
URI = "file:///k.cl"


class EditedSession:
    """An analysis session with one document, which the test edits as a client does."""

    def __init__(self, text: str) -> None:
        self.documents, self.session = OpenDocuments(), AnalysisSession()
        self.documents.open(types.TextDocumentItem(URI, "opencl", 1, text))

    def edit(self, start: int, end: int, new: str) -> None:
        document = self.documents.get_by_uri(URI)
        assert document is not None
        text = document.text.data.decode()
        whole = types.TextDocumentContentChangeWholeDocument(text[:start] + new + text[end:])
        identifier = types.VersionedTextDocumentIdentifier(document.version + 1, URI)
        self.documents.apply_changes(identifier, [whole], "utf-16")

    def analysed(self) -> DocumentAnalysis:
        document = self.documents.get_by_uri(URI)
        assert document is not None
        snapshot = replace(Snapshot(), documents=self.documents.all_by_name())
        found = self.session.analyse(document, snapshot, lambda: None)
        assert found is not None
        return found


def plain(diagnostics: list[types.Diagnostic]) -> Any:
    """Diagnostics as lsprotocol's converter writes them."""
    return converters.get_converter().unstructure(diagnostics)


def published(editor: EditedSession) -> Any:
    """The diagnostics of the present text; asserts that they equal those computed afresh."""
    analysed = editor.analysed()
    found = json.loads(b"[" + serialize_diagnostics(analysed, CLIENT) + b"]")
    assert found == plain([each.protocol_diagnostic for each in whole_document_diagnostics(analysed, CLIENT)])
    return found


def test_a_serialised_diagnostic_equals_that_of_the_converter() -> None:
    related = (("file:///a%20b.cl", (5, 6, 7, 8), "50 %d"), (URI, (0, 0, 0, 1), "é"))
    for each in (
        ClientDiagnostic(
            0, 9, (1, 2, 3, 4), Severity.HINT, "some-code", "openclsp", '100 % of "é"\n', related, UNNECESSARY
        ),
        ClientDiagnostic(0, 9, (1, 2, 3, 4), Severity.ERROR, "c", "s", "m"),
        ClientDiagnostic(0, 9, (1, 2, 3, 4), Severity.ERROR, "c", "s", "m", page_uri="file:///50%25%20a.md"),
    ):
        assert json.loads(serialize_diagnostic(each).json) == plain([each.protocol_diagnostic])[0]


EDITS = [
    ("global const int *p", "local const int *p"),
    ("// between", "// between\n\n// more"),
    ("// between\n", ""),
    ("/* é */", "/* é\n */"),
    ("hub(l, 2);", "hub(l, 2); hub(c, 2);"),
    ("local int *name", "constant int *name"),
    ("void hub", "void hub(global int *p, int n);\nvoid hub"),
    ("kernel void k", "void second(global int *g) { local int *w = g; }\nkernel void k"),
    ("hub(c, 1);", "hub(c, 1); // openclsp: ignore"),
    ("local int *l = g;", "unknown *l = g;"),
    ("void first", "#if 0\nint no;\n#endif\nvoid first"),
    ("    hub(l,\n        1);\n", "    hub(l,\n\n        1);\n"),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_after_every_edit_and_its_undoing(old: str, new: str) -> None:
    editor = EditedSession(TEXT)
    first = published(editor)
    assert len(first) > 5
    at = TEXT.index(old)
    editor.edit(at, at + len(old), new)
    second = published(editor)
    editor.edit(at, at + len(new), old)
    assert published(editor) == first
    editor.edit(at, at + len(old), new)
    assert published(editor) == second
    # The diagnostics cached for the previous text move with the next edit.
    editor.edit(0, 0, "\n")
    published(editor)
    editor.edit(at + 1, at + 1 + len(new), old)
    published(editor)


SELDOM_PLAIN = """\
#define UNUSED
void hub(global const int *p, int n) { }
#ifdef A
void first(global int *g, local int *l) { hub(l, 1); local int *k = g; }
#else
void first(global int *g, local int *l) { hub(l, 1); local int *k = g; }
#endif
void second(global int *g, local int *l) { hub(l, 1); local int *k = g; }
// between
void third(global int *g, local int *l) {
    hub(l, 1);
    local int *k =
        g;
}
"""


@pytest.mark.parametrize("defined", ["A", "g g", "hub hub", "hub(p, n) hub(p, n)", "local local", "l l"])
def test_edits_of_macros_and_conditions_affect_other_lines(defined: str) -> None:
    """The same tokens are on another line, or are produced by a macro, which the diagnostics mention."""
    editor = EditedSession(SELDOM_PLAIN)
    first = published(editor)
    assert len(first) == 7
    at = SELDOM_PLAIN.index("UNUSED")
    editor.edit(at, at + len("UNUSED"), defined)
    published(editor)
    between = SELDOM_PLAIN.index("// between") + len(defined) - len("UNUSED")
    for new in ("/*", "#if 0\n"):
        for place in (between, 0):
            editor.edit(place, place, new)
            published(editor)
            editor.edit(place, place + len(new), "")
            published(editor)
    editor.edit(at, at + len(defined), "UNUSED")
    assert published(editor) == first


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_after_any_edits(data: st.DataObject) -> None:
    editor = EditedSession(TEXT)
    published(editor)
    for _ in range(4):
        document = editor.documents.get_by_uri(URI)
        assert document is not None
        text = document.text.data.decode()
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        pieces = [
            "",
            "\n",
            " ",
            "}",
            "{",
            "local int *q = g;",
            "hub(l, 1);\n",
            "/*",
            "*/",
            "#if X\n",
            text[end : end + 60],
        ]
        editor.edit(start, end, data.draw(st.sampled_from(pieces)))
        if data.draw(st.booleans()):
            published(editor)
        if data.draw(st.booleans()):
            editor.edit(0, len(editor.analysed().document.text.data.decode()), text)
            published(editor)
    published(editor)


WITHOUT_QUALIFIERS = """\
void use(int *p) { *p = 1; }
void between(int *o) { use(o); }

kernel void first(global int *g) { between(g); }
kernel void second(local int *l) { use(l); }
"""


def test_findings_of_the_flow_appear_with_the_current_solution() -> None:
    editor = EditedSession(WITHOUT_QUALIFIERS)
    plain_words = "a pointee without a qualifier is private"

    def waiting() -> str:
        return serialize_diagnostics(editor.analysed(), CLIENT, allow_stale_flow=True).decode()

    assert waiting().count(plain_words) == 2
    assert plain_words not in str(published(editor))
    # First with the flow solution of the previous text, then as for a document opened with this text.
    for old, new in (
        ("use(l);", "use(l); ;"),
        ("{ between(g); }", "{ between(g); int n = 1; }"),
        ("{ use(o); }", "{ int n = 2; use(o); }"),
        ("void between", "\n// a comment\nvoid between"),
        ("second(local int *l)", "second(local int *other, local int *l)"),
        ("use(o)", "use(o + n)"),
        ("use(int *p)", "use(global int *p)"),
        ("first(global", "first(constant"),
    ):
        document = editor.documents.get_by_uri(URI)
        assert document is not None
        text = document.text.data.decode()
        editor.edit(text.index(old), text.index(old) + len(old), new)
        assert plain_words not in waiting()
        assert published(editor) == published(EditedSession(text.replace(old, new)))


def counted_diagnostics(monkeypatch: pytest.MonkeyPatch) -> list[ClientDiagnostic]:
    """Records the diagnostics that are serialised from now on."""
    made: list[ClientDiagnostic] = []

    def counted(
        found: ClientDiagnostic,
        uri: str = "",
        order: tuple[str, str] = ("", ""),
        group_member: GroupMember | None = None,
        *,
        is_reported: bool = True,
    ) -> SerializedDiagnostic:
        made.append(found)
        return serialize_diagnostic(found, uri, order, group_member, is_reported=is_reported)

    for module in (diagnostics_cache, included_diagnostics, serialized_diagnostics):
        monkeypatch.setattr(module, "serialize_diagnostic", counted)
    return made


@interpreted(serialized_diagnostics)
def test_only_diagnostics_that_an_edit_may_change_are_serialised_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    functions = "".join(
        f"void f{number}(global int *g) {{\n  local int *l = g;\n  hub(l, {number});\n}}\n"
        for number in range(50)
    )
    editor = EditedSession("\n\nvoid hub(global int *p, int n) { }\n" + functions)
    assert len(published(editor)) == 100
    made = counted_diagnostics(monkeypatch)
    text = editor.analysed().document.text.data.decode()
    at = text.index("hub(l, 20)")
    for start, end, new, written in (
        (at, at, " ", 2),
        (at, at, "\n", 2),
        (0, 0, "// a line\n", 0),
        (text.index("void f30"), text.index("void f31"), "", 2),
        # An unfinished word is a syntax error, and a name that the host may define.
        (at, at, "n", 4),
    ):
        made.clear()
        editor.edit(start, end, new)
        serialize_diagnostics(editor.analysed(), CLIENT)
        assert len(made) <= written
    published(editor)


@interpreted(serialized_diagnostics)
def test_diagnostics_outside_an_opened_comment_are_not_serialised_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    functions = "".join(
        f"void f{number}(global int *g) {{\n  local int *l = g;\n}}\n" for number in range(200)
    )
    editor = EditedSession(functions)
    assert len(published(editor)) == 200
    made = counted_diagnostics(monkeypatch)
    at = functions.index("void f100")
    # The unterminated comment has a diagnostic of its own.
    for end, new, written, number in ((at, "/*", 1, 101), (at + 2, "", 0, 200)) * 2:
        made.clear()
        editor.edit(at, end, new)
        assert serialize_diagnostics(editor.analysed(), CLIENT).count(b'"code"') == number
        assert len(made) <= written
        published(editor)


@interpreted(serialized_diagnostics)
def test_diagnostics_are_not_serialised_again_after_undo_and_redo(monkeypatch: pytest.MonkeyPatch) -> None:
    callers = "".join(f"void f{number}(global int *g) {{ hub(g); }}\n" for number in range(50))
    editor = EditedSession("void hub(global int *p) { }\n" + callers)
    made = counted_diagnostics(monkeypatch)
    assert published(editor) == []
    written = []
    for old, new in (("global", "local"), ("local", "global")) * 2:
        made.clear()
        at = len("void hub(")
        editor.edit(at, at + len(old), new)
        serialize_diagnostics(editor.analysed(), CLIENT)
        written.append(len(made))
    assert written == [50, 0, 0, 0]
    editor.edit(9, 15, "local")
    assert len(published(editor)) == 50


@pytest.mark.parametrize("line", ['#include "a.h"', "void f(real_t *p) {}"])
def test_a_name_is_reported_at_its_first_use_only(line: str) -> None:
    """A name that the host supplies may be used everywhere: each document reports it at its first use."""
    editor = EditedSession(f"// first\n{line}\n// between\n{line.replace('f(', 'g(')}\n")

    def lines() -> list[int]:
        return [each["range"]["start"]["line"] for each in published(editor)]

    assert lines() == [1]
    editor.edit(0, len("// first"), line.replace("f(", "e("))
    assert lines() == [0]
    editor.edit(0, len(line), "")
    assert lines() == [1]


REPEATED = """\
#define DROP(p) ((int *)(p))
void first(REAL x, constant char *c) { printf("%s", c); }
// between
void second(OTHER y, REAL z, constant char *d) {
    printf("%s %s", d, "a");
    OTHER w;
}
void third(constant char *e) {
    printf("%s", e);
    SYNC
    if (e) { }
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// between", "// between\n\n// more"),
        ("// between\n", "typedef ANOTHER other_t;\n"),
        ("REAL x", "int x"),
        ("OTHER y, REAL z", "REAL y, OTHER z"),
        ("    SYNC\n", ""),
        ("(REAL x", "(  REAL x"),
        ('printf("%s", c)', ""),
        ("    OTHER w;", "    OTHER w; REAL v; THIRD u;"),
        ("void second", "typedef int OTHER;\nvoid second"),
        ("void third", "// openclsp: ignore\nvoid third"),
        ("(REAL x", "(REAL x /* openclsp: ignore */"),
        ("    printf", "\n    printf"),
        ("#define DROP", "#define SYNC\n#define DROP"),
    ],
)
def test_repeated_hints_are_one_after_every_edit_and_its_undoing(old: str, new: str) -> None:
    editor = EditedSession(REPEATED)
    first = published(editor)
    (names,) = [each for each in first if each["code"] == "unknown-name"]
    assert names["message"].startswith("`REAL`, `OTHER` and `SYNC` are not defined")
    assert [each["message"] for each in names["relatedInformation"]] == ["`OTHER`", "`SYNC`"]
    (strings,) = [each for each in first if each["code"] == "printf-string"]
    assert strings["message"].endswith("; the same at 2 other places in this file")
    at = REPEATED.index(old)
    editor.edit(at, at + len(old), new)
    second = published(editor)
    assert second == published(EditedSession(REPEATED.replace(old, new, 1)))
    editor.edit(at, at + len(new), old)
    assert published(editor) == first
    editor.edit(0, 0, "\n")
    published(editor)
    editor.edit(at + 1, at + 1 + len(old), new)
    assert published(editor) == published(EditedSession("\n" + REPEATED.replace(old, new, 1)))


@interpreted(serialized_diagnostics)
def test_a_group_is_serialised_again_only_if_a_member_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    functions = "".join(f"void f{number}(T{number} *p) {{ REAL x; }}\n" for number in range(50))
    editor = EditedSession(functions + "void last(void) { int n; }\n")
    assert len(published(editor)) == 1
    made = []

    def counted(diagnostics: list[SerializedDiagnostic]) -> bytes:
        made.append(len(diagnostics))
        return serialize_group(diagnostics)

    monkeypatch.setattr(diagnostics_cache, "serialize_group", counted)
    for old, new, count in (("int n;", "int m;", 0), ("T30", "T300", 1)):
        made.clear()
        text = editor.analysed().document.text.data.decode()
        editor.edit(text.index(old), text.index(old) + len(old), new)
        serialize_diagnostics(editor.analysed(), CLIENT)
        assert len(made) == count
        # Each item contributes one member for each name.
        assert all(each == 100 for each in made)
    published(editor)


def test_settings_of_the_project_count(tmp_path: Path) -> None:
    """Changed severities change the diagnostics, but reuse the analysis."""
    kernel, project = tmp_path / "k.cl", tmp_path / "openclsp.toml"
    documents, session = OpenDocuments(), AnalysisSession()
    opened = documents.open(types.TextDocumentItem(kernel.as_uri(), "opencl", 1, TEXT))

    def severities(disk: int) -> set[int]:
        snapshot = Snapshot(documents=documents.all_by_name(), folders=(str(tmp_path),), disk_revision=disk)
        analysed = session.analyse(opened, snapshot, lambda: None)
        assert analysed is not None
        found = json.loads(b"[" + serialize_diagnostics(analysed, CLIENT) + b"]")
        return {each["severity"] for each in found if each["code"] == "pointer-conversion"}

    assert severities(0) == {1}
    project.write_text('[severity]\npointer-conversion = "hint"\n')
    assert severities(1) == {4}


HEADER = """\
typedef unknown_one first_t;
typedef unknown_two second_t; typedef unknown_one third_t;
int *wrong = (local int *)0;
"""


@pytest.mark.parametrize("including", ["{}", "void within(void) {{\n{}\n}}"])
def test_diagnostics_in_an_included_file(tmp_path: Path, including: str) -> None:
    """Reported at the directive, also after edits before and after it, and only while the file is not open."""
    header, kernel = tmp_path / "h.h", tmp_path / "k.cl"
    header.write_text(HEADER)
    text = "// first\n" + including.format('#include "h.h"') + "\ntypedef unknown_two t;\n" + TEXT
    kernel.write_text(text)
    uri = kernel.as_uri()
    editor = EditedSession("")
    editor.documents.open(types.TextDocumentItem(uri, "opencl", 1, text))

    def shown_after(start: str, new: str) -> list[str]:
        document = editor.documents.get_by_uri(uri)
        assert document is not None
        before = document.text.data.decode()
        at = before.index(start)
        whole = types.TextDocumentContentChangeWholeDocument(before[:at] + new + before[at:])
        identifier = types.VersionedTextDocumentIdentifier(document.version + 1, uri)
        editor.documents.apply_changes(identifier, [whole], "utf-16")
        document = editor.documents.get_by_uri(uri)
        assert document is not None
        snapshot = replace(Snapshot(), documents=editor.documents.all_by_name())
        analysed = editor.session.analyse(document, snapshot, lambda: None)
        assert analysed is not None
        found = json.loads(b"[" + serialize_diagnostics(analysed, CLIENT) + b"]")
        assert found == plain(
            [each.protocol_diagnostic for each in whole_document_diagnostics(analysed, CLIENT)]
        )
        return [each["message"] for each in found if each["message"].startswith("in included file")]

    first = shown_after("// between", "")
    assert len(first) > 1
    assert shown_after("// between", "int more;\n") == first
    assert shown_after("    hub(l,", "int zz = 1; ") == first
    assert shown_after("// first", "// before\n") == first
    assert shown_after("#include", "   ") == first
    editor.documents.open(types.TextDocumentItem(header.as_uri(), "opencl", 1, HEADER))
    assert shown_after("// between", "int x;\n") == []
    editor.documents.close(header.as_uri())
    assert shown_after("// between", "int y;\n") == first


def test_edits_across_the_limit_of_diagnostics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostic_limit, "MAXIMUM_DIAGNOSTICS", 6)
    editor = EditedSession(TEXT)

    def notices(start: str, new: str, old: str = "") -> list[str]:
        document = editor.documents.get_by_uri(URI)
        assert document is not None
        at = document.text.data.decode().index(start)
        editor.edit(at, at + len(old), new)
        return [each["message"] for each in published(editor) if each["code"] == diagnostic_limit.CODE]

    (first,) = notices("// between", "")
    (more,) = notices("// between", "void new(global int *g) { local int *l = g; l = g; }\n")
    assert first != more
    assert notices("void new", "typedef int x;\n") == [more]
    assert notices("typedef int x;", "   ") == [more]
    assert notices("void new(", "void new(local ", "void new(") != []
    before = notices("// between", "")
    assert notices("void hub", "#if 0\n") == []
    assert notices("#if 0\n", "", "#if 0\n") == before


def test_hints_that_are_not_shown_do_not_count_for_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostic_limit, "MAXIMUM_DIAGNOSTICS", 6)
    text = "".join(f"constant int v{number} = 1; // openclsp: ignore\n" for number in range(9))
    editor = EditedSession(text)
    found = document_diagnostics(editor.analysed(), CLIENT)
    assert [each.severity for each in found] == [Severity.HINT] * 6 + [Severity.WARNING]
    assert not document_diagnostics(editor.analysed(), CLIENT, with_hints=False)


def test_each_code_links_to_its_page_if_the_client_shows_links() -> None:
    editor = EditedSession(TEXT)
    found = published(editor)
    assert found
    for each in found:
        page = Path(document_name(each["codeDescription"]["href"])).read_text(encoding="utf-8")
        assert page.startswith(f"# {each['code']}: ")
    unlinked = json.loads(
        b"[" + serialize_diagnostics(EditedSession(TEXT).analysed(), ClientCapabilities()) + b"]"
    )
    assert unlinked
    assert all("codeDescription" not in each for each in unlinked)


def test_every_code_has_a_page_to_link_to() -> None:
    for code in CODES:
        assert Path(document_name(page_uri(code, CLIENT))).is_file()
    assert page_uri("no-such-code", CLIENT) == ""
    assert page_uri("recursion", ClientCapabilities()) == ""
    reading = replace(CLIENT, requests_content=True)
    assert page_uri("recursion", reading) == "openclsp:/rules/recursion.md"


def test_a_diagnostic_of_a_file_included_in_two_functions(tmp_path: Path) -> None:
    """It is reported once, with the related locations in the first of them."""
    (tmp_path / "body.inc").write_text("local int *q = p;\n")
    text = "".join(
        f'kernel void {name}(global int *p) {{\n#include "body.inc"\n}}\n' for name in ("first", "second")
    )
    kernel = tmp_path / "k.cl"
    kernel.write_text(text)
    editor = EditedSession("")
    editor.documents.open(types.TextDocumentItem(kernel.as_uri(), "opencl", 1, text))
    document = editor.documents.get_by_uri(kernel.as_uri())
    assert document is not None
    snapshot = replace(Snapshot(), documents=editor.documents.all_by_name())
    analysed = editor.session.analyse(document, snapshot, lambda: None)
    assert analysed is not None
    found = json.loads(b"[" + serialize_diagnostics(analysed, CLIENT) + b"]")
    assert found == plain([each.protocol_diagnostic for each in whole_document_diagnostics(analysed, CLIENT)])
    own = [
        each["location"]["range"]["start"]["line"]
        for diagnostic in found
        for each in diagnostic["relatedInformation"]
        if each["location"]["uri"] == kernel.as_uri()
    ]
    assert own == [0]


def test_items_that_depend_on_a_guessed_condition_are_left_out_one_by_one() -> None:
    text = (
        "void first(global int *g) { local int *l = g; }\n"
        "#if WIDTH > 2\nvoid second(global int *g) {\n#endif\n"
        "    local int *l = g;\n}\n"
        "constant int c;\n"
        "void third(global int *g) { local int *l = g; }\n"
    )
    editor = EditedSession(text)
    first = published(editor)
    unit = editor.analysed().unit
    assert any(damaged_groups(fragment) for fragment in unit.parts())
    assert PerItemDiagnostics(unit).depend_on_items_only
    assert "syntax-error" not in [each["code"] for each in first]
    for old, new in (
        ("WIDTH > 2", "WIDTH > 3"),
        ("WIDTH > 3", "1"),
        ("local int *l = g; }\n#if", "local int *m = g; }\n#if"),
        ("#if 1", "#if WIDTH"),
        ("constant int c;", "constant int c; // more"),
        ("#if WIDTH\n", "\n"),
        ("#endif\n", "\n"),
    ):
        text = editor.analysed().document.text.data.decode()
        at = text.index(old)
        editor.edit(at, at + len(old), new)
        published(editor)
    assert [each["code"] for each in published(editor)].count("pointer-conversion") == 3


@pytest.mark.parametrize(
    "between",
    ["}\n}\n", "}\n", "int n;\n", "", "void f(void) { }\n}\n"],
    ids=["braces", "brace", "item", "none", "function"],
)
def test_an_equal_item_before_the_one_with_a_diagnostic(between: str) -> None:
    statement = "write_imagef(image, place, colour);\n"
    text = f"constant int first = 1;\n{between}{statement}{between}constant int last = 2;\n"
    editor = EditedSession(text)
    before = published(editor)
    start = text.index("\n") + 1
    for added in (statement, between + statement, statement + between, statement + between + statement):
        editor.edit(start, start, added)
        published(editor)
        # as many lines, but the first of the equal items is no longer one
        editor.edit(start, start + len("write_"), "// xyz")
        published(editor)
        editor.edit(start, start + len("// xyz"), "write_")
        published(editor)
        editor.edit(start, start + len(added), "")
        assert published(editor) == before


@pytest.mark.parametrize("added", ["call(1),\n", ",\n", "call(1), "])
def test_equal_items_in_one_line(added: str) -> None:
    """After the edit, the same keys are those of items in other columns."""
    text = "int call(int n);\n" + 3 * "call(1), call(1),\n"
    editor = EditedSession(text)
    published(editor)
    for start in (0, text.index("\n") + 1):
        editor.edit(start, start, added)
        published(editor)
        editor.edit(start, start + len(added), "")
        published(editor)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("}{\n", "}{\n}{\n"),
        ("}{\n", "}{\n}{"),
        ("/* a */\n}{\n", "/* b */\n}{\n}{\n"),
    ],
    ids=["new line", "same number of lines", "edited comment"],
)
def test_an_item_at_the_place_of_an_equal_one(before: str, after: str) -> None:
    """The old item ends an unfinished text; after the edit, an equal one does, further down."""
    editor = EditedSession(before)
    published(editor)
    editor.edit(0, len(before), after)
    published(editor)


def test_an_item_that_ends_in_a_copy_of_its_last_line() -> None:
    """The edit lies within the old item; the new one ends in the inserted text, before the line that moved."""
    line = "constant int table[4] = {1, 2, 3, 4};\n"
    editor = EditedSession("global\n" + line)
    published(editor)
    start = len("global\n")
    editor.edit(start, start, f"// a\n{line}*/\n")
    published(editor)
