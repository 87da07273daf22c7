"""Semantic tokens: the kind of every token of a document and the address space that it refers to.

They are cached per group of items, relative to the start of the group. After an edit, only the groups that it
touched or whose meanings changed are recomputed, and the response contains the delta to the previous one.

A name of pointer type has the address space of its pointee, an array that of its elements, and any other
object its own unless that is private. Under `&`, a name has the address space of the object itself. A generic
pointer additionally has the address space that the flow analysis finds, if it finds exactly one.
"""

from __future__ import annotations

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

    `since` is the identity of the earlier response to which a delta is computed. The numbers are shared and
    change with the next call.
    """
    unit.engine.set(TRACK_NAME_SPACES, "", True)
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

    They are encoded relative to the start of the document.
    """
    cache = _get_token_cache(unit, document, encoding)
    if cache is None:
        # A document included inside an item of another one is short: all its tokens are returned.
        return compute_nested_include_tokens(unit, document, encoding).tolist()
    return cache.tokens_between(unit, first, last)


_TOKENS: UnitCache[TokenCache] = UnitCache("semantic tokens")


def _get_token_cache(unit: TranslationUnit, document: str, encoding: Encoding) -> TokenCache | None:
    """Returns the updated token cache of a document; None if the document has no items of its own."""
    unit.engine.set(TRACK_NAME_SPACES, "", True)
    found = (each for each in unit.fragments() if each.preprocessed.document.name == document)
    fragment = next(found, None)
    if fragment is None:
        return None
    cache = unit.caches.get(_TOKENS)
    if cache is None or cache.encoding != encoding or cache.document != document:
        unit.engine.watch(FLOW_TOKEN_MEANINGS).clear()
        now, groups = fragment.preprocessed, fragment.groups[:]
        cache = TokenCache(
            document,
            fragment,
            encoding,
            now,
            compute_macro_meanings(now.source_map),
            groups,
            [None] * len(groups),
        )
        unit.caches.set(_TOKENS, cache)
    cache.update(unit, fragment)
    return cache
