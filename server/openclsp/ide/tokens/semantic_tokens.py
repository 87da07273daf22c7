"""Semantic tokens: the kind of every token of a document, and the address space that the token refers to.

The tokens are cached per group of items, relative to the start of the group. After an edit, only the groups
that were edited or whose meanings changed are recomputed, and the response contains the delta to the previous
one.

A name of pointer type has the address space of its pointee, and an array that of its elements. Any other
object has its own address space, unless that is private. Under `&`, a name has the address space of the
object itself. If the flow analysis finds exactly one address space for a generic pointer, its name has this
address space in addition.
"""

from __future__ import annotations

from openclsp.ide.document_part import find_part
from openclsp.ide.tokens.nested_include_tokens import compute_nested_include_tokens
from openclsp.ide.tokens.token_blocks import compute_macro_meanings
from openclsp.ide.tokens.token_cache import (
    FLOW_TOKEN_MEANINGS,
    SemanticTokensResult,
    TokenCache,
    make_identity,
)
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.database.unit_inputs import TRACK_NAME_SPACES
from openclsp.semantics.flow.flow_queries import solution
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.text import Encoding


def compute_semantic_tokens(
    unit: TranslationUnit, document: str, encoding: Encoding, since: str = ""
) -> SemanticTokensResult:
    """Computes the tokens of a document of the unit.

    `since` identifies an earlier response; the result contains the delta to it. The caller must not keep the
    returned numbers, because the next call changes them.
    """
    unit.database.set(TRACK_NAME_SPACES, "", True)
    if unit.dialect.generic:
        solution(unit, FLOW)
    cache = _get_token_cache(unit, document, encoding)
    if cache is None:
        return SemanticTokensResult(make_identity(), compute_nested_include_tokens(unit, document, encoding))
    return cache.respond(unit, since)


def compute_tokens_between(
    unit: TranslationUnit, document: str, encoding: Encoding, first: int, last: int
) -> list[int]:
    """Computes the tokens of the lines from `first` to `last` (inclusive).

    The tokens are encoded relative to the start of the document.
    """
    cache = _get_token_cache(unit, document, encoding)
    if cache is None:
        # A document included inside an item of another one is short: all its tokens are returned.
        return compute_nested_include_tokens(unit, document, encoding).tolist()
    return cache.tokens_between(unit, first, last)


_TOKENS: UnitCache[TokenCache] = UnitCache("semantic tokens")


def _get_token_cache(unit: TranslationUnit, document: str, encoding: Encoding) -> TokenCache | None:
    """Returns the updated token cache of a document; None if the document has no items of its own."""
    unit.database.set(TRACK_NAME_SPACES, "", True)
    part = find_part(unit, document)
    if part is None:
        return None
    cache = unit.caches.get(_TOKENS)
    if cache is None or cache.encoding != encoding or cache.document != document:
        if cache is not None:
            unit.change_listeners[:] = [each for each in unit.change_listeners if each is not cache.pending]
        unit.database.watch(FLOW_TOKEN_MEANINGS).clear()
        now, groups = part.preprocessed, part.groups[:]
        cache = TokenCache(
            document,
            part,
            encoding,
            now,
            compute_macro_meanings(now.source_map),
            groups,
            [None] * len(groups),
        )
        unit.caches.set(_TOKENS, cache)
        unit.change_listeners.append(cache.pending)
    cache.update(unit, part)
    return cache
