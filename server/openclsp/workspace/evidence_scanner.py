"""Finds uses of newer language features in expanded text, and updates the result after an edit.

The role of a name depends on its neighbouring tokens and on the brace depth. An edit therefore rescans only
the lines around it, and reclassifies later names only if it changes the braces.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.language.keywords import ACCESS_QUALIFIERS
from openclsp.language.newer_names import (
    NEWER_ARGUMENTS,
    NEWER_CONSTANTS,
    NEWER_EXTENSIONS,
    NEWER_TYPES,
    NEWER_VECTOR_ARGUMENTS,
    newer_functions,
)
from openclsp.language.spaces import QUALIFIERS
from openclsp.source.lexer import words
from openclsp.source.line_table import LineTable
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Text, difference

EditRange: TypeAlias = tuple[int, int, int]
"""An edit: start, end in the old text and end in the new text, in bytes."""


class OccurrenceRole(Enum):
    """The role of an occurrence of a name. INCONCLUSIVE means that the occurrence proves nothing."""

    USED = "used"
    DECLARED = "declared"
    INCONCLUSIVE = "neither"


_GENERIC: Final = frozenset((b"generic", b"__generic"))
_READ_WRITE: Final = frozenset((b"read_write", b"__read_write"))
_NEWER_CALLS: Final = {**NEWER_ARGUMENTS, **NEWER_VECTOR_ARGUMENTS}
_ARGUMENT_COUNTS: Final = {name.encode(): counts for name, counts in _NEWER_CALLS.items()}
_EXTENSIONS: Final = frozenset(name.encode() for name in NEWER_EXTENSIONS)
_TYPES: Final = frozenset(name.encode() for name in NEWER_TYPES)
_COMMENT_OR_LITERAL: Final = re.compile(
    rb"""//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.VERBOSE
)
_BEFORE: Final = re.compile(rb"([A-Za-z_]\w*|->|\S)\s*\Z")
_AFTER: Final = re.compile(rb"\s*([A-Za-z_]\w*|\S)")
MAXIMUM_TOKEN_DISTANCE: Final = 200
"""Bytes before a name within which the preceding token is searched."""
_BRACKET: Final = re.compile(rb"[(),;\[\]{}]")
_IMAGE: Final = re.compile(rb"image[123]d_\w+")
_NO_TYPE: Final = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof"))
_TAGS: Final = frozenset((b"struct", b"union", b"enum"))
_ACCESS: Final = frozenset(word.encode() for word in ACCESS_QUALIFIERS)
_BEFORE_TYPES = "const volatile restrict static extern inline typedef kernel __kernel"
_QUALIFIERS: Final = _ACCESS | frozenset(word.encode() for word in (*_BEFORE_TYPES.split(), *QUALIFIERS))

_AFTER_CARET: Final = re.compile(rb"\^\s*(?:(\{)|[(A-Za-z_])")
_VARIABLE: Final = re.compile(rb"global[ \t]+(?:[A-Za-z_]\w*[ \t]+){1,6}?([A-Za-z_]\w*)\s*[;=,\[]")
"""Matches a program-scope variable in the global address space, from the qualifier on."""
_RESCANNED_LINES: Final = 4
"""Non-blank lines around an edit that are rescanned; a role depends on tokens of nearby lines."""


@lru_cache(maxsize=1)
def _functions() -> frozenset[bytes]:
    return frozenset(name.encode() for name in newer_functions())


@lru_cache(maxsize=1)
def versions_by_name() -> Mapping[bytes, int]:
    """Returns the names that newer versions introduced, each with its version (200 or 300)."""
    named = chain(newer_functions().items(), NEWER_CONSTANTS.items(), NEWER_TYPES.items())
    return {
        **{name.encode(): version for name, version in named},
        **dict.fromkeys((*_GENERIC, *_READ_WRITE, *_ARGUMENT_COUNTS, *_EXTENSIONS, b"pipe"), 200),
    }


class NewerNameOccurrence(NamedTuple):
    """An occurrence of a name that requires OpenCL C 2.0 or 3.0, with its byte offset and role."""

    start: int
    name: bytes
    role: OccurrenceRole


