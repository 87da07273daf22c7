"""The address spaces of static and extern variables in functions (OpenCL C 6.7.1, 6.7.8, 6.10; 6.8.g of 1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, OuterScope, ReplaceTokens, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_move_out_fix,
    create_qualifier_removal_fix,
    fixable_origin,
    opaque_category,
    points_to_function,
    qualifier_place,
    related_typedef,
    suggest_newer_versions,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Entity, EntityKind, Reason
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_structure import is_unknown

CODE = "static-space"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a static or extern variable in a function if its address space is not allowed there.

    Constant is allowed, and global if the dialect has program-scope globals. In 1.2, any `static` is reported.
    """
    entity = fact.entity
    if fact.scope not in _IN_FUNCTIONS or entity.kind is not EntityKind.VARIABLE or not entity.name:
        return
    # `storage_place` is None if clang's extension cl_clang_storage_class_specifiers allows the specifier
    if dialect.version < 120 and fact.storage_place is not None:
        return
    if fact.storage == "static" and dialect.version == 120 and fact.storage_place is not None:
        yield _banned(fact, dialect)
    elif fact.storage in ("static", "extern") and not may_lie_in(entity, dialect):
        if _has_a_rule_of_its_own(entity):
            return
        yield _misplaced(fact, dialect)


def may_lie_in(entity: Entity, dialect: Dialect) -> bool:
    """Whether a variable with static storage duration is allowed in its address space.

    True if the space or the type is unknown; an unknown type may include an address space.
    """
    level = entity.levels[0]
    if level.reason is Reason.PROGRAM_NO_DEFAULT:
        return is_unknown(entity.type)
    if level.space in (Space.CONSTANT, Space.UNKNOWN):
        return True
    return level.space is Space.GLOBAL and dialect.program_scope_globals


def _has_a_rule_of_its_own(entity: Entity) -> bool:
    return opaque_category(entity.type) in ("sampler", "image", "pipe", "event") or points_to_function(
        entity.type
    )


def _banned(fact: Declaration, dialect: Dialect) -> Finding:
    entity, place = fact.entity, fact.storage_place or fact.entity.place
    fixes = [Fix("Remove `static`", (ReplaceTokens(place, ""),))]
    if entity.levels[0].space is Space.CONSTANT:
        fixes.append(create_move_out_fix(entity, OuterScope.PROGRAM, preferred=True))
    fixes += suggest_newer_versions(
        dialect, lambda newer: may_lie_in(entity, newer) or not entity.levels[0].written
    )
    message = f"variable `{entity.name}` in a function cannot be `static`: OpenCL C 1.2 allows it only at program scope"
    return Finding(CODE, Severity.ERROR, message, place, fixes=tuple(fixes))


def _misplaced(fact: Declaration, dialect: Dialect) -> Finding:
    entity = fact.entity
    level = entity.levels[0]
    allowed = "constant or global" if dialect.program_scope_globals else "constant"
    if level.reason is Reason.PROGRAM_NO_DEFAULT:
        why = f"{dialect.title} has no default"
    else:
        why = f"here it is {level.space.word}"
    return Finding(
        CODE,
        Severity.ERROR,
        f"{fact.storage} variable `{entity.name}` must be in {allowed} memory; {why}",
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    entity = fact.entity
    own = fixable_origin(entity, 0)
    initialised = fact.initialiser is not None and fact.initialiser.constancy is not Constancy.NOT_CONSTANT
    if dialect.program_scope_globals:
        yield Fix(f"Put `{entity.name}` into global memory", (SetSpace(own, Space.GLOBAL),))
    if initialised or fact.storage == "extern":
        yield Fix(f"Put `{entity.name}` into constant memory", (SetSpace(own, Space.CONSTANT),))
    if fact.storage_place is not None and fact.storage == "static":
        yield Fix("Remove `static`", (ReplaceTokens(fact.storage_place, ""),))
    if entity.levels[0].written and dialect.program_scope_globals:
        yield create_qualifier_removal_fix(entity, 0, f"Remove `{entity.levels[0].space.word}`")
    if entity.levels[0].space not in (Space.LOCAL, Space.PRIVATE) or not entity.levels[0].written:
        yield from suggest_newer_versions(dialect, lambda newer: newer.program_scope_globals)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "entity.name?",
            "entity.type",
            "scope",
            "storage",
            "storage_place?",
        ),
        invalidates=True,
    ),
)
