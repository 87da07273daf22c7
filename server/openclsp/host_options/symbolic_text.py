"""Symbolic values of strings in host code.

A symbolic text is a sequence of pieces. Each piece has a path condition, and may be unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from openclsp.host_options.host_lexer import ConditionBranch


PathCondition: TypeAlias = "tuple[ConditionBranch, ...]"
"""A path condition: conditions that hold together, the outermost first."""

MAXIMUM_PIECES: Final = 400
"""Maximum pieces of one value; the rest becomes unknown."""


class HostPlace(NamedTuple):
    """A line (from 1) of a host file."""

    path: str
    line: int


class TextPiece(NamedTuple):
    """A piece of text with its place and path condition.

    If `text` is None, the piece is the value of a parameter of the function, the value of a non-local
    variable, or unknown. `parameter` is the parameter's index from 0, else -1. `nonlocal_variable` is the
    variable's name, else empty. `sources` are the kernel files from which the host computes an unknown piece
    (see `program_sources.py`).
    """

    text: str | None
    place: HostPlace
    path_condition: PathCondition = ()
    parameter: int = -1
    nonlocal_variable: str = ""
    sources: frozenset[str] = frozenset()


SymbolicText: TypeAlias = "tuple[TextPiece, ...]"


def known_text(text: str, place: HostPlace, path: PathCondition = ()) -> SymbolicText:
    """Creates a value with known text."""
    return (TextPiece(text, place, path),)


def unknown_text(
    place: HostPlace, path: PathCondition = (), sources: frozenset[str] = frozenset()
) -> SymbolicText:
    """Creates an unknown value. `sources` are the kernel files from which the host computes it."""
    return (TextPiece(None, place, path, sources=sources),)


def concatenate(values: Iterable[SymbolicText], separator: str = "") -> SymbolicText:
    """Concatenates values, with `separator` between them."""
    pieces: list[TextPiece] = []
    for value in values:
        if separator and pieces and value:
            pieces.append(TextPiece(separator, value[0].place, value[0].path_condition))
        pieces += value
    if len(pieces) > MAXIMUM_PIECES:
        last = pieces[MAXIMUM_PIECES]
        pieces = [*pieces[:MAXIMUM_PIECES], TextPiece(None, last.place)]
    return tuple(pieces)


def add_path_condition(value: SymbolicText, path: PathCondition) -> SymbolicText:
    """Adds the condition `path` to the path condition of each piece of a value."""
    if not path:
        return value
    return tuple(
        piece._replace(path_condition=conjoin_path_conditions(path, piece.path_condition)) for piece in value
    )


def conjoin_path_conditions(first: PathCondition, second: PathCondition) -> PathCondition:
    """Returns the conjunction of two path conditions."""
    return first + tuple(branch for branch in second if branch not in first)


def are_contradictory(first: PathCondition, second: PathCondition) -> bool:
    """Whether two path conditions exclude each other."""
    return any(
        _branches_exclude_each_other(a, b) for a in first for b in second if a.condition == b.condition
    )


def _branches_exclude_each_other(a: ConditionBranch, b: ConditionBranch) -> bool:
    if a.number >= 0 and b.number >= 0:
        return a.number != b.number
    return (a.number == ~b.number) if (a.number >= 0) != (b.number >= 0) else False


def specialise_for_path(value: SymbolicText, path: PathCondition) -> SymbolicText:
    """Simplifies a value for a path on which `path` holds.

    Pieces whose condition contradicts `path` are dropped, as are conditions that `path` implies.
    """
    if not path:
        return value
    return tuple(
        piece._replace(
            path_condition=tuple(branch for branch in piece.path_condition if not _is_implied(branch, path))
        )
        for piece in value
        if not are_contradictory(piece.path_condition, path)
    )


def _is_implied(branch: ConditionBranch, path: PathCondition) -> bool:
    if branch in path:
        return True
    return branch.number < 0 and any(
        other.condition == branch.condition and other.number >= 0 for other in path
    )


def assign_under_condition(old: SymbolicText, new: SymbolicText, path: PathCondition) -> SymbolicText:
    """Returns a variable's value after `new` was assigned under the path condition `path`."""
    if not path:
        return new
    kept: list[TextPiece] = []
    for piece in old:
        missing = [branch for branch in path if branch not in piece.path_condition]
        if not missing or are_contradictory(piece.path_condition, path):
            if missing:
                kept.append(piece)
            continue
        last = missing[-1]
        kept.append(
            piece._replace(path_condition=(*piece.path_condition, last._replace(number=~last.number)))
        )
    return concatenate((tuple(kept), add_path_condition(new, path)))


ELEMENT_SEPARATOR: Final = "\x1f"
"""Separator between the elements of a list."""


def text_if_known(value: SymbolicText) -> str | None:
    """Returns the text of a value if it is known and unconditional, else None."""
    if any(piece.text is None or piece.path_condition for piece in value):
        return None
    return "".join(piece.text or "" for piece in value)


def begins_with_digit(value: SymbolicText) -> bool:
    """Whether the value is known text that begins with a digit, like a number."""
    text = text_if_known(value)
    return text is not None and text[:1].isdigit()


def merge_alternatives(
    values: Sequence[tuple[ConditionBranch, SymbolicText]], place: HostPlace
) -> SymbolicText:
    """Merges the alternative values of a conditional expression.

    Equal alternatives become one value. If each alternative is empty or begins with an option (`-…`), each is
    kept under its condition. Otherwise, the result is unknown.
    """
    if len({tuple(piece.text for piece in value) for _, value in values}) == 1:
        return values[0][1]
    if all(_is_options(value) for _, value in values):
        return concatenate(add_path_condition(value, (branch,)) for branch, value in values)
    return unknown_text(place)


def _is_options(value: SymbolicText) -> bool:
    if not value:
        return True
    text = value[0].text
    return text is not None and (not text.strip() or text.lstrip().startswith("-"))


def substitute_parameters(
    value: SymbolicText, arguments: Sequence[SymbolicText | None], path: PathCondition
) -> SymbolicText:
    """Replaces the parameters in a value by the arguments of a call.

    `path` is the path condition of the call, which is added to the result. A missing argument is unknown.
    """
    pieces: list[SymbolicText] = []
    for piece in value:
        if piece.parameter < 0:
            pieces.append((piece,))
            continue
        argument = arguments[piece.parameter] if piece.parameter < len(arguments) else None
        pieces.append(
            add_path_condition(argument, piece.path_condition)
            if argument is not None
            else unknown_text(piece.place, piece.path_condition)
        )
    return add_path_condition(concatenate(pieces), path) if path else concatenate(pieces)
