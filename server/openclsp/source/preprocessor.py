"""The preprocessor: expands a document and the documents that it includes.

The result consists of the expanded text, the source map, the problems found, and the dependencies.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Generator
from typing import Final, Literal, TypeAlias, TypeVar

from openclsp.source.brace_nesting import ALL_BALANCED, Nesting, UnbalancedBrackets
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.directives import Include
from openclsp.source.document import Document
from openclsp.source.document_run import DocumentRun
from openclsp.source.expansion import MAXIMUM_PRODUCED_BYTES
from openclsp.source.include_cache import Effects, Entry, IncludeDependencies, unread_macros
from openclsp.source.include_splicing import flattened
from openclsp.source.lexer import lex_line
from openclsp.source.macro_history import MacroChange
from openclsp.source.macros import Macro
from openclsp.source.options import NOT_FOUND, Loader, PreprocessorOptions, Refusal, UnreadInclude
from openclsp.source.preprocessed import INCLUDE_LIMIT, Preprocessed
from openclsp.source.preprocessing_run import MAX_INCLUDE_DEPTH, MAX_INCLUDED_BYTES, MAX_INCLUDES, Session

_CHANGES: Final = re.compile(rb"__INCLUDE_LEVEL__|__COUNTER__")
_INSERTED: Final = re.compile(r"\{\{|[$#]\{|<%|@\w+@")
"""Part of a header's name that a template engine inserts"""
"""Macros that may expand differently on each inclusion although no name is redefined"""

Units: TypeAlias = Generator["UnitRun", Preprocessed, None]
Rows: TypeAlias = Generator["UnitRun", Preprocessed, int]


Run = TypeVar("Run", bound="UnitRun")


def preprocess_balanced(
    document: Document,
    options: PreprocessorOptions,
    loader: Loader,
    begin: Callable[[Session], Run],
    checkpoint: Checkpoint = no_checkpoint,
) -> tuple[Run, Preprocessed]:
    """Preprocesses a document with the run that `begin` creates; returns the run and its result.

    The first attempt preprocesses the text after a header as if the brackets of the header were balanced. If
    other text may close a bracket that a header leaves open, a second attempt splices such headers into the
    including line. The second attempt is avoided if possible: all text after the header becomes one logical
    line, which each edit expands again (1.2 s instead of 4 ms with hashcat's headers).
    """
    session = Session.begin(options, loader, checkpoint=checkpoint)
    session.within.append((document.name, 0))
    run = begin(session)
    unit = drive(run)
    if session.unbalanced.opened and (run.closes_more() or _may_close(session, unit)):
        session = Session.begin(options, loader, checkpoint=checkpoint)
        session.within.append((document.name, 0))
        session.joins_unbalanced = True
        run = begin(session)
        unit = drive(run)
    return run, unit


def _may_close(session: Session, unit: Preprocessed) -> bool:
    """Whether text outside a header may close a bracket that the header leaves open.

    Text of missing headers and inactive branches counts too.
    """
    return (
        session.unbalanced.closed
        or session.lacks_header
        or any(guess.unbalanced for each in unit.with_included() for guess in each.guesses)
    )


def drive(run: UnitRun) -> Preprocessed:
    """Completes the run over a document and over all documents that it includes.

    An explicit stack replaces recursion, so that includes may be nested to any depth.
    """
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


