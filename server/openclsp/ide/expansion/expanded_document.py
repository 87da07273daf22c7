"""The text of a document after preprocessing, with everything that it includes.

Comments are kept, except in directives and in the arguments of macros.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Preprocessed

MAXIMUM_BYTES = 16 << 20
"""The maximum size of the text in bytes; headers that include others several times multiply it"""
_MAXIMUM_BLANK_LINES = 8
"""The most blank lines that are kept; more of them are replaced by a line marker, as compilers do"""


def compute_expanded_document(unit: TranslationUnit, document: str) -> str | None:
    """Returns the expanded text of a document of the unit, with line markers such as `# 3 "types.h"`.

    None if the unit does not include the document, or includes it only within an item.
    """
    found = next((each for each in unit.preprocessed.with_included() if each.document.name == document), None)
    if found is None:
        return None
    lines: list[str] = []
    size = 0
    for line in _lines(found):
        size += len(line) + 1
        if size > MAXIMUM_BYTES:
            lines.append(f"// only the first {MAXIMUM_BYTES >> 20} MB are shown")
            break
        lines.append(line)
    return "\n".join([*lines, ""])


def _lines(preprocessed: Preprocessed) -> Iterator[str]:
    # a stack instead of recursion, because includes nest deeply
    pending = [_document_lines(preprocessed)]
    yield _marker(preprocessed, 0)
    while pending:
        each = next(pending[-1], None)
        if each is None:
            pending.pop()
        elif isinstance(each, str):
            yield each
        else:
            yield _marker(each, 0)
            pending.append(_document_lines(each))


def _document_lines(preprocessed: Preprocessed) -> Iterator[str | Preprocessed]:
    """Yields the lines of a document, and the documents that are included between these lines."""
    rows = preprocessed.text.decode("utf-8", "replace").split("\n")
    starts = preprocessed.source_map.lines
    inclusions = [(starts.find(each.offset), each.preprocessed) for each in preprocessed.includes]
    blank, at, returned = 0, 0, False
    for number, row in enumerate(rows):
        while at < len(inclusions) and inclusions[at][0] <= number:
            yield inclusions[at][1]
            at, returned = at + 1, True
        if not row.strip():
            blank += 1
            continue
        if returned or blank > _MAXIMUM_BLANK_LINES:
            yield _marker(preprocessed, number)
        else:
            yield from [""] * blank
        blank, returned = 0, False
        yield row.rstrip()
    for _, unit in inclusions[at:]:
        yield unit


def _marker(preprocessed: Preprocessed, row: int) -> str:
    name = preprocessed.document.name.replace("\\", "\\\\").replace('"', '\\"')
    return f'# {row + 1} "{name}"'
