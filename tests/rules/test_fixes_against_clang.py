"""Every fix that is offered for any kernel of any page, held against clang: an error is gone, and none has come."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fixes import fixes
from openclsp.language.dialect import EIGHT, Dialect
from openclsp.rules.finding import Severity
from openclsp.rules.page import all_pages, strip_marks

from ..language.clang import needs_clang
from ..oracle.clang import errors_of_texts
from .analysis import analyse, applied


def offered(dialect: str) -> list[tuple[str, str, str, str]]:
    """(text before, title, text after, dialect after) of each fix of an error."""
    found = []
    for page in all_pages():
        for block in page.blocks:
            if dialect not in block.dialects or block.clang_differs:
                continue
            text = strip_marks(block.text)
            unit = analyse(text, dialect)
            for diagnostic in diagnostics(unit):
                if diagnostic.severity is Severity.ERROR:
                    found += [
                        (text, fix.title, applied(text, fix), fix.dialect or dialect)
                        for fix in fixes(unit, diagnostic)
                    ]
    return found


@needs_clang
@pytest.mark.parametrize("dialect", [dialect.name for dialect in EIGHT])
def test_every_offered_fix_leaves_fewer_errors(dialect: str) -> None:
    cases = offered(dialect)
    assert cases, "no fix at all"
    counts: dict[tuple[str, str], int] = {}
    for name in {after for *_, after in cases} | {dialect}:
        texts = sorted({text for text, _, _, _ in cases} | {after for _, _, after, _ in cases})
        for text, errors in zip(texts, errors_of_texts(texts, Dialect.of(name)), strict=True):
            counts[name, text] = len(errors)
    wrong = [
        f"{title}\n{after}"
        for text, title, after, name in cases
        if counts[name, after] >= counts[dialect, text]
    ]
    assert not wrong, "\n".join(wrong)
