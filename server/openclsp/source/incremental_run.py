"""Re-preprocesses an edited document, reusing the earlier result for unaffected rows.

All directives are processed again, in order; they are few. A row of text is expanded again only if the edit
touched it, if a conditional or a comment hid it before, or if it uses a macro whose expansion differs at this
row: one that was redefined, or whose replacement list leads to such a macro.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final

from openclsp.source.code_extraction import Code, code_after
from openclsp.source.document import Document
from openclsp.source.include_cache import Entry, IncludeCache
from openclsp.source.include_splicing import includes_itself
from openclsp.source.lexer import words
from openclsp.source.macro_comparison import find_identifiers, is_equal_definition, is_same_definition
from openclsp.source.macros import Macro, MacroTable
from openclsp.source.preprocessed import TEMPLATE, Preprocessed
from openclsp.source.preprocessing_run import Session
from openclsp.source.reused_rows import ReusedRows
from openclsp.source.row_map import BLANK
from openclsp.source.text import Edit, difference, edit_between
from openclsp.source.touched_rows import goes_on, is_spliced, touched_rows
from openclsp.source.unit_run import Rows, UnitRun

_BLANKS: Final = b" \t\f\v\0\\\r\n"


class IncrementalRun(UnitRun):
    """A preprocessing run that reuses an earlier result.

    The document's code is the code of `old` after `edit`. `movable`: definitions are located through this
    run's result, so that an equal definition at another offset counts as the same macro. False for a header:
    documents that include it hold its macros by their offsets.
    """

    def __init__(
        self,
        document: Document,
        session: Session,
        cache: IncludeCache,
        forced: Sequence[Document],
        code: Code,
        old: Preprocessed,
        edit: Edit,
        *,
        movable: bool = True,
    ) -> None:
        super().__init__(document, session, cache, forced, code=code)
        self.taken: list[ReusedRows] = []
        self._old = old
        self._old_rows = old.source_map.rows
        self._old_text = old.code.text
        self._edit = edit
        # a document that includes itself is a second one, to which this one's moves say nothing
        self._movable = movable and not includes_itself(old, document)
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
        """Whether nothing can be reused (any more): all rows are then read as in a first run"""
        self.made_before = 0 if self._given_up else old.trace.bytes_produced
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

    # ---- the rows ----

    def _rows(self, row: int, last: int) -> Rows:
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
            self._given_up |= self.stateful or self.entangled
        self._take_over()
        return row

    def _next_candidate(self, row: int, last: int) -> int:
        """Returns the first row from `row` on that may begin a directive.

        Returns `last` if there is none. Such a row begins with `#` or `%:`, ignoring blanks.
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
        """Returns the end of the rows reusable if their macros are unchanged."""
        if row < self._first:
            stop, last = min(stop, self._first), self._first
        else:
            last = self.text.line_count
        while stop < last and self._goes_on(self._row_before(stop)):
            stop += 1
        # a directive that begins behind a comment is no candidate before its mark, and its first rows are blank
        before = self._row_before(row)
        try:
            # searched by the list itself: a loop over 5,000 rows costs 5 ms
            return row + self._old_rows.index(BLANK, before, before + stop - row) - before
        except ValueError:
            return stop

    def _known_rows(self, row: int, end: int) -> int:
        """Reuses the rows up to `end`, except users of changed macros.

        Those are expanded. Returns the next row.
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
        """Returns the end (exclusive) of the rows from `row` that have no reusable expansion."""
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

    def _row_before(self, row: int) -> int:
        """Returns a row's number before the edit; -1 if the edit touched it."""
        if self._given_up:
            return -1
        if row >= self._new_last:
            row += self._old_last - self._new_last
        elif row >= self._first:
            return -1
        return row if row < len(self._old_rows) else -1

    def _begins(self, before: int) -> bool:
        """Whether a logical line of text began at an old row."""
        return before >= 0 and self._old_rows[before] is not BLANK and not self._goes_on(before)

    def _goes_on(self, before: int) -> bool:
        """Whether an old row continued the logical line of the row above it."""
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
        """Sets a macro, reusing the old `HostMacro` object for an unchanged definition.

        The macro is set from `offset` on. Reused rows refer to the old object; object identity is what makes
        them valid in the new result.
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

    def _entered(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        changes = len(self.changes)
        entry = yield from super()._enter_include(document, offset)
        for change in self.changes[changes:]:
            self._compare(change.name)
        return entry

    def _run_over(self, document: Document) -> tuple[UnitRun, frozenset[bytes], dict[bytes, Macro | None]]:
        entry = self.cache.earlier(document.name)
        if entry is None:
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

    def _offset_before(self, offset: int) -> int:
        """Maps a byte offset of the code to its offset before the edit.

        Returns -1 if it is in a touched row.
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
        """Advances the old macro table to its state at an offset of the old code."""
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
        """Records whether a name's definition differs from the old one at this point."""
        now, was = self.session.table.get(name), self._was.get(name)
        if now is was or (now is not None and was is not None and self._is_same(now, was)):
            if name in self._differing:
                self._differing.discard(name)
                self._affected.clear()
        elif name not in self._differing:
            self._differing.add(name)
            self._affected.clear()

    def _touched_macro(self, name: bytes) -> Macro | None:
        """Returns the first unmatched macro of that name that the touched rows defined before."""
        until = self._old_text.line_start(self._old_last)
        for at, change in self._changes[self._passed :]:
            if at >= until:
                break
            if change.name == name and change.after is not None and change.after not in self.places:
                return change.after
        return None

    def _is_same(self, now: Macro, was: Macro) -> bool:
        """Whether two macros are the same definition.

        For macros of this document that means one object: reused rows hold the earlier object, and ask this
        run's result for its place.
        """
        return (not self._movable or now.document != self.document.name) and is_same_definition(now, was)

    def _affected_names(self) -> set[bytes]:
        """Returns the names whose expansion may differ now: the transitive closure of `_differing`."""
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

    def _users(self, row: int, end: int) -> list[int]:
        """Returns the rows from `row` to `end` (exclusive) that use a name with a changed expansion."""
        self._pass_changes(self._old_text.line_start(self._row_before(row)))
        names = self._affected_names()
        if not names:
            return []
        data, text = self.data, self.text
        rows: set[int] = set()
        for at in find_identifiers(data, names, text.line_start(row), text.line_start(end)):
            rows.add(text.line_of(at))
        return sorted(rows)

    # ---- the result ----

    def _take_over(self) -> None:
        """Copies the problems and pragmas of the reused rows."""
        old, taken = self._old, self.taken
        name = old.document.name

        def shift(row: int) -> int | None:
            """Returns by how many rows a row has moved; None if it is not reused."""
            index = bisect_right(taken, row, key=itemgetter(0)) - 1
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
