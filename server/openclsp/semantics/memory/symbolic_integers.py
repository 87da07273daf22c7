"""Integers that are sums of a constant and multiples of symbols.

A symbol is an unknown number that is the same for all work-items, such as a scalar argument of the kernel.
Comparisons assume that symbols are large: their results are valid for calls of the kernel with large
arguments. `None` is an unknown number that may differ between work-items.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

BOUNDED = "bounded"
"""The first element of a symbol that is not large, such as a remainder."""

_SHIFT_LIMIT = 64


class Integer(NamedTuple):
    """A constant plus multiples of symbols. The terms are ordered by the symbols' text."""

    constant: int
    terms: tuple[tuple[Hashable, int], ...] = ()


ZERO, ONE = Integer(0), Integer(1)


def symbol(*name: Hashable) -> Integer:
    """Returns the number that consists of the symbol `name` alone."""
    return Integer(0, ((name, 1),))


def apply_operator(sign: str, left: Integer | None, right: Integer | None) -> Integer | None:
    """Returns the result of the binary operator `sign`; None if unknown. Comparisons are 0 or 1."""
    if left is None or right is None:
        return None
    if sign in _COMPARISONS:
        found = compare(sign, left, right)
        return None if found is None else Integer(int(found))
    if sign == "+":
        return _sum(left, right, 1)
    if sign == "-":
        return _sum(left, right, -1)
    if not left.terms and not right.terms:
        return _compute(sign, left.constant, right.constant)
    if sign == "*":
        for factor, other in ((left, right), (right, left)):
            if not factor.terms:
                return _scaled(other, factor.constant)
        return symbol("*", *sorted((left, right), key=repr))
    return symbol(BOUNDED if sign in ("%", "&", "-", "|", "^") else "large", sign, left, right)


def compare(sign: str, left: Integer, right: Integer) -> bool | None:
    """Whether the comparison is true if every symbol is large; None if it is then undecided."""
    difference = _sum(left, right, -1)
    if not difference.terms:
        return _COMPARISONS[sign](difference.constant)
    if any(isinstance(name, tuple) and name[0] == BOUNDED for name, _ in difference.terms):
        return None
    factors = [factor for _, factor in difference.terms]
    if all(factor > 0 for factor in factors):
        return _COMPARISONS[sign](1)
    return _COMPARISONS[sign](-1) if all(factor < 0 for factor in factors) else None


def truth(number: Integer | None) -> bool | None:
    """Whether the number, as a condition, is true (not 0); None if unknown."""
    return None if number is None else compare("!=", number, ZERO)


def _sum(left: Integer, right: Integer, factor: int) -> Integer:
    terms = dict(left.terms)
    for name, count in right.terms:
        terms[name] = terms.get(name, 0) + factor * count
    kept = [each for each in terms.items() if each[1]]
    if len(kept) > 1:
        kept.sort(key=repr)
    return Integer(left.constant + factor * right.constant, tuple(kept))


def _scaled(number: Integer, factor: int) -> Integer:
    if not factor:
        return ZERO
    return Integer(number.constant * factor, tuple((name, count * factor) for name, count in number.terms))


def _compute(sign: str, left: int, right: int) -> Integer | None:
    """Computes the operation on constants; returns None where C does not define it."""
    if sign in ("/", "%"):
        if not right:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return Integer(quotient if sign == "/" else left - quotient * right)
    if sign in ("<<", ">>") and not 0 <= right < _SHIFT_LIMIT:
        return None
    operation = _ON_CONSTANTS.get(sign)
    return None if operation is None else Integer(operation(left, right))


_COMPARISONS: Mapping[str, Callable[[int], bool]] = {
    "==": lambda difference: difference == 0,
    "!=": lambda difference: difference != 0,
    "<": lambda difference: difference < 0,
    ">": lambda difference: difference > 0,
    "<=": lambda difference: difference <= 0,
    ">=": lambda difference: difference >= 0,
}
_ON_CONSTANTS: Mapping[str, Callable[[int, int], int]] = {
    "*": lambda left, right: left * right,
    "<<": lambda left, right: left << right,
    ">>": lambda left, right: left >> right,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
}
