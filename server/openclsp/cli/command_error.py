"""The exception that ends a command with a message."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CommandError(Exception):
    """An error that ends the command with exit code 2 and a one-line message."""


def suggest_name(name: str, known: Iterable[str]) -> str:
    """Returns a suffix such as `; did you mean 'pointer-cast'?`; empty if no known name is similar."""
    found = difflib.get_close_matches(name, tuple(known), n=1, cutoff=0.6)
    return f"; did you mean '{found[0]}'?" if found else ""
