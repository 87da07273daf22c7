"""Selection ranges and linked editing ranges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from openclsp.ide.location_map import LocationMap
from openclsp.ide.structure.linked_ranges import compute_linked_ranges
from openclsp.ide.structure.selection_ranges import compute_selection_ranges
from openclsp.ide.structure.text_structure import read_structure
from openclsp.source.text import Text

from ..semantics.units import ROOT, unit_of


def selections(marked: str) -> list[str]:
    """The texts of the ranges around the mark `|`, the innermost first."""
    offset = marked.encode().index(b"|")
    unit = unit_of(marked.encode().replace(b"|", b"", 1))
    text = unit.document.text
    found = compute_selection_ranges(LocationMap(unit), ROOT, text, read_structure(text.data), offset)
    assert all(a[0] >= b[0] and a[1] <= b[1] and a != b for a, b in pairwise(found))
    assert found[-1] == (0, len(text.data)) or not text.data
    return [text.data[start:end].decode() for start, end in found]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        (
            "void f(int a) { g(a, b + c|c); }\n",
            [
                "cc",
                "b + cc",
                "a, b + cc",
                "(a, b + cc)",
                "g(a, b + cc)",
                "g(a, b + cc);",
                "{ g(a, b + cc); }",
            ],
        ),
        ("void f(int *p) { p[i|] = 1; }\n", ["i", "[i]", "p[i]", "p[i] = 1", "p[i] = 1;"]),
        ("// one |two\n", ["two", "// one two"]),
        (
            "#if 0\nint a[] = { f(1|2) };\n#endif\n",
            ["12", "(12)", "{ f(12) }", "int a[] = { f(12) };"],
        ),
        ('constant char *s = "a b|c d";\n', ["bc", "a bc d", '"a bc d"']),
        (
            "#define ADD(x, y) ((x) + (y))\nint f(int a) { return ADD(a|, 2); }\n",
            ["a", "a, 2", "(a, 2)", "ADD(a, 2)"],
        ),
        ("void f() { if (a|b", ["ab"]),
        ("struct S { global int *p|; };\n", ["p", "*p", "global int *p;"]),
        (
            "kernel void k(global int *g, l|ocal int *l) { }\n",
            ["local", "local int *l", "global int *g, local int *l"],
        ),
        ("#ifdef A|B\nint a;\n#endif\n", ["AB", "#ifdef AB", "#ifdef AB\nint a;\n"]),
        ("|", [""]),
    ],
)
def test_each_range_is_around_the_one_before(marked: str, expected: list[str]) -> None:
    found = selections(marked)
    assert [each for each in found if each in expected] == expected, found


def test_a_call_of_a_macro_is_one_range_from_each_token_of_its_expansion() -> None:
    marked = "#define TWICE(x) { x; x; }\nvoid f(int a) { if (a) TWICE(a = 2|) }\n"
    assert "TWICE(a = 2)" in selections(marked)


GUARD = "#ifndef A_H\n#define A_H\n#if B\n#endif\nint a;\n#endif // A_H\n"


@pytest.mark.parametrize(
    ("source", "at", "expected"),
    [
        (GUARD, GUARD.index("A_H"), 3),
        (GUARD, GUARD.index("A_H\n#if") + 3, 3),
        (GUARD, GUARD.rindex("A_H"), 3),
        (GUARD, GUARD.index("int a"), 0),
        (GUARD.replace(" // A_H", ""), GUARD.index("A_H"), 2),
        (GUARD.replace("#define A_H", "#define A_HX"), GUARD.index("A_H"), 0),
        (GUARD.replace("// A_H", "// A_HX"), GUARD.index("A_H"), 2),
        (GUARD.replace("#define A_H", "#define A_H A_H"), GUARD.index("A_H"), 2),
        ("#ifndef N\n#define N 4\n", 8, 2),
        (GUARD.replace("#ifndef A_H", "#if !defined(A_H)"), GUARD.index("A_H") + 5, 3),
        (GUARD.replace("#ifndef A_H", "# if ! defined A_H /* A_H */"), GUARD.rindex("A_H") + 20, 2),
        (GUARD.replace("#ifndef A_H", "#if !defined(A_H) && B"), GUARD.index("A_H") + 5, 0),
        ("#ifndef\n#define\n", 8, 0),
        ("void f(int a) { a = 1; }", 11, 0),
    ],
)
def test_the_names_of_an_include_guard_are_linked(source: str, at: int, expected: int) -> None:
    text = Text.of(source.encode())
    found = compute_linked_ranges(text, read_structure(text.data), at)
    assert len(found) == expected
    assert len({text.data[start:end] for start, end in found}) <= 1
