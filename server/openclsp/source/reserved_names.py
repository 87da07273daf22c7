"""Lets the grammar parse address space qualifiers in the place of names as names: `local[0] = 1;`.

The grammar takes such a word for a qualifier, and its error recovery then loses the braces of the function. If
the tokens around the word show that it is meant as a name, the text that is parsed has an identifier of the same
length in its place. The tokens of the syntax table keep the word, and `semantics/typing/syntax_errors.py` reports it.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.blanked_text import blank
from openclsp.source.comments import COMMENT

_WORD: Final = rb"(?:__)?(?:global|local|constant|private)"
_COMMENT: Final = re.compile(COMMENT)
_OPERAND: Final = re.compile(
    rb"(?:[;:{}()\[=,+\-!~<>|&^/%?]|\b(?:return|else|do|case|goto))\s*\b(" + _WORD + rb")\b"
    rb"(?=\s*(?:[\[=.:]|->|\+\+|--|[-+*/%&|^]=|<<=|>>=))"
)
"""A word after the start of a statement or an operator, and before an operator: no declaration can begin like this."""
_FUNCTION: Final = re.compile(
    rb"(?:\w\s|\*)\s*\b("
    + _WORD
    + rb")\b(?=\s*\(\s*(?:\)|void\s*\)|[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]))"
)
"""A word between a type and parameters. A declarator in parentheses has no two words: `int local (*p)`."""
_PARAMETER: Final = re.compile(rb"(?:\w\s|\*)\s*\b((?:__)?(?:global|local|constant))\b(?=\s*[,)\[])")
"""The last word of a parameter that a compiler rejects as a qualifier, too; it ignores `private`."""
_SUSPECTED: Final = re.compile(rb"(?:global|local|constant|private)\s*[(),\[/]")
"""Filter for heads: most kernels have their qualifiers before other words"""
_BRACKET: Final = re.compile(rb"[()]")
_HEAD: Final = re.compile(rb"[^;{}=]*\)\s*[{;]")


def rename_reserved_in_head(text: bytes) -> bytes:
    """Replaces qualifiers in the place of names in the head of a chunk: `void f(int *local) {`, `int *local(void);`.

    In a definition each parameter has a name (C99 6.9.1p5). In a prototype, the word after a `*` may be a misplaced
    qualifier of the pointee.
    """
    end = text.find(b"{") + 1 or len(text)
    if _SUSPECTED.search(text, 0, end) is None:
        return text
    code = _without_comments(text)
    found = list(_FUNCTION.finditer(code, 0, end))
    head = _HEAD.match(code)
    if head is None:
        return _renamed(text, found)
    defines, depth = head[0].endswith(b"{"), 0
    for bracket in reversed(list(_BRACKET.finditer(code, 0, head.end()))):
        depth += 1 if bracket[0] == b")" else -1
        if not depth:
            parameters = _PARAMETER.finditer(code, bracket.start(), head.end())
            found += (each for each in parameters if defines or each[0][:1] != b"*")
            break
    return _renamed(text, found)


def rename_reserved_names(text: bytes) -> bytes:
    """Replaces qualifiers in the place of labels and operands in a text with syntax errors."""
    return _renamed(text, list(_OPERAND.finditer(_without_comments(text))))


def _without_comments(text: bytes) -> bytes:
    return _COMMENT.sub(lambda comment: blank(comment[0]), text)


def _renamed(text: bytes, found: list[re.Match[bytes]]) -> bytes:
    for match in found:
        start, end = match.span(1)
        text = text[:start] + b"_" * (end - start) + text[end:]
    return text
