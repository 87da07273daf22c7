"""Random edits of a kernel, similar to those of a user. An edit maps a text to the replaced range and its new text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hypothesis import strategies as st

Change = tuple[int, int, str]
"""The characters from the first offset to the second (exclusive) become the text."""

Place = tuple[int, int]
"""A line and a column, each modulo the number that the text has."""

WORDS = [
    "global",
    "local",
    "constant",
    "private",
    "__generic",
    "const",
    "static",
    "inline",
    "int",
    "float4",
    "p",
    "x",
    "a",
    "f",
    "kernel",
    "void",
    "struct",
    "typedef",
    "return",
    "sizeof",
    "NULL",
    "0",
    "1",
    "2.5f",
    "get_global_id",
    "atomic_add",
    "half",
    "size_t",
    "SPACE",
    "LOAD",
    "VALUE",
    "vec_t",
    "unknown_t",
]
PIECES = (
    *("{", "}", "(", ")", ";", ",", "*", "&", "=", "[2]", ".", "->", "#", "\n", " ", "\t", "ü", "🚀", "\f"),
    *("/*", "*/", "//", '"', "'", "\\", "\\\n", "/* a */", "// 🚀 b\n", "int z;", "*p = 1;", "f(x)", 'R"('),
    *(
        " const ",
        "__local ",
        "(local int *)",
        "barrier(1);",
        "if (x) ",
        "else ",
        "for (;;) {",
        "switch (x) { case 1:",
    ),
    *("// openclsp-ignore\n", "// openclsp-ignore pointer-conversion\n"),
)
LINES = (
    "#define A 1",
    "#define SPACE local",
    "#define SPACE global",
    "#undef SPACE",
    "#undef LOAD",
    "#define LOAD(p, i) (*(p))",
    "#define VALUE(x) x ## 1 #x",
    "#define p q",
    "#define float4 int4",
    "#define local",
    "#if 0",
    "#if VALUE > 1",
    "#ifdef SPACE",
    "#ifndef GUARD",
    "#elif 1",
    "#else",
    "#endif",
    '#include "types.h"',
    '#include "other.h"',
    "#include <missing.h>",
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
    "#pragma unroll",
    "#error no",
    "#line 7",
    "#",
    "typedef local int *place_t;",
    "typedef struct { global int *a; local float b[4]; } pair_t;",
    "struct N { struct N *next; global int *v; };",
    "constant int table[4] = {1, 2, 3, 4};",
    "void f(global int *p);",
    "int f(local int *p, int x) { return *p + x; }",
    "kernel void again(global int *p, local int *q) { p = q; *q = f(p, 1); }",
    "enum { ONE = 1, TWO };",
    "int *g(int *p) {",
    "}",
)

_WORD = re.compile(r"[A-Za-z_]\w*")
_DIRECTIVE = re.compile(r"^[ \t]*#.*?(\w*)[ \t]*$", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
_HIDDEN = re.compile(r"^/\*\n(.*?)\*/\n|^#if 0\n(.*?)#endif\n", re.DOTALL | re.MULTILINE)
HIDING = (
    ("/*", "*/"),
    ("#if 0", "#endif"),
    ("#ifdef NOBODY", "#endif"),
    ("{", "}"),
    ("void again(void) {", "}"),
)
ENDINGS = ("", " 1", "0", " \\", "x", " /*", ' "other.h"')


def _at(text: str, place: Place) -> int:
    lines = text.split("\n")
    number = place[0] % len(lines)
    return sum(len(line) + 1 for line in lines[:number]) + place[1] % (len(lines[number]) + 1)


def _after_lines(text: str, start: int, count: int) -> int:
    end = start
    for _ in range(count):
        end = text.find("\n", end) + 1 or len(text)
    return end


def _insertion(text: str, place: Place, piece: str) -> Change:
    at = _at(text, place)
    return at, at, piece


def _nth(pattern: re.Pattern[str], text: str, number: int) -> re.Match[str] | None:
    """The match of that number, modulo the number of matches."""
    found = list(pattern.finditer(text))
    return found[number % len(found)] if found else None


@dataclass(frozen=True, slots=True)
class Typed:
    """Inserts text."""

    place: Place
    piece: str

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        return _insertion(text, self.place, self.piece)


@dataclass(frozen=True, slots=True)
class Erased:
    """Deletes characters."""

    place: Place
    count: int

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        at = _at(text, self.place)
        return at, min(at + self.count, len(text)), ""


@dataclass(frozen=True, slots=True)
class AnotherWord:
    """Replaces a word by the `own`-th word of the text, or by `word` where the text has too few."""

    place: Place
    word: str
    own: int

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        found = _WORD.search(text, _at(text, self.place)) or _WORD.search(text)
        if found is None:
            return 0, 0, self.word
        words = _WORD.findall(text, 0, 4000)
        return found.start(), found.end(), words[self.own] if self.own < len(words) // 2 else self.word


@dataclass(frozen=True, slots=True)
class LinesErased:
    """Deletes whole lines, possibly across functions."""

    line: int
    count: int

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        start = _at(text, (self.line, 0))
        return start, _after_lines(text, start, self.count), ""


@dataclass(frozen=True, slots=True)
class LinesPasted:
    """Copies lines to another place."""

    line: int
    count: int
    target: int

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        start = _at(text, (self.line, 0))
        return _insertion(text, (self.target, 0), text[start : _after_lines(text, start, self.count)])


@dataclass(frozen=True, slots=True)
class LinePut:
    """Inserts a line: a directive or a declaration."""

    line: int
    content: str

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        return _insertion(text, (self.line, 0), f"{self.content}\n")


@dataclass(frozen=True, slots=True)
class DirectiveChanged:
    """Appends text to a directive, or deletes its last word."""

    number: int
    piece: str

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        chosen = _nth(_DIRECTIVE, text, self.number)
        if chosen is None:
            return 0, 0, "#define A\n"
        return (chosen.end(), chosen.end(), self.piece) if self.piece else (chosen.start(1), chosen.end(), "")


@dataclass(frozen=True, slots=True)
class NameReplaced:
    """Renames a macro, or any name if there is none, in some lines or everywhere."""

    number: int
    word: str
    lines: int

    def __call__(self, text: str) -> Change:
        """One replacement from the first occurrence to the last."""
        names = _DEFINED.findall(text) or _WORD.findall(text, 0, 4000)
        if not names:
            return 0, 0, self.word
        name = re.compile(rf"\b{names[self.number % len(names)]}\b")
        first = name.search(text)
        if first is None:
            # the search for words stopped inside this name
            return 0, 0, self.word
        end = _after_lines(text, first.start(), self.lines) if self.lines else len(text)
        return first.start(), end, name.sub(self.word, text[first.start() : end])


@dataclass(frozen=True, slots=True)
class Hidden:
    """Puts lines into a comment or an inactive branch; `at_include` starts at the first `#include`."""

    line: int
    count: int
    opening: str
    closing: str
    at_include: bool

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        start = _at(text, (self.line, 0))
        if self.at_include and (found := _INCLUDE.search(text)):
            start = found.start()
        end = _after_lines(text, start, self.count)
        return start, end, f"{self.opening}\n{text[start:end]}{self.closing}\n"


@dataclass(frozen=True, slots=True)
class Shown:
    """Removes a comment or an inactive branch around lines."""

    number: int

    def __call__(self, text: str) -> Change:
        """The replaced range and its new text."""
        chosen = _nth(_HIDDEN, text, self.number)
        if chosen is None:
            return 0, 0, ""
        return chosen.start(), chosen.end(), chosen[1] or chosen[2] or ""


Changing = (
    Typed
    | Erased
    | AnotherWord
    | LinesErased
    | LinesPasted
    | LinePut
    | DirectiveChanged
    | NameReplaced
    | Hidden
    | Shown
)


def changes() -> st.SearchStrategy[Changing]:
    """A strategy for any of the edits."""
    line, place = st.integers(0, 4000), st.tuples(st.integers(0, 4000), st.integers(0, 90))
    count = st.integers(1, 50)
    return st.one_of(
        st.builds(Typed, place, st.sampled_from((*PIECES, *WORDS))),
        st.builds(AnotherWord, place, st.sampled_from(WORDS), st.integers(0, 40)),
        st.builds(Erased, place, count),
        st.builds(LinePut, line, st.sampled_from(LINES)),
        st.builds(LinesErased, line, count),
        st.builds(LinesPasted, line, count, line),
        st.builds(DirectiveChanged, st.integers(0, 100), st.sampled_from(ENDINGS)),
        st.builds(NameReplaced, st.integers(0, 200), st.sampled_from(WORDS), st.sampled_from((0, 0, 3, 30))),
        st.builds(
            lambda line, count, hiding, at_include: Hidden(line, count, *hiding, at_include),
            line,
            count,
            st.sampled_from(HIDING),
            st.booleans(),
        ),
        st.builds(Shown, st.integers(0, 20)),
    )
