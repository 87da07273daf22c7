"""Decides which diagnostics the text output of a run over several files only counts, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.cli.one_compiler import is_moot
from openclsp.cli.redefined_macros import is_constant_redefined, is_defined_for_each_kernel
from openclsp.cli.redundant_diagnostics import is_about_generic_pointer, is_about_outside_file
from openclsp.cli.unmaintained_files import is_unmaintained
from openclsp.rules.finding import Severity

_UNMAINTAINED: Final = (
    "in other projects, unused code or tests of compilers; name a file or folder to see them"
)
_FOR_EACH_KERNEL: Final = "about macros that are defined anew for each kernel"
_CONSTANTS: Final = "about constants that are redefined in another precision"
_GENERIC: Final = "about the cost of generic pointers, or about `__generic`"
_ONE_COMPILER: Final = "about other compilers, but the file uses what only one compiler has"
_OUTSIDE: Final = "about headers outside of the project, for --readable-folder"
REASONS: Final = (_ONE_COMPILER, _OUTSIDE, _FOR_EACH_KERNEL, _CONSTANTS, _GENERIC, _UNMAINTAINED)
"""The reasons, in the order of the summary."""


def reason_to_set_apart(found: ReportedDiagnostic, arguments: Sequence[str]) -> str:
    """Returns why a diagnostic is only counted, and makes no other one redundant; empty if it is not.

    `arguments` are the paths that the user gave.
    """
    if found.severity is Severity.ERROR:
        return ""
    if is_unmaintained(found.location.path, arguments, found.location.text.data):
        return _UNMAINTAINED
    if is_defined_for_each_kernel(found):
        return _FOR_EACH_KERNEL
    if is_constant_redefined(found):
        return _CONSTANTS
    return _GENERIC if is_about_generic_pointer(found.code, found.severity) else ""


def reason_to_hide(found: ReportedDiagnostic) -> str:
    """Returns why a diagnostic that no earlier one makes redundant is only counted; empty if it is shown."""
    if is_moot(found.code, found.severity, found.location.text.data):
        return _ONE_COMPILER
    return _OUTSIDE if is_about_outside_file(found.code, found.severity, found.message) else ""
