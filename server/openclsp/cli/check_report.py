"""The report of `check`, ready for output; paths are spelled as the user gave them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.kernels.kernel_summary import KernelSummary
from openclsp.rules.finding import Severity
from openclsp.rules.runner.incomplete_analysis import INCOMPLETE_ANALYSIS_CODES
from openclsp.source.document import DocumentName
from openclsp.source.text import Position, Text

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage
    from openclsp.cli.pointer_changes import FlowDifference


@dataclass(frozen=True, slots=True)
class OutputLocation:
    """The bytes `start` to `end` (exclusive, from 0) of a file. `path` is spelled as in the output."""

    path: str
    text: Text
    start: int
    end: int
    first: Position
    """The start position; line and column from 0, columns in code points."""
    last: Position
    """The end position, exclusive."""

    @staticmethod
    def of(path: str, text: Text, start: int, end: int) -> OutputLocation:
        """Creates the location of a range, with the lines and columns of both ends.

        The time is linear in the length of these lines.
        """
        return OutputLocation(
            path, text, start, end, text.position(start, "utf-32"), text.position(end, "utf-32")
        )

    @property
    def start_label(self) -> str:
        """The start as `path:line:column`, with line and column from 1."""
        return f"{self.path}:{self.first.line + 1}:{self.first.column + 1}"


@dataclass(frozen=True, slots=True)
class RelatedOutputLocation:
    """A related location of a diagnostic, with its message."""

    location: OutputLocation
    message: str


@dataclass(frozen=True, slots=True)
class OutputEdit:
    """The replacement of the text at a location by `text`."""

    location: OutputLocation
    text: str


@dataclass(frozen=True, slots=True)
class ReportedFix:
    """A checked fix.

    `dialect`: the language version that the fix selects in a build option, such as `CL2.0`; empty for a fix
    of source code.
    """

    title: str
    preferred: bool
    edits: tuple[OutputEdit, ...]
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class ReportedDiagnostic:
    """A diagnostic with its fixes.

    - `build_names`: the names of the builds that report it; empty if the builds have no names
    - `in_all_builds`: whether all builds of its file report it
    - `names`: the names in its message that the host program may define
    - `may_be_in_missing_header`: whether a header that was not found may define these names
    - `cause`: the path and line of a macro's definition, if the diagnostic comes from a macro
    - `function`: the name of the function that contains it; empty for a kernel and outside of functions
    - `fixes_from`: the program in which the fixes were searched, for a diagnostic in a header that several
      programs may include; else empty
    - `fixes_skipped`: whether no fixes were searched, because that would take too long
    """

    code: str
    severity: Severity
    message: str
    location: OutputLocation
    related: tuple[RelatedOutputLocation, ...]
    fixes: tuple[ReportedFix, ...]
    build_names: tuple[str, ...] = ()
    in_all_builds: bool = True
    names: tuple[str, ...] = ()
    may_be_in_missing_header: bool = False
    cause: tuple[str, int] | None = None
    function: str = ""
    fixes_from: DocumentName = ""
    fixes_skipped: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """The diagnostics of one file, sorted by location: an input, or a header with diagnostics.

    - `dialect`: the dialects of all builds in which the file was checked
    - `build_names`: the names of these builds; empty if they have no names
    - `skipped_fixes`: the number of diagnostics in the file whose fixes were not computed, because that would
      take too long
    - `known_incomplete`: whether a filter has removed a diagnostic which reports that the analysis is
      incomplete
    - `known_cut_short`: whether a filter has removed the diagnostic which reports that the diagnostic limit
      was exceeded
    """

    path: str
    dialect: str
    diagnostics: tuple[ReportedDiagnostic, ...]
    build_names: tuple[str, ...] = ()
    skipped_fixes: int = 0
    known_incomplete: bool = False
    known_cut_short: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the file was analysed completely: no diagnostic reports that a limit was reached."""
        return not self.known_incomplete and not any(
            each.code in INCOMPLETE_ANALYSIS_CODES for each in self.diagnostics
        )

    @property
    def cut_short(self) -> bool:
        """Whether the file has more diagnostics than the report lists."""
        return self.known_cut_short or any(each.code == diagnostic_limit.CODE for each in self.diagnostics)


