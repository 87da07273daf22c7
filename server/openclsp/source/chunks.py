"""The expanded text cut into chunks: the stretch from the end of one top-level thing to the end of the next.

A chunk is found by its braces and semicolons alone and parsed by itself. So its tree is a function of its own text:
what a tree-sitter tree never is after an edit near an error, where what was there before decides how the parser
recovers. And an edit costs the parsing of one chunk, also where a brace was opened that nothing closes.

A chunk ends after a function's `}`, or a declaration's `;`; those among the arguments of a macro's call that begins it are the
macro's. Where a function's brace is not closed, the chunk ends
before the next line that can only begin a function at the start of a line: one with `kernel`, or with a built-in type, a
name, parameters and a `{`, which C has nowhere inside a function. One blank may stand before it: what an empty macro, as
projects have it before every function, leaves.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from openclsp.source.macro_calls import is_lead, is_old_head

_SKIPPED = rb"//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
_TYPES = rb"void|bool|size_t|ptrdiff_t|half|(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|unsigned|signed"
_FUNCTION_LINE = (
    rb"^[ \t]?(?:(?:__kernel|kernel)\b"
    rb"|(?:(?:static|inline|__inline|const|global|local|__global|__local|constant|__constant)[ \t]+)*"
    rb"(?:" + _TYPES + rb")[ \t*]+\w+[ \t]*\([^;{}()]*\)\s*\{)"
)
_IN_HEAD = re.compile(_SKIPPED + rb"|[{};]", re.DOTALL)
_IN_BODY = re.compile(_SKIPPED + rb"|[{}]|" + _FUNCTION_LINE, re.DOTALL | re.MULTILINE)
_IN_CALL = re.compile(_SKIPPED + rb"|[()]|" + _FUNCTION_LINE, re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LIST_GOES_ON = re.compile(rb"(?:\s|//[^\n]*(?:\n|\Z)|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*[,)]")
_FOR = re.compile(rb"\s*for\s*\(")
_MARKS = (b"{", b"}", b";")
_BRACES = (b"{", b"}")
_SKIPPED_BEGIN = (b"/", b'"', b"'")

_IN_PARENTHESES = rb"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
_ATTRIBUTE = rb"(?:__attribute__\s*\(\(" + _IN_PARENTHESES + rb"\)\)\s*)*"
_RECORD = re.compile(
    rb"\b(?:struct|union|enum)\s*" + _ATTRIBUTE + rb"(?:(?!__attribute__)\w+\s*" + _ATTRIBUTE + rb")?\Z"
)


def chunk_end(text: bytes, start: int) -> int:
    """The end of the chunk that begins at `start`, which is 0 or the end of a chunk, in bytes."""
    position = _behind_calls(text, start)
    if position < 0:
        return -position
    while True:
        match = next((found for found in _IN_HEAD.finditer(text, position) if found.group() in _MARKS), None)
        if match is None:
            return len(text)
        head = text[start : match.start()]
        if match.group() == b";" and (_in_for(head) or is_old_head(head)):
            position = match.end()
            continue
        if match.group() != b"{":
            return match.end()
        position = _closing(text, match.end())
        head = text[start : match.start()]
        if _is_function(head) and not _in_arguments(head, text, position):
            return position


def _in_arguments(head: bytes, text: bytes, end: int) -> bool:
    """Whether a brace behind a chunk's head, closed at `end`, is an argument of a macro that stands among parameters:
    `void f(ALIGN({8}) int x)`. A list goes on behind it, as it does behind no function's body."""
    if head.count(b"(") <= head.count(b")") or not _COMMENT.sub(b" ", head).rstrip().endswith((b"(", b",")):
        return False
    return _LIST_GOES_ON.match(text, end) is not None


def _behind_calls(text: bytes, start: int) -> int:
    """Where the calls of macros end with which a chunk begins: `;` and braces among their arguments are theirs. The negative end
    of the chunk where a call is not closed: it ends as a function does whose brace is not closed."""
    lead = is_lead(text, start)
    while lead is not None:
        depth = 1
        for match in _IN_CALL.finditer(text, lead.end()):
            mark = match.group()
            if mark == b"(":
                depth += 1
            elif mark == b")":
                depth -= 1
                if not depth:
                    break
            elif mark[:1] not in _SKIPPED_BEGIN:
                return -match.start()
        if depth:
            return -len(text)
        start = match.end()
        lead = is_lead(text, start)
    return start


