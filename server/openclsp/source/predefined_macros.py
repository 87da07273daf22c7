"""Macros that are defined before the first line: built-in ones such as `__LINE__`, and predefined ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.lexer import NUMBER, Token
from openclsp.source.macros import Macro, MacroTable, Special, define

SPECIAL_MACROS: Final[Mapping[bytes, Macro]] = {
    name: Macro(name, parameters, False, (), special=special)
    for name, parameters, special in (
        (b"__LINE__", None, Special.LINE),
        (b"__FILE__", None, Special.FILE),
        (b"__BASE_FILE__", None, Special.FILE),
        (b"__COUNTER__", None, Special.COUNTER),
        (b"__INCLUDE_LEVEL__", None, Special.INCLUDE_LEVEL),
        (b"__DATE__", None, Special.DATE),
        (b"__TIME__", None, Special.DATE),
        (b"__TIMESTAMP__", None, Special.DATE),
        (b"_Pragma", (b"text",), Special.PRAGMA),
        (b"__has_attribute", (b"name",), Special.HAS),
        (b"__has_extension", (b"name",), Special.HAS),
        (b"__has_feature", (b"name",), Special.HAS),
        (b"__has_builtin", (b"name",), Special.HAS),
        (b"__has_include", (b"name",), Special.HAS_INCLUDE),
        (b"__has_include_next", (b"name",), Special.HAS_INCLUDE),
    )
}


@dataclass(frozen=True, slots=True, eq=False)
class PredefinedTable:
    """The parsed macros of a mapping; there is one table for each mapping object."""

    source: Mapping[str, str]
    macros: Mapping[bytes, Macro]


_TABLES: dict[int, PredefinedTable] = {}


def predefined_table(source: Mapping[str, str]) -> PredefinedTable:
    """Returns the parsed macros of `source`, together with the built-in macros.

    The result is cached by the identity of `source`, which must not be changed.
    """
    table = _TABLES.get(id(source))
    if table is None or table.source is not source:
        macros: MacroTable = dict(SPECIAL_MACROS)
        for name, value in source.items():
            macro = define(name, value)
            if isinstance(macro, Macro):
                macros[macro.name] = macro
        table = PredefinedTable(source, macros)
        if len(_TABLES) >= 64:
            _TABLES.clear()
        _TABLES[id(source)] = table
    return table


def number(value: int) -> Token:
    """Creates the pp-number token for `value`."""
    return (NUMBER, str(value).encode(), 0, None)
