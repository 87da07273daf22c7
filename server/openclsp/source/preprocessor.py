"""Preprocesses a document: expanded text, source map, and what was learned on the way."""

from __future__ import annotations

import os.path
import re
from collections.abc import Generator, Iterator, Sequence
from typing import Final, TypeAlias

from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.code import Code, code_of
from openclsp.source.conditionals import Question
from openclsp.source.directives import Directives, Include
from openclsp.source.document import Document
from openclsp.source.expander import MAXIMUM_MADE
from openclsp.source.flatten import flattened
from openclsp.source.hidden_names import hidden_names, included_names, is_balanced
from openclsp.source.history import Change, History
from openclsp.source.include_cache import Effects, Entry, IncludeCache, Inputs
from openclsp.source.lexer import lex_line, lex_spelling, token_end, token_start
from openclsp.source.line_table import LineTable
from openclsp.source.macros import Macro, spell
from openclsp.source.moves import Moves
from openclsp.source.nesting import Nesting, is_whole
from openclsp.source.options import NOT_FOUND, Loader, PreprocessorOptions, Refusal
from openclsp.source.preprocessed import (
    Guess,
    Inclusion,
    NameRead,
    Pragma,
    Preprocessed,
    Problem,
    Trace,
    in_order,
)
from openclsp.source.session import MAX_INCLUDE_DEPTH, MAX_INCLUDED_BYTES, MAX_INCLUDES, Session
from openclsp.source.source_map import SourceMap
from openclsp.source.text import line_starts

_CHANGES: Final = re.compile(rb"__INCLUDE_LEVEL__|__COUNTER__")
"""What has another value each time, though no name gets another meaning"""

Units: TypeAlias = Generator["UnitRun", Preprocessed, None]
Rows: TypeAlias = Generator["UnitRun", Preprocessed, int]


def preprocess(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    cache: IncludeCache | None = None,
    forced: Sequence[Document] = (),
    checkpoint: Checkpoint = no_checkpoint,
) -> Preprocessed:
    """The expanded text of `document` and its map. Total: no input raises, only `checkpoint` may.

    Results of included documents are taken from `cache`, and kept there. The documents `forced` are included
    before the first line, as by the option `-include`.
    """
    session = Session.begin(options, loader, checkpoint=checkpoint)
    session.within.append((document.name, 0))
    return drive(UnitRun(document, session, IncludeCache() if cache is None else cache, forced))


def drive(run: UnitRun) -> Preprocessed:
    """Runs a document and those that it includes, however deep, without recursion."""
    stack: list[tuple[UnitRun, Units]] = [(run, run.steps())]
    result: Preprocessed | None = None
    while stack:
        current, steps = stack[-1]
        try:
            nested = next(steps) if result is None else steps.send(result)
        except StopIteration:
            stack.pop()
            result = current.result()
        else:
            stack.append((nested, nested.steps()))
            result = None
    assert result is not None
    return result


