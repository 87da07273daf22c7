"""Expands macros of the host's preprocessor, including `#` and `##` (C99 6.10.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from openclsp.workspace.host_options.lexing import (
    GROUPS,
    NAME,
    NUMBER,
    PUNCTUATOR,
    STRING,
    Macro,
    Token,
    Tokens,
)

MAXIMUM_DEPTH: Final = 12
"""Maximum depth of nested macros in an argument"""
MAXIMUM_TOKENS: Final = 4_000
"""Maximum tokens of one expansion; a longer one is unknown."""

_TYPE: Final = re.compile(
    r"(?:u?(?:char|short|int|long)|float|double|half)(?:2|3|4|8|16)?|unsigned|signed|const|void|bool|size_t"
)
"""Matches names of types, which hosts do not define as macros"""
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


class MacroCalls:
    """Expands calls of function-like macros; `macros` holds all macros visible in the file."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros

    def body(self, macro: Macro, arguments: Sequence[Tokens], *, nested: bool) -> Tokens:
        """Substitutes the arguments in the macro's body.

        `nested` is true if the call is in another macro's body. Names in its arguments may then come from
        that macro's caller and be macros of another file. The result of `#` on such a name is unknown.
        """
        names = {name: index for index, name in enumerate(macro.parameters or ())}
        result: list[Token] = []
        body = macro.body
        at = 0
        while at < len(body):
            token = body[at]
            operand = body[at + 1] if at + 1 < len(body) else None
            if _is_hash(token) and operand is not None and _is_hash(operand):
                at += 2
                if at < len(body) and result:
                    result[-1:] = _pasted(result[-1], self._raw(body[at], names, arguments))
                at += 1
            elif _is_hash(token):
                if operand is not None:
                    result.append(_stringized(self._raw(operand, names, arguments), token.offset, nested))
                at += 2
            else:
                pasted = at + 2 < len(body) and _is_hash(body[at + 1]) and _is_hash(body[at + 2])
                if token.items:
                    # A group is substituted like a body of its own: `##` never pastes across its bracket.
                    inner = Macro(macro.name, macro.parameters, token.items)
                    result.append(token._replace(items=self.body(inner, arguments, nested=nested)))
                elif pasted:
                    result += self._raw(token, names, arguments)
                elif token.kind == NAME and 0 <= names.get(token.text, -1) < len(arguments):
                    result += self._expanded(arguments[names[token.text]], ())
                else:
                    result.append(token)
                at += 1
            if len(result) > MAXIMUM_TOKENS:
                return (_unknown(body[0].offset),)
        return tuple(result)

    def _raw(self, token: Token, names: Mapping[str, int], arguments: Sequence[Tokens]) -> Tokens:
        """Returns the operand of `#` or `##`: an argument without macro expansion (C99 6.10.3.1)."""
        index = names.get(token.text, -1) if token.kind == NAME else -1
        return arguments[index] if 0 <= index < len(arguments) else (token,)

    def _expanded(self, tokens: Tokens, within: tuple[str, ...]) -> Tokens:
        """Expands the object-like macros among the tokens."""
        result: list[Token] = []
        for token in tokens:
            macro = self.macros.get(token.text) if token.kind == NAME else None
            if macro is not None and macro.parameters is None and macro.name not in within:
                deep = len(within) >= MAXIMUM_DEPTH or len(result) > MAXIMUM_TOKENS
                body = () if deep else self._expanded(macro.body, (*within, macro.name))
                result += (_unknown(token.offset),) if deep else body
            elif token.items:
                result.append(token._replace(items=self._expanded(token.items, within)))
            else:
                result.append(token)
        return tuple(result)


def agreeing(macros: Sequence[Macro]) -> dict[str, Macro]:
    """Indexes macros by name; an object-like macro with several definitions has an unknown value."""
    found: dict[str, Macro] = {}
    for macro in macros:
        before = found.setdefault(macro.name, macro)
        if before is not macro and macro.parameters is None and _texts(before.body) != _texts(macro.body):
            found[macro.name] = Macro(macro.name, None, (_unknown(0),))
    return found


def _texts(tokens: Tokens) -> list[object]:
    return [(token.text, _texts(token.items)) for token in tokens]


def _is_hash(token: Token) -> bool:
    return token.kind == PUNCTUATOR and token.text == "#"


def _unknown(offset: int) -> Token:
    """Creates an undeclared name, whose value is unknown."""
    return Token(NAME, "", offset)


def _pasted(left: Token, right: Tokens) -> Tokens:
    if not right:
        return (left,)
    words = all(token.kind in (NAME, NUMBER) and token.text for token in (left, right[0]))
    if not words:
        return (_unknown(left.offset), *right[1:])
    return (left._replace(text=left.text + right[0].text), *right[1:])


def _stringized(tokens: Tokens, offset: int, nested: bool) -> Token:
    if nested and not _is_plain(tokens):
        return _unknown(offset)
    return Token(STRING, _spelled(tokens, blanks=not nested), offset)


def _is_plain(tokens: Tokens) -> bool:
    """Whether no token can be a macro of another file."""
    for token in tokens:
        if not _is_plain(token.items) or (token.kind == NAME and _TYPE.fullmatch(token.text) is None):
            return False
    return True


def _spelled(tokens: Tokens, *, blanks: bool) -> str:
    """Concatenates the spellings of tokens.

    With `blanks`, a space is inserted where the source had white space; otherwise only between words. Tokens
    from macros have the offsets of other lines, so that offsets do not show white space between them.
    """
    text = ""
    end = -1
    for token in tokens:
        spelled = f'"{token.text}"' if token.kind == STRING else token.text
        if token.kind in GROUPS:
            spelled += _spelled(token.items, blanks=blanks) + _CLOSING[token.kind]
        words = _is_word(text[-1:]) and _is_word(spelled[:1])
        text += (" " if words or (blanks and 0 <= end < token.offset) else "") + spelled
        end = token.offset + len(spelled)
    return text


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
