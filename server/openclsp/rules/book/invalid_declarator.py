"""A declarator of a type that C does not have, such as an array of functions (C99 6.7.2.1p2, 6.7.5.2p1, 6.7.5.3p1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator
from openclsp.semantics.types.type_model import Array, Enum, Type, Void, spell

CODE = "invalid-declarator"


def _check(fact: InvalidDeclarator, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is DeclaratorFault.FUNCTION_ARRAY:
        message = f"`{fact.name}` is an array of functions, which C does not have"
    elif fact.fault is DeclaratorFault.FUNCTION_MEMBER:
        message = f"the member `{fact.name}` cannot be a function"
    elif fact.fault is DeclaratorFault.INCOMPLETE_ELEMENT:
        message = f"`{fact.name}` cannot be an array of {_described(fact.type)}"
    elif fact.fault is DeclaratorFault.INCOMPLETE_OBJECT:
        message = f"`{fact.name}` cannot have the type {_described(fact.type)}"
    elif fact.fault is DeclaratorFault.VOID_PARAMETER:
        message = "a parameter cannot have the type `void`"
    elif fact.fault is DeclaratorFault.NEGATIVE_SIZE:
        name = f"`{fact.name}`" if fact.name else "this type"
        message = f"{name} cannot be an array of negative size"
    else:
        message = f"the function `{fact.name}` cannot return an array"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


def _described(type_: Type) -> str:
    if isinstance(type_, Void):
        return "`void`"
    if isinstance(type_, Array):
        return f"`{spell(type_)}`, which has no size"
    parts = "enumerators" if isinstance(type_, Enum) else "members"
    return f"`{spell(type_)}`, which is incomplete here: its {parts} are not declared yet"


RULES = (Rule(CODE, InvalidDeclarator, _check),)
