"""Folds repeated diagnostics of a document, other than errors, into one.

The members of a group are reported as one diagnostic at their first location; a bounded number of the other
locations become related locations. Ignored diagnostics are removed before the group is folded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Diagnostic, DiagnosticGroup, RelatedLocation
from openclsp.rules.book import unknown_name
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import Trait
from openclsp.rules.runner.rule_registry import traits_of_rule

MAXIMUM_LISTED_NAMES = 8
"""The maximum number of names that a message lists."""
MAXIMUM_RELATED_LOCATIONS = 12
"""The maximum number of related locations."""

INCLUDE = "include-not-found"
_DIRECTIVES = frozenset(("error-directive", "warning-directive"))
"""Rules about directives that may be reached only because the host's macros are unknown: a common cause"""
HOST_NAME_RULES = _DIRECTIVES | {unknown_name.CODE}
"""Rules whose hints concern a name that the host may define"""
_VARYING = re.compile(r"`[^`]*`|\d+")


def find_group(
    code: str, severity: Severity, message: str, name: str = "", expansions: Sequence[RelatedLocation] = ()
) -> DiagnosticGroup | None:
    """Determines the group of a diagnostic; None if the diagnostic is not folded.

    `name` is the subject of the diagnostic. `expansions` are the macros whose replacement lists contain the
    diagnostic's location, the outermost first.
    """
    if severity is Severity.ERROR:
        return None
    if code in _DIRECTIVES:
        return DiagnosticGroup(code, name) if severity is Severity.HINT else None
    if name:
        return DiagnosticGroup(code, name)
    traits = traits_of_rule(code)
    if Trait.EQUAL_MESSAGES in traits:
        return DiagnosticGroup(f"{code}\0{message}")
    if Trait.SIMILAR_MESSAGES in traits:
        return DiagnosticGroup(f"{code}\0{_VARYING.sub('', message)}")
    if expansions:
        definition = expansions[-1].location
        shape = _VARYING.sub("", message)
        return DiagnosticGroup(f"{code}\0{shape}\0{definition.document}\0{definition.start}")
    return None


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """The combined message of a group.

    `places` contains the members whose locations are listed as related information: the index of each member,
    and the message at its location.
    """

    message: str
    places: tuple[tuple[int, str], ...]


def summarise_group(code: str, message: str, names: Sequence[str]) -> GroupSummary:
    """Combines the messages of a group of repeated diagnostics.

    `message` is the message of the first member. `names` contains the subject of each member in the order of
    their locations; the subjects are empty strings if the members have none.
    """
    if code in _DIRECTIVES or not names[0]:
        others = len(names) - 1
        label = "reached too" if code in _DIRECTIVES else "the same here"
        places = tuple((number, label) for number in range(1, min(len(names), MAXIMUM_RELATED_LOCATIONS + 1)))
        if code in _DIRECTIVES:
            lines = "1 more such line is" if others == 1 else f"{others} more such lines are"
            return GroupSummary(f"{message}; {lines} reached in this file", places)
        where = "1 other place" if others == 1 else f"{others} other places"
        return GroupSummary(f"{message}; the same at {where} in this file", places)
    first: dict[str, int] = {}
    for number, name in enumerate(names):
        first.setdefault(name, number)
    if len(first) == 1:
        return GroupSummary(message, ())
    known = tuple(first.items())
    combined = (
        _missing_headers_message(message, tuple(first))
        if code == INCLUDE
        else unknown_name.message(_list_names(tuple(first)))
    )
    return GroupSummary(
        combined, tuple((number, f"`{name}`") for name, number in known[1 : MAXIMUM_RELATED_LOCATIONS + 1])
    )


def _missing_headers_message(message: str, names: Sequence[str]) -> str:
    """Appends the names of the other missing headers to the message about the first one."""
    return f"{message}; also missing: {', '.join(_list_names(names[1:]))}"


def _list_names(names: Sequence[str]) -> list[str]:
    """Lists the names in backticks. If there are too many, the last entry gives the number of the others."""
    listed = [f"`{name}`" for name in names[:MAXIMUM_LISTED_NAMES]]
    if len(names) > MAXIMUM_LISTED_NAMES:
        listed.append(f"{len(names) - MAXIMUM_LISTED_NAMES} more")
    return listed


def group_of_diagnostic(diagnostic: Diagnostic) -> tuple[str, str] | None:
    """Returns a key that the similar diagnostics of one document share; None if it is not folded."""
    return None if diagnostic.group is None else (diagnostic.location.document, diagnostic.group.group)


def fold_group(group: Sequence[Diagnostic]) -> Diagnostic:
    """Folds similar diagnostics of one document into one, which is located at the first of them."""
    first = group[0]
    names = [each.group.name for each in group if each.group is not None]
    summary = summarise_group(first.code, first.message, names)
    related = (RelatedLocation(group[number].location, message) for number, message in summary.places)
    fold = DiagnosticGroup(
        names=tuple(dict.fromkeys(filter(None, names))), group=first.group.group if first.group else ""
    )
    return replace(first, message=summary.message, related=(*first.related, *related), group=fold)


def host_names_of(diagnostic: Diagnostic) -> tuple[str, ...]:
    """Returns those names of a folded diagnostic that the host may define."""
    fold = diagnostic.group
    if fold is None:
        return ()
    return fold.names or ((fold.name,) if fold.name else ())
