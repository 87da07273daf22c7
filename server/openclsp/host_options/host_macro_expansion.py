"""Expands macros of the host's preprocessor, including `#` and `##` (C99 6.10.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from openclsp.host_options.host_lexer import (
    GROUPS,
    NAME,
    NUMBER,
    PUNCTUATOR,
    STRING,
    HostMacro,
    HostToken,
    HostTokens,
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


class HostMacroExpander:
    """Expands calls of function-like macros; `macros` contains all macros that are visible in the file."""

    def __init__(self, macros: Mapping[str, HostMacro]) -> None:
        self.macros = macros

    def substitute_arguments(
        self, macro: HostMacro, arguments: Sequence[HostTokens], *, nested: bool
    ) -> HostTokens:
        """Substitutes the arguments for the parameters in the macro's body.

        `nested`: whether the call is in the body of another macro. In this case, names in the arguments may
        be macros of another file, so the result of `#` on such a name is unknown.
        """
        names = {name: index for index, name in enumerate(macro.parameters or ())}
        result: list[HostToken] = []
        body = macro.body
        at = 0
        while at < len(body):
            token = body[at]
            operand = body[at + 1] if at + 1 < len(body) else None
            if _is_hash(token) and operand is not None and _is_hash(operand):
                at += 2
                if at < len(body) and result:
                    result[-1:] = _paste_tokens(
                        result[-1], self._unexpanded_operand(body[at], names, arguments)
                    )
                at += 1
            elif _is_hash(token):
                if operand is not None:
                    result.append(
                        _stringize_tokens(
                            self._unexpanded_operand(operand, names, arguments), token.offset, nested
                        )
                    )
                at += 2
            else:
                pasted = at + 2 < len(body) and _is_hash(body[at + 1]) and _is_hash(body[at + 2])
                if token.items:
                    # A group is substituted like a body of its own: `##` never pastes across its bracket.
                    inner = HostMacro(macro.name, macro.parameters, token.items)
                    result.append(
                        token._replace(items=self.substitute_arguments(inner, arguments, nested=nested))
                    )
                elif pasted:
                    result += self._unexpanded_operand(token, names, arguments)
                elif token.kind == NAME and 0 <= names.get(token.text, -1) < len(arguments):
                    result += self._expand_object_macros(arguments[names[token.text]], ())
                else:
                    result.append(token)
                at += 1
            if len(result) > MAXIMUM_TOKENS:
                return (_unknown(body[0].offset),)
        return tuple(result)

    def _unexpanded_operand(
        self, token: HostToken, names: Mapping[str, int], arguments: Sequence[HostTokens]
    ) -> HostTokens:
        """Returns the operand of `#` or `##`: for a parameter, the unexpanded argument (C99 6.10.3.1)."""
        index = names.get(token.text, -1) if token.kind == NAME else -1
        return arguments[index] if 0 <= index < len(arguments) else (token,)

    def _expand_object_macros(self, tokens: HostTokens, within: tuple[str, ...]) -> HostTokens:
        """Expands the object-like macros among the tokens, except the macros named in `within`.

        `within` contains the macros whose bodies are being expanded, so that recursion stops.
        """
        result: list[HostToken] = []
        for token in tokens:
            macro = self.macros.get(token.text) if token.kind == NAME else None
            if macro is not None and macro.parameters is None and macro.name not in within:
                deep = len(within) >= MAXIMUM_DEPTH or len(result) > MAXIMUM_TOKENS
                body = () if deep else self._expand_object_macros(macro.body, (*within, macro.name))
                result += (_unknown(token.offset),) if deep else body
            elif token.items:
                result.append(token._replace(items=self._expand_object_macros(token.items, within)))
            else:
                result.append(token)
        return tuple(result)


def index_macros(macros: Sequence[HostMacro]) -> dict[str, HostMacro]:
    """Indexes macros by name; an object-like macro with different definitions gets an unknown value."""
    found: dict[str, HostMacro] = {}
    for macro in macros:
        before = found.setdefault(macro.name, macro)
        if before is not macro and macro.parameters is None and _texts(before.body) != _texts(macro.body):
            found[macro.name] = HostMacro(macro.name, None, (_unknown(0),))
    return found


def _texts(tokens: HostTokens) -> list[object]:
    return [(token.text, _texts(token.items)) for token in tokens]


def _is_hash(token: HostToken) -> bool:
    return token.kind == PUNCTUATOR and token.text == "#"


def _unknown(offset: int) -> HostToken:
    """Creates a name token that denotes nothing, so that its value is unknown."""
    return HostToken(NAME, "", offset)


def _paste_tokens(left: HostToken, right: HostTokens) -> HostTokens:
    if not right:
        return (left,)
    words = all(token.kind in (NAME, NUMBER) and token.text for token in (left, right[0]))
    if not words:
        return (_unknown(left.offset), *right[1:])
    return (left._replace(text=left.text + right[0].text), *right[1:])


def _stringize_tokens(tokens: HostTokens, offset: int, nested: bool) -> HostToken:
    if nested and not _is_free_of_macros(tokens):
        return _unknown(offset)
    return HostToken(STRING, _spell_tokens(tokens, blanks=not nested), offset)


def _is_free_of_macros(tokens: HostTokens) -> bool:
    """Whether no token can be the name of a macro that another file defines."""
    for token in tokens:
        if not _is_free_of_macros(token.items) or (
            token.kind == NAME and _TYPE.fullmatch(token.text) is None
        ):
            return False
    return True


def _spell_tokens(tokens: HostTokens, *, blanks: bool) -> str:
    """Concatenates the spellings of tokens.

    With `blanks`, a space is inserted where there is white space in the source, according to the tokens'
    offsets. Otherwise, a space is inserted only between two words: the offsets of tokens from macro bodies
    do not show white space.
    """
    text = ""
    end = -1
    for token in tokens:
        spelled = f'"{token.text}"' if token.kind == STRING else token.text
        if token.kind in GROUPS:
            spelled += _spell_tokens(token.items, blanks=blanks) + _CLOSING[token.kind]
        words = _is_word(text[-1:]) and _is_word(spelled[:1])
        text += (" " if words or (blanks and 0 <= end < token.offset) else "") + spelled
        end = token.offset + len(spelled)
    return text


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
