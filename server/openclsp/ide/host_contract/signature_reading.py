"""Reads the kernels that a text defines, from the text as written, in active and inactive branches.

Definitions in all branches count, because the host decides which branch is built. The kind of a parameter
that depends on a macro or a typedef is determined by `parameter_types`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from openclsp.ide.feature_results import Location
from openclsp.ide.host_contract.kernel_signature import KernelParameter, KernelSignature, ParameterKind
from openclsp.language.builtin_types import ADDRESS_SIZED, BUILTIN_TYPES, TypeCategory
from openclsp.source.blanked_text import blank_ranges
from openclsp.source.comments import comments
from openclsp.source.document import Document

_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\b")
_HEAD_TOKEN: Final = re.compile(rb"[A-Za-z_]\w*|[(){};]|\#\#?|\$")
_PARENTHESIS: Final = re.compile(rb"[()]")
_GROUP: Final = re.compile(rb"\breqd_work_group_size\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)")
_DIRECTIVE: Final = re.compile(rb"^[ \t]*\#", re.MULTILINE)
_DEFINE: Final = re.compile(rb"[ \t]*\#[ \t]*define\b")
_NO_NAMES: Final = frozenset((b"__attribute__", b"kernel", b"__kernel", b"void"))
_TOKEN: Final = re.compile(rb"[A-Za-z_]\w*|\*|\[[^\[\]]*\]|\S")
_QUALIFIERS: Final = frozenset(
    (
        "const",
        "volatile",
        "restrict",
        "__restrict",
        "__restrict__",
        "private",
        "__private",
        "struct",
        "union",
        "enum",
    )
    + ("read_only", "write_only", "read_write", "__read_only", "__write_only", "__read_write", "register")
)
_BUFFER_WORDS: Final = frozenset(("global", "__global", "constant", "__constant"))
_LOCAL_WORDS: Final = frozenset(("local", "__local"))
_SIGNS: Final = frozenset(("unsigned", "signed"))
_TWO_WORDS: Final = frozenset((("long", "long"), ("long", "int"), ("short", "int")))
_MAXIMUM_KERNELS: Final = 2_000
_MAXIMUM_PARAMETERS: Final = 300
_LONGEST_HEAD: Final = 20_000
_MAXIMUM_TOKENS: Final = 200
_MAXIMUM_ATTRIBUTES: Final = 4
_LONGEST_ATTRIBUTES: Final = 1_000


class _Head(NamedTuple):
    """The head of a kernel: the range of its name, and the start and end of its parameter list."""

    name_start: int
    name_end: int
    opening: int
    closing: int


def read_signatures(document: Document, names: frozenset[str] | None = None) -> Iterator[KernelSignature]:
    """Yields the kernels that a document defines: all, or only those with the given `names`."""
    data = _without_comments(document.text.data)
    for start in islice(_kernel_words(data), _MAXIMUM_KERNELS):
        head = _head(data, start)
        if head is None:
            continue
        name = data[head.name_start : head.name_end].decode()
        if names is not None and name not in names:
            continue
        end = _body(data, head.closing)
        if end is None:
            continue
        whole = data[start:end]
        if _DIRECTIVE.search(whole) is None:
            whole = _attributes_before(data, start) + whole
        parameters = None
        if _DIRECTIVE.search(whole) is None:
            parameters = _parameters(document.name, data, head.opening + 1, head.closing - 1)
        group = _GROUP.search(whole)
        sizes = () if group is None else tuple(int(each) for each in group.groups())
        location = Location(document.name, head.name_start, head.name_end)
        yield KernelSignature(name, location, parameters, sizes)


def generates_kernels(data: bytes) -> bool:
    """Whether a macro or a template may form the names of kernels in a text."""
    if b"kernel" not in data:
        return False
    data = _without_comments(data)
    return any(
        _head(data, start) is None or _is_in_macro(data, start)
        for start in islice(_kernel_words(data), _MAXIMUM_KERNELS)
    )


def _without_comments(data: bytes) -> bytes:
    return blank_ranges(data, list(comments(data)))


def _kernel_words(data: bytes) -> Iterator[int]:
    return (match.start() for match in _KERNEL.finditer(data))


def _head(data: bytes, start: int) -> _Head | None:
    """Reads a kernel's head, which begins at the word `kernel`; None if the name is not written there."""
    limit = min(len(data), start + _LONGEST_HEAD)
    after_void = False
    at = start
    for _ in range(_MAXIMUM_TOKENS):
        match = _HEAD_TOKEN.search(data, at, limit)
        if match is None or match[0] in (b")", b"{", b"}", b";", b"##", b"$"):
            return None
        at = match.end()
        token = match[0]
        if token == b"(":
            at = _closing(data, at)
            if at < 0:
                return None
        elif token == b"void":
            after_void = True
        elif after_void and token not in _NO_NAMES and token[:1] not in b"#(":
            opening = _HEAD_TOKEN.search(data, at, limit)
            if opening is None or opening[0] != b"(":
                return None
            closing = _closing(data, opening.end())
            if closing < 0 or data[closing : closing + 20].lstrip()[:1] == b"(":
                # `kernel void NAME(float)(global float *x)`
                return None
            return _Head(match.start(), match.end(), opening.start(), closing)
    return None


def _attributes_before(data: bytes, start: int) -> bytes:
    """Returns the attributes and specifiers before the word `kernel` in a declaration."""
    before = data[max(0, start - _LONGEST_ATTRIBUTES) : start]
    return before[max(map(before.rfind, (b";", b"}", b"#"))) + 1 :]


