"""Re-preprocessing an edited document gives the result of preprocessing it afresh."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.source import (
    document_preprocessing,
    incremental_preprocessing,
    incremental_run,
    preprocessing_run,
)
from openclsp.source.document import Document, DocumentName
from openclsp.source.expander import Expander
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental_preprocessing import PreprocessingUpdate
from openclsp.source.options import PreprocessorOptions, Refusal
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Edit, Text, edit_between
from openclsp.source.touched_rows import is_spliced

from ..interpreted import interpreted
from .kernels import CALM_LINES, CALM_SNIPPETS, DIRECTIVES, edits, kernels

OPTIONS = PreprocessorOptions({"__OPENCL_VERSION__": "120"}, (("GLOBAL", "__global"),))
NAME = "k.cl"


class OneHeader:
    """A loader that has one header."""

    header = Document.of(
        "types.h", b"#ifndef T\n#define T\ntypedef int T_t[TWO];\n#define FROM_HEADER TWO\n#endif\n"
    )

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the header, or refuses."""
        return self.header if name == "types.h" else Refusal("file not found")


def fresh(document: Document) -> Preprocessed:
    return document_preprocessing.full(document, OPTIONS, OneHeader())


def statements(unit: Preprocessed) -> list[object]:
    """The parts of a result that describe the whole document, with absolute places."""
    macros = {name: (macro.text, unit.definition(macro)) for name, macro in unit.macros.items()}
    return [
        unit.text,
        unit.problems,
        unit.inactive,
        unit.pragmas,
        [(i.offset, i.start, i.end, i.preprocessed.text) for i in unit.includes],
        unit.unknown_includes,
        unit.guesses,
        macros,
    ]


def answers(unit: Preprocessed) -> list[object]:
    """All answers of a result, at every place too."""
    source_map = unit.source_map
    data = unit.document.text.data
    return [
        *statements(unit),
        [source_map.expanded(NAME, offset) for offset in range(len(data) + 1)],
        [macro_at(unit, offset) for offset in range(0, len(data) + 1, 3)],
        [written(unit, unit, offset, offset + 1) for offset in range(len(unit.text))],
        [written(unit, unit, offset, offset + 9) for offset in range(0, len(unit.text), 3)],
        [
            written(unit, each.preprocessed, offset, offset + 5)
            for each in unit.includes
            for offset in range(0, len(each.preprocessed.text), 3)
        ],
        [source_map.spelled(offset, offset + 2) for offset in range(len(unit.text))],
        [source_map.lines.start(row) for row in range(source_map.lines.count)],
    ]


def written(root: Preprocessed, unit: Preprocessed, start: int, end: int) -> object:
    """The origin of a stretch of the expanded text of `unit`, which is `root` or included by it."""
    found = unit.source_map.written(start, end)
    steps = [(step.name, root.definition(step.macro)) for step in found.steps]
    return found.document, found.start, found.end, steps


def macro_at(unit: Preprocessed, offset: int) -> object:
    """The use of a macro at an offset of the document."""
    use = unit.source_map.macro_at(offset)
    return use and (use.start, use.end, use.definition_text, use.expansion, unit.definition(use.macro))


def edited(unit: Preprocessed, share: float, removed: int, new: bytes) -> tuple[Document, Edit]:
    data = unit.document.text.data
    start = round(share * len(data))
    edit = Edit(start, min(start + removed, len(data)), new)
    return Document(NAME, unit.document.text.apply(edit)), edit


@settings(max_examples=150, deadline=None)
@given(kernels(), st.lists(edits(), min_size=1, max_size=6))
def test_any_edits_give_the_result_of_a_fresh_run(
    data: bytes, changes: list[tuple[float, int, bytes]]
) -> None:
    follow(data, changes)


@settings(max_examples=100, deadline=None)
@given(kernels(), st.lists(st.one_of(edits(), edits(DIRECTIVES)), min_size=1, max_size=8))
def test_edits_of_directives_and_comments_give_the_result_of_a_fresh_run(
    data: bytes, changes: list[tuple[float, int, bytes]]
) -> None:
    follow(data, changes)


