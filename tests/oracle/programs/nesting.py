"""Conversions between types of several levels, with two or three spaces on each side.

There are too many combinations to try all. A fixed selection is made for each shape and use; most of them differ in one
or two levels.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from .program import SPELLED, Program

_SHAPES: Mapping[str, tuple[int, str, str]] = {
    # how many spaces, what is declared before, the declaration of a name
    "two": (2, "", "{0}int *{1}*{n}"),
    "three": (3, "", "{0}int *{1}*{2}*{n}"),
    "own": (2, "", "{0}int *{1}{n}"),
    "row": (2, "", "{0}int *{1}(*{n})[2]"),
    "rows": (1, "", "{0}int (*{n})[2][3]"),
    "array": (2, "", "{0}int *{1}*{n}[2]"),
    "void": (2, "", "{0}void *{1}*{n}"),
    "const": (2, "", "const {0}int *{1}*const {n}"),
    "alias": (2, "typedef {0}int *{t}0; ", "{t}0 {1}*{n}"),
    "alias-space": (2, "typedef {0}int {t}0; ", "{t}0 *{1}*{n}"),
    "alias-array": (1, "typedef {0}int {t}0[2]; ", "{t}0 *{n}"),
    "alias-pointers": (2, "typedef {0}int *{t}0[2]; ", "{1}{t}0 *{n}"),
    "aliases": (3, "typedef {0}int *{t}0; typedef {t}0 {1}*{t}1; ", "{t}1 {2}*{n}"),
    "member": (2, "struct {t} {{ {0}int *m; int a[2]; }}; ", "{1}struct {t} *{n}"),
    "members": (3, "struct {t} {{ {0}int *m; struct {{ {1}int *p[2]; }} in; }}; ", "{2}struct {t} *{n}"),
    "vector": (2, "", "{0}float4 *{1}*{n}"),
}

_USES: Mapping[str, str] = {
    # `D` and `S` are the declarations of d and s, `P(x)` is that of another name with the type of d
    "assign": "void f(D, S) {{ d = s; }}",
    "initialise": "void f(S) {{ D = s; }}",
    "pass": "void h(D); void f(S) {{ h(s); }}",
    "cast": "void f(S) {{ (void)(P())s; }}",
    "cast-twice": "void f(S) {{ D = (P())(void *)s; }}",
    "equal": "int f(D, S) {{ return d == s; }}",
    "less": "int f(D, S) {{ return d < s; }}",
    "subtract": "long f(D, S) {{ return d - s; }}",
    "choose": "void f(int n, D, S) {{ (void)(n ? d : s); }}",
    "choose-assign": "void f(int n, D, S) {{ d = n ? d : s; }}",
    "comma": "void f(int n, D, S) {{ d = (n, s); }}",
    "address": "void f(D, S) {{ d = &*s; }}",
    "element": "void f(D, S) {{ d = &s[1]; }}",
    "chain": "void f(D, S) {{ d = &*&*(s + 1); }}",
    "deref": "void f(D, S) {{ *d = *s; }}",
    "deref-second": "void f(D, S) {{ d[0] = s[1]; }}",
    "whose-address": "void f(D, S) {{ (void)(&d == &s); }}",
    "statement": "void f(D, S) {{ d = ({{ s; }}); }}",
    "typeof": "void f(D, S) {{ __typeof__(d) x = s; __typeof__(*d) *y = s; }}",
    "sizeof": "int f(D, S) {{ return sizeof(d = s); }}",
    "local": "void f(D, S) {{ P(x) = s; d = x; }}",
    "null": "void f(D) {{ d = 0; d = (void *)0; d = (P())0; }}",
    "loop": "void f(D, S) {{ for (P(x) = s; x != d; ++x) {{}} }}",
    "record": "struct R {{ P(m); }}; void f(S) {{ struct R r = {{ s }}; r.m = s; }}",
    "named": "struct R {{ P(m); }}; void f(S) {{ struct R r[2] = {{ [1].m = s }}; }}",
    "literal": "struct R {{ P(m); }}; void f(S) {{ struct R r = (struct R){{ .m = s }}; }}",
    "copy": "struct R {{ P(m); }}; void f(struct R *r, S) {{ r->m = s; (*r).m = s; }}",
    "union": "union R {{ P(m); long n; }}; void f(S) {{ union R r = {{ s }}; }}",
}

_DEREFERENCED = frozenset(("row", "rows", "alias-array", "alias-pointers", "array", "const"))
"""Shapes whose first pointee is no pointer that can be assigned to, or that is declared as an array."""

_EACH = 10
"""How many programs there are of a shape and use."""


def _combinations(count: int, chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Yields letters of spaces: the levels of the destination, then those of the source."""
    letters = "".join(SPELLED)
    while True:
        source = [chance.choice(letters) for _ in range(count)]
        destination = list(source)
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            destination[chance.randrange(count)] = chance.choice(letters)
        yield (*destination, *source)


def _declared(shape: str, letters: tuple[str, ...], name: str, tag: str) -> tuple[str, str]:
    """Returns the preceding declarations, and the declaration of the name."""
    _, before, declaration = _SHAPES[shape]
    spaces = [SPELLED[letter] for letter in letters]
    return before.format(*spaces, t=tag), declaration.format(*spaces, n=name, t=tag)


def nesting() -> Iterator[Program]:
    """Yields some programs of every shape and use; both sides have the same shape, or two of them in `mixed`."""
    for shape, (count, _, _) in _SHAPES.items():
        for use, template in _USES.items():
            if use.startswith("deref") and shape in _DEREFERENCED:
                continue
            chance = random.Random(f"{shape} {use}")
            made = set()
            for letters in _combinations(count, chance):
                made.add(letters)
                if len(made) >= min(_EACH, 5**count):
                    break
            for letters in sorted(made):
                before, declared = _declared(shape, letters[:count], "d", "T")
                other, source = _declared(shape, letters[count:], "s", "T" if "member" in shape else "U")
                if "member" in shape:
                    # one struct for both sides: what differs is where it lies
                    before, other = other, ""
                text = _filled(template, declared, source, partial(_again, shape, letters[:count]))
                yield Program(f"deep-{shape}-{use}-{''.join(letters)}", f"{before}{other}\n{text}\n")


def _again(shape: str, letters: tuple[str, ...], name: str) -> str:
    return _declared(shape, letters, name, "T")[1]


def _filled(template: str, destination: str, source: str, again: Callable[[str], str]) -> str:
    """Returns the use with its declarations; `again` declares another name with the destination's type."""
    parts = {"D": destination, "S": source}

    def written(match: re.Match[str]) -> str:
        return parts[match[0]] if match[0] in parts else again(match["name"])

    return re.sub(r"\bP\((?P<name>\w*)\)|\b[DS]\b", written, template.replace("{{", "{").replace("}}", "}"))
