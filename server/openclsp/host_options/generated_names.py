"""The names that macro calls at program scope may declare: their arguments, and names that `##` forms.

A file may use a name that a macro call in another file declares, as in `DEFINE(mul_hi)`. The macro may be defined in a third
file, so calls and macros are extracted from each file and combined afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Final

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
_MAXIMUM_NAMES: Final = 50_000

Pattern = tuple[str | None, ...]
"""The parts that `##` joins to a name; None stands for a parameter of the macro."""


@dataclass(frozen=True, slots=True)
class MacroUses:
    """The macro calls at program scope of a file, and the patterns of names that its macros form.

    `calls` contains, for each call, those arguments that are a single identifier.
    """

    calls: tuple[tuple[str, ...], ...]
    patterns: tuple[Pattern, ...]


def extract_macro_uses(data: bytes, code: bytes) -> MacroUses:
    """Extracts the macro calls at program scope from the text of an OpenCL file, and the patterns of names.

    `code` is the text outside of comments, directives and braces.
    """
    calls = dict.fromkeys(words for match in _CALL.finditer(code) if (words := _arguments(code, match.end())))
    return MacroUses(tuple(calls), tuple(dict.fromkeys(_patterns(data))) if b"##" in data else ())


def _arguments(code: bytes, start: int) -> tuple[str, ...]:
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


def _patterns(data: bytes) -> Iterator[Pattern]:
    for definition in _DEFINITION.finditer(data):
        parameters = {each.strip() for each in definition[1].split(b",")}
        for pasted in _PASTED.finditer(definition[2]):
            parts = [each.strip() for each in pasted[0].split(b"##")]
            pattern = tuple(None if each in parameters else each.decode("ascii", "replace") for each in parts)
            if 0 < pattern.count(None) <= _MAXIMUM_PARAMETERS:
                yield pattern


def combine_generated_names(uses: Iterable[MacroUses]) -> frozenset[str]:
    """Returns the names that the macro calls of several files may declare.

    Each macro is combined with the arguments of each call, because one macro may call another one. At most about
    `_MAXIMUM_NAMES` names are formed.
    """
    known = list(uses)
    calls = dict.fromkeys(call for each in known for call in each.calls)
    found = {word for call in calls for word in call}
    for pattern in dict.fromkeys(pattern for each in known for pattern in each.patterns):
        count = pattern.count(None)
        for chosen in (chosen for call in calls for chosen in permutations(call, count)):
            words = iter(chosen)
            found.add("".join(next(words) if part is None else part for part in pattern))
            if len(found) > _MAXIMUM_NAMES:
                return frozenset(found)
    return frozenset(found)