@settings(max_examples=150, deadline=None)
@given(kernels(CALM_LINES), st.lists(edits(CALM_SNIPPETS), min_size=1, max_size=6))
def test_edits_of_bodies_give_the_result_of_a_fresh_run(
    data: bytes, changes: list[tuple[float, int, bytes]]
) -> None:
    follow(data, changes)


def test_a_definition_that_is_written_again_as_it_was_moves_with_later_edits() -> None:
    text = b"#define TWO 2\nTWO TWO\n"
    follow(
        text, [(0.0, 1, b"\n#define TWO 3\n"), (0.0, 2, b"\n#define TWO 3\n"), (0.0, 0, b"x"), (0.0, 0, b"#")]
    )
    follow(text, [(0.0, 7, b"#define"), (0.0, 0, b"//\n"), (0.0, 0, b"#\n")])


@pytest.mark.parametrize(
    "condition",
    [b"#if FOO\n", b"#ifdef FOO\n#elif BAR\n", b"#ifndef FOO\n", b'#include "gone.h"\n#ifdef FOO\n'],
)
def test_a_definition_is_certain_once_no_condition_depends_on_the_host(condition: bytes) -> None:
    """The second of two definitions is a fault only if the first is certain."""
    text = condition + b"#else\n#define LOCAL int\n#define LOCAL\n#endif\nLOCAL x;\n"
    share = len(condition) / len(text)
    follow(text, [(0.0, len(condition), b""), (0.0, 0, condition), (0.0, len(condition), b"#if 1\n")])
    follow(text, [(share, 6, b""), (share, 0, b"#else\n"), (0.0, len(condition), b"#if 0\n")])


class DefiningHeader:
    """A header that defines B if A is defined."""

    def load(self, name: str, angled: bool, includer: str) -> Document | Refusal:
        return Document.of("/b.h", b"#ifdef A\n#define B 1\n#endif\n")


def test_a_macro_that_a_header_defines_only_now_changes_the_rows_that_use_it() -> None:
    loader, cache = DefiningHeader(), IncludeCache()
    unit = document_preprocessing.full(
        Document.of(NAME, b'\n#include "b.h"\nint x = B;\n'), OPTIONS, loader, cache
    )
    document, edit = edited(unit, 0.0, 0, b"#define A")
    again = document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache)
    assert again.result.text == document_preprocessing.full(document, OPTIONS, loader).text
    assert b"int x = 1;" in again.result.text


DOUBLING = b"#define A0 1,\n" + b"".join(b"#define A%d A%d A%d\n" % (n + 1, n, n) for n in range(20))


@pytest.mark.parametrize(
    ("header", "later"), [(b"int a[] = { A18 };\n", b"A1"), (b"int a[] = { A1 };\n", b"A18")]
)
def test_a_macro_that_is_too_large_in_a_header_limits_the_rows_below(header: bytes, later: bytes) -> None:
    """After an expansion that was too large, the limit of later ones is lower."""
    loader, cache = ChangingHeader(header), IncludeCache()
    source = DOUBLING + b'#include "types.h"\nint b[] = { A1 };\nint c[] = { A15 };\n'
    unit = document_preprocessing.full(Document.of(NAME, source), OPTIONS, loader, cache)
    at = source.index(b"{ A1 }") + 2
    edit = Edit(at, at + 2, b"A15")
    document = Document(NAME, unit.document.text.apply(edit))
    unit = document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache).result
    assert unit.problems == document_preprocessing.full(document, OPTIONS, loader).problems
    loader.text = loader.text.replace(b"A1 " if later == b"A18" else b"A18", later)
    again = document_preprocessing.update(
        unit, document, None, OPTIONS, loader, cache, headers_changed=True
    ).result
    assert again.problems == document_preprocessing.full(document, OPTIONS, loader).problems


def test_a_header_knows_where_a_macro_of_its_includer_moved_to() -> None:
    follow(b'int a;\n#define TWO 2\n#include "types.h"\n', [(0.0, 0, b"int b;\n"), (0.0, 3, b"float")])


