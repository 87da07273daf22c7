"""The flow of functions that several programs of a project contain.

`ProjectFlow.attach` connects a unit with the other programs of its project. The flow of another program is
usually computed from units that are created for this purpose and released afterwards. Computed flows are
immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import field, replace
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.flow.flow_queries import flow_as_program, program_flow
from openclsp.semantics.flow.program_summary import ProgramFlow
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import DocumentName
from openclsp.workspace.project_programs import MAXIMUM_SHARING_PROGRAMS, Program, ProjectPrograms

MAXIMUM_KEPT_PROGRAMS: Final = 8
"""The maximum number of programs whose units are kept, to explain the flow at a position."""
MAXIMUM_KEPT_FLOWS: Final = 4 * MAXIMUM_SHARING_PROGRAMS
"""The maximum number of programs whose flow is kept if it is computed on demand; the flow of a large kernel takes 0.1 MB."""

UnitsOfProgram = Callable[[Program], Sequence[TranslationUnit]]
"""Creates the units of a program, one for each of its builds; empty if it cannot be analysed"""


class ComputedProgram(NamedTuple):
    """A program whose flow was computed.

    `has_changed` is whether the result differs from the program's previous flow, in one of the documents for
    which `ProjectFlow.flow_of` was called.
    """

    program: Program
    has_changed: bool


def shares_flow(unit: TranslationUnit) -> bool:
    """Whether the other programs of the project may affect the unit's flow."""
    return not unit.is_part and unit.dialect.generic


@dataclass(slots=True)
class ProjectFlow:
    """The flow of the programs of one project. Not thread-safe.

    With `on_demand`, a program's flow is computed when it is first needed. Otherwise it is unknown until
    `compute_next` has computed it.
    """

    programs: ProjectPrograms
    units_of: UnitsOfProgram
    on_demand: bool = True
    checkpoint: Checkpoint = no_checkpoint
    """Called while a program is analysed"""
    release: Callable[[TranslationUnit], None] = TranslationUnit.close
    """Called for each unit from which the flow of a program was computed"""
    _flows: dict[Program, tuple[ProgramFlow, ...]] = field(default_factory=dict)
    """The flow of each program; empty if it cannot be analysed"""
    _units: dict[Program, list[TranslationUnit]] = field(default_factory=dict)
    """The units of the programs that were requested last"""
    _waiting: dict[Program, None] = field(default_factory=dict)
    """The programs whose flow was needed and is not known yet"""
    _asked: dict[Program, set[DocumentName]] = field(default_factory=dict)
    """The documents for which the flow of each program was requested; filled only without `on_demand`"""

    def attach(self, unit: TranslationUnit, *, is_program: bool = False) -> None:
        """Connects the unit with the project's other programs.

        The flow of these programs then affects the functions that the unit shares with them. `is_program` is
        whether the unit is the only build of its program, and its root document the only root of that
        program. The flow of the program can then be computed from the unit itself.
        """
        if not shares_flow(unit):
            return
        own = self.programs.program_of(unit.document.name)
        is_file = self.programs.is_file(unit.document.name)
        if own is not None or (not is_file and self._knows_headers_of(unit)):
            unit.outside = replace(unit.outside, is_whole=True, is_open=self.programs.is_open)
        itself = (unit, unit.revision) if is_program and own is None and self.on_demand else None
        unit.other_programs = ProgramsBesideUnit(self, own, itself, is_file=is_file)

    def _knows_headers_of(self, unit: TranslationUnit) -> bool:
        """Whether the unit has headers, and all programs of the project that contain one are known."""
        headers = unit.preprocessed.documents() - {unit.document.name}
        return bool(headers) and all(self.programs.programs_containing(each) is not None for each in headers)

    def units_of_programs(self, programs: Sequence[Program]) -> list[TranslationUnit] | None:
        """Returns the units of some programs.

        None if there are too many programs, or if one of them cannot be analysed. The units of the programs
        that were requested last are cached.
        """
        if len(programs) > MAXIMUM_KEPT_PROGRAMS:
            return None
        kept = {program: self._units.pop(program) for program in programs if program in self._units}
        while len(self._units) + len(programs) > MAXIMUM_KEPT_PROGRAMS:
            for unit in self._units.pop(next(iter(self._units))):
                unit.close()
        self._units.update(kept)
        found = []
        for program in programs:
            if program not in self._units:
                self._units[program] = self.create_units(program)
            if not self._units[program]:
                return None
            for unit in self._units[program]:
                unit.database.checkpoint = self.checkpoint
            found += self._units[program]
        return found

    def create_units(self, program: Program) -> list[TranslationUnit]:
        """Creates the units of a program, and marks each as a whole program (`is_whole`).

        Units in dialects without generic pointers are omitted.
        """
        made = [each for each in self.units_of(program) if each.dialect.generic]
        for unit in made:
            unit.database.checkpoint = self.checkpoint
            unit.outside = replace(unit.outside, is_whole=True, is_open=self.programs.is_open)
        return made

    def flow_of(
        self, program: Program, document: DocumentName, unit: TranslationUnit | None = None
    ) -> tuple[ProgramFlow, ...]:
        """Returns the flow of a program in each of its builds; empty if it is not known.

        `document` contains the functions whose flow the caller needs; the cache notes it, so that
        `compute_next` can tell whether their flow has changed. `unit` is the unit of the program, if there
        already is one.
        """
        if not self.on_demand:
            self._asked.setdefault(program, set()).add(document)
        found = self._flows.get(program)
        if found is not None:
            return found
        if not self.on_demand:
            self._waiting[program] = None
            return ()
        found = None if unit is None else self._compute_in(unit)
        if found is None:
            found = self._compute(program)
        self._flows[program] = found
        while len(self._flows) > MAXIMUM_KEPT_FLOWS:
            del self._flows[next(iter(self._flows))]
        return found

    def compute_next(self) -> ComputedProgram | None:
        """Computes the flow of the next queued program and returns the program; None if none is queued."""
        if not self._waiting:
            return None
        program = next(iter(self._waiting))
        found = self._compute(program)
        asked = self._asked.get(program, set())
        has_changed = _flows_in(asked, found) != _flows_in(asked, self._flows.get(program, ()))
        self._flows[program] = found
        del self._waiting[program]
        return ComputedProgram(program, has_changed)

    def request_again(self, is_outdated: Callable[[Program], bool]) -> None:
        """Queues outdated programs for `compute_next`; their old flow is used until then."""
        self._waiting.update((program, None) for program in self._flows if is_outdated(program))

    def close_units(self) -> None:
        """Closes all cached units, because a text has changed."""
        for units in self._units.values():
            for unit in units:
                unit.close()
        self._units.clear()

    def _compute(self, program: Program) -> tuple[ProgramFlow, ...]:
        units = self.create_units(program)
        try:
            return tuple(program_flow(unit, FLOW, self._shared_documents(unit)) for unit in units)
        finally:
            for unit in units:
                self.release(unit)

    def _compute_in(self, unit: TranslationUnit) -> tuple[ProgramFlow, ...] | None:
        """Computes a program's flow from `unit`, which contains the program's text; returns it as a 1-tuple.

        None if `unit` would have other flow graphs if it were marked as a whole program (`is_whole`). Another
        unit must then be created for the program.
        """
        outside = replace(unit.outside, is_whole=True, is_open=self.programs.is_open)
        found = flow_as_program(unit, FLOW, outside, self._shared_documents(unit))
        return None if found is None else (found,)

    def _shared_documents(self, unit: TranslationUnit) -> Container[DocumentName]:
        """Returns the documents of a program's unit that units of other programs may contain too."""
        documents = unit.preprocessed.documents()
        if not self.on_demand:
            # The server keeps flows while it learns of further programs.
            return documents
        return {each for each in documents if self.programs.programs_containing(each) is not None}


