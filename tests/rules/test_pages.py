"""Every kernel of every page, in each of its dialects: exactly the marked diagnostics, hovers and fixes."""

from __future__ import annotations

from collections import Counter

import pytest
from openclsp.ide.answers import Diagnostic
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fixes import fixes
from openclsp.ide.hover import hover

from .analysis import NAME, analyse, applied, line_and_columns, offset_of
from .marked_page import Block, marked_pages, strip_marks

BLOCKS = [
    pytest.param(block, dialect, id=f"{page.code}-{block.name or block.line}-{dialect}")
    for page in marked_pages()
    for block in page.blocks
    for dialect in block.dialects
]
WITH_HOVERS = [case for case in BLOCKS if case.values[0].hovers]  # type: ignore[union-attr]
WITH_FIXES = [case for case in BLOCKS if case.values[0].fixes]  # type: ignore[union-attr]


def describe(diagnostic: Diagnostic, text: str) -> tuple[int, str, str]:
    line, _ = line_and_columns(text, diagnostic.location)
    return line, diagnostic.severity.value, diagnostic.code


@pytest.mark.parametrize(("block", "dialect"), BLOCKS)
def test_exactly_the_marked_diagnostics(block: Block, dialect: str) -> None:
    found = diagnostics(analyse(block.text, dialect, block.severities))
    at_end = Counter((mark.line, mark.severity, mark.code) for mark in block.marks if mark.columns is None)
    below = Counter((mark.line, mark.severity, mark.code) for mark in block.marks if mark.columns is not None)
    said = Counter(describe(diagnostic, block.text) for diagnostic in found)
    assert said == at_end | below, "\n".join(
        f"line {describe(each, block.text)[0] + block.line}: {each.code}: {each.message}" for each in found
    )
    places = {(each.code, *line_and_columns(block.text, each.location)): each.message for each in found}
    for mark in block.marks:
        if mark.columns is not None:
            message = places.get((mark.code, mark.line, mark.columns))
            assert message is not None, sorted(places)
            assert message.endswith(mark.says)


@pytest.mark.parametrize(("block", "dialect"), WITH_HOVERS)
def test_the_marked_hovers(block: Block, dialect: str) -> None:
    unit = analyse(block.text, dialect)
    for mark in block.hovers:
        shown = hover(unit, NAME, offset_of(block.text, mark.line, mark.column))
        assert shown is not None, f"no hover on line {mark.line + block.line}"
        spaces = dict(enumerate(shown.spaces))
        why = {each.level: each.reason for each in shown.why}
        note = next((note for note in shown.notes if note == mark.expected), shown.notes)
        answers = {"object": spaces.get(0), "space": spaces.get(1), "why": why.get(1), "note": note}
        said = {**answers, "type": shown.type}[mark.what]
        assert said == mark.expected, f"line {mark.line + block.line}: {shown.type}"


@pytest.mark.parametrize(("block", "dialect"), WITH_FIXES)
def test_the_fixes(block: Block, dialect: str) -> None:
    unit = analyse(block.text, dialect, block.severities)
    offered = []
    for diagnostic in diagnostics(unit):
        found = fixes(unit, diagnostic)
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
