"""Images, pipes, samplers and events in places that do not allow them (OpenCL C 6.11.b, 6.11.r, 6.13.16)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import opaque_category
from openclsp.semantics.facts.calls import BlockLiteral
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, Scope, TypeName
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.types.type_model import (
    Array,
    Function,
    Opaque,
    Pipe,
    Pointer,
    Type,
)

CODE = "opaque-type-use"

_NOT_POINTED_TO = ("image", "sampler", "pipe")
_NOT_IN_ARRAYS = ("image", "sampler", "pipe")
_NOT_RETURNED = ("image", "sampler", "pipe")
_NOT_A_MEMBER = ("image", "sampler", "event", "pipe")
_PARAMETERS_ONLY = ("image", "pipe")


def of_declaration(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a member, or a variable in a function, of an opaque type that is not allowed there.

    Also reports any declaration with a forbidden pointer to or array of opaque objects, and a pipe parameter
    whose packets are pointers.
    """
    entity = fact.entity
    category = opaque_category(entity.type)
    inner = _refused_inside(entity.type)
    if inner:
        yield _finding(entity, inner, tuple(_itself(entity)))
    elif (
        isinstance(entity.type, Pipe)
        and isinstance(entity.type.element, Pointer)
        and entity.kind is EntityKind.PARAMETER
    ):
        yield _finding(entity, f"the packets of a pipe cannot be pointers, as in `{entity.type.name}`")
    elif fact.scope is Scope.MEMBER and category in _NOT_A_MEMBER:
        yield _finding(entity, f"`{_name(entity.type)}` cannot be the type of a member")
    elif (
        entity.kind is EntityKind.VARIABLE
        and category in _PARAMETERS_ONLY
        and fact.scope is not Scope.PROGRAM
    ):
        yield _finding(entity, f"`{_name(entity.type)}` can only be the type of a parameter")


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a return type that is an image, sampler or pipe, or a forbidden pointer to one."""
    inner = _refused_inside(fact.result)
    if inner:
        yield _finding(fact.entity, inner)
    elif opaque_category(fact.result) in _NOT_RETURNED:
        yield _finding(fact.entity, f"`{_name(fact.result)}` cannot be a return type")


def of_type_name(fact: TypeName, dialect: Dialect) -> Iterator[Finding]:
    """Reports a type name, such as that of a cast, that is a pipe, or a forbidden pointer or array."""
    type_ = fact.entity.type
    inner = _refused_inside(type_)
    if inner:
        yield _finding(fact.entity, inner)
    elif isinstance(type_, Pipe) and type_.space is None and not type_.qualifiers:
        yield _finding(fact.entity, f"`{type_.name}` can only be the type of a parameter")


def of_block(fact: BlockLiteral, dialect: Dialect) -> Iterator[Finding]:
    """Reports a block literal that returns an image, sampler or pipe."""
    result = fact.type.result if isinstance(fact.type, Function) else fact.type
    if opaque_category(result) in _NOT_RETURNED:
        message = f"`{_name(result)}` cannot be the return type of a block"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


def _refused_inside(type_: Type) -> str:
    """Returns why a pointer or array type is invalid because of an opaque pointee or element.

    Empty if the type is valid at all its levels.
    """
    while isinstance(type_, Pointer | Array):
        inner = type_.pointee if isinstance(type_, Pointer) else type_.element
        if isinstance(inner, Opaque):
            if isinstance(type_, Pointer) and inner.category in _NOT_POINTED_TO:
                return f"a pointer to `{inner.name}` is not allowed"
            if isinstance(type_, Array) and inner.category in _NOT_IN_ARRAYS:
                return f"an array of `{inner.name}` is not allowed"
        type_ = inner
    return ""


def _name(type_: Type) -> str:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_.name if isinstance(type_, Opaque) else ""


def _itself(entity: Entity) -> Iterator[Fix]:
    """Yields the fix that removes the `*` of a parameter such as `image2d_t *p`."""
    type_, star = entity.type, entity.levels[0].place
    if entity.kind is not EntityKind.PARAMETER or not isinstance(type_, Pointer):
        return
    typedef = entity.levels[0].via is not None
    if isinstance(type_.pointee, Opaque) and star is not None and star != entity.place and not typedef:
        who = f"`{entity.name}`" if entity.name else "the parameter"
        title = f"Declare {who} as `{type_.pointee.name}`"
        yield Fix(title, (ReplaceTokens(star, ""),), preferred=True)


def _finding(entity: Entity, why: str, fixes: tuple[Fix, ...] = ()) -> Finding:
    name = f"`{entity.name}`: " if entity.name else ""
    return Finding(CODE, Severity.ERROR, name + why, entity.place, fixes=fixes)


RULES = (
    Rule(
        CODE,
        Declaration,
        of_declaration,
        reads=(
            "entity.kind",
            "entity.type",
            "scope",
        ),
    ),
    Rule(CODE, FunctionDeclaration, of_function),
    Rule(CODE, TypeName, of_type_name, reads=("entity.type",)),
    Rule(CODE, BlockLiteral, of_block),
)
