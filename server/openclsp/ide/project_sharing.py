"""Finds the other programs of a project in which a fix must hold, by the include graph."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Sequence
from itertools import product

from openclsp.ide.fault_state import fault_state
from openclsp.ide.fix_work import FREE, FixWork, NoWorkLeft, analysis_work, typing_work
from openclsp.ide.sharing import Shared, has_any
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.workspace.includers import Includers

MAXIMUM_OTHERS = 8
"""The maximum number of other programs in which a fix is checked.

This applies to fixes of included files. Each program is analysed completely.
"""


class ProjectSharing:
    """The programs of a project that include an edited file.

    They are analysed when a fix edits the file, and cached for the next fix. `includers` returns the include
    graph for a document, `units_of` the units of a program, calling a checkpoint while it creates them, and
    `given` returns units that are analysed anyway.
    """

    def __init__(
        self,
        includers: Callable[[str], Includers],
        units_of: Callable[[str, Checkpoint], Sequence[TranslationUnit]],
        given: Callable[[], Sequence[TranslationUnit]] = tuple,
        *,
        header_bodies: bool = True,
    ) -> None:
        self._includers, self._units_of, self._given = includers, units_of, given
        self._header_bodies = header_bodies
        self._own_work = FixWork(FREE)
        """The budget for callers that pass none: a user waits for the result"""
        self._kept: dict[str, tuple[TranslationUnit, ...]] = {}

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Returns the given units and those of at most MAXIMUM_OTHERS programs of the project."""
        given = [each for each in self._given() if each is not unit and has_any(each, documents)]
        covered = {unit.document.name, *(each.document.name for each in given)}
        roots = sorted(self.programs(documents) - covered)
        spent = self._own_work if work is None else work.elsewhere
        # Programs that share headers have about the same cost. If the budget does not cover all of them, none
        # is analysed, as the fix would be marked as unchecked anyway.
        expected = analysis_work(unit) * sum(root not in self._kept for root in roots)
        if len(roots) > MAXIMUM_OTHERS or expected > spent.left:
            return Shared(tuple(given), _missed(roots))
        for number, root in enumerate(roots):
            try:
                found = self._units(root, spent)
            except NoWorkLeft:
                return Shared(tuple(given), _missed(roots[number:]))
            given += [each for each in found if has_any(each, documents)]
        return Shared(tuple(given))

    def programs(self, documents: Collection[str]) -> set[str]:
        """The paths of the programs that may include one of the documents."""
        return {root for each in documents for root in self._includers(each).programs(each)}

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """See `Sharing`."""
        own = {name for each in units for name in each.preprocessed.documents()}
        for name, unit in product(sorted(functions), list(units)[:1]):
            path = self._includers(unit.document.name).declaring(name, own)
            if path:
                return f"`{name}` is also declared in {os.path.basename(path)}"
        return ""

    def _units(self, root: str, work: FixWork) -> tuple[TranslationUnit, ...]:
        found = self._kept.pop(root, None)
        if found is None:
            work.demand()
            found = tuple(self._units_of(root, work.spend_step))
            # a program may be much larger than the one that shares a header with it
            work.demand(sum(map(typing_work, found)))
            for each in found:
                fault_state(each, self._header_bodies)
                work.spend(each.work)
            while len(self._kept) >= MAXIMUM_OTHERS:
                for each in self._kept.pop(next(iter(self._kept))):
                    each.close()
        self._kept[root] = found
        return found


def _missed(roots: Sequence[str]) -> str:
    more = f" and {len(roots) - 1} more" if len(roots) > 1 else ""
    return f"not checked in {os.path.basename(roots[0])}{more}"
