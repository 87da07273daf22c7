"""Spelling suggestions: the known names that a misspelled name may stand for.

A host may define any name, and many such names resemble names of the language: `float_t`, `ufloat`, `Double`,
`int32`. A name derived from another one by a prefix or suffix, by other digits or by capitals is therefore
deliberate and not a typo.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from openclsp.language.builtin_types import BUILTIN_TYPES, builtin_type
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import RESERVED_TYPE_NAMES, keywords

_SHORT = 5
"""Maximum length of names for which only one edit is a misspelling.

Longer names may have two.
"""
_LEAST = 3
_STATEMENT_WORDS = frozenset((
    "break", "case", "continue", "default", "do", "else", "false", "for", "goto", "if", "return", "sizeof",
    "switch", "true", "vec_step", "while",
))  # fmt: skip
_CUSTOMARY = frozenset(("ullong",))
"""Customary type names in headers that differ from the language's names by a single edit"""
_CAPITALS = re.compile(r"[A-Z]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Za-z][a-z]*|\d+")
_LEAST_WORD = 4
"""The least length of a word in which one letter is certainly a mistake"""
_LEAST_WORD_OF_TWO = 6
"""The least length of a word in which two adjacent letters are certainly a mistake"""
_INDICES = ("xyzw", "uvw", "ijk", "rgb", "abc", "mp")
"""Letters that distinguish variables of the same kind; the last ones stand for minus and plus"""


