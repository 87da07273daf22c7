"""Diagnostics that a reader of the terminal has just been given: which ones, and by which other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openclsp.rules.finding import Severity


class Told(NamedTuple):
    """What a reader takes from a diagnostic. `names` are the names that a hint lists, which the host may define."""

    path: str
    code: str
    severity: Severity
    message: str
    names: tuple[str, ...]


def repeats(told: Sequence[Told]) -> list[int | None]:
    """For each diagnostic the earlier one that makes it superfluous, or None. No error is superfluous.

    Names that only the host has are the same in many files of a project: they are listed once. Anything else is left out
    only where the same file has the same message.
    """
    found: list[int | None] = []
    messages: dict[tuple[str, str, str], int] = {}
    listed: dict[tuple[str, str], int] = {}
    for number, each in enumerate(told):
        if each.severity is Severity.ERROR:
            found.append(None)
            continue
        if each.names:
            first = [listed.get((each.code, name)) for name in each.names]
            for name in each.names:
                listed.setdefault((each.code, name), number)
            found.append(None if None in first else first[0])
            continue
        before = messages.setdefault((each.path, each.code, each.message), number)
        found.append(None if before == number else before)
    return found
