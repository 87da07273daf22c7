"""Every pair of spaces in every conversion and operation, compared with an independent model."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect

from .ours import diagnostics_of_text
from .programs.conversions import PAIRS
from .programs.program import matrix

_HAVE_GENERIC = ("CL2.0", "CL3.0", "CL3.0-globals")

Objects = frozenset[str]
"""The named spaces whose objects a pointer may point to."""


def reachable(dialect: Dialect) -> dict[str, Objects]:
    """The objects to which a pointer with each letter in a program's name may point; without a letter, the default."""
    named = {letter: frozenset(letter) for letter in "glpc"}
    return {**named, "n": frozenset("glp") if dialect.name in _HAVE_GENERIC else frozenset("p")}


def _encloses(destination: Objects, source: Objects) -> bool:
    return source <= destination


def _overlaps(destination: Objects, source: Objects) -> bool:
    return bool(source & destination)


def _equal(destination: Objects, source: Objects) -> bool:
    return source == destination


def _always(destination: Objects, source: Objects) -> bool:
    return True


LEGAL: dict[str, Callable[[Objects, Objects], bool]] = {
    **dict.fromkeys(("IA", "II", "IP", "IR", "VA", "ZN"), _encloses),
    **dict.fromkeys(("XC", "XT", "EQ", "RL", "SB", "CO"), _overlaps),
    "NI": _equal,
    "NX": _always,
}
"""Implicit conversions need the destination to enclose the source; casts, comparisons, differences and `?:` need the
two to overlap; below the top level an implicit conversion needs equal spaces, a cast nothing (OpenCL C 6.7.9)."""


@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda dialect: dialect.name)
def test_an_error_exactly_where_the_relation_fails(dialect: Dialect) -> None:
    points_to = reachable(dialect)
    tried = [program for name, template in PAIRS.items() for program in matrix(name, template)]
    expected = {}
    for program in tried:
        shape, _, pair = program.name.partition("-")
        destination, source = (points_to[letter] for letter in pair)
        expected[program.name] = LEGAL[shape](destination, source)
    found = {
        program.name: not any(item.is_error for item in diagnostics_of_text(program.text, dialect))
        for program in tried
    }
    assert found == expected
