"""Shared helpers for rules about generic pointers: they describe the objects that a pointer can point to."""

from __future__ import annotations

from openclsp.rules.finding import RelatedDeclaration
from openclsp.semantics.facts.points_to import ReachingSpacesFact


def describe_reaching_spaces(reaching: ReachingSpacesFact) -> str:
    """Lists the address spaces that a pointer can point into: `global or local`."""
    return " or ".join(space.word for space in reaching.spaces)


def related_source_declarations(*reached: ReachingSpacesFact) -> tuple[RelatedDeclaration, ...]:
    """Returns at most three declarations of objects and parameters from which the pointers get addresses.

    Only objects and parameters that the same function names are included.
    """
    found = (
        RelatedDeclaration(origin, f"`{name}` {'is' if origin.level == 0 else 'points into'} {space.word}")
        for reaching in reached
        for space, origin, name in reaching.sources
    )
    return tuple(dict.fromkeys(found))[:3]
