"""Explains missing diagnostics on a line by an undefined name in its statement.

The decision uses only the tokens of the expanded text and the tables of the language, not the analysis under test,
whose gaps must not excuse anything. A name is accounted for if the language has it, if a macro or an item of the unit
declares it, or if its first use in the function is a declaration whose own words are accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_types import is_builtin_type_name, predeclared_constants
from openclsp.language.keywords import keywords
from openclsp.language.newer_names import NEWER_CONSTANTS
from openclsp.semantics.translation_unit import TranslationUnit

_TOKEN = re.compile(rb"[A-Za-z_]\w*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\.?\d(?:[\w.]|[eEpP][+-])*|->|\S")
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_ENDS = frozenset((";", "{", "}"))
_BEHIND_DECLARED = frozenset((";", "=", ",", ")", "[", "(", ":"))
_NO_TYPES = frozenset(("return", "goto", "case", "else", "sizeof", "do", "vec_step", "__typeof__", "typeof"))
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    row: int


class Excuses:
    """The excuses in one unit's root document."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._main = _tokens(unit.preprocessed.text)
        self._headers = [
            token
            for each in unit.preprocessed.with_included()
            if each is not unit.preprocessed
            for token in _tokens(each.text)
        ]
        self._macros = frozenset(name.decode("utf-8", "replace") for name in unit.preprocessed.macros)
        self._language = keywords(unit.dialect) | predeclared_constants(unit.dialect).keys()

    def excuse(self, line: int) -> str | None:
        """Returns the unknown name, or the guess, that explains a missing diagnostic on a line (from 1); None without one."""
        row = line - 1
        preprocessed = self._unit.preprocessed
        if any(first <= row < last for first, last in preprocessed.inactive):
            text = self._unit.document.text
            guesses = (each for each in preprocessed.guesses if text.line_of(each.start) <= row)
            names = sorted({name.name for each in guesses for name in each.names})
            return f"left out by a condition; guessed: {', '.join(names[-3:]) or 'nothing'}"
        first, last = self._statement(row)
        statement = self._main[first:last]
        if any(token.text == "return" for token in statement):
            function = self._head(first)
            statement = [*self._main[function[0] : function[1]], *statement]
        for at, token in enumerate(statement):
            before = statement[at - 1].text if at else ""
            if _NAME.match(token.text) and before not in (".", "->", "goto"):
                unknown = self._unknown(token.text, first, _DEPTH)
                if unknown is not None:
                    return unknown
        return None

    def _statement(self, row: int) -> tuple[int, int]:
        """Returns the tokens of the statements that overlap a row, and of a declaration that contains them."""
        main = self._main
        inside = [at for at, token in enumerate(main) if token.row == row]
        if not inside:
            return 0, 0
        first, last = inside[0], inside[-1]
        depth = 0
        while first > 0 and (depth > 0 or main[first - 1].text not in _ENDS):
            first -= 1
            depth += (main[first].text == ")") - (main[first].text == "(")
            depth = max(depth, 0)
        while last < len(main) and main[last].text not in _ENDS:
            last += 1
        return first, last

    def _head(self, before: int) -> tuple[int, int]:
        """Returns the range of words before the name of the enclosing function."""
        depth = 0
        at = before
        while at > 0:
            at -= 1
            depth += (self._main[at].text == "}") - (self._main[at].text == "{")
            if depth < 0 and self._main[at - 1].text == ")":
                break
        while at > 0 and self._main[at].text != "(":
            at -= 1
        first = at
        while first > 0 and self._main[first - 1].text not in _ENDS:
            first -= 1
        return first, max(at - 1, first)

    def _unknown(self, name: str, before: int, depth: int) -> str | None:
        """Returns the name, or a name in its declaration, that nothing accounts for; None without one."""
        if self._in_language(name) or depth == 0:
            return None
        words = self._declaration(self._main, name)
        if words is None:
            words = self._declaration(self._headers, name)
        if words is None:
            return None if name in self._macros else name
        for word in words:
            if word != name and _NAME.match(word):
                unknown = self._unknown(word, before, depth - 1)
                if unknown is not None:
                    return unknown if unknown == name else f"{unknown} (of {name})"
        return None

    def _in_language(self, name: str) -> bool:
        return (
            name in self._language
            or is_builtin_function_name(name)
            or is_builtin_type_name(name)
            or name in NEWER_CONSTANTS
            or name.startswith(("__builtin_", "__opencl_"))
            or name in ("true", "false", "NULL", "kernel", "__kernel", "generic", "pipe")
        )

    def _declaration(self, tokens: Sequence[_Token], name: str) -> list[str] | None:
        """Returns the words before a name in its first declaration, and the words in a record's definition.

        None if no use of it is a declaration.
        """
        for at, token in enumerate(tokens):
            if token.text != name or at == 0:
                continue
            before = tokens[at - 1].text
            behind = tokens[at + 1].text if at + 1 < len(tokens) else ""
            if before in ("struct", "union", "enum"):
                return []
            typed = (_NAME.match(before) is not None and before not in _NO_TYPES) or before in ("*", "}")
            listed = before == "," or (before == "{" and behind in (",", "=", "}"))
            if behind not in _BEHIND_DECLARED and not (listed and behind == "}"):
                continue
            if not typed and not listed:
                continue
            words = list(_back(tokens, at))
            if words or listed:
                return words
        return None


def _back(tokens: Sequence[_Token], at: int) -> Iterator[str]:
    """Yields the words of a declaration before the name at `at`."""
    depth = 0
    while at > 0:
        at -= 1
        text = tokens[at].text
        depth += (text in ")]") - (text in "([")
        if depth < 0 or (depth == 0 and text in _ENDS):
            return
        yield text


def _tokens(text: bytes) -> list[_Token]:
    found: list[_Token] = []
    for row, line in enumerate(text.split(b"\n")):
        found += (_Token(match.group().decode("utf-8", "replace"), row) for match in _TOKEN.finditer(line))
    return found
