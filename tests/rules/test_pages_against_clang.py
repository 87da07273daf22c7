"""Compares the errors of every kernel of every page with clang, where it is installed, in some of its dialects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from openclsp.language.dialect import Dialect

from ..dialects import tried_dialects
from ..language.clang import needs_clang
from ..oracle.clang import Error, errors_of_texts
from .marked_page import Block, FixBlock, MarkedPage, marked_pages, strip_marks


def in_one_process(dialect: str) -> pytest.MarkDecorator:
    """Marks a test to run in the same process as the others of this dialect, which use the same run of clang."""
    return pytest.mark.xdist_group(f"clang, {dialect}")


BLOCKS = [
    pytest.param(
        page,
        block,
        dialect,
        id=f"{page.code}-{block.name or block.line}-{dialect}",
        marks=in_one_process(dialect),
    )
    for page in marked_pages()
    for block in page.blocks
    for dialect in tried_dialects(block.dialects, block.line)
]
FIXES = [
    pytest.param(block, fix, dialect, id=f"{page.code}-{fix.line}-{dialect}", marks=in_one_process(dialect))
    for page in marked_pages()
    for block in page.blocks
    for fix in block.fixes
    for dialect in tried_dialects(fix.dialects, fix.line)
    if any(mark.severity == "error" for mark in block.marks)
]


def after(block: Block, fix: FixBlock) -> str:
    """The kernel after the fix; a change of language version does not change the text."""
    return strip_marks(block.text if fix.dialect else fix.text)


@cache
def clang_says(dialect: str) -> Mapping[str, list[Error]]:
    """Returns clang's errors for the kernels that are tried in a dialect, before and after each fix."""
    texts: set[str] = set()
    for page in marked_pages():
        for block in page.blocks:
            if dialect in tried_dialects(block.dialects, block.line):
                texts.add(block.text)
            for fix in block.fixes:
                tried = tried_dialects(fix.dialects, fix.line)
                if dialect in tried:
                    texts.add(strip_marks(block.text))
                if dialect in ((fix.dialect,) if fix.dialect else tried):
                    texts.add(after(block, fix))
    ordered = sorted(texts)
    return dict(zip(ordered, errors_of_texts(ordered, Dialect.of(dialect)), strict=True))


@needs_clang
@pytest.mark.parametrize(("page", "block", "dialect"), BLOCKS)
def test_clang_sees_errors_on_the_marked_lines(page: MarkedPage, block: Block, dialect: str) -> None:
    marked = {mark.line for mark in block.marks if mark.severity == "error"}
    errors = clang_says(dialect)[block.text]
    found = {error.line - 1 for error in errors}
    if block.clang_differs:
        assert found != marked, f"clang agrees with {page.code}, line {block.line}: it no longer differs"
    else:
        assert found == marked, f"{page.code}, page line {block.line}: clang says {errors}"


@needs_clang
@pytest.mark.parametrize(("block", "fix", "dialect"), FIXES)
def test_clang_sees_fewer_errors_after_a_fix(block: Block, fix: FixBlock, dialect: str) -> None:
    """There may be another error in the same line: clang reports one of several mismatches, and a fix may reveal the next one."""
    before = clang_says(dialect)[strip_marks(block.text)]
    left = clang_says(fix.dialect or dialect)[after(block, fix)]
    lines = {error.line for error in before}
    next_mismatch = len(left) == len(before) and left != before and all(each.line in lines for each in left)
    assert len(left) < len(before) or next_mismatch, f"`{fix.title}` leaves {left}"
