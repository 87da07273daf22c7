"""Maps positions between the expanded text and the source.

Marks: `from: X`: the expansion X is written there; `spelled: X`: X can be edited there; `becomes: X`: the source there
is X in the expanded text.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from openclsp.source.digraphs import replace_digraphs
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.source_locations import Span

from .kernels import kernels
from .marks import NAME, marks, run

DEFINITIONS = """
#define GLOBAL __global
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD(a, b) (a + b)
#define DECLARE(type, name) type name = ZERO
#define ZERO 0
#define CAT(a, b) a ## b
#define STR(x) #x
#define TWICE(x) ADD(x, x)
#define ONCE(x) ADD(x, 1)
#define BODY { return ZERO; }
"""


def check(source: str) -> Preprocessed:
    unit = run(source)
    text, source_map = unit.text.decode(), unit.source_map
    assert marks(source)
    for mark in marks(source):
        if mark.word == "becomes":
            place = source_map.expanded(NAME, mark.start)
            assert place is not None
            assert text[place:].startswith(mark.text)
            continue
        # The comments with the marks stand in the expanded text too: the code comes first.
        start = text.index(mark.text)
        end = start + len(mark.text)
        if mark.word == "from":
            written = source_map.written(start, end)
            assert source[written.start : written.end] == source[mark.start : mark.end]
            assert (written.document, written.start) == (NAME, mark.start)
        else:
            assert mark.word == "spelled"
            assert source_map.spelled(start, end) == Span(NAME, mark.start, mark.end)
    return unit


@pytest.mark.parametrize(
    "kernel",
    [
        """
