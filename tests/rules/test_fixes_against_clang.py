"""Every fix offered for a kernel of the rule pages removes one of clang's errors and adds none.

Of a conversion with several mismatches, clang reports the first: after it is fixed, the next one may be reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Severity

from ..dialects import DIALECTS, tried_dialects
from ..ide.applied_fixes import mismatches_of, moved
from ..language.clang import needs_clang
from ..oracle.clang import Error, errors_of_texts
from .analysis import analyse, applied
from .marked_page import marked_pages, strip_marks


@dataclass(frozen=True, slots=True)
class Case:
    """A fix of an error: the text before and after, and the dialect after."""

    before: str
    after: str
    dialect: str
    fix: CheckedFix
    mismatches: int
    """Of the conversion whose error is fixed"""

    def lines(self, errors: Iterable[Error]) -> set[int]:
        """The lines after the fix that correspond to these errors of the original text."""
        starts = [0, *(match.end() for match in re.finditer(b"\n", self.before.encode()))]
        ends = [each - 1 for each in starts[1:]] + [len(self.before.encode())]
        after = self.after.encode()
        found = set()
        for error in errors:
            for offset in (starts[error.line - 1], ends[error.line - 1]):
                found.add(after.count(b"\n", 0, moved(offset, self.fix)) + 1)
        return found


def offered(dialect: str) -> Iterator[Case]:
    """Yields every fix of every error in the blocks that are tried in a dialect."""
    for page in marked_pages():
        for block in page.blocks:
            if dialect not in tried_dialects(block.dialects, block.line) or block.clang_differs:
                continue
            text = strip_marks(block.text)
            unit = analyse(text, dialect)
            for diagnostic in compute_diagnostics(unit):
                if diagnostic.severity is Severity.ERROR:
                    for fix in compute_fixes(unit, diagnostic):
                        yield Case(
                            text,
                            applied(text, fix),
                            fix.dialect or dialect,
                            fix,
                            len(mismatches_of(diagnostic)),
                        )


@needs_clang
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_offered_fix_leaves_fewer_errors_and_none_elsewhere(dialect: str) -> None:
    cases = list(offered(dialect))
    assert cases, "no fix at all"
    errors: dict[tuple[str, str], list[Error]] = {}
    texts: dict[str, dict[str, None]] = {dialect: {}}
    for case in cases:
        texts[dialect][case.before] = None
        texts.setdefault(case.dialect, {})[case.after] = None
    for name, each in texts.items():
        for text, found in zip(each, errors_of_texts(list(each), Dialect.of(name)), strict=True):
            errors[name, text] = found
    wrong = []
    for case in cases:
        before, after = errors[dialect, case.before], errors[case.dialect, case.after]
        fewer = len(before) - len(after)
        if fewer < (case.mismatches < 2) or not {error.line for error in after} <= case.lines(before):
            wrong.append(f"{case.fix.title} ({len(before)} -> {len(after)})\n{case.after}\n{after}")
    assert not wrong, "\n".join(wrong)
