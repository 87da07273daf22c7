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


class Desk:
    """A session with the documents that an editor has open."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.documents, self.session = folder, OpenDocuments(), AnalysisSession()
        self.world = Snapshot(folders=(str(folder),))

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
        world = replace(self.world, documents=self.documents.all_by_name())
        found = self.session.analyse(document, world, lambda: None)
        assert found is not None
        return found

    def codes(self, document: OpenDocument) -> list[str]:
        return [
            each.code
            for each in compute_diagnostics(self.analysed(document).unit)
            if each.severity.value == "error"
        ]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_same_version_is_analysed_once(desk: Desk) -> None:
    document = desk.open("k.cl", "int f(void) { return 1; }\n")
    unit = desk.analysed(document).unit
    compute_diagnostics(unit)
    revision, computed = unit.revision, unit.engine.computed.total()
    again = desk.analysed(document).unit
    compute_diagnostics(again)
    assert again is unit
    assert (unit.revision, unit.engine.computed.total()) == (revision, computed)


def test_an_edit_brings_the_same_unit_up_to_date(desk: Desk) -> None:
    document = desk.open("k.cl", "kernel void k(global int *g) { local int *l = g; }\n")
    assert desk.codes(document) == ["pointer-conversion"]
    unit = desk.analysed(document).unit
    document = desk.rewrite(document, "kernel void k(global int *g) { global int *l = g; }\n")
    assert desk.codes(document) == []
    assert desk.analysed(document).unit is unit


def test_an_open_header_counts_before_the_file(desk: Desk) -> None:
    (desk.folder / "place.h").write_text("typedef global int *place_t;\n")
    document = desk.open("k.cl", KERNEL)
    assert desk.codes(document) == []
    header = desk.open("place.h", "typedef local int *place_t;\n")
    assert desk.codes(document) == ["pointer-conversion"]
    header = desk.rewrite(header, "typedef global int *place_t;\n")
    assert desk.codes(document) == []
    desk.rewrite(header, "typedef constant int *place_t;\n")
    assert desk.codes(document) == ["pointer-conversion"]
    desk.documents.close(header.uri)
    assert desk.codes(document) == []


def test_files_are_read_again_when_the_disk_may_have_changed(desk: Desk) -> None:
    document = desk.open("k.cl", KERNEL)
    assert desk.codes(document) == []
    for space, expected in (("local", ["pointer-conversion"]), ("global", [])):
        (desk.folder / "place.h").write_text(f"typedef {space} int *place_t;\n")
        desk.world = replace(desk.world, disk_revision=desk.world.disk_revision + 1)
        assert desk.codes(document) == expected


def test_dependencies_include_files_that_were_not_found(desk: Desk) -> None:
    (desk.folder / "place.h").write_text('#include "missing.h"\ntypedef global int *place_t;\n')
    document = desk.open("k.cl", KERNEL)
    desk.codes(document)
    dependencies = desk.session.side_results(document).dependencies
    assert {str(desk.folder / "place.h"), str(desk.folder / "missing.h")} <= dependencies


def test_other_options_are_another_unit(desk: Desk) -> None:
    document = desk.open("k.cl", "void f(int *p) { }\n")
    assert not desk.analysed(document).unit.dialect.generic
    desk.world = replace(desk.world, settings={"": Settings("CL2.0")})
    assert desk.analysed(document).unit.dialect.generic
    desk.world = replace(desk.world, chosen_version="CL1.1")
    unit = desk.analysed(document).unit
    assert not unit.dialect.generic
    assert "by command" in unit_config(unit).dialect_explanation


def test_an_analysis_that_was_given_up_anywhere_leaves_nothing_half_done(desk: Desk) -> None:
    first = desk.open(
        "k.cl", "typedef global int *place_t;\nkernel void k(local int *l) { place_t p = l; }\n"
    )
    texts = [first.text.data.decode(), first.text.data.decode().replace("typedef global", "typedef local")]
    expected = {texts[0]: ["pointer-conversion"], texts[1]: []}
    document, given_up = first, 0
    for patience in range(20):
        document = desk.rewrite(document, texts[patience % 2])
        checks = iter(range(patience))

        def check(checks: Iterator[int] = checks) -> None:
            if next(checks, None) is None:
                raise Superseded

        world = replace(desk.world, documents=desk.documents.all_by_name())
        try:
            analysed = desk.session.analyse(document, world, check)
            assert analysed is not None
            compute_diagnostics(analysed.unit)
        except Superseded:
            given_up += 1
        assert desk.codes(document) == expected[document.text.data.decode()]
    assert 1 < given_up < 20


def test_closing_gives_the_memory_back(desk: Desk) -> None:
    document = desk.open("k.cl", "kernel void k(global int *g) { }\n")
    unit = weakref.ref(desk.analysed(document).unit)
    desk.session.drop_document(document.name)
    gc.collect()
    assert unit() is None


def test_a_document_opened_again_is_analysed_afresh(desk: Desk) -> None:
    document = desk.open("k.cl", "int f(void) { return 1; }\n")
    unit = desk.analysed(document).unit
    again = desk.open("k.cl", "int f(void) { return 1; }\n")
    assert desk.analysed(again).unit is not unit


def test_cpp_for_opencl_is_not_analysed(desk: Desk) -> None:
    document = desk.open("k.clcpp", "template<class T> T f(T x);\n")
    world = replace(desk.world, documents=desk.documents.all_by_name())
    assert desk.session.analyse(document, world, lambda: None) is None
    assert desk.session.side_results(document).option_messages == ()


def test_a_job_that_is_given_up_does_no_more_and_the_next_one_goes_on(desk: Desk) -> None:
    """Counted by the queries that are computed: none after the job is given up, and none twice."""
    text = "".join(f"void f{number}(global int *g) {{ local int *l = g; }}\n" for number in range(40))
    document = desk.open("k.cl", text)
    other = desk.open("other.cl", text)
    whole = desk.analysed(other).unit
    compute_diagnostics(whole)
    unit = desk.analysed(document).unit
    steps = 0

    def check() -> None:
        nonlocal steps
        steps += 1
        if steps % 25 == 0:
            raise Superseded

    unit.engine.checkpoint = check
    given_up = 0
    while given_up < 1000:
        before = unit.engine.computed.total()
        try:
            found = compute_diagnostics(unit)
            break
        except Superseded:
            given_up += 1
            assert unit.engine.computed.total() - before < 25
    assert given_up > 5
    assert [each.message for each in found] == [each.message for each in compute_diagnostics(whole)]
    # what a query was in the midst of is computed again: it and those that asked for it
    again = unit.engine.computed.total() - whole.engine.computed.total()
    assert again <= 2 * given_up


def test_what_other_files_may_call_is_known_once_the_project_was_looked_over(desk: Desk) -> None:
    (desk.folder / "other.cl").write_text("int load(int *p);\nkernel void o(local int *l) { load(l); }\n")
    text = "int load(int *p) { return *p; }\nkernel void k(global int *g) { g[0] = load(g); }\n"
    (desk.folder / "k.cl").write_text(text)
    desk.world = replace(desk.world, settings={"": Settings(language_version="CL2.0")})
    document = desk.open("k.cl", text)

    def told() -> list[str]:
        return [each.code for each in compute_diagnostics(desk.analysed(document).unit)]

    assert told() == ["single-space"]
    world = replace(desk.world, documents=desk.documents.all_by_name())
    assert desk.session.scan_project(document, world, lambda: None) == {document.name}
    assert told() == []


@pytest.fixture
def included(desk: Desk) -> OpenDocument:
    """A header that the kernel of its name includes only where ON is defined, and another one always."""
    kernel = '#define SPACE {space}\n{on}\n#include "part.h"\n{off}\nint f(int y);\n\n\nint g(int y);\n\nint h(int y);\n'
    texts = {
        "part.cl": kernel.format(space="local", on="#ifdef ON", off="#endif"),
        "whole.cl": kernel.format(space="global", on="", off=""),
        "part.h": "int part(SPACE int *p) { local int *q = p; return *q; }\n",
    }
    for name, text in texts.items():
        (desk.folder / name).write_text(text)
    return desk.open("part.h", texts["part.h"])


def test_options_decide_through_which_kernel_a_header_is_analysed(desk: Desk, included: OpenDocument) -> None:
    for defines, expected in ((("ON",), []), ((), ["pointer-conversion"]), (("ON",), [])):
        desk.world = replace(desk.world, settings={"": Settings(defines=defines)})
        assert desk.codes(included) == expected


def test_only_edits_of_directives_preprocess_a_candidate_again(
    desk: Desk, included: OpenDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by the kernels that are preprocessed to see whether they include the header."""
    tried: list[str] = []

    def counting(includer: IncludingProgram, *rest: Any) -> Any:
        tried.append(Path(includer.path).name)
        return unit_through(includer, *rest)

    monkeypatch.setattr(includer_choice, "unit_through", counting)
    better = desk.open("part.cl", (desk.folder / "part.cl").read_text())
    assert desk.codes(included) == ["pointer-conversion"]
    assert tried == ["part.cl", "whole.cl"]
    for old, new, expected in (
        ("int g", "int go", []),
        ("int go(", "int\ngo(", []),
        ("#ifdef ON", "#ifdef  ON", ["part.cl"]),
        ("int\ngo", "int g", []),
        ("#ifdef  ON", "#ifndef ON", ["part.cl"]),
    ):
        tried.clear()
        better = desk.rewrite(better, better.text.data.decode().replace(old, new))
        errors = desk.codes(included)
        assert (tried, errors) == (expected, [] if "#ifndef" in new else ["pointer-conversion"])
        tried.clear()
        included = desk.rewrite(included, included.text.data.decode() + "\n")
        assert desk.codes(included) == errors
        assert tried == []
