"""The edits that a benchmark makes in a kernel: where they go, and the same for every server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_TYPED = "float typed = 1.0f; "
_PASTED = "\n".join(
    (
        "static float pasted(__global const float *pa, __local float *pb, int n)",
        "{",
        *(
            f"  float v{i} = pa[n + {i}] * 2.0f + pb[{i}];" + (f" v{i} += v{i - 1};" if i else "")
            for i in range(46)
        ),
        "  return v45;",
        "}",
        "",
    )
)
_OTHER_SPACE = {"__global": "__local", "__local": "__global", "__constant": "__global"}
_OTHER_SPACE |= {space[2:]: other[2:] for space, other in _OTHER_SPACE.items()}
_WORD = re.compile(r"(?<![\w.#])[A-Za-z_]\w+")
_STATEMENT = re.compile(r"\s+[\w*].*;\s*$")
_NO_STATEMENT = re.compile(r"\s+(return|break|continue|case|default|goto)\b")


@dataclass(slots=True)
class Edited:
    """A document as its client has it: lines without their ends, and the version (from 1)."""

    lines: list[str]
    version: int = 1
    _sites: dict[str, tuple[int, int, str, str]] = field(default_factory=dict)

    @staticmethod
    def of(text: str) -> Edited:
        """The document in its first version."""
        return Edited(text.split("\n"))

    def replace(self, line: int, start: int, end_line: int, end: int, new: str) -> dict[str, Any]:
        """Makes a change, and gives it as the protocol has it: lines and UTF-16 columns (the texts are ASCII) from 0."""
        self.version += 1
        self.lines[line : end_line + 1] = (self.lines[line][:start] + new + self.lines[end_line][end:]).split(
            "\n"
        )
        places = {"line": line, "character": start}, {"line": end_line, "character": end}
        return {"range": {"start": places[0], "end": places[1]}, "text": new}

    def statement(self) -> int:
        """The line of the statement nearest to the middle."""
        middle = len(self.lines) // 2
        for line in sorted(range(1, len(self.lines)), key=lambda each: abs(each - middle)):
            before, here = self.lines[line - 1].rstrip(), self.lines[line]
            if before.endswith((";", "{", "}")) and _STATEMENT.match(here) and not _NO_STATEMENT.match(here):
                return line
        raise LookupError("no statement")

    def hovers(self, number: int) -> list[tuple[int, int]]:
        """Places inside names, spread over the document."""
        found = [
            (line, match.start() + 1)
            for line, text in enumerate(self.lines)
            if text[:1] in (" ", "\t") and "//" not in text
            for match in _WORD.finditer(text)
        ]
        return [found[int((index + 0.5) * len(found) / number)] for index in range(number)] if found else []

    def characters(self, number: int) -> Iterator[dict[str, Any]]:
        """Types a declaration, a character at a time, in a line of its own; the line was made before."""
        line = self.statement()
        for column, character in enumerate((_TYPED * (number // len(_TYPED) + 1))[:number]):
            yield self.replace(line, column, line, column, character)

    def opened(self, mark: str, number: int) -> Iterator[dict[str, Any]]:
        """Types `{` or `/*` before a statement and takes it back."""
        line = self.statement()
        for _ in range(number):
            yield self.replace(line, 0, line, 0, mark)
            yield self.replace(line, 0, line, len(mark), "")

    def qualifiers(self, number: int) -> Iterator[dict[str, Any]]:
        """Changes the space of a parameter, and back: that of the function that is called most."""
        text = "\n".join(self.lines)
        best: tuple[int, int, str] | None = None
        for match in re.finditer(r"\b(\w+)\s*\(([^(){};#]*)\)\s*\{", text):
            space = re.search(r"\b(" + "|".join(_OTHER_SPACE) + r")\b", match[2])
            calls = len(re.findall(rf"\b{match[1]}\s*\(", text)) if space else 0
            if space and (best is None or calls > best[0]):
                best = calls, match.start(2) + space.start(), space[1]
        if best is not None:
            yield from self._swapped(text, best[1], best[2], _OTHER_SPACE[best[2]], number)

    def definitions(self, number: int) -> Iterator[dict[str, Any]]:
        """Changes the number that the first such `#define` gives, and back."""
        text = "\n".join(self.lines)
        found = re.search(r"^#define[ \t]+\w+[ \t]+(\d+)\b", text, re.MULTILINE)
        if found:
            yield from self._swapped(text, found.start(1), found[1], str(int(found[1]) + 1), number)

    def pasted(self, number: int) -> Iterator[dict[str, Any]]:
        """Puts a function of 50 lines between two others, and takes it out again."""
        middle = len(self.lines) // 2
        line = next(at + 1 for at in range(middle, len(self.lines)) if self.lines[at].rstrip() == "}")
        for _ in range(number):
            yield self.replace(line, 0, line, 0, _PASTED)
            yield self.replace(line, 0, line + _PASTED.count("\n"), 0, "")

    def _swapped(self, text: str, at: int, old: str, new: str, number: int) -> Iterator[dict[str, Any]]:
        line = text.count("\n", 0, at)
        column = at - (text.rfind("\n", 0, at) + 1)
        for _ in range(number):
            yield self.replace(line, column, line, column + len(old), new)
            yield self.replace(line, column, line, column + len(new), old)
