"""The cache of preprocessed included documents is bounded."""

from __future__ import annotations

import pytest
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


class OneHeader:
    def __init__(self, text: bytes) -> None:
        self.document = Document.of("/h.h", text)

    def load(self, name: str, angled: bool, includer: str) -> Document | Refusal:
        return self.document


@pytest.mark.parametrize(
    "header, misses",
    [
        (b"#define OUTER WORD\nint a;\n", 1),
        (b"#ifdef UNKNOWN\nint b = WORD;\n#endif\nint a;\n", 1),
        (b"#define OUTER WORD\n#undef WORD\nint a;\n", 3),
        (b"int a = WORD;\n", 3),
        (b"#ifdef WORD\nint a;\n#endif\n", 3),
    ],
)
def test_a_header_that_names_a_macro_is_preprocessed_again_if_it_reads_or_changes_it(
    header: bytes, misses: int
) -> None:
    cache, headers = IncludeCache(), OneHeader(header)
    for definition in (b"#define WORD 1", b"", b"#define WORD 2", b"#define WORD 2"):
        root = Document.of("/k.cl", definition + b'\n#include "h.h"\n')
        found, alone = (
            document_preprocessing.full(root, PreprocessorOptions(), headers, each)
            for each in (cache, IncludeCache())
        )
        own, expected = (each.includes[0].preprocessed for each in (found, alone))
        assert (own.text, own.macros.keys()) == (expected.text, expected.macros.keys())
        for at in (0, len(header)):
            was, now = (each.source_map.history.macro_at(b"WORD", at) for each in (expected, own))
            assert (now and now.text) == (was and was.text)
    assert cache.misses == misses