class EvidenceMarks(NamedTuple):
    """Byte offsets of the constructs in a text that may prove a newer language version.

    These constructs are names that only newer versions have, the `^` of block literals, and `global`
    variables. A document is preprocessed only if it, or a document that it includes, contains one of them.
    """

    names: tuple[int, ...]
    blocks: tuple[int, ...]
    variables: tuple[int, ...]

    @staticmethod
    def find_in_text(data: bytes) -> EvidenceMarks:
        """Finds the constructs in a whole text that may prove a newer language version.

        The text is not preprocessed: constructs in comments and literals count too.
        """
        return EvidenceMarks(
            tuple(start for start, _ in _find_names(data, 0, len(data))),
            tuple(_find_block_literals(data, 0, len(data))),
            tuple(_find_global_variables(data, 0, len(data))),
        )

    def update_after_edit(self, text: Text, edit: EditRange) -> EvidenceMarks:
        """Returns the marks of `text`, which results from applying `edit` to the text of these marks."""
        data = text.data
        start, end = _affected_range(data, text.lines, edit)
        names = (at for at, _ in _find_names(data, start, end))
        found = (
            tuple(names),
            tuple(_find_block_literals(data, start, end)),
            tuple(_find_global_variables(data, start, end)),
        )
        by = edit[2] - edit[1]
        return EvidenceMarks(
            *(_splice_offsets(old, new, start, end, by) for old, new in zip(self, found, strict=True))
        )


@dataclass(frozen=True, slots=True)
class EvidenceScan:
    """Candidates for evidence in one document's expanded text.

    `code` is the text with comments and literals blanked.
    """

    code: bytes
    occurrences: tuple[NewerNameOccurrence, ...]
    blocks: tuple[int, ...]
    variables: tuple[int, ...]


def scan_for_evidence(text: bytes) -> EvidenceScan:
    """Scans an expanded text for evidence of its language version."""
    code = _blank_comments_and_literals(text)
    size = len(code)
    occurrences = tuple(_find_occurrences(code, 0, size))
    return EvidenceScan(
        code,
        occurrences,
        tuple(_find_block_literals(code, 0, size)),
        tuple(_find_global_variables(code, 0, size)),
    )


def rescan_for_evidence(old: EvidenceScan, before: Preprocessed, after: Preprocessed) -> EvidenceScan:
    """Scans the text of `after`, reusing the result for an earlier state of the same document."""
    edit = difference(before.text, after.text)
    if edit is None:
        return old
    start, end = _affected_range(after.text, after.source_map.lines, edit, (before, after))
    by = edit[2] - edit[1]
    was, now = old.code[start : end - by], _blank_comments_and_literals(after.text[start:end])
    code = old.code[:start] + now + old.code[end - by :]
    found = tuple(_find_occurrences(code, start, end))
    low = bisect_left(old.occurrences, start, key=_start)
    high = bisect_left(old.occurrences, end - by, key=_start)
    # An added or removed brace changes the depth, and therefore the role, of every name after the edit.
    behind = tuple(each._replace(start=each.start + by) for each in old.occurrences[high:])
    if any(was.count(brace) != now.count(brace) for brace in (b"{", b"}")):
        behind = tuple(_classify_names(code, [(each.start, each.name) for each in behind]))
    return EvidenceScan(
        code,
        (*old.occurrences[:low], *found, *behind),
        _splice_offsets(old.blocks, tuple(_find_block_literals(code, start, end)), start, end, by),
        _splice_offsets(old.variables, tuple(_find_global_variables(code, start, end)), start, end, by),
    )


def _start(occurrence: NewerNameOccurrence) -> int:
    return occurrence.start


