"""Interprets the notation of `Rule.reads`.

Decides which attributes determine others, and creates functions that compute cache keys from attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

Getter = Callable[[object], object]


def is_covered(read: str, declared: Iterable[str]) -> bool:
    """Whether the value of the attribute `read` follows from the values of the attributes `declared`.

    The value of an attribute determines whether it is present and what its parts are. The value of a part
    shows that the whole attribute is present.
    """
    return any(read == each or _has_part(each, read) or _shows_presence(each, read) for each in declared)


def _has_part(attribute: str, read: str) -> bool:
    """Whether `read` is the path of a part of `attribute`, such as `type.size` for `type`.

    False if `attribute` ends with `?`, because it then stands only for the presence of the attribute.
    """
    return not attribute.endswith("?") and read.startswith(
        (f"{attribute}.", f"{attribute}?", f"{attribute}[")
    )


def _shows_presence(attribute: str, read: str) -> bool:
    """Whether `read` is a test for presence such as `type?`, and `attribute` is a part of `type`."""
    whole = read.removesuffix("?")
    return whole != read and attribute.startswith((f"{whole}.", f"{whole}?", f"{whole}["))


def make_key(reads: Iterable[str]) -> Getter:
    """Returns a function from an object to a hashable key of its attributes `reads`."""
    wanted = set(reads)
    attributes: list[str] = []
    parts: dict[tuple[str, str], list[str]] = {}
    for read in sorted(read for read in wanted if not is_covered(read, wanted - {read})):
        marks = [at for at in (read.find("?"), read.find("[")) if at >= 0]
        if not marks:
            attributes.append(read)
            continue
        mark = read[min(marks)]
        name, _, rest = read.partition(mark)
        parts.setdefault((name, mark), []).append(rest.removeprefix("]").removeprefix("."))
    getters: list[Getter] = [attrgetter(*attributes)] if attributes else []
    getters += [
        _optional(attrgetter(name), rest) if mark == "?" else _elements(attrgetter(name), rest)
        for (name, mark), rest in parts.items()
    ]
    if len(getters) == 1:
        return getters[0]

    def key(of: object) -> object:
        return tuple([getter(of) for getter in getters])

    return key


def _optional(get: Getter, parts: list[str]) -> Getter:
    """Returns a function from an object to an optional attribute's key.

    The key is made from the attribute's parts; it is False if the attribute is absent.
    """
    inner = [part for part in parts if part]
    if not inner:
        return lambda of: bool(get(of))
    key = make_key(inner)

    def optional(of: object) -> object:
        found = get(of)
        return (key(found),) if found else bool(found)

    return optional


def _elements(get: Callable[[object], tuple[object, ...]], parts: list[str]) -> Getter:
    """Returns a function that maps an object to a tuple with the key of each of its elements.

    `get` returns the elements of an object. The key of an element is made from its attributes `parts`.
    """
    key = make_key(parts)

    def elements(of: object) -> object:
        return tuple([key(each) for each in get(of)])

    return elements
