"""Conditional inclusion (C99 6.10.1): selects branches and records what the selection depends on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.source.conditional_state import Conditional, UndecidedConditional
from openclsp.source.conditions import Verdict, evaluate
from openclsp.source.document import Document, DocumentName
from openclsp.source.expansion import TooLarge
from openclsp.source.lexer import (
    IDENTIFIER,
    STRING,
    Token,
    lex_line,
    token_end,
    token_start,
)
from openclsp.source.line_reader import Reader
from openclsp.source.macro_history import MacroChange
from openclsp.source.macros import Macro, Special, spell
from openclsp.source.options import Refusal
from openclsp.source.predefined_macros import number
from openclsp.source.preprocessing_run import Session
from openclsp.source.special_lines import special_lines
from openclsp.source.unsettled_macros import is_include_guard, unsettled_macros

OPENING: Final = frozenset((b"if", b"ifdef", b"ifndef"))
BRANCHING: Final = frozenset((b"elif", b"elifdef", b"elifndef", b"else"))


class Conditionals(Reader):
    """The part of a document's reader that processes conditional directives."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.conditionals: list[Conditional] = []
        self.undecided: list[UndecidedConditional] = []
        self.inactive: list[tuple[int, int]] = []
        """Line ranges of inactive branches, ends exclusive"""
        self.loads: list[tuple[str, bool, DocumentName, Document | Refusal]] = []
        """Name, whether angled, includer and result of each include resolved: a dependency"""
        self.unknown_includes: list[str] = []
        self.changes: list[MacroChange] = []
        """The macro changes in order"""
        self.effects: dict[bytes, Macro | None] = {}
        """The final definition of each macro changed; None if it is undefined"""
        self.newly_defined: set[bytes] = set()
        self.defined_queried: dict[bytes, bool] = {}
        """For each name of which it mattered and that was not in `newly_defined`: whether it was in `Session.defined`"""

    def open_conditional(self, kind: bytes, tokens: list[Token], after: int) -> int:
        """Processes #if, #ifdef or #ifndef.

        Returns the line to continue at: `after` if the condition is true, else the first line of the selected
        branch, or the line after the #endif if no branch is selected.
        """
        verdict = self._verdict(kind, tokens)
        conditional = Conditional(token_start(tokens[0]), token_end(tokens[-1]), verdict.value)
        conditional.changes = len(self.changes)
        self._follow(conditional, verdict)
        self.conditionals.append(conditional)
        if not verdict.value:
            return self._skip(after, conditional)
        conditional.read_from = self.text.line_start(after)
        return after

    def _follow(self, conditional: Conditional, verdict: Verdict) -> None:
        """Adds the dependencies of a further condition, whose result is `verdict`, to a conditional."""
        conditional.unknown += verdict.unknown
        conditional.tentative |= verdict.tentative
        is_doubtful = self.session.lacks_header or verdict.compares_undefined
        conditional.doubtful |= is_doubtful and bool(self.guessed(verdict.unknown))

    def branch(self, kind: bytes, tokens: list[Token], after: int) -> int:
        """Processes a #elif or #else after the active branch.

        Returns the line after the #endif.
        """
        if not self.conditionals:
            self.directive_error(tokens, f"#{kind.decode()} without #if")
            return after
        conditional = self.conditionals[-1]
        self._after_else(kind, tokens, conditional)
        _end_branch(conditional, token_start(tokens[0]))
        return self._skip(after, conditional)

    def _after_else(self, kind: bytes, tokens: list[Token], conditional: Conditional) -> None:
        if conditional.seen_else:
            self.directive_error(tokens, f"#{kind.decode()} after #else")
        conditional.seen_else |= kind == b"else"
        if kind == b"else":
            self.nothing_more(tokens)

    def close(self, conditional: Conditional, at: int) -> None:
        """Closes a conditional whose #endif begins at `at`.

        If its conditions read undefined names, it is recorded as an `UndecidedConditional`.
        """
        _end_branch(conditional, at)
        if not conditional.unknown:
            return
        read = tuple(conditional.read)
        if conditional.doubtful:
            # The branches may be chosen otherwise with the missing header: macros that they set to something
            # but a number are of unknown value from here on. An include guard or a default value is exempt.
            names = frozenset(token[1] for token in conditional.unknown)
            before: dict[bytes, Macro | None] = {}
            for change in self.changes[conditional.changes :]:
                before.setdefault(change.name, change.before)
            table = self.session.table
            if not conditional.left_out and is_include_guard(names, before, table):
                read = ()
            else:
                left_out = [self.data[start:end] for start, end in conditional.left_out]
                for macro in list(unsettled_macros(before, table, left_out, names)):
                    self.set_macro(macro.name, macro, at)
        self.undecided.append(
            UndecidedConditional(
                conditional.start,
                conditional.end,
                conditional.unknown,
                tuple(conditional.left_out),
                read if conditional.doubtful else (),
                at,
            )
        )

    def set_macro(self, name: bytes, macro: Macro | None, offset: int) -> None:
        """Defines a macro from `offset` on; undefines it if `macro` is None."""
        table = self.session.table
        before = table.get(name)
        if macro is None or before is None or not before.same_as(macro):
            self.session.revision += 1
        self.session.expander.used.setdefault(name, before)
        self.changes.append(MacroChange(offset, name, before, macro))
        self.effects[name] = macro
        if macro is None:
            table.pop(name, None)
        else:
            table[name] = macro

    def _skip(self, begin: int, conditional: Conditional) -> int:
        """Skips inactive lines from `begin` on.

        Returns the line after the directive that begins an active branch or ends the conditional.
        """
        count = self.text.line_count
        after = begin
        depth = 0
        for row, _ in special_lines(self.text, begin, count):
            if row < after:
                continue
            tokens, end = lex_line(self.data, self.text.line_start(row))
            after = max(self.row_after(end), row + 1)
            if len(tokens) < 2 or tokens[0][1] not in (b"#", b"%:"):
                continue
            kind = tokens[1][1]
            if kind in OPENING:
                depth += 1
            elif kind == b"endif":
                if depth == 0:
                    self.nothing_more(tokens)
                    self._inactive(begin, row, conditional)
                    self.conditionals.pop()
                    self.close(conditional, token_start(tokens[0]))
                    return after
                depth -= 1
            elif kind in BRANCHING and depth == 0:
                self._inactive(begin, row, conditional)
                begin = after
                if self._enters(kind, tokens, conditional):
                    conditional.read_from = self.text.line_start(after)
                    return after
        self._inactive(begin, count, conditional)
        return count

    def _enters(self, kind: bytes, tokens: list[Token], conditional: Conditional) -> bool:
        """Processes a #elif or #else after an inactive branch; returns whether the new branch is selected."""
        self._after_else(kind, tokens, conditional)
        if conditional.taken:
            return False
        if kind == b"else":
            conditional.taken = True
            return True
        verdict = self._verdict(kind[2:], tokens)
        self._follow(conditional, verdict)
        conditional.taken = verdict.value
        return verdict.value

    def _inactive(self, begin: int, end: int, conditional: Conditional) -> None:
        if begin < end:
            self.inactive.append((begin, end))
            if conditional.unknown:
                conditional.left_out.append((self.text.line_start(begin), self.text.line_start(end)))

    def _verdict(self, kind: bytes, tokens: list[Token]) -> Verdict:
        rest = tokens[2:]
        if kind in (b"ifdef", b"ifndef"):
            if not rest or rest[0][0] != IDENTIFIER:
                message = "macro name missing" if not rest else "macro name must be an identifier"
                self.directive_error(tokens, message)
                return Verdict(False, ())
            found = self._is_defined(rest[0])
            if len(rest) > 1:
                self.extra_tokens(tokens[1], rest[1])
            sure = found and not self._may_be_undefined(rest[0])
            return Verdict(found == (kind == b"ifdef"), () if sure else (rest[0],))
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
        names = [self._placed(token, tokens) for token in (*unknown, *verdict.unknown)]
        if verdict.fault is not None and not self.guessed(verdict.unknown):
            # the host's definition need not be a 0: it may be a divisor, a function-like macro, several
            # tokens
            self.report("condition", "error", verdict.fault, token_start(tokens[0]), token_end(tokens[-1]))
        table = self.session.table
        macros = (table.get(token[1]) for token in rest if token[0] == IDENTIFIER)
        tentative = any(macro is not None and macro.default for macro in macros)
        if tentative and self.session.lacks_header:
            names += [token for token in rest if token[0] == IDENTIFIER and self._is_default(token)]
        return Verdict(
            verdict.value, tuple(names), tentative=tentative, compares_undefined=verdict.compares_undefined
        )

    def _is_default(self, name: Token) -> bool:
        macro = self.session.table.get(name[1])
        return macro is not None and macro.default

    def _may_be_undefined(self, name: Token) -> bool:
        """Whether a macro is defined, but a missing header may leave it undefined."""
        macro = self.session.table.get(name[1])
        return macro is not None and macro.unsettled and not macro.default

    def _placed(self, token: Token, tokens: Sequence[Token]) -> Token:
        """Returns the token with an offset in this document.

        A token from a macro expansion gets the offset of the condition's first token. `tokens` are those of
        the directive.
        """
        if isinstance(token[3], int):
            return token
        return (token[0], token[1], token[2], token_start(tokens[min(2, len(tokens) - 1)]))

    def _is_defined(self, name: Token) -> bool:
        macro = self.session.table.get(name[1])
        self.session.expander.used.setdefault(name[1], macro)
        return macro is not None and not (macro.special is Special.PRAGMA)

    def _answer_operators(self, tokens: Sequence[Token], unknown: list[Token]) -> list[Token]:
        """Replaces `defined X` and `__has_include(…)` in the tokens by their values.

        Called before and after macro expansion: the operand of `defined` is not expanded (C99 6.10.1p4), but
        an expansion may produce `defined`. A malformed operator stays in the tokens, and the evaluator
        reports it. Operands of `defined` that are not certainly defined are added to `unknown`.
        """
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
                    if not found or self._may_be_undefined(tokens[at]):
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
        header = header_name(tokens)
        if header is None:
            header = header_name(self.session.expander.expand_all(tokens, self, 0))
        if header is None:
            return False
        return isinstance(self.load(*header), Document)

    def load(self, name: str, angled: bool, includer: DocumentName | None = None) -> Document | Refusal:
        """Resolves an include in `includer` (default: this document), and records it as a dependency."""
        includer = includer or self.document.name
        found = self.session.loader.load(name, angled, includer)
        self.loads.append((name, angled, includer, found))
        return found

    def row_after(self, end: int) -> int:
        """Returns the line after a logical line that ends at `end`."""
        data = self.data
        if end >= len(data) and not data.endswith((b"\n", b"\r")):
            return self.text.line_count
        return self.text.line_of(end)

    def guessed(self, unknown: Sequence[Token]) -> tuple[Token, ...]:
        """Returns the undefined names that the host may define; the other ones are certainly undefined."""
        return tuple(
            token for token in unknown if self._is_unsettled(token) or self._is_never_defined(token[1])
        )

    def _is_never_defined(self, name: bytes) -> bool:
        """Whether nothing read so far defines the name of a macro, and no device predefines it."""
        session = self.session
        is_defined = name in session.defined
        if name not in self.newly_defined:
            self.defined_queried.setdefault(name, is_defined)
        return not is_defined and name.decode("utf-8", "replace") not in session.options.known

    def _is_unsettled(self, name: Token) -> bool:
        """Whether a missing header may change the value of a macro."""
        macro = self.session.table.get(name[1])
        return macro is not None and (macro.unsettled or (macro.default and self.session.lacks_header))

    def directive_error(self, tokens: Sequence[Token], message: str) -> None:
        """Reports an error at the name of a directive."""
        self.report("directive", "error", message, token_start(tokens[0]), token_end(tokens[1]))

    def nothing_more(self, tokens: Sequence[Token]) -> None:
        """Reports a warning if tokens follow the name of a directive that takes none."""
        if len(tokens) > 2:
            self.extra_tokens(tokens[1], tokens[2])

    def extra_tokens(self, name: Token, token: Token) -> None:
        """Reports the tokens at the end of directive `name`, from `token` on, as a warning."""
        shown = name[1].decode("utf-8", "replace")
        self.report(
            "extra-tokens",
            "warning",
            f"extra tokens at end of #{shown} directive",
            token_start(token),
            token_end(token),
        )


def _end_branch(conditional: Conditional, at: int) -> None:
    """Records that the active branch, if there is one, ends at `at`."""
    if conditional.read_from >= 0:
        conditional.read.append((conditional.read_from, at))
        conditional.read_from = -1


def header_name(tokens: Sequence[Token], data: bytes | None = None) -> tuple[str, bool] | None:
    """Returns the header's name in an include operand, and whether it is in angle brackets.

    Returns None if the operand has another form. With `data`, a name in angle brackets is read from the raw
    text.
    """
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
