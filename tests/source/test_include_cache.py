"""The cache of preprocessed included documents is bounded."""

from __future__ import annotations

from openclsp.source import document_preprocessing, include_cache
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import PreprocessorOptions, Refusal

from ..interpreted import interpreted

pytestmark = interpreted(include_cache)

NAMES = [f"h{number}.h" for number in range(20)]


class Headers:
    def load(self, name: str, angled: bool, includer: str) -> Document | Refusal:
        return Document.of(f"/{name}", b"int declared_in_%s;\n" % name[:-2].encode())


def misses_of(cache: IncludeCache, names: list[str]) -> int:
    """The number of these headers that must be preprocessed."""
    before = cache.misses
    text = "".join(f'#include "{name}"\n' for name in names).encode()
    document_preprocessing.full(Document.of("/k.cl", text), PreprocessorOptions(), Headers(), cache)
    return cache.misses - before


def test_headers_used_last_are_kept(monkeypatch):
    size = len("int declared_in_h1;\n")
    monkeypatch.setattr(include_cache, "MAXIMUM_BYTES", 5 * (size + 1))
    cache = IncludeCache()
    assert misses_of(cache, NAMES[:4]) == 4
    assert misses_of(cache, NAMES[:4]) == 0
    assert misses_of(cache, NAMES[4:6]) == 2
    assert misses_of(cache, NAMES[1:6]) == 0
    assert misses_of(cache, NAMES[:1]) == 1


def test_a_text_above_the_limit_is_kept_until_the_next(monkeypatch):
    monkeypatch.setattr(include_cache, "MAXIMUM_BYTES", 1)
    cache = IncludeCache()
    assert misses_of(cache, NAMES[:1]) == 1
    assert misses_of(cache, NAMES[:1]) == 0
    assert misses_of(cache, NAMES) == 19
