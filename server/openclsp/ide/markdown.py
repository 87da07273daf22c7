"""Text of a program as Markdown that shows it and does nothing else.

Names, macros and paths come from a repository that nobody trusts. An image in a hover makes some editors fetch it, and a link
can be disguised; so what is written outside of code spans is escaped, and code spans cannot be left.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

_ACTIVE: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)|\[|<(?=[A-Za-z/!?])|&(?=#?\w+;)|`|:(?=//)|(?<=www)\.|[@~]", re.IGNORECASE
)
"""What begins a link, an image, HTML, an entity or a code span, and a backslash that would escape something (CommonMark 0.31, 2.4);
of a bare address the sign without which it is none: it would take a backtick behind it with it (GitHub Flavored Markdown, 6.9);
a tilde, behind which the parser of VS Code takes a backtick for a letter"""
_TICKS: Final = re.compile(r"`+")


def prose(sentence: str) -> str:
    """A sentence on one line, in which pieces between backticks are code. Wherever its backticks stand, it holds nothing but
    code and text."""
    pieces = " ".join(sentence.split()).split("`")
    if len(pieces) % 2 == 0:
        # a backtick that nothing closes
        pieces[-2:] = [f"{pieces[-2]}`{pieces[-1]}"]
    written = [
        (f"`{piece}`" if piece else "") if number % 2 else _ACTIVE.sub(r"\\\g<0>", piece)
        for number, piece in enumerate(pieces)
    ]
    # two spans side by side would be one, with the backticks between them as its text
    return written[0] + "".join(
        f" {after}" if before.endswith("`") and after.startswith("`") else after
        for before, after in pairwise(written)
    )


def fenced(code: str) -> str:
    """A block of OpenCL C, whatever it holds."""
    longest = max((len(run) for run in _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}opencl\n{code}\n{fence}"