class Braces:
    """Where the braces of a chunk stand that is a function, head and body: with them its end is found again after an edit in
    the body, at the cost of what stands around the edit up to the next braces.

    What comes before a brace is read as it was whatever stands behind it, for the only thing that is looked for and reaches
    further than a token, a line that begins a function, holds none but its last one. So what is between the braces around
    the edit is all that may be read otherwise.
    """

    __slots__ = ("_ends", "text")

    def __init__(self, text: bytes) -> None:
        """Of a chunk's text."""
        self.text = text
        self._ends = _braces(text)
        """Where the braces of the body end, in order; none where the chunk is something else"""

    def end_after(self, text: bytes, start: int, first: int, old_end: int, new_end: int) -> int:
        """The end of the chunk of `text` that begins at `start` and differs from this one in the bytes `first` to `old_end`, from
        the chunk's start, which end at `new_end` there; -1 where more has to be looked at. The braces are those of that chunk
        then."""
        ends = self._ends
        before = bisect_right(ends, first) - 1
        after = bisect_right(ends, old_end)
        if before < 0 or after != before + 1 or after >= len(ends):
            return -1
        by = new_end - old_end
        position, behind = start + ends[before], start + ends[after] + by
        while True:
            match = _IN_BODY.search(text, position)
            if match is None:
                return -1
            position = match.end()
            if match.group() in _BRACES:
                break
            if match.group()[:1] not in _SKIPPED_BEGIN:
                return -1
        if position != behind:
            return -1
        end = start + len(self.text) + by
        self.text = text[start:end]
        self._ends = [*ends[:after], *[each + by for each in ends[after:]]]
        return end


def _braces(text: bytes) -> list[int]:
    behind = _behind_calls(text, 0)
    opening = next(
        (found for found in _IN_HEAD.finditer(text, max(behind, 0)) if found.group() in _MARKS), None
    )
    if behind < 0:
        return []
    if opening is None or opening.group() != b"{" or not _is_function(text[: opening.start()]):
        return []
    ends = [opening.end()]
    depth = 1
    for match in _IN_BODY.finditer(text, opening.end()):
        mark = match.group()
        if mark in _BRACES:
            ends.append(match.end())
            depth += 1 if mark == b"{" else -1
            if not depth:
                break
        elif mark[:1] not in _SKIPPED_BEGIN:
            return []
    return ends if not depth and ends[-1] == len(text) else []


def signatures(text: bytes) -> bytes:
    """The text with each function's body gone and its head a declaration; everything is where it was, line by line."""
    pieces: list[bytes] = []
    at = 0
    while at < len(text):
        end = chunk_end(text, at)
        chunk = text[at:end]
        ends = _braces(chunk) if chunk.endswith(b"}") else []
        head = chunk[: ends[0] - 1] if ends else chunk
        # parameters declared behind the parentheses go with the body
        if ends and head.rstrip().endswith(b")"):
            pieces += (head, b";", _NOT_LINE_END.sub(_blanks, chunk[ends[0] :]))
        else:
            pieces.append(chunk)
        at = end
    return b"".join(pieces)


def _blanks(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def ends_by_itself(chunk: bytes) -> bool:
    """Whether a chunk of an expanded text ends so wherever it stands: neither before a line that begins a function nor, behind
    a line's end, with the text; nor at a brace among parameters, where what follows decides."""
    return chunk.endswith(b";") or (chunk.endswith(b"}") and chunk.count(b"(") <= chunk.count(b")"))


_NOT_LINE_END = re.compile(rb"[^\n]+")


def _is_function(head: bytes) -> bool:
    """Whether a chunk ends with what the brace behind its beginning opens: it is no definition of a type, nor initialises."""
    head = _COMMENT.sub(b" ", head)
    return b"=" not in head and _RECORD.search(head) is None


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
