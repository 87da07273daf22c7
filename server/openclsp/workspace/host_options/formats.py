"""Evaluates formatted text: printf formats, brace formats and Python's f-strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openclsp.workspace.host_options.values import Path, Piece, Place, Value, joined, known, text_of, unknown

_PRINTF: Final = re.compile(
    r"%(?:\((?P<key>\w+)\))?[-+ #0]*(?P<width>\*|[1-9]\d*)?(?:\.(?P<precision>\*|\d+))?"
    r"(?:hh|h|ll|l|j|z|t|L|I64|q)?(?P<type>[diouxXeEfFgGaAcspnr%v])"
)
_BEGUN: Final = re.compile(r"(?<!%)%[-+ #0]*(?:[1-9]\d*)?(?:\.\d*)?\Z")
"""Matches an incomplete conversion at the end of a literal"""
_BRACES: Final = re.compile(r"\{\{|\}\}|\{(?P<field>[^{}!:]*)(?:![rsa])?(?::[^{}]*)?\}")


def printf(
    template: Value, arguments: Sequence[Value] | Mapping[str, Value], place: Place, path: Path = ()
) -> Value:
    """Evaluates a printf format, or Python's `%` operator.

    A macro such as `PRIu64` completes a conversion that the preceding literal begins. Any other unknown piece
    may contain conversions, so that the arguments for the rest of the template are unknown.
    """
    taken = 0
    lost = False

    def one(match: re.Match[str]) -> Value:
        nonlocal taken
        if match["type"] == "%":
            return known("%", place, path)
        if isinstance(arguments, Mapping):
            return arguments.get(match["key"] or "", unknown(place, path))
        if lost:
            return unknown(place, path)
        taken += (match["width"] == "*") + (match["precision"] == "*")
        plain = match["width"] is None and match["precision"] is None
        argument = arguments[taken] if taken < len(arguments) else None
        taken += 1
        if argument is None or not plain or match["type"] not in "disuv":
            return unknown(place, path)
        text = text_of(argument)
        if match["type"] != "s" and match["type"] != "v" and (text is None or not _is_number(text)):
            return unknown(place, path)
        return argument

    parts: list[Value] = []
    begun = False
    for piece in _merged(template):
        if piece.text is None:
            taken += begun
            lost = lost or not begun
            begun = False
            parts.append((piece,))
            continue
        begins = _BEGUN.search(piece.text)
        begun = begins is not None
        kept = piece if begins is None else piece._replace(text=piece.text[: begins.start()])
        parts.append(_filled((kept,), _PRINTF, one))
    return joined(parts)


def _merged(template: Value) -> Value:
    """Joins adjacent known pieces with the same path condition, because a conversion may span pieces."""
    pieces: list[Piece] = []
    for piece in template:
        last = pieces[-1] if pieces else None
        if last is not None and last.text is not None and piece.text is not None and last.path == piece.path:
            pieces[-1] = last._replace(text=last.text + piece.text)
        else:
            pieces.append(piece)
    return tuple(pieces)


def braces(
    template: Value, positional: Sequence[Value], named: Mapping[str, Value], place: Place, path: Path = ()
) -> Value:
    """Evaluates `format` of Python, Rust and C++."""
    taken = 0

    def one(match: re.Match[str]) -> Value:
        nonlocal taken
        if match[0] in ("{{", "}}"):
            return known(match[0][0], place, path)
        field = match["field"].strip()
        if not field:
            taken += 1
            field = str(taken - 1)
        if field.isdigit():
            return positional[int(field)] if int(field) < len(positional) else unknown(place, path)
        return named.get(field, unknown(place, path))

    return _filled(template, _BRACES, one)


def formatted(text: str, place: Place, path: Path, evaluate: Callable[[str], Value]) -> Value:
    """Evaluates an f-string; `evaluate` evaluates the expressions in it."""

    def one(match: re.Match[str]) -> Value:
        if match[0] in ("{{", "}}"):
            return known(match[0][0], place, path)
        expression = (match["field"] or "").rstrip()
        # A format specification or conversion changes the text of the value.
        if ":" in match[0] or "!" in match[0]:
            return unknown(place, path)
        return evaluate(expression.removesuffix("="))

    return _filled(known(text, place, path), _BRACES, one)


def _filled(template: Value, pattern: re.Pattern[str], one: Callable[[re.Match[str]], Value]) -> Value:
    parts: list[Value] = []
    for piece in template:
        if piece.text is None:
            parts.append((piece,))
            continue
        at = 0
        for match in pattern.finditer(piece.text):
            parts += [_part(piece, at, match.start()), one(match)]
            at = match.end()
        parts.append(_part(piece, at, len(piece.text)))
    return joined(parts)


def _part(piece: Piece, start: int, end: int) -> Value:
    text = (piece.text or "")[start:end]
    return (piece._replace(text=text),) if text else ()


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?(?:0[xX][0-9A-Fa-f]+|\d+)", text) is not None
