"""The pragmas in functions that clang applies to the loop after them, such as `#pragma unroll`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, TypeAlias

from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import ItemGroup
from openclsp.source.parser import kind
from openclsp.source.preprocessed import Preprocessed

_FUNCTION = kind("function_definition")
_PRAGMA: Final = re.compile(r"\s*(unroll|nounroll|clang\s+loop)\b")

LoopPragmas: TypeAlias = tuple[tuple[int, str], ...]
"""The loop pragmas in an item: the index of the token after each pragma, and its name, such as `clang loop`"""


def loop_pragmas(preprocessed: Preprocessed, groups: Sequence[ItemGroup]) -> dict[ItemKey, LoopPragmas]:
    """Returns the loop pragmas in the functions of a document, by function.

    Pragmas of a header that is included in a function are left out: their place among the header's tokens is
    unknown, because the header is spliced into the line of the directive.
    """
    found: dict[ItemKey, LoopPragmas] = {}
    for pragma in preprocessed.pragmas:
        match = _PRAGMA.match(pragma.text)
        if match is None or pragma.document != preprocessed.document.name:
            continue
        at = bisect_right(groups, pragma.offset, key=lambda group: group.start) - 1
        for item in groups[at].items if at >= 0 else ():
            if item.kind == _FUNCTION and item.start < pragma.offset < item.start + item.length:
                token = bisect_left(item.token_index_starts, pragma.offset - item.start)
                found[item.key] = (*found.get(item.key, ()), (token, " ".join(match[1].split())))
    return found
