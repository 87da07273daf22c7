"""Finds the other builds of a program, and the other programs of its project, in which a fix must hold."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeAlias

from openclsp.host_code.program_names import host_of_program
from openclsp.ide.fixes.changed_declarations import ChangedDeclarations
from openclsp.ide.fixes.fault_state import get_fault_state
from openclsp.ide.fixes.fix_budget import (
    BASE_TOKENS,
    BudgetExhausted,
    FixBudget,
    analysis_cost_beside,
)
from openclsp.ide.fixes.host_effects import HostEffects
from openclsp.ide.fixes.shared_units import SharedUnits, contains_any_document
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.units import UnitConfig
from openclsp.workspace.uses_elsewhere import find_declaring_file, find_host_includer, find_using_file

MAXIMUM_OTHER_PROGRAMS = 8
"""The maximum number of other programs in which a fix is checked.

This applies to fixes of included files. Each program is analysed, except for what it shares with the unit at hand.
"""
MAXIMUM_OTHER_BUILDS = 24
"""The maximum number of other builds of the same program in which a fix is checked: all that host code has."""

FILES_PER_TOKEN = 4
"""The files that are searched for a name in the time that it takes to check one token."""
BYTES_PER_TOKEN_OF_HOST_CHECK = 60
"""The bytes of a file whose kernels are compared with the host's calls in that time."""


class OtherBuild(NamedTuple):
    """A build of a program: the path of its root, and the name of the variant, or None for the default build."""

    root: str
    variant: str | None

    @property
    def description(self) -> str:
        """The name of the root without its folder, with the variant."""
        name = os.path.basename(self.root)
        return name if self.variant is None else f"{name} with {self.variant}"


CreateUnits: TypeAlias = Callable[
    [OtherBuild, Checkpoint, Sequence[TranslationUnit]], Sequence[TranslationUnit]
]


