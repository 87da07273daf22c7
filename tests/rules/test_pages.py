"""Every kernel of every page has exactly the marked diagnostics, hovers and fixes in each of its dialects."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes.fixes import compute_fixes

from .analysis import analyse, applied
from .marked_block import assert_marked_diagnostics, assert_marked_hovers
from .marked_page import Block, marked_pages, strip_marks

BLOCKS = [
    pytest.param(block, id=f"{page.code}-{block.name or block.line}")
    for page in marked_pages()
    for block in page.blocks
]
WITH_HOVERS = [case for case in BLOCKS if case.values[0].hovers]  # type: ignore[union-attr]
WITH_FIXES = [
    pytest.param(block, dialect, id=f"{page.code}-{block.name or block.line}-{dialect}")
    for page in marked_pages()
    for block in page.blocks
    for dialect in block.dialects
    if block.fixes
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_has_exactly_the_marked_diagnostics(block: Block) -> None:
    for dialect in block.dialects:
        assert_marked_diagnostics(block, dialect)


@pytest.mark.parametrize("block", WITH_HOVERS)
def test_the_marked_hovers_show_what_their_marks_state(block: Block) -> None:
    for dialect in block.dialects:
        assert_marked_hovers(block, dialect)


@pytest.mark.parametrize(("block", "dialect"), WITH_FIXES)
def test_each_fix_gives_the_text_of_its_block(block: Block, dialect: str) -> None:
    unit = analyse(block.text, dialect, block.severities)
    offered = []
    for diagnostic in compute_diagnostics(unit):
        found = compute_fixes(unit, diagnostic)
        assert sum(fix.preferred for fix in found) <= 1, (
            f"more than one is preferred for {diagnostic.message}"
        )
        offered += found
    for expected in block.fixes:
        if dialect not in expected.dialects:
            continue
        named = [fix for fix in offered if fix.title == expected.title]
        assert named, f"no fix `{expected.title}` among {[fix.title for fix in offered]}"
        if expected.dialect:
            assert [fix.dialect for fix in named] == [expected.dialect] * len(named)
        else:
            after = [strip_marks(applied(block.text, fix)) for fix in named]
            assert strip_marks(expected.text) in after, after[0]
        if expected.preferred:
            assert any(fix.preferred for fix in named)
