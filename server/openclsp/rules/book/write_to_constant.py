"""A write to the constant address space (OpenCL C 6.7.7), or to an object that is or contains a const object (C99 6.5.16)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, RemoveQualifier, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import suggest_space_change
from openclsp.semantics.facts.entities import Origin
from openclsp.semantics.facts.expressions import Access, AccessKind
from openclsp.semantics.facts.faults import ConstMemberWrite
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    BlockPointer,
    spell,
)


def check(fact: Access, dialect: Dialect) -> Iterator[Finding]:
    """Reports a write to an object that is in the constant address space or declared `const`."""
    if fact.kind is not AccessKind.WRITE or fact.value.captured or isinstance(fact.value.type, BlockPointer):
        return
    type_ = fact.value.type
    if isinstance(type_, Array):
        return
    if type_.space is Space.CONSTANT:
        why = "is in the constant address space"
    elif type_.qualifiers & CONST:
        why = f"is const (`{spell(type_)}`)"
    else:
        return
    in_constant = type_.space is Space.CONSTANT
    origin, name = fact.value.space_source(0) if in_constant else (fact.value.origin, fact.value.name)
    yield Finding(
        code="write-to-constant",
        severity=Severity.ERROR,
        message=f"{_what(origin, name)} cannot be written: it {why}",
        place=fact.value.place,
        related=()
        if origin is None
        else (RelatedDeclaration(origin, "constant here" if in_constant else "const here"),),
        fixes=tuple(_fixes(origin, name, dialect) if in_constant else _without_const(origin, name)),
    )


def check_members(fact: ConstMemberWrite, dialect: Dialect) -> Iterator[Finding]:
    """Reports an assignment to a whole struct or union with a const member."""
    what, member = _what(fact.value.origin, fact.value.name), f"`{fact.path}`"
    yield Finding(
        code="write-to-constant",
        severity=Severity.ERROR,
        message=f"{what} cannot be assigned as a whole: its member {member} is const (`{spell(fact.type)}`)",
        place=fact.value.place,
        related=(RelatedDeclaration(fact.member, "const here"),),
        fixes=tuple(_without_const(fact.member, fact.path.rpartition(".")[2])),
    )


def _what(origin: Origin | None, name: str) -> str:
    if not name:
        return "this object"
    return f"the pointee of `{name}`" if origin is not None and origin.level > 0 else f"`{name}`"


def _without_const(origin: Origin | None, name: str) -> Iterator[Fix]:
    if origin is not None and name:
        yield Fix(f"Remove `const` from {_what(origin, name)}", (RemoveQualifier(origin, "const"),))


def _fixes(origin: Origin | None, name: str, dialect: Dialect) -> Iterator[Fix]:
    """Yields fixes that change the address space of the written object.

    A pointee becomes global or local. A variable becomes private, or global if the dialect has global
    variables.
    """
    if origin is None:
        return
    if origin.level > 0:
        yield from suggest_space_change(origin, name, Space.GLOBAL, "the pointer")
        yield from suggest_space_change(origin, name, Space.LOCAL, "the pointer")
        return
    yield from suggest_space_change(origin, name, Space.PRIVATE, "the variable")
    if dialect.program_scope_globals:
        yield from suggest_space_change(origin, name, Space.GLOBAL, "the variable")


RULES = (
    Rule(
        "write-to-constant",
        Access,
        check,
        reads=(
            "kind",
            "value.captured",
            "value.type",
        ),
    ),
    Rule("write-to-constant", ConstMemberWrite, check_members),
)
