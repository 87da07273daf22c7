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
MOST = 150_000
"""Maximum tokens for analysis and fixes together, so that checking an ordinary file takes at most 3 s of CPU."""
LEAST = 20_000
"""Budget in tokens for the fixes of a file whose analysis alone exceeds that maximum."""
BYTES_OF_LEAF = 150
"""Bytes of text that are preprocessed and split into items in the time that it takes to type one token."""

LEAVES_OF_STEP = 20
"""Tokens that are typed in the time between two checkpoints of a unit's creation."""


class NoWorkLeft(Exception):
    """The budget for the fixes of a file is spent. Caught in `fixes`."""


class FixWork:
    """The remaining budget, in tokens, for computing the fixes of one file.

    `elsewhere` is a budget of half the size for checking them in other programs. `left_out` counts the
    diagnostics whose fixes were not computed because the budget was spent.
    """

    __slots__ = ("elsewhere", "left", "left_out")

    def __init__(self, left: int, elsewhere: FixWork | None = None) -> None:
        self.left, self.left_out = left, 0
        self.elsewhere = self if elsewhere is None else elsewhere

    @staticmethod
    def of(unit: TranslationUnit) -> FixWork:
        """Creates the budget for the fixes of an analysed unit."""
        whole = min(FREE + SHARE * unit.work, max(MOST - creation_work(unit) - unit.work, LEAST))
        return FixWork(whole, FixWork(whole // 2))

    def spend(self, leaves: int) -> None:
        """Subtracts this number of tokens from the budget."""
        self.left -= leaves

    def demand(self, leaves: int = 1) -> None:
        """Raises NoWorkLeft if fewer tokens are left."""
        if self.left < leaves:
            raise NoWorkLeft

    def spend_step(self) -> None:
        """Charges one checkpoint of a unit's creation. Raises NoWorkLeft if the budget is spent."""
        self.spend(LEAVES_OF_STEP)
        self.demand()


def text_work(unit: TranslationUnit) -> int:
    """The cost of preprocessing the unit's documents, in typed tokens."""
    return sum(len(each.document.text.data) for each in unit.preprocessed.units()) // BYTES_OF_LEAF


def creation_work(unit: TranslationUnit) -> int:
    """The cost of preprocessing, splitting and parsing a unit, in typed tokens: half of typing its tokens."""
    return _leaves(unit) // 2 + text_work(unit)


def analysis_work(unit: TranslationUnit) -> int:
    """The cost of analysing such a unit from scratch, in typed tokens: signatures, bodies and flow."""
    return typing_work(unit) + text_work(unit)


def typing_work(unit: TranslationUnit) -> int:
    """The cost of computing the diagnostics of a unit that was created, in typed tokens."""
    return 2 * _leaves(unit)


def _leaves(unit: TranslationUnit) -> int:
    return sum(len(item.leaf_starts) for item in unit.items)
