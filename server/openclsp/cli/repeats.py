"""Diagnostics that a reader of the terminal has just been given: which ones, and by which other."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from openclsp.rules.finding import Severity

OF_NAMES: Final = frozenset(("unknown-name", "error-directive", "warning-directive"))
"""Rules whose hints are about names that the host may define: one decision, how it builds programs of its files"""
MISSING: Final = "include-not-found"
TEMPLATE: Final = "template"
OTHER_LANGUAGE: Final = "cpp-for-opencl"
_OF_ANALYSIS: Final = OF_NAMES | {TEMPLATE, OTHER_LANGUAGE}
"""Rules about what the analysis cannot know of a file: how its host makes a program of it, and in which language"""
_OF_PROJECTS: Final = _OF_ANALYSIS | {"generic-qualifier"}
"""Rules about what is one decision for a project"""
_VARYING: Final = re.compile(r"`[^`]*`|'[^']*'|\d+")


class Told(NamedTuple):
    """What a reader takes from a diagnostic. `line` is where it begins, from 0. `names` are the names that a hint lists, which the
    host may define; `missing` is whether a header that is not found may define them too. `cause` is the file and the line where
    the text was written: the innermost macro's definition, or the place itself."""

    path: str
    line: int
    code: str
    severity: Severity
    message: str
    names: tuple[str, ...]
    missing: bool = False
    cause: tuple[str, int] | None = None


def repeats(told: Sequence[Told]) -> list[int | None]:
    """For each diagnostic the earlier one that makes it superfluous, or None. No error is superfluous, and a warning only if the
    same file has the same message, or the same line another finding of that rule: the excerpt shows the line once. Adjacent lines,
    such as a block of macros, are one place too if the messages differ only in names and numbers.

    Names are listed once for all files. Of headers below one folder that is not found, such as `gpu/a.h` and `gpu/b.h`, the first
    hint is enough: one include folder brings them all. What a header that is not found may define is left to its hint.
    """
    found: list[int | None] = []
    messages: dict[tuple[str, str, str], int] = {}
    lines: dict[tuple[str, str, int], int] = {}
    blocks: dict[tuple[str, int], int] = {}
    listed: dict[str, int] = {}
    decisions: dict[str, int] = {}
    lost = next((number for number, each in enumerate(told) if each.code == MISSING), None)
    for number, each in enumerate(told):
        before: int | None = None
        if each.severity in (Severity.HINT, Severity.INFORMATION) and each.code in _OF_PROJECTS:
            about_names = each.code in OF_NAMES
            decision = "names" if about_names else each.code
            in_header = lost is not None and each.missing and about_names
            before = lost if in_header else decisions.setdefault(decision, number)
        elif each.names and each.severity is not Severity.ERROR:
            first = [listed.get(_gap(name)) for name in each.names]
            before = lost if each.missing and each.code != MISSING else None if None in first else first[0]
        elif each.severity is not Severity.ERROR:
            message, line = (each.path, each.code, each.message), (each.path, each.code, each.line)
            before = messages.get(message, lines.get(line))
            path, at = each.cause or (each.path, each.line)
            shape = f"{each.path}\0{each.code}\0{_VARYING.sub('', each.message)}\0{path}"
            if before is None:
                before = next(
                    (blocks[shape, row] for row in (at - 1, at, at + 1) if (shape, row) in blocks), None
                )
            blocks.setdefault((shape, at), number if before is None else before)
            if before is None:
                messages[message] = lines[line] = number
        for name in each.names:
            listed.setdefault(_gap(name), number)
        found.append(None if before == number else before)
    return found


def is_about_analysis(code: str, severity: Severity) -> bool:
    """Whether a diagnostic is about the limits of the analysis, not about the code. A run over several files reports these in its
    summary."""
    return severity in (Severity.HINT, Severity.INFORMATION) and code in _OF_ANALYSIS


def _gap(name: str) -> str:
    """What is missing: the folder that a header's name begins with, else the name itself."""
    return os.path.dirname(name) or name
