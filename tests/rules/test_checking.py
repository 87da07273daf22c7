"""Checking arguments separately from their body gives the same findings as checking them together."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.runner.argument_findings import ArgumentFindings
from openclsp.rules.runner.fact_judgement import INVALID_ENTITIES
from openclsp.rules.runner.item_findings import BODY_FINDINGS, get_item_findings
from openclsp.rules.runner.rule_registry import rules_for_fact
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.expressions import Conversion
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from ..dialects import DIALECTS, texts_for
from .analysis import analyse
from .marked_page import marked_rules, strip_marks

Said = set[tuple[str, Place, str]]

TEXTS = [strip_marks(block.text) for page in marked_rules() for block in page.blocks]
CALLS = """\
typedef struct { global int *to; int count; } record;
int shared(int *p, local int *l, global const int *g, record r, int n);
int shared(int *p, local int *l, global const int *g, record r, int n) { return n; }
kernel void k(global int *g, local int *l, constant int *c, global record *r) {
    int own[4];
    shared(own, l, g, *r, 1);
    shared(g, g, g, *r, 1.5f);
    shared(0, l, c, *r);
    shared(own, own, r->to, r, l);
    shared((int *)g, (local int *)g, 1, *r, shared(own, l, g, *r, 2));
}
"""
"""Calls of all kinds, which are tried in each dialect"""


def said_of_calls(unit: TranslationUnit) -> tuple[Said, Said, Said]:
    """The findings of each item, separated into three lists.

    Those of the item's analysis, those about arguments checked separately, and those of all calls and arguments of an
    item that is typed in one pass.
    """
    every: Said = set()
    apart: Said = set()
    whole: Said = set()
    calls = ArgumentFindings()
    for item in unit.items:
        facts = [
            fact
            for fact in unit.typed(item.key, bodies=True).facts
            if isinstance(fact, Call) or (isinstance(fact, Conversion) and fact.context is Why.ARGUMENT)
        ]
        for fact in facts:
            for rule in rules_for_fact(type(fact)):
                whole |= {(each.code, each.place, each.message) for each in rule.check(fact, unit.dialect)}
        every |= {(each.code, each.place, each.message) for each in get_item_findings(unit, item)}
        calls.update_item(unit, item)
        apart |= {(each.code, each.place, each.message) for each in calls.findings_of(item.key)}
    return every | apart, apart, whole


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_is_lost_or_new(dialect: str) -> None:
    compared = 0
    for text in (*texts_for(dialect, TEXTS), CALLS):
        unit = analyse(text, dialect)
        every, apart, whole = said_of_calls(unit)
        if any(
            unit.database.get(INVALID_ENTITIES, item.key)
            or unit.database.get(BODY_FINDINGS, item.key).invalid
            for item in unit.items
        ):
            # what is invalid silences its uses
            continue
        compared += len(apart)
        assert apart <= whole <= every, text
    assert compared > 10


def test_what_is_found_in_facts_that_an_edit_leaves_is_kept() -> None:
    body = (
        "    local int *at = g;\n    int own = 1;\n    global int *to = own;\n"
        + "    own += own * 3 - 1;\n" * 8
    )
    text = "kernel void k(global int *g, local int *l) {\n" + body + "    l = g;\n}\n"
    unit = analyse(text, "CL1.2")
    key = unit.items[0].key

    def after(new: str) -> tuple[Finding, ...]:
        unit.update(Document.of(unit.document.name, new.encode()), headers_changed=False)
        found = unit.database.get(BODY_FINDINGS, key).findings
        fresh = analyse(new, "CL1.2")
        assert found == fresh.database.get(BODY_FINDINGS, key).findings
        return tuple(each for each in found if each.severity is Severity.ERROR)

    text = text.replace("own = 1", "own = 2")
    first = after(text)
    assert len(first) == 3
    edited = after(text.replace("to = own", "to = 1.0"))
    assert edited[0] is first[0] and edited[2] is first[2] and edited[1] is not first[1]
    assert after(text.replace("local int *at = g", "local int at[2] = {1, 2}"))[0].code == "local-initialiser"
    assert [each.code for each in after(text)] == [each.code for each in first]


@pytest.mark.parametrize("literal", ["(int (void)){ 1, 2 }", "(struct s (void)){ 1 }"])
def test_no_rule_fails_at_a_compound_literal_of_a_function_type(
    literal: str, caplog: pytest.LogCaptureFixture
) -> None:
    unit = analyse(f"void f(void) {{ int x = {literal}; }}", "CL1.2")
    assert compute_diagnostics(unit)
    assert not caplog.records
