"""Checks a sample of the random programs that clang accepts, and of the types of random expressions."""

from __future__ import annotations

import pytest
from openclsp.language.dialect import Dialect

from ..language.clang import needs_clang
from .accepted_programs import accepted_texts
from .expression_types import differing_types
from .ours import diagnostics_of_text
from .programs.random_grammar import random_grammar, random_types

DIALECTS = ("CL1.2", "CL2.0", "CL3.0")


@needs_clang
@pytest.mark.parametrize("name", DIALECTS)
def test_programs_that_clang_accepts_have_no_errors(name: str) -> None:
    dialect = Dialect.of(name)
    texts, rejected = accepted_texts([each.text for each in random_grammar(4, seed=112)], dialect)
    assert all(texts)
    assert len(rejected) < 60, "nearly all lines are valid"
    assert not [each for text in texts for each in diagnostics_of_text(text, dialect) if each.is_error]


@needs_clang
@pytest.mark.parametrize("name", DIALECTS)
def test_expressions_have_the_types_that_they_have_in_clang(name: str) -> None:
    dialect = Dialect.of(name)
    compared = differing_types([each.text for each in random_types(4, seed=1)], dialect)
    assert not compared.differing
    assert compared.count > 100


@needs_clang
def test_rejected_lines_are_blanked() -> None:
    texts, rejected = accepted_texts(["void f(void) {\nint a = b;\nint c;\n}\n"], Dialect.of("CL1.2"))
    assert texts == ["void f(void) {\n\nint c;\n}\n"]
    assert [line for _, line in rejected] == ["int a = b;"]
