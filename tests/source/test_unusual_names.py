"""Macros whose names contain `$`, letters outside ASCII, or universal character names (C99 6.4.3)."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from ..rules.analysis import analyse
from .marks import expansion


@pytest.mark.parametrize(
    "name", ["café", "a$b", "$", "é", r"caf\u00e9", r"\u00e9", r"a\U000000e9b", r"\u00e9\u00e9"]
)
def test_a_macro_of_any_name_is_expanded(name: str) -> None:
    assert expansion(f"#define {name} 1\n{name};\n(({name}));") == "1;\n((1));"
    assert expansion(f"#define {name}(x) x\n{name}(2);\nint a = {name} (3);") == "2;\nint a = 3;"
    assert expansion(f"#define {name}\n#ifdef {name}\nint a;\n#endif") == "int a;"


@pytest.mark.parametrize("longer", ["X$", "$X", "éX", "Xé", r"X\u00e9", r"\u00e9X", "aX", "X1"])
def test_a_macro_is_not_expanded_in_a_longer_name(longer: str) -> None:
    assert expansion(f"#define X 1\nX + {longer};") == f"1 + {longer};"


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0"])
def test_universal_character_names_are_part_of_names(dialect: str) -> None:
    text = r"""
#define caf\u00e9 4
#define café2 5
int f\u00fcnf(void) { return 5; }
kernel void f(global int *p) {
  int na\u00efve = caf\u00e9 + café2;
  p[0] = na\u00efve + f\u00fcnf();
  p[1] = naïve;
}
"""
    assert list(compute_diagnostics(analyse(text, dialect))) == []
