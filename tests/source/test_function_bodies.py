"""Removing function bodies from a text leaves everything else in place."""

from __future__ import annotations

import pytest
from openclsp.source.chunks import signatures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(int a) { return a; }\nint g;\n", "int f(int a) ;" + " " * 12 + "\nint g;\n"),
        ("int f(int a)\n{\n  if (a) { g(); }\n}\n", "int f(int a)\n;\n                 \n \n"),
        (
            "kernel void k(void) __attribute__((used)) { }\n",
            "kernel void k(void) __attribute__((used)) ;  \n",
        ),
        ("struct s { int a; };\n", "struct s { int a; };\n"),
        ("constant int t[] = { 1, 2 };\n", "constant int t[] = { 1, 2 };\n"),
        ("int f(a) int a; { return a; }\n", "int f(a) int a; { return a; }\n"),
        ("int f(int a) { return a;\n", "int f(int a) { return a;\n"),
        ("typedef int t;\nint f(void);\n", "typedef int t;\nint f(void);\n"),
        ("", ""),
    ],
)
def test_bodies_are_gone(text: str, expected: str) -> None:
    found = signatures(text.encode()).decode()
    assert found == expected
    assert [len(line) for line in found.split("\n")] == [len(line) for line in text.split("\n")]
