"""Detects redefined macros that are no mistakes: tile sizes, constants such as `M_PI`, and implementations of OpenCL."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from openclsp.cli.check_report import ReportedDiagnostic
from openclsp.language.dialect import Dialect
from openclsp.language.predefined import predefined_macros
from openclsp.rules.finding import Severity
from openclsp.source.text import Text
from openclsp.source.word_search import find_word

REDEFINED: Final = "macro-redefined"
_FUNCTION: Final = re.compile(rb"\)[ \t\r\n]{0,80}(?://[^\n]{0,200}\n[ \t\r\n]{0,80}){0,3}\{")

_CONSTANT: Final = re.compile(
    rb"[ \t]+(?:\([ \t(]*)?(?P<value>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?)[fF]?[ \t)]*(?=/|\r?\n|\Z)"
)
_PRECISION: Final = 1e-6
"""The largest relative difference of a constant that is written in single precision, such as `3.14159f`."""


_CONDITIONAL: Final = re.compile(rb"^[ \t]*#[ \t]*(?:(?P<open>if)|endif\b)", re.MULTILINE)
_DEFINED: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_OF_IMPLEMENTATION: Final = 5
"""The number of macros of the language that only a file of an implementation or an emulation of OpenCL defines."""


def is_defined_for_each_kernel(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro that the author has defined anew for the functions after it."""
    if found.code != REDEFINED or found.severity is Severity.ERROR or len(found.related) != 1:
        return False
    before, now = found.related[0].location, found.location
    in_one_file = before.path == now.path
    return is_defined_anew((before.text, before.start), (now.text, now.start), in_one_file=in_one_file)


def is_defined_anew(before: tuple[Text, int], now: tuple[Text, int], *, in_one_file: bool) -> bool:
    """Whether a macro is defined anew for the functions after its second definition.

    `before` and `now` are the text and the start of each definition. There must be a function between the two,
    because the functions before the second one have the value that they need. If the definitions are in two files,
    each must be followed by a function in its file: a kernel that includes several others gets the macros of each.
    """
    if in_one_file:
        return _has_function_between(now[0], before[1], now[1])
    return all(_has_function_after(*each) for each in (before, now))


def is_default_overridden(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro whose default value a conditional group overrides."""
    if found.code != REDEFINED or found.severity is Severity.ERROR or len(found.related) != 1:
        return False
    before, now = found.related[0].location, found.location
    return before.path == now.path and overrides_default(now.text, before.start, now.start, now.end)


def overrides_default(text: Text, before: int, start: int, end: int) -> bool:
    """Whether the definition of the macro whose name is at `start` to `end` overrides one that begins at `before`.

    The earlier definition is outside of the conditional group that has the later one, and nothing between them uses
    the macro. The author therefore knows both definitions.
    """
    first, last = text.line_end(text.line_of(before)), text.line_start(text.line_of(start))
    if first >= last or find_word(text.data, text.data[start:end], first, last) >= 0:
        return False
    depth = 0
    for match in _CONDITIONAL.finditer(text.data, first, last):
        depth += 1 if match["open"] is not None else -1
        if depth < 0:
            return False
    return depth > 0


def _has_function_after(text: Text, start: int) -> bool:
    """Whether the beginning of a function's body follows the line of a position."""
    return _FUNCTION.search(text.data, text.line_end(text.line_of(start))) is not None


def _has_function_between(text: Text, before: int, after: int) -> bool:
    """Whether the lines between two positions contain the beginning of a function's body."""
    first, last = text.line_of(before), text.line_of(after)
    return (
        first < last and _FUNCTION.search(text.data, text.line_end(first), text.line_start(last)) is not None
    )


def is_constant_redefined(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a constant of the language that keeps its value in another precision."""
    if found.code != REDEFINED or found.severity is Severity.ERROR or found.related:
        return False
    return keeps_constant(found.location.text, found.location.start, found.location.end)


def keeps_constant(text: Text, start: int, end: int) -> bool:
    """Whether the definition of the macro whose name is at `start` to `end` keeps the value of a constant.

    `M_PI` is a `double`, so kernels redefine it as a `float`.
    """
    name = text.data[start:end].decode("utf-8", "replace")
    before = predefined_macros(Dialect.of("CL1.2")).get(name) if name.startswith("M_") else None
    now = _CONSTANT.match(text.data, end)
    if before is None or now is None:
        return False
    value = float.fromhex(before.rstrip("fF"))
    return abs(float(now["value"]) - value) <= _PRECISION * abs(value)


def is_in_implementation(found: ReportedDiagnostic) -> bool:
    """Whether a diagnostic is about a macro of the language in a file that implements the language."""
    if found.code != REDEFINED or found.severity is Severity.ERROR or found.related:
        return False
    return defines_language(found.location.text.data)


@lru_cache(maxsize=16)
def defines_language(data: bytes) -> bool:
    """Whether a text defines several macros of the language, such as `MAXFLOAT` and `FLT_EPSILON`.

    Constants such as `M_PI` do not count, because kernels redefine them as a `float`.
    """
    names = {match[1].decode("utf-8", "replace") for match in _DEFINED.finditer(data)}
    language = {name for name in predefined_macros(Dialect.of("CL1.2")) if not name.startswith("M_")}
    return len(names & language) >= _OF_IMPLEMENTATION
