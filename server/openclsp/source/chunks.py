"""Splits the expanded text into chunks, one for each top-level construct.

A chunk extends from the end of one construct to the end of the next. Chunks are delimited by braces and
semicolons alone, and parsed separately, so that a chunk's tree is a function of its own text. A tree that
tree-sitter edits incrementally is not: near an error, its recovery depends on the previous tree. An edit
costs the parsing of one chunk, even if it opens a brace that nothing closes.

A chunk ends after a function's `}` or a declaration's `;`. Braces and semicolons in the arguments of a macro
call at its beginning do not count. If a function's brace is not closed, the chunk ends before the next line
that can only begin a function: one that has `kernel`, or a built-in type, a name, parameters and `{`, in its
first column or after one blank. C has no such line inside a function. The blank is what an empty macro before
a function leaves (many projects have one).
"""

from __future__ import annotations

import re
from bisect import bisect_right

from openclsp.source.macro_calls import match_leading_call
from openclsp.source.old_style_functions import is_old_head

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
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
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
    """Returns the end of the chunk that begins at `start`.

    `start` is 0 or the end of a chunk. Offsets are in bytes.
    """
    position = _end_of_leading_calls(text, start)
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
    """Whether a brace pair is a macro argument among parameters: `void f(ALIGN({8}) int x)`.

    The argument list continues after it, whereas nothing that follows a function's body can continue a list.
    """
    if head.count(b"(") <= head.count(b")") or not _COMMENT.sub(b" ", head).rstrip().endswith((b"(", b",")):
        return False
    return _LIST_GOES_ON.match(text, end) is not None


def _end_of_leading_calls(text: bytes, start: int) -> int:
    """Returns the end of the macro calls that begin a chunk.

    Their arguments may hold `;` and braces. If a call is not closed, returns the negative end of the chunk:
    the chunk ends as for an unclosed function brace.
    """
    lead = match_leading_call(text, start)
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
        lead = match_leading_call(text, start)
    return start


class FunctionBraces:
    """Brace offsets of a function chunk, for finding its end after edits.

    Only the text between the two braces around the edit is scanned again. That suffices: text before a brace
    is matched independently of the text after it, because the only pattern longer than a token, the line that
    begins a function, holds no brace but its last character.
    """

    __slots__ = ("_ends", "text")

    def __init__(self, text: bytes) -> None:
        """Finds the braces of a chunk's text."""
        self.text = text
        self._ends = _braces(text)
        """Offsets after each brace of the body, in order; empty for a non-function"""

    def end_after(self, text: bytes, start: int, first: int, old_end: int, new_end: int) -> int:
        """Returns the end of the edited chunk, and updates the braces.

        Returns -1 if a full scan is needed. The chunk begins at `start` of `text`. The edit replaced bytes
        `first` to `old_end`, relative to the chunk, by bytes that end at `new_end`, relative to the chunk
        too.
        """
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
    """Returns the offset after each brace of a function's body.

    Empty if the chunk is no complete function.
    """
    behind = _end_of_leading_calls(text, 0)
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
    """Returns the text with each function body blanked and its head made a declaration.

    All lines keep their place.
    """
    pieces: list[bytes] = []
    at = 0
    while at < len(text):
        end = chunk_end(text, at)
        chunk = text[at:end]
        ends = _braces(chunk) if chunk.endswith(b"}") else []
        head = chunk[: ends[0] - 1] if ends else chunk
        # K&R parameter declarations (after the parentheses) are removed with the body
        if ends and head.rstrip().endswith(b")"):
            pieces += (head, b";", _NOT_LINE_END.sub(_blanks, chunk[ends[0] :]))
        else:
            pieces.append(chunk)
        at = end
    return b"".join(pieces)


def _blanks(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def is_self_delimiting(chunk: bytes) -> bool:
    """Whether a chunk's end does not depend on the text after it.

    That is so if it ends with its own `}` or `;`. After a brace pair among parameters, the text that follows
    decides.
    """
    return chunk.endswith(b";") or (chunk.endswith(b"}") and chunk.count(b"(") <= chunk.count(b")"))


_NOT_LINE_END = re.compile(rb"[^\n]+")


def _is_function(head: bytes) -> bool:
    """Whether the text before a `{` is a function's head.

    Otherwise the item is a record definition or has an initialiser.
    """
    head = _COMMENT.sub(b" ", head)
    return b"=" not in head and _RECORD.search(head) is None


def _in_for(head: bytes) -> bool:
    """Whether a `;` is inside the head of a `for` loop.

    A fragment of a function body may begin with one.
    """
    if b"for" not in head:
        return False
    head = _COMMENT.sub(b" ", head)
    opening = _FOR.match(head)
    return opening is not None and head.count(b"(", opening.end()) >= head.count(b")", opening.end())


def _closing(text: bytes, start: int) -> int:
    """Returns the end of a brace pair opened before `start`.

    That is after its `}`, or before a line that begins a function.
    """
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
