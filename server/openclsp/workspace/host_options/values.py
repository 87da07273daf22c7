"""Symbolic text of host code: a sequence of pieces, each with a path condition, some unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from openclsp.workspace.host_options.lexing import Branch


Path: TypeAlias = "tuple[Branch, ...]"
"""A path condition: conditions that hold together, the outermost first."""

MAXIMUM_PIECES: Final = 400
"""Maximum pieces of one value; the rest becomes unknown."""


class Place(NamedTuple):
    """A line (from 1) of a host file."""

    path: str
    line: int


class Piece(NamedTuple):
    """A piece of text with its place and path condition.

    If `text` is None, the piece is the value of the function's parameter number `parameter` (from 0), or that
    of the non-local variable `field`, or unknown.
    """

    text: str | None
    place: Place
    path: Path = ()
    parameter: int = -1
    field: str = ""


Value: TypeAlias = "tuple[Piece, ...]"


def known(text: str, place: Place, path: Path = ()) -> Value:
    """Creates a value with known text."""
    return (Piece(text, place, path),)


def unknown(place: Place, path: Path = ()) -> Value:
    """Creates an unknown value."""
    return (Piece(None, place, path),)


def joined(values: Iterable[Value], separator: str = "") -> Value:
    """Concatenates values, with known text between them."""
    pieces: list[Piece] = []
    for value in values:
        if separator and pieces and value:
            pieces.append(Piece(separator, value[0].place, value[0].path))
        pieces += value
    if len(pieces) > MAXIMUM_PIECES:
        last = pieces[MAXIMUM_PIECES]
        pieces = [*pieces[:MAXIMUM_PIECES], Piece(None, last.place)]
    return tuple(pieces)


def under(value: Value, path: Path) -> Value:
    """Adds `path` to the path conditions of the value."""
    if not path:
        return value
    return tuple(piece._replace(path=both(path, piece.path)) for piece in value)


def both(first: Path, second: Path) -> Path:
    """Returns the conjunction of two path conditions."""
    return first + tuple(branch for branch in second if branch not in first)


def contradict(first: Path, second: Path) -> bool:
    """Whether two path conditions exclude each other."""
    return any(_excludes(a, b) for a in first for b in second if a.chain == b.chain)


def _excludes(a: Branch, b: Branch) -> bool:
    if a.number >= 0 and b.number >= 0:
        return a.number != b.number
    return (a.number == ~b.number) if (a.number >= 0) != (b.number >= 0) else False


def seen_from(value: Value, path: Path) -> Value:
    """Simplifies the value for a place where `path` holds: drops impossible pieces and implied conditions."""
    if not path:
        return value
    return tuple(
        piece._replace(path=tuple(branch for branch in piece.path if not _holds(branch, path)))
        for piece in value
        if not contradict(piece.path, path)
    )


def _holds(branch: Branch, path: Path) -> bool:
    if branch in path:
        return True
    return branch.number < 0 and any(other.chain == branch.chain and other.number >= 0 for other in path)


def replaced(old: Value, new: Value, path: Path) -> Value:
    """Returns a variable's value after `new` was assigned under the path condition `path`."""
    if not path:
        return new
    kept: list[Piece] = []
    for piece in old:
        missing = [branch for branch in path if branch not in piece.path]
        if not missing or contradict(piece.path, path):
            if missing:
                kept.append(piece)
            continue
        last = missing[-1]
        kept.append(piece._replace(path=(*piece.path, last._replace(number=~last.number))))
    return joined((tuple(kept), under(new, path)))


ELEMENT: Final = "\x1f"
"""Separator between the elements of a list."""


def text_of(value: Value) -> str | None:
    """Returns the text of a value if it is known and unconditional, else None."""
    if any(piece.text is None or piece.path for piece in value):
        return None
    return "".join(piece.text or "" for piece in value)


def alternatives(values: Sequence[tuple[Branch, Value]], place: Place) -> Value:
    """Merges the alternatives of a conditional expression.

    Alternatives that are whole options keep their conditions; a part of an option becomes unknown.
    """
    if len({tuple(piece.text for piece in value) for _, value in values}) == 1:
        return values[0][1]
    if all(_is_options(value) for _, value in values):
        return joined(under(value, (branch,)) for branch, value in values)
    return unknown(place)


def _is_options(value: Value) -> bool:
    if not value:
        return True
    text = value[0].text
    return text is not None and (not text.strip() or text.lstrip().startswith("-"))


def substituted(value: Value, arguments: Sequence[Value | None], path: Path) -> Value:
    """Replaces the parameters in a value by the arguments of a call."""
    pieces: list[Value] = []
    for piece in value:
        if piece.parameter < 0:
            pieces.append((piece,))
            continue
        argument = arguments[piece.parameter] if piece.parameter < len(arguments) else None
        pieces.append(
            under(argument, piece.path) if argument is not None else unknown(piece.place, piece.path)
        )
    return under(joined(pieces), path) if path else joined(pieces)