class UnitRun(Directives):
    """One document being preprocessed, with the documents that it includes."""

    def __init__(
        self,
        document: Document,
        session: Session,
        cache: IncludeCache,
        forced: Sequence[Document] = (),
        first_row: int = 0,
        code: Code | None = None,
    ) -> None:
        self.code = code_of(document.text) if code is None else code
        super().__init__(Document(document.name, self.code.text), session, first_row)
        self.whole = document
        self.splices = False
        self.cache = cache
        self.forced = forced
        self.inclusions: list[tuple[int, int, int, Preprocessed]] = []
        self.foreign_problems: list[Problem] = []
        self.foreign_guesses: list[Guess] = []
        self.words: frozenset[bytes] = frozenset()
        self.present: frozenset[bytes] = frozenset()
        self.once_asked: dict[str, bool] = {}
        self.height = 0
        self.made_before = 0
        """How many bytes macros have brought to the rows that are taken over, at most"""
        self.places: dict[Macro, tuple[int, int]] = {}
        """Where definitions stand now that an earlier run read"""
        self._nesting = Nesting()
        self._fed = 0

    def steps(self) -> Units:
        """Reads the whole document; yields each included document's run and is sent its result."""
        self._tell_template()
        for document in self.forced:
            entry = yield from self._entered(document, 0)
            self.inclusions.append((0, 0, 0, entry.unit))
        yield from self._rows(0, self.text.line_count)
        for conditional in self.conditionals:
            self.report(
                "unterminated-conditional",
                "error",
                "unterminated conditional directive",
                conditional.start,
                conditional.end,
            )
            self.close(conditional, len(self.data))

    def _rows(self, row: int, last: int) -> Rows:
        """Reads the rows from `row` to `last` (exclusive); returns the next one to read."""
        specials = self.special_rows(row, last)
        index = 0
        while row < last:
            while index < len(specials) and specials[index] < row:
                index += 1
            stop = specials[index] if index < len(specials) else last
            row = self.plain_rows(row, stop) if row < stop else (yield from self._special_row(row))
        return row

    def _special_row(self, row: int) -> Rows:
        """Obeys the directive that begins at a row, or writes the row's line; returns the next row to read."""
        tokens, end = lex_line(self.data, self.text.line_start(row))
        if not tokens or tokens[0][1] not in (b"#", b"%:"):
            return self.line(row)
        after = self.directive(tokens, end)
        if isinstance(after, Include):
            yield from self._obey(after, row)
            after = after.after
        self._blank(row, after)
        return after

    def _blank(self, row: int, after: int) -> None:
        row = max(row, self.output.row)
        empty_end = after == self.text.line_count and self.text.line_start(after - 1) == len(self.data)
        self.output.blank_rows(after - row, empty_end and after > row)

    def _tell_template(self) -> None:
        """Says that the document is a template, at its first construct; then any name may be the template's."""
        template = self.code.template
        if template is None:
            return
        first = template.constructs[0]
        message = f"this is {template.kind}: diagnostics that depend on inserted values are not reported"
        self.report("template", "hint", message, first.start, first.end)
        self.unknown_includes.append(self.document.name)

    # ---- includes ----

    def _obey(self, include: Include, row: int) -> Units:
        session = self.session
        if session.stopped:
            return
        found = self.load(include.name, include.angled)
        if isinstance(found, Refusal):
            self.unknown_includes.append(include.name)
            session.lacks_header = True
            message = f"'{include.name}': {found.reason}"
            start, end = include.name_start, include.name_end
            if found.by_every_compiler:
                self.report("directive", "error", message, start, end)
            else:
                # missing headers are shown together; what may not be read is said with its reason
                name = include.name if found == NOT_FOUND else ""
                self.report("include-not-found", "hint", message, start, end, name)
            return
        self.once_asked.setdefault(found.name, found.name in session.once)
        if found.name in session.once:
            return
        if include.imported:
            session.once.add(found.name)
            self.once_effects.add(found.name)
        if self._is_endless(found, include):
            return
        deep = session.depth >= MAX_INCLUDE_DEPTH
        if deep or session.includes >= MAX_INCLUDES or session.included_bytes >= MAX_INCLUDED_BYTES:
            session.stopped = session.lacks_header = True
            self._leave_out(
                include,
                "#include nested too deeply"
                if deep
                else "too many or too large included files: the rest is skipped",
            )
            return
        entry = yield from self._entered(found, include.start)
        self._place(entry, include, row)

    def _leave_out(self, include: Include, message: str) -> None:
        self.unknown_includes.append(include.name)
        self.report("include-too-deep", "error", message, include.start, include.end)

    def _is_endless(self, found: Document, include: Include) -> bool:
        """Whether a document would include itself again and again: it is being read, and no name has got another meaning
        since; says so."""
        session = self.session
        if (found.name, session.revision) not in session.within or _CHANGES.search(found.text.data):
            return False
        session.circular = True
        names = [os.path.basename(name) for name, _ in session.within]
        circle = names[session.within.index((found.name, session.revision)) :]
        way = " \N{RIGHTWARDS ARROW} ".join((*circle, circle[0]))
        message = f"cyclic include {way}: this one is skipped"
        if all(problem.message != message for problem in self.problems):
            self.report("include-too-deep", "error", message, include.start, include.end)
        return True

    def _entered(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        """What comes of including a document here, its effects taken over."""
        session = self.session
        room = MAX_INCLUDE_DEPTH - session.depth - 1
        entry = self.cache.find(
            document, session.table, session.loader, session.once, room, lacking=session.lacks_header
        )
        if entry is None:
            entry = yield from self._nested(document, offset)
        else:
            session.includes += entry.count
            session.included_bytes += entry.size
            self._replay(entry, offset)
        self._adopt(entry)
        return entry

    def _nested(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        session = self.session
        expander = session.expander
        run, words, looked_up = self._run_over(document)
        present, lacking = frozenset(session.table.keys() & words), session.lacks_header
        outer_used, expander.used = expander.used, looked_up
        outer_recording, expander.recording = expander.recording, True
        counter, count, size = session.counter, session.includes, session.included_bytes
        session.includes += 1
        session.included_bytes += len(document.text.data)
        session.depth += 1
        session.within.append((document.name, session.revision))
        unit = yield run
        session.within.pop()
        session.depth -= 1
        used, expander.used = expander.used, outer_used
        expander.recording = outer_recording
        inputs = Inputs(
            used,
            words | run.words,
            present | run.present,
            tuple(run.loads),
            run.once_asked,
            run.height,
            lacking,
        )
        effects = Effects(
            run.effects, frozenset(run.newly_defined), frozenset(run.once_effects), session.lacks_header
        )
        count, size = session.includes - count, session.included_bytes - size
        entry = Entry(inputs, unit, effects, is_whole(unit.text), count, size)
        if (
            counter == session.counter
            and b"__INCLUDE_LEVEL__" not in used
            and not (session.stopped or session.circular)
        ):
            self.cache.add(document, entry)
        before: dict[bytes, Macro | None] = {}
        for change in run.changes:
            before.setdefault(change.name, change.before)
        now = session.table.get
        self.changes.extend(Change(offset, name, macro, now(name)) for name, macro in before.items())
        self.effects.update(run.effects)
        return entry

    def _run_over(self, document: Document) -> tuple[UnitRun, frozenset[bytes], dict[bytes, Macro | None]]:
        """A run over an included document, its words, and what of the macros here it is known to look at."""
        return UnitRun(document, self.session, self.cache), self.cache.words(document.text.data), {}

    def _replay(self, entry: Entry, offset: int) -> None:
        """Does to the session what reading the document again would do."""
        for name, macro in entry.effects.macros.items():
            self.set_macro(name, macro, offset)
        self.session.defined |= entry.effects.defined
        self.session.once |= entry.effects.once
        self.session.lacks_header |= entry.effects.lacking

    def _adopt(self, entry: Entry) -> None:
        """Takes what an included document hung on for what this one hangs on."""
        inputs = entry.inputs
        used = self.session.expander.used
        for name, macro in inputs.macros.items():
            used.setdefault(name, macro)
        for document, included in inputs.once.items():
            self.once_asked.setdefault(document, included)
        self.words |= inputs.words
        self.present |= inputs.present
        self.loads.extend(inputs.loads)
        self.newly_defined |= entry.effects.defined
        self.once_effects |= entry.effects.once
        self.height = max(self.height, inputs.height + 1)

    def _place(self, entry: Entry, include: Include, row: int) -> None:
        """Puts an included document between the items of this one, or into its line where it is no such thing."""
        pieces = self.output.pieces
        self._nesting.feed(b"".join(pieces[self._fed :]))
        self._fed = len(pieces)
        if entry.whole and self._nesting.between_items:
            self.inclusions.append((row, include.start, include.end, entry.unit))
            return
        self.splices = True
        output = self.output
        if output.made > MAXIMUM_MADE:
            self._leave_out(include, "too much is included here: it is left out")
            return
        before = output.column
        output.begin(include.start)
        for text, flags, origin, document in flattened(entry.unit):
            output.token(text, flags, origin, document)
        output.made += output.column - before
        for unit in entry.unit.units():
            self.foreign_problems.extend(unit.problems)
            self.foreign_guesses.extend(unit.guesses)
            self.unknown_includes.extend(unit.unknown_includes)
            self.pragmas.extend(
                (row, 0, pragma.text, pragma.document, pragma.start, pragma.end) for pragma in unit.pragmas
            )
        output.end_row(include.end)

    # ---- the result ----

    def result(self) -> Preprocessed:
        """What came of the document, once its steps are done."""
        output = self.output
        text = b"".join(output.pieces)
        lines = LineTable.of(line_starts(text, 0))
        table = self.session.table.copy()
        history = History(table, tuple(self.changes), self.places)
        rows = tuple(output.rows)
        guesses = [self._guess(question) for question in self.questions]
        pragmas = [
            Pragma(lines.start(row) + column, pragma, document, start, end)
            for row, column, pragma, document, start, end in sorted(
                [*self.pragmas, *self.operator_pragmas()], key=lambda pragma: pragma[:2]
            )
        ]
        return Preprocessed(
            self.whole,
            text,
            SourceMap(self.document, text, lines, rows, Moves(), history),
            (*sorted(self.problems, key=in_order), *self.foreign_problems),
            tuple(sorted(self.inactive)),
            tuple(pragmas),
            tuple(Inclusion(lines.start(row), start, end, unit) for row, start, end, unit in self.inclusions),
            tuple(self.unknown_includes),
            (*[guess for guess in guesses if guess is not None], *self.foreign_guesses),
            table,
            Trace(
                self.stateful,
                bool(self.positional),
                self.splices,
                self.entangled,
                frozenset(self.session.expander.formed),
                self.made_before + output.made,
            ),
            self.code,
        )

    def operator_pragmas(self) -> Iterator[tuple[int, int, str, str, int, int]]:
        name = self.document.name
        for row, column, text, origin in self.output.pragmas:
            start = origin if isinstance(origin, int) else self.text.line_start(row)
            shown = spell(lex_spelling(text)).decode("utf-8", "replace")
            yield row, column, shown, name, start, start + len(b"_Pragma")

    def _guess(self, question: Question) -> Guess | None:
        unknown = self.guessed(question.unknown)
        if not unknown:
            return None
        name = self.document.name
        names: list[NameRead] = []
        for token in unknown:
            start, end = token_start(token), token_end(token)
            names.append(NameRead(token[1].decode("utf-8", "replace"), name, start, end))
        hidden: set[str] = set()
        unbalanced = False
        for start, end in question.left_out:
            text = self.data[start:end]
            unbalanced = unbalanced or not is_balanced(text)
            hidden |= hidden_names(text)
            hidden |= self._names_behind(text)
        return Guess(
            name, question.start, question.end, tuple(names), frozenset(hidden), unbalanced, question.read
        )

    def _names_behind(self, text: bytes) -> set[str]:
        """The names that the documents included by a text would declare, whatever their conditions say.

        A quoted include that is not to be had, or whose name a macro makes, makes every name possible. One in angle brackets that is not
        found belongs to another language's system: OpenCL C has no headers there.
        """
        names: set[str] = set()
        pending = [(text, self.document.name)]
        seen: set[str] = set()
        while pending:
            text, includer = pending.pop()
            for header, angled in included_names(text):
                if not header:
                    self.unknown_includes.append(header)
                    continue
                found = self.load(header, angled, includer)
                if isinstance(found, Refusal):
                    if not angled:
                        self.unknown_includes.append(header)
                elif found.name not in seen and len(seen) < MAX_INCLUDE_DEPTH:
                    seen.add(found.name)
                    names |= hidden_names(found.text.data)
                    pending.append((found.text.data, found.name))
        return names