kernel void k(GLOBAL int *p) {
//            ^^^^^^ from: __global
//            ^^^^^^ becomes: __global
//                   ^^^ spelled: int
//                   ^^^ becomes: int
""",
        """
  int x = MAX(p[0], n + 1) + q;
//        ^^^^^^^^^^^^^^^^ from: ((p[0]) > (n + 1) ? (p[0]) : (n + 1))
//        ^^^ from: ((
//        ^^^ from: ) > (
//        ^^^ becomes: ((p[0])
//            ^^^^ from: p[0]
//            ^^^^ becomes: p[0]
//                  ^^^^^ from: n + 1
//                    ^ becomes: + 1
//                         ^^^ spelled: + q
""",
        """
  int y = ADD(first, MAX(1, 2)) - 3;
//            ^^^^^ spelled: first
//        ^^^ from: (
//        ^^^ from: +
//                   ^^^ from: ((
//                   ^^^^^^^^^ from: ((1) > (2) ? (1) : (2))
//                   ^^^ becomes: ((1)
//                              ^^^ spelled: - 3
""",
        """
  DECLARE(int, zero);
//        ^^^ spelled: int
//             ^^^^ spelled: zero
//^^^^^^^ from: =
//^^^^^^^ from: 0
""",
        """
  z = ONCE(w);
//         ^ spelled: w
//    ^^^^ from: 1
""",
        """
  char *s = STR(a b);
//          ^^^^^^^^ from: "a b"
//          ^^^ becomes: "a b"
""",
        """
  CAT(fo, o) = CAT(ba, r) * 2;
//^^^^^^^^^^ from: foo
//             ^^^^^^^^^^ from: bar
//                        ^^^ spelled: * 2
""",
        """
  int été = ADD(b, c) - d;
//    ^^ spelled: ét
//                   ^^^ spelled: - d
""",
    ],
)  # fmt: skip
def test_marks(kernel: str) -> None:
    if kernel.isascii():
        check(DEFINITIONS + kernel)
        return
    # Marks count characters, places count bytes.
    unit = run(DEFINITIONS + kernel)
    start = unit.text.index(b"- d")
    assert unit.source_map.spelled(start, start + 3) == Span(
        NAME, (DEFINITIONS + kernel).encode().index(b"- d"), (DEFINITIONS + kernel).encode().index(b"- d") + 3
    )


@pytest.mark.parametrize(
    ("code", "snippet"),
    [
        ("x = MAX(p, q);", "p"),  # expanded twice
        ("x = TWICE(p);", "p"),
        ("GLOBAL int g;", "__global"),
        ("x = STR(p);", "p"),
        ("x = CAT(p, q);", "pq"),
        ("x = ADD(p, q);", "p + q"),  # in part from the macro
        ("BODY", "{ return"),
    ],
)
def test_what_is_spelled_nowhere_or_twice(code: str, snippet: str) -> None:
    unit = run(DEFINITIONS + code)
    start = unit.text.index(snippet.encode())
    assert unit.source_map.spelled(start, start + len(snippet)) is None


def test_steps_name_the_macros_from_the_invocation_inwards() -> None:
    source = DEFINITIONS + "int f() BODY\nx = ONCE(y);"
    unit = run(source)

    def steps(snippet: bytes) -> list[tuple[str, str]]:
        start = unit.text.index(snippet)
        written = unit.source_map.written(start, start + len(snippet))
        return [(step.name, source[step.macro.start : step.macro.end]) for step in written.steps]

    assert steps(b"0") == [("BODY", "BODY { return ZERO; }"), ("ZERO", "ZERO 0")]
    assert steps(b"1") == [("ONCE", "ONCE(x) ADD(x, 1)")]
    assert steps(b"y") == [("ONCE", "ONCE(x) ADD(x, 1)")]
    assert steps(b"int f") == []


def test_a_call_over_several_lines() -> None:
    source = DEFINITIONS + "x = ADD(one,\n   two) + three;\n"
    unit = run(source)
    for word in (b"one", b"two", b"three"):
        at = unit.text.index(word)
        place = source.encode().index(word)
        assert unit.source_map.spelled(at, at + len(word)) == Span(NAME, place, place + len(word))
        assert unit.source_map.expanded(NAME, place) == at
    start = unit.text.index(b"(one")
    written = unit.source_map.written(start, start + len(b"(one + two)"))
    assert source[written.start : written.end] == "ADD(one,\n   two)"


@pytest.mark.parametrize(
    "place",
    ["#if 0", "inactive", "ZERO 0", "comment", "more", "trailing"],
)
def test_what_is_not_in_the_expanded_text(place: str) -> None:
    source = DEFINITIONS + "/* comment\n more */ int a; // trailing\n#if 0\ninactive\n#endif\n"
    assert run(source).source_map.expanded(NAME, source.index(place)) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [("void k(", "GLOBAL int *p"), ("void k(GLOBAL", " int *p"), ("x = ADD(", "p, q);")],
)
def test_where_text_may_be_put_in(before: str, after: str) -> None:
    source = DEFINITIONS + before + after
    source_map = run(source).source_map
    at = source_map.expanded(NAME, len(DEFINITIONS + before))
    assert at is not None
    assert source_map.spelled(at, at) == Span(NAME, len(DEFINITIONS + before), len(DEFINITIONS + before))


def test_a_line_with_its_end() -> None:
    source_map = run(b"int a;\r\nint b;\r\n").source_map
    assert source_map.spelled(0, len("int a;\n")) == Span(NAME, 0, len("int a;\r\n"))
    written = source_map.written(0, len("int a;\n"))
    assert (written.start, written.end) == (0, len("int a;\r\n"))


def test_an_empty_range_has_a_place() -> None:
    source = "int a = 1;\n"
    written = run(source).source_map.written(4, 4)
    assert (written.start, written.end) == (4, 4)


def test_macros_for_a_hover() -> None:
    source = DEFINITIONS + "int x = MAX(ZERO, y);\n#ifdef ZERO\n#endif\n#undef ZERO\nint ZERO;"
    source_map = run(source).source_map

    def at(place: int) -> tuple[str, str, str | None] | None:
        use = source_map.macro_at(place)
        return (use.name, use.definition_text, use.expansion) if use else None

    call = source.index("int x")
    assert at(source.index("MAX(ZERO")) == (
        "MAX",
        "MAX(a, b) ((a) > (b) ? (a) : (b))",
        "((0) > (y) ? (0) : (y))",
    )
    assert at(source.index("ZERO, y")) is not None
    assert at(source.index("ifdef ZERO") + 6) == ("ZERO", "ZERO 0", None)
    assert at(source.index("int ZERO") + 4) is None
    assert at(call) is None
    use = source_map.macro_at(source.index("ZERO, y"))
    assert use is not None
    definition = source_map.definition(use.macro)
    assert definition is not None
    assert source[definition.start : definition.end] == "ZERO 0"


def test_the_macro_at_its_own_definition() -> None:
    source = "#define ONE 1\nONE"
    use = run(source).source_map.macro_at(source.index("ONE 1"))
    assert use is not None
    assert (use.name, use.expansion) == ("ONE", None)


def test_a_macro_behind_a_comment_that_began_above() -> None:
    source = "#define ONE 1\n/* it's\n don't */ int a = ONE;\n"
    use = run(source).source_map.macro_at(source.index("ONE;"))
    assert use is not None
    assert (source[use.start : use.end], use.expansion) == ("ONE", "1")


@settings(max_examples=60, deadline=None)
@given(kernels())
def test_a_stretch_that_is_only_moved_has_all_its_places_moved(data: bytes) -> None:
    unit = run(data)
    source_map = unit.source_map
    starts = [source_map.lines.start(row) for row in range(source_map.lines.count)]
    for start in starts:
        for end in (each - 1 for each in starts if each > start):
            by = source_map.shift(source_map.lines.find(start), start, end)
            if by is not None:
                moved = data[start + by : end + by].replace(b"\r", b"\n")
                assert unit.text[start:end] in (moved, replace_digraphs(moved))
                for at in {start, max(end - 1, start)} if start < end else ():
                    assert source_map.written(at, at + 1).start == at + by


@settings(deadline=None)
@given(kernels())
def test_places_are_within_their_documents_and_go_there_and_back(data: bytes) -> None:
    unit = run(data)
    source_map = unit.source_map
    for start in range(len(unit.text)):
        for length in (0, 1, 7):
            written = source_map.written(start, start + length)
            assert 0 <= written.start <= written.end <= len(data)
        span = source_map.spelled(start, min(start + 3, len(unit.text)))
        if span is not None and b"\n" not in unit.text[start : start + 3]:
            texts = (data[span.start : span.end], replace_digraphs(data)[span.start : span.end])
            assert unit.text[start : start + 3] in texts
    for offset in range(len(data) + 1):
        place = source_map.expanded(NAME, offset)
        if place is not None:
            assert 0 <= place <= len(unit.text)
            exact = source_map.spelled(place, place + 1)
            if exact is not None and offset < len(data) and data[offset] not in b"\r\n \t":
                assert exact.start == offset