@lru_cache(maxsize=4096)
def near_in_language(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Returns the keywords and built-in types of the dialect that `name` may misspell, sorted."""
    return _near_by_underscores(name, dialect) or near(name, _vocabulary(dialect))


@lru_cache(maxsize=4096)
def near_in_declarations(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Returns the words of the dialect that may begin a declaration and that `name` may misspell, sorted."""
    return _near_by_underscores(name, dialect) or near(name, _vocabulary(dialect) - _STATEMENT_WORDS)


def _near_by_underscores(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Returns the qualifier that differs from `name` only in underscores, such as `__global` for `_global`."""
    qualifier = f"__{name.strip('_')}"
    differs = name.startswith("_") and name != qualifier
    return (qualifier,) if differs and qualifier in keywords(dialect) else ()


@lru_cache(maxsize=16)
def _vocabulary(dialect: Dialect) -> frozenset[str]:
    types = (each for each in BUILTIN_TYPES if builtin_type(each, dialect) is not None)
    return frozenset((*keywords(dialect), *types)) - RESERVED_TYPE_NAMES


def near(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Returns the nearest known names that `name` may misspell, sorted.

    Empty for a name in capitals. At a distance of two edits, the first and last letters must be equal:
    `signal` is not a misspelt `signed`.
    """
    if len(name) < _LEAST or name.upper() == name or name in _CUSTOMARY:
        return ()
    most = 1 if len(name) <= _SHORT else 2
    best: list[str] = []
    for each in known:
        if abs(len(each) - len(name)) > most or is_made_from(name, each):
            continue
        distance = edits(name, each, most)
        if distance > 1 and (name[0] != each[0] or name[-1] != each[-1]):
            continue
        if distance < most:
            most, best = distance, []
        if distance == most:
            best.append(each)
    return tuple(sorted(best))


def is_made_from(name: str, other: str) -> bool:
    """Whether `name` is deliberately derived from `other`, not a misspelling of it.

    It is derived if it has a prefix or suffix, other digits or other capitals; a doubled letter at either end
    is a typo.
    """
    if _DIGITS.findall(name) != _DIGITS.findall(other) or (name.endswith("_t") and not other.endswith("_t")):
        return True
    if _CAPITALS.findall(name) != _CAPITALS.findall(other):
        return True
    base, known = _DIGITS.sub("", name).strip("_"), _DIGITS.sub("", other).strip("_")
    if base.lower() == known.lower() or len(base) < _LEAST:
        return True
    if any(letter.isupper() for letter in base) and known.islower():
        return True
    longer, shorter = (base, known) if len(base) > len(known) else (known, base)
    doubled = longer in (shorter + shorter[-1:], shorter[:1] + shorter)
    return not doubled and (longer.startswith(shorter) or longer.endswith(shorter))


def edits(one: str, other: str, most: int) -> int:
    """Returns the edit distance: letters inserted, deleted, changed or swapped with a neighbour.

    Returns `most` + 1 for any distance above `most`.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        earlier, before, row = before, row, [index]
        for column, theirs in enumerate(other, 1):
            cost = min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != theirs))
            swapped = index > 1 and column > 1 and letter == other[column - 2] and one[index - 2] == theirs
            row.append(min(cost, earlier[column - 2] + 1) if swapped else cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[-1], most + 1)


def near_declared(name: str, known: Iterable[str], *, digits: bool = False) -> tuple[str, ...]:
    """Returns the nearest declared names that an undeclared `name` may misspell, sorted.

    A misspelling differs from the declared name at one position: by one letter or by two exchanged letters.
    In a name of more than `_SHORT` letters, two adjacent letters may differ, if they are no capitals. A name
    with other digits is a misspelling only if `digits` is true or two digits are exchanged.

    Unlike in `near`, a name with a prefix or suffix is a misspelling too: nothing declares the name, so it is
    not derived from a known one. In a name in capitals, only a missing or extra inner letter and two
    exchanged letters count, because hosts define names such as `SIZE_X` that resemble a declared `SIZE_Y`.
    """
    capitals = name.upper() == name
    if len(name) < (_SHORT if capitals else _LEAST - digits):
        return ()
    most = 1 if len(name) <= _SHORT else 2
    best: list[str] = []
    least = most + 1
    for each in known:
        # cheap conditions first: thousands of built-in functions are compared
        if abs(len(each) - len(name)) > most or (each[0] != name[0] and each[-1] != name[-1]):
            continue
        distance = _local_edits(name, each)
        if distance > most or distance > least or len(each) < 2:
            continue
        if distance > 1 and _CAPITALS.findall(name) != _CAPITALS.findall(each):
            # another name of the same family: `TypeQP` and `TypeIO`
            continue
        if (
            not digits
            and _DIGITS.findall(name) != _DIGITS.findall(each)
            and not _exchanges_digits(name, each)
        ):
            continue
        if capitals and (distance > 1 or not _is_slip(name, each)):
            continue
        if distance < least:
            least, best = distance, []
        best.append(each)
    return tuple(sorted(best))


def _exchanges_digits(name: str, known: str) -> bool:
    """Whether two names that differ at one position have exchanged digits there: `mul42` for `mul24`."""
    return len(name) == len(known) and sorted(name) == sorted(known) and name.strip("0123456789") != ""


def _is_slip(name: str, known: str) -> bool:
    """Whether `name` lacks one inner letter of `known`, has one more, or exchanges two neighbouring letters."""
    if name[0] != known[0] or name[-1] != known[-1] or _DIGITS.findall(name) != _DIGITS.findall(known):
        return False
    return len(name) != len(known) or sorted(name) == sorted(known)


def _local_edits(one: str, other: str) -> int:
    """Returns the length of the part in which two names differ, between their common start and end.

    If the part is longer in one name, returns the greater length. Returns 1 for two exchanged letters.
    """
    a, b = _differing_parts(one, other)[1:]
    return 1 if _are_exchanged(a, b) else max(len(a), len(b))


def differs_in_index(name: str, other: str) -> bool:
    """Whether two similar names differ in an index: a digit, a word of one letter, or a letter such as `x`.

    A name of this kind is more likely another variable that is not declared than a misspelling:
    `speed_x` for a declared `speed_y`.
    """
    start, a, b = _differing_parts(name, other)
    if _are_exchanged(a, b):
        return False
    if _DIGITS.search(a + b) is not None:
        return True
    if len(a) != 1 or len(b) != 1:
        return False
    around = name[max(start - 1, 0) : start] + name[start + 1 : start + 2]
    return not any(each.isalpha() for each in around) or any(a in each and b in each for each in _INDICES)


def is_certain_misspelling(name: str, other: str) -> bool:
    """Whether `name` is almost certainly a misspelling of the similar name `other`, not another name.

    Exchanged letters and a missing or extra underscore are misspellings. Otherwise, the names must differ in
    one word of several letters: `im` and `in`, or `raw` and `row`, are different words, and `value` and
    `values` are often declared side by side.
    """
    _, a, b = _differing_parts(name, other)
    if _are_exchanged(a, b) or name.replace("_", "") == other.replace("_", ""):
        return True
    words, others = _WORD.findall(name), _WORD.findall(other)
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if differs_in_index(name, other) or len(words) != len(others) or len(differing) != 1:
        return False
    word, known = sorted(differing[0], key=len)
    if known.lower() == f"{word}s".lower():
        return False
    return len(word) >= (_LEAST_WORD if max(len(a), len(b)) == 1 else _LEAST_WORD_OF_TWO)


def _are_exchanged(one: str, other: str) -> bool:
    return len(one) == len(other) == 2 and one == other[::-1]


def _differing_parts(one: str, other: str) -> tuple[int, str, str]:
    """Returns the parts of two names between their common start and end, and where the parts begin."""
    shorter = min(len(one), len(other))
    front = 0
    while front < shorter and one[front] == other[front]:
        front += 1
    back = 0
    while back < shorter - front and one[-1 - back] == other[-1 - back]:
        back += 1
    return front, one[front : len(one) - back], other[front : len(other) - back]
