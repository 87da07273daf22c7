"""A type with two address spaces, written here or in a typedef (OpenCL C 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.shared.qualifiers import create_written_type_rules, related_typedef
from openclsp.semantics.facts.entities import (
    Entity,
    Level,
    Place,
    Reason,
)

CODE = "multiple-spaces"


def _of_entity(entity: Entity) -> Iterator[Finding]:
    for number, level in enumerate(entity.levels):
        if level.reason is Reason.TYPEDEF:
            yield from _against_typedef(entity, number, level)
        elif len(set(level.written_spaces)) > 1:
            yield _in_text(level)


def _in_text(level: Level) -> Finding:
    first, _ = level.written[0]
    second, token_index = next(pair for pair in level.written if pair[0] is not first)
    return Finding(
        CODE,
        Severity.ERROR,
        f"`{second.word}` conflicts with `{first.word}`: an object is in one address space",
        Place(token_index, token_index + 1),
        fixes=tuple(
            Fix(
                f"Keep only `{kept.word}`",
                tuple(
                    ReplaceTokens(Place(other, other + 1), "")
                    for space, other in level.written
                    if space is not kept
                ),
            )
            for kept in dict.fromkeys(level.written_spaces)
        ),
    )


def _against_typedef(entity: Entity, number: int, level: Level) -> Iterator[Finding]:
    for written, space in enumerate(level.written_spaces):
        if level.space not in (space, Space.UNKNOWN):
            _, token_index = level.written[written]
            yield Finding(
                CODE,
                Severity.ERROR,
                f"`{space.word}` conflicts with `{level.space.word}` from the typedef: an object is in one address space",
                Place(token_index, token_index + 1),
                related_typedef(entity, number),
                (
                    Fix(
                        f"Remove `{space.word}`",
                        (ReplaceTokens(Place(token_index, token_index + 1), ""),),
                        preferred=True,
                    ),
                ),
            )


RULES = create_written_type_rules(
    CODE,
    _of_entity,
    reads=("entity.levels[].reason", "entity.levels[].space", "entity.levels[].written_spaces"),
)