def _body(data: bytes, closing: int) -> int | None:
    """Returns the start of a kernel's body; None for a declaration without a body."""
    at = closing
    for _ in range(_MAXIMUM_TOKENS):
        match = _HEAD_TOKEN.search(data, at, closing + _LONGEST_HEAD)
        if match is None or match[0] in (b";", b"}", b")"):
            return None
        at = match.end()
        if match[0] == b"{":
            return at
        if match[0] == b"(":
            at = _closing(data, at)
            if at < 0:
                return None
    return None


def _is_in_macro(data: bytes, start: int) -> bool:
    """Whether a byte is in the definition of a macro."""
    line = data.rfind(b"\n", 0, start) + 1
    for _ in range(_MAXIMUM_TOKENS):
        if line < 2 or not data[:line].endswith((b"\\\n", b"\\\r\n")):
            break
        line = data.rfind(b"\n", 0, line - 1) + 1
    return _DEFINE.match(data, line) is not None


def _closing(data: bytes, start: int) -> int:
    """Returns the offset after the `)` for a `(` that ends at `start`; -1 if there is no such `)`."""
    depth = 1
    for match in _PARENTHESIS.finditer(data, start, min(len(data), start + _LONGEST_HEAD)):
        depth += 1 if match[0] == b"(" else -1
        if depth == 0:
            return match.end()
    return -1


def _parameters(name: str, data: bytes, start: int, end: int) -> tuple[KernelParameter, ...] | None:
    """Reads the parameters between two bytes of the document `name`; None if their number is unknown."""
    if data[start:end].strip() in (b"", b"void"):
        return ()
    found: list[KernelParameter] = []
    for first, last in _split(data, start, end):
        parameter = _parameter(name, data, first, last)
        if parameter is None or len(found) >= _MAXIMUM_PARAMETERS:
            return None
        found.append(parameter)
    return tuple(found)


def _split(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    depth, first = 0, start
    for at in range(start, end):
        byte = data[at : at + 1]
        if byte in b"([":
            depth += 1
        elif byte in b")]":
            depth -= 1
        elif byte == b"," and depth == 0:
            yield first, at
            first = at + 1
    yield first, end


def _parameter(document: str, data: bytes, start: int, end: int) -> KernelParameter | None:
    text = _without_attributes(data[start:end])
    words: list[str] = []
    name, place = "", (start, end)
    stars = 0
    spaces: set[str] = set()
    for match in _TOKEN.finditer(text):
        token = match[0].decode("utf-8", "replace")
        if token == "*" or token.startswith("["):
            stars += 1
        elif token in _BUFFER_WORDS or token in _LOCAL_WORDS:
            spaces.add(token.lstrip("_"))
        elif token in _QUALIFIERS:
            continue
        elif token.isidentifier():
            words.append(token)
            name, place = token, (start + match.start(), start + match.end())
        else:
            return None
    declaration = " ".join(text.decode("utf-8", "replace").split())
    if not words:
        return None
    is_named = len(words) > 1 and not _is_builtin(words[-1])
    types = words[:-1] if is_named else words
    plain = [each for each in types if each not in _SIGNS]
    if len(plain) > 2:
        # Words before the name that are macros may be anything.
        return None
    if not is_named and not _is_builtin(types[-1]) and types[-1] not in _SIGNS:
        return None
    location = Location(document, *place)
    shown = name if is_named else ""
    if stars:
        kind = ParameterKind.UNKNOWN
        if spaces and spaces <= {"global", "constant"}:
            kind = ParameterKind.BUFFER
        elif spaces == {"local"}:
            kind = ParameterKind.LOCAL
        return KernelParameter(shown, declaration, location, kind)
    if len(plain) == 2 and tuple(plain) not in _TWO_WORDS:
        return KernelParameter(shown, declaration, location, ParameterKind.UNKNOWN)
    return _value(shown, declaration, location, plain)


def _without_attributes(text: bytes) -> bytes:
    """Replaces each `__attribute__((…))` by blanks of the same length."""
    for _ in range(_MAXIMUM_ATTRIBUTES):
        at = text.find(b"__attribute__")
        opening = text.find(b"(", at)
        end = -1 if at < 0 or opening < 0 else _closing(text, opening + 1)
        if end < 0:
            break
        text = text[:at] + b" " * (end - at) + text[end:]
    return text


def _value(name: str, declaration: str, location: Location, plain: list[str]) -> KernelParameter:
    """Creates a parameter that is no pointer; `plain` contains the words of its type."""
    word = plain[0] if len(plain) == 2 else plain[-1] if plain else "int"
    builtin = BUILTIN_TYPES.get(word)
    if builtin is None:
        return KernelParameter(name, declaration, location, ParameterKind.UNKNOWN, type_name=word)
    if builtin.category is TypeCategory.IMAGE:
        return KernelParameter(name, declaration, location, ParameterKind.IMAGE)
    if builtin.category is TypeCategory.SAMPLER:
        return KernelParameter(name, declaration, location, ParameterKind.SAMPLER)
    if word in ADDRESS_SIZED or word == "bool":
        return KernelParameter(name, declaration, location, ParameterKind.VALUE)
    if builtin.scalar is not None:
        size, floating = builtin.scalar.size, builtin.scalar.floating
        return KernelParameter(name, declaration, location, ParameterKind.VALUE, size, floating)
    element = BUILTIN_TYPES.get(builtin.element)
    if builtin.category is TypeCategory.VECTOR and element is not None and element.scalar is not None:
        width = 1 << (builtin.width - 1).bit_length()
        return KernelParameter(name, declaration, location, ParameterKind.VALUE, element.scalar.size * width)
    return KernelParameter(name, declaration, location, ParameterKind.UNKNOWN)


def _is_builtin(word: str) -> bool:
    return word in BUILTIN_TYPES or word in _SIGNS
