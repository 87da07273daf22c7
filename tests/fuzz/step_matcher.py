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
Match = Callable[[int, Continue], bool]
"""Matches from a place on, and goes on with what is behind"""

_LETTERS = (ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN)
_MANY = 6
"""Bounded repeats count as this many at most, so that short texts show what grows with the text"""


class TooManySteps(Exception):
    """The limit on the number of steps was reached."""


class _Taken(dict[str, bool]):
    """Whether one node of a pattern matches a letter, determined once for each letter."""

    def __init__(self, node: Node, flags: int) -> None:
        super().__init__()
        self._node, self._flags = node, flags

    def __missing__(self, letter: str) -> bool:
        self[letter] = found = self._takes(letter)
        return found

    def _takes(self, letter: str) -> bool:
        op, argument = self._node
        if op is ops.ANY:
            return bool(self._flags & re.DOTALL) or letter != "\n"
        if op is ops.IN:
            return in_set(argument, letter, self._flags)
        same = chr(argument) == letter or (
            bool(self._flags & re.IGNORECASE) and chr(argument).lower() == letter.lower()
        )
        return same is (op is ops.LITERAL)


class StepMatcher:
    """Matches as `re` does, one choice after the other. Groups are not kept; a back reference matches anything.

    The pattern is made into functions once, one for each node or run of letters, which match it and all behind it.
    """

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._flags = pattern.flags
        self.tree: Sequence[Node] = list(_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
        self._text = ""
        self._limit = self.steps = 0
        self._whole = self._sequence(self.tree)

    def run(self, text: str, limit: int, *, search: bool) -> int:
        """Returns the number of steps of a match at the beginning, or with `search` of `finditer` over the whole text."""
        self._text, self._limit, self.steps = text, limit, 0
        start = 0
        while start <= len(text):
            end = -1

            def found(at: int) -> bool:
                nonlocal end
                end = at
                return True

            self._whole(start, found)
            if not search:
                break
            start = max(end, start + 1)
        return self.steps

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._limit:
            raise TooManySteps

    def _sequence(self, nodes: Sequence[Node]) -> Match:
        def end(at: int, then: Continue) -> bool:
            self._step()
            return then(at)

        match: Match = end
        letters: list[_Taken] = []
        for node in reversed(nodes):
            if node[0] in _LETTERS:
                letters.insert(0, _Taken(node, self._flags))
                continue
            match = self._node(node, self._letters(letters, match))
            letters = []
        return self._letters(letters, match)

    def _node(self, node: Node, rest: Match) -> Match:
        op, argument = node
        if op is ops.SUBPATTERN:
            return self._one_of([self._sequence(argument[-1])], rest)
        if op is ops.BRANCH:
            return self._one_of([self._sequence(branch) for branch in argument[1]], rest)
        if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
            low, high, body = argument
            if high is not ops.MAXREPEAT:
                low, high = min(low, _MANY), min(high, _MANY)
            greedy = op is ops.MAX_REPEAT
            if len(body) == 1 and body[0][0] in _LETTERS:
                return self._repeated_letter(greedy, low, high, _Taken(body[0], self._flags), rest)
            return self._repeated(greedy, low, high, self._sequence(body), rest)
        if op in (ops.ASSERT, ops.ASSERT_NOT):
            return self._assertion(op is ops.ASSERT, argument[0] < 0, self._sequence(argument[1]), rest)

        def place(at: int, then: Continue) -> bool:
            self._step()
            return (op is not ops.AT or self._is_at(argument, at)) and rest(at, then)

        return place

    def _letters(self, letters: Sequence[_Taken], rest: Match) -> Match:
        if not letters:
            return rest

        def match(at: int, then: Continue) -> bool:
            for taken in letters:
                self._step()
                if at >= len(self._text) or not taken[self._text[at]]:
                    return False
                at += 1
            return rest(at, then)

        return match

    def _one_of(self, branches: Sequence[Match], rest: Match) -> Match:
        def match(at: int, then: Continue) -> bool:
            self._step()
            return any(branch(at, lambda end: rest(end, then)) for branch in branches)

        return match

    def _assertion(self, wanted: bool, before: bool, body: Match, rest: Match) -> Match:
        def match(at: int, then: Continue) -> bool:
            self._step()
            if before:
                found = any(body(start, lambda end: end == at) for start in range(max(at - 4, 0), at + 1))
            else:
                found = body(at, lambda end: True)
            return found is wanted and rest(at, then)

        return match

    def _repeated_letter(self, greedy: bool, low: int, high: int, taken: _Taken, rest: Match) -> Match:
        """Like `_repeated`, as a loop for the repetition of a single letter, which is the most common case."""

        def takes(at: int) -> bool:
            self._step()
            if at < len(self._text) and taken[self._text[at]]:
                self._step()
                return True
            return False

        def match(at: int, then: Continue) -> bool:
            self._step()
            count = 0
            if greedy:
                while count < high and takes(at + count):
                    count += 1
                return any(rest(at + each, then) for each in range(count, low - 1, -1))
            while not (count >= low and rest(at + count, then)):
                if count >= high or not takes(at + count):
                    return False
                count += 1
            return True

        return match

    def _repeated(self, greedy: bool, low: int, high: int, body: Match, rest: Match) -> Match:
        def match(at: int, then: Continue) -> bool:
            self._step()

            def again(count: int, where: int) -> bool:
                def more(end: int) -> bool:
                    return (end > where or count < low) and again(count + 1, end)

                if count < low:
                    return body(where, more)
                if greedy:
                    return (count < high and body(where, more)) or rest(where, then)
                return rest(where, then) or (count < high and body(where, more))

            return again(0, at)

        return match

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
    """Whether a letter can be part of a word."""
    return letter.isalnum() or letter == "_"


def in_set(members: Sequence[Node], letter: str, flags: int) -> bool:
    """Whether a set in a pattern contains a letter."""
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
    """Yields growing texts for each repetition in a pattern.

    Each is a prefix that leads to the repetition, many copies of its body, and an end that fails; or many copies of the
    prefix, or of a body that ends like the prefix, such as `\\"` after a quote.
    """
    texts = {
        (prefix, unit, end): None
        for prefix, body in _repeats(tree, "", flags)
        for unit in (body, prefix + body, prefix, body[:-1] + prefix[-1:])
        if unit
        for end in ("", "\x02", "\n\x02")
    }
    for prefix, unit, end in texts:
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
    """Returns short texts that a pattern matches, at least one for each alternative."""
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
