"""Makes the cyclic garbage collector run seldom during a command.

An analysis creates hundreds of thousands of objects that stay alive until it ends. With Python's default
thresholds, the collector traverses all of them again and again, which takes a third of the time for checking
a large kernel.
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

    `gc.freeze` excludes all existing objects from later collections. It is called again at exit, because the
    interpreter collects once more before it ends. That last collection took a twelfth of the time for
    checking a large kernel.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    atexit.register(gc.freeze)
