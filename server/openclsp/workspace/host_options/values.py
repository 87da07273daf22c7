"""Text that host code puts together: pieces, each known or not, each under the conditions of its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from openclsp.workspace.host_options.lexing import Branch


Path: TypeAlias = "tuple[Branch, ...]"
"""Conditions that hold together, the outermost first."""

MAXIMUM_PIECES: Final = 400
"""Of one value; what comes after them is unknown."""


class Place(NamedTuple):
    """A line, from 1, of a host file."""

    path: str
    line: int


class Piece(NamedTuple):
    """A stretch of text. Where `text` is None it is what the function's `parameter` of that number brings, or what the
    variable `field` that other functions set holds, or not known at all."""

    text: str | None
    place: Place
    path: Path = ()
    parameter: int = -1
    field: str = ""


Value: TypeAlias = "tuple[Piece, ...]"


def known(text: str, place: Place, path: Path = ()) -> Value:
    """A value that is text."""
    return (Piece(text, place, path),)


def unknown(place: Place, path: Path = ()) -> Value:
    """A value of which nothing is known."""
    return (Piece(None, place, path),)


def joined(values: Iterable[Value], separator: str = "") -> Value:
    """Values one after the other, with known text between them."""
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
    """The value where all of `path` holds too."""
    if not path:
        return value
    return tuple(piece._replace(path=both(path, piece.path)) for piece in value)


def both(first: Path, second: Path) -> Path:
    """The conditions of both."""
    return first + tuple(branch for branch in second if branch not in first)


def contradict(first: Path, second: Path) -> bool:
    """Whether the two cannot hold together."""
    return any(_excludes(a, b) for a in first for b in second if a.chain == b.chain)


def _excludes(a: Branch, b: Branch) -> bool:
    if a.number >= 0 and b.number >= 0:
        return a.number != b.number
    return (a.number == ~b.number) if (a.number >= 0) != (b.number >= 0) else False


def seen_from(value: Value, path: Path) -> Value:
    """The value at a place where `path` holds: without what is impossible there, and without conditions that hold."""
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
    """What a variable holds that was assigned `new` under the conditions `path`."""
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
"""Stands between the elements of a list."""


def text_of(value: Value) -> str | None:
    """The whole text where all of it is known and unconditional."""
    if any(piece.text is None or piece.path for piece in value):
        return None
    return "".join(piece.text or "" for piece in value)


def alternatives(values: Sequence[tuple[Branch, Value]], place: Place) -> Value:
    """One of the values, by a condition within an expression. Whole options stay apart; a part of one is unknown."""
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
    """The value with the arguments of a call for the parameters that it holds."""
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
