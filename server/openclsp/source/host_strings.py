"""Detects host code (C or C++ with kernels in string literals) in files that are named like OpenCL C.

A declaration such as `static const char *source = "__kernel void k(…) {…}";` in a `.cl.h` file is part of the
host program. It is evidence of host code, unless the rest of the unit has OpenCL C outside literals, such as
`constant char *` or another use of an address space.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.dataclass import dataclass

LITERAL: Final = rb"\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\[\s\S])*'"
LITERAL_OR_REST_OF_LINE: Final = rb"\"(?:[^\"\\\n]|\\[\s\S])*\"?|'(?:[^'\\\n]|\\[\s\S])*'?"
"""A literal, or the rest of the line after an unclosed quote. It always matches at a quote, so that no text is searched
again and again for the end of a literal"""
COMMENT: Final = rb"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_BLANK: Final = re.compile(rb"\s+|" + COMMENT)
_RAW_PREFIX: Final = rb"(?:u8|[uUL])?R\"[^()\\\s]{0,16}\("
_DECLARES: Final = rb"(?:(?:(?:__)?kernel|typedef|inline|static|void|(?:__)?constant)\b\s*[\w_]|[A-Za-z_][\w\s*]{0,200}\([^(){};]{0,2000}\)\s*\{)"
"""The beginning of a program as the argument of a stringifying macro. No call has such an argument"""
_STRINGS: Final = rb"(?:\{\s*)?(?:" + LITERAL + rb"|[\s,()\w]|\\\r?\n|" + COMMENT + rb")+"
_DECLARATION: Final = re.compile(
    rb"(?:extern\s+\"C\"\s*(?:\{\s*)?)?(?:(?:static|extern|inline|constexpr|const|volatile|unsigned|signed)\s+){0,6}char\b"
    + rb"(?:\s|\*|\bconst\b|\brestrict\b){0,12}\b[A-Za-z_]\w*\s*(?:\[[^\];{}]{0,100}\]\s*){0,2}=\s*"
    + rb"(?:(?P<raw>(?:\{\s*)?"
    + _RAW_PREFIX
    + rb")|(?P<call>[A-Za-z_]\w*\s*\(\s*"
    + _DECLARES
    + rb")|(?P<bytes>\{(?:\s*(?:0[xX][0-9a-fA-F]{1,2}|[0-9]{1,3})\s*,){8,})|(?P<strings>"
    + _STRINGS
    + rb"))"
)
"""A character variable with its initialiser, at the beginning of a chunk. No OpenCL C qualifier is allowed"""
_IN_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*\#[ \t]*define[ \t]+\w+(?:\([\w, ]*\))?(?P<strings>(?:(?:" + LITERAL + rb")|[ \t]|\\\r?\n)+)",
    re.MULTILINE,
)
_VECTORS: Final = rb"(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)"
_WORK_ITEM: Final = rb"get_(?:global|local|group)_(?:id|size)|get_num_groups|get_work_dim"
_KERNEL_TEXT: Final = re.compile(
    rb"\b(?:__)?kernel\s+(?:void|__attribute__)\b|\b__(?:global|local|constant|private|read_only|write_only)\b"
    rb"|\b(?:global|local|constant)\s+(?:const\s+)?\w+\s*\*|\b(?:" + _WORK_ITEM + rb"|" + _VECTORS + rb")\b"
)
_STRING_LIST: Final = re.compile(_STRINGS + rb";?\s*")
_NUMBER: Final = re.compile(rb"0[xX][0-9a-fA-F]+|[1-9][0-9]*|0")
_ENOUGH: Final = 1 << 16
"""Bytes of numbers that are decoded"""
_STATEMENT: Final = re.compile(rb"[;}]")
_OPENCL_WORD: Final = re.compile(
    rb"(?P<skipped>"
    + LITERAL_OR_REST_OF_LINE
    + rb"|"
    + COMMENT
    + rb")|\b__(?:kernel|global|local|constant|private|generic|read_only|write_only|read_write)\b"
    rb"|\b(?:(?:kernel|global|local|constant|private)(?=\s+[A-Za-z_])|generic(?=[ \t]+[A-Za-z_][\w \t]{0,80}\*))"
    rb"|\b(?:" + _WORK_ITEM + rb"|" + _VECTORS + rb"|image[123]d_\w+|sampler_t)\b"
)
"""Words that only OpenCL C has, outside literals and comments; `generic`, a word of many texts, qualifies a pointer"""


@dataclass(frozen=True, slots=True)
class HostString:
    """The declaration of a host variable that contains kernel text.

    - `start`, `end`: the range of the declaration up to its first literal.
    - `certain`: the value is a raw string, which C does not have, or the argument of a stringifying macro.
    """

    start: int
    end: int
    certain: bool


def host_string(text: bytes) -> HostString | None:
    """Returns the variable with kernel text that the beginning of `text` declares, if any."""
    if b"char" not in text:
        return None
    start = 0
    while (blank := _BLANK.match(text, start)) is not None:
        start = blank.end()
    match = _DECLARATION.match(text, start)
    if match is None:
        return None
    held = match["strings"] if match["bytes"] is None else _decoded(match["bytes"])
    if held is not None and not _holds_kernel(held):
        return None
    end = match.start(match.lastgroup or 0)
    return HostString(start, len(text[:end].rstrip(b"= \t\r\n")), certain=held is None)


def is_string_macros(text: bytes) -> bool:
    """Whether a document defines macros as string literals that contain a kernel.

    Must be called only for documents without declarations.
    """
    return any(_holds_kernel(match["strings"]) for match in _IN_DIRECTIVE.finditer(text))


def is_string_list(text: bytes) -> bool:
    """Whether a document consists of string literals that contain a kernel, for an initialiser of the host."""
    start = 0
    while (blank := _BLANK.match(text, start)) is not None:
        start = blank.end()
    if text[start : start + 1] != b'"':
        return False
    match = _STRING_LIST.match(text, start)
    return match is not None and match.end() == len(text) and _holds_kernel(match[0])


def has_opencl_word(text: bytes) -> bool:
    """Whether a text has words of OpenCL C that C lacks, outside literals and comments."""
    return any(match.lastgroup != "skipped" for match in _OPENCL_WORD.finditer(text))


def mentions_kernel(text: bytes) -> bool:
    """Whether a text has unmistakable words of OpenCL C anywhere, also in literals and comments."""
    return _KERNEL_TEXT.search(text) is not None


def _decoded(numbers: bytes) -> bytes:
    """Decodes text that is written as a list of byte values, as `xxd -i` writes it."""
    return bytes(int(number, 0) & 255 for number in _NUMBER.findall(numbers, 0, _ENOUGH))


def _holds_kernel(strings: bytes) -> bool:
    return _KERNEL_TEXT.search(strings) is not None and _STATEMENT.search(strings) is not None
