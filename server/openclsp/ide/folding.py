"""Repeated hints: which diagnostics of a document are shown as one, and what that one says.

Only what is no error is folded. The members of a group are shown at the first of their places; the others become
related places, a bounded number of them. Ignored places leave the group before it is folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic, Fold, RelatedLocation
from openclsp.rules import unknown_name
from openclsp.rules.finding import Severity

MAXIMUM_NAMES = 8
"""Names that a message lists."""
MAXIMUM_PLACES = 12
"""Other places that are given."""

INCLUDE = "include-not-found"
_REPEATED = frozenset(("printf-string", "unavailable-builtin", INCLUDE))
"""Rules whose cause, once known, is the same at every place with the same message."""
_DIRECTIVES = frozenset(("error-directive", "warning-directive"))
"""Reached only because the host's names are not known: one cause, whatever they say"""
OF_UNKNOWN_NAMES = _DIRECTIVES | {unknown_name.CODE}
"""Rules whose hints are about a name that the host may define"""
_VARYING = re.compile(r"`[^`]*`|\d+")


def fold_of(
    code: str, severity: Severity, message: str, name: str = "", expansions: Sequence[RelatedLocation] = ()
) -> Fold | None:
    """The group of a diagnostic; None where it is shown at each of its places. `name` is what the diagnostic is about, and
    `expansions` are the macros in whose replacement lists it lies, the outermost first."""
    if severity is Severity.ERROR:
        return None
    if code in _DIRECTIVES:
        return Fold(code, name) if severity is Severity.HINT else None
    if name:
        return Fold(code, name)
    if code in _REPEATED:
        # arguments have other names and numbers at each place
        return Fold(f"{code}\0{message if code != 'printf-string' else _VARYING.sub('', message)}")
    if expansions:
        definition = expansions[-1].location
        shape = _VARYING.sub("", message)
        return Fold(f"{code}\0{shape}\0{definition.document}\0{definition.start}")
    return None


@dataclass(frozen=True, slots=True)
class Summary:
    """What stands for the members of a group: a message, and the number of each member whose place is given with it, with
    what is said there."""

    message: str
    places: tuple[tuple[int, str], ...]


def summary(code: str, message: str, names: Sequence[str]) -> Summary:
    """Combines a group of repeated diagnostics into one. `message` is that of the first member; `names` holds the name that each
    member is about, in the order of their places, or empty strings."""
    if code in _DIRECTIVES or not names[0]:
        others = len(names) - 1
        label = "reached too" if code in _DIRECTIVES else "the same here"
        places = tuple((number, label) for number in range(1, min(len(names), MAXIMUM_PLACES + 1)))
        if code in _DIRECTIVES:
            lines = "1 more such line is" if others == 1 else f"{others} more such lines are"
            return Summary(f"{message}; {lines} reached in this file", places)
        where = "1 other place" if others == 1 else f"{others} other places"
        return Summary(f"{message}; the same at {where} in this file", places)
    first: dict[str, int] = {}
    for number, name in enumerate(names):
        first.setdefault(name, number)
    if len(first) == 1:
        return Summary(message, ())
    known = tuple(first.items())
    told = _missing(message, tuple(first)) if code == INCLUDE else unknown_name.message(_listed(tuple(first)))
    return Summary(told, tuple((number, f"`{name}`") for name, number in known[1 : MAXIMUM_PLACES + 1]))


def _missing(message: str, names: Sequence[str]) -> str:
    """Of headers, the message about the first gives the reason."""
    return f"{message}; also missing: {', '.join(_listed(names[1:]))}"


def _listed(names: Sequence[str]) -> list[str]:
    """The names as they are listed; the last part counts those that are not."""
    shown = [f"`{name}`" for name in names[:MAXIMUM_NAMES]]
    if len(names) > MAXIMUM_NAMES:
        shown.append(f"{len(names) - MAXIMUM_NAMES} more")
    return shown


def folded(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Diagnostics in the order of their places, each group as one at the first of its places."""
    found = tuple(found)
    groups: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in found:
        if each.fold is not None:
            groups.setdefault((each.location.document, each.fold.group), []).append(each)
    for each in found:
        if each.fold is None:
            yield each
            continue
        group = groups[each.location.document, each.fold.group]
        if group[0] is each:
            yield each if len(group) == 1 else _one(group)


def _one(group: Sequence[Diagnostic]) -> Diagnostic:
    first = group[0]
    names = [each.fold.name for each in group if each.fold is not None]
    told = summary(first.code, first.message, names)
    related = (RelatedLocation(group[number].location, message) for number, message in told.places)
    fold = Fold(names=tuple(dict.fromkeys(filter(None, names))), group=first.fold.group if first.fold else "")
    return replace(first, message=told.message, related=(*first.related, *related), fold=fold)


def listed_names(diagnostic: Diagnostic) -> tuple[str, ...]:
    """The names that a diagnostic of `folded` is about, which the host may define."""
    fold = diagnostic.fold
    if fold is None:
        return ()
    return fold.names or ((fold.name,) if fold.name else ())
