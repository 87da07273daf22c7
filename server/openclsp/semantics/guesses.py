"""What a guess may have torn apart: text that another branch would have made whole.

A condition that reads an undefined name takes the branch that C takes. Where that leaves out a part of an item (a
function's name, its head), or a brace whose partner stays, what is left is no program, and nothing can be said of it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from openclsp.semantics.fragment import Fragment
from openclsp.semantics.items import Group
from openclsp.source.tree import kind

_FUNCTION_DEFINITION = kind("function_definition")


def doubtful_groups(fragment: Fragment) -> frozenset[Group]:
    """The groups of which nothing can be said: those with a fault of syntax and a guess inside, and what follows a guess
    that left a bracket without its partner, up to the next function that is whole."""
    preprocessed = fragment.preprocessed
    if not preprocessed.guesses:
        return frozenset()
    known = fragment.doubtful
    if known is None or known[0] is not preprocessed or known[1] is not fragment.groups:
        known = fragment.doubtful = preprocessed, fragment.groups, _doubtful(fragment)
    return known[2]


def _doubtful(fragment: Fragment) -> frozenset[Group]:
    preprocessed = fragment.preprocessed
    name, text = preprocessed.document.name, preprocessed.document.text
    guesses = [guess for guess in preprocessed.guesses if guess.document == name]
    if not guesses:
        return frozenset()
    lines = preprocessed.source_map.lines
    rows = sorted(text.line_of(guess.start) for guess in guesses)
    found: set[Group] = set()
    for group in fragment.groups:
        if group.faulty and group.items:
            first, last = group.items[0].start, group.end
            if bisect_left(rows, lines.find(first)) < bisect_right(rows, lines.find(last)):
                found.add(group)
    starts = [group.start for group in fragment.groups]
    for guess in guesses:
        if guess.unbalanced:
            start = lines.start(text.line_of(guess.start))
            for group in fragment.groups[bisect_right(starts, start) :]:
                if not group.faulty and group.items and group.items[0].kind == _FUNCTION_DEFINITION:
                    break
                found.add(group)
    return frozenset(found)
