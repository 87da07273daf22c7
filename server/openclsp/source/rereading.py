"""Reads a document again of which an earlier state was read: what reads the same is taken over from that result.

Every directive is obeyed as if for the first time, in order; there are few. A line of text is expanded again only if the
edit touched it, if a conditional or a comment hid it before, or if it uses a macro that is not what it was at this place:
one that got another meaning, or one whose replacement list leads to such a one.
"""

from __future__ import annotations

import os.path
import re
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Final

from openclsp.source.code import Code, code_after
from openclsp.source.document import Document
from openclsp.source.include_cache import Entry, IncludeCache
from openclsp.source.lexer import words
from openclsp.source.macros import Macro, MacroTable
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import Rows, UnitRun
from openclsp.source.row_map import BLANK, COMMENT, RowMap
from openclsp.source.session import Session
from openclsp.source.text import Edit, difference, edit_between
from openclsp.source.touched import goes_on, is_spliced, touched_rows

_NAME_GOES_ON: Final = rb"(?![A-Za-z0-9_$\x80-\xff])"
_IN_NAME: Final = re.compile(rb"[A-Za-z0-9_$\x80-\xff]")
_BLANKS: Final = b" \t\f\v\0\\\r\n"
_SINGLY: Final = 8
"""As many names are looked for one after the other, which is quicker than all at once"""


