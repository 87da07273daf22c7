"""Joins the diagnostics of all items: sorts them, applies ignore comments, drops duplicates, folds repeated ones.

The same function joins the diagnostics of the command line and the serialised ones of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.ignore.ignore_filter import RootComments
from openclsp.semantics.translation_unit import TranslationUnit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DiagnosticForm(Generic[T]):
    """The functions by which diagnostics of the type `T` are joined.

    - `sort_key`, `identity`: see `sort_without_duplicates`
    - `group_of`, `fold`: see `fold_groups`
    - `root_line`: the line (from 0) of the root document where the diagnostic starts; -1 in another document
    - `code`: the diagnostic's code
    - `is_reported`: False for a diagnostic that only shows that an ignore comment is used
    - `of_comment`: converts a diagnostic about an ignore comment; None if the settings suppress it
    """

    sort_key: Callable[[T], Any]
    identity: Callable[[T], object]
    group_of: Callable[[T], Hashable | None]
    fold: Callable[[list[T]], T]
    root_line: Callable[[T], int]
    code: Callable[[T], str]
    is_reported: Callable[[T], bool]
    of_comment: Callable[[Diagnostic], T | None]


def join_diagnostics(unit: TranslationUnit, found: Iterable[T], form: DiagnosticForm[T]) -> list[T]:
    """Joins the diagnostics of all items of a unit: see `PerItemDiagnostics.everything`.

    Adds diagnostics about ignore comments of the root document that ignore nothing.
    """
    reported = sort_without_duplicates(found, form.sort_key, form.identity)
    comments = RootComments(unit)
    if not comments.is_empty:
        unique, reported = reported, []
        for each in unique:
            line = form.root_line(each)
            if not (line >= 0 and comments.ignore(form.code(each), line)) and form.is_reported(each):
                reported.append(each)
        for found_comment in comments.create_diagnostics(unit):
            about_comment = form.of_comment(found_comment)
            if about_comment is not None and form.is_reported(about_comment):
                reported.append(about_comment)
        reported.sort(key=form.sort_key)
    return fold_groups(reported, form.group_of, form.fold)


def identity_of_diagnostic(diagnostic: Diagnostic) -> tuple[object, ...]:
    """Returns what is equal for the diagnostics of several items that are shown once."""
    return diagnostic.location, diagnostic.code, diagnostic.message


def sort_without_duplicates(
    found: Iterable[T], sort_key: Callable[[T], Any], identity: Callable[[T], object]
) -> list[T]:
    """Sorts diagnostics by `sort_key`, and keeps the first of those with equal `identity`.

    The sort key must begin with the identity, so that duplicates are adjacent. The rest of the key decides
    which duplicate is kept. The order of `found` must not decide that, because it depends on earlier edits.
    """
    unique: list[T] = []
    last: object = None
    for each in sorted(found, key=sort_key):
        this = identity(each)
        if this != last:
            unique.append(each)
            last = this
    return unique


def fold_groups(
    found: Iterable[T], group_of: Callable[[T], Hashable | None], fold: Callable[[list[T]], T]
) -> list[T]:
    """Replaces the diagnostics of each group by one, at the position of the first.

    `group_of` returns None for a diagnostic without a group. `fold` is called for groups with two or more
    members, which have the order of `found`.
    """
    folded: list[T] = []
    groups: dict[Hashable, tuple[int, list[T]]] = {}
    for each in found:
        group = group_of(each)
        if group is not None:
            known = groups.get(group)
            if known is not None:
                known[1].append(each)
                continue
            groups[group] = len(folded), [each]
        folded.append(each)
    for index, members in groups.values():
        if len(members) > 1:
            folded[index] = fold(members)
    return folded
