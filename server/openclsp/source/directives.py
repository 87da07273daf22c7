"""Obeys the directives of one document (C99 6.10)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from openclsp.source.conditions import Verdict, evaluate
from openclsp.source.document import Document, DocumentName
from openclsp.source.expander import TooLarge
from openclsp.source.history import Change
from openclsp.source.lexer import (
    IDENTIFIER,
    NUMBER,
    STRING,
    Token,
    lex_line,
    token_end,
    token_start,
)
from openclsp.source.macros import Macro, Special, number, parse_definition, spell
from openclsp.source.options import Refusal
from openclsp.source.reader import Reader, string_content
from openclsp.source.session import Session

_OPENING: Final = frozenset((b"if", b"ifdef", b"ifndef"))
_BRANCHING: Final = frozenset((b"elif", b"elifdef", b"elifndef", b"else"))
_INCLUDING: Final = frozenset((b"include", b"include_next", b"import"))
_IGNORED: Final = frozenset((b"ident", b"sccs", b"assert", b"unassert"))
_MAX_CONDITIONALS: Final = 10_000


@dataclass(slots=True)
class Conditional:
    """An #if that is open. `unknown`: the undefined names that its conditions read so far."""

    start: int
    end: int
    taken: bool
    seen_else: bool = False
    unknown: tuple[Token, ...] = ()
    left_out: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Question:
    """A group of conditions that read undefined names, and the text that it left out."""

    start: int
    end: int
    unknown: tuple[Token, ...]
    left_out: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Include:
    """An #include to be obeyed: `start` to `end` is the directive, the name stands at `name_start` to `name_end`."""

    name: str
    angled: bool
    imported: bool
    start: int
    end: int
    name_start: int
    name_end: int
    after: int


