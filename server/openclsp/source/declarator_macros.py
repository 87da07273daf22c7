"""Blanks unknown macros between a declarator and the `;`, `,` or `=` after it: `float4 table[4] ALIGNED(16) = …`.

Such a macro is probably an attribute. The grammar has no place for it, and would end the declaration before it.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.blanked_text import blank_ranges
from openclsp.source.grammar_words import GRAMMAR_WORDS

_BEHIND_DECLARATOR: Final = re.compile(
    rb"[\w\]][ \t]+([A-Z_][A-Z0-9_]{2,}(?:[ \t]*\([^()\n;]*(?:\([^()\n;]*\)[^()\n;]*)*\))?)\s*[;,=]"
)
"""A macro in capitals in the line of the word or bracket before it

A name in the next line may follow a missing `;`.
"""
_LONGEST_DECLARATOR: Final = 256
"""The greatest length of a type's last word and its declarator, in bytes"""
_NO_TYPES: Final = frozenset((b"return", b"else", b"case", b"goto", b"sizeof", b"do", b"if", b"while"))


def blank_declarator_macros(text: bytes) -> bytes:
    """Blanks the unknown macros behind declarators; the result has the same length and lines."""
    return blank_ranges(
        text,
        [
            each.span(1)
            for each in _BEHIND_DECLARATOR.finditer(text)
            if _ends_declarator(text, each.start() + 1)
        ],
    )


def _ends_declarator(text: bytes, end: int) -> bool:
    """Whether a type and a declarator end at byte `end`, or a declarator that follows another one."""
    begin = max(end - _LONGEST_DECLARATOR, 0)
    while text[end - 1 : end] == b"]":
        end = max(text.rfind(b"[", begin, end), begin)
    name = _last_word(text[begin:end])
    before = text[begin : end - len(name)]
    if (
        not name
        or name[:1].isdigit()
        or name in GRAMMAR_WORDS
        or before[-1:] not in (b" ", b"\t", b"\n", b"*", b"}")
    ):
        return False
    before = before.rstrip(b" \t\n*")
    if before[-1:] == b"}":
        return True
    if before[-1:] == b",":
        # an argument of a call follows a comma too
        before = before[max(before.rfind(mark) for mark in (b";", b"{", b"}")) + 1 :]
        return before.count(b"(") <= before.count(b")")
    word = _last_word(before)
    return word != b"" and not word[:1].isdigit() and word not in _NO_TYPES


def _last_word(text: bytes) -> bytes:
    """Returns the word at the end of a text; empty if there is none."""
    at = len(text)
    while at and (text[at - 1 : at].isalnum() or text[at - 1 : at] == b"_"):
        at -= 1
    return text[at:]
