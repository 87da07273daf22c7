"""Writing to the constant address space (OpenCL C 6.7.7), or to a const object (C99 6.5.16)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, Related, SetSpace, Severity
from openclsp.rules.pointers import repoint
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Origin
from openclsp.semantics.facts import Access, AccessKind, Value
from openclsp.semantics.types import CONST, Array, Type, spell


def check(fact: Access, dialect: Dialect) -> Iterator[Finding]:
    """The object that is written lies in constant, or is const."""
    if fact.kind is not AccessKind.WRITE:
        return
    type_ = fact.value.type
    if isinstance(type_, Array):
        return
    if type_.space is Space.CONSTANT:
        why, fixes = "is in the constant address space", tuple(_fixes(fact.value, dialect))
    elif type_.qualifiers & CONST:
        why, fixes = f"is const (`{spell(type_)}`)", ()
    else:
        return
    yield Finding(
        code="write-to-constant",
        severity=Severity.ERROR,
        message=f"{_what(fact.value)} cannot be written: it {why}",
        place=fact.value.place,
        related=tuple(_related(fact.value, type_)),
        fixes=fixes,
    )


def _what(value: Value) -> str:
    if not value.name:
        return "this object"
    if value.origin is None or value.origin.level == 0:
        return f"`{value.name}`"
    return f"what `{value.name}` points to"


def _related(value: Value, type_: Type) -> Iterator[Related]:
    if value.origin is not None:
        word = "constant" if type_.space is Space.CONSTANT else "const"
        yield Related(value.origin, f"{word} here")


def _fixes(value: Value, dialect: Dialect) -> Iterator[Fix]:
    """A pointee may be moved to global; a variable to global at program scope, to private in a function."""
    origin = value.origin
    if origin is None:
        return
    if origin.level > 0:
        yield from repoint(origin, value.name, Space.GLOBAL, "the pointer")
        yield from repoint(origin, value.name, Space.LOCAL, "the pointer")
        return
    who = f"`{value.name}`" if value.name else "the variable"
    yield Fix(f"Declare {who} private", (SetSpace(Origin(origin.entity, 0), Space.PRIVATE),))
    if dialect.program_scope_globals:
        yield Fix(f"Declare {who} global", (SetSpace(Origin(origin.entity, 0), Space.GLOBAL),))


RULES = (Rule("write-to-constant", Access, check),)
