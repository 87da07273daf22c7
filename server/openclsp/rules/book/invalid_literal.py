"""A number that is no literal of C (C99 6.4.4.1, 6.4.4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidLiteral

CODE = "invalid-literal"

_REASONS: Final = (
    (re.compile(r"[+-]?0\d+[uUlL]*"), "8 and 9 are no octal digits"),
    (re.compile(r"[+-]?0[bB]\w*"), "only 0 and 1 are binary digits"),
    (
        re.compile(r"[+-]?0[xX][^pP]*\.[^pP]*"),
        "a hexadecimal floating literal needs an exponent, such as `p0`",
    ),
    (re.compile(r"0[xX]"), "it has no digits"),
    (re.compile(r"0[xX].*[eE][+-]+"), "after `e`, the sign belongs to the number: write a space before it"),
    (re.compile(r".*\..*\..*"), "a number has at most one period"),
    (re.compile(r".*[eEpP][+-]?\D?"), "the exponent has no digits"),
)


def _check(fact: InvalidLiteral, dialect: Dialect) -> Iterator[Finding]:
    reason = next(
        (text for pattern, text in _REASONS if pattern.fullmatch(fact.text)), "its suffix is unknown"
    )
    yield Finding(CODE, Severity.ERROR, f"`{fact.text}` is no number: {reason}", fact.place)


RULES = (Rule(CODE, InvalidLiteral, _check),)
