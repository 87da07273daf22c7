"""Arguments of built-in functions that no signature describes, such as the pipe functions."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import ArgumentFault, InvalidArgument
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.types.type_model import Array, Opaque, spell

CODE = "builtin-argument"


def _check(fact: InvalidArgument, dialect: Dialect) -> Iterator[Finding]:
    severity = Severity.WARNING if fact.fault is ArgumentFault.CONSTANT else Severity.ERROR
    place, origin = fact.value.place, fact.value.origin
    related: tuple[RelatedDeclaration, ...] = ()
    if origin is not None and fact.value.name and fact.fault is not ArgumentFault.COUNT:
        related = (RelatedDeclaration(origin, f"`{fact.value.name}` is declared here"),)
    yield Finding(CODE, severity, _message(fact), place, related, tuple(_fixes(fact)))


def _message(fact: InvalidArgument) -> str:
    name, type_ = f"`{fact.name}`", fact.value.type
    if fact.fault is ArgumentFault.COUNT:
        return f"{name} takes {fact.wanted}, not {fact.number}"
    if fact.fault is ArgumentFault.ACCESS:
        given = type_.access if isinstance(type_, Opaque) else ""
        how = given or "read_only, as a pipe without a qualifier is"
        return f"{name} needs a {fact.wanted} pipe, but this one is {how}"
    who = f"argument {fact.number + 1} of {name}"
    if fact.fault is ArgumentFault.CONSTANT:
        return f"{who} must point into generic, which does not include constant: `{spell(type_)}`"
    if isinstance(type_, Array):
        return f"{who} must be {fact.wanted}: the array `{spell(type_)}` does not become a pointer here"
    return f"{who} must be {fact.wanted}, not `{spell(type_.unqualified)}`"


def _fixes(fact: InvalidArgument) -> Iterator[Fix]:
    """Yields the fix that passes the address of an array's first element."""
    place, name = fact.value.place, fact.value.name
    if isinstance(fact.value.type, Array) and name and place.last - place.first == 1:
        before, after = Place(place.first, place.first), Place(place.last, place.last)
        yield Fix(f"Write `&{name}[0]`", (ReplaceTokens(before, "&"), ReplaceTokens(after, "[0]")), True)


RULES = (Rule(CODE, InvalidArgument, _check),)
