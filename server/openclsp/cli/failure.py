"""Why a command could not run."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CannotRun(Exception):
    """Ends the command with exit code 2; the message is the one line that says what is wrong, and where."""


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'pointer-cast'?` for the known name that is most like `name`, else nothing."""
    found = difflib.get_close_matches(name, tuple(known), n=1, cutoff=0.6)
    return f"; did you mean '{found[0]}'?" if found else ""
