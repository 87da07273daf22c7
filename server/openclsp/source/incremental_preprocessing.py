"""Incremental preprocessing: re-expands only the rows that an edit affects.

There are three strategies, the cheapest first:

- replace a region of rows that contains no directive (`_replace_region`);
- start from an earlier state of the document, in which fewer rows were inactive or in comments
  (`_from_earlier_state`);
- process all directives again, and reuse the expansion of unaffected rows (`IncrementalRun`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.brace_nesting import Nesting
from openclsp.source.code_extraction import Code
from openclsp.source.document import Document
from openclsp.source.expansion import MAXIMUM_PRODUCED_BYTES, MAXIMUM_STEPS_OF_UNIT
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental_run import IncrementalRun
from openclsp.source.options import ForcedInclude, Loader, PreprocessorOptions
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessing_run import Session
from openclsp.source.preprocessor import UnitRun, preprocess_balanced
from openclsp.source.region_replacement import ReplacedRegion, merge_region
from openclsp.source.shared_ends import shared_ends
from openclsp.source.source_map import SourceMap
from openclsp.source.special_lines import BLOCK_COMMENT, special_lines
from openclsp.source.text import Edit, Text, edit_between, line_starts, spliced
from openclsp.source.touched_rows import touched_rows

_MAX_MOVES: Final = 256
"""Breaks in a unit's offset map that force a run over all directives"""
_MANY_ROWS: Final = 64
"""Number of rows hidden by an edit that makes the earlier state worth keeping.

Also the maximum number of rows that an edit may touch for a restart from there.
"""


@dataclass(frozen=True, slots=True)
class ExpandedEdit:
    """A replaced range of the expanded text.

    `start` and `old_end` are offsets in the old text. `new_end` is the end of the replacement if only this
    edit is applied.
    """

    start: int
    old_end: int
    new_end: int


@dataclass(frozen=True, slots=True)
class PreprocessingUpdate:
    """The new result for an edited document, and the edits of the expanded text, in order.

    `partial`: only the rows around the edit were processed.
    """

    result: Preprocessed
    edits: tuple[ExpandedEdit, ...]
    partial: bool


@dataclass(frozen=True, slots=True)
class _Region:
    """The rows to expand again, with exclusive ends.

    They are rows `first` to `old_last` in the old text, and `first` to `new_last` in the new text.
    """

    first: int
    old_last: int
    new_last: int


@dataclass(frozen=True, slots=True)
class EditedDocument:
    """An edited document, with the options, loader and caches for preprocessing it."""

    document: Document
    code: Code
    options: PreprocessorOptions
    loader: Loader
    cache: IncludeCache
    forced: Sequence[ForcedInclude]

    def reread(self, old: Preprocessed, edit: Edit) -> tuple[IncrementalRun, Preprocessed]:
        """Preprocesses the edited document, reusing parts of `old`; returns the run and its result."""

        def begin(session: Session) -> IncrementalRun:
            return IncrementalRun(self.document, session, self.cache, self.forced, self.code, old, edit)

        return preprocess_balanced(self.document, self.options, self.loader, begin)


def preprocess_incrementally(
    old: Preprocessed, wanted: EditedDocument, edit: Edit, headers_changed: bool
) -> PreprocessingUpdate | None:
    """Preprocesses an edited document by the cheapest strategy that is possible.

    `edit` is the edit of the document's code. Returns None if a full run is needed: rows are reused, and
    `Trace.bytes_produced` or `Trace.steps` exceeds its limit. These two numbers are upper bounds that never
    decrease while rows are reused. Only a full run shows whether, and at which macro, the limit is really
    exceeded.
    """
    if not headers_changed and wanted.code.template is None:
        partial = _replace_region(old, wanted, edit)
        if partial is not None:
            return None if _exceeds_bound(partial.result) else partial
        restored = _from_earlier_state(old, wanted)
        if restored is not None:
            return restored
    run, unit = wanted.reread(old, edit)
    if (run.bytes_reused or run.steps_reused) and _exceeds_bound(unit):
        return None
    if not headers_changed and run.newly_hidden(unit) > _MANY_ROWS:
        unit = replace(unit, earlier=replace(old, earlier=None))
    edits = (
        change
        for stretch in run.changed(unit)
        for start, old_end, new_start, new_end in _by_rows(old.text, unit.text, *stretch)
        for change in expanded_edits(old.text, unit.text, start, old_end, new_end, new_start)
    )
    return PreprocessingUpdate(unit, tuple(edits), False)


def _exceeds_bound(unit: Preprocessed) -> bool:
    trace = unit.trace
    return (
        trace.bytes_produced > MAXIMUM_PRODUCED_BYTES
        or trace.steps + trace.steps_included > MAXIMUM_STEPS_OF_UNIT
    )


def _from_earlier_state(old: Preprocessed, wanted: EditedDocument) -> PreprocessingUpdate | None:
    """Preprocesses the document by updating an earlier state with fewer inactive or commented rows.

    For example, when an edit closes a comment, the state before the comment was opened is updated. Returns
    None if there is no such state, if more than `_MANY_ROWS` rows differ from it, or if the result
    exceeds the bound of the bytes that macros produce.
    """
    earlier = old.earlier
    if earlier is None or earlier.code.plain is not wanted.code.plain:
        return None
    raw, text = earlier.code.text, wanted.code.text
    edit = edit_between(raw, text)
    rows = raw.line_of(edit.old_end) - raw.line_of(edit.start)
    if max(rows, text.line_of(edit.new_end) - text.line_of(edit.start)) > _MANY_ROWS:
        return None
    partial = _replace_region(earlier, wanted, edit)
    if partial is not None:
        unit = partial.result
    else:
        run, unit = wanted.reread(earlier, edit)
        if run.newly_hidden(unit) > _MANY_ROWS:
            unit = replace(unit, earlier=earlier)
    if _exceeds_bound(unit):
        return None
    return PreprocessingUpdate(
        unit, expanded_edits(old.text, unit.text, 0, len(old.text), len(unit.text)), False
    )


