"""Typing an item's signature and body separately equals typing the item as a whole."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.item_typing import (
    TypedHead,
    can_type_head_separately,
    exports_of,
)
from openclsp.semantics.typing.typing_context import TypingContext

from ..dialects import DIALECTS, texts_for
from ..rules.marked_page import marked_rules, strip_marks
from .units import edited, unit_of

KERNEL = b"""\
typedef struct { half h; global int *to; } record;
constant float weights[2] = { 1, 0.5f }, *first = weights;
half take(half *p, int n[const 3], record r) { struct inner { int a; } s; half h = *p; return h; }
static void call(global int *g) { int a[sizeof(call)]; call(g); ; goto end; end: return; }
__attribute__((overloadable)) int two(int), one[two(1)];
enum { A, B = A + 2 } e;
INLINE OVERLOADABLE float in_head(API float x, MISSING y) { number n = y + x; UNROLL return z ? n : unknown(x); }
float in_body(float x[], MISSING y) { UNROLL for (int i = 0; i < 4; i++) x[i] = undeclared; return y + i; }
INLINE int variable[SIZE] = { SIZE };
list struct holder { struct list *first; } holder;
typedef int number;
constant int cast[2] = { (number)(1), (number)(sizeof(number)(2)) };
kernel void run(global record *out, local struct other { int x; } *o, int global) { out->h = take(0, 0, *out); }
"""

TEXTS = [
    KERNEL,
    *(strip_marks(block.text).encode() for page in marked_rules() for block in page.blocks),
]


def state(ctx: TypingContext) -> dict[str, object]:
    """Everything that typing an item produces."""
    names = ("facts", "entities", "trace", "deferred", "slots", "half_values", "endianness", "local_members")
    more = ("block_literals", "unknown_names", "next_number", "records", "depth")
    return {name: getattr(ctx, name) for name in (*names, *more)} | {"exports": exports_of(ctx)}


def in_one_step(unit: TranslationUnit, item: Item, *, bodies: bool) -> TypingContext:
    table = unit.table(item.key)
    if not bodies:
        return item_typing.full(table.head(), item.key, unit.dialect, unit.names(item.key), bodies=False)
    return item_typing.full(table, item.key, unit.dialect, unit.names(item.key), trace=True, deferring=True)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_typing_in_two_steps_gives_the_result_of_one(dialect: str) -> None:
    compared = 0
    for text in texts_for(dialect, TEXTS):
        unit = unit_of(text, dialect)
        for item in unit.items:
            table = unit.table(item.key)
            if not can_type_head_separately(table):
                continue
            typed_head = TypedHead(table, item.key, unit.dialect, unit.names(item.key))
            if not typed_head.is_complete:
                continue
            compared += 1
            head = in_one_step(unit, item, bodies=False)
            assert (typed_head.exports, typed_head.facts) == (exports_of(head), tuple(head.facts)), text
            assert typed_head.context.entities == head.entities
            assert state(typed_head.finish()) == state(in_one_step(unit, item, bodies=True)), text
    assert compared > 170


def test_the_first_analysis_types_each_item_once(monkeypatch: pytest.MonkeyPatch) -> None:
    typed: list[str] = []
    unit_class, whole = TranslationUnit, TranslationUnit.typed

    def counted(
        unit: TranslationUnit, key: tuple[str, str, int], *, bodies: bool, **how: bool
    ) -> TypingContext:
        typed.append(key[1])
        return whole(unit, key, bodies=bodies, **how)

    monkeypatch.setattr(unit_class, "typed", counted)
    text = b"typedef global int *T;\nint f(T t) { return *t; }\nkernel void k(T t) { barrier(1); f(t); }\n"
    unit = unit_of(text)
    compute_diagnostics(unit)
    assert typed == []
    edited(unit, text.replace(b"*t;", b"t[1];"))
    compute_diagnostics(unit)
    assert typed == ["f"]
