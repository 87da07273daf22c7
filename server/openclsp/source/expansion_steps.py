"""Expands a macro call in steps, each of which replaces one macro, to show the expansion to a person.

Arguments are substituted before they are expanded. If the order of expansion matters, the result can differ
from that of the preprocessor, so the caller compares both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openclsp.source.expander import Expander
from openclsp.source.expansion import Expansion, TooLarge
from openclsp.source.lexer import IDENTIFIER, NO_EXPAND, PUNCTUATOR, Token, lex_line
from openclsp.source.macros import Macro, MacroTable, Special, spell

MAXIMUM_STEPS: Final = 200
"""The maximum number of steps"""
MAXIMUM_BYTES: Final = 1 << 16
"""The maximum length of a call, and of the text after a step"""


class ExpansionStep(NamedTuple):
    """A macro that was replaced, and the whole text after the replacement."""

    macro: Macro
    text: bytes


def call_tokens(data: bytes, start: int, macro: Macro) -> list[Token]:
    """Returns the tokens of a macro's use that begins at `start`: its name and any arguments."""
    tokens: list[Token] = []
    at, end = start, min(len(data), start + MAXIMUM_BYTES)
    while at < end:
        line, at = lex_line(data, at)
        tokens += line
        if macro.parameters is None or (len(tokens) > 1 and tokens[1][1] != b"("):
            break
        closing = _closing(tokens, 1)
        if closing >= 0:
            return tokens[: closing + 1]
    return tokens[:1]


def expansion_steps(tokens: Sequence[Token], table: MacroTable) -> list[ExpansionStep]:
    """Returns the steps of the expansion of some tokens, at most MAXIMUM_STEPS."""
    current = list(tokens)
    steps: list[ExpansionStep] = []
    while len(steps) < MAXIMUM_STEPS:
        found = next(
            ((at, macro, end) for at in range(len(current)) for macro, end in _use_at(current, at, table)),
            None,
        )
        if found is None:
            break
        at, macro, end = found
        try:
            replaced = Expander({macro.name: macro}).expand_all(current[at:end], _NoSource(), 0)
        except TooLarge:
            break
        current[at:end] = replaced
        text = spell(current)
        if len(text) > MAXIMUM_BYTES:
            break
        steps.append(ExpansionStep(macro, text))
    return steps


def _use_at(tokens: list[Token], at: int, table: MacroTable) -> list[tuple[Macro, int]]:
    """Finds a use of a macro that begins at the index `at` and can be expanded.

    Returns a list with one pair, the macro and the index after its use; an empty list if there is none.
    """
    kind, text, flags, origin = tokens[at]
    macro = table.get(text) if kind == IDENTIFIER and not flags & NO_EXPAND else None
    if macro is None or macro.special is not None or _is_within(origin, macro):
        return []
    if macro.parameters is None:
        return [(macro, at + 1)]
    closing = _closing(tokens, at + 1)
    return [(macro, closing + 1)] if closing >= 0 else []


def _is_within(origin: object, macro: Macro) -> bool:
    """Whether a token comes from an expansion of `macro`.

    The macro is not replaced again there (C99 6.10.3.4p2).
    """
    while isinstance(origin, Expansion):
        if origin.macro is macro:
            return True
        origin = origin.parent
    return False


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Returns the index of the parenthesis that closes the one at `at`; -1 if there is none."""
    if at >= len(tokens) or tokens[at][1] != b"(":
        return -1
    depth = 0
    for index in range(at, len(tokens)):
        kind, text, _, _ = tokens[index]
        if kind == PUNCTUATOR:
            depth += (text == b"(") - (text == b")")
            if depth == 0:
                return index
    return -1


class _NoSource:
    """A source without tokens. It ignores errors, because the preprocessor reports them."""

    def opens_call(self) -> bool:
        return False

    def next(self) -> Token | None:
        return None

    def consumed(self) -> int:
        return 0

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        return [token]

    def fault(self, code: str, message: str, token: Token) -> None:
        pass
