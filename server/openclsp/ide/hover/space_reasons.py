"""The reasons for address spaces, as shown in a hover."""

from __future__ import annotations

from dataclasses import replace

from openclsp.ide.feature_results import SpaceReason
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.facts.entities import Entity, EntityKind, Level, Origin, Reason
from openclsp.semantics.facts.values import Value


def describe_shared_qualifier(places: LocationMap, entity: Entity) -> tuple[str, ...]:
    """Describes a qualifier that several declarators share; empty if there is none.

    For `y` in `local int x, *y;`: `x` is in local memory, but `y` is a private pointer to local memory.
    """
    if entity.kind is not EntityKind.VARIABLE or len(entity.levels) < 2 or not entity.levels[-1].written:
        return ()
    space, token_index = entity.levels[-1].written[0]
    for other in places.context(entity.ref.item).entities.values():
        if (
            other.whole == entity.whole
            and len(other.levels) == 1
            and (space, token_index) in other.levels[0].written
        ):
            return (
                f"`{space.word}` applies to the pointee of `{entity.name}`; `{other.name}` itself is in {space.word} memory",
            )
    return ()


def value_space_reason(places: LocationMap, value: Value, depth: int, space: str) -> SpaceReason:
    """Returns the reason why level `depth` of an expression's value has the address space `space`."""
    if value.string:
        return SpaceReason(space, depth, Reason.LITERAL.value, None)
    origin, _ = value.space_source(depth)
    entity = places.entity(origin.entity) if origin is not None else None
    if origin is None or entity is None or not 0 <= origin.level < len(entity.levels):
        return SpaceReason(space, depth, Reason.EXPRESSION.value, None)
    if value.held is not None and value.held[0] == depth:
        return SpaceReason(space, depth, Reason.OBJECT.value, places.origin_location(origin))
    return replace(space_reason(places, origin, entity.levels[origin.level], depth), space=space)


def space_reason(places: LocationMap, origin: Origin, level: Level, depth: int) -> SpaceReason:
    """Returns the reason for the address space of `level`, one level of a declaration's type.

    `origin` identifies the declaration and the level's number in the declared type. `depth` is the level's
    number in the type that the hover shows: in a hover on `*p`, level 1 of `p` is level 0.
    """
    return SpaceReason(level.space.word, depth, _reason(places, level), places.origin_location(origin))


def _reason(places: LocationMap, level: Level) -> str:
    """Returns the reason why a level of a type has its address space.

    If the level is the pointee of a typedef, and the typedef does not qualify it, its address space depends
    on whether the dialect has a generic address space. The reason then states both possibilities.
    """
    typedef = places.entity(level.via.entity) if level.via is not None else None
    if level.via is None or typedef is None or not 0 < level.via.level < len(typedef.levels):
        return level.reason.value
    inner = typedef.levels[level.via.level]
    where = {
        Reason.POINTEE_GENERIC: "generic here, private without the generic address space",
        Reason.POINTEE_PRIVATE: "private here, generic with the generic address space",
    }.get(inner.reason)
    if where is None:
        return _reason(places, inner) if inner.via is not None else level.reason.value
    return f"{level.reason.value}, whose pointee has no qualifier: {where}"
