"""The Python API: checks a text, and returns the type or the address-space flow at a position in it.

Everything in `__all__` is stable: `API_VERSION` increases if one of these names, parameters or fields is
removed or changes its meaning; names, parameters and fields may be added at any time. Other modules of the
package may change. The functions must not be called from several threads at the same time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from openclsp.cli.build_options import build_options
from openclsp.cli.check_command import check
from openclsp.cli.check_report import OutputLocation, ReportedDiagnostic
from openclsp.cli.command_error import CommandError
from openclsp.cli.flow_command import flow_report
from openclsp.cli.hover_command import hover_report
from openclsp.cli.inputs import CheckInput, CheckInputs
from openclsp.cli.rule_book import rule_page
from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import PointerFlow
from openclsp.project.file_system import FileProblem, decode_file
from openclsp.project.option_parser import BuildOptions
from openclsp.rules.finding import Severity
from openclsp.source.document import Document

_Report = TypeVar("_Report")
__all__ = [
    "API_VERSION",
    "ApiDiagnostic",
    "ApiEdit",
    "ApiError",
    "ApiFix",
    "ApiFlow",
    "ApiHover",
    "ApiPosition",
    "ApiRange",
    "ApiReason",
    "ApiRelated",
    "ApiStep",
    "KernelOptions",
    "Severity",
    "check_text",
    "explain_code",
    "flow_at",
    "hover_at",
]

API_VERSION: Final = 1


class ApiError(ValueError):
    """An invalid call, such as an unknown option or a position outside the text. The message is one line."""


@dataclass(frozen=True, slots=True)
class KernelOptions:
    """The build options of a kernel, in addition to those of its project.

    - `std`: a language version, such as `CL2.0`
    - `extensions`: switches such as `+cl_khr_fp64`
    - `definitions`: macros, as `NAME` or `NAME=VALUE`
    - `include_folders`: paths
    """

    std: str | None = None
    extensions: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    include_folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiPosition:
    """A line and a column, counted from 1; columns count code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ApiRange:
    """A range of a file; the end is exclusive."""

    path: str
    start: ApiPosition
    end: ApiPosition


@dataclass(frozen=True, slots=True)
class ApiEdit:
    """The replacement of a range of a file by a text."""

    range: ApiRange
    text: str


@dataclass(frozen=True, slots=True)
class ApiFix:
    """A checked fix: its edits remove the diagnostic and cause no new one."""

    title: str
    preferred: bool
    edits: tuple[ApiEdit, ...]


@dataclass(frozen=True, slots=True)
class ApiRelated:
    """A source range that explains a diagnostic, with a message."""

    range: ApiRange
    message: str


@dataclass(frozen=True, slots=True)
class ApiDiagnostic:
    """A diagnostic; `explain_code(code)` returns the page of its rule."""

    code: str
    severity: Severity
    message: str
    range: ApiRange
    related: tuple[ApiRelated, ...]
    fixes: tuple[ApiFix, ...]


@dataclass(frozen=True, slots=True)
class ApiReason:
    """The reason why a level of a type has its address space.

    `level` is 0 for the object, 1 for its pointee, and so on.
    """

    space: str
    level: int
    reason: str


@dataclass(frozen=True, slots=True)
class ApiHover:
    """The type at a position. `spaces` are the address spaces of the object, of its pointee, and so on."""

    type: str
    spaces: tuple[str, ...]
    reasons: tuple[ApiReason, ...]
    dialect: str


@dataclass(frozen=True, slots=True)
class ApiStep:
    """A step of a path from an object to a generic pointer.

    `range` is None if the file of the step cannot be read.
    """

    description: str
    range: ApiRange | None


@dataclass(frozen=True, slots=True)
class ApiFlow:
    """The address spaces of the pointers that can reach a generic pointer.

    - `spaces`: the address spaces
    - `paths`: the shortest path for each of these address spaces
    - `null`: whether a null pointer can reach the generic pointer
    - `unknown`: whether a pointer of unknown address space can reach the generic pointer
    """

    declared: str
    function: str
    spaces: tuple[str, ...]
    null: bool
    unknown: bool
    paths: dict[str, tuple[ApiStep, ...]]


_NO_OPTIONS: Final = KernelOptions()