class ProjectUnitSource:
    """Finds and analyses the programs of a project that include an edited file, and their other builds.

    The analysed programs are cached for the next fix.
    - `include_graph_of`: returns the include graph of the project that contains a document.
    - `units_of`: creates the units of a program, and calls the given checkpoint while it does so. The last argument
      contains units of other programs, which probably include the same headers.
    - `given`: returns the units of programs that need not be analysed here, such as open documents.
    - `host_effects`: describes the effects of a fix on host code.
    """

    def __init__(
        self,
        include_graph_of: Callable[[str], IncludeGraph],
        units_of: CreateUnits,
        given: Callable[[], Sequence[TranslationUnit]] = tuple,
        *,
        header_bodies: bool = True,
        host_effects: HostEffects | None = None,
    ) -> None:
        self._include_graph_of, self._units_of, self._given = include_graph_of, units_of, given
        self._header_bodies, self._host_effects = header_bodies, host_effects
        self._own_work = FixBudget(BASE_TOKENS)
        """The budget for callers that pass none: a user waits for the result"""
        self._kept: dict[OtherBuild, tuple[TranslationUnit, ...]] = {}
        self._least_budgets: dict[tuple[OtherBuild, frozenset[str]], int] = {}
        """For programs that take over the results of some documents, a budget that the analysis needs at least."""
        self._host_includers: dict[tuple[int, str, tuple[str, ...]], str] = {}
        """The results of `find_host_includer`: the same documents are edited by many fixes"""

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
        # A program of the unit's project may include a document of another one, such as a submodule.
        roots = sorted(self.including_programs(documents, unit.document.name) - covered)
        own = _other_builds(unit, given)
        builds = [*own, *(OtherBuild(root, None) for root in roots)]
        too_many = len(roots) > MAXIMUM_OTHER_PROGRAMS or len(own) > MAXIMUM_OTHER_BUILDS
        spent = self._own_work if work is None else work.other_programs
        # Programs that share headers have about the same cost. If the budget does not cover all of them, none
        # is analysed, as the fix would be marked as unchecked anyway.
        cost = analysis_cost_beside(unit, _shared_documents(unit))
        expected = cost * sum(build not in self._kept for build in builds)
        if builds and (too_many or expected > spent.remaining):
            return SharedUnits(tuple(given), _describe_unchecked(builds))
        for number, build in enumerate(builds):
            try:
                found = self._units(build, unit, spent)
            except BudgetExhausted:
                return SharedUnits(tuple(given), _describe_unchecked(builds[number:]))
            given += [each for each in found if contains_any_document(each, documents)]
        return SharedUnits(tuple(given))

    def including_programs(self, documents: Collection[str], *others: str) -> set[str]:
        """Returns the paths of the programs that may include one of the documents.

        The programs belong to the projects that contain one of the documents or of the `others`.
        """
        graphs = self._graphs({*documents, *others})
        return {root for each in documents for graph in graphs for root in graph.including_programs(each)}

    def describe_other_use(
        self, units: Collection[TranslationUnit], changed: ChangedDeclarations, work: FixBudget | None
    ) -> str:
        """Describes code of the project that uses a changed declaration; empty if there is none.

        The code belongs to none of the units. If the budget does not cover the search, the result says so.
        """
        roots = [each.document.name for each in units]
        own = frozenset(name for each in units for name in each.preprocessed.documents())
        hosts = [host[0] for host in map(host_of_program, roots) if host is not None]
        graphs = self._graphs({*roots[:1], *changed.documents})
        documents = {
            part.document.name: part.document for unit in units for part in unit.preprocessed.with_included()
        }
        cost = sum(len(graph.opencl_files) for graph in graphs) // FILES_PER_TOKEN
        if changed.retyped:
            texts = [each.text.data for name, each in documents.items() if name in changed.documents]
            cost += sum(map(len, texts)) // BYTES_PER_TOKEN_OF_HOST_CHECK
        if work is not None and cost:
            if work.remaining < cost:
                return "not checked in other files"
            work.spend(cost)
        for graph in graphs:
            found = self._describe_use_in(graph, changed, own, hosts)
            if found:
                return found
        if self._host_effects is None:
            return ""
        return self._host_effects.describe(documents.values(), changed.edits, changed.retyped)

    def _describe_use_in(
        self,
        graph: IncludeGraph,
        changed: ChangedDeclarations,
        own: frozenset[str],
        hosts: Collection[str],
    ) -> str:
        """Describes a use in the files of one project, without the documents `own`; empty if there is none."""
        for name in sorted(changed.external):
            path = find_declaring_file(graph, name, own)
            if path:
                return f"`{name}` is also declared in {os.path.basename(path)}"
        if changed.names:
            name, path = find_using_file(graph, changed.names, own)
            if path:
                return f"`{name}` is also used in {os.path.basename(path)}"
        for document in sorted(changed.documents):
            aliases = graph.aliases_of(document)
            if aliases:
                link = os.path.relpath(aliases[0], os.path.dirname(document))
                return f"{os.path.basename(document)} is also {link}, a link"
            path = self._host_includer(graph, document, hosts)
            if path:
                return f"{os.path.basename(document)} is also included by {os.path.basename(path)}"
        return ""

    def _host_includer(self, graph: IncludeGraph, document: str, hosts: Collection[str]) -> str:
        question = id(graph), document, tuple(hosts)
        if question not in self._host_includers:
            self._host_includers[question] = find_host_includer(graph, document, hosts)
        return self._host_includers[question]

    def _graphs(self, documents: Collection[str]) -> list[IncludeGraph]:
        """Returns the include graph of each project that contains one of the documents."""
        return list({id(graph): graph for graph in map(self._include_graph_of, sorted(documents))}.values())

    def _units(
        self, build: OtherBuild, like: TranslationUnit, work: FixBudget
    ) -> tuple[TranslationUnit, ...]:
        found = self._kept.pop(build, None)
        if found is None:
            found = self._analyse(build, like, work)
            while len(self._kept) >= MAXIMUM_OTHER_PROGRAMS + MAXIMUM_OTHER_BUILDS:
                for each in self._kept.pop(next(iter(self._kept))):
                    each.close()
        self._kept[build] = found
        return found

    def _analyse(
        self, build: OtherBuild, like: TranslationUnit, work: FixBudget
    ) -> tuple[TranslationUnit, ...]:
        """Returns analysed units of a program. Spends the whole budget and raises BudgetExhausted if it is too small.

        The cost depends only on the program and on `like`, not on what was analysed before, and so do the fixes.
        """
        budget = work.remaining
        shared = _shared_documents(like)
        try:
            work.require_remaining(self._least_budgets.get((build, shared), 1))
            # if its creation raises BudgetExhausted
            self._least_budgets[build, shared] = budget + 1
            others = (like, *(each for units in self._kept.values() for each in units))
            found = tuple(self._units_of(build, FixBudget(budget).spend_step, others))
            # A program may be much larger than the one that shares a header with it.
            needed = sum(
                analysis_cost_beside(each, shared if each.dialect == like.dialect else ()) for each in found
            )
            self._least_budgets[build, shared] = needed
            work.require_remaining(needed)
        except BudgetExhausted:
            work.spend(budget)
            raise
        for each in found:
            get_fault_state(each, self._header_bodies)
        work.spend(needed)
        return found


def _shared_documents(unit: TranslationUnit) -> frozenset[str]:
    """Returns the documents whose results other programs take over from a unit; none if the unit is a fragment's."""
    return frozenset() if unit.target.subject else unit.preprocessed.documents() - {unit.document.name}


def _other_builds(unit: TranslationUnit, given: Sequence[TranslationUnit]) -> list[OtherBuild]:
    """Returns the builds of the unit's program, except that of the unit and those of the `given` units."""
    target = unit.target
    if not isinstance(target, UnitConfig):
        return []
    name = unit.document.name
    known = {
        each.target.variant.name
        for each in (unit, *given)
        if each.document.name == name and isinstance(each.target, UnitConfig) and each.target.variant
    }
    return [OtherBuild(name, each.name) for each in target.variants if each.name not in known]


def _describe_unchecked(builds: Sequence[OtherBuild]) -> str:
    more = f" and {len(builds) - 1} more" if len(builds) > 1 else ""
    return f"not checked in {builds[0].description}{more}"
