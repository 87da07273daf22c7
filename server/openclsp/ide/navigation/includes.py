"""Include directives as links to the documents that they include."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.macro_names import is_inactive, raw_name_at
from openclsp.ide.navigation.token_places import documents_of
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Preprocessed

_DIRECTIVE: Final = re.compile(
    rb"""^[ \t]*(?:\#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*("[^"\r\n]+"|<[^>\r\n]+>|[A-Za-z_](?:[ \t]*(?!//|/\*)[^ \t\r\n])*)[ \t]*(?=\r|\n|//|/\*|\Z)""",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class IncludeLink:
    """An include directive: the range of its path, including the quotes, and the included document."""

    location: Location
    target: str


def include_links(unit: TranslationUnit, document: str) -> list[IncludeLink]:
    """Returns the active include directives of a document, in text order.

    Directives whose file was not found are omitted.
    """
    for each in documents_of(unit, document):
        found = list(_links(each))
        if found:
            return found
    return []


def included_at(
    unit: TranslationUnit, document: str, offset: int, *, at_macros: bool = False
) -> IncludeLink | None:
    """Returns the include directive on the line of a byte; None if there is none.

    If the byte is in the name of a macro in the directive, the directive is returned only with `at_macros`.
    """
    for each in documents_of(unit, document):
        text = each.source_map.document.text
        if not 0 <= offset <= len(text.data):
            return None
        line = text.line_of(offset)
        start, end = text.line_start(line), text.line_end(line)
        if b"include" not in text.data[start:end] and b"import" not in text.data[start:end]:
            return None
        for link in _links(each, start, end):
            name = raw_name_at(each, offset)
            if at_macros or name is None or name.macro is None:
                return link
    return None


def _links(unit: Preprocessed, start: int = 0, end: int = -1) -> Iterator[IncludeLink]:
    data = unit.source_map.document.text.data
    by_line = {
        unit.source_map.document.text.line_of(each.start): each.preprocessed.document.name
        for each in unit.includes
    }
    spliced = unit.spliced() if unit.trace.splices else frozenset()
    for match in _DIRECTIVE.finditer(data, start, len(data) if end < 0 else end):
        line = unit.source_map.document.text.line_of(match.start(1))
        target = by_line.get(line) or _spliced_target(match[1], unit.document.name, spliced)
        row = unit.source_map.rows[line] if line < len(unit.source_map.rows) else None
        if target is not None and not is_inactive(unit, match.start(1)) and row is not None:
            yield IncludeLink(Location(unit.document.name, match.start(1), match.end(1)), target)


def _spliced_target(written: bytes, includer: str, spliced: frozenset[str]) -> str | None:
    """Returns the document in `spliced` that a directive includes; None if there is none.

    `spliced` contains the documents that are included within items, and `written` is the header's name with
    its quotes or brackets.
    """
    path = os.fsdecode(written[1:-1])
    sibling = os.path.normpath(os.path.join(os.path.dirname(includer), path))
    if sibling in spliced:
        return sibling
    tail = os.sep + os.path.normpath(path)
    return next((each for each in sorted(spliced) if each.endswith(tail)), None)
