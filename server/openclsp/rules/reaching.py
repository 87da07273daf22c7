"""What the rules about generic pointers share: the words for what reaches one, and the objects that it comes from."""

from __future__ import annotations

from openclsp.rules.finding import Related
from openclsp.semantics.facts.reaching import Reaching


def spaces_words(reaching: Reaching) -> str:
    """The spaces in words: `global or local`."""
    return " or ".join(space.word for space in reaching.spaces)


def related_sources(*reached: Reaching) -> tuple[Related, ...]:
    """The declarations of the objects that the function itself names."""
    found = (
        Related(origin, f"`{name}` {'is' if origin.level == 0 else 'points into'} {space.word}")
        for reaching in reached
        for space, origin, name in reaching.sources
    )
    return tuple(dict.fromkeys(found))[:3]
