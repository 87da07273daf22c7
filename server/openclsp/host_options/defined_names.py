"""The names that the text of an OpenCL file defines at program scope, found by patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_MACRO: Final = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")
_TYPE: Final = re.compile(rb"(?:\btypedef\s[^;{}()]{1,200}?\s\*?|\}\s*)([A-Za-z_]\w*)\s*;")
_FUNCTION: Final = re.compile(rb"\b([A-Za-z_]\w*)\s*\([^;{}()]{0,600}\)\s*\{")
_ENUMERATION: Final = re.compile(rb"\benum\b[^{};]{0,80}\{([^{}]{0,8000})\}")
_ENUMERATOR: Final = re.compile(rb"(?:\A|,)\s*([A-Za-z_]\w*)")
_NOT_CODE: Final = re.compile(
    rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:[^'\\\r\n]|\\.)*'?|\"(?:[^\"\\\r\n]|\\.)*\"?"
    rb"|^[ \t]*\#(?:[^\\\r\n]|\\\r?\n|\\.)*",
    re.MULTILINE,
)
_BRACE: Final = re.compile(rb"\{|(^)?\}", re.MULTILINE)
_BRACES: Final = b"$"
"""Replaces braces and the text between them; `$` is in no token of OpenCL C."""
_PARENTHESES: Final = re.compile(rb"\([^();]*\)")
_IN_PARENTHESES: Final = b"@"
"""Replaces parentheses and the text between them."""
_MAXIMUM_NESTING: Final = 8
"""Maximum nesting of parentheses outside of braces; text in deeper ones is taken for declarations."""
_BODY: Final = re.compile(rb"@\s*\$")
_ATTRIBUTE: Final = re.compile(rb"\b__attribute(?:__)?\s*@")
_TAG_WITH_BODY: Final = re.compile(rb"\b(?:struct|union|enum)\b[^;$]{0,80}\$")
_DECLARATOR: Final = re.compile(rb"(.*?)\b([A-Za-z_]\w*)\b ?(@?) ?(?:[\[=]|\Z)")
_NO_TYPES: Final = frozenset((b"", b"struct", b"union", b"enum"))
"""The text before a name that does not declare a variable or function"""


def extract_defined_names(data: bytes) -> frozenset[str]:
    """Returns the names that OpenCL C text defines at program scope, in active and inactive branches.

    These are macros, types, functions, variables and enumerators. The result may contain further names, such as
    the keyword `if`.
    """
    found = {match[1] for pattern in (_MACRO, _TYPE, _FUNCTION) for match in pattern.finditer(data)}
    code = _NOT_CODE.sub(b" ", data)
    for match in _ENUMERATION.finditer(code) if b"enum" in code else ():
        found.update(each[1] for each in _ENUMERATOR.finditer(match[1]))
    found.update(_declared_names(_outside_braces(code)))
    return frozenset(name.decode("ascii", "replace") for name in found)


def _outside_braces(code: bytes) -> bytes:
    """Returns the code with `_BRACES` for each pair of braces and its content.

    A closing brace in the first column ends all open braces, because the two branches of a conditional
    directive may open a brace that only one of them closes.
    """
    pieces: list[bytes] = []
    depth = begin = 0
    for match in _BRACE.finditer(code):
        if depth == 0:
            pieces.append(code[begin : match.start()])
        if match[0] == b"{":
            depth += 1
            continue
        depth = 0 if match[1] is not None else max(depth - 1, 0)
        if depth == 0:
            pieces.append(_BRACES)
            begin = match.end()
    if depth == 0:
        pieces.append(code[begin:])
    return b"".join(pieces)


def _declared_names(code: bytes) -> Iterator[bytes]:
    """Yields the variables and functions that are declared in the text outside of braces."""
    for _ in range(_MAXIMUM_NESTING):
        code, count = _PARENTHESES.subn(_IN_PARENTHESES, code)
        if not count:
            break
    code = _TAG_WITH_BODY.sub(b"struct ", _BODY.sub(b";", _ATTRIBUTE.sub(b" ", code)))
    for declaration in code.split(b";"):
        # A parenthesis without a partner belongs to a macro or raw string that contains the whole program.
        text = b" ".join(declaration.rpartition(b"(")[2].rpartition(b")")[2].split())
        if text.startswith(b"typedef"):
            continue
        for number, declarator in enumerate(text.split(b",")):
            match = _DECLARATOR.match(declarator)
            # `float NAME(f);`: a name in capitals is that of a macro, which forms the name of a function.
            if (
                match is not None
                and (number or match[1].strip() not in _NO_TYPES)
                and not (match[3] and match[2].isupper())
            ):
                yield match[2]