def _affected_range(
    data: bytes, lines: LineTable, edit: EditRange, units: tuple[Preprocessed, Preprocessed] | None = None
) -> tuple[int, int]:
    """Returns the byte range in which an edit may turn code into comments or literals, or the reverse.

    The range consists of whole lines of the new text. If `units` are given, the states before and after the
    edit, the range begins and ends outside the comments of both: a scan must not start in a comment.
    """
    first, last = lines.find(edit[0]), lines.find(edit[2])
    count = lines.count

    def start(line: int) -> int:
        return lines.start(line) if line < count else len(data)

    def in_comment(line: int, behind: bool) -> bool:
        if units is None:
            return False
        before, after = units
        line_before = line + before.source_map.lines.count - count if behind else line
        return _continues(before, line_before) or _continues(after, line)

    left = _RESCANNED_LINES
    while first > 0 and (
        left > 0 or edit[0] - start(first) < MAXIMUM_TOKEN_DISTANCE or in_comment(first, False)
    ):
        first -= 1
        left -= bool(data[start(first) : start(first + 1)].strip())
    left = _RESCANNED_LINES
    last += 1
    while last < count and (
        left > 0 or start(last) - edit[2] < MAXIMUM_TOKEN_DISTANCE or in_comment(last, True)
    ):
        left -= bool(data[start(last) : start(last + 1)].strip())
        last += 1
    return start(first), start(last)


def _continues(unit: Preprocessed, line: int) -> bool:
    """Whether a line begins within a comment, or continues the line above."""
    if not 0 <= line < len(unit.source_map.rows):
        return False
    mapped = unit.source_map.rows[line]
    spliced = unit.text.endswith(b"\\\n", 0, unit.source_map.lines.start(line))
    return (mapped is not None and mapped.comment) or spliced


def _splice_offsets(
    old: tuple[int, ...], new: tuple[int, ...], start: int, end: int, by: int
) -> tuple[int, ...]:
    """Updates a sorted list of offsets after an edit.

    The range `start` to `end` of the edited text is `start` to `end - by` of the old text. The offsets in this
    range are replaced by `new`. The offsets after it grow by `by`.
    """
    low, high = bisect_left(old, start), bisect_left(old, end - by)
    return (*old[:low], *new, *(place + by for place in old[high:]))


def _blank_comments_and_literals(text: bytes) -> bytes:
    """Replaces comments and literals by spaces, so that all other offsets stay the same."""
    return _COMMENT_OR_LITERAL.sub(lambda match: b" " * len(match[0]), text)


def _find_names(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """Yields the offset and name of each name in `data[start:end]` that requires OpenCL C 2.0 or 3.0.

    A function such as `read_imagef` exists in older versions too. Its name is yielded only in a call with a
    number of arguments that the older versions do not allow.
    """
    names = versions_by_name().keys() & words(data[start:end])
    if names:
        for match in _any_of(frozenset(names)).finditer(data, start, end):
            counts = _ARGUMENT_COUNTS.get(match[0])
            if counts is None or _argument_count(data, match.end()) in counts:
                yield match.start(), match[0]


def _argument_count(data: bytes, at: int) -> int:
    """Counts the arguments of the list in parentheses at `at`.

    Returns 0 if the list is absent or longer than MAXIMUM_TOKEN_DISTANCE.
    """
    depth, count = 0, 1
    for match in _BRACKET.finditer(data, at, at + MAXIMUM_TOKEN_DISTANCE):
        bracket = match[0]
        if bracket in b"([{":
            if not depth and data[at : match.start()].strip():
                return 0
            depth += 1
        elif bracket == b",":
            count += depth == 1
        else:
            depth -= 1
            if depth <= 0:
                return count if not depth else 0
    return 0


def _find_block_literals(data: bytes, start: int, end: int) -> Iterator[int]:
    """Yields the offset of each `^` without a left operand: it begins a block literal or a block's declarator."""
    at = data.find(b"^", start, end)
    while at >= 0:
        match = _AFTER_CARET.match(data, at)
        if match is not None:
            before = at
            while before and data[before - 1] in b" \t\n\r\f\v":
                before -= 1
            opened = data[max(before - 1, 0) : before] in (b"=", b",", b"(")
            if match[1] or opened or data[max(before - 6, 0) : before] == b"return":
                yield at
        at = data.find(b"^", at + 1, end)


def _find_global_variables(data: bytes, start: int, end: int) -> Iterator[int]:
    at = data.find(b"global", start, end)
    while at >= 0:
        if match_global_variable(data, at) is not None:
            yield at
        at = data.find(b"global", at + 6, end)


def match_global_variable(data: bytes, at: int) -> re.Match[bytes] | None:
    """Matches a declaration of a `global` variable at this offset; group 1 is its name.

    Whether the declaration is at program scope is not checked.
    """
    return _VARIABLE.match(data, at)


def _find_occurrences(code: bytes, start: int, end: int) -> Iterator[NewerNameOccurrence]:
    return _classify_names(code, list(_find_names(code, start, end)))


def _classify_names(code: bytes, names: list[tuple[int, bytes]]) -> Iterator[NewerNameOccurrence]:
    """Yields each of `names`, which are in ascending order of offset, with its role."""
    depth = seen = 0
    for start, name in names:
        depth += code.count(b"{", seen, start) - code.count(b"}", seen, start)
        seen = start
        before = _BEFORE.search(code[max(0, start - MAXIMUM_TOKEN_DISTANCE) : start])
        after = _AFTER.match(code, start + len(name))
        role = _classify_name(name, before[1] if before else b"", after[1] if after else b"", depth)
        yield NewerNameOccurrence(start, name, role)


@lru_cache(maxsize=16)
def _any_of(names: frozenset[bytes]) -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(sorted(names)) + rb")\b")


