"""What a hover costs: it follows the flow of the whole file only where a generic pointer stands."""

from __future__ import annotations

import pytest
from openclsp.ide.hover import hover
from openclsp.semantics.flow.queries import SOLUTION

from ..semantics.units import ROOT, unit_of

TEXT = b"""\
typedef struct { int member; } record;
void take(int *generic, record r, int number)
{
  int sum = number + r.member;
  *generic = sum;
}
kernel void k(global int *in) { take(in, (record){ 0 }, 1); }
"""


@pytest.mark.parametrize(
    ("word", "told", "follows"),
    [
        ("number + r", "private int number", False),
        ("member;\n  *", "private int member", False),
        ("r.member", "private record r", False),
        ("sum =", "private int sum", False),
        ("generic, record", "generic int *private generic", True),
        ("generic = sum", "generic int *private generic", True),
        ("in, (rec", "global int *private in", False),
    ],
)
def test_the_flow_is_followed_for_generic_pointers_alone(word: str, told: str, follows: bool) -> None:
    unit = unit_of(TEXT, dialect="CL2.0")
    found = hover(unit, ROOT, TEXT.index(word.encode()))
    assert found is not None
    assert found.type == told
    assert (found.flow is not None) == follows
    assert (SOLUTION in unit.kept) == follows
