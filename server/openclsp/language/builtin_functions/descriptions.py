"""Short descriptions of the built-in functions, for hovers and completion.

A row is `names | text`; a line that begins with a blank continues the row above.

- In a name, `{a,b}` matches each of its alternatives, and `*` matches any rest of a name. An alternative
  `a=b` is `a` in the name and `b` in the text.
- In the text, `{1}` and `{2}` stand for the parts that vary in the name: first the chosen alternatives, then
  what each `*` matched.

A literal name takes precedence over a name with `*`, and an earlier name with `*` over a later one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from openclsp.language.builtin_functions.description_table import DESCRIPTION_ROWS

_WORDS = {
    "_explicit": ", with the given memory order and scope",
    "and": "bitwise and",
    "or": "bitwise or",
    "xor": "bitwise exclusive or",
    "logical_and": "logical and",
    "logical_or": "logical or",
    "logical_xor": "logical exclusive or",
}
"""The text of an alternative without `=`"""
_ALTERNATIVES = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER = re.compile(r"\{([12])\}")


@lru_cache(maxsize=512)
def description(name: str) -> str:
    """Returns the description of the built-in function `name` in Markdown; "" if there is none."""
    exact, patterns = _tables()
    found = exact.get(name)
    if found is not None:
        return found
    for pattern, text, words in patterns:
        match = pattern.fullmatch(name)
        if match is not None:
            return _filled(text, [*words, *(rest.replace("_", " ") for rest in match.groups())])
    return ""


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str, list[str]]]]:
    """Returns the descriptions by literal name, and the patterns of the names with `*`.

    Each pattern comes with the description's text and the words for its alternatives.
    """
    exact: dict[str, str] = {}
    patterns = []
    for row in re.sub(r"\n[ \t]+", " ", DESCRIPTION_ROWS).splitlines():
        if not row or row.startswith("#"):
            continue
        names, _, text = (part.strip() for part in row.partition(" | "))
        for name, words in _named(names):
            if "*" in name:
                pattern = re.compile(re.escape(name).replace(r"\*", "(.*)"))
                patterns.append((pattern, text, words))
            else:
                exact.setdefault(name, _filled(text, words))
    return exact, patterns


def _named(names: str) -> Iterator[tuple[str, list[str]]]:
    """Yields each name of a row, with the words that replace `{1}` and `{2}` in its description."""
    # the words of alternatives may contain blanks: names end at blanks outside of braces
    for pattern in re.findall(r"(?:\{[^{}]*\}|[^\s{}])+", names):
        pieces = _ALTERNATIVES.split(pattern)
        options = [piece.split(",") if number % 2 else [piece] for number, piece in enumerate(pieces)]
        for chosen in product(*options):
            name = "".join(part.partition("=")[0] for part in chosen)
            yield name, [_word(part) for part in chosen[1::2]]


def _word(alternative: str) -> str:
    written, _, meant = alternative.partition("=")
    return meant or _WORDS.get(written, written)


def _filled(text: str, words: list[str]) -> str:
    return _PLACEHOLDER.sub(lambda match: words[int(match[1]) - 1], text)


def described_names() -> frozenset[str]:
    """Returns the function names that the table lists in full, without those that only match a pattern."""
    return frozenset(_tables()[0])
