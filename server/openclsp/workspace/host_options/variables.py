"""The values of a host function's variables during interpretation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.workspace.host_options.formats import printf
from openclsp.workspace.host_options.functions import Call
from openclsp.workspace.host_options.known_functions import APPENDING
from openclsp.workspace.host_options.lexing import NAME, PUNCTUATOR, Token
from openclsp.workspace.host_options.values import (
    ELEMENT,
    Path,
    Piece,
    Place,
    Value,
    joined,
    known,
    replaced,
    under,
)

_COPYING: Final = frozenset(("strcpy", "strncpy", "strlcpy", "strcat", "strncat", "strlcat", "stpcpy"))
_PRINTING: Final = {
    "sprintf": 1,
    "snprintf": 2,
    "_snprintf": 2,
    "asprintf": 1,
    "vsprintf": 1,
    "sprintf_s": 2,
    "strcat_s": 2,
}
"""Functions that print into a variable, with the index (from 0) of the format argument."""


class Variables:
    """The variables of one function.

    `own` are its local variables. If `lists`, appending adds an element to a list, as in Python.
    """

    def __init__(self, parameters: Sequence[str], start: Place, lists: bool) -> None:
        self._start, self._lists = start, lists
        self.own = set(parameters)
        self.values: dict[str, Value] = {
            parameter: (Piece(None, start, (), index),)
            for index, parameter in enumerate(parameters)
            if parameter
        }

    def set(self, name: str, value: Value, path: Path, own: bool) -> None:
        """Assigns under the path condition `path`; `own` if the statement may declare the variable."""
        if not name:
            return
        if own and name not in self.values:
            self.own.add(name)
        self.values[name] = replaced(self.values.get(name, ()), value, path)

    def append(self, name: str, value: Value, path: Path) -> None:
        """Appends to a variable's value under the path condition `path`."""
        if name not in self.values:
            self.values[name] = (Piece(None, value[0].place if value else self._start, (), -1, name),)
        self.values[name] = joined((self.values[name], under(value, path)))

    def written_by(self, call: Call, path: Path) -> Value | None:
        """Models a call that writes text into a variable; returns its result, or None for any other call."""
        if call.name in _PRINTING and len(call.arguments) > _PRINTING[call.name]:
            self._print(call, _PRINTING[call.name], path)
            return ()
        if call.name in _COPYING and len(call.arguments) > 1:
            name = target(call.tokens[0])
            if "cat" in call.name:
                self.append(name, call.arguments[1], path)
            else:
                self.set(name, call.arguments[1], path, own=False)
            return call.arguments[1]
        if call.name in APPENDING and call.receiver and call.arguments:
            value = call.arguments[-1]
            if self._lists or call.name not in ("append", "push_str", "concat"):
                value = joined((known(ELEMENT, call.place, path), value))
            self.append(call.receiver, value, path)
            return self.values[call.receiver]
        return None

    def _print(self, call: Call, at: int, path: Path) -> None:
        written = call.tokens[0]
        name = target(written)
        if call.name == "strcat_s":
            self.append(name, call.arguments[at], path)
            return
        value = printf(call.arguments[at], call.arguments[at + 1 :], call.place, path)
        if any(token.text == "+" or token.kind == "[" for token in written):
            self.append(name, value, path)
        else:
            self.set(name, value, path, own=False)


def target(tokens: Sequence[Token]) -> str:
    """Returns the variable on an assignment's left side: the last name outside brackets, before any `+`."""
    name = ""
    for token in tokens:
        if token.kind == "(" and not name and len(tokens) > 1:
            continue
        if token.kind == PUNCTUATOR and token.text in ("+", ":"):
            break
        if token.kind == NAME:
            name = token.text
    return name
