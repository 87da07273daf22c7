"""`check --fix`: makes all fixes of the inputs that are clearly right, and writes the files that they change."""

from __future__ import annotations

from dataclasses import field

from openclsp.cli.builds import Asked, builds
from openclsp.cli.inputs import STANDARD_INPUT, Input, Inputs, person_folders, read_named
from openclsp.cli.paths import Paths
from openclsp.cli.progress import Step, silent
from openclsp.cli.projects import FEW, Projects
from openclsp.dataclass import dataclass
from openclsp.ide.fix_all import fix_all
from openclsp.ide.fixes import edited
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName
from openclsp.source.text import Text
from openclsp.workspace.files import BYTE_ORDER_MARK, LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.subjects import unit_through_includer


@dataclass(frozen=True, slots=True)
class FixMade:
    """A fix that was made: of a diagnostic in the file at `path`."""

    path: str
    code: str
    severity: Severity
    message: str
    title: str


@dataclass(frozen=True, slots=True)
class FixReport:
    """All that was made, and the files that were written. `failed` says that a file could not be."""

    made: tuple[FixMade, ...] = ()
    written: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    failed: bool = False


def fix(inputs: Inputs, options: Options, asked: Asked, step: Step = silent) -> FixReport:
    """Fixes the inputs one after the other; a fix is made only where it holds in every build that is asked for, and a
    document that others include is changed only where no other input minds. `step` is called for each file."""
    run = _Run(inputs, options, asked, Paths(inputs.inputs), Projects(whole=len(inputs.inputs) > FEW))
    for number, each in enumerate(inputs.inputs, 1):
        step("fixing", each.path, number, len(inputs.inputs))
        if each.path != STANDARD_INPUT:
            run.fix(each)
    return FixReport(tuple(run.made), tuple(sorted(run.written)), tuple(run.notices), run.failed)


@dataclass(slots=True)
class _Run:
    inputs: Inputs
    options: Options
    asked: Asked
    paths: Paths
    projects: Projects
    made: list[FixMade] = field(default_factory=list)
    written: dict[str, None] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def fix(self, root: Input) -> None:
        name = root.document.name
        try:
            units = self._units(root)
            if not units:
                return
            unit, *others = units
            found = fix_all(unit, document=name, header_bodies=True, others=others)
            changed = {edit.location.document for edit in found.edits}
            if changed and (changed != {unit.document.name} or unit.document.name != name):
                others += self._others(root, changed)
                found = fix_all(unit, document=name, header_bodies=True, others=others)
        except Exception as error:  # noqa: BLE001 - one file's fixes are lost, not the run
            self.failed = True
            told = f"internal error in the fixes of {root.path}: {type(error).__name__}: {error}"
            self.notices.append(told)
            return
        if self._write(root, edited(unit, found.edits)):
            for each in found.applied:
                diagnostic = each.diagnostic
                self.made.append(
                    FixMade(root.path, diagnostic.code, diagnostic.severity, diagnostic.message, each.title)
                )

    def _units(self, subject: Input) -> list[TranslationUnit]:
        """The units of an input, one for each build, as the files are now; none where it is not checked. A document that
        others include is looked at through one of these."""
        name = subject.document.name
        documents = Documents(LOCAL_FILES, {})
        document = read_named(name, person_folders(self.options))
        if isinstance(document, FileProblem):
            return []
        found = unit_through_includer(
            document,
            self.projects.includers(document),
            lambda root: self.projects.plan(root, self.options, self.asked.variant, name),
            documents,
        )
        if found is None and not subject.opencl:
            return []
        root, through = (document, "") if found is None else (found.root, name)
        planned = builds(
            lambda options, variant: self.projects.plan(root, options, variant, through),
            self.options,
            self.asked,
        )
        units = [
            TranslationUnit(each.unit, root, each.loader(documents))
            for _, each in planned
            if not each.cpp_for_opencl
        ]
        for unit in units:
            unit.outside = self.projects.outside(root)
        return units

    def _others(self, root: Input, changed: set[DocumentName]) -> list[TranslationUnit]:
        """The units of the other inputs in which a document stands that is to be changed."""
        return [
            unit
            for each in self.inputs.inputs
            if each is not root and each.path != STANDARD_INPUT
            for unit in self._units(each)
            if not changed.isdisjoint(part.document.name for part in unit.preprocessed.units())
        ]

    def _write(self, root: Input, texts: dict[DocumentName, Text]) -> bool:
        """Writes the files; whether all could be written."""
        for name, text in texts.items():
            path = self.paths.path(name, root)
            try:
                with open(name, "r+b") as file:
                    mark = file.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK
                    file.seek(len(BYTE_ORDER_MARK) if mark else 0)
                    file.write(text.data)
                    file.truncate()
            except OSError as error:
                self.failed = True
                self.notices.append(f"{path} cannot be written: {error.strerror}")
                return False
            self.written[path] = None
        return True
