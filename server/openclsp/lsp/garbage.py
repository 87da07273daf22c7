"""When the process looks for objects that only cycles keep alive.

Analyses make hundreds of thousands of objects that stay, and next to no cycles that nobody needs: Python's own schedule
looks through all of them again and again, which takes a quarter of a large kernel's first analysis, and later half a second
in the middle of typing. So they are looked through while a person pauses, and by Python itself only where no pause comes
for hundreds of edits. What a closed document kept is freed without a search: see `TranslationUnit.close`.
"""

from __future__ import annotations

import gc

_THRESHOLDS = 200_000, 10, 10
"""New objects before Python looks through the young by itself; after how many searches those that are older are looked
through too, in a pause as well. An edit leaves some 200 objects more than it frees, until the next pause."""


def look_not_yet() -> None:
    """To be called as the process starts: next to all that is made from now on is going to stay."""
    gc.disable()


def look_seldom() -> None:
    """To be called when the process has started."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def look_now() -> None:
    """To be called when nobody waits: looks through what is new since the last time, seldom through what is older."""
    _, older, oldest = gc.get_count()
    _, until_older, until_oldest = _THRESHOLDS
    if older <= until_older:
        gc.collect(0)
    else:
        gc.collect(1 if oldest <= until_oldest else 2)


def leave_out_what_there_is() -> None:
    """What is alive now is going to stay: later searches leave it out."""
    gc.freeze()
