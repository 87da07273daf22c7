"""Images, samplers and events in an address space or at a scope that they cannot have (OpenCL C 6.11.b, 6.11.r)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_qualifier_removal_fix,
    fixable_origin,
    has_explicit_space,
    innermost_element,
    opaque_category,
    qualifier_place,
    related_typedef,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Entity, EntityKind, Reason
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    Opaque,
    Pointer,
    Type,
)

CODE = "opaque-type-space"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable or parameter of an opaque type in a space or at a scope that the type cannot have.

    `opaque-type-use` reports members.
    """
    entity = fact.entity
    yield from _pointed_to(entity)
    category = opaque_category(entity.type)
    if not category:
        yield from _array_of_events(fact)
        return
    if entity.kind is EntityKind.PARAMETER:
        yield from _parameter(entity, category)
    elif entity.kind is not EntityKind.VARIABLE:
        return
    elif category == "sampler":
        yield from _sampler(fact)
    elif category in ("event", "clk_event", "reserve_id"):
        yield from _event(fact, _name(entity.type), dialect)
    elif category in ("queue", "ndrange") and fact.scope is Scope.PROGRAM:
        yield _unlisted(entity)
    elif category in ("image", "pipe") and fact.scope is Scope.PROGRAM:
        yield _of_program(
            entity,
            f"{'an' if category == 'image' else 'a'} {category} can only be a parameter",
        )


def _array_of_events(fact: Declaration) -> Iterator[Finding]:
    """Reports an array of events that is not private. clang reports only single events.

    Also reports a program-scope array of a type that the specification allows only in functions.
    """
    entity = fact.entity
    if entity.kind is not EntityKind.VARIABLE or not isinstance(entity.type, Array):
        return
    space = entity.levels[0].space
    name = _name(entity.type)
    if name in ("clk_event_t", "reserve_id_t", "queue_t") and fact.scope is Scope.PROGRAM:
        yield _unlisted(entity)
    if name != "event_t" or space in (Space.PRIVATE, Space.UNKNOWN):
        return
    if fact.scope is Scope.PROGRAM or has_explicit_space(entity.levels[0]):
        message = f"`{entity.name}` is an array of events, which must be private variables of functions; clang accepts it"
        yield Finding(CODE, Severity.WARNING, message, qualifier_place(entity, 0))


def _pointed_to(entity: Entity) -> Iterator[Finding]:
    """Reports a pointer to an event in a space that cannot contain events. clang accepts such a pointer."""
    type_ = innermost_element(entity.type)
    if not isinstance(type_, Pointer) or _name(type_.pointee) != "event_t" or len(entity.levels) < 2:
        return
    level = entity.levels[1]
    if has_explicit_space(level) and level.space in (Space.GLOBAL, Space.LOCAL, Space.CONSTANT):
        message = (
            f"`{entity.name}` cannot point to an `event_t` in {level.space.word}: all events are private; "
        )
        message += "clang accepts it"
        fixes = (create_qualifier_removal_fix(entity, 1, f"Remove `{level.space.word}`"),)
        yield Finding(
            CODE, Severity.WARNING, message, qualifier_place(entity, 1), related_typedef(entity, 1), fixes
        )


def _name(type_: Type) -> str:
    type_ = innermost_element(type_)
    return type_.name if isinstance(type_, Opaque) else ""


def _of_program(entity: Entity, but: str) -> Finding:
    message = f"variable `{entity.name}` of type `{_name(entity.type)}` cannot be at program scope: {but}"
    return Finding(CODE, Severity.ERROR, message, qualifier_place(entity, 0))


def _unlisted(entity: Entity) -> Finding:
    """Reports a program-scope variable of a type that the specification allows only in functions.

    clang accepts it.
    """
    message = (
        f"variable `{entity.name}` of type `{_name(entity.type)}` cannot be at program scope: it must be in a "
        "function; clang accepts it"
    )
    return Finding(CODE, Severity.WARNING, message, entity.place)


def _parameter(entity: Entity, category: str) -> Iterator[Finding]:
    level = entity.levels[0]
    if not has_explicit_space(level) or level.space not in (Space.GLOBAL, Space.LOCAL, Space.CONSTANT):
        return
    why = "images are always in global memory" if category == "image" else "parameters are private"
    message = f"parameter `{entity.name}` of type `{_name(entity.type)}` cannot have an address space: {why}"
    fixes = (
        replace(create_qualifier_removal_fix(entity, 0, f"Remove `{level.space.word}`"), preferred=True),
    )
    yield Finding(
        CODE, Severity.ERROR, message, qualifier_place(entity, 0), related_typedef(entity, 0), fixes
    )


def _event(fact: Declaration, name: str, dialect: Dialect) -> Iterator[Finding]:
    entity = fact.entity
    level = entity.levels[0]
    if fact.scope is Scope.PROGRAM or (fact.scope in _IN_FUNCTIONS and fact.storage == "extern"):
        message = (
            f"variable `{entity.name}` of type `{name}` cannot be at program scope: it must be in a function"
        )
        yield Finding(CODE, Severity.ERROR, message, qualifier_place(entity, 0))
    elif name == "event_t" and fact.storage == "static" and fact.scope in _IN_FUNCTIONS:
        if dialect.version >= 200:
            yield _of_program(entity, "it must be in a function and not static")
    elif name != "event_t" and level.space is Space.CONSTANT and has_explicit_space(level):
        message = f"variable `{entity.name}` of type `{name}` cannot be in constant memory"
        fixes = (create_qualifier_removal_fix(entity, 0, "Remove `constant`"),)
        yield Finding(CODE, Severity.ERROR, message, qualifier_place(entity, 0), fixes=fixes)
    elif name == "event_t" and fact.scope in _IN_FUNCTIONS and has_explicit_space(level):
        if level.space is Space.PRIVATE:
            return
        message = f"variable `{entity.name}` of type `event_t` cannot be in {level.space.word}: "
        message += "events are always private"
        fixes = (create_qualifier_removal_fix(entity, 0, f"Remove `{level.space.word}`"),)
        yield Finding(CODE, Severity.ERROR, message, qualifier_place(entity, 0), fixes=fixes)


def _sampler(fact: Declaration) -> Iterator[Finding]:
    entity = fact.entity
    level = entity.levels[0]
    if has_explicit_space(level) and level.space in (Space.GLOBAL, Space.LOCAL):
        message = f"sampler `{entity.name}` cannot be in {level.space.word} memory"
        yield Finding(
            CODE, Severity.ERROR, message, qualifier_place(entity, 0), fixes=tuple(_in_constant(entity))
        )
    elif (fact.scope is Scope.PROGRAM or fact.storage == "extern") and not _is_constant(entity):
        message = f"sampler `{entity.name}` at program scope must be `constant` or `const`"
        yield Finding(CODE, Severity.ERROR, message, entity.place, fixes=tuple(_in_constant(entity)))


def _is_constant(entity: Entity) -> bool:
    qualifiers = innermost_element(entity.type).qualifiers
    level = entity.levels[0]
    written = level.space is Space.CONSTANT and level.reason is not Reason.PROGRAM_DEFAULT
    return bool(qualifiers & CONST) or level.space is Space.UNKNOWN or written


def _in_constant(entity: Entity) -> Iterator[Fix]:
    title = f"Put `{entity.name}` into constant memory"
    yield Fix(title, (SetSpace(fixable_origin(entity, 0), Space.CONSTANT),), preferred=True)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "entity.type",
            "scope",
            "storage",
        ),
    ),
)
