"""The parser for expanded text, with small integers as node kinds.

tree-sitter has two symbol numbers for some named kinds (such as `call_expression`); `KIND_OF_SYMBOL` maps
both to one kind. Unnamed tokens have the kind `TOKEN`.
"""

from __future__ import annotations

import re

from tree_sitter import Language, Node, Parser, Tree

from openclsp import _grammar

LANGUAGE = Language(_grammar.language())

TOKEN = 0
_names: list[str] = ["token"]
_numbers: dict[str, int] = {}


def kind(name: str) -> int:
    """Returns the number of a named node kind; it is stable within a process and usable as an index."""
    number = _numbers.get(name)
    if number is None:
        number = _numbers[name] = len(_names)
        _names.append(name)
    return number


def kind_name(number: int) -> str:
    """Returns the name of a node kind in the grammar."""
    return _names[number]


ERROR = kind("ERROR")
COMMENT = kind("comment")
ERROR_SYMBOL = 65535


def _kind_of_symbols() -> list[int]:
    table = []
    for symbol in range(LANGUAGE.node_kind_count):
        name = LANGUAGE.node_kind_for_id(symbol)
        named = name is not None and LANGUAGE.node_kind_is_named(symbol)
        table.append(kind(name) if named and name is not None else TOKEN)
    return table


KIND_OF_SYMBOL = _kind_of_symbols()
KIND_COUNT = len(_names)

_MARK = re.compile(r"[-+*/%&|^~!<>=?:;,.(){}\[\]]+")


def _mark_of_symbols() -> list[bytes | None]:
    table: list[bytes | None] = []
    for symbol in range(LANGUAGE.node_kind_count):
        name = LANGUAGE.node_kind_for_id(symbol) or ""
        is_mark = not LANGUAGE.node_kind_is_named(symbol) and _MARK.fullmatch(name) is not None
        table.append(name.encode() if is_mark else None)
    return table


MARK_OF_SYMBOL = _mark_of_symbols()
"""The spelling of each punctuation symbol, which has no children; None for all other symbols"""


def kind_of(node: Node) -> int:
    """Returns the kind number of a node."""
    symbol = node.kind_id
    return ERROR if symbol == ERROR_SYMBOL else KIND_OF_SYMBOL[symbol]


def _field_numbers() -> dict[str, int]:
    names = {number: LANGUAGE.field_name_for_id(number) for number in range(1, LANGUAGE.field_count + 1)}
    return {name: number for number, name in names.items() if name is not None}


FIELDS = _field_numbers()
"""Field name to field number; 0 is no field"""

_PARSER = Parser(LANGUAGE)
_NOT_TEXT = 64


_TEXT = bytes(range(0x20, 0x7F)) + b"\t\n\v\f\r"


_QUIET = re.compile(rb'"[^"\\\n]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""Strings and comments: one token each, whatever their bytes."""


def is_text(data: bytes) -> bool:
    """Whether at most a quarter of the bytes are binary; parsing other data takes seconds of error recovery.

    Closed comments and strings do not count, because they may be in any language and encoding.
    """
    if 4 * len(data.translate(None, _TEXT)) <= len(data):
        return True
    code = _QUIET.sub(_unclosed_comment, data)
    return 4 * len(code.translate(None, _TEXT)) <= len(code)


def _unclosed_comment(match: re.Match[bytes]) -> bytes:
    """Returns the replacement of a comment or string: itself if it is an unclosed comment, else nothing."""
    found = match[0]
    return found if found.startswith(b"/*") and not found.endswith(b"*/") else b""


def parse(text: bytes) -> Tree:
    """Parses a text, or only its first 64 bytes if it is binary."""
    return _PARSER.parse(text if is_text(text) else text[:_NOT_TEXT])
