"""What in a program shows that it is written for a newer language version than OpenCL C 1.2.

Judged by tokens of the expanded text and without types, on the side of saying nothing: a name that the program declares
itself, anywhere and in whatever scope, is no evidence, and neither is what a condition hides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import chain
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.language.keywords import ACCESS_QUALIFIERS
from openclsp.language.newer_names import NEWER_CONSTANTS, NEWER_TYPES, newer_functions
from openclsp.language.spaces import QUALIFIERS
from openclsp.source.document import DocumentName
from openclsp.source.lexer import WORD
from openclsp.source.preprocessed import Preprocessed


@dataclass(frozen=True, slots=True)
class Evidence:
    """A thing that exists only from `version` (200 or 300) on. `what` names it in a sentence; `line` counts from 1."""

    version: int
    what: str
    document: DocumentName
    line: int

    @property
    def standard(self) -> str:
        """The value of `-cl-std` that it asks for: `CL2.0`."""
        return f"CL{self._number}"

    def reason(self, where: str = "") -> str:
        """`because `atomic_int` in line 12 exists only from OpenCL C 2.0 on`; `where` (` of a.h`) says which file."""
        return f"because {self.what} in line {self.line}{where} exists only from OpenCL C {self._number} on"

    @property
    def _number(self) -> str:
        return f"{self.version // 100}.{self.version // 10 % 10}"


class _Role(Enum):
    """What an occurrence of a name is. NEITHER: nothing follows from it."""

    USED = "used"
    DECLARED = "declared"
    NEITHER = "neither"


_GENERIC: Final = frozenset((b"generic", b"__generic"))
_READ_WRITE: Final = frozenset((b"read_write", b"__read_write"))
_TYPES: Final = frozenset(name.encode() for name in NEWER_TYPES)
_BLANKED: Final = re.compile(
    rb"""//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.VERBOSE
)
_BEFORE: Final = re.compile(rb"([A-Za-z_]\w*|->|\S)\s*\Z")
_AFTER: Final = re.compile(rb"\s*([A-Za-z_]\w*|\S)")
_REACH: Final = 200
"""Bytes before a name in which the token before it is looked for."""
_IMAGE: Final = re.compile(rb"image[123]d_\w+")
_NO_TYPE: Final = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof"))
_TAGS: Final = frozenset((b"struct", b"union", b"enum"))
_ACCESS: Final = frozenset(word.encode() for word in ACCESS_QUALIFIERS)
_BEFORE_TYPES = "const volatile restrict static extern inline typedef kernel __kernel"
_QUALIFIERS: Final = _ACCESS | frozenset(word.encode() for word in (*_BEFORE_TYPES.split(), *QUALIFIERS))

_BLOCK: Final = re.compile(rb"\^\s*\{|\(\s*\^\s*[A-Za-z_]\w*\s*\)|[=,(]\s*\^\s*\(")
"""A `^` without a left operand: no exclusive or"""
_GLOBAL: Final = re.compile(rb"global[ \t]+(?:[A-Za-z_]\w*[ \t]+){1,6}?([A-Za-z_]\w*)\s*[;=,\[]")
"""What a variable in global looks like from the qualifier on; it begins with a literal, which makes the search quick."""
_HEAD: Final = re.compile(rb"(?:\A|[;}])\s*(?:(?:static|extern|const|volatile)\s+)*(?:__)?\Z")
"""What may stand before it at program scope"""


@lru_cache(maxsize=1)
def _functions() -> frozenset[bytes]:
    return frozenset(name.encode() for name in newer_functions())


@lru_cache(maxsize=1)
def _versions() -> Mapping[bytes, int]:
    """Every name that is evidence, with the version that it is evidence for."""
    named = chain(newer_functions().items(), NEWER_CONSTANTS.items(), NEWER_TYPES.items())
    return {
        **{name.encode(): version for name, version in named},
        **dict.fromkeys((*_GENERIC, *_READ_WRITE, b"pipe"), 200),
    }


@lru_cache(maxsize=16)
def may_show(data: bytes) -> bool:
    """Whether a source text holds, anywhere, what can be evidence: quick, and wrongly false only where a macro or a
    comment stands within a block's head or a variable's type."""
    return (
        not _versions().keys().isdisjoint(WORD.findall(data))
        or (b"^" in data and _BLOCK.search(data) is not None)
        or _GLOBAL.search(data) is not None
    )


