"""After edits, findings that depend on other functions equal those of a fresh analysis."""

from __future__ import annotations

import random

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics, unlimited_diagnostics
from openclsp.rules.runner.item_findings import FLOW_FINDINGS
from openclsp.rules.runner.rule_registry import RULES
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.semantics.facts.calls import BarrierFence
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.facts.points_to import (
    AddressSpaceTest,
    EnqueuedCapture,
    GenericCast,
    PointerStore,
    ReachedComparison,
    ReachedDeclaration,
    ReachedObject,
    ReturnedAddress,
    UnreachedPointerUse,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from .analysis import NAME, analyse

FACTS = (
    AddressSpaceTest,
    BarrierFence,
    UnreachedPointerUse,
    EnqueuedCapture,
    PointerStore,
    GenericCast,
    ReachedComparison,
    ReachedDeclaration,
    ReachedObject,
    ReturnedAddress,
)
CODES = frozenset(rule.code for rule in RULES if rule.fact in FACTS)

_PIECES: tuple[tuple[str, ...], ...] = (
    ("struct cell { int *value; };\n", "struct cell { int count; int *value; };\n"),
    ("int *next(int *p) { return p + 1; }\n", "int *next(int *p) { return 0; }\n", "int *next(int *p);\n"),
    (
        "int load(int *p) {\n    global int *g = to_global(p);\n    return g ? *g : *p;\n}\n",
        "int load(int *p) {\n    return *(global int *)next(p);\n}\n",
        "int load(int *p, int n) { return p[n]; }\n",
    ),
    (
        "int *own(int n) { int x = n; return next(&x); }\n",
        "int *own(int n) { return &n; }\n",
        "",
    ),
    (
        "void keep(global struct cell *c, int *p) { c->value = p; }\n",
        "void keep(local struct cell *c, int *p) { c->value = p; }\n",
        "void keep(global struct cell *c, int *p) { if (p == (int *)c) c->value = p; }\n",
    ),
    ("kernel void first(global int *g, local int *l) {\n", "void first(global int *g, local int *l) {\n"),
    ("    int *p = l;\n", "    int *p = g;\n", "    int *p;\n", "    int *p = 0;\n"),
    ("    g[0] = load(p);\n", "    g[0] = load(g) + load(l);\n", "    g[0] = *next(p);\n"),
    ("    barrier(CLK_LOCAL_MEM_FENCE);\n", "    barrier(CLK_GLOBAL_MEM_FENCE);\n", "    // none\n"),
    ("    g[1] = *own(1);\n}\n", "    p = own(2);\n}\n", "}\n"),
    (
        "kernel void second(global struct cell *c, local int *l) { keep(c, l); }\n",
        "kernel void second(global struct cell *c, local int *l) { int x; keep(c, &x); load(l); }\n",
        "",
    ),
)
"""A program in pieces, each with the texts between which edits choose."""


def _said(unit: TranslationUnit) -> list[tuple[str, int, int, str, tuple[object, ...]]]:
    return sorted(
        (each.code, each.location.start, each.location.end, each.message, each.related)
        for each in compute_diagnostics(unit)
    )


def _codes(unit: TranslationUnit, key: ItemKey) -> list[str]:
    """The codes of an item's findings before the solution is updated."""
    return [each.code for each in update_unit_findings(unit, allow_stale_flow=True).get(key, ())]


def test_the_program_can_have_each_of_the_findings_that_need_no_block() -> None:
    chance = random.Random(1)
    codes: set[str] = set()
    for _ in range(150):
        text = "".join(chance.choice(piece) for piece in _PIECES)
        codes |= {each.code for each in compute_diagnostics(analyse(text, "CL2.0"))}
    assert codes >= CODES - {"enqueue-capture", "integer-round-trip", "private-atomic"}


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_they_are_those_of_a_fresh_analysis(seed: int) -> None:
    chance = random.Random(seed)
    chosen = [chance.choice(piece) for piece in _PIECES]
    unit = analyse("".join(chosen), "CL2.0")
    for _ in range(40):
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            number = chance.randrange(len(_PIECES))
            chosen[number] = chance.choice(_PIECES[number])
        text = "".join(chosen)
        unit.update(Document.of(NAME, text.encode()))
        for shown in ("",) if chance.random() < 0.5 else ("", " + n", " + nn", ""):
            # keys within the shape of a function, whose findings are provisional
            unit.update(Document.of(NAME, text.replace("int x = n", f"int x = n{shown}").encode()))
            unlimited_diagnostics(unit, allow_stale_flow=chance.random() < 0.8)
        if chance.random() < 0.8:
            assert _said(unit) == _said(analyse(text, "CL2.0")), text


def test_a_call_changes_what_is_said_of_the_callee_alone_where_nothing_else_hangs_on_it() -> None:
    text = (
        "int load(int *p) { return to_global(p) ? 1 : 0; }\n"
        "int other(int *p) { return *p; }\n"
        "kernel void k(global int *g, local int *l) { g[0] = load(g) + other(g); }\n"
    )
    unit = analyse(text, "CL2.0")
    assert [each.code for each in compute_diagnostics(unit)].count("address-function") == 1
    before = unit.database.computed["flow findings"]
    unit.update(Document.of(NAME, text.replace("load(g)", "load(l)").encode()))
    (found,) = [each for each in compute_diagnostics(unit) if each.code == "address-function"]
    assert "always returns null" in found.message
    # the caller, before and after the solution, and the callee; not the other function
    assert unit.database.computed["flow findings"] - before <= 3


def test_while_a_word_is_typed_what_was_said_stands_and_the_pause_says_it_anew() -> None:
    def text(result: str, word: str) -> str:
        return (
            f"int load(int *p, int one, int two) {{ int n = {result}; return to_global(p + {word}) ? n : 0; }}\n"
            "kernel void k(global int *g, local int *l) { g[0] = load(l, 1, 2); }\n"
        )

    unit = analyse(text("one", "one"), "CL2.0")
    (item,) = (item for item in unit.items if item.name == "load")
    assert "address-function" in [each.code for each in compute_diagnostics(unit)]
    # the first edit in the function reads its flow
    unit.update(Document.of(NAME, text("two", "one").encode()))
    assert "address-function" in _codes(unit, item.key)
    read = unit.database.computed["flow"]
    for result in ("twos", "on"):
        unit.update(Document.of(NAME, text(result, "one").encode()))
        assert "address-function" in _codes(unit, item.key)
    # nothing is said where the word stands, although the flow is going to be the same
    unit.update(Document.of(NAME, text("on", "two").encode()))
    assert "address-function" not in _codes(unit, item.key)
    assert unit.database.computed["flow"] == read
    # they are no query: the value of each depends on the present text and the solution alone
    later = analyse(text("on", "two"), "CL2.0")
    compute_diagnostics(later)
    assert unit.database.get(FLOW_FINDINGS, item.key) == later.database.get(FLOW_FINDINGS, item.key) != ()
    assert _said(unit) == _said(analyse(text("on", "two"), "CL2.0"))
    assert "address-function" in _codes(unit, item.key)


def test_nothing_is_said_before_the_language_has_generic_pointers() -> None:
    text = "int first(int *p) { return *p; }\nkernel void k(global int *g) { g[0] = first(g); }\n"
    assert [each.code for each in compute_diagnostics(analyse(text, "CL1.2"))] == ["pointer-conversion"]
    assert [each.code for each in compute_diagnostics(analyse(text, "CL2.0"))] == ["single-space"]
