"""A backtracking regular expression matcher that counts its steps, to find superlinear patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

try:
    from re import _constants as ops  # type: ignore[attr-defined]
    from re import _parser  # type: ignore[attr-defined]
except ImportError:
    import sre_constants as ops  # type: ignore[no-redef]
    import sre_parse as _parser  # type: ignore[no-redef]

Node = tuple[Any, Any]
Continue = Callable[[int], bool]

_MANY = 6
"""Bounded repeats count as this many at most, so that short texts show what grows with the text"""


class TooManySteps(Exception):
    """The limit of steps was reached."""


class StepMatcher:
    """Matches as `re` does, one choice after the other. Groups are not kept; a back reference matches anything."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._flags = pattern.flags
        self.tree: Sequence[Node] = list(_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
        self._text = ""
        self._limit = self.steps = 0

    def run(self, text: str, limit: int, *, search: bool) -> int:
        """The steps that it takes to match at the beginning, or to find all matches as `finditer` does."""
        self._text, self._limit, self.steps = text, limit, 0
        start = 0
        while start <= len(text):
            end = -1

            def found(at: int) -> bool:
                nonlocal end
                end = at
                return True

            self._match(self.tree, 0, start, found)
            if not search:
                break
            start = max(end, start + 1)
        return self.steps

    def _match(self, nodes: Sequence[Node], number: int, at: int, then: Continue) -> bool:
        self.steps += 1
        if self.steps > self._limit:
            raise TooManySteps
        if number == len(nodes):
            return then(at)
        op, argument = nodes[number]

        def rest(end: int) -> bool:
            return self._match(nodes, number + 1, end, then)

        if op in (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN):
            return at < len(self._text) and self._takes(op, argument, self._text[at]) and rest(at + 1)
        if op is ops.SUBPATTERN:
            return self._match(argument[-1], 0, at, rest)
        if op is ops.BRANCH:
            return any(self._match(branch, 0, at, rest) for branch in argument[1])
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            low, high, body = argument
            if high is not ops.MAXREPEAT:
                low, high = min(low, _MANY), min(high, _MANY)
            return self._repeat(op is ops.MAX_REPEAT, low, high, body, at, rest)
        if op in (ops.ASSERT, ops.ASSERT_NOT):
            direction, body = argument
            if direction < 0:
                found = any(
                    self._match(body, 0, start, lambda end: end == at)
                    for start in range(max(at - 4, 0), at + 1)
                )
            else:
                found = self._match(body, 0, at, lambda end: True)
            return found is (op is ops.ASSERT) and rest(at)
        if op is ops.AT:
            return self._is_at(argument, at) and rest(at)
        return rest(at)

    def _repeat(
        self, greedy: bool, low: int, high: Any, body: Sequence[Node], at: int, then: Continue
    ) -> bool:
        def again(count: int, where: int) -> bool:
            def more(end: int) -> bool:
                return (end > where or count < low) and again(count + 1, end)

            if count < low:
                return self._match(body, 0, where, more)
            may = high is ops.MAXREPEAT or count < high
            if greedy:
                return (may and self._match(body, 0, where, more)) or then(where)
            return then(where) or (may and self._match(body, 0, where, more))

        return again(0, at)

    def _takes(self, op: Any, argument: Any, letter: str) -> bool:
        if op is ops.ANY:
            return bool(self._flags & re.DOTALL) or letter != "\n"
        if op is ops.IN:
            return in_set(argument, letter, self._flags)
        same = chr(argument) == letter or (
            bool(self._flags & re.IGNORECASE) and chr(argument).lower() == letter.lower()
        )
        return same is (op is ops.LITERAL)

    def _is_at(self, where: Any, at: int) -> bool:
        text = self._text
        multiline = bool(self._flags & re.MULTILINE)
        if where in (ops.AT_BEGINNING, ops.AT_BEGINNING_STRING):
            return at == 0 or (where is ops.AT_BEGINNING and multiline and text[at - 1] == "\n")
        if where is ops.AT_END:
            return at == len(text) or text[at:] == "\n" or (multiline and text[at] == "\n")
        if where is ops.AT_END_STRING:
            return at == len(text)
        before = at > 0 and is_word(text[at - 1])
        behind = at < len(text) and is_word(text[at])
        return (before is not behind) is (where is ops.AT_BOUNDARY)


def is_word(letter: str) -> bool:
    """Whether a letter is one of a word."""
    return letter.isalnum() or letter == "_"


def in_set(members: Sequence[Node], letter: str, flags: int) -> bool:
    """Whether a set of a pattern has a letter."""
    letters = {letter, letter.lower(), letter.upper()} if flags & re.IGNORECASE else {letter}
    inside = False
    for op, argument in members:
        if op is ops.LITERAL:
            inside = inside or chr(argument) in letters
        elif op is ops.RANGE:
            inside = inside or any(
                argument[0] <= ord(each) <= argument[1] for each in letters if len(each) == 1
            )
        elif op is ops.CATEGORY:
            inside = inside or _in_category(argument, letter)
    return inside is not any(op is ops.NEGATE for op, _ in members)


def _in_category(category: Any, letter: str) -> bool:
    name = str(category).lower()
    found = letter.isdigit() if "digit" in name else letter.isspace() if "space" in name else is_word(letter)
    return found is not ("not" in name)


def adversarial(tree: Sequence[Node], flags: int) -> Iterator[Callable[[int], str]]:
    """Texts that grow: for each repeat of a pattern, what leads to it, its body again and again, and something that fails behind;
    and what leads to it again and again."""
    for prefix, body in _repeats(tree, "", flags):
        for unit in {body, prefix + body, prefix}:
            if unit:
                for end in ("", "\x02", "\n\x02"):
                    yield lambda n, prefix=prefix, unit=unit, end=end: prefix + unit * n + end


def _repeats(nodes: Sequence[Node], prefix: str, flags: int) -> Iterator[tuple[str, str]]:
    for op, argument in nodes:
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            for sample in _samples(argument[2], flags):
                yield prefix, sample
            yield from _repeats(argument[2], prefix, flags)
        elif op is ops.SUBPATTERN:
            yield from _repeats(argument[-1], prefix, flags)
        elif op is ops.BRANCH:
            for branch in argument[1]:
                yield from _repeats(branch, prefix, flags)
        prefix += next(iter(_samples([(op, argument)], flags)), "")


def _samples(nodes: Sequence[Node], flags: int) -> list[str]:
    """Some short texts that a pattern matches, one of each alternative at least."""
    found = [""]
    for op, argument in nodes:
        if op is ops.LITERAL:
            parts = [chr(argument)]
        elif op is ops.NOT_LITERAL:
            parts = ["a" if argument != ord("a") else "b"]
        elif op is ops.ANY:
            parts = ["a"]
        elif op is ops.IN:
            letters = (each for each in " a0_\n\t*(/\"'\\,;=[{#" if in_set(argument, each, flags))
            parts = (
                list(letters)[:3]
                or [chr(each) for each in range(256) if in_set(argument, chr(each), flags)][:1]
            )
        elif op is ops.SUBPATTERN:
            parts = _samples(argument[-1], flags)
        elif op is ops.BRANCH:
            parts = [sample for branch in argument[1] for sample in _samples(branch, flags)[:2]][:6]
        elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            parts = [sample * max(argument[0], 1) for sample in _samples(argument[2], flags)[:3]]
        else:
            parts = [""]
        found = [before + part for part in parts or [""] for before in found][:6]
    return found
