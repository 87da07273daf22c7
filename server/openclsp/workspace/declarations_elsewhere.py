"""Declarations in other files of a project that concern the functions and variables of one file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from openclsp.source.other_files import SEVERAL_FILES

MAXIMUM_SCANNED_BYTES: Final = 24 * 1024 * 1024
"""Maximum bytes of project files from which declarations are extracted; takes about a second."""

_COMMENT: Final = re.compile(
    rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:[^'\\\r\n]|\\.)'|\"(?:[^\"\\\r\n]|\\.)*\"?"
)
# The patterns begin with a literal, for which `re` has a fast search; `extract_function_names` therefore puts a line
# end before the text.
_DIRECTIVE: Final = re.compile(rb"\n[ \t]*\#(?:[^\\\r\n]|\\\r?\n|\\.)*")
_ATTRIBUTE: Final = re.compile(rb"__attribute(?<!\w__attribute)(?:__)?\s*\(\s*\((?:[^()]|\([^()]*\))*\)\s*\)")
_CONDITIONAL: Final = re.compile(rb"\n[ \t]*\#[ \t]*(?:(if)|endif)")
_FUNCTION: Final = re.compile(
    rb"[;{}] *(?!(?:return|else|goto|case|typedef|do)\b)[A-Za-z_][\w *]*[ *]([A-Za-z_]\w*) *"
    rb"\((?:[^;{}()]|\((?:[^;{}()]|\([^;{}()]*\))*\))*\)(?: *[A-Za-z_]\w*)? *(?=([;{]))"
)
"""Matches, in the output of `_normalise_text`: type words, a name, parameters, and `;` or `{`."""
_EXTERN: Final = re.compile(rb"extern(?<!\wextern)\b([^;{}()]*)(;)?")
_STATIC: Final = re.compile(rb"static(?<!\wstatic)\b")
_SPACES: Final = bytes.maketrans(b"\t\n\r\v\f", b"     ")
_REVERSED_BEFORE_BRACKET: Final = re.compile(rb"\(\s*(\w*[A-Za-z_])(?!\w)")
"""A name before a parenthesis in text that is reversed byte by byte: `re` finds a literal first byte much faster."""
_MACRO: Final = re.compile(rb"\n[ \t]*\#[ \t]*define[ \t]+([A-Za-z_]\w*)\(")
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")


class FunctionNames(NamedTuple):
    """The names of the functions and function-like macros of a file.

    - `defined`: functions that the file defines and that other files can call
    - `declared`: functions that it declares without a body
    - `static`: functions that it defines as `static`
    - `called`: names that are used like functions, as in `f(x)`, also in macro definitions
    - `macros`: its function-like macros
    - `external`: the names in `declared`, and the `extern` variables; without functions that the file defines
      outside all conditional directives, because it calls its own definitions
    """

    defined: frozenset[str]
    declared: frozenset[str]
    static: frozenset[str]
    called: frozenset[str]
    macros: frozenset[str]
    external: frozenset[str]


def extract_function_names(data: bytes) -> FunctionNames:
    """Extracts which functions a text defines, declares and calls, from its tokens."""
    text = b"\n" + strip_comments(data)
    plain = _normalise_text(text)
    defined, declared, static = set(), set(), set()
    headers: Counter[bytes] = Counter()
    for match in _FUNCTION.finditer(plain):
        headers[match[1]] += 1
        if match[2] == b";":
            declared.add(match[1])
        elif _STATIC.search(match[0]) is not None:
            static.add(match[1])
        else:
            defined.add(match[1])
    before_bracket = Counter(_REVERSED_BEFORE_BRACKET.findall(text[::-1]))
    called = {name[::-1] for name, count in before_bracket.items() if count > headers[name[::-1]]}
    macros = {match[1] for match in _MACRO.finditer(text)}
    external = set(declared)
    if not declared.isdisjoint(defined | static):
        external -= {
            match[1]
            for match in _FUNCTION.finditer(_normalise_text(_unconditional_text(text)))
            if match[2] == b"{"
        }
    for match in _EXTERN.finditer(plain):
        if match[2] is not None:
            external.update(_WORD.findall(match[1]))
    return FunctionNames(*map(_decoded, (defined, declared, static, called - macros, macros, external)))


def strip_comments(data: bytes) -> bytes:
    """Replaces the comments and literals of a text by blanks."""
    return _COMMENT.sub(b" ", data)


def _decoded(names: Iterable[bytes]) -> frozenset[str]:
    return frozenset(name.decode("ascii", "replace") for name in names)


def _normalise_text(text: bytes) -> bytes:
    """Removes directives and attributes and makes all white space spaces; the input has no comments."""
    return b";" + _ATTRIBUTE.sub(b" ", _DIRECTIVE.sub(b";", text)).translate(_SPACES)


def _unconditional_text(text: bytes) -> bytes:
    """Returns the text outside all conditional directives."""
    parts: list[bytes] = []
    depth = begin = 0
    for match in _CONDITIONAL.finditer(text):
        if match[1] is not None:
            if not depth:
                parts.append(text[begin : match.start()])
            depth += 1
        else:
            depth = max(depth - 1, 0)
            begin = match.start()
    if not depth:
        parts.append(text[begin:])
    return b"\n" + b"\n".join(parts)


def index_declaring_files(declared: Iterable[tuple[str, frozenset[str]]]) -> dict[str, str]:
    """Maps each declared name to the file that declares it, or to SEVERAL_FILES."""
    found: dict[str, str] = {}
    for path, names in declared:
        for name in names:
            found[name] = path if found.get(name, path) == path else SEVERAL_FILES
    return found
