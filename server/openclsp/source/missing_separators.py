"""Lets the grammar parse text in which a comma between parameters, or the `;` after a record, is missing.

In `void f(global int *a global int *b) {`, the grammar takes the second `global` for a macro, and the parameter
for one without an address space. In `struct A { int x; }`, followed by a kernel, it takes the record for the
kernel's result type. The text that is parsed has a separator in place of the white space between the two parts.
The syntax table records the separator as missing, and `semantics/typing/syntax_errors.py` reports it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from openclsp.source.blanked_text import TYPE_WORDS, blank, skip_white_space
from openclsp.source.comments import COMMENT

COMMA: Final = ","
SEMICOLON_AFTER_RECORD: Final = "; after a record"
"""The names of the separators in a syntax table; the first character is the separator"""

_COMMENT: Final = re.compile(COMMENT)
_COMMENT_OR_LITERAL: Final = re.compile(COMMENT + rb"|\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?")
_SPACE: Final = rb"(?:__)?(?:global|local|constant|private|generic)\b"
_ACCESS: Final = rb"(?:__)?(?:read_only|write_only|read_write)\b"
_TYPE: Final = rb"(?:" + TYPE_WORDS + rb"|image\w+_t|sampler_t)\b"
_WORDS: Final = rb"const|volatile|restrict|struct|union|enum|register|" + TYPE_WORDS
_DECLARATOR: Final = rb"(?:\s+|\s*\*[\s*]*)\w"
_BEGINS: Final = (
    rb"(?:(?:const|volatile)\s+){0,2}(?:"
    + _TYPE
    + _DECLARATOR
    + rb"|(?:"
    + _SPACE
    + rb"\s+(?:(?:const|volatile)\s+){0,2}|"
    + _ACCESS
    + rb"\s+|(?:struct|union|enum)\s+)\w+"
    + _DECLARATOR
    + rb")"
)
"""The beginning of a parameter, which no declarator can contain"""
_MISSING: Final = re.compile(
    rb"(?:\*\s{0,40}(?:(?:const|volatile|restrict|__restrict)\s{1,40}){0,3}|\b(?:struct|union|enum)\s{1,40}\w+\s{1,40}|\b"
    + _TYPE
    + rb"\s{1,40}(?=\w\b|\w*[a-z]))(?!(?:"
    + _WORDS
    + rb"|"
    + _SPACE
    + rb"|"
    + _ACCESS
    + rb")\b)[A-Za-z_]\w*(?P<comma>\s)\s*(?="
    + _BEGINS
    + rb")"
)
"""A name and the next parameter. A word in capital letters after a type may be a macro: `unsigned LONG int n`"""
_MISSING_AFTER_CAPITALS: Final = re.compile(
    rb"\b(?!(?:unsigned|signed|long|short)\b)"
    + _TYPE
    + rb"\s{1,40}(?!"
    + _ACCESS
    + rb")[A-Z_][A-Z0-9_]*(?P<comma>\s)\s*(?="
    + _SPACE
    + rb"\s+(?:(?:const|volatile)\s+){0,2}"
    + _TYPE
    + _DECLARATOR
    + rb")"
)
"""A name in capital letters, which is no macro: in `int N local float *p`, the types of two parameters are complete"""
_BEFORE_PARAMETERS: Final = re.compile(rb"(?:\w\s{1,80}|\*\s{0,80})[A-Za-z_]\w*\s{0,80}\Z")
_REACH: Final = 300
_RECORD: Final = re.compile(rb"\b(?:struct|union|enum)\b")
_NEXT_ITEM: Final = re.compile(
    rb"(?:(?:(?:__)?(?:constant|global|local|private)|const|volatile|static|inline|extern)\s+){0,3}"
    rb"(?:(?:__)?kernel\b|typedef\s+\w+[\s*]+[\w{]|(?:struct|union|enum)\s+\w|" + TYPE_WORDS + rb"[\s*]+\w)"
)
"""The beginning of a declaration with a type of its own, which therefore does not continue a record's declaration"""
_BRACKET: Final = re.compile(rb"[()]")
_MARK: Final = re.compile(rb"[{}();=]")
_END: Final = re.compile(rb"[{;]")


def find_missing_commas(text: bytes, after_records: int = 0) -> tuple[int, ...]:
    """Returns the offsets of the white space at which the parameter list of a function lacks a comma.

    `text` is a chunk. `after_records` is the offset at which its last item begins, if it consists of several ones
    (see `find_missing_semicolons`). The first `{` or `;` of this item ends the head of the function.
    """
    code = _COMMENT.sub(lambda match: blank(match[0]), text)
    end = _END.search(code, after_records)
    if end is None:
        return ()
    close = code.rfind(b")", after_records, end.start())
    if close < 0 or code[close + 1 : end.start()].strip():
        return ()
    depth = 0
    for bracket in reversed(list(_BRACKET.finditer(code, after_records, close + 1))):
        depth += 1 if bracket[0] == b")" else -1
        if depth:
            continue
        start = bracket.start()
        if _BEFORE_PARAMETERS.search(code[max(start - _REACH, after_records) : start]) is None:
            return ()
        found = {
            match.start("comma")
            for each in (_MISSING, _MISSING_AFTER_CAPITALS)
            for match in each.finditer(code, start, close)
        }
        return tuple(sorted(found))
    return ()


def find_missing_semicolons(text: bytes) -> tuple[int, ...]:
    """Returns the offsets of the white space after records that lack a `;`, before the declaration that follows.

    `text` is a chunk.
    """
    if _RECORD.search(text) is None:
        return ()
    code = _COMMENT_OR_LITERAL.sub(lambda match: blank(match[0]), text)
    found: list[int] = []
    start = depth = 0
    for mark in _MARK.finditer(code):
        if mark[0] == b"{":
            depth += 1
        elif mark[0] == b"}":
            depth -= 1
            if depth:
                continue
            end = mark.end()
            following = skip_white_space(code, end)
            is_record = b"\n" in code[end:following] and _RECORD.search(code, start, end) is not None
            if is_record and text[end : end + 1].isspace() and _NEXT_ITEM.match(code, following) is not None:
                found.append(end)
                start = end
        elif not depth:
            if mark[0] != b";":
                # A function, or a variable with an initialiser, ends the chunk.
                break
            start = mark.end()
    return tuple(found)


def insert_separators(text: bytes, separators: Mapping[int, str]) -> bytes:
    """Replaces the bytes at the offsets by the separators that are named there."""
    changed = bytearray(text)
    for offset, separator in separators.items():
        changed[offset] = ord(separator[0])
    return bytes(changed)
