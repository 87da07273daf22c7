"""How much analysis the fixes of one file may cost, counted in leaves typed, so that the same file has the same fixes always.

What a candidate costs grows with the function that it edits, so that all candidates of a function full of faults would cost the
square of it: 2,000 faults in one function took more than 90 s where the analysis takes 0.9 s.
"""

from __future__ import annotations

from openclsp.semantics.translation_unit import TranslationUnit

FREE = 100_000
"""Leaves that every file may cost: a second compiled. All fixes of 1,000 lines with an ordinary number of faults cost less."""
SHARE = 2
"""And this many times what its own analysis typed."""
BYTES_OF_LEAF = 150
"""Bytes of text that are preprocessed and cut into items in the time in which one leaf is typed."""


class NoWorkLeft(Exception):
    """The fixes of a file have cost what they may. Caught in `fixes`."""


class FixWork:
    """The remaining budget, in leaves, for finding the fixes of one file.

    `elsewhere` is a budget of the same size for checking them in other programs. `left_out` counts the diagnostics for which no
    fix was looked for because the budget was spent.
    """

    __slots__ = ("elsewhere", "left", "left_out")

    def __init__(self, left: int, elsewhere: FixWork | None = None) -> None:
        self.left, self.left_out = left, 0
        self.elsewhere = self if elsewhere is None else elsewhere

    @staticmethod
    def of(unit: TranslationUnit) -> FixWork:
        """What the fixes of a unit may cost that was analysed."""
        whole = FREE + SHARE * unit.work
        return FixWork(whole, FixWork(whole))

    def spend(self, leaves: int) -> None:
        """Counts what was done."""
        self.left -= leaves

    def demand(self) -> None:
        """Raises NoWorkLeft where nothing may be done any more."""
        if self.left <= 0:
            raise NoWorkLeft


def text_work(unit: TranslationUnit) -> int:
    """What it costs to read the unit's documents, counted in leaves typed."""
    return sum(len(each.document.text.data) for each in unit.preprocessed.units()) // BYTES_OF_LEAF


def analysis_work(unit: TranslationUnit) -> int:
    """What it costs to analyse a unit like this one anew: heads and bodies are typed, and flow is read."""
    return 2 * sum(len(item.leaf_starts) for item in unit.items) + text_work(unit)
