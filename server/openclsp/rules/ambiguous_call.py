"""A call of an overloaded function that several overloads take equally well (OpenCL C 6.15; C++17 16.3.3 for the ranks)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import UnresolvedCall, Value
from openclsp.semantics.types import Function, Type, decayed, spell

CODE = "ambiguous-call"
_LISTED = 3


def check(fact: UnresolvedCall, dialect: Dialect) -> Iterator[Finding]:
    """The arguments' types are all known, and no overload fits them better than the others that fit."""
    if not fact.viable:
        return
    types = ", ".join(f"`{spell(type_)}`" for type_ in _given(fact.arguments))
    nearest = sorted(fact.viable, key=lambda each: -_in_common(each, fact.arguments))[:_LISTED]
    listed = " and ".join(f"`{spell(each, fact.name)}`" for each in nearest)
    message = (
        f"({types}) fits several overloads of `{fact.name}` equally well, such as {listed}: cast an argument"
    )
    yield Finding(CODE, Severity.ERROR, message, fact.place)


def _given(arguments: tuple[Value, ...]) -> list[Type]:
    return [decayed(argument.type) for argument in arguments]


def _in_common(candidate: Function, arguments: tuple[Value, ...]) -> int:
    """How many parameters are exactly the argument's type."""
    pairs = zip(candidate.parameters, _given(arguments), strict=False)
    return sum(parameter.unqualified is type_.unqualified for parameter, type_ in pairs)


RULES = (Rule(CODE, UnresolvedCall, check),)
