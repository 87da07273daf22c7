"""Regular expressions with matching in time linear in the text, for any expression.

`re` backtracks: `[^/]*a[^/]*a…b` on sixty `a` takes hours, and the expressions of `.gitignore`,
`openclsp.toml` and `.clangd` come from untrusted files. This is a Pike VM: it runs all alternatives in
parallel, in the order in which `re` would try them. Sets of threads are cached with their successors, as in a
lazily built DFA.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from enum import Enum
from typing import Final

from openclsp.dataclass import dataclass

MAXIMUM_LENGTH: Final = 10_000
"""Maximum characters of one expression"""
MAXIMUM_INSTRUCTIONS: Final = 2_000
"""Maximum instructions of one expression; `{1,1000}` counts a thousand times."""
MAXIMUM_DEPTH: Final = 50
"""Maximum depth of nested groups."""
_MAXIMUM_CACHED_TRANSITIONS: Final = 1_000
"""Maximum number of cached transitions; if there are more, the cache is emptied."""
_MAXIMUM_THREADS: Final = 64
"""Maximum threads after a cached transition; with the limit above, this bounds the memory of the cache."""

_CLASS_ITEM: Final = re.compile(r"\[:(\w+):\]|\\([dDwWsS])|(?:\\(.)|(.))(?:-(?:\\(.)|([^\]])))?", re.DOTALL)
_COUNT: Final = re.compile(r"\{(\d{1,5})(,(\d{1,5})?)?\}")
_CHARACTER_CLASSES: Final[dict[str, Callable[[str], bool]]] = {
    "d": str.isdigit,
    "digit": str.isdigit,
    "w": lambda letter: letter.isalnum() or letter == "_",
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "s": str.isspace,
    "space": str.isspace,
    "upper": str.isupper,
    "lower": str.islower,
    "blank": " \t".__contains__,
    "xdigit": "0123456789abcdefABCDEF".__contains__,
    "punct": lambda letter: letter.isprintable() and not (letter.isalnum() or letter.isspace()),
}


class _Opcode(Enum):
    CONSUME = 0
    """Consumes one character that `accepts` accepts"""
    SPLIT = 1
    """Forks to each instruction of `targets`, in order of preference"""
    ASSERT_START = 2
    ASSERT_END = 3
    ENTER_NAMED_GROUP = 4
    """Records that a named group was entered"""
    MATCH = 5


@dataclass(slots=True)
class _Instruction:
    opcode: _Opcode
    targets: list[int] = field(default_factory=list)
    accepts: Callable[[str], bool] | None = None


_Thread = tuple[int, bool]
"""A thread: an instruction that awaits a character or the end, and whether a named group was entered"""


@dataclass(slots=True)
class RegularExpression:
    """A compiled expression.

    Supported are groups, classes, alternatives, `* + ? {m,n}`, `.`, `^` and `$`; back references and
    look-around are not.
    """

    _instructions: list[_Instruction]
    _cached_transitions: dict[tuple[tuple[_Thread, ...], str], tuple[_Thread, ...]] = field(
        default_factory=dict
    )

    @property
    def size(self) -> int:
        """The number of instructions."""
        return len(self._instructions)

    @staticmethod
    def compile_pattern(pattern: str) -> RegularExpression:
        """Compiles a pattern; raises ValueError if it is invalid, too large or unsupported."""
        return RegularExpression(_Compiler(pattern).compile_pattern())

    def search(self, text: str) -> bool | None:
        """Searches the text, as `re.search` does.

        Returns None if nothing matches, otherwise whether the match entered a named group.
        """
        found: bool | None = None
        searching = True
        threads = self._epsilon_closure([(0, False)], at_start=True)
        for letter in text:
            if threads and self._instructions[threads[-1][0]].opcode is _Opcode.MATCH:
                # A preferred thread has matched: no thread of lower preference, such as one that starts
                # later, can win.
                found, searching = threads[-1][1], False
            if not threads and not searching:
                break
            threads = self._advance_threads(threads, letter, searching)
        for step, marked in self._epsilon_closure(list(threads), at_start=not text, at_end=True):
            if self._instructions[step].opcode is _Opcode.MATCH:
                return marked
        return found

    def _advance_threads(
        self, threads: tuple[_Thread, ...], letter: str, searching: bool
    ) -> tuple[_Thread, ...]:
        key = (threads, letter if searching else letter + " ")
        kept = self._cached_transitions.get(key)
        if kept is None:
            moved = []
            for step, marked in threads:
                takes = self._instructions[step].accepts
                if takes is not None and takes(letter):
                    moved.append((self._instructions[step].targets[0], marked))
            if searching:
                moved.append((0, False))
            if len(self._cached_transitions) >= _MAXIMUM_CACHED_TRANSITIONS:
                self._cached_transitions.clear()
            kept = self._epsilon_closure(moved)
            if len(kept) <= _MAXIMUM_THREADS:
                self._cached_transitions[key] = kept
        return kept

    def _epsilon_closure(
        self, threads: list[_Thread], at_start: bool = False, at_end: bool = False
    ) -> tuple[_Thread, ...]:
        """Follows all instructions that consume no character; returns the threads that result.

        These threads are at instructions that await a character or the end of the text, or at MATCH. They are
        in order of preference, and end with the first thread at MATCH. Of two threads at the same
        instruction, only the preferred one is kept.
        """
        found: list[_Thread] = []
        seen: set[int] = set()
        waiting = threads[::-1]
        while waiting:
            number, marked = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            step = self._instructions[number]
            if step.opcode is _Opcode.CONSUME or (step.opcode is _Opcode.ASSERT_END and not at_end):
                found.append((number, marked))
            elif step.opcode is _Opcode.MATCH:
                found.append((number, marked))
                break
            elif step.opcode is not _Opcode.ASSERT_START or at_start:
                waiting += [
                    (each, marked or step.opcode is _Opcode.ENTER_NAMED_GROUP)
                    for each in reversed(step.targets)
                ]
        return tuple(found)


_InstructionEmitter = Callable[[], None]
"""Emits the instructions of a part of the pattern, each time that it is called; the next part follows."""


class _Compiler:
    """A recursive descent compiler from patterns to instructions."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.depth = pattern, 0, 0
        self.instructions: list[_Instruction] = []

    def compile_pattern(self) -> list[_Instruction]:
        if len(self.pattern) > MAXIMUM_LENGTH:
            raise ValueError("the expression is too long")
        part = self.parse_alternatives()
        if self.at < len(self.pattern):
            raise ValueError("a parenthesis closes nothing")
        part()
        self.add_instruction(_Opcode.MATCH)
        return self.instructions

    def add_instruction(self, does: _Opcode, takes: Callable[[str], bool] | None = None) -> _Instruction:
        if len(self.instructions) >= MAXIMUM_INSTRUCTIONS:
            raise ValueError("the expression is too large")
        step = _Instruction(does, [len(self.instructions) + 1], takes)
        self.instructions.append(step)
        return step

    def emit_single(self, does: _Opcode, takes: Callable[[str], bool] | None = None) -> _InstructionEmitter:
        return lambda: (self.add_instruction(does, takes), None)[1]

    def parse_alternatives(self) -> _InstructionEmitter:
        sequences: list[list[_InstructionEmitter]] = [[]]
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            if self.pattern[self.at] == "|":
                self.at += 1
                sequences.append([])
            else:
                sequences[-1].append(self.parse_repetition())

        def write() -> None:
            split, ends = self.add_instruction(_Opcode.SPLIT), []
            for number, sequence in enumerate(sequences):
                if number:
                    ends.append(self.add_instruction(_Opcode.SPLIT))
                    split.targets.append(len(self.instructions))
                for part in sequence:
                    part()
            for end in ends:
                end.targets[:] = [len(self.instructions)]

        return write

    def parse_repetition(self) -> _InstructionEmitter:
        part = self.parse_atom()
        least, most = self.parse_count()
        if (least, most) == (1, 1):
            return part

        def write() -> None:
            # Repetition emits the part once per count, because instructions cannot count; the number of
            # instructions is limited.
            skips = []
            for _ in range(least):
                part()
            for _ in range(0 if most is None else most - least):
                skips.append(self.add_instruction(_Opcode.SPLIT))
                part()
            if most is None:
                skips.append(self.add_instruction(_Opcode.SPLIT))
                number = len(self.instructions) - 1
                part()
                self.add_instruction(_Opcode.SPLIT).targets[:] = [number]
            for skip in skips:
                skip.targets.append(len(self.instructions))

        return write

    def parse_count(self) -> tuple[int, int | None]:
        mark = self.pattern[self.at : self.at + 1]
        counted = _COUNT.match(self.pattern, self.at)
        if mark and mark in "*+?":
            self.at += 1
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
        elif counted is not None:
            self.at = counted.end()
            least = int(counted[1])
            most = least if counted[2] is None else int(counted[3]) if counted[3] else None
            if most is not None and most < least:
                raise ValueError("a count is empty")
        else:
            return 1, 1
        if self.pattern[self.at : self.at + 1] in ("?", "+", "*"):
            raise ValueError("a repetition is repeated")
        return least, most

    def parse_atom(self) -> _InstructionEmitter:
        letter = self.pattern[self.at]
        self.at += 1
        if letter == "(":
            return self.parse_group()
        if letter == "[":
            return self.emit_single(_Opcode.CONSUME, self.parse_character_class())
        if letter == ".":
            return self.emit_single(_Opcode.CONSUME, lambda each: each != "\n")
        if letter == "^":
            return self.emit_single(_Opcode.ASSERT_START)
        if letter == "$":
            return self.emit_single(_Opcode.ASSERT_END)
        if letter == "\\":
            self.at += 1
            return self.emit_single(_Opcode.CONSUME, _escape_predicate(self.pattern[self.at - 1 : self.at]))
        if letter in "*+?":
            raise ValueError("nothing is repeated")
        return self.emit_single(_Opcode.CONSUME, letter.__eq__)

    def parse_group(self) -> _InstructionEmitter:
        named = self.pattern.startswith("?P<", self.at)
        if named:
            self.at = self.pattern.find(">", self.at) + 1 or len(self.pattern)
        elif self.pattern.startswith("?:", self.at):
            self.at += 2
        elif self.pattern.startswith("?", self.at):
            raise ValueError("look-around and flags are not supported")
        self.depth += 1
        if self.depth > MAXIMUM_DEPTH:
            raise ValueError("groups are nested too deeply")
        inner = self.parse_alternatives()
        self.depth -= 1
        if self.pattern[self.at : self.at + 1] != ")":
            raise ValueError("a group is not closed")
        self.at += 1
        mark = self.emit_single(_Opcode.ENTER_NAMED_GROUP)
        return (lambda: (mark(), inner(), None)[2]) if named else inner

    def parse_character_class(self) -> Callable[[str], bool]:
        """Compiles a character class, after its `[`."""
        inverted = self.pattern[self.at : self.at + 1] == "^"
        self.at += inverted
        first, parts = self.at, []
        while self.at == first or self.pattern[self.at : self.at + 1] != "]":
            item = _CLASS_ITEM.match(self.pattern, self.at)
            if item is None:
                raise ValueError("a set of letters is not closed")
            self.at = item.end()
            parts.append(_class_item_predicate(item))
        self.at += 1
        return lambda letter: any(part(letter) for part in parts) is not inverted


def _class_item_predicate(item: re.Match[str]) -> Callable[[str], bool]:
    if item[1]:
        if item[1] not in _CHARACTER_CLASSES:
            raise ValueError(f"there is no set [:{item[1]}:]")
        return _CHARACTER_CLASSES[item[1]]
    if item[2]:
        return _escape_predicate(item[2])
    low = item[3] or item[4]
    high = item[5] or item[6] or low
    if high < low:
        raise ValueError("a range is empty")
    return lambda letter: low <= letter <= high


def _escape_predicate(letter: str) -> Callable[[str], bool]:
    if not letter:
        raise ValueError("a backslash ends the expression")
    named = _CHARACTER_CLASSES.get(letter.lower()) if letter in "dDwWsS" else None
    if named is None and (letter.isalnum() or letter == "_"):
        raise ValueError(f"\\{letter} is not supported")
    if named is None:
        return letter.__eq__
    wanted = letter.islower()
    return lambda each: named(each) is wanted
