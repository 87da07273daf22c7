"""Decides which diagnostics the text output of a run over several files only counts, and why."""

from __future__ import annotations

from typing import Final

from openclsp.cli.check_report import CheckReport, ReportedDiagnostic
from openclsp.cli.one_compiler import is_moot
from openclsp.cli.redefined_macros import (
    is_constant_redefined,
    is_default_overridden,
    is_defined_for_each_kernel,
    is_in_implementation,
)
from openclsp.cli.redundant_diagnostics import (
    is_about_analysis,
    is_about_generic_pointer,
    is_about_outside_file,
)
from openclsp.cli.secondary_files import is_secondary
from openclsp.rules.finding import Severity

_SECONDARY: Final = "in other projects, unused code or tests; name a file or folder to see them"
_UNUSED: Final = "in code that nothing in the project uses; name a file to see them"
_FOR_EACH_KERNEL: Final = "about macros that are defined anew for each kernel"
_OVERRIDDEN: Final = "about macros whose default a conditional group overrides"
_CONSTANTS: Final = "about constants that are redefined in another precision"
_IMPLEMENTATION: Final = "about macros of the language in a file that defines many of them"
_GENERIC: Final = "about pointers that need no generic address space, or about `__generic`"
_NO_EFFECT: Final = "about barriers that order no write of memory"
_DEFAULT_SPACE: Final = "about pointers at program scope with the default address space of OpenCL C 2.0"
_ONE_COMPILER: Final = "about other compilers, but the file uses what only one compiler has"
_LIMITS: Final = "about parts that exceed a limit of the analysis"
_OUTSIDE: Final = "about headers outside of the project, for --readable-folder"
COUNTED_INFORMATION: Final = {
    "program-scope-pointer": _DEFAULT_SPACE,
    # it costs time, but no result depends on it: of nine that a reader judged, two were useful
    "barrier-fence": _NO_EFFECT,
}
"""The reasons why diagnostics of some rules are only counted if their severity is `information`"""
REASONS: Final = (
    _LIMITS,
    _ONE_COMPILER,
    _OUTSIDE,
    _FOR_EACH_KERNEL,
    _OVERRIDDEN,
    _CONSTANTS,
    _IMPLEMENTATION,
    _GENERIC,
    _DEFAULT_SPACE,
    _NO_EFFECT,
    _SECONDARY,
    _UNUSED,
)
"""The reasons, in the order of the summary."""


def has_primary_files(report: CheckReport) -> bool:
    """Whether any file of the run is neither in another project, nor unused code, nor a test."""
    return any(not is_secondary(each.path, report.paths, b"") for each in report.files)


def reason_to_hide_before_folding(found: ReportedDiagnostic, report: CheckReport, has_primary: bool) -> str:
    """Returns why a diagnostic is only counted; empty if it takes part in the search for redundant diagnostics.

    `has_primary` is the result of `has_primary_files`. If it is false, the other files are what the project is about.
    """
    if found.severity is Severity.ERROR:
        return ""
    if has_primary and is_secondary(found.location.path, report.paths, found.location.text.data):
        return _SECONDARY
    is_named = found.location.path in report.paths
    if not (is_named or is_about_analysis(found.code, found.severity, found.names)) and report.is_unused(
        found
    ):
        return _UNUSED
    if is_defined_for_each_kernel(found):
        return _FOR_EACH_KERNEL
    if is_default_overridden(found):
        return _OVERRIDDEN
    if is_constant_redefined(found):
        return _CONSTANTS
    if is_in_implementation(found):
        return _IMPLEMENTATION
    if found.severity is Severity.INFORMATION and found.code in COUNTED_INFORMATION:
        return COUNTED_INFORMATION[found.code]
    return _GENERIC if is_about_generic_pointer(found.code, found.severity) else ""


def reason_to_hide_after_folding(found: ReportedDiagnostic) -> str:
    """Returns why a diagnostic that is not redundant is only counted; empty if it is shown."""
    if is_moot(found.code, found.severity, found.location.text.data):
        return _ONE_COMPILER
    if found.code == "analysis-limit" and found.severity is not Severity.ERROR:
        return _LIMITS
    return _OUTSIDE if is_about_outside_file(found.code, found.severity, found.message) else ""
