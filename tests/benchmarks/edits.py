"""The edits of the benchmarks: their positions and the expected answers.

They are the same for every server. An edit states the number of errors after it, so that an outdated answer is
detected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

DECLARED = "__local float *ql = 0; __global float *qg = 0;\n"
FAULT = "qg=ql; "
"""A statement that is an error after `DECLARED` in every version of OpenCL C (6.5): the spaces differ."""
_PASTED = "\n".join(
    (
        "static float pasted(__global float *pa, __local float *pb, int n)",
        "{",
        *(
            f"  float v{i} = pa[n + {i}] * 2.0f + pb[{i}];" + (f" v{i} += v{i - 1};" if i else "")
            for i in range(45)
        ),
        "  pa = pb;",
        "  return v44;",
        "}",
        "",
    )
)
_FAULTY_NUMBER = "*(__local int *)(__global int *)0"
"""An expression of type int that is an error wherever it stands (OpenCL C 6.5.5: the spaces are disjoint)."""
_OTHER_SPACE = {"__global": "__local", "__local": "__global", "__constant": "__global"}
_OTHER_SPACE |= {space[2:]: other[2:] for space, other in _OTHER_SPACE.items()}
# hashcat's macros
_OTHER_SPACE |= {"GLOBAL_AS": "LOCAL_AS", "LOCAL_AS": "GLOBAL_AS", "PRIVATE_AS": "GLOBAL_AS"}
_WORD = re.compile(r"(?<![\w.#])[A-Za-z_]\w+")
_KEYWORDS = frozenset(("if", "for", "while", "switch", "return", "sizeof", "else", "do"))
_STATEMENT = re.compile(r"\s+[\w*].*;\s*$")
_NO_STATEMENT = re.compile(r"\s+(return|break|continue|case|default|goto)\b")
_ANY = 1 << 30


@dataclass(frozen=True, slots=True)
class Errors:
    """The expected number of errors: in a line (from 0), or, without one, in the document in addition to the initial ones."""

    least: int
    most: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A protocol change, and the errors expected after it; None if they are undetermined, as within a word."""

    change: dict[str, Any]
    errors: Errors | None = None


_AS_OPENED = Errors(0, 0)


