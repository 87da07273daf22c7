"""Uses the include graph to find the other programs of a project in which a fix must hold."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Sequence
from itertools import product

from openclsp.ide.fixes.fault_state import get_fault_state
from openclsp.ide.fixes.fix_budget import (
    BASE_TOKENS,
    BudgetExhausted,
    FixBudget,
    analysis_cost,
    creation_work,
    typing_work,
)
from openclsp.ide.fixes.shared_units import SharedUnits, contains_any_document
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.workspace.include_graph import IncludeGraph

MAXIMUM_OTHER_PROGRAMS = 8
"""The maximum number of other programs in which a fix is checked.

This applies to fixes of included files. Each program is analysed completely.
"""


class ProjectUnitSource:
    """Finds and analyses the programs of a project that include an edited file.

    The analysed programs are cached for the next fix.
    - `includers`: returns the include graph of the project that contains a document.
    - `units_of`: creates the units of a program, and calls the given checkpoint while it does so. The last argument
      contains units of other programs, which probably include the same headers.
    - `given`: returns the units of programs that need not be analysed here, such as open documents.
    """

    def __init__(
        self,
        includers: Callable[[str], IncludeGraph],
        units_of: Callable[[str, Checkpoint, Sequence[TranslationUnit]], Sequence[TranslationUnit]],
        given: Callable[[], Sequence[TranslationUnit]] = tuple,
        *,
        header_bodies: bool = True,
    ) -> None:
        self._includers, self._units_of, self._given = includers, units_of, given
        self._header_bodies = header_bodies
        self._own_work = FixBudget(BASE_TOKENS)
        """The budget for callers that pass none: a user waits for the result"""
        self._kept: dict[str, tuple[TranslationUnit, ...]] = {}
        self._least_budgets: dict[str, int] = {}
        """For each program, a budget that its analysis needs at least, as far as known."""

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixBudget | None) -> SharedUnits:
        """Returns the units other than `unit` that contain one of these documents.

        Units that `given` returns are used as they are. The other programs are analysed, unless there are
        more than MAXIMUM_OTHER_PROGRAMS of them or their expected cost exceeds the budget. `unchecked` in the
        result describes the programs that were not analysed.
        """
        given = [
            each for each in self._given() if each is not unit and contains_any_document(each, documents)
        ]
        covered = {unit.document.name, *(each.document.name for each in given)}
        roots = sorted(self.including_programs(documents) - covered)
        spent = self._own_work if work is None else work.other_programs
        # Programs that share headers have about the same cost. If the budget does not cover all of them, none
        # is analysed, as the fix would be marked as unchecked anyway.
        expected = analysis_cost(unit) * sum(root not in self._kept for root in roots)
        if len(roots) > MAXIMUM_OTHER_PROGRAMS or expected > spent.remaining:
            return SharedUnits(tuple(given), _describe_unchecked(roots))
        for number, root in enumerate(roots):
            try:
                found = self._units(root, unit, spent)
            except BudgetExhausted:
                return SharedUnits(tuple(given), _describe_unchecked(roots[number:]))
            given += [each for each in found if contains_any_document(each, documents)]
        return SharedUnits(tuple(given))

    def including_programs(self, documents: Collection[str]) -> set[str]:
        """Returns the paths of the programs that may include one of the documents."""
        return {root for each in documents for root in self._includers(each).including_programs(each)}

    def describe_other_declaration(
        self, units: Collection[TranslationUnit], functions: Collection[str]
    ) -> str:
        """Describes another file that declares one of these functions; empty if there is none.

        The other file belongs to none of the units.
        """
        own = {name for each in units for name in each.preprocessed.documents()}
        for name, unit in product(sorted(functions), list(units)[:1]):
            path = self._includers(unit.document.name).find_declaring_file(name, own)
            if path:
                return f"`{name}` is also declared in {os.path.basename(path)}"
        return ""

    def _units(self, root: str, like: TranslationUnit, work: FixBudget) -> tuple[TranslationUnit, ...]:
        found = self._kept.pop(root, None)
        if found is None:
            found = self._analyse(root, like, work)
            while len(self._kept) >= MAXIMUM_OTHER_PROGRAMS:
                for each in self._kept.pop(next(iter(self._kept))):
                    each.close()
        self._kept[root] = found
        return found

    def _analyse(self, root: str, like: TranslationUnit, work: FixBudget) -> tuple[TranslationUnit, ...]:
        """Returns analysed units of a program. Spends the whole budget and raises BudgetExhausted if it is too small."""
        budget = work.remaining
        try:
            work.require_remaining(self._least_budgets.get(root, 1))
            # if its creation raises BudgetExhausted
            self._least_budgets[root] = budget + 1
            others = (like, *(each for units in self._kept.values() for each in units))
            found = tuple(self._units_of(root, FixBudget(budget).spend_step, others))
            # A program may be much larger than the one that shares a header with it. The results that it took over
            # from others are counted too, because the fixes must not depend on what was analysed before.
            needed = sum(map(creation_work, found)) + sum(map(typing_work, found))
            self._least_budgets[root] = needed
            work.require_remaining(needed)
        except BudgetExhausted:
            work.spend(budget)
            raise
        for each in found:
            get_fault_state(each, self._header_bodies)
        work.spend(needed)
        return found


def _describe_unchecked(roots: Sequence[str]) -> str:
    more = f" and {len(roots) - 1} more" if len(roots) > 1 else ""
    return f"not checked in {os.path.basename(roots[0])}{more}"
