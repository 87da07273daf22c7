"""Detects macros that a file defines anew for each of its kernels, such as tile sizes."""

from __future__ import annotations

import re

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.rules.finding import Severity

_CODE = "macro-redefined"


def is_defined_for_each_kernel(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro that a function between its two definitions uses.

    The author has then defined the macro anew for the functions after it, and the earlier ones have the value
    that they need.
    """
    if found.code != _CODE or found.severity is Severity.ERROR or len(found.related) != 1:
        return False
    before, now = found.related[0].location, found.location
    if before.path != now.path or before.last.line >= now.first.line:
        return False
    name = now.text.data[now.start : now.end]
    start, end = now.text.line_end(before.last.line), now.text.line_start(now.first.line)
    between = now.text.data[start:end]
    return b"}" in between and re.search(rb"\b" + re.escape(name) + rb"\b", between) is not None
