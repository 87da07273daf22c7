"""What a rule reads of a fact is declared on it, and so no cache silences it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from dataclasses import replace as replaced
from typing import Any

import pytest
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules import finding
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.runner import rule_registry
from openclsp.rules.runner.attribute_reads import is_covered, make_key
from openclsp.rules.runner.fact_judgement import apply_rules
from openclsp.rules.runner.no_finding_cache import fact_key
from openclsp.rules.runner.rule_registry import rules_for_fact
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.declarations import Declaration, TypeName
from openclsp.semantics.facts.entities import EntityRef, Origin, Place
from openclsp.semantics.facts.expressions import Access, Conversion, ConversionKind
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import UNPLACED_ATTRIBUTES, Constancy, Value, unplaced
from openclsp.semantics.types.known_types import FLOAT, INT

from ..dialects import DIALECTS, texts_for
from ..interpreted import interpreted
from .analysis import analyse
from .attribute_reads import reads_without_finding
from .marked_page import marked_rules, strip_marks

CL12 = Dialect.of("CL1.2")
TEXTS = [strip_marks(block.text) for page in marked_rules() for block in page.blocks]
UNREAD = (
    "kernel void f(global int *p) { float x = 1.0f; int *restrict q = (int *)7; const int c = 3; p[c] = x; }\n"
    "constant sampler_t late = 0x10L; void own(int n) { sampler_t s = n; event_t e = 0; static int k = 1; }\n"
)
"""Reads that no example of a page reaches without a finding."""


def _facts(dialect: str) -> Iterator[tuple[Fact, Dialect]]:
    for text in (*texts_for(dialect, TEXTS), UNREAD):
        unit = analyse(text, dialect)
        for item in unit.items:
            for deferring in (False, True):
                for fact in unit.typed(item.key, bodies=True, deferring=deferring).facts:
                    yield fact, unit.dialect


@interpreted(finding)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_rules_read_only_what_they_declare_of_facts_that_they_accept(dialect: str) -> None:
    reported: dict[object, bool] = {}
    calls: set[object] = set()
    call_key = make_key(rule_registry.reads_of_fact(Call))
    kinds: set[type[object]] = set()
    for fact, checked_as in _facts(dialect):
        key = fact_key(fact)
        if key is not None:
            reports = any(True for _ in apply_rules(fact, checked_as))
            if key in reported:
                assert reported[key] == reports, fact
                continue
            reported[key] = reports
            kinds.add(type(fact))
        elif not isinstance(fact, Call) or call_key(fact) in calls:
            continue
        else:
            calls.add(call_key(fact))
        # The facts with this key are equal in what the rules declare. If the rules read nothing else of this one, they
        # read the same of the others and decide the same.
        for rule in rules_for_fact(type(fact)):
            for read in reads_without_finding(rule, fact, checked_as):
                assert is_covered(read, rule.reads), (rule.code, read, fact)
    assert kinds == {Declaration, TypeName, Conversion, Access}
    assert {True, False} <= set(reported.values()) and len(reported) > 300


PLACE = Place(3, 4)
ORIGIN = Origin(EntityRef(("declaration", "x", 0), 0), 1)
VALUE = Value(INT, PLACE, name="x")


def _check_name(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    if fact.value.name.startswith("bad") and fact.target_origin is not None and fact.target_origin.level:
        yield Finding("bad-name", Severity.HINT, fact.callee, fact.place)


@interpreted(finding)
def test_reads_of_a_rule_that_reports_nothing_are_recorded() -> None:
    rule = Rule("bad-name", Conversion, _check_name)
    fact = Conversion(ConversionKind.CAST, VALUE, INT, PLACE)
    bad = replaced(VALUE, name="bad")
    assert reads_without_finding(rule, fact, CL12) == {"value.name"}
    assert reads_without_finding(rule, replaced(fact, value=bad), CL12) == {"value.name", "target_origin?"}
    on_object = Origin(ORIGIN.entity, 0)
    reads = reads_without_finding(rule, replaced(fact, value=bad, target_origin=on_object), CL12)
    assert reads == {"value.name", "target_origin?", "target_origin?.level"}
    # what describes a finding does not count
    assert reads_without_finding(rule, replaced(fact, value=bad, target_origin=ORIGIN), CL12) == set()


@pytest.mark.parametrize(
    ("read", "declared", "covered"),
    [
        ("value.type", "value.type", True),
        ("value.type", "value.types", False),
        ("value.type", "value", True),
        ("value.number", "value.number?", False),
        ("value.number?", "value.number", True),
        ("initialiser?", "initialiser?.constancy", True),
        ("initialiser?.constancy", "initialiser?", False),
        ("entity.levels?", "entity.levels[].space", True),
        ("entity.levels[].space", "entity.levels[].reason", False),
        ("entity.levels[].written_spaces?", "entity.levels[].written_spaces", True),
    ],
)
def test_coverage(read: str, declared: str, covered: bool) -> None:
    assert is_covered(read, [declared]) is covered


def test_keys_are_equal_if_and_only_if_what_is_read_is() -> None:
    fact = Conversion(ConversionKind.CAST, VALUE, INT, PLACE)
    other_name = replaced(fact, value=replaced(VALUE, name="y"))
    for reads, same in (
        (("context", "value.type"), True),
        (("value.name?",), True),
        (("value.name", "target"), False),
    ):
        key = make_key(reads)
        assert (key(fact) == key(other_name)) is same, reads
    presence, level = make_key(["target_origin?"]), make_key(["target_origin?", "target_origin?.level"])
    facts = [replaced(fact, target_origin=origin) for origin in (None, ORIGIN, Origin(ORIGIN.entity, 2))]
    assert len({presence(each) for each in facts}) == 2 and len({level(each) for each in facts}) == 3
    calls = [Call("f", None, (VALUE,) * count, PLACE, PLACE, False) for count in (0, 1, 2)]
    assert len({make_key(["arguments[].name"])(each) for each in calls}) == 3


def test_argument_classes_are_of_the_attributes_that_they_declare() -> None:
    changed = {
        "type": FLOAT, "lvalue": True, "origin": ORIGIN, "null": True, "string": True, "number": 1, "fixed": True,
        "constancy": Constancy.CONSTANT, "element": True, "held": (1, ORIGIN, "s"), "hidden": Space.LOCAL,
        "measured": INT, "captured": True, "of_block": True, "target": Constancy.CONSTANT,
        "name": "y", "place": Place(7, 9),
    }  # fmt: skip
    assert set(changed) == {each.name for each in fields(VALUE)}
    for name, value in changed.items():
        counts = name in UNPLACED_ATTRIBUTES or f"{name}?" in UNPLACED_ATTRIBUTES
        assert (unplaced(replaced(VALUE, **{name: value})) != unplaced(VALUE)) is counts, name


@pytest.mark.parametrize(
    "rule", [Rule("bad-name", Conversion, _check_name), Rule("bad-name", Call, _check_name, ("name",), True)]
)
def test_a_rule_that_declares_too_little_or_too_much_is_rejected(
    monkeypatch: pytest.MonkeyPatch, rule: Rule[Any]
) -> None:
    monkeypatch.setattr(rule_registry, "RULES", (rule,))
    with pytest.raises(ValueError, match="rule bad-name: "):
        rule_registry._by_fact()


def test_calls_of_functions_with_other_names_do_not_silence_a_call() -> None:
    def called(*names: str) -> list[tuple[str, str]]:
        declared = "".join(f"int {name}(int x) {{ return x; }}\n" for name in names)
        calls = " + ".join(f"{name}(p[{number}])" for number, name in enumerate(names))
        unit = analyse(f"{declared}kernel void k(global int *p) {{ p[0] = {calls}; }}\n", "CL2.0")
        return [(each.code, each.message) for found in update_unit_findings(unit).values() for each in found]

    # a rule for calls reads the name, which the argument classes do not contain
    alone = called("mem_fence")
    assert [code for code, _ in alone] == ["deprecated-builtin"]
    assert called("other", "mem_fence") == called("mem_fence", "other") == alone
