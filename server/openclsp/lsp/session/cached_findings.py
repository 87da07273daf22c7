"""Caches diagnostics by finding, and decides which of them stay valid after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from openclsp.dataclass import dataclass
from openclsp.ide.location_map import ItemAnchor
from openclsp.lsp.session.serialized_diagnostics import LineEdit, SerializedDiagnostic, drop_repeated_names
from openclsp.rules.finding import Finding
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit


def _anchor_after_edit(
    anchor: ItemAnchor, unit: TranslationUnit, edit: LineEdit, changed: AbstractSet[ItemKey]
) -> ItemAnchor | None:
    """Returns an item and its line after an edit, given the item and its line before the edit.

    Returns None if the item's text or its column may have changed.
    """
    item = unit.by_key.get(anchor.key)
    if item is None or edit.first_line <= anchor.line <= edit.last_line:
        return None
    line = anchor.line + edit.line_delta if anchor.line > edit.last_line else anchor.line
    if item is not anchor.item:
        # If a copy of the item's last lines was inserted before them, the item may end in the copy.
        lines = _line_count(anchor.item)
        holds_edit = anchor.line < edit.first_line <= anchor.line + lines
        if item.digest != anchor.item.digest or _line_count(item) != lines + holds_edit * edit.line_delta:
            return None
    is_verbatim = anchor.is_verbatim
    # If items have equal texts, an item object may stand for another of these items after the edit, even one
    # in the same line. The start of the item is therefore compared, too. If lines moved, this is done for every
    # item: the edit of the document and that of its expanded text may lie on different sides of an item that
    # is repeated, because the expanded text has no comments.
    if item is not anchor.item or anchor.key in changed or edit.changes_preprocessing or edit.line_delta:
        start, source_map = item.start, item.group.part.preprocessed.source_map
        if source_map.lines.find(start) != line or start - source_map.lines.start(line) != anchor.column:
            return None
        is_verbatim = source_map.shift(line, start, start + item.length) is not None
        # Tokens of a macro expansion may come from another macro after the edit, so that their locations
        # differ.
        if edit.changes_preprocessing and not (anchor.is_verbatim and is_verbatim):
            return None
    if item is anchor.item and line == anchor.line:
        return anchor
    return ItemAnchor(anchor.key, item, line, anchor.column, is_verbatim)


def _line_count(item: Item) -> int:
    """Returns the number of line ends in an item."""
    return item.group.text.count(b"\n", item.offset, item.offset + item.length)


@dataclass(frozen=True, slots=True, eq=False)
class CachedFinding:
    """A finding with its serialised diagnostic and the items that contain its locations.

    - `diagnostic`: the serialised diagnostic; None if there is none
    - `included`: whether the finding is located in an included file
    """

    finding: Finding
    items: tuple[ItemAnchor, ...]
    diagnostic: SerializedDiagnostic | None
    included: bool = False

    def after_edit(
        self, unit: TranslationUnit, edit: LineEdit, changed: AbstractSet[ItemKey]
    ) -> CachedFinding | None:
        """Returns the cached finding after an edit; None if the edit may have changed the diagnostic.

        `changed` has the keys of the items that were added, changed or renumbered since the diagnostic was
        cached.
        """
        diagnostic = self.diagnostic
        is_before_edit = diagnostic is not None and diagnostic.last_line < edit.first_line
        is_unmoved = is_before_edit or (
            not edit.line_delta and (diagnostic is None or diagnostic.first_line > edit.last_line)
        )
        if is_unmoved and not edit.changes_preprocessing:
            by_key = unit.by_key
            for each in self.items:
                if by_key.get(each.key) is not each.item or each.key in changed:
                    break
            else:
                return self
        items: list[ItemAnchor] = []
        for each in self.items:
            moved = _anchor_after_edit(each, unit, edit, changed)
            if moved is None:
                return None
            items.append(moved)
        if diagnostic is not None and not is_before_edit:
            if diagnostic.is_touched_by(edit):
                return None
            diagnostic = (
                diagnostic.move_lines(edit.line_delta, edit.last_line + 1) if edit.line_delta else diagnostic
            )
        return CachedFinding(self.finding, tuple(items), diagnostic)


class CachedItem:
    """The cached diagnostics of one item's findings."""

    __slots__ = (
        "_first_line",
        "_last_line",
        "diagnostics",
        "findings",
        "is_fully_reusable",
        "reusable",
        "without_repeated_names",
    )

    def __init__(self, findings: Sequence[Finding], cached: list[CachedFinding]) -> None:
        self.findings = findings
        self.diagnostics = [each.diagnostic for each in cached if each.diagnostic is not None]
        self.without_repeated_names = drop_repeated_names(self.diagnostics)
        # Diagnostics with locations in other documents are excluded: edits of those documents move them.
        self.reusable = [
            each
            for each in cached
            if not each.included and (each.diagnostic is None or not each.diagnostic.mentions_other_documents)
        ]
        self.is_fully_reusable = len(self.reusable) == len(findings)
        """Whether all findings are cached. If so, nothing is computed again while the findings are the same.
        """
        self._first_line = min([each.first_line for each in self.diagnostics], default=0)
        self._last_line = max([each.last_line for each in self.diagnostics], default=-1)

    def is_touched_by(self, edit: LineEdit) -> bool:
        """Whether any diagnostic of the item has a location in the lines of an edit."""
        # This method is called for each item at each keystroke.
        if self._last_line < edit.first_line or self._first_line > edit.last_line:
            return False
        for each in self.diagnostics:
            if each.is_touched_by(edit):
                return True
        return False


def are_same_findings(findings: Sequence[Finding], others: Sequence[Finding]) -> bool:
    """Whether two sequences contain the same finding objects."""
    if findings is others:
        return True
    return len(findings) == len(others) and all(a is b for a, b in zip(findings, others, strict=True))
