"""Macros whose value a missing header may change.

They depend on a condition that the header may decide otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.source.lexer import IDENTIFIER, lex_spelling
from openclsp.source.macros import Macro, MacroTable, define

_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*\#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\(?)((?:[^\\\r\n]|\\\r?\n|\\.)*)", re.MULTILINE
)


def unsettled_macros(
    before: Mapping[bytes, Macro | None],
    table: MacroTable,
    left_out: Iterable[bytes],
    condition_names: frozenset[bytes],
) -> Iterator[Macro]:
    """Yields the macros to define as themselves after a doubtful condition.

    That makes them unknown in text. `before` maps each name that the text has redefined to its former
    definition. `left_out`: the branches not read. `condition_names`: the names in the condition. A macro that
    is a number in every branch keeps its value, since no address space, type or syntax can depend on it.
    """
    hidden: dict[bytes, bool] = {}
    for text in left_out:
        for match in _DIRECTIVE.finditer(text):
            is_numeric = match[1] == b"define" and not match[3] and _is_number(match[4])
            hidden[match[2]] = hidden.get(match[2], True) and is_numeric
    for name in before.keys() | hidden.keys():
        now = table.get(name)
        if now is None and name not in hidden and before.get(name) is None:
            continue
        if hidden.get(name, True) and (now is None or _is_number(now.text[len(name) :].encode())):
            continue
        if is_builtin_function_name(name.decode("utf-8", "replace")):
            continue
        spelled = name.decode("utf-8", "replace")
        itself = define(spelled, spelled)
        if isinstance(itself, Macro):
            # `#ifndef NAME`, `#define NAME value`: it certainly has a value
            sure = name in condition_names and now is not None
            yield replace(itself, unsettled=True, default=sure)


def _is_number(value: bytes) -> bool:
    """Whether a replacement list has tokens but no identifier."""
    tokens = lex_spelling(value)
    return bool(tokens) and all(token[0] != IDENTIFIER for token in tokens)


def is_include_guard(
    condition_names: frozenset[bytes], before: Mapping[bytes, Macro | None], table: MacroTable
) -> bool:
    """Whether a condition without alternatives is an include guard or sets a default value.

    It is one if it reads exactly one name, and the branch defines that name without any identifier in the
    replacement list.
    """
    if len(condition_names) != 1 or not condition_names <= before.keys():
        return False
    macro = table.get(next(iter(condition_names)))
    if macro is None or macro.parameters is not None:
        return False
    return all(token[0] != IDENTIFIER for token in macro.body)
