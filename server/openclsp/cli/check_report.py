"""The report of `check`, with locations in the user's path spelling, ready for output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.kernels.kernel_summary import KernelSummary
from openclsp.rules.finding import Severity
from openclsp.rules.runner.incomplete_analysis import INCOMPLETE_ANALYSIS_CODES
from openclsp.source.text import Position, Text

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage
    from openclsp.cli.pointer_changes import FlowDifference


@dataclass(frozen=True, slots=True)
class OutputLocation:
    """A location: bytes `start` to `end` (exclusive, from 0) of the file at `path`, an output path."""

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
        """Creates a location with its positions; the time is linear in the length of its lines."""
        return OutputLocation(
            path, text, start, end, text.position(start, "utf-32"), text.position(end, "utf-32")
        )

    @property
    def start_label(self) -> str:
        """`path:line:column`, from 1."""
        return f"{self.path}:{self.first.line + 1}:{self.first.column + 1}"


@dataclass(frozen=True, slots=True)
class RelatedOutputLocation:
    """A related location of a diagnostic, with its message."""

    location: OutputLocation
    message: str


@dataclass(frozen=True, slots=True)
class OutputEdit:
    """Replaces the text at the location by `text`."""

    location: OutputLocation
    text: str


@dataclass(frozen=True, slots=True)
class ReportedFix:
    """A checked fix. `dialect` is set if its edit writes a build option that changes the language version."""

    title: str
    preferred: bool
    edits: tuple[OutputEdit, ...]
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class ReportedDiagnostic:
    """A diagnostic with its fixes.

    `build_names` are the builds that report it, if builds have names; `in_all_builds`: all builds of its file
    report it. `names` are the names in it that the host may define; with `may_be_in_missing_header`, a header
    that was not found may do so too. If the diagnostic comes from a macro, `cause` is the path and the line
    of the macro's definition.
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


@dataclass(frozen=True, slots=True)
class FileReport:
    """The diagnostics of one file, sorted by location: an input, or a header with diagnostics.

    `build_names` are the builds in which it was checked, if they have names; `dialect` lists the dialects of
    all builds. `skipped_fixes` counts the diagnostics of its unit (including those in headers) whose fixes
    were not computed because that would take too long. A filter that removes diagnostics sets
    `known_incomplete` and `known_cut_short`, which the removed diagnostics would otherwise imply.
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
        """Whether the file has more diagnostics than these."""
        return self.known_cut_short or any(each.code == diagnostic_limit.CODE for each in self.diagnostics)


@dataclass(frozen=True, slots=True)
class UncheckedFile:
    """An input that was not analysed; `reason` continues the sentence "FILE …": `is C++, not OpenCL C`."""

    path: str
    reason: str

    @property
    def display_name(self) -> str:
        """The name of the file in a sentence."""
        return "standard input" if self.path == "-" else self.path


@dataclass(frozen=True, slots=True)
class ReportedOption:
    """A build option as it is written.

    `source` describes its origin; `path` and `line` (from 1) are its location, if it is in the project.
    `passed_to` is the call to which it is passed. `state` is `used`, `overridden` or `open` (not used, for
    the reason `why`).
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
    """The options of one file in one build, in order of increasing precedence."""

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
    """Diagnostics that a filter removed; `reason` says why: `in the baseline`."""

    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The result of a run of `check`.

    `dialect_counts` counts the analysed builds by dialect and its reason, `checked` the analysed files.
    `cpp_for_opencl_count` counts files in C++ for OpenCL, `other_language_count` files in C++, CUDA or
    similar languages. `truncated`: a folder contains more files than the limit. `notices` are lines for
    standard error. `excluded` counts files in folders that openclsp.toml excludes.
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
    options: tuple[OptionsReport, ...] = ()
    """The options of each build, if requested."""
    kernels: tuple[KernelReport, ...] = ()
    """The kernels, if requested."""
    left_out: tuple[LeftOut, ...] = ()
    """The diagnostics that filters removed."""
    pages: tuple[SourcePage, ...] = ()
    """The pages of the HTML report, if requested."""
    flow_difference: FlowDifference | None = None
    """The pointers whose address spaces a change has changed, in an HTML report about a change."""
    dependencies: frozenset[str] = frozenset()
    """The files that were read, by their absolute paths: inputs, headers and files with options."""

    @property
    def is_complete(self) -> bool:
        """Whether every input was analysed completely."""
        return not self.not_checked and not self.truncated and all(file.is_complete for file in self.files)

    def count(self, severity: Severity) -> int:
        """The number of diagnostics with this severity."""
        return sum(each.severity is severity for file in self.files for each in file.diagnostics)
