"""An access to a member or vector component that does not exist (C99 6.5.2.3; OpenCL C 6.3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.near_names import is_certain_misspelling
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidMember, MemberFault
from openclsp.semantics.types.type_model import Vector, spell

CODE = "unknown-member"


def _check(fact: InvalidMember, dialect: Dialect) -> Iterator[Finding]:
    place = fact.operator if fact.fault in (MemberFault.NEEDS_ARROW, MemberFault.NEEDS_DOT) else fact.place
    yield Finding(CODE, Severity.ERROR, _message(fact), place, fixes=tuple(_fixes(fact)))


def _message(fact: InvalidMember) -> str:
    plain = spell(fact.container.unqualified)
    if fact.fault is MemberFault.NEEDS_ARROW:
        return f"`.{fact.name}` on a pointer to `{plain}`: a member of the pointee is accessed with `->`"
    if fact.fault is MemberFault.NEEDS_DOT:
        return f"`->{fact.name}` on `{plain}`, which is not a pointer: its member is accessed with `.`"
    if fact.fault is MemberFault.NO_MEMBERS:
        return f"`{plain}` has no members, so there is no `{fact.name}`"
    if fact.fault is MemberFault.INCOMPLETE:
        return f"`{plain}` is incomplete here: its members are not declared yet"
    if fact.fault is MemberFault.NO_ELEMENT:
        return f"`{plain}` has no element {fact.name}"
    if fact.fault is MemberFault.COMPONENT:
        count = fact.container.width if isinstance(fact.container, Vector) else 0
        return f"`{fact.name}` selects no components of `{plain}`, which has {count}"
    if fact.fault is MemberFault.COMPONENT_COUNT:
        return f"`{fact.name}` selects a number of components that no vector has"
    suggested = " or ".join(f"`{name}`" for name in fact.near)
    return f"`{plain}` has no member `{fact.name}`" + (f"; did you mean {suggested}?" if suggested else "")


def _fixes(fact: InvalidMember) -> Iterator[Fix]:
    if fact.fault is MemberFault.NEEDS_ARROW:
        yield Fix("Write `->`", (ReplaceTokens(fact.operator, "->"),), preferred=True)
    elif fact.fault is MemberFault.NEEDS_DOT:
        yield Fix("Write `.`", (ReplaceTokens(fact.operator, "."),), preferred=True)
    for name in fact.near:
        change = ReplaceTokens(fact.place, name)
        certain = len(fact.near) == 1 and is_certain_misspelling(fact.name, name)
        yield Fix(f"Change to `{name}`", (change,), preferred=certain)


RULES = (Rule(CODE, InvalidMember, _check),)
