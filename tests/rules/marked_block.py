"""Compares the diagnostics and hovers of a kernel with its marks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.hover.hover import compute_hover

from .analysis import NAME, analyse, line_and_columns, offset_of
from .marked_page import Block, marked_kernels


def marked_cases(path: Path) -> list[ParameterSet]:
    """Test parameters for the kernels of a Markdown file: each block in each of its dialects."""
    return [
        pytest.param(block, dialect, id=f"{block.name}-{dialect}")
        for block in marked_kernels(path)
        for dialect in block.dialects
    ]


def assert_marks(block: Block, dialect: str) -> None:
    """Checks the diagnostics and hovers of a kernel that has at least one mark."""
    assert block.hovers or block.marks, "the kernel has no mark"
    assert_marked_hovers(block, dialect)
    assert_marked_diagnostics(block, dialect)


def assert_marked_diagnostics(block: Block, dialect: str) -> None:
    """Checks that the marked diagnostics, and no others, are reported."""
    found = compute_diagnostics(analyse(block.text, dialect, block.severities))
    at_end = Counter((mark.line, mark.severity, mark.code) for mark in block.marks if mark.columns is None)
    below = Counter((mark.line, mark.severity, mark.code) for mark in block.marks if mark.columns is not None)
    reported = Counter(_describe(diagnostic, block.text) for diagnostic in found)
    assert reported == at_end | below, f"in {dialect}:\n" + "\n".join(
        f"line {_describe(each, block.text)[0] + block.line}: {each.code}: {each.message}" for each in found
    )
    messages = {(each.code, *line_and_columns(block.text, each.location)): each.message for each in found}
    for mark in block.marks:
        if mark.columns is not None:
            message = messages.get((mark.code, mark.line, mark.columns))
            assert message is not None, (dialect, sorted(messages))
            assert message.endswith(mark.says)


def assert_marked_hovers(block: Block, dialect: str) -> None:
    """Checks that each marked hover shows what its mark states."""
    unit = analyse(block.text, dialect)
    for mark in block.hovers:
        answer = compute_hover(unit, NAME, offset_of(block.text, mark.line, mark.column))
        assert answer is not None, f"{dialect}: no hover on line {mark.line + block.line}"
        spaces = {each.level: space for each, space in zip(answer.why, answer.spaces, strict=True)}
        why = {each.level: each.reason for each in answer.why}
        note = next((note for note in answer.notes if note == mark.expected), answer.notes)
        shown = {
            "type": answer.type,
            "object": spaces.get(0),
            "space": spaces.get(1),
            "why": why.get(1),
            "note": note,
        }
        assert shown[mark.what] == mark.expected, f"{dialect}, line {mark.line + block.line}: {answer.type}"


def _describe(diagnostic: Diagnostic, text: str) -> tuple[int, str, str]:
    line, _ = line_and_columns(text, diagnostic.location)
    return line, diagnostic.severity.value, diagnostic.code
