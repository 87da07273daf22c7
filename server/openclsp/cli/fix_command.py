"""`check --fix`: applies all preferred fixes of the inputs, and writes the changed files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.host_locations import program_edits
from openclsp.cli.inputs import STANDARD_INPUT, CheckInput, CheckInputs
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.progress_line import ProgressStep, ignore_progress
from openclsp.cli.project_units import make_project_sharing, units_of_file
from openclsp.cli.reusable_units import ReusableUnits
from openclsp.cli.scanned_projects import MAXIMUM_SEPARATE_INPUTS, ScannedProjects
from openclsp.cli.unrecognisable_files import is_unrecognisable_file
from openclsp.cli.user_files import read_whole_file, replace_file
from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import TextEdit
from openclsp.ide.fixes.fix_all import fix_all
from openclsp.ide.fixes.fix_checker import apply_edits
from openclsp.project.file_system import BYTE_ORDER_MARK
from openclsp.project.option_parser import BuildOptions
from openclsp.rules.finding import Severity
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """An applied fix with its diagnostic; `path` is the path of the input, even if a header was edited."""

    path: str
    code: str
    severity: Severity
    message: str
    title: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """The content of a file before and after all fixes, with its byte order mark."""

    name: DocumentName
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class FixReport:
    """The fixes that were applied and the files that were written.

    - `failed`: whether a file could not be fixed or written
    - `skipped`: by path, the number of diagnostics whose fixes were not computed because that would take too
      long
    """

    applied: tuple[AppliedFix, ...] = ()
    written: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    failed: bool = False
    skipped: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[FileChange, ...] = ()


def fix(
    inputs: CheckInputs,
    options: BuildOptions,
    requested: RequestedBuilds,
    step: ProgressStep = ignore_progress,
    *,
    codes: Collection[str] = (),
    writing: bool = True,
) -> FixReport:
    """Applies the preferred fixes of the inputs, one input after the other.

    A fix is applied only if it is valid in every build of the input. An included file is changed only if the fix
    is valid in all programs that include it.

    - `step`: is called for each file
    - `codes`: the codes whose diagnostics are fixed; all codes if empty
    - `writing`: whether to write the changed files; otherwise the changes are only in the report
    """
    run = _FixRun(
        inputs,
        options,
        requested,
        OutputPaths(inputs.inputs),
        ScannedProjects(
            for_many_inputs=len(inputs.inputs) > MAXIMUM_SEPARATE_INPUTS, named_folders=inputs.named_folders
        ),
        codes,
        writing,
    )
    for number, each in enumerate(inputs.inputs, 1):
        step("fixing", each.path, number, len(inputs.inputs))
        if each.path != STANDARD_INPUT:
            run.fix(each)
    return FixReport(
        tuple(run.applied),
        tuple(sorted(run.written)),
        tuple(run.notices),
        run.failed,
        run.skipped,
        tuple(change for _, change in sorted(run.changes.items())),
    )


@dataclass(slots=True)
class _FixRun:
    inputs: CheckInputs
    options: BuildOptions
    requested: RequestedBuilds
    paths: OutputPaths
    projects: ScannedProjects
    codes: Collection[str]
    writing: bool
    changes: dict[DocumentName, FileChange] = field(default_factory=dict)
    documents: dict[DocumentName, Document] = field(default_factory=dict)
    """The present contents of the changed documents."""
    applied: list[AppliedFix] = field(default_factory=list)
    written: dict[str, None] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    failed: bool = False
    skipped: dict[str, int] = field(default_factory=dict)
    reusable: ReusableUnits = field(default_factory=ReusableUnits)
    """The units of earlier inputs, which probably include the same headers."""

    def fix(self, root: CheckInput) -> None:
        """Fixes an input.

        A program in a string is read again if fixes of other programs have changed its host file.
        """
        if root.program is not None:
            present = self._present_program(root.program)
            if present is None:
                return
            root = replace(root, document=present.document, program=present)
        name = root.document.name
        try:
            if is_unrecognisable_file(root, self.projects):
                return
            units = units_of_file(
                name,
                self.projects,
                self.options,
                self.requested,
                opencl=root.is_opencl,
                open_documents={**self.documents, name: root.document}
                if root.program is not None
                else self.documents,
                create=self.reusable.take,
            )
            if not units:
                return
            unit, *others = units
            # Created for each input, because fixes of the previous one may have changed files.
            project = make_project_sharing(
                self.projects, self.options, self.requested, self.documents, others
            )
            found = fix_all(
                unit,
                document=name,
                codes=self.codes,
                header_bodies=True,
                sharing=project,
            )
        except Exception as error:  # noqa: BLE001 - one file's fixes are lost, not the run
            self.failed = True
            message = f"internal error while fixing {root.path}: {type(error).__name__}: {error}"
            self.notices.append(message)
            return
        if found.skipped_diagnostics:
            self.skipped[root.path] = found.skipped_diagnostics
        texts = apply_edits(unit, found.edits)
        for analysed in units:
            self.reusable.give_back(analysed)
        if root.program is not None and texts.pop(name, None) is not None:
            host = self._host_text(root.program, found.edits)
            if host is None:
                self.notices.append(f"{root.path}: a string cannot hold the fixes of a program in it")
                return
            texts[root.file_name] = host
        if self._write(root, texts):
            for each in found.applied:
                diagnostic = each.diagnostic
                self.applied.append(
                    AppliedFix(
                        root.path, diagnostic.code, diagnostic.severity, diagnostic.message, each.title
                    )
                )

    def _present_program(self, program: ProgramDocument) -> ProgramDocument | None:
        """Returns a program as it is in the present text of its host file.

        Returns None if earlier fixes have removed the program.
        """
        host = self.documents.get(program.host.name)
        if host is None:
            return program
        from openclsp.host_code.program_document import program_documents

        found = program_documents(host)
        return found[program.index] if program.index < len(found) else None

    @staticmethod
    def _host_text(program: ProgramDocument, edits: Iterable[TextEdit]) -> Text | None:
        """Returns the host file's text after the edits of a program.

        Returns None if the edits cannot be written in the strings of the host file.
        """
        made = program.host_edits(program_edits(program, edits))
        if made is None:
            return None
        text = program.host.text
        for edit in reversed(made):
            text = text.replace(edit.start, edit.old_end, edit.new)
        return text

    def _write(self, root: CheckInput, texts: dict[DocumentName, Text]) -> bool:
        """Writes the changed files with their byte order marks; returns False if one cannot be written."""
        for name, text in texts.items():
            path = self.paths.output_path(name, root)
            try:
                self._write_file(name, text)
            except OSError as error:
                self.failed = True
                self.notices.append(f"{path} cannot be written: {error.strerror}")
                return False
            self.written[path] = None
            self.documents[name] = Document(name, text)
        return True

    def _write_file(self, name: DocumentName, text: Text) -> None:
        """Records a change, and writes the file unless the run only reports changes. Raises OSError."""
        known = self.changes.get(name)
        before = known.before if known is not None else read_whole_file(name)
        mark = BYTE_ORDER_MARK if before.startswith(BYTE_ORDER_MARK) else b""
        if self.writing:
            replace_file(name, mark + text.data)
        self.changes[name] = FileChange(name, before, mark + text.data)
