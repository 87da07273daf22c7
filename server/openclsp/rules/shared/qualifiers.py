"""Shared helpers for rules about declarations: places of qualifiers and common fixes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import (
    AddInitialiser,
    Finding,
    Fix,
    FixChange,
    MoveToOuterScope,
    OuterScope,
    RelatedDeclaration,
    RemoveSpace,
    ReplaceTokens,
    SetDialect,
    SetSpace,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, Scope, TypeName
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    Level,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.types.type_model import (
    Array,
    Function,
    Opaque,
    Pointer,
    Record,
    Type,
    Unknown,
)

_ALLOWED_IN_ARRAYS = ("event", "clk_event", "reserve_id")

AUTOMATIC_STORAGE_CLASSES = ("", "auto", "register")
"""The storage classes that leave a variable in a function automatic."""

AUTOMATIC_SPACE_READS = (
    "entity.kind",
    "entity.levels[].space",
    "entity.name?",
    "entity.type",
    "scope",
    "storage",
)
"""What `automatic_space` reads of a declaration, for `Rule.reads`."""


def automatic_space(fact: Declaration, scopes: Container[Scope], but: Container[str]) -> Space | None:
    """Returns the address space of an automatic variable that is declared in one of the scopes.

    None for any other declaration. Also None for a variable of an opaque type whose category is in `but`:
    other rules check those.
    """
    entity = fact.entity
    if fact.scope not in scopes or entity.kind is not EntityKind.VARIABLE or not entity.name:
        return None
    if fact.storage not in AUTOMATIC_STORAGE_CLASSES or opaque_category(entity.type) in but:
        return None
    return entity.levels[0].space


def has_explicit_space(level: Level) -> bool:
    """Whether the level's address space is determined by a qualifier and not by a default.

    The qualifier may be in a typedef.
    """
    return level.reason in (Reason.WRITTEN, Reason.TYPEDEF) and level.space is not Space.UNKNOWN


def has_valid_explicit_space(level: Level, dialect: Dialect) -> bool:
    """Whether a qualifier determines the level's address space and is valid in the dialect.

    `generic` is not valid in a dialect without a generic address space; another rule reports it.
    """
    return has_explicit_space(level) and (level.space is not Space.GENERIC or dialect.generic)


def qualifier_place(entity: Entity, level: int) -> Place:
    """Returns the place of the last qualifier written for a level, or that of the name if there is none."""
    written = entity.levels[level].written
    return Place(written[-1][1], written[-1][1] + 1) if written else entity.place


def fixable_origin(entity: Entity, level: int) -> Origin:
    """Returns the origin to which a fix for one level of an entity's type must apply.

    This is a level of a typedef if the typedef determines the level's address space and the entity's
    declaration has no qualifier for it. Otherwise, it is the level of the entity itself.
    """
    described = entity.levels[level]
    if described.via is not None and not described.written:
        return described.via
    return Origin(entity.ref, level)


def related_typedef(entity: Entity, level: int) -> tuple[RelatedDeclaration, ...]:
    """Returns the typedef that determines the level's address space, if one does."""
    described = entity.levels[level]
    if described.via is None or described.reason is not Reason.TYPEDEF:
        return ()
    return (
        RelatedDeclaration(
            described.via, f"the typedef specifies the address space `{described.space.word}`"
        ),
    )


