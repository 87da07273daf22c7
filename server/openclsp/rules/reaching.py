"""Shared helpers for rules about generic pointers.

They describe the reaching address spaces and their sources.
"""

from __future__ import annotations

from openclsp.rules.finding import Related
from openclsp.semantics.facts.reaching import Reaching


def spaces_words(reaching: Reaching) -> str:
    """Lists the address spaces in words: `global or local`."""
    return " or ".join(space.word for space in reaching.spaces)


def related_sources(*reached: Reaching) -> tuple[Related, ...]:
    """The declarations of at most three of the reaching objects that the function itself names."""
    found = (
        Related(origin, f"`{name}` {'is' if origin.level == 0 else 'points into'} {space.word}")
        for reaching in reached
        for space, origin, name in reaching.sources
    )
    return tuple(dict.fromkeys(found))[:3]