class Directives(Reader):
    """A reader that obeys directives."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.conditionals: list[Conditional] = []
        self.questions: list[Question] = []
        self.inactive: list[tuple[int, int]] = []
        self.pragmas: list[tuple[int, int, str, DocumentName, int, int]] = []
        self.changes: list[Change] = []
        self.effects: dict[bytes, Macro | None] = {}
        self.newly_defined: set[bytes] = set()
        self.loads: list[tuple[str, bool, DocumentName, Document | Refusal]] = []
        self.once_effects: set[DocumentName] = set()
        self._pushed: dict[bytes, list[Macro | None]] = {}
        self._all_special: list[int] | None = None
        self._in_call = False

    # ---- dispatch ----

    def directive(self, row: int, tokens: list[Token], end: int) -> int | Include:
        """Obeys the directive of line `row`; returns the next line to read, or the include to obey."""
        after = self.row_after(end)
        if len(tokens) < 2:
            return after
        name = tokens[1]
        text, rest = name[1], tokens[2:]
        if text in _OPENING:
            return self._open_conditional(text, tokens, after)
        if text in _BRANCHING:
            return self._branch(text, tokens, after)
        if text == b"endif":
            if self.conditionals:
                self._close(self.conditionals.pop())
                self._nothing_more(tokens)
            else:
                self._directive_error(tokens, "#endif without #if")
            return after
        if text in _INCLUDING:
            return self._include(tokens, end, after)
        if text == b"define":
            self._define(tokens)
        elif text == b"undef":
            self._undefine(tokens)
        elif text in (b"error", b"warning"):
            self._say(text, tokens)
        elif text == b"pragma":
            self._pragma(tokens, rest)
        elif text == b"line" or name[0] == NUMBER:
            self._line(rest if text == b"line" else tokens[1:], tokens, after)
        elif text not in _IGNORED:
            shown = text.decode("utf-8", "replace")
            self.report(
                "unknown-directive",
                "error",
                f"invalid preprocessing directive '#{shown}'",
                token_start(name),
                token_end(name),
            )
        return after

    def row_after(self, end: int) -> int:
        """The line that begins at `end`, the end of a logical line."""
        data = self.data
        if end >= len(data) and not data.endswith((b"\n", b"\r")):
            return self.text.line_count
        return self.text.line_of(end)

    def directive_in_call(self, start: int, tokens: list[Token], end: int) -> int:
        """Obeys a directive within a call's arguments; returns the offset after what it governs."""
        if self.snapshot is None:
            self.snapshot = self._snapshot()
        consumed = self._consumed
        held = self._tokens, self._index
        after = self.directive(self.text.line_of(start), tokens, end)
        self._tokens, self._index = held
        self._consumed = consumed
        if isinstance(after, Include):
            self.report(
                "include-in-macro-arguments",
                "error",
                "embedding an #include directive within macro arguments is not supported",
                after.start,
                after.end,
            )
            after = after.after
        return self.text.line_start(after)

    def _snapshot(self) -> _Undo:
        return _Undo(self)

    def _directive_error(self, tokens: Sequence[Token], message: str) -> None:
        self.report("directive", "error", message, token_start(tokens[0]), token_end(tokens[1]))

    # ---- conditions ----

    def _open_conditional(self, kind: bytes, tokens: list[Token], after: int) -> int:
        verdict = self._verdict(kind, tokens)
        conditional = Conditional(token_start(tokens[0]), token_end(tokens[-1]), verdict.value)
        conditional.unknown = verdict.unknown
        self.conditionals.append(conditional)
        return after if verdict.value else self._skip(after, conditional)

    def _branch(self, kind: bytes, tokens: list[Token], after: int) -> int:
        if not self.conditionals:
            self._directive_error(tokens, f"#{kind.decode()} without #if")
            return after
        conditional = self.conditionals[-1]
        self._after_else(kind, tokens, conditional)
        return self._skip(after, conditional)

    def _after_else(self, kind: bytes, tokens: list[Token], conditional: Conditional) -> None:
        if conditional.seen_else:
            self._directive_error(tokens, f"#{kind.decode()} after #else")
        conditional.seen_else |= kind == b"else"
        if kind == b"else":
            self._nothing_more(tokens)

    def _close(self, conditional: Conditional) -> None:
        if conditional.unknown:
            self.questions.append(
                Question(conditional.start, conditional.end, conditional.unknown, tuple(conditional.left_out))
            )

    def _skip(self, row: int, conditional: Conditional) -> int:
        """Passes over inactive lines from `row` on; returns the line after the directive that ends them."""
        specials = self._specials()
        count = self.text.line_count
        begin = row
        depth = 0
        index = bisect_left(specials, row)
        while index < len(specials):
            row = specials[index]
            start = self.text.line_start(row)
            tokens, end = lex_line(self.data, start)
            after = self.row_after(end)
            index = index + 1 if after == row + 1 else bisect_left(specials, after, index + 1)
            if len(tokens) < 2 or tokens[0][1] not in (b"#", b"%:"):
                continue
            kind = tokens[1][1]
            if kind in _OPENING:
                depth += 1
            elif kind == b"endif":
                if depth == 0:
                    self._nothing_more(tokens)
                    self._inactive(begin, row, conditional)
                    self.conditionals.pop()
                    self._close(conditional)
                    return after
                depth -= 1
            elif kind in _BRANCHING and depth == 0:
                self._inactive(begin, row, conditional)
                begin = after
                if self._enters(kind, tokens, conditional):
                    return after
        self._inactive(begin, count, conditional)
        return count

    def _enters(self, kind: bytes, tokens: list[Token], conditional: Conditional) -> bool:
        """Whether the branch that begins here is the one to take."""
        self._after_else(kind, tokens, conditional)
        if conditional.taken:
            return False
        if kind == b"else":
            conditional.taken = True
            return True
        verdict = self._verdict(kind[2:], tokens)
        conditional.unknown += verdict.unknown
        conditional.taken = verdict.value
        return verdict.value

    def _inactive(self, begin: int, end: int, conditional: Conditional) -> None:
        if begin < end:
            self.inactive.append((begin, end))
            if conditional.unknown:
                conditional.left_out.append((self.text.line_start(begin), self.text.line_start(end)))

    def _specials(self) -> list[int]:
        if self._all_special is None:
            self._all_special = self.special_rows(0, self.text.line_count)
        return self._all_special

    def _verdict(self, kind: bytes, tokens: list[Token]) -> Verdict:
        rest = tokens[2:]
        if kind in (b"ifdef", b"ifndef"):
            if not rest or rest[0][0] != IDENTIFIER:
                message = "macro name missing" if not rest else "macro name must be an identifier"
                self._directive_error(tokens, message)
                return Verdict(False, ())
            found = self._is_defined(rest[0])
            if len(rest) > 1:
                self._extra(tokens[1], rest[1])
            return Verdict(found == (kind == b"ifdef"), () if found else (rest[0],))
        unknown = self.unanswered = []
        try:
            prepared = self._answer_operators(rest, unknown)
            self._consumed = token_end(tokens[-1])
            prepared = self.session.expander.expand_all(prepared, self, 0, condition=True)
            prepared = self._answer_operators(prepared, unknown)
        except TooLarge:
            return Verdict(False, ())
        verdict = evaluate(prepared)
        if not rest:
            verdict = Verdict(False, (), "expected value in expression")
        if verdict.fault is not None:
            self.report("condition", "error", verdict.fault, token_start(tokens[0]), token_end(tokens[-1]))
        names = [self._placed(token, tokens) for token in (*unknown, *verdict.unknown)]
        return Verdict(verdict.value, tuple(names))

    def _placed(self, token: Token, tokens: Sequence[Token]) -> Token:
        """The token with a place in this document: its own, else the condition's first."""
        if isinstance(token[3], int):
            return token
        return (token[0], token[1], token[2], token_start(tokens[min(2, len(tokens) - 1)]))

    def _is_defined(self, name: Token) -> bool:
        macro = self.session.table.get(name[1])
        self.session.expander.used.setdefault(name[1], macro)
        return macro is not None and not (macro.special is Special.PRAGMA)

    def _answer_operators(self, tokens: Sequence[Token], unknown: list[Token]) -> list[Token]:
        """The tokens with `defined X` and `__has_include(…)` replaced by their values."""
        result: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token[0] != IDENTIFIER:
                result.append(token)
                continue
            if token[1] == b"defined":
                parenthesised = at < len(tokens) and tokens[at][1] == b"("
                at += parenthesised
                if at < len(tokens) and tokens[at][0] == IDENTIFIER:
                    found = self._is_defined(tokens[at])
                    if not found:
                        unknown.append(tokens[at])
                    result.append(number(int(found)))
                    at += 1
                    if parenthesised and at < len(tokens) and tokens[at][1] == b")":
                        at += 1
                    elif parenthesised:
                        result.append(token)
                else:
                    result.append(token)
            elif token[1] in (b"__has_include", b"__has_include_next"):
                if at < len(tokens) and tokens[at][1] == b"(":
                    close = at + 1
                    while close < len(tokens) and tokens[close][1] != b")":
                        close += 1
                    result.append(number(int(self._has_include(tokens[at + 1 : close]))))
                    at = close + 1
                else:
                    result.append(token)
            else:
                result.append(token)
        return result

    def _has_include(self, tokens: Sequence[Token]) -> bool:
        header = _header(tokens)
        if header is None:
            header = _header(self.session.expander.expand_all(tokens, self, 0))
        if header is None:
            return False
        return isinstance(self.load(*header), Document)

    def load(self, name: str, angled: bool, includer: DocumentName | None = None) -> Document | Refusal:
        """The document that an include means, here or in `includer`; takes note of having asked."""
        includer = includer or self.document.name
        found = self.session.loader.load(name, angled, includer)
        self.loads.append((name, angled, includer, found))
        return found

    # ---- definitions ----

    def _define(self, tokens: list[Token]) -> None:
        parsed = parse_definition(tokens[2:], self.document.name)
        if not isinstance(parsed, Macro):
            if parsed.end:
                self.report(parsed.code, "error", parsed.message, parsed.start, parsed.end)
            else:
                self._directive_error(tokens, parsed.message)
            return
        old = self.session.table.get(parsed.name)
        if old is not None and not old.same_as(parsed):
            shown = parsed.name.decode("utf-8", "replace")
            message = f"redefining builtin macro '{shown}'" if old.special else f"'{shown}' macro redefined"
            start = token_start(tokens[2])
            self.report("macro-redefined", "warning", message, start, token_end(tokens[2]))
        self.session.defined.add(parsed.name)
        self.newly_defined.add(parsed.name)
        self.set_macro(parsed.name, parsed, token_start(tokens[0]))

    def _undefine(self, tokens: list[Token]) -> None:
        if len(tokens) < 3 or tokens[2][0] != IDENTIFIER:
            self._directive_error(
                tokens, "macro name missing" if len(tokens) < 3 else "macro name must be an identifier"
            )
            return
        if len(tokens) > 3:
            self._extra(tokens[1], tokens[3])
        self.set_macro(tokens[2][1], None, token_start(tokens[0]))

    def set_macro(self, name: bytes, macro: Macro | None, offset: int) -> None:
        """Gives a name another meaning from `offset` on."""
        table = self.session.table
        before = table.get(name)
        self.session.expander.used.setdefault(name, before)
        self.changes.append(Change(offset, name, before))
        self.effects[name] = macro
        if macro is None:
            table.pop(name, None)
        else:
            table[name] = macro

    def _nothing_more(self, tokens: Sequence[Token]) -> None:
        if len(tokens) > 2:
            self._extra(tokens[1], tokens[2])

    def _extra(self, name: Token, token: Token) -> None:
        shown = name[1].decode("utf-8", "replace")
        self.report(
            "extra-tokens",
            "warning",
            f"extra tokens at end of #{shown} directive",
            token_start(token),
            token_end(token),
        )

    # ---- the others ----

    def _say(self, kind: bytes, tokens: list[Token]) -> None:
        message = spell(tokens[2:]).decode("utf-8", "replace")
        severity: Final = "error" if kind == b"error" else "warning"
        guessed = any(self.guessed(conditional.unknown) for conditional in self.conditionals)
        self.report(
            "error-directive" if kind == b"error" else "warning-directive",
            "hint" if guessed else severity,
            message,
            token_start(tokens[0]),
            token_end(tokens[-1]),
        )

    def guessed(self, unknown: Sequence[Token]) -> tuple[Token, ...]:
        """Those of the undefined names that a host may define: the rest is known not to be."""
        session = self.session
        known = session.options.known
        return tuple(
            token
            for token in unknown
            if token[1] not in session.defined and token[1].decode("utf-8", "replace") not in known
        )

    def _pragma(self, tokens: list[Token], rest: list[Token]) -> None:
        start, end = token_start(tokens[0]), token_end(tokens[-1])
        if len(rest) == 1 and rest[0][1] == b"once":
            self.once_effects.add(self.document.name)
            self.session.once.add(self.document.name)
            return
        if len(rest) == 4 and rest[0][1] in (b"push_macro", b"pop_macro") and rest[2][0] == STRING:
            name = string_content(rest[2])
            if rest[0][1] == b"push_macro":
                self._pushed.setdefault(name, []).append(self.session.table.get(name))
                self.session.expander.used.setdefault(name, self.session.table.get(name))
            elif self._pushed.get(name):
                self.set_macro(name, self._pushed[name].pop(), start)
            return
        self.pragmas.append(
            (
                self.output.row,
                self.output.column,
                spell(rest).decode("utf-8", "replace"),
                self.document.name,
                start,
                end,
            )
        )

    def _line(self, rest: list[Token], tokens: list[Token], after: int) -> None:
        if rest and rest[0][0] == IDENTIFIER:
            rest = self.session.expander.expand_all(rest, self, 0)
        if not rest or rest[0][0] != NUMBER or not rest[0][1].isdigit():
            self._directive_error(tokens, "#line directive requires a positive integer argument")
            return
        self.stateful = True
        self.line_shift = int(rest[0][1][:10]) - after - 1
        if len(rest) > 1 and rest[1][0] == STRING:
            self.presumed_file = string_content(rest[1])

    def _include(self, tokens: list[Token], end: int, after: int) -> int | Include:
        rest = tokens[2:]
        header = _header(rest, self.data)
        if header is None and rest:
            try:
                self._consumed = token_end(tokens[-1])
                header = _header(self.session.expander.expand_all(rest, self, 0))
            except TooLarge:
                header = None
        if header is None or not header[0]:
            self._directive_error(tokens, 'expected "FILENAME" or <FILENAME>')
            return after
        return Include(
            header[0],
            header[1],
            tokens[1][1] == b"import",
            token_start(tokens[0]),
            token_end(tokens[-1]),
            token_start(rest[0]),
            token_end(rest[-1]),
            after,
        )


