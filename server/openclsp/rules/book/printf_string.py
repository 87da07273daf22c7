"""A printf format, or an argument of `%s`, that is not a string literal (OpenCL C 6.15.14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import pointee_space, related_source_declaration
from openclsp.semantics.facts.calls import Call, FormatArgument
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_model import Function, Pointer, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "printf-string"
_FUNCTION_NAMES: Final = frozenset(("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"))
"""Names of arrays that are initialised with a literal: compilers record them as they record literals."""


def check(fact: FormatArgument, dialect: Dialect) -> Iterator[Finding]:
    """Reports an argument of `%s` that is not a string literal, and not `__func__`."""
    value = fact.value
    type_ = decayed(value.type)
    if value.name in _FUNCTION_NAMES:
        return
    if value.string or not isinstance(type_, Pointer) or type_.pointee.space in (None, Space.UNKNOWN):
        return
    message = f"argument {fact.number + 1} of type `{spell(type_)}` cannot be printed with `%s`: it must be a string literal"
    assert type_.pointee.space is not None
    related = tuple(related_source_declaration(value, type_.pointee.space))
    yield Finding(CODE, Severity.WARNING, message, value.place, related)


def check_format(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """Reports a `printf` format in constant memory that is known only at run time."""
    if fact.name != "printf" or not fact.arguments or not _is_built_in(fact):
        return
    value = fact.arguments[0]
    # the address of a literal or of a variable at program scope stays constant through a cast
    fixed = value.string or value.fixed or value.origin is None or value.constancy is Constancy.CONSTANT
    if fixed or pointee_space(value.type) is not Space.CONSTANT:
        return
    message = f"{_called(value.name)} cannot be the format of `printf`: the format must be known when the program is compiled"
    yield Finding(
        CODE, Severity.WARNING, message, value.place, tuple(related_source_declaration(value, Space.CONSTANT))
    )


def _called(name: str) -> str:
    return f"`{name}`" if name else "this pointer"


def _is_built_in(fact: Call) -> bool:
    """Whether this is a call of the built-in printf, whose format is in constant memory."""
    function = fact.function
    return isinstance(function, Function) and function.variadic and len(function.parameters) == 1


RULES = (
    Rule(CODE, FormatArgument, check),
    Rule(
        CODE,
        Call,
        check_format,
        reads=(
            "arguments[].constancy",
            "arguments[].fixed",
            "arguments[].origin?",
            "arguments[].string",
            "arguments[].type",
            "function",
            "name",
        ),
    ),
)
