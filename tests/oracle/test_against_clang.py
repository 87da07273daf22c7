"""Some hundred of the generated programs, held against clang where it is installed."""

from __future__ import annotations

import pytest
from openclsp.language.dialect import EIGHT, Dialect

from ..language.clang import needs_clang
from .clang import errors_of_texts
from .deviations import explained
from .ours import diagnostics_of_text
from .programs import programs

STEP = 41
"""A prime, so that a matrix of 25 programs gives another of its corners at each turn."""


@needs_clang
@pytest.mark.parametrize("dialect", EIGHT, ids=lambda dialect: dialect.name)
def test_the_same_lines_are_errors(dialect: Dialect) -> None:
    tried = list(programs())[EIGHT.index(dialect) :: STEP]
    texts = [program.text for program in tried]
    differing = []
    for program, theirs in zip(tried, errors_of_texts(texts, dialect), strict=True):
        report = diagnostics_of_text(program.text, dialect)
        clang = {error.line: error.message for error in theirs}
        ours = {item.line: item.message for item in report if item.is_error}
        for line in sorted(clang.keys() ^ ours.keys()):
            by_clang = line in clang
            message = clang[line] if by_clang else ours[line]
            if not explained(program.text, message, by_clang):
                differing.append((program.name, line, "clang" if by_clang else "openclsp", message))
    assert not differing


def test_each_program_has_its_own_name() -> None:
    names = [program.name for program in programs()]
    assert len(names) == len(set(names))
    assert len(names) > 10_000
