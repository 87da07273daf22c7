"""Schedules the cyclic garbage collector during a command: it runs seldom.

An analysis makes hundreds of thousands of objects that stay alive until it ends. Python's own schedule
traverses all of them again and again, which takes a third of a large kernel's check.
"""

from __future__ import annotations

import atexit
import gc

_THRESHOLDS = 1_000_000, 10, 10
"""Thresholds of `gc.set_threshold`: new objects per collection, then collections per one of the next older generation."""


def collect_seldom() -> None:
    """Raises the thresholds of the collector; called when a command begins.

    `gc.freeze` excludes the present objects from later collections. It is called again at exit, because the
    interpreter then collects once more, although the memory is released anyway: that took a twelfth of a
    large kernel's check.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    atexit.register(gc.freeze)
