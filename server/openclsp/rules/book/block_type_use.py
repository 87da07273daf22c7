"""Block types as elements, pointees, members, parameters and results (OpenCL C 6.14.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import BlockLiteral
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, TypeName
from openclsp.semantics.facts.entities import Entity, EntityKind, Place
from openclsp.semantics.types.type_model import (
    Array,
    BlockPointer,
    Function,
    Pointer,
    Type,
    spell,
)

CODE = "block-type-use"

_PLACES = {EntityKind.PARAMETER: "a parameter", EntityKind.MEMBER: "a member"}


def of_declaration(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable, parameter, member or typedef whose type uses a block where none is allowed."""
    entity = fact.entity
    fault = _inside(entity.type)
    if fault:
        yield _finding(entity, fault)
    elif entity.kind in _PLACES and isinstance(entity.type, BlockPointer):
        yield _finding(entity, f"a block cannot be {_PLACES[entity.kind]}")
    else:
        yield from _space_of_result(entity.type, entity.place)


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a result type that is a block, or that has a block as pointee or element."""
    fault = _inside(fact.result) or _as_result(fact.result)
    if fault:
        yield _finding(fact.entity, fault)


def of_type_name(fact: TypeName, dialect: Dialect) -> Iterator[Finding]:
    """Reports a type name, such as that of a cast, that uses a block where none is allowed."""
    fault = _inside(fact.entity.type)
    if fault:
        yield _finding(fact.entity, fault)


def of_literal(fact: BlockLiteral, dialect: Dialect) -> Iterator[Finding]:
    """Reports a block literal that returns a block, or that takes a variable number of arguments.

    `of_declaration` reports its parameters.
    """
    fault = _of_signature(fact.type)
    if fault and fact.returned and not _is_variadic(fact.type):
        yield Finding(CODE, Severity.WARNING, f"{fault}; clang accepts it", fact.place)
    elif fault:
        yield Finding(CODE, Severity.ERROR, fault, fact.place)


def _is_variadic(type_: Type) -> bool:
    return isinstance(type_, Function) and type_.variadic


def _inside(type_: Type) -> str:
    """Returns why a type is invalid, such as `pointers to blocks are not allowed`; empty if it is valid."""
    while isinstance(type_, Pointer | Array):
        inner = type_.pointee if isinstance(type_, Pointer) else type_.element
        if isinstance(inner, BlockPointer):
            what = "pointers to" if isinstance(type_, Pointer) else "arrays of"
            return f"{what} blocks are not allowed"
        type_ = inner
    return _of_signature(type_.function) if isinstance(type_, BlockPointer) else ""


def _of_signature(type_: Type) -> str:
    if not isinstance(type_, Function):
        return ""
    if type_.variadic:
        return "a block cannot take a variable number of arguments"
    return _as_result(type_.result)


def _as_result(type_: Type) -> str:
    return "a block cannot be returned" if isinstance(type_, BlockPointer) else ""


def _space_of_result(type_: Type, place: Place) -> Iterator[Finding]:
    """Reports an address space on a block's result, which is a value (OpenCL C 6.7.1). clang does not report it."""
    signature = type_.function if isinstance(type_, BlockPointer) else None
    if isinstance(signature, Function) and signature.result.space is not None:
        message = f"the result `{spell(signature.result)}` of a block cannot have an address space; clang accepts it"
        yield Finding(CODE, Severity.WARNING, message, place)


def _finding(entity: Entity, why: str) -> Finding:
    name = f"`{entity.name}`: " if entity.name else ""
    return Finding(CODE, Severity.ERROR, name + why, entity.place)


RULES = (
    Rule(
        CODE,
        Declaration,
        of_declaration,
        reads=(
            "entity.kind",
            "entity.type",
        ),
    ),
    Rule(CODE, FunctionDeclaration, of_function),
    Rule(CODE, TypeName, of_type_name, reads=("entity.type",)),
    Rule(CODE, BlockLiteral, of_literal),
)
