"""`check --fix`: applies all preferred fixes of the inputs, and writes the changed files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from openclsp.cli.builds import Asked
from openclsp.cli.inputs import STANDARD_INPUT, Input, Inputs
from openclsp.cli.paths import Paths
from openclsp.cli.progress import Step, silent
from openclsp.cli.project_units import project_sharing, units_of
from openclsp.cli.projects import FEW, Projects
from openclsp.dataclass import dataclass
from openclsp.ide.fix_all import fix_all
from openclsp.ide.sharing import Among, Both
from openclsp.ide.trials import edited
from openclsp.rules.finding import Severity
from openclsp.source.document import DocumentName
from openclsp.source.text import Text
from openclsp.workspace.files import BYTE_ORDER_MARK
from openclsp.workspace.options import Options


@dataclass(frozen=True, slots=True)
class FixMade:
    """A fix that was applied, with its diagnostic, in the file at `path`."""

    path: str
    code: str
    severity: Severity
    message: str
    title: str


@dataclass(frozen=True, slots=True)
class FixReport:
    """The fixes that were applied and the files that were written.

    `failed`: a file could not be fixed or written. `left_out` counts, by path, the diagnostics whose fixes
    were not computed because that would take too long.
    """

    made: tuple[FixMade, ...] = ()
    written: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    failed: bool = False
    left_out: Mapping[str, int] = field(default_factory=dict)


def fix(inputs: Inputs, options: Options, asked: Asked, step: Step = silent) -> FixReport:
    """Fixes the inputs one by one. `step` is called for each file.

    A fix is applied only if it is valid in every requested build. An included file is changed only if the fix
    is valid in all programs that include it.
    """
    run = _Run(inputs, options, asked, Paths(inputs.inputs), Projects(whole=len(inputs.inputs) > FEW))
    for number, each in enumerate(inputs.inputs, 1):
        step("fixing", each.path, number, len(inputs.inputs))
        if each.path != STANDARD_INPUT:
            run.fix(each)
    return FixReport(
        tuple(run.made), tuple(sorted(run.written)), tuple(run.notices), run.failed, run.left_out
    )


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
    left_out: dict[str, int] = field(default_factory=dict)

    def fix(self, root: Input) -> None:
        name = root.document.name
        try:
            units = units_of(name, self.projects, self.options, self.asked, opencl=root.opencl)
            if not units:
                return
            unit, *others = units
            # Created for each input, because fixes of the previous one may have changed files.
            project = project_sharing(self.projects, self.options, self.asked)
            found = fix_all(unit, document=name, header_bodies=True, sharing=Both(Among(*others), project))
        except Exception as error:  # noqa: BLE001 - one file's fixes are lost, not the run
            self.failed = True
            told = f"internal error while fixing {root.path}: {type(error).__name__}: {error}"
            self.notices.append(told)
            return
        if found.left_out:
            self.left_out[root.path] = found.left_out
        if self._write(root, edited(unit, found.edits)):
            for each in found.applied:
                diagnostic = each.diagnostic
                self.made.append(
                    FixMade(root.path, diagnostic.code, diagnostic.severity, diagnostic.message, each.title)
                )

    def _write(self, root: Input, texts: dict[DocumentName, Text]) -> bool:
        """Writes the changed files, preserving byte order marks; False if one cannot be written."""
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
