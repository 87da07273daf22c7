"""Finds code that may be incomplete because of a guessed condition.

A condition that reads an undefined name takes the branch that C prescribes. If the excluded branch contains a
part of an item (a function's name or head) or one of two matching braces, the remaining code may be invalid,
and nothing is reported about it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from openclsp.semantics.items.item import ItemGroup
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.source.parser import kind

_FUNCTION_DEFINITION = kind("function_definition")


def damaged_groups(part: UnitPart) -> frozenset[ItemGroup]:
    """Returns the groups of items about which nothing is reported.

    These are:
    - groups with a syntax error in which a guessed condition begins or ends;
    - groups after a guessed condition that leaves a bracket unbalanced, up to the next function without
      errors.
    """
    preprocessed = part.preprocessed
    if not preprocessed.guesses:
        return frozenset()
    known = part.damaged
    if known is None or known[0] is not preprocessed or known[1] is not part.groups:
        known = part.damaged = preprocessed, part.groups, _find_damaged_groups(part)
    return known[2]


def _find_damaged_groups(part: UnitPart) -> frozenset[ItemGroup]:
    """Computes the result of `damaged_groups`, which caches it.

    Guessed conditions in documents that the part's document includes are ignored.
    """
    preprocessed = part.preprocessed
    name, text = preprocessed.document.name, preprocessed.document.text
    guesses = [guess for guess in preprocessed.guesses if guess.document == name]
    if not guesses:
        return frozenset()
    lines = preprocessed.source_map.lines
    # rows at which a guessed condition begins or ends. A condition around a word that stops the compiler
    # (`#ifndef SIZE`) contains no declaration, so that the word and its #endif become part of the next item.
    rows = sorted(text.line_of(at) for guess in guesses for at in (guess.start, guess.closed))
    found: set[ItemGroup] = set()
    for group in part.groups:
        if group.has_error and group.items:
            first, last = group.items[0].start, group.end
            if bisect_left(rows, lines.find(first)) < bisect_right(rows, lines.find(last)):
                found.add(group)
    starts = [group.start for group in part.groups]
    for guess in guesses:
        if guess.unbalanced:
            start = lines.start(text.line_of(guess.start))
            for group in part.groups[bisect_right(starts, start) :]:
                if not group.has_error and group.items and group.items[0].kind == _FUNCTION_DEFINITION:
                    break
                found.add(group)
    return frozenset(found)