def test_a_template_is_reported_once_also_after_an_earlier_construct_is_typed() -> None:
    follow(
        b"int a;\nint b;\nglobal ${T} *p;\nint c;\n", [(0.0, 0, b"global ${S} *q;\n"), (1.0, 0, b"int d;\n")]
    )


def follow(data: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    """Makes the edits one after the other and compares each result with a new one.

    The header in the cache comes from another run, as it does from a search for the file that includes it.
    """
    cache = IncludeCache()
    for _ in range(2):
        unit = document_preprocessing.full(Document.of(NAME, data), OPTIONS, OneHeader(), cache)
    for change in changes:
        document, edit = edited(unit, *change)
        again = document_preprocessing.update(unit, document, edit, OPTIONS, OneHeader(), cache)
        assert changed_text(unit.text, again) == again.result.text
        unit = again.result
        for mine, other in zip(answers(unit), answers(fresh(document)), strict=True):
            assert mine == other


def changed_text(old: bytes, again: PreprocessingUpdate) -> bytes:
    """The old expanded text with the reported changes; inserted text is taken from the new text."""
    pieces, at, moved = [], 0, 0
    for told in again.edits:
        assert at <= told.start <= told.old_end
        pieces += [old[at : told.start], again.result.text[told.start + moved : told.new_end + moved]]
        at, moved = told.old_end, moved + told.new_end - told.old_end
    return b"".join((*pieces, old[at:]))


def typed(source: str, new: str) -> PreprocessingUpdate:
    """The result of typing `new` at the mark ^."""
    before, after = source.split("^")
    unit = fresh(Document.of(NAME, (before + after).encode()))
    edit = Edit(len(before.encode()), len(before.encode()), new.encode())
    document = Document(NAME, unit.document.text.apply(edit))
    return document_preprocessing.update(unit, document, edit, OPTIONS, OneHeader(), IncludeCache())


def test_a_header_of_an_earlier_run_refers_to_the_present_place_of_a_macro() -> None:
    follow(b'\n#define TWO 2\n#include "types.h"\n', [(0.0, 1, b"")])


KERNEL = '#define TWO 2\n#include "types.h"\nkernel void k() {\n  int a = TWO^;\n}\n#undef TWO\n#ifdef FOO\n#endif\n'


def test_typing_in_a_body_reads_the_touched_row_alone() -> None:
    again = typed(KERNEL, " + TWO")
    assert again.partial
    assert b"int a = 2 + 2;" in again.result.text


def test_a_new_line_in_a_body_reads_the_touched_rows_alone() -> None:
    again = typed(KERNEL, ";\n\n  int b = TWO")
    assert again.partial
    assert b"int a = 2;\n\n  int b = 2;" in again.result.text
    assert again.result.guesses[0].start == again.result.document.text.data.index(b"#ifdef")


def test_the_reported_change_is_minimal() -> None:
    again = typed(KERNEL.replace("^", "").replace("int a", "int ^a"), "bc")
    text = again.result.text
    [told] = again.edits
    assert (told.old_end, text[told.start : told.new_end]) == (told.start, b"bc")


def told(source: str, new: str) -> list[tuple[bytes, bytes]]:
    """The changes of the expanded text after typing `new` at the mark ^: pairs of old and new text."""
    old = fresh(Document.of(NAME, source.replace("^", "").encode())).text
    again = typed(source, new)
    changes, moved = [], 0
    for each in again.edits:
        changes.append(
            (old[each.start : each.old_end], again.result.text[each.start + moved : each.new_end + moved])
        )
        moved += each.new_end - each.old_end
    return changes


def test_a_changed_macro_changes_the_rows_that_use_it() -> None:
    source = "#define N 3^\n#define M (N)\nint a = N;\nint b = 3;\nint c = M + 1;\n#undef N\nint d = N;\n"
    assert told(source, "0") == [(b"", b"0"), (b"", b"0")]
    assert typed(source, "0").result.text.endswith(
        b"int a = 30;\nint b = 3;\nint c = (30) + 1;\n\nint d = N;\n"
    )


def test_a_changed_macro_changes_the_rows_that_paste_its_name() -> None:
    source = "#define CAT(a, b) a##b\n#define N1 3^\nint a = CAT(N, 1);\nint b = CAT(N, 2);\n"
    assert told(source, "0") == [(b"", b"0")]


def test_a_new_macro_that_nothing_uses_changes_nothing() -> None:
    again = typed("#define N 3\n^\nint a = N;\n", "#define M 4")
    assert not again.edits
    assert b"M" in again.result.macros


def test_a_comment_hides_rows_until_it_is_closed() -> None:
    source = "int a;\n^int b;\n#define N 3\nint c = N;\n/* done */ int d = N;\n"
    assert told(source, "/*") == [
        (
            b"int b;\n\nint c = 3;\n/* done */ int d = 3",
            b"/*int b;\n#define N 3\nint c = N;\n/* done */ int d = N",
        )
    ]
    assert typed(source.replace("*/", ""), "/*").result.text == b"int a;\n\n\n\n\n"


def test_marks_within_a_logical_line_begin_no_directive() -> None:
    for line in ("a #b # c \\\n", "#d \\\n", "%: e \\\n", " \\\n"):
        rows = line * 4
        for start in ("int x; \\\n", "\\\n", "/* */ \\\n"):
            follow((start + rows + "\n#define TWO 2\nTWO\n").encode(), [(1.0, 0, b"\n#undef TWO\n")] * 3)
            follow((rows + "x\n" + start + rows).encode(), [(1.0, 0, b"\n#define b 2\n")] * 2)


@interpreted(incremental_run)
@pytest.mark.parametrize("line", ["#x \\\n", "a # b \\\n"])
def test_each_line_of_a_logical_line_is_looked_at_once(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def counted(text: Text, row: int) -> bool:
        nonlocal looked
        looked += 1
        return is_spliced(text, row)

    monkeypatch.setattr(incremental_run, "is_spliced", counted)
    lines = 200
    source = "int x; \\\n" + line * lines + "2;\n^\n"
    assert not typed(source, "#define M 1").partial
    assert looked < 10 * lines


def test_a_condition_hides_rows_until_its_end() -> None:
    source = "int a;\n#if ^1\n#define N 3\nint c = N;\n#endif\nint d;\nint e = N;\n"
    assert told(source, "0 && ") == [(b"int c = 3;", b""), (b"3", b"N")]


LONG = 80
"""So many rows are worth an earlier state when an edit hides them"""

HIDING = ("/*", "*/", "\n#if 0\n", "\n#endif\n", "x", "TWO", "\n", "\n#define TWO 3\n", "\n#undef TWO\n")


@settings(max_examples=60, deadline=None)
@given(kernels(), st.lists(st.one_of(st.none(), edits(HIDING)), min_size=2, max_size=8))
def test_restored_code_gives_the_result_of_a_fresh_run(
    data: bytes, changes: list[tuple[float, int, bytes] | None]
) -> None:
    text = Document.of(NAME, data + b"\n" + b"  int a = TWICE(TWO) + SELF;\n" * LONG).text
    unit = fresh(Document(NAME, text))
    cache = IncludeCache()
    past = [text]
    for change in changes:
        if change is None:
            # Taken back, as most of what hides all that follows is.
            now = past.pop() if len(past) > 1 else past[0]
            document, edit = Document(NAME, now), edit_between(unit.document.text, now)
        else:
            past.append(unit.document.text)
            document, edit = edited(unit, *change)
        again = document_preprocessing.update(unit, document, edit, OPTIONS, OneHeader(), cache)
        assert changed_text(unit.text, again) == again.result.text
        unit = again.result
        other = fresh(document)
        assert statements(unit) == statements(other)
        for offset in range(0, len(unit.text), 7):
            assert written(unit, unit, offset, offset + 9) == written(other, other, offset, offset + 9)
            assert unit.source_map.spelled(offset, offset + 2) == other.source_map.spelled(offset, offset + 2)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("/*", "*/"), ("/", ""), ("#if 0\n", "#endif\n")],
    ids=["comment", "undone", "#if"],
)
def test_rows_that_were_hidden_come_back_without_being_expanded(opening: str, closing: str) -> None:
    source = "#define TWO 2\nint first = TWO;\n" + ("/" if closing == "" else "") + "^\n"
    opening = "*" if closing == "" else opening
    rows = "int a = TWO;\n" * LONG
    before, after = source.split("^")
    unit = fresh(Document.of(NAME, (before + after + rows).encode()))
    was = unit.source_map.rows[-LONG:]
    at = len(before.encode())
    cache = IncludeCache()

    def change(start: int, old_end: int, new: str) -> Preprocessed:
        edit = Edit(start, old_end, new.encode())
        document = Document(NAME, unit.document.text.apply(edit))
        return document_preprocessing.update(unit, document, edit, OPTIONS, OneHeader(), cache).result

    unit = change(at, at, opening)
    assert unit.text.count(b"2") == 1
    behind = at + len(opening)
    unit = change(behind, behind, closing) if closing else change(at, behind, "")
    assert unit.text.count(b"2") == 1 + LONG
    now = unit.source_map.rows[-LONG:]
    assert all(a is b for a, b in zip(was, now, strict=True))
    assert unit.earlier is None