@dataclass(slots=True)
class Edited:
    """A document as the client holds it: lines without their line ends, and the version (from 1)."""

    lines: list[str]
    version: int = 1

    @staticmethod
    def of(text: str) -> Edited:
        """Creates the document in its first version."""
        return Edited(text.split("\n"))

    def replace(
        self, start: tuple[int, int], end: tuple[int, int], new: str, errors: Errors | None = None
    ) -> Edit:
        """Replaces a range, given by lines and UTF-16 columns from 0; the texts are ASCII."""
        self.version += 1
        before, after = self.lines[start[0]][: start[1]], self.lines[end[0]][end[1] :]
        self.lines[start[0] : end[0] + 1] = (before + new + after).split("\n")
        first, last = ({"line": line, "character": column} for line, column in (start, end))
        return Edit({"range": {"start": first, "end": last}, "text": new}, errors)

    def all_series(self, number: int, *, each_call: bool) -> Iterator[tuple[str | None, Iterator[Edit]]]:
        """Returns the series of edits by the name of what they do; None for edits that prepare or undo others.

        A series of characters has `number` edits, most others a quarter of them, each with the edit that takes it
        back. Every series must be used up before the next is requested. `each_call`: see `qualifiers`.
        """
        few = max(number // 4, 1)
        line = self.statement()
        yield None, iter((self.put_before(line, f"{DECLARED}\n"),))
        yield "one character in a body", self.characters(line + 1, number)
        yield None, iter((self.take_out(line, 2),))
        yield "a space in a signature", self.qualifiers(few, each_call=each_call)
        yield "a space in a signature, each a new one", self.new_qualifiers(each_call=each_call)
        yield "50 lines pasted", self.pasted(few)
        yield "a #define at the top", self.definitions(few, faulty=False)
        yield "a #define that makes faults", self.definitions(few, faulty=True)
        yield None, iter((self.put_before(line, f"{DECLARED}\n{FAULT}\n"),))
        yield "an opened brace", self.opened("{", line + 1, few)
        yield "an opened comment", self.opened("/*", line + 1, few)
        yield None, iter((self.take_out(line, 3),))

    def statement(self) -> int:
        """The line of the statement nearest to the middle of the document."""
        middle = len(self.lines) // 2
        for line in sorted(range(1, len(self.lines)), key=lambda each: abs(each - middle)):
            before, here = self.lines[line - 1].rstrip(), self.lines[line]
            if before.endswith((";", "{", "}")) and _STATEMENT.match(here) and not _NO_STATEMENT.match(here):
                return line
        raise LookupError("no statement")

    def names(self) -> list[tuple[int, int]]:
        """Positions inside the names in code."""
        return [
            (line, (match.start() + match.end()) // 2)
            for line, text in enumerate(self.lines)
            if text[:1] in (" ", "\t") and "//" not in text and not text.lstrip().startswith(("*", "/*", "#"))
            for match in _WORD.finditer(text)
            if match[0] not in _KEYWORDS
        ]

    def put_before(self, line: int, text: str) -> Edit:
        """Inserts whole lines before a line."""
        return self.replace((line, 0), (line, 0), text)

    def take_out(self, line: int, count: int) -> Edit:
        """Removes lines, after which the document is as it was opened."""
        return self.replace((line, 0), (line + count, 0), "", _AS_OPENED)

    def characters(self, line: int, number: int) -> Iterator[Edit]:
        """Types in an empty line after `DECLARED`, character by character; each complete statement is an error."""
        for column in range(number):
            done, within = divmod(column, len(FAULT))
            done += within >= len(FAULT) - 2
            whole = within >= len(FAULT) - 2
            errors = Errors(done, done, line) if whole else None
            yield self.replace((line, column), (line, column), FAULT[within], errors)

    def opened(self, mark: str, line: int, number: int) -> Iterator[Edit]:
        """Types `{` or `/*` in an empty line and removes it again.

        The next line has an error, which the comment hides; an open brace is itself an error.
        """
        there = Errors(1, 1, line + 1)
        after = Errors(0, 0, line + 1) if mark == "/*" else Errors(2, _ANY)
        for _ in range(number):
            yield self.replace((line, 0), (line, 0), mark, after)
            yield self.replace((line, 0), (line, len(mark)), "", there)

    def qualifiers(self, number: int, *, each_call: bool) -> Iterator[Edit]:
        """Changes the address space of a parameter of the most called function, and restores it.

        Each change causes at least one more error; one for each call if no other declaration of the function affects
        the calls.
        """
        found = self._most_called()
        if found is not None:
            calls, at, space = found
            after = Errors(calls if each_call else 1, _ANY)
            yield from self._swapped("\n".join(self.lines), at, space, _OTHER_SPACE[space], after, number)

    def new_qualifiers(self, *, each_call: bool) -> Iterator[Edit]:
        """Changes the same parameter to an address space that it never had, so that no cached result is valid."""
        found = self._most_called()
        if found is None:
            return
        calls, at, space = found
        line, column = self._position("\n".join(self.lines), at)
        errors = Errors(calls if each_call else 1, _ANY)
        others = [_OTHER_SPACE[space]]
        if others[0] in ("__local", "local"):
            others += ["__constant", "__private"]
        was = space
        for new in [spelled for other in others for spelled in (other, f"{other} volatile")]:
            yield self.replace((line, column), (line, column + len(was)), new, errors)
            was = new
        yield self.replace((line, column), (line, column + len(was)), space, _AS_OPENED)

    def _most_called(self) -> tuple[int, int, str] | None:
        """Returns the number of calls, the position and the address space of the most called function's parameter.

        Only functions with an address space in a parameter are considered.
        """
        text = "\n".join(self.lines)
        best: tuple[int, int, str] | None = None
        for match in re.finditer(r"\b(\w+)\s*\(([^(){};#]*)\)\s*\{", text):
            space = re.search(r"\b(" + "|".join(_OTHER_SPACE) + r")\b", match[2])
            calls = len(re.findall(rf"\b{match[1]}\s*\(", text)) - 1 if space else 0
            if space and match[1] not in _KEYWORDS and (best is None or calls > best[0]):
                best = calls, match.start(2) + space.start(), space[1]
        return best

    def definitions(self, number: int, *, faulty: bool) -> Iterator[Edit]:
        """Changes the number that the first suitable `#define` gives, to another number or to a fault, and restores it."""
        text = "\n".join(self.lines)
        found = re.search(r"^#define[ \t]+(\w+)[ \t]+(\d+)$", text, re.MULTILINE)
        if found is None:
            return
        if faulty:
            yield from self._swapped(text, found.start(2), found[2], _FAULTY_NUMBER, Errors(1, _ANY), number)
        else:
            yield from self._swapped(
                text, found.start(2), found[2], str(int(found[2]) + 1), _AS_OPENED, number
            )

    def pasted(self, number: int) -> Iterator[Edit]:
        """Inserts a function of 50 lines, one of them with an error, between two others, and removes it again."""
        middle = len(self.lines) // 2
        line = next(
            at + 1
            for at in range(middle, len(self.lines) - 1)
            if self.lines[at].rstrip() == "}" and not self.lines[at + 1].startswith("#el")
        )
        for _ in range(number):
            yield self.replace((line, 0), (line, 0), _PASTED, Errors(1, 1))
            yield self.take_out(line, _PASTED.count("\n"))

    def _swapped(self, text: str, at: int, old: str, new: str, errors: Errors, number: int) -> Iterator[Edit]:
        line, column = self._position(text, at)
        for _ in range(number):
            yield self.replace((line, column), (line, column + len(old)), new, errors)
            yield self.replace((line, column), (line, column + len(new)), old, _AS_OPENED)

    def _position(self, text: str, at: int) -> tuple[int, int]:
        return text.count("\n", 0, at), at - (text.rfind("\n", 0, at) + 1)
