"""Hints about names made by `##` name the unknown part."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from .units import analyse

MACROS = """#define CAT_(a, b) a ## b
#define CAT(a, b) CAT_(a, b)
#define VEC(type) CAT(type, VECT_SIZE)
#define float_v CAT(float, VECT_SIZE)
#define SUFFIXED(name) name##_suffixed
#define KNOWN 5
"""


@pytest.mark.parametrize(
    ("used", "named"),
    [
        ("VEC(uchar)", "VECT_SIZE"),
        ("float_v", "VECT_SIZE"),
        ("CAT(float, N)", "N"),
        ("CAT(uint, n)", "n"),
        # the whole name is unknown: its parts are known or written
        ("CAT(float, KNOWN)", "float5"),
        ("SUFFIXED(float)", "float_suffixed"),
        ("REAL", "REAL"),
    ],
)
def test_what_is_unknown_is_named(tmp_path: Path, used: str, named: str) -> None:
    unit = analyse(tmp_path, f"{MACROS}void f(void) {{\n    {used} *x;\n}}\n")
    hints = [each.message for each in compute_diagnostics(unit) if each.code == "unknown-name"]
    assert [message.split("`")[1] for message in hints] == [named]
