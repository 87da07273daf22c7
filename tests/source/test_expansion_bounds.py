"""The bounds on macro expansion do not depend on earlier results: on cached includes and on edits."""

from __future__ import annotations

import pytest
from openclsp.source import document_preprocessing, expander, expansion, line_reader
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import PreprocessorOptions, Refusal
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import edit_between

from ..interpreted import interpreted

OPTIONS = PreprocessorOptions({"__OPENCL_VERSION__": "120"}, ())
NAME = "k.cl"
LARGE = b"""\
#define A(x) x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(x))
"""
"""`C(+)` takes as many steps as one invocation may, `C()` fewer"""


class Headers:
    """A loader of headers with the given contents."""

    def __init__(self, **contents: bytes) -> None:
        self.contents = contents

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the header `NAME.h` with the content given for `NAME`."""
        return Document.of(name, self.contents[name.removesuffix(".h")])


def preprocessed(text: bytes, loader: Headers, cache: IncludeCache | None = None) -> Preprocessed:
    return document_preprocessing.full(Document.of(NAME, text), OPTIONS, loader, cache)


def problems(unit: Preprocessed) -> list[tuple[str, str]]:
    return [(each.document, each.message) for document in unit.units() for each in document.problems]


@pytest.mark.parametrize("use", [b"C(+)", b"C()", b"A(1)"])
def test_a_cached_header_leaves_the_bounds_that_it_left_before(use: bytes) -> None:
    """A macro with too large an expansion in a header is no longer expanded in the includer either."""
    loader, cache = Headers(h=LARGE + b"int h = 0 C(+ 1 + 1);\n"), IncludeCache()
    text = b'#include "h.h"\nint n = ' + use + b" 1;\n"
    preprocessed(text, loader, cache)
    misses = cache.misses
    again = preprocessed(text + b"int m;\n", loader, cache)
    assert cache.misses == misses
    fresh = preprocessed(text + b"int m;\n", loader)
    assert (again.text, problems(again)) == (fresh.text, problems(fresh))


def test_a_header_is_cached_for_the_bounds_before_it() -> None:
    loader, cache = Headers(large=LARGE, h=b"int h = 0 C(+ 1);\n", i=b"int i = 0 C();\n"), IncludeCache()
    texts = (
        b'#include "large.h"\n#include "i.h"\n',
        b'#include "large.h"\n#include "h.h"\n#include "i.h"\n',
        b'#include "large.h"\n#include "i.h"\n#include "h.h"\n',
    )
    for text in texts:
        cached, fresh = preprocessed(text, loader, cache), preprocessed(text, loader)
        results = [
            [(each.document.name, each.text, each.problems) for each in unit.units()]
            for unit in (cached, fresh)
        ]
        assert results[0] == results[1]


def _after_edits(texts: list[bytes], loader: Headers) -> None:
    """Checks that each text, reached by edits, has the result of a first run."""
    cache = IncludeCache()
    unit = preprocessed(texts[0], loader, cache)
    for text in texts[1:]:
        document = Document.of(NAME, text)
        edit = edit_between(unit.document.text, document.text)
        unit = document_preprocessing.update(unit, document, edit, OPTIONS, loader, cache).result
        fresh = preprocessed(text, loader)
        assert (unit.text, unit.problems) == (fresh.text, fresh.problems)


USE = b"int f%d(int n) { return n A(+ 1); }\n"
USES = b"".join(USE % number for number in range(4))
CHANGES = [
    LARGE + USES,
    b"#define ONE 1\n" + LARGE + USES,
    b"#define ONE 1\n" + LARGE + USES + USE % 5,
    b"#define ONE 1\n" + LARGE + USES + USE % 5 + USE % 6,
    b"#define ONE 1\n" + LARGE + USES,
    b"#define ONE 1\n" + LARGE + USES.replace(b"n A", b"n  A", 1),
    b"#define ONE 1\n#define TWO 2\n" + LARGE + USES + USE % 5,
    LARGE + USES + USE % 5 + USE % 6,
    b"#define ONE 1\n" + LARGE + USES + USE % 5,
    LARGE + USES,
]


@interpreted(line_reader)
def test_the_bytes_that_macros_produce_add_up_over_edits_of_directives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for bound in range(100, 300, 20):
        monkeypatch.setattr(line_reader, "MAXIMUM_PRODUCED_BYTES", bound)
        monkeypatch.setattr(document_preprocessing, "MAXIMUM_PRODUCED_BYTES", bound)
        _after_edits(CHANGES, Headers())


@interpreted(expander)
def test_the_steps_add_up_over_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    loader = Headers(h=b"#define H(x) x x x x\nint h = 0 H(+ 1);\n")
    changes = [b'#include "h.h"\n' + each for each in CHANGES]
    spent = expansion.MAXIMUM_STEPS_OF_RUN - preprocessed(changes[0], loader).trace.steps_left
    for more in range(-20, 60, 8):
        _bound_steps(monkeypatch, spent + more)
        _after_edits(changes, loader)


def test_a_cached_header_spends_its_steps() -> None:
    loader, cache = Headers(h=b"#define H(x) x x x x\nint h = 0 H(+ 1);\n"), IncludeCache()
    text = b'#include "h.h"\nint n = 0 H(+ 2);\n'
    first, again = preprocessed(text, loader, cache), preprocessed(text + b"\n", loader, cache)
    assert again.trace.steps_left == first.trace.steps_left < expansion.MAXIMUM_STEPS_OF_RUN


def _bound_steps(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """Bounds the steps of a run."""
    create = expander.Expander.__init__

    def bounded(self: expander.Expander, table: object) -> None:
        create(self, table)  # type: ignore[arg-type]
        self.steps_left = steps

    monkeypatch.setattr(expander.Expander, "__init__", bounded)
