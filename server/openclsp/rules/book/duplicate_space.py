"""Repeated address space qualifiers at one level of a type (OpenCL C 6.7; clang only warns)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.shared.qualifiers import create_written_type_rules
from openclsp.semantics.facts.entities import Entity, Place, Reason

CODE = "duplicate-space"


def _of_entity(entity: Entity) -> Iterator[Finding]:
    for level in entity.levels:
        seen = {level.space} if level.reason is Reason.TYPEDEF else set()
        for number, space in enumerate(level.written_spaces):
            if space in seen:
                _, token_index = level.written[number]
                place = Place(token_index, token_index + 1)
                yield Finding(
                    CODE,
                    Severity.WARNING,
                    f"repeated `{space.word}`: this level of the type already has that address space",
                    place,
                    fixes=(
                        Fix(f"Remove the second `{space.word}`", (ReplaceTokens(place, ""),), preferred=True),
                    ),
                )
            seen.add(space)


RULES = create_written_type_rules(
    CODE,
    _of_entity,
    reads=("entity.levels[].reason", "entity.levels[].space", "entity.levels[].written_spaces"),
)
