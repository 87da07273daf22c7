"""When the process looks for objects that only cycles keep alive.

Analyses make hundreds of thousands of objects that stay, and next to no cycles that nobody needs: Python's own schedule
looks through all of them again and again, which takes a quarter of a large kernel's first analysis, and later half a second
in the middle of typing. What a closed document kept is freed without a search: see `TranslationUnit.close`.
"""

from __future__ import annotations

import gc

# new objects before the young are looked through, and how often before those that are older are
_THRESHOLDS = 10_000, 20, 50


def look_not_yet() -> None:
    """To be called as the process starts: next to all that is made from now on is going to stay."""
    gc.disable()


def look_seldom() -> None:
    """To be called when the process has started."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def leave_out_what_there_is() -> None:
    """What is alive now is going to stay: later searches leave it out."""
    gc.freeze()