@dataclass(frozen=True, slots=True)
class UncheckedFile:
    """An input that was not analysed.

    `reason` completes a sentence that begins with the file's name, such as `is C++, not OpenCL C`.
    """

    path: str
    reason: str

    @property
    def display_name(self) -> str:
        """The path of the file for messages, or "standard input"."""
        return "standard input" if self.path == "-" else self.path


@dataclass(frozen=True, slots=True)
class ReportedOption:
    """A build option as it is written.

    - `source`: a description of its origin
    - `path`, `line` (from 1): its location, if it is in the project
    - `passed_to`: the function or command to which it is passed
    - `state`: `used`; `overridden` by a later option; `ignored`, because it does not affect the analysis; or
      `open`, if it was found in host code but is not applied
    - `why`: why the option is ignored or open, or why its value is unknown; otherwise empty
    """

    option: str
    source: str
    path: str | None
    line: int | None
    passed_to: str
    state: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class OptionsReport:
    """The build options of one file in one build, in order of increasing precedence."""

    path: str
    variant: str
    dialect: str
    dialect_reason: str
    options: tuple[ReportedOption, ...]


@dataclass(frozen=True, slots=True)
class KernelReport:
    """A kernel's summary with the location of its name.

    `builds` are the builds in which the summary applies: dialects, or the names of variants.
    """

    location: OutputLocation
    summary: KernelSummary
    builds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Diagnostics that a filter removed from the report, with the `reason`, such as `in the baseline`.

    `hides_errors`: whether errors that the user wants to see are among them.
    """

    count: int
    reason: str
    hides_errors: bool = False


def _is_never_unused(found: ReportedDiagnostic) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a run of `check`.

    - `dialect_counts`: each dialect with its reason, in words, and the number of files checked under it; a
      file counts once for each of its builds
    - `cpp_for_opencl_count`: the number of files in C++ for OpenCL
    - `other_language_count`: the number of files in C++, CUDA or similar languages
    - `truncated`: whether files were left out, because the folders contain more than MAXIMUM_FILES
    - `notices`: lines for standard error
    - `excluded`: the number of files in folders that openclsp.toml excludes
    - `checked`: the number of analysed files
    - `is_of_folder`: whether the files were found in folders, and none was named
    - `paths`: the paths that the user gave
    - `is_unused`: returns whether nothing in the project uses the code in which a diagnostic is
    """

    files: tuple[FileReport, ...]
    dialect_counts: tuple[tuple[str, int], ...]
    cpp_for_opencl_count: int
    other_language_count: int
    not_checked: tuple[UncheckedFile, ...]
    truncated: bool
    notices: tuple[str, ...]
    excluded: int = 0
    checked: int = 0
    is_of_folder: bool = False
    paths: tuple[str, ...] = ()
    is_unused: Callable[[ReportedDiagnostic], bool] = field(
        default=_is_never_unused, compare=False, repr=False
    )
    options: tuple[OptionsReport, ...] = ()
    """The options of each build, if requested."""
    kernels: tuple[KernelReport, ...] = ()
    """The kernels, if requested."""
    left_out: tuple[LeftOut, ...] = ()
    """The diagnostics that filters removed."""
    pages: tuple[SourcePage, ...] = ()
    """The pages of the HTML report, if requested."""
    flow_difference: FlowDifference | None = None
    """The pointers whose address spaces differ from those at a revision, in an HTML report about a change."""
    dependencies: frozenset[str] = frozenset()
    """The files that were read, by their absolute paths: inputs, headers and files with options."""
    unrecognisable: tuple[str, ...] = ()
    """The paths of the files of folders that are not recognised as OpenCL C; they were not checked."""

    @property
    def is_complete(self) -> bool:
        """Whether every input was analysed completely."""
        return not self.not_checked and not self.truncated and all(file.is_complete for file in self.files)

    def count(self, severity: Severity) -> int:
        """Returns the number of diagnostics with this severity."""
        return sum(each.severity is severity for file in self.files for each in file.diagnostics)
