"""The names that the text of an OpenCL file defines at program scope, found by patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.generated_names import Call, extract_macro_calls
from openclsp.host_options.program_scope import outside_braces, without_comments_and_directives

_MACRO: Final = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")
_RENAMING: Final = re.compile(rb"#[ \t]*define[ \t]+[A-Za-z_]\w*[ \t]+([A-Za-z_]\w*)[ \t]*(?=[\r\n]|\Z)")
"""A macro that replaces one name by another: what a file declares by the first name is then declared by the second."""
_TYPEDEF: Final = re.compile(rb"typedef\s[^;{}()]{1,200}?\s\*?([A-Za-z_]\w*)\s*(?:\[[^;{}()]{0,80}\]\s*)?;")
_NAME_AFTER_BODY: Final = re.compile(rb"\}\s*([A-Za-z_]\w*)\s*;")
_REVERSED_FUNCTION: Final = re.compile(rb"\{\s*\)[^;{}()]{0,600}\(\s*(\w*[A-Za-z_])(?!\w)")
"""A function's name, parameters and brace in text that is reversed byte by byte.

`re` finds a pattern's first byte several times as fast if it is a literal, and there are fewer braces than names.
"""
_ENUMERATION: Final = re.compile(rb"\benum\b[^{};]{0,80}\{([^{}]{0,8000})\}")
_ENUMERATOR: Final = re.compile(rb"(?:\A|,)\s*([A-Za-z_]\w*)")
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


@dataclass(frozen=True, slots=True)
class FileDefinitions:
    """The names that an OpenCL file defines at program scope, and the macro calls that may declare further ones."""

    names: frozenset[str]
    calls: tuple[Call, ...]


def extract_definitions(data: bytes) -> FileDefinitions:
    """Extracts what OpenCL C text defines at program scope, in active and inactive branches.

    The names are those of macros, types, functions, variables and enumerators. Because the text is not
    parsed, the result may contain other words, such as the keyword `if`.
    """
    found = {
        name for pattern in (_MACRO, _RENAMING, _TYPEDEF, _NAME_AFTER_BODY) for name in pattern.findall(data)
    }
    found.update(name[::-1] for name in _REVERSED_FUNCTION.findall(data[::-1]))
    code = without_comments_and_directives(data)
    for match in _ENUMERATION.finditer(code) if b"enum" in code else ():
        found.update(each[1] for each in _ENUMERATOR.finditer(match[1]))
    code = outside_braces(code)
    found.update(_declared_names(code))
    names = frozenset(name.decode("ascii", "replace") for name in found)
    return FileDefinitions(names, extract_macro_calls(code))


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
