"""Many declarations of one name: looking up the last one first needs no deep recursion."""

from __future__ import annotations

from openclsp.ide.navigation.definitions import find_occurrences

from .units import ROOT, unit_of


def test_the_last_of_many_overloads_is_looked_up_first() -> None:
    text = "".join(
        f"typedef struct {{ int m; }} t{number};\nint __attribute__((overloadable)) f(t{number} x);\n"
        for number in range(300)
    )
    unit = unit_of((text + "int g(t299 x) { return f(x); }\n").encode())
    found = find_occurrences(unit, ROOT, len(text) + len("int g(t299 x) { return "))
    assert found is not None and len(found[1]) == 301
