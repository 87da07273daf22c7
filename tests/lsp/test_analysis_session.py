"""Cached results of an open document: reuse, invalidation and removal on close."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.session import includer_choice
from openclsp.lsp.session.analysis_session import AnalysisSession, DocumentAnalysis
from openclsp.lsp.session.cancellation import Superseded
from openclsp.lsp.session.open_documents import OpenDocument, OpenDocuments
from openclsp.lsp.session.settings import Settings
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.workspace.include_graph import IncludingProgram
from openclsp.workspace.includer_units import unit_through

KERNEL = '#include "place.h"\nkernel void k(global int *g) { place_t p = g; }\n'


class EditedSession:
    """An analysis session with the documents that are open in an editor."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.documents, self.session = folder, OpenDocuments(), AnalysisSession()
        self.snapshot = Snapshot(folders=(str(folder),))

    def open(self, name: str, text: str) -> OpenDocument:
        item = types.TextDocumentItem((self.folder / name).as_uri(), "opencl", 1, text)
        return self.documents.open(item)

    def rewrite(self, document: OpenDocument, text: str) -> OpenDocument:
        identifier = types.VersionedTextDocumentIdentifier(document.version + 1, document.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        changed = self.documents.apply_changes(identifier, [whole], "utf-16")
        assert changed is not None
        return changed

    def analysed(self, document: OpenDocument) -> DocumentAnalysis:
        snapshot = replace(self.snapshot, documents=self.documents.all_by_name())
        found = self.session.analyse(document, snapshot, lambda: None)
        assert found is not None
        return found

    def codes(self, document: OpenDocument) -> list[str]:
        return [
            each.code
            for each in compute_diagnostics(self.analysed(document).unit)
            if each.severity.value == "error"
        ]


@pytest.fixture
def editor(tmp_path: Path) -> EditedSession:
    return EditedSession(tmp_path)


def test_the_same_version_is_analysed_once(editor: EditedSession) -> None:
    document = editor.open("k.cl", "int f(void) { return 1; }\n")
    unit = editor.analysed(document).unit
    compute_diagnostics(unit)
    revision, computed = unit.revision, unit.database.computed.total()
    again = editor.analysed(document).unit
    compute_diagnostics(again)
    assert again is unit
    assert (unit.revision, unit.database.computed.total()) == (revision, computed)


def test_an_edit_brings_the_same_unit_up_to_date(editor: EditedSession) -> None:
    document = editor.open("k.cl", "kernel void k(global int *g) { local int *l = g; }\n")
    assert editor.codes(document) == ["pointer-conversion"]
    unit = editor.analysed(document).unit
    document = editor.rewrite(document, "kernel void k(global int *g) { global int *l = g; }\n")
    assert editor.codes(document) == []
    assert editor.analysed(document).unit is unit


def test_an_open_header_counts_before_the_file(editor: EditedSession) -> None:
    (editor.folder / "place.h").write_text("typedef global int *place_t;\n")
    document = editor.open("k.cl", KERNEL)
    assert editor.codes(document) == []
    header = editor.open("place.h", "typedef local int *place_t;\n")
    assert editor.codes(document) == ["pointer-conversion"]
    header = editor.rewrite(header, "typedef global int *place_t;\n")
    assert editor.codes(document) == []
    editor.rewrite(header, "typedef constant int *place_t;\n")
    assert editor.codes(document) == ["pointer-conversion"]
    editor.documents.close(header.uri)
    assert editor.codes(document) == []


def test_files_are_read_again_when_the_disk_may_have_changed(editor: EditedSession) -> None:
    document = editor.open("k.cl", KERNEL)
    assert editor.codes(document) == []
    for space, expected in (("local", ["pointer-conversion"]), ("global", [])):
        (editor.folder / "place.h").write_text(f"typedef {space} int *place_t;\n")
        editor.snapshot = replace(editor.snapshot, disk_revision=editor.snapshot.disk_revision + 1)
        assert editor.codes(document) == expected


def test_dependencies_include_files_that_were_not_found(editor: EditedSession) -> None:
    (editor.folder / "place.h").write_text('#include "missing.h"\ntypedef global int *place_t;\n')
    document = editor.open("k.cl", KERNEL)
    editor.codes(document)
    dependencies = editor.session.side_results(document).dependencies
    assert {str(editor.folder / "place.h"), str(editor.folder / "missing.h")} <= dependencies


def test_other_options_are_another_unit(editor: EditedSession) -> None:
    document = editor.open("k.cl", "void f(int *p) { }\n")
    assert not editor.analysed(document).unit.dialect.generic
    editor.snapshot = replace(editor.snapshot, settings={"": Settings("CL2.0")})
    assert editor.analysed(document).unit.dialect.generic
    editor.snapshot = replace(editor.snapshot, chosen_versions={"": "CL1.1"})
    unit = editor.analysed(document).unit
    assert not unit.dialect.generic
    assert "by command" in unit_config(unit).dialect_explanation


def test_an_analysis_cancelled_anywhere_leaves_no_partial_result(editor: EditedSession) -> None:
    first = editor.open(
        "k.cl", "typedef global int *place_t;\nkernel void k(local int *l) { place_t p = l; }\n"
    )
    texts = [first.text.data.decode(), first.text.data.decode().replace("typedef global", "typedef local")]
    expected = {texts[0]: ["pointer-conversion"], texts[1]: []}
    document, given_up = first, 0
    for patience in range(20):
        document = editor.rewrite(document, texts[patience % 2])
        checks = iter(range(patience))

        def check(checks: Iterator[int] = checks) -> None:
            if next(checks, None) is None:
                raise Superseded

        snapshot = replace(editor.snapshot, documents=editor.documents.all_by_name())
        try:
            analysed = editor.session.analyse(document, snapshot, check)
            assert analysed is not None
            compute_diagnostics(analysed.unit)
        except Superseded:
            given_up += 1
        assert editor.codes(document) == expected[document.text.data.decode()]
    assert 1 < given_up < 20


def test_a_cancelled_change_of_options_keeps_the_former_unit(editor: EditedSession) -> None:
    """The options change back before the new unit is complete."""
    document = editor.open("k.cl", "kernel void k(local int *l) { global int *g = l; }\n")
    assert editor.codes(document) == ["pointer-conversion"]

    def check() -> None:
        raise Superseded

    other = replace(
        editor.snapshot, settings={"": Settings("CL2.0")}, documents=editor.documents.all_by_name()
    )
    with pytest.raises(Superseded):
        editor.session.analyse(document, other, check)
    assert editor.codes(document) == ["pointer-conversion"]
    assert editor.codes(editor.rewrite(document, "kernel void k() { int i = j; int j; }\n")) == [
        "undeclared-name"
    ]


def test_closing_a_document_frees_its_memory(editor: EditedSession) -> None:
    document = editor.open("k.cl", "kernel void k(global int *g) { }\n")
    unit = weakref.ref(editor.analysed(document).unit)
    editor.session.drop_document(document.name)
    gc.collect()
    assert unit() is None


def test_a_document_opened_again_is_analysed_afresh(editor: EditedSession) -> None:
    document = editor.open("k.cl", "int f(void) { return 1; }\n")
    unit = editor.analysed(document).unit
    again = editor.open("k.cl", "int f(void) { return 1; }\n")
    assert editor.analysed(again).unit is not unit


def test_cpp_for_opencl_is_not_analysed(editor: EditedSession) -> None:
    document = editor.open("k.clcpp", "template<class T> T f(T x);\n")
    snapshot = replace(editor.snapshot, documents=editor.documents.all_by_name())
    assert editor.session.analyse(document, snapshot, lambda: None) is None
    assert editor.session.side_results(document).option_messages == ()


def test_a_cancelled_job_stops_and_the_next_one_reuses_its_results(editor: EditedSession) -> None:
    """Counts computed queries: none is computed after the cancellation, and none twice."""
    text = "".join(f"void f{number}(global int *g) {{ local int *l = g; }}\n" for number in range(40))
    document = editor.open("k.cl", text)
    other = editor.open("other.cl", text)
    whole = editor.analysed(other).unit
    compute_diagnostics(whole)
    unit = editor.analysed(document).unit
    steps = 0

    def check() -> None:
        nonlocal steps
        steps += 1
        if steps % 25 == 0:
            raise Superseded

    unit.database.checkpoint = check
    given_up = 0
    while given_up < 1000:
        before = unit.database.computed.total()
        try:
            found = compute_diagnostics(unit)
            break
        except Superseded:
            given_up += 1
            assert unit.database.computed.total() - before < 25
    assert given_up > 5
    assert [each.message for each in found] == [each.message for each in compute_diagnostics(whole)]
    # The interrupted query and the queries that depend on it are computed again.
    again = unit.database.computed.total() - whole.database.computed.total()
    assert again <= 2 * given_up


def test_uses_in_other_files_are_known_after_the_project_scan(editor: EditedSession) -> None:
    (editor.folder / "other.cl").write_text("int load(int *p);\nkernel void o(local int *l) { load(l); }\n")
    text = "int load(int *p) { return *p; }\nkernel void k(global int *g) { g[0] = load(g); }\n"
    (editor.folder / "k.cl").write_text(text)
    editor.snapshot = replace(editor.snapshot, settings={"": Settings(language_version="CL2.0")})
    document = editor.open("k.cl", text)

    def codes_found() -> list[str]:
        return [each.code for each in compute_diagnostics(editor.analysed(document).unit)]

    assert codes_found() == ["single-space"]
    snapshot = replace(editor.snapshot, documents=editor.documents.all_by_name())
    assert editor.session.scan_project(document, snapshot, lambda: None) == {document.name}
    assert codes_found() == []


@pytest.fixture
def included(editor: EditedSession) -> OpenDocument:
    """A header that the kernel of its name includes only if ON is defined, and another kernel always."""
    kernel = '#define SPACE {space}\n{on}\n#include "part.h"\n{off}\nint f(int y);\n\n\nint g(int y);\n\nint h(int y);\n'
    texts = {
        "part.cl": kernel.format(space="local", on="#ifdef ON", off="#endif"),
        "whole.cl": kernel.format(space="global", on="", off=""),
        "part.h": "int part(SPACE int *p) { local int *q = p; return *q; }\n",
    }
    for name, text in texts.items():
        (editor.folder / name).write_text(text)
    return editor.open("part.h", texts["part.h"])


def test_options_decide_through_which_kernel_a_header_is_analysed(
    editor: EditedSession, included: OpenDocument
) -> None:
    for defines, expected in ((("ON",), []), ((), ["pointer-conversion"]), (("ON",), [])):
        editor.snapshot = replace(editor.snapshot, settings={"": Settings(defines=defines)})
        assert editor.codes(included) == expected


def test_only_edits_of_directives_preprocess_a_candidate_again(
    editor: EditedSession, included: OpenDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts the kernels that are preprocessed to find out whether they include the header."""
    tried: list[str] = []

    def counting(includer: IncludingProgram, *rest: Any) -> Any:
        tried.append(Path(includer.path).name)
        return unit_through(includer, *rest)

    monkeypatch.setattr(includer_choice, "unit_through", counting)
    better = editor.open("part.cl", (editor.folder / "part.cl").read_text())
    assert editor.codes(included) == ["pointer-conversion"]
    assert tried == ["part.cl", "whole.cl"]
    for old, new, expected in (
        ("int g", "int go", []),
        ("int go(", "int\ngo(", []),
        ("#ifdef ON", "#ifdef  ON", ["part.cl"]),
        ("int\ngo", "int g", []),
        ("#ifdef  ON", "#ifndef ON", ["part.cl"]),
    ):
        tried.clear()
        better = editor.rewrite(better, better.text.data.decode().replace(old, new))
        errors = editor.codes(included)
        assert (tried, errors) == (expected, [] if "#ifndef" in new else ["pointer-conversion"])
        tried.clear()
        included = editor.rewrite(included, included.text.data.decode() + "\n")
        assert editor.codes(included) == errors
        assert tried == []


def test_a_second_kernel_costs_its_own_lines(editor: EditedSession) -> None:
    header = "typedef global int *ptr_t;\n" + "".join(
        f"int f{number}(ptr_t p);\nint g{number}(ptr_t p) {{ return *p; }}\n" for number in range(30)
    )
    (editor.folder / "many.h").write_text(header)
    kernel = '#include "many.h"\nkernel void k{0}(global int *g, local int *l) {{ f{0}(g); g{0}(l); }}\n'
    units = []
    for number in (1, 2):
        document = editor.open(f"k{number}.cl", kernel.format(number))
        units.append(editor.analysed(document).unit)
        assert editor.codes(document) == ["pointer-conversion"]
    assert 0 < units[1].typed_tokens < units[0].typed_tokens / 4
    # the documents stay independent
    editor.session.drop_document(units[0].document.name)
    changed = editor.rewrite(document, kernel.format(2).replace("g2(l)", "g2(g)"))
    assert editor.codes(changed) == []


def test_a_macro_is_assumed_as_long_as_a_header_needs_it(editor: EditedSession) -> None:
    other = "typedef lib::float3 vec;\n"
    text = "#ifdef GPU\ntypedef int vec;\n#else\n{}#endif\n"
    header = editor.open("types.h", text.format(other))
    kernel = '#include "types.h"\nkernel void k(global vec *g) { local int *l = g; vec f = *g; f.x = 0; }\n'
    document = editor.open("k.cl", kernel)
    assert editor.codes(document) == ["pointer-conversion", "unknown-member"]
    header = editor.rewrite(header, text.format("typedef int4 vec;\n"))
    assert editor.codes(document) == ["pointer-conversion"]
    assert not unit_config(editor.analysed(document).unit).configuration.defines
    editor.rewrite(header, text.format("\n" + other))
    assert editor.codes(document) == ["pointer-conversion", "unknown-member"]
    (reason,) = unit_config(editor.analysed(document).unit).choices
    assert "line 5 of types.h" in reason
