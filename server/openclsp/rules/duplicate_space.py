"""Repeated address space qualifiers at one level of a type (OpenCL C 6.7; clang only warns)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.rules.finding import Finding, Fix, ReplaceLeaves, Severity
from openclsp.rules.qualifiers import wherever_written
from openclsp.semantics.entities import Entity, Place, Reason

CODE = "duplicate-space"


def _of_entity(entity: Entity) -> Iterator[Finding]:
    for level in entity.levels:
        seen = {level.space} if level.reason is Reason.TYPEDEF else set()
        for space, leaf in level.written:
            if space in seen:
                place = Place(leaf, leaf + 1)
                yield Finding(
                    CODE,
                    Severity.WARNING,
                    f"repeated `{space.word}`: this level of the type already has that address space",
                    place,
                    fixes=(
                        Fix(f"Remove the second `{space.word}`", (ReplaceLeaves(place, ""),), preferred=True),
                    ),
                )
            seen.add(space)


RULES = wherever_written(CODE, _of_entity)
