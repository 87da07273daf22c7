"""Comparison of macro definitions with those of an earlier run, and search for uses of macros."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Sequence
from typing import Final

from openclsp.source.code_extraction import Code
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.macros import Macro, MacroTable
from openclsp.source.options import ForcedInclude
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessing_run import Session
from openclsp.source.preprocessor import UnitRun
from openclsp.source.text import Edit
from openclsp.source.touched_rows import touched_rows

_NAME_GOES_ON: Final = rb"(?![A-Za-z0-9_$\x80-\xff])"

_IN_NAME: Final = re.compile(rb"[A-Za-z0-9_$\x80-\xff]")

_SINGLY: Final = 8
"""Up to this many names are searched for one by one.

That is faster than one pattern of alternatives.
"""


def is_same_definition(a: Macro, b: Macro) -> bool:
    """Whether two macros have the same definition at the same place."""
    return (a.document, a.start, a.end) == (b.document, b.start, b.end) and is_equal_definition(a, b)


def is_equal_definition(a: Macro, b: Macro) -> bool:
    """Whether two macros are equal in parameters, tokens and flags.

    They may be defined at different places.
    """
    if a.flags != b.flags:
        return False
    return (a.parameters, a.variadic, a.special, a.body) == (b.parameters, b.variadic, b.special, b.body)


def name_occurrences(data: bytes, names: set[bytes], start: int, end: int) -> Iterator[int]:
    """Yields the offsets at which one of the names occurs as a whole identifier."""
    ordered = sorted(names)
    each = [[name] for name in ordered] if len(ordered) <= _SINGLY else [ordered]
    for alternatives in each:
        pattern = b"|".join(re.escape(name) for name in alternatives)
        if len(alternatives) > 1:
            pattern = b"(?:" + pattern + b")"
        for match in re.finditer(pattern + _NAME_GOES_ON, data[start:end]):
            at = match.start() + start
            if not at or _IN_NAME.match(data, at - 1) is None:
                yield at


class MacroComparingRun(UnitRun):
    """A preprocessing run that compares each macro definition with the one in an earlier run."""

    def __init__(
        self,
        document: Document,
        session: Session,
        cache: IncludeCache,
        forced: Sequence[ForcedInclude],
        code: Code,
        old: Preprocessed,
        edit: Edit,
        *,
        movable: bool = True,
    ) -> None:
        super().__init__(document, session, cache, forced, code=code)
        self.taken: list[tuple[int, int, int]] = []
        """Reused stretches of rows: first and end (exclusive) before the edit, first row now"""
        self._old = old
        self._old_rows = old.source_map.rows
        self._old_text = old.code.text
        self._edit = edit
        # if a document includes itself, the moves of the macros in this run do not apply to the included copy
        self._movable = movable and not _includes_itself(old, document)
        self._first, self._old_last, self._new_last = touched_rows(old, self.text, edit)
        # State that rows cannot show: counters, directives inside of calls, raw strings that span lines,
        # `__LINE__`.
        self._given_up = (
            old.trace.stateful
            or old.trace.entangled
            or b'R"' in self.data
            or b'R"' in self._old_text.data
            or (old.trace.positional and self._old_last != self._new_last)
        )
        """Whether nothing can be reused (any more).

        All rows are then read as in a first run.
        """
        if not self._given_up:
            self.bytes_reused, self.steps_reused = old.trace.bytes_produced, old.trace.steps
        self._next = -1
        """The row of the next directive candidate, cached; -1 at first"""
        self._digraphs = b"%:" in self.data
        moves = old.source_map.moves
        history = old.source_map.history
        self._changes = [(moves.now(each.offset), each) for each in history.changes]
        """The earlier run's macro changes, each with its offset in the old code"""
        self._passed = 0
        """Number of these changes that are applied to `_was`"""
        self._was: MacroTable = dict(history.table_at(-1))
        """The old macro table at the current point"""
        self._differing: set[bytes] = set()
        """The names whose old and new definitions differ at the current point"""
        self._affected: set[bytes] = set()
        """Cached result of `_affected_names`; empty if it must be computed"""
        now = session.table
        if now != self._was:
            for name in now.keys() | self._was.keys():
                self._compare(name)
        session.expander.formed |= old.trace.formed

    def _offset_before(self, offset: int) -> int:
        """Maps an offset of the code to the code before the edit.

        Returns -1 if the offset is in a touched row.
        """
        row = self._row_before(self.text.line_of(offset))
        if row < 0:
            return -1
        return (
            offset
            if row < self._first
            else offset - len(self._edit.new) + self._edit.old_end - self._edit.start
        )

    def _pass_changes(self, until: int) -> None:
        """Applies the old run's macro changes up to offset `until` to the old macro table."""
        changes = self._changes
        while self._passed < len(changes) and changes[self._passed][0] < until:
            change = changes[self._passed][1]
            self._passed += 1
            if change.after is None:
                self._was.pop(change.name, None)
            else:
                self._was[change.name] = change.after
            self._compare(change.name)

    def _compare(self, name: bytes) -> None:
        """Records whether the definition of `name` at this point differs from that in the earlier run."""
        now, was = self.session.table.get(name), self._was.get(name)
        if now is was or (now is not None and was is not None and self._is_same(now, was)):
            if name in self._differing:
                self._differing.discard(name)
                self._affected.clear()
        elif name not in self._differing:
            self._differing.add(name)
            self._affected.clear()

    def _touched_macro(self, name: bytes) -> Macro | None:
        """Returns the first unmatched macro of this name that the touched rows defined before the edit.

        A macro is matched once a new definition has taken its place. Returns None if there is no such macro.
        """
        until = self._old_text.line_start(self._old_last)
        for at, change in self._changes[self._passed :]:
            if at >= until:
                break
            if change.name == name and change.after is not None and change.after not in self.places:
                return change.after
        return None

    def _is_same(self, now: Macro, was: Macro) -> bool:
        """Whether two different objects are the same definition: `now` of this run, `was` of the earlier run.

        The result is False for a macro of this document if the run is `movable` (see `IncrementalRun`).
        Reused rows refer to `was`, and only `set_macro` can give `was` its new range.
        """
        return (not self._movable or now.document != self.document.name) and is_same_definition(now, was)

    def _affected_names(self) -> set[bytes]:
        """Returns the macros whose expansions may have changed since the earlier run.

        These are the macros with a changed definition, and those whose replacement lists lead to such a
        macro.
        """
        if self._affected or not self._differing:
            return self._affected
        tables = self.session.table, self._was
        found = set(self._differing)
        # a name that `##` formed is in no replacement list, so that every macro that pastes may lead to it
        if not self._differing.isdisjoint(self.session.expander.formed):
            found.update(macro.name for table in tables for macro in table.values() if macro.pastes)
        size = 0
        while size != len(found):
            size = len(found)
            for table in tables:
                found.update(name for name, macro in table.items() if not macro.words.isdisjoint(found))
        self._affected = found
        return found

    def _row_before(self, row: int) -> int:
        """Returns a row's number before the edit; -1 if the edit touched it."""
        if self._given_up:
            return -1
        if row >= self._new_last:
            row += self._old_last - self._new_last
        elif row >= self._first:
            return -1
        return row if row < len(self._old_rows) else -1


def _includes_itself(old: Preprocessed, document: Document) -> bool:
    """Whether the document included itself before the edit, or may include itself now."""
    if os.path.basename(document.name).encode("utf-8", "surrogateescape") in document.text.data:
        return True
    return any(each is not old and each.document.name == document.name for each in old.with_included())
