"""What `%s` takes in printf, and the format itself: string literals only (OpenCL C 6.15.14)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.pointers import pointee_space, related_source
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import Call, FormatArgument
from openclsp.semantics.types import Function, Pointer, decayed, spell

CODE = "printf-string"


def check(fact: FormatArgument, dialect: Dialect) -> Iterator[Finding]:
    """A pointer to characters that is no literal."""
    value = fact.value
    type_ = decayed(value.type)
    if value.string or not isinstance(type_, Pointer) or type_.pointee.space in (None, Space.UNKNOWN):
        return
    message = f"`%s` takes a string literal only, and argument {fact.number + 1} is `{spell(type_)}`"
    assert type_.pointee.space is not None
    related = tuple(related_source(value, type_.pointee.space))
    yield Finding(CODE, Severity.WARNING, message, value.place, related)


def check_format(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """A format that is known only when the program runs."""
    if fact.name != "printf" or not fact.arguments or not _is_built_in(fact):
        return
    value = fact.arguments[0]
    fixed = value.string or value.fixed or value.origin is None
    if fixed or pointee_space(value.type) is not Space.CONSTANT:
        return
    message = (
        f"the format of printf must be known when the program is compiled, and {_called(value.name)} is not"
    )
    yield Finding(CODE, Severity.WARNING, message, value.place, tuple(related_source(value, Space.CONSTANT)))


def _called(name: str) -> str:
    return f"`{name}`" if name else "this pointer"


def _is_built_in(fact: Call) -> bool:
    """Whether this is the language's printf, whose format lies in constant."""
    function = fact.function
    return isinstance(function, Function) and function.variadic and len(function.parameters) == 1


RULES = (Rule(CODE, FormatArgument, check), Rule(CODE, Call, check_format))
