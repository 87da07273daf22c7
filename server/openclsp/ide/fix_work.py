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
MOST = 150_000
"""Leaves that analysis and fixes together may cost, so that an ordinary file's check stays within three seconds of CPU."""
LEAST = 20_000
"""Leaves that the fixes of a file may cost whose own analysis costs more than that."""
BYTES_OF_LEAF = 150
"""Bytes of text that are preprocessed and cut into items in the time in which one leaf is typed."""

LEAVES_OF_STEP = 20
"""Leaves that are typed in the time between two checkpoints of a unit's creation."""


class NoWorkLeft(Exception):
    """The fixes of a file have cost what they may. Caught in `fixes`."""


class FixWork:
    """The remaining budget, in leaves, for finding the fixes of one file.

    `elsewhere` is a budget of half the size for checking them in other programs. `left_out` counts the diagnostics for which no
    fix was looked for because the budget was spent.
    """

    __slots__ = ("elsewhere", "left", "left_out")

    def __init__(self, left: int, elsewhere: FixWork | None = None) -> None:
        self.left, self.left_out = left, 0
        self.elsewhere = self if elsewhere is None else elsewhere

    @staticmethod
    def of(unit: TranslationUnit) -> FixWork:
        """What the fixes of a unit may cost that was analysed."""
        whole = min(FREE + SHARE * unit.work, max(MOST - creation_work(unit) - unit.work, LEAST))
        return FixWork(whole, FixWork(whole // 2))

    def spend(self, leaves: int) -> None:
        """Counts what was done."""
        self.left -= leaves

    def demand(self, leaves: int = 1) -> None:
        """Raises NoWorkLeft where fewer leaves are left."""
        if self.left < leaves:
            raise NoWorkLeft

    def spend_step(self) -> None:
        """The checkpoint of a unit's creation. Raises NoWorkLeft where nothing is left."""
        self.spend(LEAVES_OF_STEP)
        self.demand()


def text_work(unit: TranslationUnit) -> int:
    """What it costs to read the unit's documents, counted in leaves typed."""
    return sum(len(each.document.text.data) for each in unit.preprocessed.units()) // BYTES_OF_LEAF


def creation_work(unit: TranslationUnit) -> int:
    """What it costs to preprocess, cut and parse a unit: half of what typing its leaves does."""
    return _leaves(unit) // 2 + text_work(unit)


def analysis_work(unit: TranslationUnit) -> int:
    """What it costs to analyse a unit like this one anew: heads and bodies are typed, and flow is read."""
    return typing_work(unit) + text_work(unit)


def typing_work(unit: TranslationUnit) -> int:
    """What it costs to find the diagnostics of a unit that was created."""
    return 2 * _leaves(unit)


def _leaves(unit: TranslationUnit) -> int:
    return sum(len(item.leaf_starts) for item in unit.items)
