"""Compares the errors marked in this folder's Markdown files with clang, where it is installed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect

from ..language.clang import needs_clang
from ..oracle.clang import errors_of_texts
from ..rules.marked_page import Block, marked_kernels

FILES = sorted(Path(__file__).parent.glob("*.md"))


@cache
def kernels_of(dialect: Dialect) -> tuple[Block, ...]:
    """The kernels that are valid input for a dialect."""
    return tuple(block for path in FILES for block in marked_kernels(path) if dialect.name in block.dialects)


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda dialect: dialect.name)
def test_clang_reports_errors_on_exactly_the_marked_lines(dialect: Dialect) -> None:
    blocks = kernels_of(dialect)
    wrong = []
    for block, errors in zip(blocks, errors_of_texts([each.text for each in blocks], dialect), strict=True):
        marked = {mark.line for mark in block.marks if mark.severity == "error"}
        if ({error.line - 1 for error in errors} == marked) == bool(block.clang_differs):
            wrong.append((block.name, marked, errors))
    assert blocks
    assert not wrong
