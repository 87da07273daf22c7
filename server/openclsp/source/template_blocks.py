"""Finds the parts of a template that an expansion omits or moves: branches, and bodies of macros."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_KEYWORD: Final = re.compile(rb"[ \t]*(?:\{%[-+]?|###?|</?%|%)\s*([A-Za-z_]\w*)")
_CLOSING_TAG: Final = re.compile(rb"\s*</%")
_NEVER: Final = re.compile(rb"\bif[ \t]+(?:[Ff]alse|0)(?=[ \t]*(?:then\b|:|[-+]?%[>}]))")
"""The condition of a branch that the template engine omits in every expansion"""
_LUA_WORD: Final = re.compile(
    rb"--[^\r\n]*|\"[^\"\r\n]*\"|'[^'\r\n]*'|\b(function|if|elseif|else|do|end|repeat|until)\b"
)
_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\b")
_ALTERNATIVES: Final = frozenset((b"elif", b"else", b"elseif", b"except", b"finally"))
_OPENING: Final = frozenset(
    (b"if", b"for", b"while", b"try", b"with", b"block", b"filter", b"raw", b"autoescape")
)
_WHOLE_TAGS: Final = frozenset((b"include", b"inherit", b"page", b"namespace"))
_BODIES: Final = frozenset((b"def", b"macro", b"call"))
"""Constructs whose body is inserted where they are called, or into what they call, and nowhere else"""
_LUA_BLOCKS: Final = {b"function": b"def", b"do": b"for", b"repeat": b"while", b"until": b"end"}
"""The keywords of Lua's blocks, as Mako or Jinja names a block of the same meaning"""


def left_out_ranges(data: bytes, found: list[re.Match[bytes]]) -> Iterator[tuple[int, int]]:
    """Yields the ranges of a template that are left out, in order; `found` are the matches of its constructs.

    These are all branches of a condition but the first, all branches after `if false`, and the bodies of macros
    that contain no kernel.
    """
    # The keyword of each block, and where the text to leave out starts: at a loop or macro itself, at the
    # second alternative of a condition; -1 before that.
    open_blocks: list[tuple[bytes, int]] = []
    stretches: list[tuple[int, int]] = []
    for match, word in _keywords(found):
        if _CLOSING_TAG.match(match[0]) is not None or word.startswith(b"end"):
            if not open_blocks:
                continue
            opened, start = open_blocks.pop()
            if start >= 0 and (opened not in _BODIES or _KERNEL.search(data, start, match.start()) is None):
                stretches.append((start, match.end()))
        elif word in _ALTERNATIVES:
            if open_blocks and open_blocks[-1][1] < 0:
                open_blocks[-1] = open_blocks[-1][0], match.start()
        elif word in _BODIES or (word == b"if" and _NEVER.search(match[0]) is not None):
            open_blocks.append((word, match.start()))
        elif word in _OPENING or (match[0].startswith(b"<%") and word not in _WHOLE_TAGS):
            open_blocks.append((word, -1))
    end = -1
    for start, last in sorted(stretches):
        if start >= end:
            yield start, last
            end = last


def _keywords(found: list[re.Match[bytes]]) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """Yields the keywords that open, divide or close a block, each with its construct.

    A tag `<?…?>` may have several, in Lua.
    """
    for match in found:
        if match.lastgroup != "control" or match[0].endswith(b"/>"):
            continue
        if match[0].startswith(b"<?"):
            for each in _LUA_WORD.finditer(match[0]):
                if each[1] is not None:
                    yield match, _LUA_BLOCKS.get(each[1], each[1])
            continue
        keyword = _KEYWORD.match(match[0])
        if keyword is not None:
            yield match, keyword[1]
