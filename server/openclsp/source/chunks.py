"""Splits the expanded text into chunks, one for each top-level construct.

A chunk extends from the end of one construct to the end of the next. Only braces and semicolons delimit
chunks, and each chunk is parsed separately. So the tree of a chunk depends on the text of the chunk only, and
an edit costs the parsing of one chunk, even if it opens a brace that is not closed. tree-sitter's incremental
parsing does not have this property: near an error, its recovery depends on the previous tree.

A chunk ends after a function's `}` or a declaration's `;`. Braces and semicolons in the arguments of a macro
call at the beginning of the chunk are ignored. If a function's brace is not closed, the chunk ends before the
next line that can only begin a function: it begins with `kernel`, or with a built-in type, a name, parameters
and `{`. Such a line is not possible within a function. It may be indented by one blank, because many projects
have an empty macro before a function, which leaves a blank.
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
    # the arguments of the calls may contain braces and `=`, which are not those of the declaration after them
    begin, start = start, position
    while True:
        match = next((found for found in _IN_HEAD.finditer(text, position) if found.group() in _MARKS), None)
        if match is None:
            return len(text)
        head = text[start : match.start()]
        if match.group() == b";" and (_in_for(head) or is_old_head(text[begin : match.start()])):
            position = match.end()
            continue
        if match.group() != b"{":
            return match.end()
        position = _closing(text, match.end())
        head = text[start : match.start()]
        if _is_function(head) and not _in_arguments(head, text, position):
            return position


def _in_arguments(head: bytes, text: bytes, end: int) -> bool:
    """Whether a brace pair is a macro argument among parameters, as in `void f(ALIGN({8}) int x)`.

    `head` is the text before the pair; `end` is the end of the pair. The pair is an argument if a `,` or `)`
    follows, which cannot follow the body of a function.
    """
    if head.count(b"(") <= head.count(b")") or not _COMMENT.sub(b" ", head).rstrip().endswith((b"(", b",")):
        return False
    return _LIST_GOES_ON.match(text, end) is not None


def ends_in_leading_call(chunk: bytes) -> bool:
    """Whether a chunk begins with a macro call that is not closed in the chunk."""
    return _end_of_leading_calls(chunk, 0) < 0


def _end_of_leading_calls(text: bytes, start: int) -> int:
    """Returns the offset after the macro calls with which the chunk at `start` begins; `start` if none.

    The arguments of these calls may contain `;` and braces. If the `(` of a call is not closed, the result is
    the end of the chunk, negated: the start of the next line that can only begin a function, or the end of
    the text.
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
    """The offsets of the braces in the chunk of a function, to find the end of the chunk after an edit.

    Only the text between the two braces around the edit is scanned again. That suffices, because the scan up
    to a brace does not depend on the text after the brace. Only one pattern of the scan is longer than a
    token: a line that begins a function. Its only brace is its last character.
    """

    __slots__ = ("_ends", "text")

    def __init__(self, text: bytes) -> None:
        """Finds the braces of a chunk's text."""
        self.text = text
        self._ends = _braces(text)
        """Offsets after each brace of the body, in order; empty for a non-function"""

    def end_after(self, text: bytes, start: int, first: int, old_end: int, new_end: int) -> int:
        """Returns the end of the chunk after an edit, and updates the braces.

        Returns -1 if a full scan is needed. The chunk begins at `start` of `text`. The edit replaced bytes
        `first` to `old_end` of the chunk; the replacement ends at `new_end`. These three offsets are relative
        to the chunk.
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
    """Returns the offset after each brace of the function that a chunk consists of.

    The result is empty if the chunk is not a complete function.
    """
    behind = _end_of_leading_calls(text, 0)
    opening = next(
        (found for found in _IN_HEAD.finditer(text, max(behind, 0)) if found.group() in _MARKS), None
    )
    if behind < 0:
        return []
    if opening is None or opening.group() != b"{" or not _is_function(text[behind : opening.start()]):
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
    """Returns the text with each function body replaced by `;` and blanks.

    Lines do not move.
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
    """Whether the end of a chunk does not depend on the text after the chunk.

    That is so if the chunk ends with a `;`, or with a `}` outside parentheses. Within parentheses, the text
    after the `}` decides whether the chunk continues.
    """
    return chunk.endswith(b";") or (chunk.endswith(b"}") and chunk.count(b"(") <= chunk.count(b")"))


_NOT_LINE_END = re.compile(rb"[^\n]+")


def _is_function(head: bytes) -> bool:
    """Whether the text before a `{` is the head of a function.

    Otherwise it is the head of a record, or a declaration with an initialiser.
    """
    head = _COMMENT.sub(b" ", head)
    return b"=" not in head and _RECORD.search(head) is None


def _in_for(head: bytes) -> bool:
    """Whether the `;` after `head` is in the parentheses of a `for` statement.

    `head` begins at the start of a chunk. A chunk can begin with `for` if a file contains part of a function
    body.
    """
    if b"for" not in head:
        return False
    head = _COMMENT.sub(b" ", head)
    opening = _FOR.match(head)
    return opening is not None and head.count(b"(", opening.end()) >= head.count(b")", opening.end())


def _closing(text: bytes, start: int) -> int:
    """Returns the end of a brace pair that is opened before `start`.

    If the brace is not closed, this is the beginning of the next line that begins a function, or the end of
    the text.
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