def innermost_element(type_: Type) -> Type:
    """Returns the innermost element type of an array; any other type unchanged."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def opaque_category(type_: Type) -> str:
    """Returns the category of an opaque type; empty for any other type.

    An array has the category of its elements. It has no category if OpenCL C allows arrays of that type.
    """
    element = innermost_element(type_)
    if not isinstance(element, Opaque) or (element is not type_ and element.category in _ALLOWED_IN_ARRAYS):
        return ""
    return element.category


def points_to_function(type_: Type) -> bool:
    """Whether the type is a pointer, of any depth, to a function."""
    type_ = innermost_element(type_)
    if not isinstance(type_, Pointer):
        return False
    while isinstance(type_, Pointer):
        type_ = innermost_element(type_.pointee)
    return isinstance(type_, Function)


def typedef_title_suffix(entity: Entity, level: int) -> str:
    """Returns ` in the typedef` for the title of a fix that must change a typedef; empty for other fixes."""
    return "" if fixable_origin(entity, level) == Origin(entity.ref, level) else " in the typedef"


def create_qualifier_removal_fix(entity: Entity, level: int, title: str) -> Fix:
    """Creates the fix that removes the address space qualifiers at `level` of the entity's type."""
    if typedef_title_suffix(entity, level):
        title = f"Remove `{entity.levels[level].space.word}`{typedef_title_suffix(entity, level)}"
    return Fix(title, (RemoveSpace(fixable_origin(entity, level)),))


def suggest_move_to_pointee(entity: Entity) -> Iterator[Fix]:
    """Yields the fix that moves a pointer's own qualifier to its pointee: `int *local p` -> `local int *p`.

    It is preferred for a kernel's parameter, whose pointee has no default address space. Yields nothing if the
    pointee has an explicit address space.
    """
    if len(entity.levels) < 2 or has_explicit_space(entity.levels[1]):
        return
    space = entity.levels[0].space
    if space in (Space.GLOBAL, Space.LOCAL, Space.CONSTANT):
        changes: tuple[FixChange, ...] = (
            RemoveSpace(fixable_origin(entity, 0)),
            SetSpace(fixable_origin(entity, 1), space),
        )
        pointer = f"`{entity.name}`" if entity.name else "the parameter"
        preferred = entity.levels[1].reason is Reason.KERNEL_NO_DEFAULT
        yield Fix(f"Point {pointer} into {space.word} memory instead", changes, preferred)


def create_move_out_fix(entity: Entity, to: OuterScope, *, preferred: bool = False) -> Fix:
    """Creates the fix that moves the declaration of a variable out of its block."""
    return Fix(f"Move `{entity.name}` to {to.value}", (MoveToOuterScope(entity.ref, to),), preferred)


def suggest_zero_initialiser(entity: Entity) -> Iterator[FixChange]:
    """Yields the change that adds an explicit zero initialiser (C99 6.7.8p10).

    Yields nothing if the initialiser would determine an array's size, or if the type has no zero initialiser.
    """
    type_ = entity.type
    if isinstance(innermost_element(type_), Opaque | Unknown) or (
        isinstance(type_, Array) and type_.size is None
    ):
        return
    yield AddInitialiser(entity.ref, "{0}" if isinstance(type_, Array | Record) else "0")


def create_token_removal_fix(place: Place, title: str) -> Fix:
    """Creates the fix that removes the tokens at `place`."""
    return Fix(title, (ReplaceTokens(place, ""),))


def suggest_newer_versions(dialect: Dialect, makes_legal: Callable[[Dialect], bool]) -> Iterator[Fix]:
    """Yields fixes that select OpenCL C 2.0 or 3.0, with all optional features.

    A version is offered if it is not older than the dialect and `makes_legal` returns True for it.
    """
    for name in ("CL2.0", "CL3.0"):
        candidate = Dialect.of(name)
        if candidate.version >= dialect.version and candidate != dialect and makes_legal(candidate):
            version = name.removeprefix("CL")
            yield Fix(f"Check this workspace as OpenCL C {version}", (SetDialect(name),))


def create_written_type_rules(
    code: str, check: Callable[[Entity], Iterator[Finding]], *, reads: tuple[str, ...]
) -> tuple[Rule[Any], ...]:
    """Creates the rules that share one code and together check every type written in the program.

    These are the types of variables, parameters, members and typedefs, the results of functions, and the type
    names in casts, `sizeof` and compound literals. `reads` is `Rule.reads` of each of these rules.
    """

    def of_fact(fact: Declaration | FunctionDeclaration | TypeName, dialect: Dialect) -> Iterator[Finding]:
        yield from check(fact.entity)

    return tuple(Rule(code, kind, of_fact, reads) for kind in (Declaration, FunctionDeclaration, TypeName))
