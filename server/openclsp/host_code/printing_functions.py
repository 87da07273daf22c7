"""The functions of C that print into a buffer, and the macros and functions that are named after them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_PRINTER: Final = re.compile(r"(?:\w*_)?v?s(?P<limited>n)?printf(?P<secure>_s)?|asprintf")


@lru_cache(maxsize=1024)
def format_index(name: str) -> int | None:
    """Returns the index of the format among the arguments of a function that prints into its first argument.

    Projects wrap these functions under names such as `av_snprintf` and `MY_SPRINTF`. Returns None for any
    other function, such as `Sprintf`, which returns the text.
    """
    lower = name.lower()
    match = _PRINTER.fullmatch(lower) if name in (lower, name.upper()) else None
    if match is None:
        return None
    # The size of the buffer precedes the format. `_snprintf_s` also takes the maximum number of characters.
    return 1 + (match["limited"] is not None) + (match["secure"] is not None)