def _by_rows(
    old: bytes, new: bytes, start: int, old_end: int, new_start: int, new_end: int
) -> Iterator[tuple[int, int, int, int]]:
    """Splits a replaced range into replacements of single rows, if possible.

    This is possible if both sides have the same number of rows, with empty rows at the same positions.
    Otherwise, yields the whole range. With smaller replacements, later stages can reuse more chunks.
    """
    was, now = old[start:old_end].split(b"\n"), new[new_start:new_end].split(b"\n")
    if len(was) != len(now) or any((not a) != (not b) for a, b in zip(was, now, strict=True)):
        yield start, old_end, new_start, new_end
        return
    for a, b in zip(was, now, strict=True):
        if a != b:
            yield start, start + len(a), new_start, new_start + len(b)
        start, new_start = start + len(a) + 1, new_start + len(b) + 1


def _replace_region(old: Preprocessed, wanted: EditedDocument, edit: Edit) -> PreprocessingUpdate | None:
    """Expands the rows around the edit again, and replaces them in the old result.

    Returns None if the result might be wrong. The rows contain no directive, so the macro table is the same
    before and after them.
    """
    code = wanted.code
    document = Document(wanted.document.name, code.text)
    region = _region(old, document, edit)
    if region is None:
        return None
    source_map = old.source_map
    raw = old.code.text
    raw_start, raw_end = raw.line_start(region.first), raw.line_start(region.old_last)
    table = source_map.history.table_at(source_map.moves.original(raw_start))
    session = Session.begin(wanted.options, wanted.loader, table)
    run = UnitRun(wanted.document, session, wanted.cache, first_row=region.first, code=code)
    # a call that reaches beyond the region, or a counter: later rows would differ as well
    if run.expand_rows(region.first, region.new_last) != region.new_last or run.stateful:
        return None
    # `__LINE__` below the edit has another value once the number of rows changes
    if (run.positional or old.trace.positional) and region.new_last != region.old_last:
        return None
    start = source_map.lines.start(region.first)
    lines = source_map.lines
    old_end = lines.start(region.old_last) if region.old_last < lines.count else len(old.text)
    piece = b"".join(run.output.pieces)
    replaced = old.text[start:old_end]
    # Whether a later include is a document of its own or is spliced depends on the braces before it.
    later_include = any(inclusion.start >= raw_end for inclusion in old.includes) or old.trace.splices
    if (later_include or old.trace.unbalanced) and _nesting_effect(piece) != _nesting_effect(replaced):
        return None
    text = spliced(old.text, start, old_end, piece)
    shift = len(piece) - len(replaced)
    moved_lines = lines.patch(
        region.first, region.first + replaced.count(b"\n"), line_starts(piece, start)[:-1], shift
    )
    rows = [*source_map.rows]
    rows[region.first : region.old_last] = run.output.rows
    new_map = SourceMap(document, text, moved_lines, rows, source_map.moves.after(edit), source_map.history)
    moved = len(edit.new) - (edit.old_end - edit.start)
    row_shift = region.new_last - region.old_last
    replacement = ReplacedRegion(
        old.document.name, raw_start, raw_end, moved, start, old_end, shift, region.old_last, row_shift
    )
    unit = merge_region(old, run, new_map, replacement)
    return PreprocessingUpdate(unit, expanded_edits(old.text, text, start, old_end, start + len(piece)), True)


def _region(old: Preprocessed, document: Document, edit: Edit) -> _Region | None:
    """Returns the rows to expand again; None if the edit may affect other rows too."""
    source_map = old.source_map
    rows, raw = source_map.rows, old.code.text
    if old.trace.stateful or len(source_map.moves.breaks) > _MAX_MOVES:
        return None
    # if much was hidden, starting from the state before that is faster
    most = _MANY_ROWS if old.earlier is not None else 0
    first, last, new_last = touched_rows(old, document.text, edit, most)
    if most and new_last - first > most:
        return None
    if any(row is not None and row.blank for row in rows[first:last]):
        return None
    if _is_special(raw, first, last) or _is_special(document.text, first, new_last):
        return None
    return _Region(first, last, new_last)


def _is_special(text: Text, first: int, last: int) -> bool:
    """Whether a range of lines may contain a directive, a splice or a raw string."""
    kinds = {kind for _, kind in special_lines(text, first, last)}
    if not kinds:
        return False
    # a directive may begin on the line on which a block comment ends
    region = text.data[text.line_start(first) : text.line_start(last)]
    return kinds != {BLOCK_COMMENT} or b"#" in region or b"%:" in region


def _nesting_effect(text: bytes) -> tuple[int, bool | None]:
    """Returns the change of the bracket depth in a text, and whether its last token can end an item.

    The second value is None if the text has no tokens.
    """
    nesting = Nesting()
    nesting.feed(text)
    return nesting.depth, nesting.ended if nesting.seen else None


def expanded_edits(
    old: bytes, new: bytes, start: int, old_end: int, new_end: int, new_start: int | None = None
) -> tuple[ExpandedEdit, ...]:
    """Returns the one edit that turns `old[start:old_end]` into `new[new_start:new_end]`; empty if equal.

    `new_start` is `start` by default. The common prefix and suffix of both ranges are excluded from the edit.
    """
    moved = 0 if new_start is None else new_start - start
    was, now = old[start:old_end], new[start + moved : new_end]
    if was == now:
        return ()
    before, after = shared_ends(was, now)
    return (ExpandedEdit(start + before, old_end - after, new_end - after - moved),)
