"""The analysis gives a result for any text and raises nothing.

`FUZZ_EXAMPLES=5000 pytest tests/fuzz` tries more than the few examples of a usual run.
"""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_markdown
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.read_permission import ReadPermission
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import UnitConfig

from ..rules.marked_page import marked_rules, strip_marks

NAME = "/folder/kernel.cl"
CL20 = Dialect.of("CL2.0")
KERNELS = Path(__file__).parents[1] / "kernels"

TEXTS = [
    *(path.read_bytes() for path in sorted(KERNELS.rglob("*.cl*"))),
    *(strip_marks(block.text).encode() for page in marked_rules() for block in page.blocks),
]

WORDS = b"""kernel __kernel global local constant private generic const volatile restrict static extern inline typedef
struct union enum int uint float4 void half double size_t bool image2d_t sampler_t event_t pipe read_only __attribute__
((packed)) sizeof return if else for while do switch case default goto break main f g x y a S T { } ( ) [ ] ; , * & . ->
= == != < + - / % ! ~ ? : ^ ... # ## \n #define #undef #include #if #ifdef #else #endif #elif #pragma defined
"kernel.cl" <x.h> "text" 'c' 0 1 42u 0x1p3f 1.5 // /* */ \\ __VA_ARGS__ _Pragma __LINE__ NULL @ $ `""".split(
    b" "
)

per_test = settings(
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "60")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class _Raising(logging.Handler):
    """Turns exceptions that the analysis catches and logs into failures."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            raise record.exc_info[1]


@pytest.fixture(autouse=True, scope="module")
def nothing_is_swallowed() -> Iterator[None]:
    logger, handler = logging.getLogger("openclsp"), _Raising(logging.ERROR)
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)


def analysed(data: bytes, dialect: Dialect = CL20) -> tuple[TranslationUnit, tuple[Diagnostic, ...]]:
    """Returns the unit of a text, with its diagnostics."""
    configuration = BuildConfiguration(dialect)
    document = Document.of(NAME, data)
    files = DocumentStore(open_documents={NAME: document})
    loader = IncludeLoader(configuration, ReadPermission(("/folder",)), files)
    unit = TranslationUnit(
        UnitConfig(NAME, configuration, ConfigurationOrigins("chosen by the test")), document, loader
    )
    return unit, compute_diagnostics(unit, header_bodies=True)


def answer(data: bytes, dialect: Dialect, seed: int) -> None:
    """Requests everything about a text once, with hovers and fixes at some positions."""
    unit, found = analysed(data, dialect)
    for each in found:
        place = each.location
        assert 0 <= place.start <= place.end
        assert place.document != NAME or place.end <= len(data)
    chosen = random.Random(seed)
    for each in chosen.sample(found, min(2, len(found))):
        compute_fixes(unit, each, header_bodies=True)
    for _ in range(3):
        answered = compute_hover(unit, NAME, chosen.randint(0, len(data)))
        assert answered is None or render_markdown(answered, lambda step: "")
    assert unit.document.text.data == data


dialects = st.sampled_from(REFERENCE_DIALECTS)
seeds = st.integers(0, 2**16)
texts = st.sampled_from(TEXTS)


@per_test
@given(st.binary(max_size=400), dialects, seeds)
def test_random_bytes(data, dialect, seed):
    answer(data, dialect, seed)


@per_test
@given(st.lists(st.sampled_from(WORDS), max_size=60), dialects, seeds)
def test_random_words(words, dialect, seed):
    answer(b" ".join(words), dialect, seed)


@per_test
@given(texts, st.floats(0, 1), dialects, seeds)
def test_truncated_kernels(text, part, dialect, seed):
    answer(text[: int(len(text) * part)], dialect, seed)


@per_test
@given(
    texts, st.lists(st.tuples(st.floats(0, 1), st.integers(1, 12)), min_size=1, max_size=4), dialects, seeds
)
def test_kernels_with_holes(text, holes, dialect, seed):
    for part, length in holes:
        at = int(len(text) * part)
        text = text[:at] + text[at + length :]
    answer(text, dialect, seed)


@per_test
@given(texts, st.floats(0, 1), st.lists(st.sampled_from(WORDS), max_size=5), dialects, seeds)
def test_kernels_with_something_put_in(text, part, words, dialect, seed):
    at = int(len(text) * part)
    answer(text[:at] + b" ".join(words) + text[at:], dialect, seed)


@per_test
@given(texts, texts, st.floats(0, 1), st.floats(0, 1), dialects, seeds)
def test_two_halves_of_kernels(first, second, end, start, dialect, seed):
    answer(first[: int(len(first) * end)] + second[int(len(second) * start) :], dialect, seed)


@pytest.mark.parametrize(
    "data",
    [
        b"(" * 20_000,
        b"{" * 20_000,
        b"*" * 20_000,
        b"int x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b";",
        b"int x = " + b"-" * 20_000 + b"1;",
        b"int x = 1" + b" + 1" * 20_000 + b";",
        b"int x = " + b"1 ? " * 3_000 + b"1" + b" : 1" * 3_000 + b";",
        b"int " + b"*" * 5_000 + b"p;",
        b"int " + b"(" * 5_000 + b"p" + b")" * 5_000 + b";",
        b"int a" + b"[1]" * 5_000 + b";",
        b"int x = f" + b"(1)" * 5_000 + b";",
        b"void f(void) { " + b"if (1) " * 5_000 + b"; }",
        b"void f(void) { " + b"{" * 5_000 + b"}" * 5_000 + b" }",
        b"struct S { " * 3_000 + b"int x; " + b"} s; " * 3_000,
        b"int x[] = " + b"{" * 5_000 + b"}" * 5_000 + b";",
        b"typedef int T0;\n"
        + b"".join(b"typedef T%d *T%d;\n" % (n, n + 1) for n in range(2_000))
        + b"T2000 x;",
        b"struct N { struct N next; int v; }; void f(struct N a) { struct N b = {&a}; }",
        b"#if 1\n" * 10_000,
        b"#if " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n#endif\n",
        b"#if " + b"!" * 20_000 + b"1\n#endif\n",
        b"#define A0 1\n" + b"".join(b"#define A%d A%d A%d\n" % (n + 1, n, n) for n in range(64)) + b"A64",
        b"#define F(x) F(x x)\nF(F(F(F(F(F(F(F(1))))))))",
        b"#define F(x) (x)\n" + b"F(" * 3_000 + b"1" + b")" * 3_000,
        b'#include "kernel.cl"\n#include "kernel.cl"\nint x;\n',
        b"\\\n" * 20_000,
        b"/*" * 20_000,
        b'"' * 20_001,
        b"a" * 200_000,
        b"\xff" * 20_000,
        b"\r" * 20_000,
        b"\0" * 20_000,
    ],
    ids=lambda data: data[:16].decode("utf-8", "replace"),
)
def test_without_bounds(data):
    """Nesting, lengths and expansions far beyond those of real programs."""
    answer(data, Dialect.of("CL2.0"), 0)
