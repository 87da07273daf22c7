"""The line of the cursor: its code before the cursor, its directive, and whether it is compiled."""

from __future__ import annotations

import re
from bisect import bisect_right

from openclsp.dataclass import dataclass
from openclsp.ide.completion.unfinished_code import is_in_comment_or_literal
from openclsp.ide.document_part import find_part
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit

AFTER_ALL_ITEMS: ItemKey = ("", "", 0)
"""The key of a position after all items."""

_DIRECTIVE = re.compile(rb"\s*#\s*(\w*)")
_MAXIMUM_ROWS = 200
"""The number of rows that a statement around the cursor may have."""


@dataclass(frozen=True, slots=True)
class CursorLine:
    """A cursor in the code of a document.

    - `row`: the cursor's line, from 0.
    - `before`: the text of the line before the cursor.
    - `directive`: the name of the directive that contains the line, None if there is none. The name is empty
      if only `#` is written.
    - `is_inactive`: whether the line is in a branch that is not compiled.
    """

    part: UnitPart
    row: int
    before: bytes
    directive: str | None
    is_inactive: bool
    is_quiet: bool
    """Whether the cursor is inside a comment or a literal."""


def find_cursor_line(unit: TranslationUnit, document: str, offset: int) -> CursorLine | None:
    """Finds the line that contains a byte offset of a document.

    None if the document is not part of the unit, or is included only within an item. Also None if the text
    before the offset on this line differs from the text that is preprocessed (`preprocessed.code`).
    """
    part = find_part(unit, document)
    if part is None:
        return None
    preprocessed = part.preprocessed
    text, code = preprocessed.document.text, preprocessed.code.text
    row = text.line_of(offset)
    row_start = text.line_start(row)
    before = code.data[row_start:offset]
    # `code` is the text that is preprocessed. If it differs from the document before the cursor on this line,
    # the offset cannot be used in it.
    if before != text.data[row_start:offset]:
        return None
    mapped = preprocessed.source_map.rows[row] if row < len(preprocessed.source_map.rows) else None
    opened = mapped is not None and mapped.comment
    quiet = is_in_comment_or_literal(code.line(row), offset - row_start, opened)
    directive = None if opened else _directive_of(part, row, before)
    blank = mapped is not None and mapped.blank
    return CursorLine(part, row, before, directive, blank and directive is None, quiet)


def _directive_of(part: UnitPart, row: int, before: bytes) -> str | None:
    """Returns the name of the directive that contains line `row`; None if no directive contains the line.

    The directive may begin in an earlier line that a backslash continues. `before` is the text of line `row`
    before the cursor.
    """
    code = part.preprocessed.code.text
    first = row
    while first > 0 and row - first < _MAXIMUM_ROWS and code.line(first - 1).endswith(b"\\"):
        first -= 1
    match = _DIRECTIVE.match(before if first == row else code.line(first))
    return match[1].decode() if match is not None else None


def item_at_cursor(found: CursorLine, before: bytes | None = None) -> tuple[ItemKey, bytes]:
    """Returns the key of the item at the cursor, and the item's text before the cursor.

    The text consists of the preprocessed lines before the cursor's line and the cursor's line as written. If
    `before` is given, it replaces the part of that line before the cursor.
    """
    part, before = found.part, found.before if before is None else before
    row_start = part.preprocessed.source_map.lines.start(found.row)
    groups = part.groups
    at = max(bisect_right(groups, row_start + len(before), key=lambda group: group.start) - 1, 0)
    key, start = AFTER_ALL_ITEMS, row_start
    if groups:
        start = min(groups[at].start, row_start)
        inside = [item for item in groups[at].items if item.start <= row_start + len(before)]
        following = (item.key for group in groups[at + 1 :] for item in group.items)
        key = inside[-1].key if inside else next(following, AFTER_ALL_ITEMS)
    return key, part.preprocessed.text[start:row_start] + before


def code_before_cursor(found: CursorLine) -> bytes:
    """Returns the code before the cursor as written, from the start of the item or directive.

    In an item, directives and inactive lines are omitted. Only the last lines of a long item are included.
    """
    part = found.part
    source_map, code = part.preprocessed.source_map, part.preprocessed.code.text
    row_start = source_map.lines.start(found.row)
    groups = part.groups
    at = bisect_right(groups, row_start + len(found.before), key=lambda group: group.start) - 1
    first = source_map.lines.find(groups[at].start) if at >= 0 else found.row
    first = max(min(first, found.row), found.row - _MAXIMUM_ROWS)
    lines: list[bytes] = []
    for row in range(first, found.row):
        mapped = source_map.rows[row] if row < len(source_map.rows) else None
        is_directive = mapped is not None and mapped.blank
        if is_directive != (found.directive is not None):
            if found.directive is not None:
                lines.clear()
            continue
        if found.directive is not None and not code.line(row).endswith(b"\\"):
            lines.clear()
            continue
        line = code.line(row)
        # A comment that began above the row may end in it.
        if mapped is not None and mapped.comment:
            end = line.find(b"*/")
            line = line[end + 2 :] if end >= 0 else b""
        lines.append(line.removesuffix(b"\\"))
    lines.append(found.before)
    return b"\n".join(lines)
