"""Schedules the cyclic garbage collector: it runs while the user pauses, not while the user types.

Analyses create hundreds of thousands of objects that stay alive, and almost no garbage cycles. With Python's
default thresholds, the collector would traverse all these objects again and again. This would take a quarter
of the time of a large kernel's first analysis, and later half a second in the middle of typing. The
thresholds are therefore so high that the collector starts by itself only after hundreds of edits without a
pause. The memory of a closed document is released without a collection: see `TranslationUnit.close`.
"""

from __future__ import annotations

import gc

_THRESHOLDS = 200_000, 10, 10
"""The thresholds for `gc.set_threshold`: 200,000 new objects, then 10 collections of each younger generation.

`collect_garbage` uses the last two as well. An edit leaves about 200 more objects than it frees, until the
next pause.
"""


def disable_collection() -> None:
    """Disables the collector during start-up, when almost every new object stays alive."""
    gc.disable()


def enable_rare_collection() -> None:
    """Freezes the objects that start-up created, and enables the collector with high thresholds."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


def collect_garbage() -> None:
    """Collects the young generation, and sometimes an older one; called when no request is waiting."""
    _, older, oldest = gc.get_count()
    _, until_older, until_oldest = _THRESHOLDS
    if older <= until_older:
        gc.collect(0)
    else:
        gc.collect(1 if oldest <= until_oldest else 2)


def freeze_live_objects() -> None:
    """Exempts all live objects from later collections, because they are going to stay alive."""
    gc.freeze()
