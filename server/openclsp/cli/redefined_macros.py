"""Detects macros that a file defines anew for each of its kernels, such as tile sizes."""

from __future__ import annotations

import re
from typing import Final

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.rules.finding import Severity
from openclsp.source.text import Text

REDEFINED: Final = "macro-redefined"


def is_defined_for_each_kernel(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro that a function between its two definitions uses.

    The author has then defined the macro anew for the functions after it, and the earlier ones have the value
    that they need.
    """
    if found.code != REDEFINED or found.severity is Severity.ERROR or len(found.related) != 1:
        return False
    before, now = found.related[0].location, found.location
    return before.path == now.path and is_used_between(now.text, before.start, now.start, now.end)


def is_used_between(text: Text, before: int, start: int, end: int) -> bool:
    """Whether a function between two definitions of a macro uses it.

    `before` is a position in the first definition, `start` and `end` are those of the name in the second one.
    """
    first, last = text.line_of(before), text.line_of(start)
    if first >= last:
        return False
    between = text.data[text.line_end(first) : text.line_start(last)]
    return (
        b"}" in between and re.search(rb"\b" + re.escape(text.data[start:end]) + rb"\b", between) is not None
    )
