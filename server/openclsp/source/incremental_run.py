"""Preprocesses an edited document, reusing the result before the edit for unaffected rows.

All directives are processed again, because they are few. A row is expanded again only in these cases:

- the edit touches it;
- it was inactive or in a comment before;
- it uses a macro whose expansion has changed: a redefined macro, or one whose replacement list leads to such
  a macro.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Final

from openclsp.source.code_extraction import code_after
from openclsp.source.document import Document
from openclsp.source.include_cache import Entry
from openclsp.source.lexer import words
from openclsp.source.macro_comparison import (
    MacroComparingRun,
    is_equal_definition,
    name_occurrences,
)
from openclsp.source.macros import Macro
from openclsp.source.preprocessed import TEMPLATE, Preprocessed
from openclsp.source.preprocessor import Rows, UnitRun
from openclsp.source.row_map import BLANK, COMMENT, RowMap
from openclsp.source.text import Edit, difference, edit_between
from openclsp.source.touched_rows import goes_on, is_spliced

_BLANKS: Final = b" \t\f\v\0\\\r\n"
_DIRECTIVE_BEHIND_COMMENT: Final = re.compile(rb"\*/(?:[ \t\f\v\0]|\\[ \t\f\v]*(?:\r\n?|\n))*(?:\#|%:)")


class IncrementalRun(MacroComparingRun):
    """A preprocessing run over an edited document that reuses the result before the edit.

    The document's code must be the code of `old` after `edit`. If `movable`, a macro whose definition only
    moves to another offset counts as unchanged: the result of this run has the new offset. `movable` is False
    for an included document, because its includers locate its macros by their offsets.
    """

    # ---- the rows ----

    def _rows(self, row: int, last: int) -> Rows:
        # The row of a spliced include is not blank: behind a comment, it would be taken for a row of code.
        self._given_up |= self._old.trace.splices and bool(_DIRECTIVE_BEHIND_COMMENT.search(self.data))
        while row < last:
            stop = self._next_candidate(row, last)
            if self._given_up:
                row = yield from super()._rows(row, last)
            elif row == stop:
                row = yield from self._special_row(row)
            elif self._begins(self._row_before(row)):
                row = self._known_rows(row, self._known_until(row, stop))
            else:
                row = yield from super()._rows(row, self._unknown_until(row, stop))
            self._given_up |= self.stateful or self.entangled or self.session.has_exceeded_steps
        self._take_over()
        return row

    def _next_candidate(self, row: int, last: int) -> int:
        """Returns the first row from `row` on that may begin a directive; `last` if there is none.

        Such a row begins with `#` or `%:` after optional white space.
        """
        if row <= self._next:
            return self._next
        data, text = self.data, self.text
        at = text.line_start(row)
        # known: last line examined; begin: first line of that line's logical line; since: where the
        # unexamined text before the next `#` begins. Each logical line is examined once, however many spliced
        # lines and `#` it has: without that, a long spliced line would cost quadratic time.
        known, begin, since = row - 1, row, at
        while True:
            found = data.find(b"#", at)
            if self._digraphs:
                other = data.find(b"%:", at)
                found = other if found < 0 or 0 <= other < found else found
            if found < 0:
                self._next = last
                return last
            line = last_line = text.line_of(found)
            while line > max(known, row) and is_spliced(text, line):
                line -= 1
            if line <= known:
                line = begin
            else:
                since = text.line_start(line)
            known, begin = last_line, line
            before = data[since:found].strip(_BLANKS)
            if not before:
                self._next = line
                return line
            # A directive may also begin after a block comment's end, and its row then begins above: give up.
            self._given_up |= before.endswith(b"*/")
            since, at = found, found + 1

    def _known_until(self, row: int, stop: int) -> int:
        """Returns the end of the rows from `row` on that can be reused if their macros are unchanged.

        This is at most `stop`, or the end of a logical line that extends beyond `stop`.
        """
        if row < self._first:
            stop, last = min(stop, self._first), self._first
        else:
            last = self.text.line_count
        while stop < last and self._goes_on(self._row_before(stop)):
            stop += 1
        # a directive may begin with a comment, in rows above its `#` that `_next_candidate` does not find:
        # these rows are blank, and end the rows that can be reused
        before = self._row_before(row)
        try:
            # searched by the list itself: a loop over 5,000 rows costs 5 ms
            return row + self._old_rows.index(BLANK, before, before + stop - row) - before
        except ValueError:
            return stop

    def _known_rows(self, row: int, end: int) -> int:
        """Reuses the rows from `row` to `end`, and expands those that use changed macros.

        Returns the row to process next.
        """
        for user in self._users(row, end):
            while self._goes_on(self._row_before(user)):
                user -= 1
            if user < row:
                continue
            self._take_rows(row, user)
            row = self.expand_rows(user, user + 1)
            if row >= end or not self._begins(self._row_before(row)):
                return row
        self._take_rows(row, end)
        return end

    def _unknown_until(self, row: int, stop: int) -> int:
        """Returns the end of the rows from `row` to `stop` for which there is no expansion to reuse."""
        if self._first <= row < self._new_last:
            return min(stop, self._new_last)
        last = min(stop, self._first) if row < self._first else stop
        before = self._row_before(row)
        if before < 0 or self._old_rows[before] is not BLANK:
            return row + 1
        until = row + 1
        while until < last and self._old_rows[self._row_before(until)] is BLANK:
            until += 1
        return until

    def _begins(self, before: int) -> bool:
        """Whether a logical line of active text began at row `before` of the old text."""
        return before >= 0 and self._old_rows[before] is not BLANK and not self._goes_on(before)

    def _goes_on(self, before: int) -> bool:
        """Whether row `before` of the old text continued the logical line of the row above it."""
        return before >= 0 and goes_on(self._old, before)

    def _take_rows(self, row: int, end: int) -> None:
        if row == end:
            return
        first = self._row_before(row)
        last = first + end - row
        old = self._old
        lines = old.source_map.lines
        stop = lines.start(last) if last < lines.count else len(old.text)
        self.output.pieces.append(old.text[lines.start(first) : stop])
        self.output.rows.extend(self._old_rows[first:last])
        if self.taken and self.taken[-1][1] == first and self.taken[-1][2] + first - self.taken[-1][0] == row:
            self.taken[-1] = self.taken[-1][0], last, self.taken[-1][2]
        else:
            self.taken.append((first, last, row))

    # ---- the macros ----

    def set_macro(self, name: bytes, macro: Macro | None, offset: int) -> None:
        """Defines a macro from `offset` on; keeps the old `Macro` object if the definition is unchanged.

        Reused rows refer to the old object, and only object identity makes these references valid in the new
        result.
        """
        before = self._offset_before(offset)
        if before >= 0:
            self._pass_changes(before + 1)
        if macro is not None and macro.document == self.document.name and macro not in self.places:
            was = self._was.get(name) if before >= 0 else self._touched_macro(name)
            known = was is not None and was.document == macro.document and was not in self.places
            if was is not None and known and is_equal_definition(macro, was):
                if self._movable:
                    self.places[was] = macro.start, macro.end
                    macro = was
                elif (was.start, was.end) == (macro.start, macro.end):
                    macro = was
        super().set_macro(name, macro, offset)
        self._compare(name)
        if macro is not None and (macro.pastes or not macro.words.isdisjoint(self._affected)):
            self._affected.clear()

    def _enter_include(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        changes = len(self.changes)
        entry = yield from super()._enter_include(document, offset)
        for change in self.changes[changes:]:
            self._compare(change.name)
        return entry

    def _run_over(self, document: Document) -> tuple[UnitRun, frozenset[bytes], dict[bytes, Macro | None]]:
        entry = self.cache.earlier(document.name)
        if entry is None or self.session.has_exceeded_steps:
            return super()._run_over(document)
        old, text = entry.unit, document.text
        span = difference(old.document.text.data, text.data)
        if span is None:
            code, known = old.code, entry.inputs.words
        else:
            start, old_end, end = span
            raw = Edit(start, old_end, text.data[start:end])
            code = code_after(old.code, old.document.text, raw, text)
            first, last = text.line_of(start), text.line_of(end)
            touched = text.data[text.line_start(first) : text.line_start(last + 1)]
            known = entry.inputs.words.union(words(touched))
        edit = edit_between(old.code.text, code.text)
        run = IncrementalRun(document, self.session, self.cache, (), code, old, edit, movable=False)
        table = self.session.table
        return run, known, {name: table.get(name) for name in entry.inputs.macros}

    def _users(self, row: int, end: int) -> list[int]:
        """Returns the rows from `row` to `end` (exclusive) that use a macro whose expansion has changed."""
        self._pass_changes(self._old_text.line_start(self._row_before(row)))
        names = self._affected_names()
        if not names:
            return []
        data, text = self.data, self.text
        rows: set[int] = set()
        for at in name_occurrences(data, names, text.line_start(row), text.line_start(end)):
            rows.add(text.line_of(at))
        return sorted(rows)

    # ---- the result ----

    def _take_over(self) -> None:
        """Copies the problems and pragmas of the reused rows into the new result."""
        old, taken = self._old, self.taken
        name = old.document.name

        def shift(row: int) -> int | None:
            """Returns the number of rows by which `row` has moved; None if the row is not reused."""
            index = bisect_right(taken, row, key=_first) - 1
            return taken[index][2] - taken[index][0] if index >= 0 and row < taken[index][1] else None

        def moved(row: int, by: int) -> int:
            return self.text.line_start(row + by) - self._old_text.line_start(row)

        for problem in old.problems:
            if problem.code == TEMPLATE:
                # each run reports it, at the first construct: an edit may put another one before it
                continue
            row = self._old_text.line_of(problem.start)
            by = shift(row) if problem.document == name else None
            if by is not None:
                offset = moved(row, by)
                self.problems.append(replace(problem, start=problem.start + offset, end=problem.end + offset))
        lines = old.source_map.lines
        for pragma in old.pragmas:
            row = lines.find(pragma.offset)
            by = shift(row)
            if by is not None:
                offset = moved(row, by) if pragma.document == name else 0
                place = pragma.start + offset, pragma.end + offset
                column = pragma.offset - lines.start(row)
                self.pragmas.append((row + by, column, pragma.text, pragma.document, *place))
        if old.trace.positional and taken:
            self.positional.append(0)

    def newly_hidden(self, result: Preprocessed) -> int:
        """Returns how many more rows than in the earlier result are blank or begin in a comment."""
        was, now = self._old_rows, result.source_map.rows
        number = before = after = 0
        for first, last, row in [*self.taken, (len(was), len(was), len(now))]:
            number += _hidden(now, after, row) - _hidden(was, before, first)
            before, after = last, row + last - first
        return number

    def changed(self, result: Preprocessed) -> Iterator[tuple[int, int, int, int]]:
        """Yields the ranges of the text that were not reused.

        Each is a tuple of start and end in the old text, and start and end in the text of `result`.
        """
        old = self._old
        was, now = old.source_map.lines, result.source_map.lines
        before = after = 0
        for first, last, row in [*self.taken, (was.count, was.count, now.count)]:
            until = was.start(first) if first < was.count else len(old.text)
            stop = now.start(row) if row < now.count else len(result.text)
            if (before, after) != (until, stop):
                yield before, until, after, stop
            row += last - first
            before = was.start(last) if last < was.count else len(old.text)
            after = now.start(row) if row < now.count else len(result.text)


def _hidden(rows: Sequence[RowMap | None], first: int, last: int) -> int:
    number = 0
    for row in range(first, last):
        mapped = rows[row]
        if mapped is not None and (mapped is BLANK or mapped is COMMENT or mapped.comment):
            number += 1
    return number


def _first(taken: tuple[int, int, int]) -> int:
    return taken[0]