def check_text(
    text: str | bytes,
    *,
    path: str = "kernel.cl",
    options: KernelOptions = _NO_OPTIONS,
    fixes: bool = True,
) -> tuple[ApiDiagnostic, ...]:
    """Checks a text as if it were the content of the file `path`, and returns its diagnostics.

    The file need not exist, but its folder determines include folders and build options. The diagnostics of
    included headers follow those of the text. Fixes are computed only if `fixes` is true. Raises ApiError if
    the text cannot be checked.
    """
    try:
        document = _document(text, path)
        report = check(CheckInputs((CheckInput(path, document),)), _build_options(options), with_fixes=fixes)
    except CommandError as error:
        raise ApiError(str(error)) from error
    if report.not_checked:
        refused = report.not_checked[0]
        raise ApiError(f"{refused.display_name} {refused.reason}")
    files = sorted(report.files, key=lambda each: each.path != path)
    return tuple(_diagnostic(each) for file in files for each in file.diagnostics)


def hover_at(
    text: str | bytes,
    line: int,
    column: int,
    *,
    path: str = "kernel.cl",
    options: KernelOptions = _NO_OPTIONS,
) -> ApiHover | None:
    """Returns the type at a position; None if nothing there has a type.

    `line` and `column` count from 1. Raises ApiError if the position does not exist.
    """
    report = _report_at(hover_report, text, line, column, path, options)
    if report.hover is None:
        return None
    reasons = (ApiReason(why.space, why.level, why.reason) for why, _ in report.why)
    return ApiHover(report.hover.type, tuple(report.hover.spaces), tuple(reasons), report.dialect)


def flow_at(
    text: str | bytes,
    line: int,
    column: int,
    *,
    path: str = "kernel.cl",
    options: KernelOptions = _NO_OPTIONS,
) -> ApiFlow:
    """Returns how address spaces reach the generic pointer at a position.

    `line` and `column` count from 1. Raises ApiError if there is no generic pointer at the position.
    """
    report = _report_at(flow_report, text, line, column, path, options)
    return _flow(report.flow, report.steps)


def _report_at(
    make_report: Callable[..., _Report],
    text: str | bytes,
    line: int,
    column: int,
    path: str,
    options: KernelOptions,
) -> _Report:
    """Calls `make_report` for a position of a text, and returns the report.

    `line` and `column` count from 1. The file `path` need not exist. Raises ApiError if `make_report` fails.
    """
    try:
        document = _document(text, path)
        return make_report(
            f"{path}:{line}:{column}",
            _build_options(options),
            is_opencl=True,
            open_documents={document.name: document},
        )
    except CommandError as error:
        raise ApiError(str(error)) from error


def explain_code(code: str) -> str:
    """Returns the page of a rule or concept, as Markdown. Raises ApiError for an unknown code."""
    try:
        return rule_page(code)
    except CommandError as error:
        raise ApiError(str(error)) from error


def _document(text: str | bytes, path: str) -> Document:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    decoded = decode_file(path, data)
    if isinstance(decoded, FileProblem):
        raise ApiError(f"{path} {decoded.reason}")
    return Document.of(os.path.abspath(path), decoded)


def _build_options(options: KernelOptions) -> BuildOptions:
    return build_options(options.std, options.extensions, options.include_folders, options.definitions)


def _diagnostic(found: ReportedDiagnostic) -> ApiDiagnostic:
    return ApiDiagnostic(
        found.code,
        found.severity,
        found.message,
        _range(found.location),
        tuple(ApiRelated(_range(each.location), each.message) for each in found.related),
        tuple(
            ApiFix(
                fix.title,
                fix.preferred,
                tuple(ApiEdit(_range(edit.location), edit.text) for edit in fix.edits),
            )
            for fix in found.fixes
        ),
    )


def _flow(flow: PointerFlow, steps: Sequence[Sequence[OutputLocation | None]]) -> ApiFlow:
    paths = {
        witness.space.word: tuple(
            ApiStep(step.description, None if location is None else _range(location))
            for step, location in zip(witness.steps, locations, strict=True)
        )
        for witness, locations in zip(flow.witnesses, steps, strict=True)
    }
    spaces = tuple(space.word for space in flow.spaces)
    return ApiFlow(flow.declared, flow.function, spaces, flow.null, flow.unknown, paths)


def _range(location: OutputLocation) -> ApiRange:
    first, last = location.first, location.last
    return ApiRange(
        location.path,
        ApiPosition(first.line + 1, first.column + 1),
        ApiPosition(last.line + 1, last.column + 1),
    )