@dataclass
class ChangingHeader:
    """A loader whose one header is edited."""

    text: bytes

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The header as it is now."""
        return Document.of("types.h", self.text) if name == "types.h" else Refusal("file not found")


@settings(max_examples=60, deadline=None)
@given(kernels(), kernels(), st.lists(edits(DIRECTIVES), min_size=1, max_size=6))
def test_an_edited_header_gives_the_result_of_a_fresh_run(
    root: bytes, header: bytes, changes: list[tuple[float, int, bytes]]
) -> None:
    document = Document.of(NAME, b'#include "types.h"\n' + root)
    loader, cache = ChangingHeader(header.replace(b"#include", b"")), IncludeCache()
    unit = document_preprocessing.full(document, OPTIONS, loader, cache)
    for share, removed, new in changes:
        at = round(share * len(loader.text))
        # one that includes itself is read two hundred times
        text = loader.text[:at] + new + loader.text[at + removed :]
        loader.text = text.replace(b"include", b"")
        again = document_preprocessing.update(
            unit, document, None, OPTIONS, loader, cache, headers_changed=True
        )
        assert changed_text(unit.text, again) == again.result.text
        unit = again.result
        other = document_preprocessing.full(document, OPTIONS, loader)
        for mine, new_one in zip(unit.with_included(), other.with_included(), strict=True):
            assert mine.document.text.data == new_one.document.text.data
            for a, b in zip(statements(mine), statements(new_one), strict=True):
                assert a == b
            if mine.document.name != NAME:
                for row in range(mine.source_map.lines.count - 1):
                    start = mine.source_map.lines.start(row)
                    # a macro is equal to itself alone, so macros are compared by their definitions
                    now = written(unit, mine, start, start + 5)
                    assert now == written(other, new_one, start, start + 5)


UNBALANCED_HEADERS = {
    "open.h": b"void f() {\n",
    "close.h": b"int c;\n}\n",
    "struct.h": b"struct S { int a;\n",
    "both.h": b'#include "open.h"\nint b;\n#include "close.h"\n',
    "half.h": b"int h\n",
    "even.h": b"typedef int even_t;\n",
    "inner.h": b'#include "struct.h"\nint i;\n',
}
"""Headers with brackets that they do not close, or did not open"""


@pytest.mark.parametrize(
    "text", [b"#\n\n/*\n#*/#\nx\n", b"\nx\n/*\n# \n y */ #define x 1\nx\n", b"\n/*\n#*/ /*#*/ #if 0\nx\n"]
)
@pytest.mark.parametrize("new", [b"", b"#define x y", b"z"])
def test_a_directive_that_begins_behind_a_comment(text: bytes, new: bytes) -> None:
    """Marks within the comment begin no directive."""
    follow(text, [(0.0, 0, new), (1.0, 0, new), (0.0, 0, b"\n")])


class UnbalancedHeaders:
    """A loader of those headers."""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """One of them."""
        return (
            Document.of(name, UNBALANCED_HEADERS[name])
            if name in UNBALANCED_HEADERS
            else Refusal("file not found")
        )


UNEVEN_LINES = (
    *(f'#include "{name}"' for name in (*UNBALANCED_HEADERS, "missing.h")),
    *("int a;", "void g(int x) {", "}", "};", "(", ")", "#if UNKNOWN", "#if 1", "#endif", "/*", "*/"),
)


@pytest.mark.parametrize("before", [b"", b"int a;\n"])
@pytest.mark.parametrize("comment", [b"/*\n#x*/", b"/*\n#x\n*/ ", b"/*\n#x\n*/ \\\n"])
def test_an_include_behind_a_comment_is_spliced(before: bytes, comment: bytes) -> None:
    """The row of the directive has text, although it is that of a directive."""
    loader, cache = UnbalancedHeaders(), IncludeCache()
    data = b'int x\n#include "half.h"\n' + before + comment + b'#include "half.h"\n;\nint c;\n'
    unit = document_preprocessing.full(Document.of(NAME, data), OPTIONS, loader, cache)
    assert unit.text.count(b"int h") == 2
    for at in (1.0, 0.0):
        document, edit = edited(unit, at, 0, b"#define D\n")
        unit = document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache).result
        assert statements(unit) == statements(document_preprocessing.full(document, OPTIONS, loader))


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(UNEVEN_LINES), max_size=12),
    st.lists(edits((*UNEVEN_LINES, "{", "}", "\n", "x", "/*")), min_size=1, max_size=6),
)
def test_edits_around_unbalanced_headers_give_the_result_of_a_fresh_run(
    lines: list[str], changes: list[tuple[float, int, bytes]]
) -> None:
    loader, cache = UnbalancedHeaders(), IncludeCache()
    unit = document_preprocessing.full(Document.of(NAME, "\n".join(lines).encode()), OPTIONS, loader, cache)
    for change in changes:
        document, edit = edited(unit, *change)
        again = document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache)
        assert changed_text(unit.text, again) == again.result.text
        unit = again.result
        other = document_preprocessing.full(document, OPTIONS, loader)
        for mine, new_one in zip(unit.with_included(), other.with_included(), strict=True):
            for a, b in zip(statements(mine), statements(new_one), strict=True):
                assert a == b


@pytest.mark.parametrize("header", ["struct.h", "close.h"])
def test_typing_behind_an_unbalanced_header_reads_the_touched_row_alone(header: str) -> None:
    text = f'#include "{header}"\n#include "even.h"\nvoid g(int x) {{\nx = 1;\n}}\n'.encode()
    loader, cache = UnbalancedHeaders(), IncludeCache()
    unit = document_preprocessing.full(Document.of(NAME, text), OPTIONS, loader, cache)
    assert len(unit.includes) == 2
    document, edit = edited(unit, text.index(b"= 1") / len(text), 0, b"y")
    assert document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache).partial


@interpreted(incremental_preprocessing)
def test_the_steps_of_reused_rows_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit of a directive, or of one row, may be what exceeds the bound of all steps of a document."""
    bound = 1500
    monkeypatch.setattr(preprocessing_run, "Expander", partial(Expander, steps_left=bound))
    monkeypatch.setattr(incremental_preprocessing, "MAXIMUM_STEPS_OF_UNIT", bound)
    head = b"#define E\n#define E1 E E E E E E E E E E\n#define E2 E1 E1 E1 E1 E1 E1 E1 E1 E1 E1\n#define K\n"
    text = head + b"K\n" + b"a E2\n" * 4
    unit = fresh(Document.of(NAME, text))
    assert not unit.problems and unit.trace.steps > bound // 2
    for start, new in (
        (text.index(b"#define K") + 9, b" E2 E2 E2 E2"),
        (len(text), b"b E2 E2 E2 E2\n"),
    ):
        document = Document(NAME, unit.document.text.apply(edit := Edit(start, start, new)))
        found = document_preprocessing.update(
            unit, document, edit, OPTIONS, OneHeader(), IncludeCache()
        ).result
        assert [each.code for each in found.problems] == ["expansion-too-large"]
        assert answers(found) == answers(fresh(document))
