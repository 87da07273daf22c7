"""Brackets, comments and conditional branches of a text as written, also in unfinished and inactive code.

The expanded text contains neither inactive branches nor the bodies of macros, so the written text is scanned.
The scan reads only tokens that can change the nesting: comments, literals, directives and brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.comments import comments

_MARKS: Final = re.compile(
    rb"""(?:[^/"'\#(){}\[\]]+|\([^()\[\]{}"'/\#\r\n]*\)|\[[^()\[\]{}"'/\#\r\n]*\])*(?:
     (?P<open>[({\[])|(?P<close>[)}\]])
    |(?P<comment>//[^\\\r\n]*(?:\\(?:[ \t\f\v]*(?:\r\n|\n|\r))?[^\\\r\n]*)*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z))
    |"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*"?
    |'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*'?
    |(?P<directive>\#(?:
         [^\\/"\r\n]+
        |\\(?:[ \t\f\v]*(?:\r\n|\n|\r))?
        |/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)
        |//[^\\\r\n]*(?:\\(?:[ \t\f\v]*(?:\r\n|\n|\r))?[^\\\r\n]*)*
        |/
        |"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*"?)*)
    |/|\Z)
    """,
    re.VERBOSE,
)
"""Matches text up to a mark, and the mark. A pair of brackets within one line that nests nothing is skipped,
which saves most matches; `find_pairs` finds these pairs in a line.

Any `#` outside of comments and literals begins a directive: elsewhere it is no token of C.
"""
_WORD: Final = re.compile(
    rb"\#(?:\s|\\[\r\n]|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*([A-Za-z_]*)(?:\s+([A-Za-z_]\w*))?"
)
_PARTNERS: Final = {b")": b"(", b"}": b"{", b"]": b"["}
_OPENING: Final = frozenset((b"if", b"ifdef", b"ifndef"))
_BRANCHING: Final = frozenset((b"elif", b"else", b"elifdef", b"elifndef"))
_MATCHES_PER_CHECK: Final = 4096
_POINT_DISTANCE: Final = 256
"""The least number of bytes between two resume points."""
_MAXIMUM_BRANCHES: Final = 16
"""The most open branches at a resume point."""


class NestingKind(Enum):
    """The kinds of nesting ranges."""

    BRACES = "braces"
    PARENTHESES = "parentheses"
    BRACKETS = "brackets"
    BRANCH = "branch"


_KINDS: Final = {b"{": NestingKind.BRACES, b"(": NestingKind.PARENTHESES, b"[": NestingKind.BRACKETS}


class TextNesting(NamedTuple):
    """A nesting range: a pair of brackets, or a branch of a conditional.

    Its inside is from `inner_start` to `inner_end`, in bytes. A branch starts with its directive and ends
    before the directive that ends it. The inside of a branch contains neither directive.
    """

    kind: NestingKind
    start: int
    inner_start: int
    inner_end: int
    end: int


class Directive(NamedTuple):
    """A directive: the bytes from its `#` to the end of its logical line.

    `name` is the word after `#`. `operand` is the identifier after the name; empty if there is none.
    """

    start: int
    end: int
    name: bytes
    operand: bytes


class _Opener(NamedTuple):
    """An open bracket, linked to the next outer one (`below`).

    The linked list is immutable, so that a branch can restore an earlier state at no cost. `nearest_braces`
    is the innermost open brace around this bracket; `nearest_parenthesis` and `nearest_bracket` are the
    innermost ones within that brace. All three are None if this bracket is a brace.
    """

    mark: bytes
    start: int
    below: _Opener | None
    nearest_braces: _Opener | None
    nearest_parenthesis: _Opener | None
    nearest_bracket: _Opener | None


class _Conditional:
    """An open conditional, with the brackets that were open before it and after its first branch."""

    __slots__ = ("after_first", "before", "branch", "is_first")

    def __init__(self, branch: Directive, before: _Opener | None, *, is_first: bool = True) -> None:
        self.branch, self.before, self.is_first = branch, before, is_first
        self.after_first: _Opener | None = None


class ResumePoint(NamedTuple):
    """A point outside of all brackets at which a scan can begin or stop.

    `branches` contains the open branches, outermost first, and whether each is the first of its conditional.
    `nestings`, `comments` and `directives` are the numbers of nesting ranges, comments and directives before
    the point.
    """

    offset: int
    branches: tuple[tuple[Directive, bool], ...]
    nestings: int
    comments: int
    directives: int


@dataclass(frozen=True, slots=True)
class TextStructure:
    """The nesting ranges of a text in order of their ends, and its comments and directives in text order.

    A bracket without a partner has no range. A pair of brackets that encloses only plain text within one line
    has no range either; see `find_pairs`. Comments in directives are included.
    """

    nestings: tuple[TextNesting, ...]
    comments: tuple[tuple[int, int], ...]
    directives: tuple[Directive, ...]
    resume_points: tuple[ResumePoint, ...] = ()


_PAIR: Final = re.compile(rb"""\([^()\[\]{}"'/\#\r\n]*\)|\[[^()\[\]{}"'/\#\r\n]*\]""")


def find_pairs(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yields the pairs of brackets with only plain text between them.

    Searches the bytes `start` to `end` of `data`, which must be within one line.
    """
    return (each.span() for each in _PAIR.finditer(data, start, end))


def read_structure(data: bytes, checkpoint: Checkpoint = no_checkpoint) -> TextStructure:
    """Scans a text in linear time.

    Brackets match only within the same branch of a conditional. After the conditional, the brackets that its
    first branch opened are open, because the branches usually are alternatives of the same text.
    """
    scan = StructureScan()
    scan.read(data, checkpoint)
    return scan.result()


class StructureScan:
    """A scan in progress: the structure found so far, and the brackets and branches that are open."""

    def __init__(self, before: TextStructure | None = None, point: ResumePoint | None = None) -> None:
        """Begins a scan at a resume point of an earlier structure; without one, at the start of a text."""
        self.nestings: list[TextNesting] = []
        self.comments: list[tuple[int, int]] = []
        self.directives: list[Directive] = []
        self.points: list[ResumePoint] = []
        self._conditionals: list[_Conditional] = []
        self._top: _Opener | None = None
        self._start = 0
        if before is not None and point is not None:
            self.nestings += before.nestings[: point.nestings]
            self.comments += before.comments[: point.comments]
            self.directives += before.directives[: point.directives]
            self.points += (each for each in before.resume_points if each.offset <= point.offset)
            self._conditionals += (_Conditional(each, None, is_first=first) for each, first in point.branches)
            self._start = point.offset

    def read(self, data: bytes, checkpoint: Checkpoint, ends: Sequence[ResumePoint] = ()) -> int:
        """Scans until the end of the text, or until the state equals that at one of the points `ends`.

        The points are in text order. Returns the index of the reached point; at the end of the text, the
        number of points.
        """
        upcoming, next_end = 0, ends[0].offset if ends else -1
        for number, match in enumerate(_MARKS.finditer(data, self._start)):
            if number % _MATCHES_PER_CHECK == 0:
                checkpoint()
            group = match.lastgroup
            if group is None:
                continue
            start, end = match.span(group)
            self._add(group, match[group], start, end)
            if self._top is not None:
                continue
            while 0 <= next_end < end:
                upcoming += 1
                next_end = ends[upcoming].offset if upcoming < len(ends) else -1
            if next_end == end and ends[upcoming].branches == self._branches():
                return upcoming
            self._add_point(end)
        return len(ends)

    def result(self) -> TextStructure:
        """Returns the scanned structure."""
        return TextStructure(
            tuple(self.nestings), tuple(self.comments), tuple(self.directives), tuple(self.points)
        )

    def _add(self, group: str, mark: bytes, start: int, end: int) -> None:
        if group == "open":
            self._top = _pushed(mark, start, self._top)
        elif group == "close":
            partner = _partner(mark, self._top)
            if partner is not None:
                self.nestings.append(
                    TextNesting(_KINDS[partner.mark], partner.start, partner.start + 1, start, end)
                )
                self._top = partner.below
        elif group == "comment":
            self.comments.append((start, end))
        else:
            directive = _directive(mark, start, end)
            self.directives.append(directive)
            if b"/" in mark:
                self.comments += ((start + first, start + last) for first, last in comments(mark))
            self._top = self._nest_branch(directive)

    def _nest_branch(self, directive: Directive) -> _Opener | None:
        """Opens or closes branches at a directive; returns the innermost bracket that is open after it."""
        conditionals, top = self._conditionals, self._top
        if directive.name in _OPENING:
            conditionals.append(_Conditional(directive, top))
            return top
        closing = directive.name == b"endif"
        if not conditionals or not (closing or directive.name in _BRANCHING):
            return top
        last = conditionals[-1]
        start = last.branch.start
        self.nestings.append(
            TextNesting(NestingKind.BRANCH, start, last.branch.end, directive.start, directive.start)
        )
        if last.is_first:
            last.after_first, last.is_first = top, False
        if closing:
            conditionals.pop()
            return last.after_first
        last.branch = directive
        return last.before

    def _branches(self) -> tuple[tuple[Directive, bool], ...] | None:
        """Returns the open branches, the outermost first.

        None if one of their conditionals is within brackets, or if there are too many branches.
        """
        if len(self._conditionals) > _MAXIMUM_BRANCHES:
            return None
        if any(each.before is not None or each.after_first is not None for each in self._conditionals):
            return None
        return tuple([(each.branch, each.is_first) for each in self._conditionals])

    def _add_point(self, end: int) -> None:
        if end - (self.points[-1].offset if self.points else 0) < _POINT_DISTANCE:
            return
        branches = self._branches()
        if branches is not None:
            point = ResumePoint(end, branches, len(self.nestings), len(self.comments), len(self.directives))
            self.points.append(point)


def _directive(text: bytes, start: int, end: int) -> Directive:
    match = _WORD.match(text)
    name, operand = (b"", b"") if match is None else (match[1], match[2] or b"")
    return Directive(start, end, name, operand)


def _pushed(mark: bytes, start: int, top: _Opener | None) -> _Opener:
    if mark == b"{":
        return _Opener(mark, start, top, None, None, None)
    braces = None if top is None else top if top.mark == b"{" else top.nearest_braces
    parenthesis = None if top is None else top if top.mark == b"(" else top.nearest_parenthesis
    bracket = None if top is None else top if top.mark == b"[" else top.nearest_bracket
    return _Opener(mark, start, top, braces, parenthesis, bracket)


def _partner(mark: bytes, top: _Opener | None) -> _Opener | None:
    """Returns the open bracket that a closing bracket matches.

    A `}` matches the innermost open brace, even if parentheses within it are still open. A `)` or `]` matches
    only a bracket within the innermost open brace.
    """
    wanted = _PARTNERS[mark]
    if top is None or top.mark == wanted:
        return top
    if wanted == b"{":
        return top.nearest_braces
    return top.nearest_parenthesis if wanted == b"(" else top.nearest_bracket
