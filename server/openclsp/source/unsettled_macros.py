"""Macros whose value a missing header may change.

Such a macro is defined in a branch of a conditional, and the header may affect which branch is selected.
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
    *,
    selected: bool,
) -> Iterator[Macro]:
    """Yields a definition of each macro whose value a conditional leaves unknown.

    A missing header may affect which branch of the conditional is selected. The definition replaces the macro
    by its own name.

    - `before`: the former definition of each name that the conditional has redefined.
    - `left_out`: the text of the inactive branches.
    - `condition_names`: the undefined names in the conditions.
    - `selected`: whether a branch of the conditional is selected. Then a macro that only other branches define is
      `absent`: at most one branch defines its macros.

    A macro that is a number in every branch keeps its value, because no address space, type or syntax can
    depend on it.
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
        former = before.get(name)
        has_other_value = former is not None and former.absent
        is_number = now is None or _is_number(now.text[len(name) :].encode())
        if hidden.get(name, True) and is_number and not has_other_value:
            continue
        if is_builtin_function_name(name.decode("utf-8", "replace")):
            continue
        spelled = name.decode("utf-8", "replace")
        itself = define(spelled, spelled)
        if isinstance(itself, Macro):
            absent = selected if now is None else now.absent
            # `#ifndef NAME`, `#define NAME value`: it certainly has a value
            sure = name in condition_names and now is not None and not now.absent
            yield replace(itself, unsettled=True, default=sure, absent=absent)


def _is_number(value: bytes) -> bool:
    """Whether a replacement list has tokens, none of which is an identifier."""
    tokens = lex_spelling(value)
    return bool(tokens) and all(token[0] != IDENTIFIER for token in tokens)


def is_include_guard(
    condition_names: frozenset[bytes], before: Mapping[bytes, Macro | None], table: MacroTable
) -> bool:
    """Whether a conditional with one branch is an include guard or defines a default value.

    That is so if its condition contains exactly one undefined name, and the branch defines this name as a
    macro whose replacement list has no identifiers. It is no default if a branch of an earlier conditional
    defines the macro.
    """
    if len(condition_names) != 1 or not condition_names <= before.keys():
        return False
    name = next(iter(condition_names))
    macro, former = table.get(name), before[name]
    if macro is None or macro.parameters is not None or (former is not None and former.absent):
        return False
    return all(token[0] != IDENTIFIER for token in macro.body)