class Rereading(UnitRun):
    """A run over a document whose code is that of `old` after `edit`. `movable`: who asks where a macro is defined asks
    this run's result, so that an equal definition at another place is no other one."""

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
        self.taken: list[tuple[int, int, int]] = []
        """The stretches of rows that are taken over: first and last (exclusive) before, first now"""
        self._old = old
        self._old_rows = old.source_map.rows
        self._old_text = old.code.text
        self._edit = edit
        # a document that includes itself is a second one, to which this one's moves say nothing
        self._movable = movable and not _includes_itself(old, document)
        self._first, self._old_last, self._new_last = touched_rows(old, self.text, edit)
        self._given_up = (
            old.trace.stateful
            or old.trace.entangled
            or b'R"' in self.data
            or b'R"' in self._old_text.data
            or (old.trace.positional and self._old_last != self._new_last)
        )
        self.made_before = 0 if self._given_up else old.trace.made
        self._next = -1
        self._digraphs = b"%:" in self.data
        moves = old.source_map.moves
        history = old.source_map.history
        self._changes = [(moves.now(each.offset), each) for each in history.changes]
        self._passed = 0
        self._was: MacroTable = dict(history.table_at(-1))
        self._differing: set[bytes] = set()
        self._affected: set[bytes] = set()
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
        """The next row from `row` on whose first character is that of a directive."""
        if row <= self._next:
            return self._next
        data, text = self.data, self.text
        at = text.line_start(row)
        # up to which line lines were looked at, where the last one's logical line begins, and from where on what stands in
        # it before the next mark is to be looked at: a logical line may have as many marks as it has lines
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
            # Behind a comment's end a line may begin with a directive all the same, and its row is above.
            self._given_up |= before.endswith(b"*/")
            since, at = found, found + 1

    def _known_until(self, row: int, stop: int) -> int:
        """Up to which row the rows from `row` on are what they were, if no macro is another one."""
        if row < self._first:
            stop, last = min(stop, self._first), self._first
        else:
            last = self.text.line_count
        while stop < last and self._goes_on(self._row_before(stop)):
            stop += 1
        # a directive that begins behind a comment is no candidate before its mark, and its first rows are blank
        before = self._row_before(row)
        for number in range(before, before + stop - row):
            if self._old_rows[number] is BLANK:
                return row + number - before
        return stop

    def _known_rows(self, row: int, end: int) -> int:
        """Takes over the rows up to `end` but those that use a macro which is another one; returns the next row."""
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
        """Up to which row nothing is known of the rows from `row` on."""
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
        """The number that a row had before the edit; -1 for one that the edit touched."""
        if self._given_up:
            return -1
        if row >= self._new_last:
            row += self._old_last - self._new_last
        elif row >= self._first:
            return -1
        return row if row < len(self._old_rows) else -1

    def _begins(self, before: int) -> bool:
        """Whether a logical line of text began with a row in the earlier state."""
        return before >= 0 and self._old_rows[before] is not BLANK and not self._goes_on(before)

    def _goes_on(self, before: int) -> bool:
        """Whether a row went on with the logical line of the row above it."""
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
        """Gives a name another meaning from `offset` on; the old macro where it is the same one."""
        before = self._offset_before(offset)
        if before >= 0:
            self._pass_changes(before + 1)
        if macro is not None and macro.document == self.document.name and macro not in self.places:
            was = self._was.get(name) if before >= 0 else self._touched_macro(name)
            known = was is not None and was.document == macro.document and was not in self.places
            if was is not None and known and _equal(macro, was):
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
        entry = yield from super()._entered(document, offset)
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
        run = Rereading(document, self.session, self.cache, (), code, old, edit, movable=False)
        table = self.session.table
        return run, known, {name: table.get(name) for name in entry.inputs.macros}

    def _offset_before(self, offset: int) -> int:
        """Where a byte of the code stood before the edit; -1 for one of a row that the edit touched."""
        row = self._row_before(self.text.line_of(offset))
        if row < 0:
            return -1
        return (
            offset
            if row < self._first
            else offset - len(self._edit.new) + self._edit.old_end - self._edit.start
        )

    def _pass_changes(self, until: int) -> None:
        """Brings the macros of the earlier state to what they were at an offset of it."""
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
        """Takes note of whether a name stands for what it stood for."""
        now, was = self.session.table.get(name), self._was.get(name)
        if now is was or (now is not None and was is not None and self._is_same(now, was)):
            if name in self._differing:
                self._differing.discard(name)
                self._affected.clear()
        elif name not in self._differing:
            self._differing.add(name)
            self._affected.clear()

    def _touched_macro(self, name: bytes) -> Macro | None:
        """The first macro of that name which the touched rows defined in the earlier state, and which has not moved here."""
        until = self._old_text.line_start(self._old_last)
        for at, change in self._changes[self._passed :]:
            if at >= until:
                break
            if change.name == name and change.after is not None and change.after not in self.places:
                return change.after
        return None

    def _is_same(self, now: Macro, was: Macro) -> bool:
        """Whether two macros are one and the same. Of this document's own it is one object: rows that are taken over know the
        earlier one, and ask this run's result where it is defined."""
        return (not self._movable or now.document != self.document.name) and _same(now, was)

    def _affected_names(self) -> set[bytes]:
        """The names whose expansion may be another one now."""
        if self._affected or not self._differing:
            return self._affected
        tables = self.session.table, self._was
        found = set(self._differing)
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
        """The rows from `row` to `end` (exclusive) that use a name whose expansion may be another one now."""
        self._pass_changes(self._old_text.line_start(self._row_before(row)))
        names = self._affected_names()
        if not names:
            return []
        data, text = self.data, self.text
        rows: set[int] = set()
        for at in _occurrences(data, names, text.line_start(row), text.line_start(end)):
            rows.add(text.line_of(at))
        return sorted(rows)

    # ---- the result ----

    def _take_over(self) -> None:
        """Takes the problems and pragmas of the rows that were taken over."""
        old, taken = self._old, self.taken
        name = old.document.name

        def shift(row: int) -> int | None:
            """By how much a row has moved; None for one that is not taken over."""
            index = bisect_right(taken, row, key=_first) - 1
            return taken[index][2] - taken[index][0] if index >= 0 and row < taken[index][1] else None

        def moved(row: int, by: int) -> int:
            return self.text.line_start(row + by) - self._old_text.line_start(row)

        for problem in old.problems:
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
        """How many rows more than in the earlier state are blank or begin inside a comment."""
        was, now = self._old_rows, result.source_map.rows
        number = before = after = 0
        for first, last, row in [*self.taken, (len(was), len(was), len(now))]:
            number += _hidden(now, after, row) - _hidden(was, before, first)
            before, after = last, row + last - first
        return number

    def changed(self, result: Preprocessed) -> Iterator[tuple[int, int, int, int]]:
        """The stretches of expanded text that are not taken over: start and end before, start and end in `result`."""
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


def _includes_itself(old: Preprocessed, document: Document) -> bool:
    """Whether the document is, or may now be, one of those that it includes."""
    if os.path.basename(document.name).encode("utf-8", "surrogateescape") in document.text.data:
        return True
    return any(each is not old and each.document.name == document.name for each in old.units())


def _first(taken: tuple[int, int, int]) -> int:
    return taken[0]


def _same(a: Macro, b: Macro) -> bool:
    """Whether two macros stand for the same and are written at the same place."""
    return (a.document, a.start, a.end) == (b.document, b.start, b.end) and _equal(a, b)


def _equal(a: Macro, b: Macro) -> bool:
    return (a.parameters, a.variadic, a.special, a.default, a.body) == (
        b.parameters,
        b.variadic,
        b.special,
        b.default,
        b.body,
    )


def _occurrences(data: bytes, names: set[bytes], start: int, end: int) -> Iterator[int]:
    """Where one of the names stands as a word of its own."""
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
