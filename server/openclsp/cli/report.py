"""What `check` found, ready to be written: places with the paths that the person used."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.ide import diagnostic_limit
from openclsp.ide.kernel_summary import KernelSummary
from openclsp.rules.finding import Severity
from openclsp.rules.incomplete import INCOMPLETE
from openclsp.source.text import Position, Text


@dataclass(frozen=True, slots=True)
class Spot:
    """Bytes `start` to `end` (exclusive, from 0) of the text at `path`, which is spelled as in the output."""

    path: str
    text: Text
    start: int
    end: int
    first: Position
    """Where it starts; line and column from 0, columns in code points."""
    last: Position
    """Where it ends, exclusive."""

    @staticmethod
    def of(path: str, text: Text, start: int, end: int) -> Spot:
        """The spot with its positions, which cost a look at their whole line."""
        return Spot(path, text, start, end, text.position(start, "utf-32"), text.position(end, "utf-32"))

    @property
    def start_label(self) -> str:
        """`path:line:column`, from 1."""
        return f"{self.path}:{self.first.line + 1}:{self.first.column + 1}"


@dataclass(frozen=True, slots=True)
class RelatedSpot:
    """A place that a diagnostic also speaks of."""

    spot: Spot
    message: str


@dataclass(frozen=True, slots=True)
class SpotEdit:
    """Put `text` for what stands at the spot."""

    spot: Spot
    text: str


@dataclass(frozen=True, slots=True)
class ReportedFix:
    """A checked fix. `dialect` where it is the language version that changes (its edit writes the build option)."""

    title: str
    preferred: bool
    edits: tuple[SpotEdit, ...]
    dialect: str = ""


@dataclass(frozen=True, slots=True)
class ReportedDiagnostic:
    """A diagnostic with its fixes. `variants` are the builds that have it, where builds have names; `everywhere` is
    whether all builds of its file do. `names` are those that it lists, which the host may define, or, with `missing`, a
    header that is not found."""

    code: str
    severity: Severity
    message: str
    spot: Spot
    related: tuple[RelatedSpot, ...]
    fixes: tuple[ReportedFix, ...]
    variants: tuple[str, ...] = ()
    everywhere: bool = True
    names: tuple[str, ...] = ()
    missing: bool = False


@dataclass(frozen=True, slots=True)
class FileReport:
    """The diagnostics of one file, sorted by place: a file that was asked for, or a header with something in it. `variants`
    are the builds that it was checked in, where they have names; `dialect` lists those of all builds. `fixes_left_out` counts
    the diagnostics of its analysis, those in headers among them, whose fixes would have cost too much."""

    path: str
    dialect: str
    diagnostics: tuple[ReportedDiagnostic, ...]
    variants: tuple[str, ...] = ()
    fixes_left_out: int = 0

    @property
    def complete(self) -> bool:
        """Whether the whole file was analysed: no diagnostic says that the analysis met a bound."""
        return not any(each.code in INCOMPLETE for each in self.diagnostics)

    @property
    def cut_short(self) -> bool:
        """Whether the file has more diagnostics than these."""
        return any(each.code == diagnostic_limit.CODE for each in self.diagnostics)


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A file that was asked for and is not analysed; `reason` continues the sentence "FILE …": `is C++, not OpenCL C`."""

    path: str
    reason: str

    @property
    def called(self) -> str:
        """The file in a sentence."""
        return "standard input" if self.path == "-" else self.path


@dataclass(frozen=True, slots=True)
class ShownOption:
    """One option as it is written. `source` says in words where it comes from, `path` and `line` (from 1) where that is a
    place of the project; `how` is the call that it is passed to. `state` is `used`, `overridden` or `open`, which is
    not used for the reason `why`."""

    option: str
    source: str
    path: str | None
    line: int | None
    how: str
    state: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class OptionsReport:
    """The options of one file in one build, the weakest first; `dialect` with its reason."""

    path: str
    variant: str
    dialect: str
    dialect_reason: str
    options: tuple[ShownOption, ...]


@dataclass(frozen=True, slots=True)
class KernelReport:
    """A kernel with the place of its name; `builds` are those in which the same is to be said of it: dialects, with the
    variants where they have names."""

    spot: Spot
    summary: KernelSummary
    builds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The whole answer. `checked_as` counts the builds that were analysed by dialect and its reason, `checked` their files;
    `unsupported` counts those that are C++ for OpenCL, `foreign` those that are C++, CUDA or their like; `truncated` is whether a folder holds more files than were read.
    `notices` are lines for standard error; `excluded` counts the files of folders that openclsp.toml leaves out."""

    files: tuple[FileReport, ...]
    checked_as: tuple[tuple[str, int], ...]
    unsupported: int
    foreign: int
    not_checked: tuple[NotChecked, ...]
    truncated: bool
    notices: tuple[str, ...]
    excluded: int = 0
    checked: int = 0
    options: tuple[OptionsReport, ...] = ()
    """Those of each build, where they were asked for"""
    kernels: tuple[KernelReport, ...] = ()
    """Likewise"""

    @property
    def complete(self) -> bool:
        """Whether every file that was asked for was analysed, and to its end."""
        return not self.not_checked and not self.truncated and all(file.complete for file in self.files)

    def count(self, severity: Severity) -> int:
        """How many diagnostics are of that severity."""
        return sum(each.severity is severity for file in self.files for each in file.diagnostics)
