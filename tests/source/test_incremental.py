"""A document read again after an edit comes out as if it were read for the first time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental import Repreprocessed, repreprocess
from openclsp.source.options import PreprocessorOptions, Refusal
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import preprocess
from openclsp.source.text import Edit

from .kernels import CALM_LINES, CALM_SNIPPETS, edits, kernels

OPTIONS = PreprocessorOptions({"__OPENCL_VERSION__": "120"}, (("GLOBAL", "__global"),))
NAME = "k.cl"


class OneHeader:
    """A loader that has one header."""

    header = Document.of(
        "types.h", b"#ifndef T\n#define T\ntypedef int T_t;\n#define FROM_HEADER TWO\n#endif\n"
    )

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The header, or nothing."""
        return self.header if name == "types.h" else Refusal("file not found")


def fresh(document: Document) -> Preprocessed:
    return preprocess(document, OPTIONS, OneHeader())


def answers(unit: Preprocessed) -> list[object]:
    """Everything that a result says, with absolute places."""
    source_map = unit.source_map
    data = unit.document.text.data
    macros = {name: (macro.text, source_map.definition(macro)) for name, macro in unit.macros.items()}
    return [
        unit.text,
        unit.problems,
        unit.inactive,
        unit.pragmas,
        [(i.offset, i.start, i.end, i.unit.text) for i in unit.includes],
        unit.unknown_includes,
        unit.guesses,
        macros,
        [source_map.expanded(NAME, offset) for offset in range(len(data) + 1)],
        [source_map.macro_at(offset) for offset in range(0, len(data) + 1, 3)],
        [source_map.written(offset, offset + 1) for offset in range(len(unit.text))],
        [source_map.written(offset, offset + 9) for offset in range(0, len(unit.text), 3)],
        [source_map.spelled(offset, offset + 2) for offset in range(len(unit.text))],
        [source_map.lines.start(row) for row in range(source_map.lines.count)],
    ]


def edited(unit: Preprocessed, share: float, removed: int, new: bytes) -> tuple[Document, Edit]:
    data = unit.document.text.data
    start = round(share * len(data))
    edit = Edit(start, min(start + removed, len(data)), new)
    return Document(NAME, unit.document.text.apply(edit)), edit


@settings(max_examples=150, deadline=None)
@given(kernels(), st.lists(edits(), min_size=1, max_size=6))
def test_any_edits_give_what_a_fresh_run_gives(data: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    follow(data, changes)


@settings(max_examples=150, deadline=None)
@given(kernels(CALM_LINES), st.lists(edits(CALM_SNIPPETS), min_size=1, max_size=6))
def test_edits_of_bodies_give_what_a_fresh_run_gives(
    data: bytes, changes: list[tuple[float, int, bytes]]
) -> None:
    follow(data, changes)


def follow(data: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    """Makes one edit after the other and holds each result against a fresh one."""
    unit = fresh(Document.of(NAME, data))
    cache = IncludeCache()
    for change in changes:
        document, edit = edited(unit, *change)
        again = repreprocess(unit, document, edit, OPTIONS, OneHeader(), cache)
        assert changed_text(unit.text, again) == again.unit.text
        unit = again.unit
        for mine, other in zip(answers(unit), answers(fresh(document)), strict=True):
            assert mine == other


def changed_text(old: bytes, again: Repreprocessed) -> bytes:
    """The old expanded text with the changes that were told; what is put in is taken from the new text."""
    pieces, at, moved = [], 0, 0
    for told in again.edits:
        assert at <= told.start <= told.old_end
        pieces += [old[at : told.start], again.unit.text[told.start + moved : told.new_end + moved]]
        at, moved = told.old_end, moved + told.new_end - told.old_end
    return b"".join((*pieces, old[at:]))


def typed(source: str, new: str) -> Repreprocessed:
    """What typing `new` at the mark ^ gives."""
    before, after = source.split("^")
    unit = fresh(Document.of(NAME, (before + after).encode()))
    edit = Edit(len(before.encode()), len(before.encode()), new.encode())
    document = Document(NAME, unit.document.text.apply(edit))
    return repreprocess(unit, document, edit, OPTIONS, OneHeader(), IncludeCache())


KERNEL = '#define TWO 2\n#include "types.h"\nkernel void k() {\n  int a = TWO^;\n}\n#undef TWO\n#ifdef FOO\n#endif\n'


def test_typing_in_a_body_reads_the_touched_row_alone() -> None:
    again = typed(KERNEL, " + TWO")
    assert again.partial
    assert b"int a = 2 + 2;" in again.unit.text


def test_a_new_line_in_a_body_reads_the_touched_rows_alone() -> None:
    again = typed(KERNEL, ";\n\n  int b = TWO")
    assert again.partial
    assert b"int a = 2;\n\n  int b = 2;" in again.unit.text
    assert again.unit.guesses[0].start == again.unit.document.text.data.index(b"#ifdef")


def test_the_change_is_told_as_small_as_it_is() -> None:
    again = typed(KERNEL.replace("^", "").replace("int a", "int ^a"), "bc")
    text = again.unit.text
    [told] = again.edits
    assert (told.old_end, text[told.start : told.new_end]) == (told.start, b"bc")


def test_a_directive_has_the_whole_document_read() -> None:
    again = typed(KERNEL, "\n#define THREE 3\n")
    assert not again.partial
    assert b"THREE" in again.unit.macros