def language_evidence(preprocessed: Preprocessed) -> Evidence | None:
    """The first thing that asks for the highest version that anything asks for, in the unit's text as it is in
    OpenCL C 1.2; None where nothing asks for more than that."""
    units = [(unit, _code(unit.text)) for unit in preprocessed.units()]
    hidden = frozenset(name.encode("utf-8", "replace") for name in preprocessed.hidden_names)
    roles = [(unit, code, list(_occurrences(code))) for unit, code in units]
    declared = {name for _, _, found in roles for _, name, role in found if role is _Role.DECLARED}
    own = declared | hidden | preprocessed.macros.keys()
    best: tuple[int, Preprocessed, int, int, str] | None = None
    for unit, code, found in roles:
        shown = [
            (start, start + len(name), _versions()[name], f"`{name.decode()}`")
            for start, name, role in found
            if role is _Role.USED and name not in own
        ]
        for start, end, version, what in sorted([*shown, *_constructs(code)]):
            if best is None or version > best[0]:
                best = version, unit, start, end, what
    return None if best is None else _evidence(*best)


def _evidence(version: int, unit: Preprocessed, start: int, end: int, what: str) -> Evidence:
    written = unit.source_map.written(start, end)
    text = unit.document.text
    # what an include within an item brought in counts for the line of that item which has the include
    line = (
        text.line_of(written.start)
        if written.document == unit.document.name
        else unit.text.count(b"\n", 0, start)
    )
    return Evidence(version, what, unit.document.name, line + 1)


def _code(text: bytes) -> bytes:
    """The text with comments and literals blanked, everything else in its place."""
    return _BLANKED.sub(lambda match: b" " * len(match[0]), text)


def _constructs(code: bytes) -> Iterator[tuple[int, int, int, str]]:
    """(start, end, version, what) of what no single name shows."""
    block = _BLOCK.search(code)
    if block is not None:
        at = code.index(b"^", block.start())
        yield at, at + 1, 200, "the block"
    for match in _GLOBAL.finditer(code):
        start = match.start()
        begins = _HEAD.search(code, max(0, start - _REACH), start) is not None
        if begins and code.count(b"{", 0, start) == code.count(b"}", 0, start):
            what = f"the program-scope `global` variable `{match[1].decode('ascii', 'replace')}`"
            yield start, match.end(1), 200, what
            return


def _occurrences(code: bytes) -> Iterator[tuple[int, bytes, _Role]]:
    """(offset, name, role) of every name that exists only in newer versions."""
    names = _versions().keys() & set(WORD.findall(code))
    if not names:
        return
    depth = seen = 0
    for match in _any_of(frozenset(names)).finditer(code):
        start, end = match.span()
        depth += code.count(b"{", seen, start) - code.count(b"}", seen, start)
        seen = start
        before = _BEFORE.search(code[max(0, start - _REACH) : start])
        after = _AFTER.match(code, end)
        yield (
            start,
            match[0],
            _role(match[0], before[1] if before else b"", after[1] if after else b"", depth),
        )


@lru_cache(maxsize=16)
def _any_of(names: frozenset[bytes]) -> re.Pattern[bytes]:
    return re.compile(rb"\b(?:" + b"|".join(sorted(names)) + rb")\b")


def _role(name: bytes, before: bytes, after: bytes, depth: int) -> _Role:
    if before in (b".", b"->"):
        return _Role.NEITHER
    if before in _TAGS:
        return _Role.DECLARED
    if name in _functions():
        return _role_of_function(before, after, depth)
    if name in _TYPES or name in _GENERIC:
        return _role_of_type(before, after)
    if name in _READ_WRITE:
        return _used_if(_IMAGE.fullmatch(after) is not None, before)
    if name == b"pipe":
        return _used_if(_is_word(after) and (before in (b"(", b",") or before in _ACCESS), before)
    return _role_of_constant(before, after)


def _role_of_function(before: bytes, after: bytes, depth: int) -> _Role:
    """A function is declared after its result's type; a name that is not called is a thing of the program's own."""
    follows_type = _is_word(before) and before not in _NO_TYPE
    # after these it may be either: in a body a call, outside a declaration
    follows_type |= depth <= 0 and before in (b"*", b")", b"")
    return _Role.USED if after == b"(" and not follows_type else _Role.DECLARED


def _role_of_type(before: bytes, after: bytes) -> _Role:
    if _is_word(after) or after == b"*" or (before, after) == (b"(", b")"):
        return _Role.USED
    return _used_if(False, before) if before not in (b"*", b"}") else _Role.DECLARED


def _role_of_constant(before: bytes, after: bytes) -> _Role:
    if before == b"{" or after in (b"=", b"}"):
        return _Role.DECLARED
    return _used_if(before in (b"=", b"(", b"?", b":") or before in _NO_TYPE or after in (b")", b";"), before)


def _used_if(used: bool, before: bytes) -> _Role:
    """A name after the word of a type is that of something declared."""
    if _is_word(before) and before not in _NO_TYPE and before not in _QUALIFIERS:
        return _Role.DECLARED
    return _Role.USED if used else _Role.NEITHER


def _is_word(token: bytes) -> bool:
    return token[:1].isalpha() or token[:1] == b"_"
