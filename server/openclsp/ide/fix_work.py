"""The budget of analysis for computing the fixes of one file.

It is counted in typed tokens instead of time, so that the same file always has the same fixes. The cost of a
candidate grows with the function that it edits, so the candidates of a function full of faults would have
quadratic cost: 2,000 faults in one function took more than 90 s, while the analysis takes 0.9 s.
"""

from __future__ import annotations

from openclsp.semantics.translation_unit import TranslationUnit

FREE = 100_000
"""The base budget of every file in tokens, about a second in the compiled build.

All fixes of 1,000 lines with an ordinary number of faults cost less.
"""
SHARE = 2
"""The additional budget, as a multiple of the tokens that the analysis of the file typed."""
BYTES_OF_LEAF = 150
"""Bytes of text that are preprocessed and split into items in the time that it takes to type one token."""


class NoWorkLeft(Exception):
    """The budget for the fixes of a file is spent. Caught in `fixes`."""


class FixWork:
    """The remaining budget, in tokens, for computing the fixes of one file.

    `elsewhere` is a budget of the same size for checking them in other programs. `left_out` counts the
    diagnostics whose fixes were not computed because the budget was spent.
    """

    __slots__ = ("elsewhere", "left", "left_out")

    def __init__(self, left: int, elsewhere: FixWork | None = None) -> None:
        self.left, self.left_out = left, 0
        self.elsewhere = self if elsewhere is None else elsewhere

    @staticmethod
    def of(unit: TranslationUnit) -> FixWork:
        """Creates the budget for the fixes of an analysed unit."""
        whole = FREE + SHARE * unit.work
        return FixWork(whole, FixWork(whole))

    def spend(self, leaves: int) -> None:
        """Subtracts this number of tokens from the budget."""
        self.left -= leaves

    def demand(self) -> None:
        """Raises NoWorkLeft if the budget is spent."""
        if self.left <= 0:
            raise NoWorkLeft


def text_work(unit: TranslationUnit) -> int:
    """The cost of preprocessing the unit's documents, in typed tokens."""
    return sum(len(each.document.text.data) for each in unit.preprocessed.units()) // BYTES_OF_LEAF


def analysis_work(unit: TranslationUnit) -> int:
    """The cost of analysing such a unit from scratch, in typed tokens: signatures, bodies and flow."""
    return 2 * sum(len(item.leaf_starts) for item in unit.items) + text_work(unit)
