"""A call with more or fewer arguments than the function has parameters (C99 6.5.2.2p2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.types.type_model import (
    Function,
    Pointer,
    Type,
    Unknown,
)
from openclsp.semantics.types.type_structure import accepts_argument_count

CODE = "argument-count"


def check(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call with too few or too many arguments, if all types are known.

    Nothing is reported if a type is unknown: an unknown name may be a macro for several parameters or arguments,
    or an attribute that makes the function overloadable.
    """
    function, given = fact.function, len(fact.arguments)
    if not isinstance(function, Function) or accepts_argument_count(function, given):
        return
    takes = len(function.parameters)
    types = [function.result, *function.parameters, *(argument.type for argument in fact.arguments)]
    if any(_is_unknown(type_) for type_ in types):
        return
    name = f"`{fact.name}`" if fact.name else "the function"
    least = "at least " if function.variadic else ""
    message = f"{name} takes {least}{_arguments(takes)}, not {given}"
    if given > takes:
        place = Place(fact.arguments[takes].place.first, fact.arguments[-1].place.last)
    else:
        place = Place(fact.whole.last - 1, fact.whole.last)
    yield Finding(CODE, Severity.ERROR, message, place)


def _is_unknown(type_: Type) -> bool:
    if isinstance(type_, Unknown) or type_.space is Space.UNKNOWN:
        return True
    return isinstance(type_, Pointer) and _is_unknown(type_.pointee)


def _arguments(count: int) -> str:
    if count == 0:
        return "no arguments"
    return f"{count} argument{'s' if count > 1 else ''}"


RULES = (
    Rule(
        CODE,
        Call,
        check,
        reads=(
            "arguments[].type",
            "function",
        ),
    ),
)
