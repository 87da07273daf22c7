"""Every kernel of every page, held against clang where it is installed: the same lines have errors."""

from __future__ import annotations

import re

import pytest
from openclsp.language.dialect import Dialect
from openclsp.rules.page import Block, Page, page_codes, read_page, strip_marks

from ..language.clang import QUIETLY, needs_clang, run_clang

PAGES = {code: read_page(code) for code in page_codes()}
BLOCKS = [
    pytest.param(page, block, dialect, id=f"{code}-{block.name or block.line}-{dialect}")
    for code, page in PAGES.items()
    for block in page.blocks
    for dialect in block.dialects
]

_ERROR = re.compile(r"<stdin>:(\d+):\d+: (?:fatal )?error: (.*)")


def clang_errors(text: str, dialect: str) -> dict[int, str]:
    """Line (from 0) and message of each line on which clang sees an error."""
    shown = run_clang(Dialect.of(dialect), text, "-fsyntax-only", "-w", *QUIETLY).stderr
    return {int(line) - 1: message for line, message in _ERROR.findall(shown)}


@needs_clang
@pytest.mark.parametrize(("page", "block", "dialect"), BLOCKS)
def test_clang_sees_errors_on_the_marked_lines(page: Page, block: Block, dialect: str) -> None:
    marked = {mark.line for mark in block.marks if mark.severity == "error"}
    found = clang_errors(block.text, dialect)
    if block.clang_differs:
        assert set(found) != marked, f"clang agrees with {page.code}, line {block.line}: it no longer differs"
    else:
        assert set(found) == marked, f"{page.code}, page line {block.line}: clang says {found}"


WITH_FIXES = [case for case in BLOCKS if case.values[1].fixes]  # type: ignore[union-attr]


@needs_clang
@pytest.mark.parametrize(("page", "block", "dialect"), WITH_FIXES)
def test_clang_sees_fewer_errors_after_each_fix(page: Page, block: Block, dialect: str) -> None:
    before = len(clang_errors(strip_marks(block.text), dialect))
    for fix in block.fixes:
        if dialect not in fix.dialects:
            continue
        after = clang_errors(strip_marks(block.text if fix.dialect else fix.text), fix.dialect or dialect)
        errors = any(mark.severity == "error" for mark in block.marks)
        assert len(after) < before or not errors, f"{page.code}: `{fix.title}` leaves {after}"