def _header(tokens: Sequence[Token], data: bytes | None = None) -> tuple[str, bool] | None:
    """The header's name and whether it stands in angle brackets; in `data` its raw text where it has one."""
    if not tokens:
        return None
    kind, text, _, _ = tokens[0]
    if kind == STRING and text[:1] == b'"':
        return text[1:-1].decode("utf-8", "surrogateescape"), False
    if text[:1] != b"<":
        return None
    if data is not None:
        start = token_start(tokens[0]) + 1
        close = data.find(b">", start)
        line = data[start : close if close >= 0 else start]
        if close < 0 or b"\n" in line:
            return None
        return line.decode("utf-8", "surrogateescape"), True
    spelled = spell(tokens)
    close = spelled.find(b">")
    return (spelled[1:close].decode("utf-8", "surrogateescape"), True) if close > 0 else None


class _Undo:
    """Brings back the state that a directive within a call's arguments changed."""

    def __init__(self, reader: Directives) -> None:
        self._reader = reader
        self._table = reader.session.table.copy()
        self._conditionals = [
            replace(conditional, left_out=list(conditional.left_out)) for conditional in reader.conditionals
        ]
        self._counts = len(reader.questions), len(reader.inactive), len(reader.pragmas), len(reader.changes)
        self._effects = dict(reader.effects)
        self._line = reader.line_shift, reader.presumed_file

    def __call__(self) -> None:
        reader = self._reader
        reader.session.table.clear()
        reader.session.table.update(self._table)
        reader.conditionals = self._conditionals
        questions, inactive, pragmas, changes = self._counts
        del reader.questions[questions:], reader.inactive[inactive:]
        del reader.pragmas[pragmas:], reader.changes[changes:]
        reader.effects = self._effects
        reader.line_shift, reader.presumed_file = self._line
