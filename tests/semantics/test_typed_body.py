"""The typed result of an item is stored once, however often the item is edited before it is read."""

from __future__ import annotations

import gc

from openclsp.rules.runner.item_findings import get_item_findings
from openclsp.semantics.typing.typing_context import TypingContext

from .units import edited, unit_of

FUNCTION = "void f{n}(global int *p) {{ int x = {value}; p[x] = x; {statement} }}\n"
FUNCTIONS = 6


def _text(edit: int) -> bytes:
    """Edit number `edit` changes one function; the functions are edited in turns."""
    values = [edit - (edit - n) % FUNCTIONS for n in range(FUNCTIONS)]
    text = "".join(
        FUNCTION.format(n=n, value=value, statement=f"local int *q{value} = p;" if value % 4 else "")
        for n, value in enumerate(values)
    )
    return text.encode()


def _contexts() -> int:
    return sum(isinstance(each, TypingContext) for each in gc.get_objects())


def test_edits_without_a_pause_keep_one_pass_per_item() -> None:
    gc.collect()
    before = _contexts()
    unit = unit_of(_text(0))
    for edit in range(100):
        edited(unit, _text(edit))
        for item in unit.items:
            get_item_findings(unit, item)
    gc.collect()
    assert _contexts() - before <= FUNCTIONS + 2
