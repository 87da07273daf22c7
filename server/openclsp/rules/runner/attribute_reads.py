"""The notation of `Rule.reads`: which attributes cover others, and the key made of the attributes of a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

Getter = Callable[[object], object]


def is_covered(read: str, declared: Iterable[str]) -> bool:
    """Whether declared attributes determine another one.

    An attribute determines its parts, and whether it is there. A part determines whether the whole is there.
    """
    return any(read == each or _has_part(each, read) or _shows_presence(each, read) for each in declared)


def _has_part(attribute: str, read: str) -> bool:
    """Whether what was read is a part of an attribute whose content is declared."""
    return not attribute.endswith("?") and read.startswith(
        (f"{attribute}.", f"{attribute}?", f"{attribute}[")
    )


def _shows_presence(attribute: str, read: str) -> bool:
    """Whether only the presence of something was read, and the declared attribute is a part of it or its content."""
    whole = read.removesuffix("?")
    return whole != read and attribute.startswith((f"{whole}.", f"{whole}?", f"{whole}["))


def make_key(reads: Iterable[str]) -> Getter:
    """A function that returns a hashable key of an object: equal for objects with equal attributes `reads`."""
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
    """A function that returns whether an attribute is present and, if it is, a key made from its parts."""
    inner = [part for part in parts if part]
    if not inner:
        return lambda of: bool(get(of))
    key = make_key(inner)

    def optional(of: object) -> object:
        found = get(of)
        return (key(found),) if found else bool(found)

    return optional


def _elements(get: Callable[[object], tuple[object, ...]], parts: list[str]) -> Getter:
    """A function that returns the keys of all elements of a sequence."""
    key = make_key(parts)

    def elements(of: object) -> object:
        return tuple([key(each) for each in get(of)])

    return elements
