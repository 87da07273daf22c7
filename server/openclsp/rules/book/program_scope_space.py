"""A program-scope variable in a space that the dialect does not allow there (OpenCL C 6.7.1, 6.7.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.book.static_space import may_lie_in
from openclsp.rules.finding import Finding, Fix, MoveIntoKernel, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_qualifier_removal_fix,
    fixable_origin,
    innermost_element,
    opaque_category,
    points_to_function,
    qualifier_place,
    related_typedef,
    suggest_newer_versions,
    suggest_zero_initialiser,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind, Reason
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_model import Pointer, Unknown

CODE = "program-scope-space"

_RULED_ELSEWHERE = ("sampler", "image", "pipe", "event", "clk_event", "reserve_id")


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a program-scope variable in a space that the dialect does not allow there.

    Constant is allowed in every dialect, and global if the dialect has program-scope globals.
    """
    entity = fact.entity
    if fact.scope is not Scope.PROGRAM or entity.kind is not EntityKind.VARIABLE or not entity.name:
        return
    if may_lie_in(entity, dialect) or opaque_category(entity.type) in _RULED_ELSEWHERE:
        return
    if points_to_function(entity.type):
        return
    if isinstance(innermost_element(entity.type), Unknown) and not entity.levels[0].written_spaces:
        # an unknown type may include an address space
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        _message(fact, dialect),
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


def _message(fact: Declaration, dialect: Dialect) -> str:
    entity = fact.entity
    level = entity.levels[0]
    allowed = "constant or global" if dialect.program_scope_globals else "constant"
    message = f"program-scope variable `{entity.name}` must be in {allowed} memory"
    if level.reason is not Reason.PROGRAM_NO_DEFAULT:
        version = "" if dialect.program_scope_globals else f" in {dialect.title}"
        return f"{message}{version}; here it is {level.space.word}"
    message += f" in {dialect.title}"
    pointee = entity.levels[1] if isinstance(innermost_element(entity.type), Pointer) else None
    if pointee is not None and pointee.written and pointee.space is not Space.UNKNOWN:
        message += f": `{pointee.space.word}` qualifies its pointee, not the pointer itself"
    return message


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    entity = fact.entity
    own = fixable_origin(entity, 0)
    space = entity.levels[0].space
    if fact.initialiser is None and fact.storage != "extern" and space in (Space.LOCAL, Space.PRIVATE):
        title = f"Move `{entity.name}` into the kernel that uses it"
        yield Fix(title, (MoveIntoKernel(entity.ref),), preferred=space is Space.LOCAL)
    constant = fact.initialiser is not None and fact.initialiser.constancy is not Constancy.NOT_CONSTANT
    if constant or fact.storage == "extern":
        title = f"Put `{entity.name}` into constant memory"
        yield Fix(title, (SetSpace(own, Space.CONSTANT),), preferred=not dialect.program_scope_globals)
    if dialect.program_scope_globals:
        yield Fix(f"Put `{entity.name}` into global memory", (SetSpace(own, Space.GLOBAL),))
        if entity.levels[0].written:
            yield create_qualifier_removal_fix(
                entity, 0, f"Remove `{entity.levels[0].space.word}`: the default is global"
            )
    elif entity.levels[0].space in (Space.GLOBAL, Space.UNKNOWN) or not entity.levels[0].written:
        yield from suggest_newer_versions(dialect, lambda newer: newer.program_scope_globals)
    if fact.initialiser is None and fact.storage != "extern" and not dialect.program_scope_globals:
        for change in suggest_zero_initialiser(entity):
            title = f"Put `{entity.name}` into constant memory, initialised with 0"
            yield Fix(title, (SetSpace(own, Space.CONSTANT), change))


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "entity.levels[].written_spaces?",
            "entity.name?",
            "entity.type",
            "scope",
        ),
        invalidates=True,
    ),
)
