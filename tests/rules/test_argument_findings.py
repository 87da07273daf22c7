"""Cached findings about arguments equal those of checking every call again."""

from __future__ import annotations

import pytest
from openclsp.rules.finding import Finding
from openclsp.rules.runner import argument_findings
from openclsp.rules.runner.argument_findings import ArgumentFindings
from openclsp.rules.runner.fact_judgement import apply_rules
from openclsp.rules.runner.item_findings import BODY_FINDINGS
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.calls import deferred_facts

from ..dialects import DIALECTS, texts_for
from ..interpreted import interpreted
from ..semantics.units import edited, unit_of
from .analysis import analyse
from .test_checking import CALLS, TEXTS

CALLERS = b"""\
constant float table[4] = { 0 };
float sum(global const float *p, int n) { return p[n]; }
void first(global float *a, local float *b) { sum(a, 1); sum(b, 2); sum(b + 1, 2); }
void second(global float *c, local float *d) { { local float *b; sum(b, 2); } sum(d, 3); }
void third(local float *b, int n) { float own[2]; sum(b, n); sum(own, 1); sum(table, 1); sum(&own[1], sum(b, 1)); }
kernel void k(global float *g, local float *b) { first(g, b); second(g, b); third(b, 1); }
"""


def everything(unit: TranslationUnit) -> dict[ItemKey, tuple[Finding, ...]]:
    """All findings with all of their fields, in the order in which they are cached."""
    return {key: tuple(found) for key, found in update_unit_findings(unit).items()}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_pattern_is_what_the_rules_say_of_the_call_itself(dialect: str) -> None:
    compared = 0
    for text in (*texts_for(dialect, TEXTS), CALLS):
        unit = analyse(text, dialect)
        calls = ArgumentFindings()
        for item in unit.items:
            body = unit.database.get(BODY_FINDINGS, item.key)
            calls.update_item(unit, item)
            if body.invalid:
                continue
            said: dict[object, Finding] = {}
            for call in body.deferred:
                callee = unit.names(item.key).symbol(call.name)
                for fact in deferred_facts(call, callee) if callee is not None else ():
                    for finding in apply_rules(fact, unit.dialect):
                        said.setdefault((finding.code, finding.place, finding.message), finding)
            found = {(each.code, each.place, each.message): each for each in calls.findings_of(item.key)}
            for mark, finding in found.items():
                assert finding == said[mark], text
                assert [*finding.related, *finding.fixes] == [*said[mark].related, *said[mark].fixes]
                compared += 1
    assert compared > 10


EDITS = [
    (b"sum(global const float *p", b"sum(local const float *p"),
    (b"sum(global const float *p", b"sum(const float *p"),
    (b"float *p, int n)", b"float *p)"),
    (b"float *p, int n)", b"double *renamed, int n)"),
    (b"float sum(", b"int sum("),
    (b"float sum(global", b"float sum(local const float *p, int n);\nfloat sum(global"),
    (b"void third", b"float sum(constant const float *p, int n);\nvoid third"),
    (b"float sum(", b"float other("),
    (b"float *p, int n)", b"float *p, global int n)"),
    (b"void first(global float *a", b"void first(constant float *a"),
    (b"constant float table[4] = { 0 };", b"local float table[4];"),
    (b"local float *b) { sum(a, 1)", b"constant float *b) { sum(a, 1)"),
    (b"float own[2];", b"local float own[2];"),
    (b"void first", b"// moved\n\nvoid first"),
    (b"void second(global float *c", b"void first(global float *c"),
]


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_after_every_edit_and_its_undoing_the_findings_are_those_of_a_fresh_unit(
    old: bytes, new: bytes
) -> None:
    unit = unit_of(CALLERS)
    everything(unit)
    for text in (CALLERS.replace(old, new), CALLERS, CALLERS.replace(old, new)):
        edited(unit, text)
        assert everything(unit) == everything(unit_of(text))


def test_two_edits_in_a_row_without_a_look_in_between() -> None:
    for old, new in EDITS:
        for later, newer in EDITS:
            unit = unit_of(CALLERS)
            everything(unit)
            once = CALLERS.replace(old, new)
            edited(unit, once)
            twice = once.replace(later, newer)
            edited(unit, twice)
            assert everything(unit) == everything(unit_of(twice)), (old, new, later, newer)


@pytest.mark.parametrize(("old", "new"), EDITS)
@pytest.mark.parametrize("hidden", [b"void second", b"void third"])
def test_callers_that_come_back_are_judged_by_what_is_declared_now(
    old: bytes, new: bytes, hidden: bytes
) -> None:
    unit = unit_of(CALLERS)
    everything(unit)
    changed = CALLERS.replace(old, new)
    for text in (
        CALLERS.replace(hidden, b"/*" + hidden),
        changed.replace(hidden, b"/*" + hidden),
        changed,
        CALLERS.replace(hidden, b"#if 0\n" + hidden),
        CALLERS,
    ):
        edited(unit, text)
        assert everything(unit) == everything(unit_of(text))


def test_what_was_found_of_callers_that_come_back_is_the_same_object() -> None:
    unit = unit_of(CALLERS)
    before = everything(unit)
    edited(unit, CALLERS.replace(b"void second", b"/* void second"))
    assert len(everything(unit)) < len(before)
    edited(unit, CALLERS)
    after = everything(unit)
    assert after.keys() == before.keys()
    for key, findings in after.items():
        assert [*map(id, findings)] == [*map(id, before[key])]


@interpreted(argument_findings)
def test_equivalent_calls_are_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a changed signature, the rules run once for each equivalence class of calls, however many callers there are."""
    callers = b"".join(
        b"void caller%d(local float *b, global float *g) { int n%d = 0; sum(b, n%d); sum(g, 1); }\n"
        % (number, number, number % 3)
        for number in range(60)
    ).replace(b"int n", b"int n0, n1, n2; int m")
    text = b"float sum(global const float *p, int n) { return p[n]; }\n" + callers
    unit = unit_of(text)
    assert len(everything(unit)) == 60
    judged = 0
    real = argument_findings.apply_rules

    def counted(fact, dialect):  # type: ignore[no-untyped-def]
        nonlocal judged
        judged += 1
        return real(fact, dialect)

    monkeypatch.setattr(argument_findings, "apply_rules", counted)
    unit.database.computed.clear()
    edited(unit, text.replace(b"sum(global", b"sum(constant"))
    assert len(everything(unit)) == 60
    # two sorts of calls, the one of three names for its second argument; three facts each
    assert judged <= 3 * 4
    assert unit.database.computed["body findings"] == 1
