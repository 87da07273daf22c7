"""`check --fix`: makes all fixes of the inputs that are clearly right, and writes the files that they change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from openclsp.cli.inputs import STANDARD_INPUT, Input, Inputs
from openclsp.cli.paths import Paths
from openclsp.cli.projects import FEW, Projects
from openclsp.ide.fix_all import FixedAll, fix_all
from openclsp.ide.fixes import edited
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.units import plan_unit


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


def fix(inputs: Inputs, options: Options) -> FixReport:
    """Fixes the inputs one after the other; a header is changed only where no other input minds."""
    run = _Run(inputs, options, Paths(inputs.inputs), Projects(whole=len(inputs.inputs) > FEW))
    for each in inputs.inputs:
        if each.path != STANDARD_INPUT:
            run.fix(each)
    return FixReport(tuple(run.made), tuple(sorted(run.written)), tuple(run.notices), run.failed)


@dataclass(slots=True)
class _Run:
    inputs: Inputs
    options: Options
    paths: Paths
    projects: Projects
    made: list[FixMade] = field(default_factory=list)
    written: dict[str, None] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def fix(self, root: Input) -> None:
        try:
            unit = self._unit(root.document.name)
            if unit is None:
                return
            name = unit.document.name
            found = fix_all(unit, document=name, header_bodies=True)
            if any(edit.location.document != name for edit in found.edits):
                others = tuple(self._others(root, found))
                found = fix_all(unit, document=name, header_bodies=True, others=others)
        except Exception as error:  # noqa: BLE001 - one file's fixes are lost, not the run
            self.failed = True
            self.notices.append(
                f"internal error in the fixes of {root.path}: {type(error).__name__}: {error}"
            )
            return
        if self._write(root, edited(unit, found.edits)):
            for each in found.applied:
                diagnostic = each.diagnostic
                self.made.append(
                    FixMade(root.path, diagnostic.code, diagnostic.severity, diagnostic.message, each.title)
                )

    def _unit(self, name: DocumentName) -> TranslationUnit | None:
        """The unit of an input, as the files are now; None where it is none that is checked."""
        data = LOCAL_FILES.read(name)
        if isinstance(data, FileProblem):
            return None
        document = Document.of(name, data)
        planned = plan_unit(name, command_line=self.options, document=document, hosts=self.projects)
        if planned.cpp_for_opencl:
            return None
        return TranslationUnit(planned.unit, document, planned.loader(Documents(LOCAL_FILES, {})))

    def _others(self, root: Input, found: FixedAll) -> Iterator[TranslationUnit]:
        """The units of the other inputs in which a document stands that is to be changed."""
        changed = {edit.location.document for edit in found.edits}
        for each in self.inputs.inputs:
            if each is root or each.path == STANDARD_INPUT:
                continue
            unit = self._unit(each.document.name)
            names = set() if unit is None else {part.document.name for part in unit.preprocessed.units()}
            if unit is not None and not changed.isdisjoint(names):
                yield unit

    def _write(self, root: Input, texts: dict[DocumentName, Text]) -> bool:
        """Writes the files; whether all could be written."""
        for name, text in texts.items():
            path = self.paths.path(name, root)
            try:
                with open(name, "wb") as file:
                    file.write(text.data)
            except OSError as error:
                self.failed = True
                self.notices.append(f"{path} cannot be written: {error.strerror}")
                return False
            self.written[path] = None
        return True