def _flows_in(
    documents: Container[DocumentName], flows: tuple[ProgramFlow, ...]
) -> list[dict[object, object]]:
    """Returns one dict for each of the `flows`: the flow of each function in `documents`, by its key."""
    return [{key: found for key, found in flow.functions.items() if key[0] in documents} for flow in flows]


@dataclass(frozen=True, slots=True)
class ProgramsBesideUnit:
    """The programs of a unit's project, except the unit's own program.

    - `own`: the unit's own program; None if `ProjectPrograms.program_of` does not find it. If `own` is None,
      no program of the project is left out.
    - `itself`: the unit and its revision, if the flow of a program can be computed from this unit; otherwise
      None. The unit is used only as long as it has this revision.
    - `is_file`: whether the root document is a file of the project. A program in a string of host code, and a
      text that was never saved, are not: no program of the project contains them.
    """

    flow: ProjectFlow
    own: Program | None
    itself: tuple[TranslationUnit, int] | None = None
    is_file: bool = True

    @property
    def includes_unit(self) -> bool:
        return self.own is None and self.is_file

    def containing(self, document: DocumentName) -> tuple[ProgramFlow, ...] | None:
        programs = self._others(document)
        found: list[ProgramFlow] = []
        for program in programs or ():
            flows = self.flow.flow_of(program, document, self._unit_of(program))
            if not flows:
                return None
            found += flows
        return None if programs is None else tuple(found)

    def units_containing(self, document: DocumentName) -> Sequence[TranslationUnit] | None:
        """Returns the units of the other programs that contain the document; the next call may close them.

        None if not all such programs are known, or if there are too many of them to be analysed together.
        """
        programs = self._others(document)
        return None if programs is None else self.flow.units_of_programs(programs)

    def _unit_of(self, program: Program) -> TranslationUnit | None:
        """Returns the unit of `itself` if the flow of `program` can be computed from it; otherwise None."""
        if self.itself is None:
            return None
        unit, revision = self.itself
        return unit if unit.revision == revision and program.roots == (unit.document.name,) else None

    def _others(self, document: DocumentName) -> list[Program] | None:
        if not self.is_file and not self.flow.programs.is_file(document):
            return []
        programs = self.flow.programs.programs_containing(document)
        return None if programs is None else [each for each in programs if each != self.own]
