"""Names of similar spelling for a name that nothing declares."""

from __future__ import annotations

from typing import Final

from openclsp.language.near_names import near, near_in_declarations, near_in_language
from openclsp.semantics.typing.typing_context import TypingContext

_TAG_KEYWORDS: Final = ("struct", "union", "enum")


def near_names(ctx: TypingContext, name: str) -> tuple[str, ...]:
    """Returns the names of similar spelling; none if an unknown source may declare the name."""
    if ctx.names.may_be_declared_elsewhere(name):
        return ()
    tags = tuple(tag for keyword in _TAG_KEYWORDS if ctx.find_tag(tag := f"{keyword} {name}") is not None)
    if tags:
        # a tag is no type without its keyword (C99 6.7.2.3p7)
        return tags
    return near_in_declarations(name, ctx.dialect) or near(name, ctx.names.vocabulary())


def keywords_near(ctx: TypingContext, name: str) -> tuple[str, ...]:
    """Returns the keywords and built-in types of similar spelling; none if an unknown source may declare the name."""
    return () if ctx.names.may_be_declared_elsewhere(name) else near_in_language(name, ctx.dialect)


def is_tag_after_misspelling(ctx: TypingContext, node: int) -> bool:
    """Whether a misspelt keyword for a tag precedes a name, which is then no type: `strcut pair p;`."""
    before = ctx.table.token(ctx.table.first[node] - 1)
    return before.isidentifier() and any(each in _TAG_KEYWORDS for each in keywords_near(ctx, before))
