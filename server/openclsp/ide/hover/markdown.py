"""Escapes text from programs for Markdown.

Names, macros and paths come from untrusted repositories. Some editors fetch the images in a hover, and a link
can be disguised. Therefore text outside of code spans is escaped, and text inside cannot end a code span.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

_SPECIAL_CHARACTERS: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)|\[|<(?=[A-Za-z/!?])|&(?=#?\w+;)|`|:(?=//)|(?<=www)\.|[@~]", re.IGNORECASE
)
"""Characters to be escaped.

They start a link, an image, HTML, an entity or a code span, or are a backslash that would escape something
(CommonMark 0.31, 2.4). In a bare address, the character that makes it a link is escaped, because the link
would include a backtick after it (GitHub Flavored Markdown, 6.9). After a tilde, the parser of VS Code treats
a backtick as a letter.
"""
_TICKS: Final = re.compile(r"`+")


def escape_sentence(sentence: str) -> str:
    """Renders a sentence on one line, with the parts between backticks as code.

    Unbalanced backticks cannot produce other markup: the result contains only code and text.
    """
    pieces = " ".join(sentence.split()).split("`")
    if len(pieces) % 2 == 0:
        # an unmatched backtick becomes text
        pieces[-2:] = [f"{pieces[-2]}`{pieces[-1]}"]
    written = [
        (f"`{piece}`" if piece else "") if number % 2 else _SPECIAL_CHARACTERS.sub(r"\\\g<0>", piece)
        for number, piece in enumerate(pieces)
    ]
    # Markdown parses two adjacent code spans as one span that contains the backticks between them
    return written[0] + "".join(
        f" {after}" if before.endswith("`") and after.startswith("`") else after
        for before, after in pairwise(written)
    )


def fence_code(code: str) -> str:
    """Renders a code block of OpenCL C. The fence is longer than any sequence of backticks in the code."""
    longest = max((len(run) for run in _TICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}opencl\n{code}\n{fence}"


@lru_cache(maxsize=256)
def escape_paragraphs(text: str) -> str:
    """Renders paragraphs, separated by empty lines, with the parts between backticks as code.

    Line breaks and list items in a paragraph are preserved.
    """
    paragraphs = (paragraph.split("\n") for paragraph in text.split("\n\n"))
    return "\n\n".join("\n".join(map(escape_sentence, lines)) for lines in paragraphs)