class UnitRun(DocumentRun):
    """A preprocessing run over one document, as a generator of the runs over included documents."""

    def steps(self) -> Units:
        """Processes the whole document.

        Yields the run of each included document, and must be sent the result of that run.
        """
        self._emit_template()
        for forced in self.forced:
            if isinstance(forced, UnreadInclude):
                self.unknown_includes.append(forced.name)
                self.session.lacks_header = True
            else:
                entry = yield from self._enter_include(forced, 0)
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
        """Processes the rows from `row` to `last` (exclusive); returns the next row to process."""
        specials = self.special_rows(row, last)
        index = 0
        while row < last:
            while index < len(specials) and specials[index] < row:
                index += 1
            stop = specials[index] if index < len(specials) else last
            row = self.plain_rows(row, stop) if row < stop else (yield from self._special_row(row))
        return row

    def _special_row(self, row: int) -> Rows:
        """Processes the directive at a row, or expands the logical line; returns the next row to process."""
        tokens, end = lex_line(self.data, self.text.line_start(row))
        if not tokens or tokens[0][1] not in (b"#", b"%:"):
            return self.line(row)
        after = self.directive(tokens, end)
        if isinstance(after, Include):
            yield from self._process_include(after, row)
            after = after.after
        self._blank(row, after)
        return after

    # ---- includes ----

    def _process_include(self, include: Include, row: int) -> Units:
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
            elif _INSERTED.search(include.name) is None:
                # missing headers are reported in one diagnostic; a refused file is reported with its own
                # reason
                name = include.name if found == NOT_FOUND else ""
                self.report("include-not-found", "hint", message, start, end, name)
            return
        self.once_queried.setdefault(found.name, found.name in session.once)
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
            if deep:
                self._leave_out(include, "#include nested too deeply", "error")
            else:
                self._leave_out(include, "too many or too large included files: the rest is skipped")
            return
        entry = yield from self._enter_include(found, include.start)
        self._place_include(entry, include, row)

    def _leave_out(
        self, include: Include, message: str, severity: Literal["error", "warning"] = "warning"
    ) -> None:
        """Reports an include that is not read; the limits that only openclsp has are no errors."""
        self.unknown_includes.append(include.name)
        self.report(INCLUDE_LIMIT, severity, message, include.start, include.end)

    def _is_endless(self, found: Document, include: Include) -> bool:
        """Whether a document would include itself endlessly; reports an error if so.

        That is the case if the document is being read already and no macro has changed since its beginning:
        its conditions would select the same branches again.
        """
        session = self.session
        if (found.name, session.revision) not in session.within or _CHANGES.search(found.text.data):
            return False
        session.circular = True
        names = [os.path.basename(name) for name, _ in session.within]
        cycle = names[session.within.index((found.name, session.revision)) :]
        path = " \N{RIGHTWARDS ARROW} ".join((*cycle, cycle[0]))
        message = f"cyclic include {path}: this one is skipped"
        if all(problem.message != message for problem in self.problems):
            self.report(INCLUDE_LIMIT, "error", message, include.start, include.end)
        return True

    def _enter_include(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        """Returns the cached result of an included document, or preprocesses it; applies its effects."""
        session = self.session
        steps_left = session.expander.steps_left
        entry = self.cache.find(document, session)
        if entry is None:
            entry = yield from self._nested(document, offset)
        else:
            session.includes += entry.count
            session.included_bytes += entry.size
            session.expander.steps_left -= entry.steps
            self._replay(entry, offset)
        self.steps_included += steps_left - session.expander.steps_left
        self._adopt(entry)
        return entry

    def _nested(self, document: Document, offset: int) -> Generator[UnitRun, Preprocessed, Entry]:
        """Preprocesses an included document; returns and caches the result with its dependencies.

        A result is not cached if it depends on something that is not recorded: a counter, the include level,
        a limit that was reached, or an include cycle.
        """
        session = self.session
        expander = session.expander
        run, words, looked_up = self._run_over(document)
        lacks_header = session.lacks_header
        outer_used, expander.used = expander.used, looked_up
        outer_recording, expander.recording = expander.recording, True
        counter, count, size = session.counter, session.includes, session.included_bytes
        too_large, steps_allowed = frozenset(session.too_large), expander.steps_allowed
        steps_left = expander.steps_left
        outer_unbalanced, session.unbalanced = session.unbalanced, ALL_BALANCED
        session.includes += 1
        session.included_bytes += len(document.text.data)
        session.depth += 1
        session.within.append((document.name, session.revision))
        unit = yield run
        session.within.pop()
        session.depth -= 1
        # the names that the included document read are its dependencies; `_adopt` adds them to this
        # document's
        used, expander.used = expander.used, outer_used
        expander.recording = outer_recording
        before: dict[bytes, Macro | None] = {}
        for change in run.changes:
            before.setdefault(change.name, change.before)
        words |= run.words
        inputs = IncludeDependencies(
            used,
            words,
            unread_macros(words, used, before, session.table),
            tuple(run.loads),
            run.once_queried,
            run.defined_queried,
            too_large,
            steps_allowed,
            run.height,
            lacks_header,
        )
        effects = Effects(
            run.effects,
            frozenset(run.newly_defined),
            frozenset(run.once_effects),
            session.lacks_header,
            frozenset(session.too_large),
            expander.steps_allowed,
        )
        count, size = session.includes - count, session.included_bytes - size
        nesting = Nesting()
        nesting.feed(unit.text)
        entry = Entry(
            inputs,
            unit,
            effects,
            nesting.ended,
            nesting.depth,
            count,
            size,
            steps_left - expander.steps_left,
            session.unbalanced,
            session.joins_unbalanced,
        )
        session.unbalanced = outer_unbalanced
        if (
            counter == session.counter
            and b"__INCLUDE_LEVEL__" not in used
            and not (session.stopped or session.circular or expander.steps_left < 0)
        ):
            self.cache.add(document, entry)
        # To the includer, all changes of the included document happen at the directive.
        now = session.table.get
        self.changes.extend(MacroChange(offset, name, macro, now(name)) for name, macro in before.items())
        self.effects.update(run.effects)
        return entry

    def _run_over(self, document: Document) -> tuple[UnitRun, frozenset[bytes], dict[bytes, Macro | None]]:
        """Creates a run over an included document.

        Also returns the words of the document, and the macros that count as looked up from the start. If the
        new run reuses the result of an earlier run, these are the macros that the earlier run looked up;
        otherwise none.
        """
        return UnitRun(document, self.session, self.cache), self.cache.words(document.text.data), {}

    def _replay(self, entry: Entry, offset: int) -> None:
        """Applies the effects of a cached result to the session, at `offset` of this document."""
        for name, macro in entry.effects.macros.items():
            self.set_macro(name, macro, offset)
        self.session.defined |= entry.effects.defined
        self.session.once |= entry.effects.once
        self.session.lacks_header |= entry.effects.lacks_header
        self.session.too_large |= entry.effects.too_large
        self.session.expander.steps_allowed = entry.effects.steps_allowed

    def _adopt(self, entry: Entry) -> None:
        """Adds the dependencies of an included document to those of this document."""
        inputs = entry.inputs
        used = self.session.expander.used
        self.session.unbalanced = self.session.unbalanced.with_(entry.unbalanced)
        for name, macro in inputs.macros.items():
            used.setdefault(name, macro)
        for document, included in inputs.once.items():
            self.once_queried.setdefault(document, included)
        for name, defined in inputs.defined.items():
            if name not in self.newly_defined:
                self.defined_queried.setdefault(name, defined)
        self.words |= inputs.words
        self.loads.extend(inputs.loads)
        self.newly_defined |= entry.effects.defined
        self.once_effects |= entry.effects.once
        self.height = max(self.height, inputs.height + 1)

    def _place_include(self, entry: Entry, include: Include, row: int) -> None:
        """Adds the result of an included document to that of this document.

        Between items, the included document keeps a result of its own. Elsewhere, its tokens are spliced into
        the line.
        """
        pieces = self.output.pieces
        self._nesting.feed(b"".join(pieces[self._fed :]))
        self._fed = len(pieces)
        if self._nesting.depth < 0:
            # what nothing opened ends no item
            self._nesting.depth, self._closed_more = 0, True
        if entry.ended and self._nesting.between_items:
            session = self.session
            if entry.depth:
                session.unbalanced = session.unbalanced.with_(
                    UnbalancedBrackets(entry.depth > 0, entry.depth < 0)
                )
            if not entry.depth or not session.joins_unbalanced:
                self.inclusions.append((row, include.start, include.end, entry.unit))
                return
        self.splices = True
        output = self.output
        if output.bytes_produced > MAXIMUM_PRODUCED_BYTES:
            self._leave_out(include, "the included text is too large: it is left out")
            return
        before = output.column
        output.begin(include.start)
        for text, flags, origin, document in flattened(entry.unit):
            output.token(text, flags, origin, document)
        output.bytes_produced += output.column - before
        for part in entry.unit.with_included():
            self.foreign_problems.extend(part.problems)
            self.foreign_guesses.extend(part.guesses)
            self.unknown_includes.extend(part.unknown_includes)
            self.pragmas.extend(
                (row, 0, pragma.text, pragma.document, pragma.start, pragma.end) for pragma in part.pragmas
            )
        output.end_row(include.end)
