"""Kernels with marks below the code: `//  ^^^^ word: text` describes the range above the carets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from openclsp.source import document_preprocessing
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import PreprocessorOptions, Refusal
from openclsp.source.preprocessed import Preprocessed

NAME = "k.cl"


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked range of bytes, and its expected property."""

    start: int
    end: int
    word: str
    text: str


class Headers:
    """A loader of the headers that a test contains."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers = {name: Document.of(name, text.encode()) for name, text in headers.items()}

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the header of that name."""
        return self.headers.get(name, Refusal("file not found"))


def run(source: str | bytes, headers: dict[str, str] | None = None, **options: object) -> Preprocessed:
    """Preprocesses a kernel."""
    data = source if isinstance(source, bytes) else source.encode()
    loader = Headers(headers or {})
    return document_preprocessing.full(Document.of(NAME, data), PreprocessorOptions(**options), loader)  # type: ignore[arg-type]


def expansion(source: str | bytes, headers: dict[str, str] | None = None, **options: object) -> str:
    """Returns the expanded text without blank rows and surrounding white space."""
    rows = run(source, headers, **options).text.decode().split("\n")
    return "\n".join(row.strip() for row in rows if row.strip())


def messages(source: str | bytes, headers: dict[str, str] | None = None, **options: object) -> list[str]:
    """Returns the problems of a kernel as `line: severity[code] message`, lines from 1."""
    unit = run(source, headers, **options)
    return [
        f"{unit.document.text.line_of(problem.start) + 1}: {problem.severity}[{problem.code}] {problem.message}"
        for problem in unit.problems
    ]


def marks(source: str) -> list[Mark]:
    """Parses the marks of a kernel."""
    found: list[Mark] = []
    start = code = 0
    for line in source.splitlines(keepends=True):
        match = re.match(r"\s*//\s*(\^+) (\w+): (.*)", line)
        if match:
            found.append(Mark(code + match.start(1), code + match.end(1), match[2], match[3]))
        else:
            code = start
        start += len(line)
    return found
