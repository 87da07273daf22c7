"""The budget for computing the fixes of one file.

It is counted in type-checked tokens instead of time, so that the same file always has the same fixes. The
cost of a candidate grows with the size of the function that it edits. Without a budget, the fixes of a
function full of faults would therefore have quadratic cost: for 2,000 faults in one function, they took more
than 90 s, while the analysis takes 0.9 s.
"""

from __future__ import annotations

from collections.abc import Collection

from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName

BASE_TOKENS = 100_000
"""The base budget of every file in tokens, about a second in the compiled build.

All fixes of 1,000 lines with an ordinary number of faults cost less.
"""
ANALYSIS_MULTIPLE = 2
"""The additional budget, as a multiple of the tokens of the file."""
MOST = 150_000
"""Maximum tokens for analysis and fixes together: checking an ordinary file takes at most 3 s of CPU."""
LEAST = 20_000
"""Budget in tokens for the fixes of a file whose analysis alone exceeds that maximum."""
BYTES_PER_TOKEN = 150
"""Bytes of text that are preprocessed and split into items in the time that it takes to check one token."""

SHARED_SHARE = 8
"""The share of the analysis of a document that a unit costs which starts from the results of another unit: items are copied,
and the flow of the whole unit is solved again.
"""

TOKENS_PER_STEP = 20
"""Tokens that are type-checked in the time between two checkpoints of a unit's creation."""


class BudgetExhausted(Exception):
    """Raised if the budget for the fixes of a file is spent."""


class FixBudget:
    """The remaining budget, in tokens, for computing the fixes of one file.

    `other_programs` is the budget for checking the fixes in other programs. By default, it is this budget
    itself. In a budget from `for_unit`, it is a separate budget of half the size. `skipped_diagnostics`
    counts the diagnostics whose fixes were not computed because the budget was spent.
    """

    __slots__ = ("other_programs", "remaining", "skipped_diagnostics")

    def __init__(self, remaining: int, other_programs: FixBudget | None = None) -> None:
        self.remaining, self.skipped_diagnostics = remaining, 0
        self.other_programs = self if other_programs is None else other_programs

    @staticmethod
    def for_unit(unit: TranslationUnit) -> FixBudget:
        """Creates the budget for the fixes of an analysed unit.

        The budget depends on the number of tokens in the unit, not on the number of type-checked tokens. The
        latter is lower if the unit shares headers with files that were checked before.
        """
        tokens = _token_count(unit)
        whole = min(BASE_TOKENS + ANALYSIS_MULTIPLE * tokens, max(MOST - creation_work(unit) - tokens, LEAST))
        return FixBudget(whole, FixBudget(whole // 2))

    def spend(self, tokens: int) -> None:
        """Subtracts `tokens` from the budget."""
        self.remaining -= tokens

    def require_remaining(self, tokens: int = 1) -> None:
        """Raises BudgetExhausted if fewer than `tokens` tokens remain."""
        if self.remaining < tokens:
            raise BudgetExhausted

    def spend_step(self) -> None:
        """Subtracts `TOKENS_PER_STEP`, the cost of the work since the last checkpoint.

        Serves as the checkpoint function of a new unit: preprocessing and parsing the unit call it at regular
        intervals. Raises BudgetExhausted if the budget is spent.
        """
        self.spend(TOKENS_PER_STEP)
        self.require_remaining()


def preprocessing_cost(unit: TranslationUnit) -> int:
    """Returns the cost of preprocessing the unit's documents, in type-checked tokens."""
    return sum(len(each.document.text.data) for each in unit.preprocessed.with_included()) // BYTES_PER_TOKEN


def creation_work(unit: TranslationUnit) -> int:
    """Estimates what it costs to create another unit of the same documents, in type-checked tokens.

    A unit is preprocessed, split into items and parsed. Splitting and parsing cost half as much as
    type-checking all tokens.
    """
    return _token_count(unit) // 2 + preprocessing_cost(unit)


def analysis_cost(unit: TranslationUnit) -> int:
    """Returns the cost of preprocessing the unit and computing its diagnostics, in type-checked tokens."""
    return typing_work(unit) + preprocessing_cost(unit)


def analysis_cost_beside(unit: TranslationUnit, shared: Collection[DocumentName]) -> int:
    """Returns the cost of analysing a unit that starts from the results of another unit for the `shared` documents."""
    own = rest = 0
    for each in unit.preprocessed.with_included():
        size = len(each.document.text.data)
        own, rest = (own, rest + size) if each.document.name in shared else (own + size, rest)
    return analysis_cost(unit) * (SHARED_SHARE * own + rest) // (SHARED_SHARE * max(own + rest, 1))


def typing_work(unit: TranslationUnit) -> int:
    """Returns the cost of computing all diagnostics of the unit anew, in type-checked tokens."""
    return 2 * _token_count(unit)


def _token_count(unit: TranslationUnit) -> int:
    return sum(len(item.token_index_starts) for item in unit.items)
