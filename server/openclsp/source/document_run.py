"""The state of preprocessing one document, from which the result is assembled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.source.brace_nesting import ALL_BALANCED, Nesting
from openclsp.source.code_extraction import Code, code_of
from openclsp.source.conditional_state import UndecidedConditional
from openclsp.source.directives import Directives
from openclsp.source.document import Document
from openclsp.source.hidden_names import hidden_names, included_names, is_balanced
from openclsp.source.include_cache import IncludeCache
from openclsp.source.lexer import lex_spelling, token_end, token_start
from openclsp.source.line_table import LineTable
from openclsp.source.macro_history import History
from openclsp.source.macros import Macro, spell
from openclsp.source.offset_map import OffsetMap
from openclsp.source.options import ForcedInclude, Refusal
from openclsp.source.preprocessed import (
    TEMPLATE,
    Guess,
    Inclusion,
    NameRead,
    Pragma,
    Preprocessed,
    Problem,
    Trace,
    in_order,
)
from openclsp.source.preprocessing_run import (
    MAX_INCLUDE_DEPTH,
    Session,
)
from openclsp.source.source_map import SourceMap
from openclsp.source.text import line_starts


class DocumentRun(Directives):
    """A preprocessing run over one document.

    It has the state of the run and assembles the result. The subclass `UnitRun` processes includes.
    """

    def __init__(
        self,
        document: Document,
        session: Session,
        cache: IncludeCache,
        forced: Sequence[ForcedInclude] = (),
        first_row: int = 0,
        code: Code | None = None,
    ) -> None:
        self.code = code_of(document.text) if code is None else code
        super().__init__(Document(document.name, self.code.text), session, first_row)
        self.whole = document
        """The document as given, whereas `document` contains its code only"""
        self.splices = False
        """Whether an included document was spliced into a line"""
        self.cache = cache
        self.forced = forced
        self.inclusions: list[tuple[int, int, int, Preprocessed]] = []
        """Row, start and end of the directive, and unit of each document included between items"""
        self.foreign_problems: list[Problem] = []
        self.foreign_guesses: list[Guess] = []
        self.words: frozenset[bytes] = frozenset()
        """The words of the included documents"""
        self.once_queried: dict[str, bool] = {}
        """For each document that an include named: whether it was in `Session.once` the first time"""
        self.height = 0
        """Levels of inclusion nested in this document"""
        self.bytes_reused = 0
        """Upper bound of the bytes that macros produced in rows reused from an earlier run"""
        self.steps_reused = 0
        """Upper bound of the steps of expansion in rows reused from an earlier run"""
        self.steps_included = 0
        """The steps of expansion in included documents"""
        self._steps_left = session.expander.steps_left
        self.places: dict[Macro, tuple[int, int]] = {}
        """Present places (start, end) of macros defined in an earlier run"""
        self._nesting = Nesting()
        self._closed_more = False
        self._fed = 0
        """Number of output pieces that `_nesting` has processed"""

    def _blank(self, row: int, after: int) -> None:
        row = max(row, self.output.row)
        empty_end = after == self.text.line_count and self.text.line_start(after - 1) == len(self.data)
        self.output.blank_rows(after - row, empty_end and after > row)

    def _emit_template(self) -> None:
        """Reports that the document is a template, if it is one.

        Any unknown name in it may then come from an inserted value.
        """
        template = self.code.template
        if template is None:
            return
        first = template.constructs[0]
        message = f"this is {template.kind}: diagnostics that depend on inserted values are not reported"
        self.report(TEMPLATE, "hint", message, first.start, first.end)
        self.unknown_includes.append(self.document.name)

    def closes_more(self) -> bool:
        """Whether the document's own text closes brackets that it does not open."""
        self._nesting.feed(b"".join(self.output.pieces[self._fed :]))
        self._fed = len(self.output.pieces)
        return self._closed_more or self._nesting.depth < 0

    def result(self) -> Preprocessed:
        """Assembles the result; called after the whole document has been read."""
        output = self.output
        text = b"".join(output.pieces)
        lines = LineTable.of(line_starts(text, 0))
        table = self.session.table.copy()
        history = History(table, tuple(self.changes), self.places)
        rows = tuple(output.rows)
        guesses = [self._guess(undecided) for undecided in self.undecided]
        pragmas = [
            Pragma(lines.start(row) + column, pragma, document, start, end)
            for row, column, pragma, document, start, end in sorted(
                [*self.pragmas, *self.operator_pragmas()], key=lambda pragma: pragma[:2]
            )
        ]
        return Preprocessed(
            self.whole,
            text,
            SourceMap(self.document, text, lines, rows, OffsetMap(), history),
            (*sorted(self.problems, key=in_order), *self.foreign_problems),
            tuple(sorted(self.inactive)),
            tuple(pragmas),
            tuple(Inclusion(lines.start(row), start, end, unit) for row, start, end, unit in self.inclusions),
            tuple(self.unknown_includes),
            (*[guess for guess in guesses if guess is not None], *self.foreign_guesses),
            table,
            Trace(
                self.stateful or self.session.has_exceeded_steps,
                bool(self.positional),
                self.splices,
                self.entangled,
                self.session.names_formed(),
                self.bytes_reused + output.bytes_produced,
                self.steps_reused + self.own_steps,
                self.steps_included,
                self.session.unbalanced != ALL_BALANCED,
                frozenset(self.session.too_large),
            ),
            self.code,
        )

    @property
    def own_steps(self) -> int:
        """The steps of macro expansion that this run has taken in the document itself."""
        return self._steps_left - self.session.expander.steps_left - self.steps_included

    def operator_pragmas(self) -> Iterator[tuple[int, int, str, str, int, int]]:
        """Yields each `_Pragma` operator as row, column, text, document, start offset and end offset."""
        name = self.document.name
        for row, column, text, origin in self.output.pragmas:
            start = origin if isinstance(origin, int) else self.text.line_start(row)
            shown = spell(lex_spelling(text)).decode("utf-8", "replace")
            yield row, column, shown, name, start, start + len(b"_Pragma")

    def _guess(self, undecided: UndecidedConditional) -> Guess | None:
        """Returns the `Guess` for a conditional with undefined names in its conditions.

        It contains the names that the inactive branches would declare. Returns None if the host can
        define none of the undefined names.
        """
        unknown = self.guessed(undecided.unknown)
        if not unknown:
            return None
        name = self.document.name
        names: list[NameRead] = []
        for token in unknown:
            start, end = token_start(token), token_end(token)
            names.append(NameRead(token[1].decode("utf-8", "replace"), name, start, end))
        hidden: set[str] = set()
        unbalanced = includes = False
        for start, end in undecided.left_out:
            text = self.data[start:end]
            unbalanced = unbalanced or not is_balanced(text)
            includes = includes or any(included_names(text))
            hidden |= hidden_names(text)
            hidden |= self._names_behind(text)
        return Guess(
            name,
            undecided.start,
            undecided.end,
            tuple(names),
            frozenset(hidden),
            unbalanced,
            undecided.read,
            undecided.closed,
            includes,
        )

    def _names_behind(self, text: bytes) -> set[str]:
        """Returns all names that the documents included by a text may declare, in any of their branches.

        A quoted include that cannot be loaded, or one whose name a macro gives, may declare any name; it is
        added to `unknown_includes`. An include in angle brackets that is not found is ignored: it is a system
        header of another language, because OpenCL C has none.
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
