"""The names that macro calls at program scope may declare: their arguments, and names that `##` forms.

A file may use a name that a macro call in another file declares, as in `DEFINE(mul_hi)`. The macro may be defined in a third
file, so calls and macros are extracted from each file, and a name is compared with their combinations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from openclsp.dataclass import dataclass

_CALL: Final = re.compile(rb"(?:\A|(?<=[;$)\n]))[^\S\n]*([A-Za-z_]\w*)\s*\(")
_DELIMITER: Final = re.compile(rb"[(),;$]")
_ARGUMENT: Final = re.compile(rb"[A-Za-z_]\w*")
_PASTED: Final = re.compile(rb"(?<!\w)\w+(?:\s*##\s*\w+)+")
_DEFINITION: Final = re.compile(
    rb"^[ \t]*\#[ \t]*define[ \t]+\w+\(([^()]{0,400})\)((?:[^\\\r\n]|\\\r?\n|\\.)*)", re.MULTILINE
)
_LEAST_LENGTH: Final = 3
"""The least length in bytes of an argument that counts as a declared name; shorter ones are usually variables."""
_MAXIMUM_LENGTH: Final = 4_000
"""The number of bytes that the arguments of a call may have."""
_MAXIMUM_DEPTH: Final = 16
"""The nesting of parentheses to which the arguments of a call are read"""
_MAXIMUM_ARGUMENTS: Final = 6
_MAXIMUM_PARAMETERS: Final = 2
_MAXIMUM_FORMED_LENGTH: Final = 200
"""The length of a name up to which it is compared with patterns, because a comparison tries each division of it."""

Pattern: TypeAlias = tuple[str | None, ...]
"""The parts that `##` joins to a name; None stands for a parameter of the macro."""
Call: TypeAlias = tuple[str, ...]
"""The arguments of a macro call that are a single identifier"""


@dataclass(frozen=True, slots=True)
class GeneratedNames:
    """The names that some macro calls at program scope may declare: their arguments, and what patterns make of them.

    Each pattern is combined with the arguments of each call, because one macro may call another one. The names
    are not enumerated: a project with thousands of calls and patterns has millions of them.
    """

    calls: frozenset[Call] = frozenset()
    patterns: frozenset[Pattern] = frozenset()

    def __contains__(self, name: str) -> bool:
        return any(
            arguments.issubset(call)
            for arguments in required_arguments(self.patterns, name)
            for call in self.calls
        )


def required_arguments(patterns: Iterable[Pattern], name: str) -> Iterator[frozenset[str]]:
    """Yields, for each way in which a call may declare the name, the arguments that the call must have.

    These are the name itself, and for each pattern that can form the name, what stands for its parameters.
    """
    yield frozenset((name,))
    if len(name) <= _MAXIMUM_FORMED_LENGTH:
        for pattern in patterns:
            yield from map(frozenset, _match(pattern, name))


def _match(pattern: Pattern, name: str) -> Iterator[tuple[str, ...]]:
    """Yields the words that stand for the parameters of the pattern if the pattern forms `name`."""
    if not pattern:
        if not name:
            yield ()
        return
    part, rest = pattern[0], pattern[1:]
    if part is not None:
        if name.startswith(part):
            yield from _match(rest, name[len(part) :])
        return
    for end in range(_LEAST_LENGTH, len(name) + 1):
        for words in _match(rest, name[end:]):
            yield (name[:end], *words)


def extract_macro_calls(code: bytes) -> tuple[Call, ...]:
    """Extracts the macro calls at program scope of an OpenCL file.

    `code` is the text outside of comments, directives and braces. Calls without a single identifier as an
    argument are omitted.
    """
    calls = (_arguments(code, match.end()) for match in _CALL.finditer(code))
    return tuple(dict.fromkeys(call for call in calls if call))


def _arguments(code: bytes, start: int) -> Call:
    """Returns the arguments of a call that are a single identifier of at least `_LEAST_LENGTH` bytes.

    `start` is the offset after the opening parenthesis. The result has at most `_MAXIMUM_ARGUMENTS` elements.
    It is empty if the arguments contain `;` or braces, or are longer than `_MAXIMUM_LENGTH` bytes.
    """
    depth, begin = 1, start
    pieces: list[bytes] = []
    for match in _DELIMITER.finditer(code, start, start + _MAXIMUM_LENGTH):
        byte = match[0]
        if byte == b"(":
            depth += 1
            # Calls that are nested deeper would be read again for each call around them.
            if depth > _MAXIMUM_DEPTH:
                return ()
        elif byte == b")":
            depth -= 1
        elif byte != b",":
            return ()
        if depth == 0 or (depth == 1 and byte == b","):
            pieces.append(code[begin : match.start()].strip())
            begin = match.end()
        if depth == 0:
            words = [each.decode("ascii") for each in pieces if _ARGUMENT.fullmatch(each)]
            return tuple(each for each in words if len(each) >= _LEAST_LENGTH)[:_MAXIMUM_ARGUMENTS]
    return ()


def extract_patterns(data: bytes) -> tuple[Pattern, ...]:
    """Extracts the patterns of the names that the macros of an OpenCL file form with `##`."""
    return tuple(dict.fromkeys(_patterns(data))) if b"##" in data else ()


def _patterns(data: bytes) -> Iterator[Pattern]:
    for definition in _DEFINITION.finditer(data):
        parameters = {each.strip() for each in definition[1].split(b",")}
        for pasted in _PASTED.finditer(definition[2]):
            parts = [each.strip() for each in pasted[0].split(b"##")]
            pattern = tuple(None if each in parameters else each.decode("ascii", "replace") for each in parts)
            if 0 < pattern.count(None) <= _MAXIMUM_PARAMETERS:
                yield pattern
