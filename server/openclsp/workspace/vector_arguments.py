"""Recognises calls whose first argument is a vector, from the tokens around them."""

from __future__ import annotations

import re
import string
from typing import Final

from openclsp.language.builtin_types import BUILTIN_TYPES, TypeCategory

_ARGUMENT_LENGTH: Final = 200
"""Bytes from the `(` of a call within which its first argument ends"""
_DECLARATOR_LENGTH: Final = 60
"""Bytes before a variable's name within which its type is searched"""
_MAXIMUM_OCCURRENCES: Final = 200
"""Occurrences of a variable's name before a call among which its declaration is searched"""
_FIRST_ARGUMENT: Final = re.compile(
    rb"\s*\(\s*(?:\(\s*(?P<cast>\w+)\s*\)\s*(?:\((?:[^()]|\([^()]*\))*\)|\w+)"
    rb"|(?P<name>[A-Za-z_]\w*)(?:\s*(?P<subscript>\[[^\[\]]*\]))?)\s*,"
)
_WORD_CHARACTERS: Final = (string.ascii_letters + string.digits + "_").encode()
_QUALIFIERS: Final = frozenset((b"const", b"restrict", b"volatile", b"__restrict"))
_NO_TYPE: Final = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof"))
_VECTORS: Final = frozenset(
    name.encode() for name, each in BUILTIN_TYPES.items() if each.category is TypeCategory.VECTOR
)
_TYPES: Final = frozenset(name.encode() for name in BUILTIN_TYPES)


def first_argument_is_vector(code: bytes, at: int) -> bool:
    """Whether the arguments of the call whose `(` is at `at` evidently begin with a vector.

    The argument must be a cast, or a variable with a built-in type that the same function declares, or an element
    of one. `code` contains neither comments nor literals.
    """
    argument = _FIRST_ARGUMENT.match(code, at, at + _ARGUMENT_LENGTH)
    if argument is None:
        return False
    if argument["cast"] is not None:
        return argument["cast"] in _VECTORS
    # A function ends at a `}` in the first column; if it does not, declarations of earlier functions count too.
    start = code.rfind(b"\n}", 0, at) + 1
    return _has_vectors(code, argument["name"], start, at, is_element=argument["subscript"] is not None)


def _has_vectors(code: bytes, name: bytes, start: int, end: int, *, is_element: bool) -> bool:
    """Whether the last declaration of the variable `name` before `end` makes it, or its elements, vectors."""
    at = end
    for _ in range(_MAXIMUM_OCCURRENCES):
        at = code.rfind(name, start, at)
        if at < 0:
            break
        after = at + len(name)
        if _is_word_character(code[at - 1 : at]) or _is_word_character(code[after : after + 1]):
            continue
        words = code[max(start, at - _DECLARATOR_LENGTH) : at].replace(b"*", b" * ").split()
        stars = 0
        while words and (words[-1] == b"*" or words[-1] in _QUALIFIERS):
            stars += words.pop() == b"*"
        last = words[-1] if words else b""
        type_name = last[len(last.rstrip(_WORD_CHARACTERS)) :]
        if not type_name or type_name in _NO_TYPE:
            continue
        if type_name in _TYPES:
            is_array = code[after : after + _DECLARATOR_LENGTH].lstrip().startswith(b"[")
            return type_name in _VECTORS and stars + is_array == is_element
        if not stars:
            return False  # a declaration with another type; after a `*`, it may be a product
    return False


def _is_word_character(character: bytes) -> bool:
    return character.isalnum() or character == b"_"
