"""Detects macros that a file defines anew for each of its kernels, such as tile sizes."""

from __future__ import annotations

import re
from typing import Final

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.rules.finding import Severity
from openclsp.source.text import Text

REDEFINED: Final = "macro-redefined"
_FUNCTION: Final = re.compile(rb"\)\s*(?://[^\n]*\s*)*\{")


def is_defined_for_each_kernel(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro with a function between its two definitions.

    The author has then defined the macro anew for the functions after it, and the earlier ones have the value
    that they need.
    """
    if found.code != REDEFINED or found.severity is Severity.ERROR or len(found.related) != 1:
        return False
    before, now = found.related[0].location, found.location
    return before.path == now.path and has_function_between(now.text, before.start, now.start)


def has_function_between(text: Text, before: int, after: int) -> bool:
    """Whether the lines between two positions contain the beginning of a function's body."""
    first, last = text.line_of(before), text.line_of(after)
    return (
        first < last and _FUNCTION.search(text.data, text.line_end(first), text.line_start(last)) is not None
    )
