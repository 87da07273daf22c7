"""Reserved words: known facts, and clang's answer."""

from __future__ import annotations

import re

import pytest
from openclsp.language.builtin_types import BUILTIN_TYPES
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect
from openclsp.language.keywords import (
    ACCESS_QUALIFIERS,
    RESERVED_TYPE_NAMES,
    keywords,
)

from .clang import QUIETLY, needs_clang, run_clang

WORDS = {"uniform", "asm", "typeof", "class", "this", "nullptr", "kernel_exec", "i", *BUILTIN_TYPES}


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda d: d.name)
def test_nothing_can_be_called_like_a_keyword_and_only_that(dialect: Dialect) -> None:
    reserved = keywords(dialect)
    words = sorted(reserved | RESERVED_TYPE_NAMES | WORDS | {"pipe"})
    functions = "\n".join(f"void f{number}(void) {{ int {word}; }}" for number, word in enumerate(words))
    result = run_clang(dialect, functions, "-fsyntax-only", *QUIETLY)
    lines = {int(line) - 1 for line in re.findall(r"<stdin>:(\d+):\d+: (?:error|warning)", result.stderr)}
    assert {words[line] for line in lines} == reserved


@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda d: d.name)
def test_keywords_of_every_dialect(dialect: Dialect) -> None:
    reserved = keywords(dialect)
    assert {
        "global",
        "__global",
        "generic",
        "kernel",
        "read_write",
        "while",
        "image2d_t",
        "vec_step",
    } <= reserved
    assert not {"uchar", "float4", "sampler_t", "uniform"} & reserved
    assert ("pipe" in reserved) == (dialect.version >= 200)


def test_names_of_spaces_are_reserved_with_and_without_underscores() -> None:
    reserved = keywords(Dialect.of("CL1.0"))
    for word in ("global", "local", "constant", "private", "generic"):
        assert {word, f"__{word}"} <= reserved
    assert "shared" not in reserved


def test_access_qualifiers_have_two_spellings() -> None:
    assert ACCESS_QUALIFIERS["__read_only"] == ACCESS_QUALIFIERS["read_only"] == "read_only"
    assert len(ACCESS_QUALIFIERS) == 6


def test_type_names_without_a_meaning_are_reserved() -> None:
    assert {"bool4", "quad", "quad16", "double4x4", "complex"} <= RESERVED_TYPE_NAMES
    assert not RESERVED_TYPE_NAMES & BUILTIN_TYPES.keys()