def _classify_name(name: bytes, before: bytes, after: bytes, depth: int) -> OccurrenceRole:
    if before in (b".", b"->"):
        return OccurrenceRole.INCONCLUSIVE
    if before in _TAGS:
        return OccurrenceRole.DECLARED
    if name in _EXTENSIONS:
        return OccurrenceRole.INCONCLUSIVE
    if name in _functions() or name in _ARGUMENT_COUNTS:
        return _role_of_function(before, after, depth)
    if name in _TYPES or name in _GENERIC:
        return _role_of_type(before, after)
    if name in _READ_WRITE:
        # An access qualifier may also follow the type.
        if _IMAGE.fullmatch(before) is not None and (_is_word(after) or after in (b",", b")")):
            return OccurrenceRole.USED
        return _used_unless_declared(_IMAGE.fullmatch(after) is not None, before)
    if name == b"pipe":
        return _used_unless_declared(
            _is_word(after) and (before in (b"(", b",") or before in _ACCESS), before
        )
    return _role_of_constant(before, after)


def _role_of_function(before: bytes, after: bytes, depth: int) -> OccurrenceRole:
    """Classifies the name of a function as used if the function is called, else as declared.

    In a call, a `(` follows the name, and no result type precedes it. `before` and `after` are the tokens
    next to the name; `depth` is the brace depth.
    """
    follows_type = _is_word(before) and before not in _NO_TYPE
    # Inside a body, a name after these tokens is a call; at file scope it is a declaration.
    follows_type |= depth <= 0 and before in (b"*", b")", b"")
    return OccurrenceRole.USED if after == b"(" and not follows_type else OccurrenceRole.DECLARED


def _role_of_type(before: bytes, after: bytes) -> OccurrenceRole:
    if _is_word(after) or after == b"*" or (before, after) == (b"(", b")"):
        return OccurrenceRole.USED
    return _used_unless_declared(False, before) if before not in (b"*", b"}") else OccurrenceRole.DECLARED


def _role_of_constant(before: bytes, after: bytes) -> OccurrenceRole:
    if before == b"{" or after in (b"=", b"}"):
        return OccurrenceRole.DECLARED
    return _used_unless_declared(
        before in (b"=", b"(", b"?", b":") or before in _NO_TYPE or after in (b")", b";"), before
    )


def _used_unless_declared(used: bool, before: bytes) -> OccurrenceRole:
    """Classifies the occurrence of a name that follows the token `before`.

    The name is declared if `before` may be the name of a type. Otherwise, it is used if `used` is true, and
    inconclusive if not.
    """
    if _is_word(before) and before not in _NO_TYPE and before not in _QUALIFIERS:
        return OccurrenceRole.DECLARED
    return OccurrenceRole.USED if used else OccurrenceRole.INCONCLUSIVE


def _is_word(token: bytes) -> bool:
    return token[:1].isalpha() or token[:1] == b"_"
