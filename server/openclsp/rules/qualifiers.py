"""What the rules about declarations share: where a level's space stands in the text, and the usual ways to mend it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import (
    Change,
    Finding,
    Fix,
    Initialise,
    MoveOut,
    Outer,
    Related,
    RemoveSpace,
    ReplaceLeaves,
    SetDialect,
    SetSpace,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Entity, EntityKind, Level, Origin, Place, Reason
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, Scope, TypeName
from openclsp.semantics.types import Array, Function, Opaque, Pointer, Record, Type, Unknown

_IN_ARRAYS = ("event", "clk_event", "reserve_id")

AUTOMATIC = ("", "auto", "register")
"""The storage classes that leave a variable in a function automatic."""


def automatic_space(fact: Declaration, scopes: Container[Scope], but: Container[str]) -> Space | None:
    """The space of an automatic variable that is declared in one of the scopes; None for any other declaration, and for
    opaque types of the categories `but`, whose places are the matter of other rules."""
    entity = fact.entity
    if fact.scope not in scopes or entity.kind is not EntityKind.VARIABLE or not entity.name:
        return None
    if fact.storage not in AUTOMATIC or opaque_category(entity.type) in but:
        return None
    return entity.levels[0].space


def is_given(level: Level) -> bool:
    """Whether the level has its space from a qualifier, here or in a typedef, and not by default."""
    return level.reason in (Reason.WRITTEN, Reason.TYPEDEF) and level.space is not Space.UNKNOWN


def is_given_in(level: Level, dialect: Dialect) -> bool:
    """`is_given`, but for `generic` where the dialect does not know it: that word is a fault of its own there."""
    return is_given(level) and (level.space is not Space.GENERIC or dialect.generic)


def place_of(entity: Entity, level: int) -> Place:
    """The last qualifier written for that level, else the name."""
    written = entity.levels[level].written
    return Place(written[-1][1], written[-1][1] + 1) if written else entity.place


def origin_of(entity: Entity, level: int) -> Origin:
    """The level as a fix must name it: that of the typedef where the space cannot be written at the entity itself."""
    described = entity.levels[level]
    if described.via is not None and not described.written:
        return described.via
    return Origin(entity.ref, level)


def related_typedef(entity: Entity, level: int) -> tuple[Related, ...]:
    """The typedef that gave the level its space, if one did."""
    described = entity.levels[level]
    if described.via is None or described.reason is not Reason.TYPEDEF:
        return ()
    return (Related(described.via, f"the typedef gives the space `{described.space.word}`"),)


def without_arrays(type_: Type) -> Type:
    """The type of the elements, for an array of any depth; else the type itself."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def opaque_category(type_: Type) -> str:
    """The category of an opaque type; empty for any other type.

    An array counts as its elements, but for those of which there can be arrays.
    """
    element = without_arrays(type_)
    if not isinstance(element, Opaque) or (element is not type_ and element.category in _IN_ARRAYS):
        return ""
    return element.category


def points_to_function(type_: Type) -> bool:
    """Whether following the pointers ends at a function."""
    type_ = without_arrays(type_)
    if not isinstance(type_, Pointer):
        return False
    while isinstance(type_, Pointer):
        type_ = without_arrays(type_.pointee)
    return isinstance(type_, Function)


def where_changed(entity: Entity, level: int) -> str:
    """What the title of a fix adds where the qualifier of that level stands in a typedef."""
    return "" if origin_of(entity, level) == Origin(entity.ref, level) else " in the typedef"


def removal(entity: Entity, level: int, title: str) -> Fix:
    """The fix that takes the qualifiers of that level away."""
    if where_changed(entity, level):
        title = f"Remove `{entity.levels[level].space.word}`{where_changed(entity, level)}"
    return Fix(title, (RemoveSpace(origin_of(entity, level)),))


def moved_to_pointee(entity: Entity) -> Iterator[Fix]:
    """`int *local p` -> `local int *p`: the pointer's own qualifier was meant for what it points to."""
    if len(entity.levels) < 2 or is_given(entity.levels[1]):
        return
    space = entity.levels[0].space
    if space in (Space.GLOBAL, Space.LOCAL, Space.CONSTANT):
        changes: tuple[Change, ...] = (
            RemoveSpace(origin_of(entity, 0)),
            SetSpace(origin_of(entity, 1), space),
        )
        yield Fix(f"Point `{entity.name}` into {space.word} memory instead", changes)


def moved_out(entity: Entity, to: Outer, *, preferred: bool = False) -> Fix:
    """The fix that moves the declaration of a variable out of its block."""
    return Fix(f"Move `{entity.name}` to {to.value}", (MoveOut(entity.ref, to),), preferred)


def with_zeros(entity: Entity) -> Iterator[Change]:
    """The change that writes the value which C gives to what is not initialised (C99 6.7.8p10); none where an array's size
    would come from it, or nothing can be written."""
    type_ = entity.type
    if isinstance(without_arrays(type_), Opaque | Unknown) or (
        isinstance(type_, Array) and type_.size is None
    ):
        return
    yield Initialise(entity.ref, "{0}" if isinstance(type_, Array | Record) else "0")


def word_removal(place: Place, title: str) -> Fix:
    """The fix that takes the leaves of `place` away."""
    return Fix(title, (ReplaceLeaves(place, ""),))


def newer_dialects(dialect: Dialect, makes_legal: Callable[[Dialect], bool]) -> Iterator[Fix]:
    """The newer language versions, everything in them switched on, in which the fault is none."""
    for name in ("CL2.0", "CL3.0"):
        candidate = Dialect.of(name)
        if candidate.version >= dialect.version and candidate != dialect and makes_legal(candidate):
            version = name.removeprefix("CL")
            yield Fix(f"Check this workspace as OpenCL C {version}", (SetDialect(name),))


def wherever_written(code: str, check: Callable[[Entity], Iterator[Finding]]) -> tuple[Rule[Any], ...]:
    """The rules of one code that looks at every type a person writes: that of a variable, parameter, member or typedef,
    a function's result (its parameters are declarations of their own), and that of a cast, `sizeof` or a literal."""

    def of_fact(fact: Declaration | FunctionDeclaration | TypeName, dialect: Dialect) -> Iterator[Finding]:
        yield from check(fact.entity)

    return tuple(Rule(code, kind, of_fact) for kind in (Declaration, FunctionDeclaration, TypeName))
