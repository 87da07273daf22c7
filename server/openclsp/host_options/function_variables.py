"""The values of a host function's variables during interpretation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_code.printing_functions import format_index
from openclsp.host_options.format_strings import format_printf
from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.host_lexer import NAME, PUNCTUATOR, HostToken
from openclsp.host_options.library_functions import APPENDING_METHODS
from openclsp.host_options.symbolic_text import (
    ELEMENT_SEPARATOR,
    HostPlace,
    PathCondition,
    SymbolicText,
    TextPiece,
    add_path_condition,
    assign_under_condition,
    concatenate,
    known_text,
)

_COPYING_FUNCTIONS: Final = frozenset(
    ("strcpy", "strncpy", "strlcpy", "strcat", "strncat", "strlcat", "stpcpy", "strcpy_s", "strcat_s")
)


class FunctionVariables:
    """The values of the variables of one function.

    - `local_names`: the names of its local variables
    - `lists`: whether appending adds an element to a list, as in Python
    """

    def __init__(self, parameters: Sequence[str], start: HostPlace, lists: bool) -> None:
        self._start, self._lists = start, lists
        self.local_names = set(parameters)
        self.values: dict[str, SymbolicText] = {
            parameter: (TextPiece(None, start, (), index),)
            for index, parameter in enumerate(parameters)
            if parameter
        }

    def assign(self, name: str, value: SymbolicText, path: PathCondition, own: bool) -> None:
        """Assigns a value to a variable, under the path condition `path`.

        `own`: the statement may declare the variable; a new variable is then recorded as local.
        """
        if not name:
            return
        if own and name not in self.values:
            self.local_names.add(name)
        self.values[name] = assign_under_condition(self.values.get(name, ()), value, path)

    def append(self, name: str, value: SymbolicText, path: PathCondition) -> None:
        """Appends to a variable's value, under the path condition `path`."""
        if name not in self.values:
            self.values[name] = (TextPiece(None, value[0].place if value else self._start, (), -1, name),)
        self.values[name] = concatenate((self.values[name], add_path_condition(value, path)))

    def apply_writing_call(self, call: HostCall, path: PathCondition) -> SymbolicText | None:
        """Applies a call that writes text into a variable.

        Returns the result of the call; None for a call of any other function.
        """
        at = format_index(call.name)
        if at is not None and len(call.arguments) > at:
            self._apply_printf(call, at, path)
            return ()
        if call.name in _COPYING_FUNCTIONS and len(call.arguments) > 1:
            name = assigned_variable(call.tokens[0])
            # `strcat_s(target, size, text)`
            text = call.arguments[2 if call.name.endswith("_s") and len(call.arguments) > 2 else 1]
            if "cat" in call.name:
                self.append(name, text, path)
            else:
                self.assign(name, text, path, own=False)
            return text
        if call.name in APPENDING_METHODS and call.receiver and call.arguments:
            value = call.arguments[-1]
            if self._lists or call.name not in ("append", "push_str", "concat"):
                value = concatenate((known_text(ELEMENT_SEPARATOR, call.place, path), value))
            self.append(call.receiver, value, path)
            return self.values[call.receiver]
        return None

    def _apply_printf(self, call: HostCall, at: int, path: PathCondition) -> None:
        written = call.tokens[0]
        name = assigned_variable(written)
        value = format_printf(call.arguments[at], call.arguments[at + 1 :], call.place, path)
        if any(token.text == "+" or token.kind == "[" for token in written):
            self.append(name, value, path)
        else:
            self.assign(name, value, path, own=False)


def assigned_variable(tokens: Sequence[HostToken]) -> str:
    """Returns the assigned variable from the left side of an assignment.

    It is the last name outside brackets and before any `+`.
    """
    name = ""
    for token in tokens:
        if token.kind == "(" and not name and len(tokens) > 1:
            continue
        if token.kind == PUNCTUATOR and token.text in ("+", ":"):
            break
        if token.kind == NAME:
            name = token.text
    return name
