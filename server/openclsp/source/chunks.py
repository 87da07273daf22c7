"""The expanded text cut into chunks: the stretch from the end of one top-level thing to the end of the next.

A chunk is found by its braces and semicolons alone and parsed by itself. So its tree is a function of its own text:
what a tree-sitter tree never is after an edit near an error, where what was there before decides how the parser
recovers. And an edit costs the parsing of one chunk, also where a brace was opened that nothing closes.

A chunk ends after a function's `}`, or a declaration's `;`. Where a function's brace is not closed, the chunk ends
before the next line that can only begin a function at the start of a line: one with `kernel`, or with a built-in type, a
name, parameters and a `{`, which C has nowhere inside a function. One blank may stand before it: what an empty macro, as
projects have it before every function, leaves.
"""

from __future__ import annotations

import re

_SKIPPED = rb"//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
_TYPES = rb"void|bool|size_t|ptrdiff_t|half|(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|unsigned|signed"
_FUNCTION_LINE = (
    rb"^[ \t]?(?:(?:__kernel|kernel)\b"
    rb"|(?:(?:static|inline|__inline|const|global|local|__global|__local|constant|__constant)[ \t]+)*"
    rb"(?:" + _TYPES + rb")[ \t*]+\w+[ \t]*\([^;{}()]*\)\s*\{)"
)
_IN_HEAD = re.compile(_SKIPPED + rb"|[{};]", re.DOTALL)
_IN_BODY = re.compile(_SKIPPED + rb"|[{}]|" + _FUNCTION_LINE, re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FOR = re.compile(rb"\s*for\s*\(")
_MARKS = (b"{", b"}", b";")
_SKIPPED_BEGIN = (b"/", b'"', b"'")

_ATTRIBUTE = rb"(?:__attribute__\s*\(\(.*?\)\)\s*)*"
_RECORD = re.compile(
    rb"\b(?:struct|union|enum)\s*" + _ATTRIBUTE + rb"(?:\w+\s*)?" + _ATTRIBUTE + rb"\Z", re.DOTALL
)


def chunk_end(text: bytes, start: int) -> int:
    """The end of the chunk that begins at `start`, which is 0 or the end of a chunk, in bytes."""
    position = start
    while True:
        match = next((found for found in _IN_HEAD.finditer(text, position) if found.group() in _MARKS), None)
        if match is None:
            return len(text)
        if match.group() == b";" and _in_for(text[start : match.start()]):
            position = match.end()
            continue
        if match.group() != b"{":
            return match.end()
        head = _COMMENT.sub(b" ", text[start : match.start()])
        position = _closing(text, match.end())
        if b"=" not in head and _RECORD.search(head) is None:
            return position


def ends_by_itself(chunk: bytes) -> bool:
    """Whether a chunk of an expanded text ends so wherever it stands: neither before a line that begins a function nor, behind
    a line's end, with the text."""
    return chunk.endswith((b"}", b";"))


def _in_for(head: bytes) -> bool:
    """Whether what stands before a `;` is the beginning of a loop's head: a fragment of a function may begin with it."""
    if b"for" not in head:
        return False
    head = _COMMENT.sub(b" ", head)
    opening = _FOR.match(head)
    return opening is not None and head.count(b"(", opening.end()) >= head.count(b")", opening.end())


def _closing(text: bytes, start: int) -> int:
    """Where the brace before `start` ends: after the one that closes it, or before a line that begins a function."""
    depth = 1
    for match in _IN_BODY.finditer(text, start):
        mark = match.group()
        if mark == b"{":
            depth += 1
        elif mark == b"}":
            depth -= 1
            if not depth:
                return match.end()
        elif mark[:1] not in _SKIPPED_BEGIN:
            return match.start()
    return len(text)
