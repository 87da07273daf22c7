"""Macros whose value depends on a condition that may be decided otherwise where the missing header is found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from openclsp.language.builtin_functions import in_any_dialect
from openclsp.source.lexer import IDENTIFIER, lex_spelling
from openclsp.source.macros import Macro, MacroTable, define

_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*\#[ \t]*(define|undef)[ \t]+([A-Za-z_]\w*)(\(?)((?:[^\\\r\n]|\\\r?\n|\\.)*)", re.MULTILINE
)


def unsettled_macros(
    before: Mapping[bytes, Macro | None],
    table: MacroTable,
    left_out: Iterable[bytes],
    asked: frozenset[bytes],
) -> Iterator[Macro]:
    """The macros to be defined as themselves behind a doubtful condition, so that they are unknown in text.

    `before` are the names whose meaning the text that was read changed, and what they stood for; `left_out` are the texts
    that were not read, `asked` the names that the condition reads. A macro that is a number in each branch keeps its value: no
    space, type or syntax depends on it.
    """
    hidden: dict[bytes, bool] = {}
    for text in left_out:
        for match in _DIRECTIVE.finditer(text):
            plain = match[1] == b"define" and not match[3] and _is_number(match[4])
            hidden[match[2]] = hidden.get(match[2], True) and plain
    for name in before.keys() | hidden.keys():
        now = table.get(name)
        if now is None and name not in hidden and before.get(name) is None:
            continue
        if hidden.get(name, True) and (now is None or _is_number(now.text[len(name) :].encode())):
            continue
        if in_any_dialect(name.decode("utf-8", "replace")):
            continue
        spelled = name.decode("utf-8", "replace")
        itself = define(spelled, spelled)
        if isinstance(itself, Macro):
            # `#ifndef NAME`, `#define NAME value`: whatever its value is, it has one
            sure = name in asked and now is not None
            yield replace(itself, unsettled=True, default=sure)


def _is_number(value: bytes) -> bool:
    """Whether a replacement list has tokens, and none of them is a name."""
    tokens = lex_spelling(value)
    return bool(tokens) and all(token[0] != IDENTIFIER for token in tokens)


def is_guard(asked: frozenset[bytes], before: Mapping[bytes, Macro | None], table: MacroTable) -> bool:
    """Whether a condition without alternatives asks for one name, which its text defines as nothing or a number: the idiom
    that keeps a text from being read twice, and that of a default value."""
    if len(asked) != 1 or not asked <= before.keys():
        return False
    macro = table.get(next(iter(asked)))
    if macro is None or macro.parameters is not None:
        return False
    return all(token[0] != IDENTIFIER for token in macro.body)
