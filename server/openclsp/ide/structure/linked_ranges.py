"""Linked editing ranges: the name of an include guard changes at all its places while it is typed at one.

The places are the condition, the `#define` and the comment of the `#endif`. Other names are not linked: while
such a name is typed, it may temporarily equal the name of a different declaration, and the uses of that
declaration would then change too. Renaming does not have this problem.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from openclsp.ide.structure.text_structure import Directive, TextStructure
from openclsp.source.text import Text
from openclsp.source.word_search import word_starts

_NOT_DEFINED: Final = re.compile(
    rb"(?:#|%:)[ \t]*if[ \t]*![ \t]*defined[ \t]*(?:\([ \t]*(\w+)[ \t]*\)|\b(\w+))[ \t]*(?:/[/*]|\Z)"
)


def compute_linked_ranges(text: Text, structure: TextStructure, offset: int) -> list[tuple[int, int]]:
    """Returns the byte ranges of an include guard's name, if the offset is in one of them; otherwise none.

    The name occurs in `#ifndef` or `#if !defined`, in the `#define` that is the next directive, and in the
    comment of the `#endif`.
    """
    directives = structure.directives
    for index, (condition, definition) in enumerate(pairwise(directives)):
        if condition.start > offset:
            break
        guard = definition.operand
        if definition.name != b"define" or not guard or _undefined_name(text, condition) != guard:
            continue
        closing = _closing(directives, index)
        places = [_name(text, each, guard) for each in (condition, definition, closing) if each]
        found = [each for each in places if each is not None]
        if len(found) > 1 and any(start <= offset <= end for start, end in found):
            return found
    return []


def _undefined_name(text: Text, directive: Directive) -> bytes:
    """Returns `X` if the directive is `#ifndef X` or `#if !defined(X)`; otherwise an empty name."""
    if directive.name == b"ifndef":
        return directive.operand
    if directive.name != b"if":
        return b""
    match = _NOT_DEFINED.match(text.data, directive.start, directive.end)
    return b"" if match is None else match[1] or match[2]


def _closing(directives: tuple[Directive, ...], index: int) -> Directive | None:
    """Returns the `#endif` of the conditional that begins at directive `index`; None if there is none."""
    depth = 0
    for each in directives[index:]:
        if each.name in (b"if", b"ifdef", b"ifndef"):
            depth += 1
        elif each.name == b"endif":
            depth -= 1
            if depth == 0:
                return each
    return None


def _name(text: Text, directive: Directive, name: bytes) -> tuple[int, int] | None:
    """Returns the range of a whole word in a directive; None unless the word occurs exactly once."""
    found = list(word_starts(text.data, name, directive.start, directive.end))
    return (found[0], found[0] + len(name)) if len(found) == 1 else None
