"""Evaluates string formatting: printf formats, brace formats and Python's f-strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openclsp.host_options.symbolic_text import (
    HostPlace,
    PathCondition,
    SymbolicText,
    TextPiece,
    concatenate,
    known_text,
    text_if_known,
    unknown_text,
)

_PRINTF: Final = re.compile(
    r"%(?:(?P<boost>[1-9]\d{0,2}%|\|[^|\s]{1,20}\|)|"
    r"(?:(?P<position>[1-9]\d{0,2})\$|\((?P<key>\w+)\))?[-+ #0]*(?P<width>\*|[1-9]\d*)?"
    r"(?:\.(?P<precision>\*|\d+))?(?:hh|h|ll|l|j|z|t|L|I64|q)?(?P<type>[diouxXeEfFgGaAcspnr%v]))"
)
"""Matches a conversion of `printf`, Python's `%` operator or Java's `format` (`%2$s`), or a directive of `boost::format`
(`%2%`, `%|2$s|`)
"""
_PLACE_MARKER: Final = re.compile(r"%L?[1-9]\d?")
_INCOMPLETE_CONVERSION: Final = re.compile(r"%[-+ #0]*(?:[1-9]\d*)?(?:\.\d*)?\Z")
"""Matches an incomplete conversion at the end of a literal, or the end of a complete one (`%%`, `%2%`)"""
_BRACES: Final = re.compile(r"\{\{|\}\}|\{(?P<field>[^{}!:]*)(?:![rsa])?(?::[^{}]*)?\}")

_FORMATTED_FIELD: Final = re.compile(r":[^}]|!")
"""Matches in a field whose format or conversion changes the text of the value"""


def format_printf(
    template: SymbolicText,
    arguments: Sequence[SymbolicText] | Mapping[str, SymbolicText],
    place: HostPlace,
    path: PathCondition = (),
) -> SymbolicText:
    """Evaluates printf formatting, or Python's `%` operator.

    An unknown macro may complete a conversion, as in `"%" PRIu64`. Any other unknown piece may contain
    conversions: it is then unknown which arguments the rest of the template inserts. The arguments of a
    directive of `boost::format` follow the call, each after a `%`; they are unknown.
    """
    taken = 0
    lost = False

    def one(match: re.Match[str]) -> SymbolicText:
        nonlocal taken
        if match["boost"] is not None:
            return unknown_text(place, path)
        if match["type"] == "%":
            return known_text("%", place, path)
        if isinstance(arguments, Mapping):
            return arguments.get(match["key"] or "", unknown_text(place, path))
        if lost:
            return unknown_text(place, path)
        taken += (match["width"] == "*") + (match["precision"] == "*")
        plain = match["width"] is None and match["precision"] is None
        at = taken if match["position"] is None else int(match["position"]) - 1
        argument = arguments[at] if at < len(arguments) else None
        taken += match["position"] is None
        if argument is None or not plain or match["type"] not in "disuv":
            return unknown_text(place, path)
        text = text_if_known(argument)
        if match["type"] != "s" and match["type"] != "v" and (text is None or not _is_number(text)):
            return unknown_text(place, path)
        return argument

    parts: list[SymbolicText] = []
    began = False
    for piece in _merge_adjacent_pieces(template):
        if piece.text is None:
            taken += began
            lost = lost or not began
            began = False
            parts.append((piece,))
            continue
        kept = piece._replace(text=_without_incomplete_conversion(piece.text))
        began = kept.text != piece.text
        parts.append(_substitute_conversions((kept,), _PRINTF, one))
    return concatenate(parts)


def _without_incomplete_conversion(text: str) -> str:
    begins = _INCOMPLETE_CONVERSION.search(text)
    if begins is None or any(match.end() > begins.start() for match in _PRINTF.finditer(text)):
        return text
    return text[: begins.start()]


def _merge_adjacent_pieces(template: SymbolicText) -> SymbolicText:
    """Joins adjacent known pieces with equal path conditions, so that no conversion is divided."""
    pieces: list[TextPiece] = []
    for piece in template:
        last = pieces[-1] if pieces else None
        if (
            last is not None
            and last.text is not None
            and piece.text is not None
            and last.path_condition == piece.path_condition
        ):
            pieces[-1] = last._replace(text=last.text + piece.text)
        else:
            pieces.append(piece)
    return tuple(pieces)


def format_braces(
    template: SymbolicText,
    positional: Sequence[SymbolicText],
    named: Mapping[str, SymbolicText],
    place: HostPlace,
    path: PathCondition = (),
) -> SymbolicText:
    """Evaluates brace formatting, as `format` does in Python, Rust, C++ and C#."""
    taken = 0

    def one(match: re.Match[str]) -> SymbolicText:
        nonlocal taken
        if match[0] in ("{{", "}}"):
            return known_text(match[0][0], place, path)
        field = match["field"].strip()
        if not field:
            taken += 1
            field = str(taken - 1)
        if _FORMATTED_FIELD.search(match[0]) is not None:
            return unknown_text(place, path)
        if field.isdigit():
            return positional[int(field)] if int(field) < len(positional) else unknown_text(place, path)
        return named.get(field, unknown_text(place, path))

    return _substitute_conversions(template, _BRACES, one)


def forget_place_markers(template: SymbolicText, place: HostPlace, path: PathCondition = ()) -> SymbolicText:
    """Replaces the markers of a template of Qt (`%1`, `%L2`) by unknown text."""
    return _substitute_conversions(template, _PLACE_MARKER, lambda _: unknown_text(place, path))


def evaluate_f_string(
    text: str, place: HostPlace, path: PathCondition, evaluate: Callable[[str], SymbolicText]
) -> SymbolicText:
    """Evaluates an f-string; `evaluate` is called for each expression in it."""

    def one(match: re.Match[str]) -> SymbolicText:
        if match[0] in ("{{", "}}"):
            return known_text(match[0][0], place, path)
        expression = (match["field"] or "").rstrip()
        # The field of a template that is no name has an empty format.
        if ":" in match[0] or "!" in match[0]:
            return unknown_text(place, path)
        return evaluate(expression.removesuffix("="))

    return _substitute_conversions(known_text(text, place, path), _BRACES, one)


def _substitute_conversions(
    template: SymbolicText, pattern: re.Pattern[str], one: Callable[[re.Match[str]], SymbolicText]
) -> SymbolicText:
    parts: list[SymbolicText] = []
    for piece in template:
        if piece.text is None:
            parts.append((piece,))
            continue
        at = 0
        for match in pattern.finditer(piece.text):
            parts += [_slice_piece(piece, at, match.start()), one(match)]
            at = match.end()
        parts.append(_slice_piece(piece, at, len(piece.text)))
    return concatenate(parts)


def _slice_piece(piece: TextPiece, start: int, end: int) -> SymbolicText:
    text = (piece.text or "")[start:end]
    return (piece._replace(text=text),) if text else ()


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?(?:0[xX][0-9A-Fa-f]+|\d+)", text) is not None
