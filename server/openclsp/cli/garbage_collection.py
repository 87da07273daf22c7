"""Makes the cyclic garbage collector run seldom during a command.

An analysis makes hundreds of thousands of objects that stay alive until it ends. Python's own schedule
traverses all of them again and again, which takes a third of a large kernel's check.
"""

from __future__ import annotations

import atexit
import gc

_THRESHOLDS = 4_000_000, 10, 10
"""Thresholds of `gc.set_threshold`: new objects per collection, then collections per one of the next older
generation.

With 1 million instead of 4 million objects, collections take 5 to 9 % of the check of a large kernel and free
nothing: sgminer's `bitblock.cl` takes 3.9 instead of 3.6 s of CPU time, and 330 MB with either threshold.
"""


def collect_seldom() -> None:
    """Raises the thresholds of the collector; called when a command begins.

    `gc.freeze` excludes the present objects from later collections. `gc.freeze` is called again at exit: the
    interpreter collects once more there, although all memory is released anyway. That collection took a
    twelfth of a large kernel's check.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    atexit.register(gc.freeze)
