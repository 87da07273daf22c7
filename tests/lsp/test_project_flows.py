"""In the editor, the flow of functions that other programs of the project share comes from the background."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover
from openclsp.lsp.session import root_kernels
from openclsp.lsp.session.join_step import JoinStep
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.semantics.translation_unit import TranslationUnit

from .test_analysis_session import EditedSession

FLOW_CODES = {"single-space", "several-spaces", "address-function", "empty-pointer"}
HEADER = "int load(int *p) { return *p; }\n"
FIRST = '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n'
SECOND = '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n'


class FlowSession(EditedSession):
    """A session whose background work runs on request."""

    def unit(self, document: OpenDocument) -> TranslationUnit:
        return self.analysed(document).unit

    def codes(self, document: OpenDocument) -> list[str]:
        found = compute_diagnostics(self.unit(document), header_bodies=True)
        return sorted({each.code for each in found} & FLOW_CODES)

    def rest(self, document: OpenDocument) -> int:
        """Does all background work for the document; returns how many of its steps had a new result."""
        changes = 0
        while True:
            snapshot = replace(self.snapshot, documents=self.documents.all_by_name())
            step = self.session.advance_flow(document, snapshot, lambda: None)
            if step is JoinStep.NONE_LEFT:
                return changes
            changes += step is JoinStep.NEW_RESULT
            self.codes(document)

    def rest_after_save(self, document: OpenDocument, name: str, text: str) -> int:
        """Writes a file, as another program does; then `rest`."""
        (self.folder / name).write_text(text)
        revision = self.snapshot.disk_revision + 1
        self.snapshot = replace(self.snapshot, disk_revision=revision, tree_revision=revision)
        self.codes(document)
        return self.rest(document)


@pytest.fixture
def editor(tmp_path: Path) -> FlowSession:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "load.h").write_text(HEADER)
    (tmp_path / "a.cl").write_text(FIRST)
    (tmp_path / "b.cl").write_text(SECOND)
    return FlowSession(tmp_path)


def open_and_scan(editor: FlowSession, name: str, text: str) -> OpenDocument:
    document = editor.open(name, text)
    editor.analysed(document)
    snapshot = replace(editor.snapshot, documents=editor.documents.all_by_name())
    editor.session.scan_project(document, snapshot, lambda: None)
    return document


def test_a_shared_function_is_unknown_until_the_background_work_is_done(editor: FlowSession) -> None:
    document = open_and_scan(editor, "a.cl", FIRST)
    assert editor.codes(document) == []
    assert editor.rest(document) > 0
    assert editor.codes(document) == ["several-spaces"]
    assert editor.rest(document) == 0
    header = open_and_scan(editor, "load.h", HEADER)
    editor.rest(header)
    hover = compute_hover(editor.unit(header), header.name, HEADER.index("p)"))
    assert hover is not None and hover.flow is not None
    assert [space.word for space in hover.flow.spaces] == ["global", "local"] and not hover.flow.unknown
    assert [each.function for each in hover.flow.callers] == ["a", "b"]


def test_an_unsaved_edit_of_another_program_counts_after_the_background_work(editor: FlowSession) -> None:
    first = open_and_scan(editor, "a.cl", FIRST)
    second = open_and_scan(editor, "b.cl", SECOND)
    editor.rest(first)
    assert editor.codes(first) == ["several-spaces"]
    second = editor.rewrite(second, SECOND.replace("local", "global"))
    editor.rest(first)
    assert editor.codes(first) == ["single-space"]


def test_a_saved_file_counts_only_if_it_changes_the_flow(editor: FlowSession) -> None:
    document = open_and_scan(editor, "a.cl", FIRST)
    assert editor.rest(document) > 0
    for name, text in (
        ("a.cl", FIRST),
        ("b.cl", SECOND.replace("l[0]", "l[1]")),
        ("host.h", "#define N 1\n"),
    ):
        assert editor.rest_after_save(document, name, text) == 0, name
    assert editor.rest_after_save(document, "b.cl", SECOND.replace("local", "global")) == 1
    assert editor.codes(document) == ["single-space"]
    assert editor.rest_after_save(document, "c.cl", SECOND.replace("b(", "c(")) > 0
    assert editor.codes(document) == ["several-spaces"]


def test_an_edited_shared_function_is_unknown_at_once(editor: FlowSession) -> None:
    """The sets of other programs are those of its earlier text."""
    header = open_and_scan(editor, "load.h", HEADER)
    editor.rest(header)
    assert editor.codes(header) == ["several-spaces"]
    header = editor.rewrite(header, HEADER.replace("return *p; ", "int *q = p; return *q; "))
    assert editor.codes(header) == []
    editor.rest(header)
    assert editor.codes(header) == ["several-spaces"]


def test_a_keystroke_solves_nothing_again(editor: FlowSession) -> None:
    document = open_and_scan(editor, "a.cl", FIRST)
    editor.rest(document)
    editor.codes(document)
    before = editor.unit(document).other_programs, editor.unit(document).outside
    document = editor.rewrite(document, FIRST.replace("g[0]", "g[1]"))
    unit = editor.unit(document)
    assert unit.other_programs is before[0] and unit.outside is before[1]


def test_a_keystroke_does_not_look_for_the_project_again(
    editor: FlowSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = open_and_scan(editor, "a.cl", FIRST)
    editor.rest(document)
    searches: list[str] = []
    find = root_kernels.find_project_root

    def record(name: str, folders: tuple[str, ...]) -> str:
        searches.append(name)
        return find(name, folders)

    monkeypatch.setattr(root_kernels, "find_project_root", record)
    editor.unit(editor.rewrite(document, FIRST.replace("g[0]", "g[1]")))
    assert not searches
    editor.snapshot = replace(editor.snapshot, disk_revision=editor.snapshot.disk_revision + 1)
    editor.unit(document)
    assert searches


def test_nothing_is_computed_without_generic_pointers(editor: FlowSession) -> None:
    (editor.folder / "compile_flags.txt").write_text("-cl-std=CL1.2\n")
    document = open_and_scan(editor, "a.cl", FIRST)
    assert editor.rest(document) == 0


def test_an_edit_by_which_a_document_loses_generic_pointers_counts_in_others(editor: FlowSession) -> None:
    (editor.folder / "compile_flags.txt").unlink()
    (editor.folder / "load.h").write_text(HEADER.replace("int *p", "generic int *p"))
    first = open_and_scan(editor, "a.cl", FIRST)
    second = open_and_scan(editor, "b.cl", SECOND)
    editor.rest(first)
    assert editor.codes(first) == ["several-spaces"]
    second = editor.rewrite(second, "kernel void b(local int *l) { l[0] = 1; }\n")
    assert not editor.unit(second).dialect.generic
    assert editor.rest(second) > 0
    assert editor.codes(first) == []
