"""Conditional inclusion (C99 6.10.1): selects branches and records what the selection depends on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.source.condition_operators import ConditionOperators
from openclsp.source.conditional_state import Conditional, UndecidedConditional
from openclsp.source.conditions import Verdict, evaluate
from openclsp.source.document import Document
from openclsp.source.expansion import TooLarge
from openclsp.source.lexer import (
    IDENTIFIER,
    Token,
    lex_line,
    token_end,
    token_start,
)
from openclsp.source.macro_history import MacroChange
from openclsp.source.macros import Macro
from openclsp.source.preprocessing_run import Session
from openclsp.source.special_lines import special_lines
from openclsp.source.unsettled_macros import is_include_guard, unsettled_macros

OPENING: Final = frozenset((b"if", b"ifdef", b"ifndef"))
BRANCHING: Final = frozenset((b"elif", b"elifdef", b"elifndef", b"else"))


class Conditionals(ConditionOperators):
    """The part of a document's reader that processes conditional directives."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.conditionals: list[Conditional] = []
        self.undecided: list[UndecidedConditional] = []
        self.inactive: list[tuple[int, int]] = []
        """Line ranges of inactive branches, ends exclusive"""
        self.unknown_includes: list[str] = []
        self.changes: list[MacroChange] = []
        """The macro changes in order"""
        self.effects: dict[bytes, Macro | None] = {}
        """The final definition of each macro changed; None if it is undefined"""

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
        is_uncertain = self.session.lacks_header or verdict.compares_undefined
        conditional.uncertain |= is_uncertain and bool(self.guessed(verdict.unknown))

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

        If its conditions contain undefined names, it is recorded as an `UndecidedConditional`.
        """
        _end_branch(conditional, at)
        if not conditional.unknown:
            return
        read = tuple(conditional.read)
        if conditional.uncertain:
            # With the missing header, another branch might be selected. So the value of a macro that a branch
            # defines is unknown from here on, unless it is a number in every branch, or the conditional is an
            # include guard or defines a default value.
            names = frozenset(token[1] for token in conditional.unknown)
            before: dict[bytes, Macro | None] = {}
            for change in self.changes[conditional.changes :]:
                before.setdefault(change.name, change.before)
            table = self.session.table
            if not conditional.left_out and is_include_guard(names, before, table):
                read = ()
            else:
                left_out = [self.data[start:end] for start, end in conditional.left_out]
                for macro in list(
                    unsettled_macros(before, table, left_out, names, selected=conditional.taken)
                ):
                    self.set_macro(macro.name, macro, at)
        self.undecided.append(
            UndecidedConditional(
                conditional.start,
                conditional.end,
                conditional.unknown,
                tuple(conditional.left_out),
                read if conditional.uncertain else (),
                at,
            )
        )

    def set_macro(self, name: bytes, macro: Macro | None, offset: int) -> None:
        """Defines a macro from `offset` on; undefines it if `macro` is None."""
        table = self.session.table
        before = table.get(name)
        if macro is None or before is None or before.absent != macro.absent or not before.same_as(macro):
            self.session.revision += 1
        self.session.expander.used.setdefault(name, before)
        self.changes.append(MacroChange(offset, name, before, macro))
        self.effects[name] = macro
        if macro is None:
            table.pop(name, None)
        else:
            table[name] = macro

    def row_after_directive(self, tokens: Sequence[Token], end: int) -> int:
        """Returns the line after a directive that is processed, given its tokens and the end of its last line.

        An unclosed block comment after the directive is reported; it extends to the end of the document.
        """
        if end == len(self.data) and self.check_comment(token_end(tokens[-1])) >= 0:
            return self.text.line_count
        return self.row_after(end)

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
                    after = self.row_after_directive(tokens, end)
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
                    after = self.row_after_directive(tokens, end)
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
            if self.lacks_macro_name(tokens):
                return Verdict(False, ())
            found = self.is_defined(rest[0])
            if len(rest) > 1:
                self.extra_tokens(tokens[1], rest[1])
            sure = found and not self.may_be_undefined(rest[0])
            return Verdict(found == (kind == b"ifdef"), () if sure else (rest[0],))
        unknown = self.unanswered = []
        try:
            prepared, _ = self.answer_operators(rest, unknown)
            self._consumed = token_end(tokens[-1])
            prepared = self.session.expander.expand_all(prepared, self, 0, condition=True)
            prepared, malformed = self.answer_operators(prepared, unknown)
        except TooLarge:
            return Verdict(False, ())
        verdict = Verdict(False, (), malformed) if malformed else evaluate(prepared)
        if not rest:
            verdict = Verdict(False, (), "expected value in expression")
        names = [self._placed(token, tokens) for token in (*unknown, *verdict.unknown)]
        faulty = verdict.fault is not None and not self.guessed((*verdict.unknown, *verdict.called))
        if verdict.fault is not None and faulty:
            # if the fault involves a name that the host may define, it is not certain: the host's definition
            # need not be 0, and may be a function-like macro or several tokens
            self.report("condition", "error", verdict.fault, token_start(tokens[0]), token_end(tokens[-1]))
        table = self.session.table
        macros = (table.get(token[1]) for token in rest if token[0] == IDENTIFIER)
        tentative = any(macro is not None and macro.default for macro in macros)
        if tentative and self.session.lacks_header:
            names += [token for token in rest if token[0] == IDENTIFIER and self._is_default(token)]
        return Verdict(
            verdict.value and not faulty,
            tuple(names),
            tentative=tentative,
            compares_undefined=verdict.compares_undefined,
        )

    def _is_default(self, name: Token) -> bool:
        macro = self.session.table.get(name[1])
        return macro is not None and macro.default

    def _placed(self, token: Token, tokens: Sequence[Token]) -> Token:
        """Returns the token with an offset in this document.

        A token from a macro expansion gets the offset of the condition's first token. `tokens` are those of
        the directive.
        """
        if isinstance(token[3], int):
            return token
        return (token[0], token[1], token[2], token_start(tokens[min(2, len(tokens) - 1)]))

    def row_after(self, end: int) -> int:
        """Returns the line after a logical line that ends at `end`."""
        data = self.data
        if end >= len(data) and not data.endswith((b"\n", b"\r")):
            return self.text.line_count
        return self.text.line_of(end)

    def lacks_macro_name(self, tokens: Sequence[Token]) -> bool:
        """Whether the name of a macro is missing in an #ifdef, #ifndef or #undef, which is then reported."""
        message = ""
        if len(tokens) < 3:
            message = "macro name missing"
        elif tokens[2][0] != IDENTIFIER:
            message = "macro name must be an identifier"
        elif tokens[2][1] == b"defined" and tokens[1][1] == b"undef":  # C99 6.10.8p4
            message = "'defined' cannot be used as a macro name"
        if message:
            self.directive_error(tokens, message)
        return bool(message)

    def directive_error(self, tokens: Sequence[Token], message: str) -> None:
        """Reports an error at the name of a directive."""
        self.report("directive", "error", message, token_start(tokens[0]), token_end(tokens[1]))

    def nothing_more(self, tokens: Sequence[Token]) -> None:
        """Reports a warning if tokens follow the name of a directive that takes none."""
        if len(tokens) > 2:
            self.extra_tokens(tokens[1], tokens[2])

    def extra_tokens(self, name: Token, token: Token, before: str = "#") -> None:
        """Reports the tokens at the end of directive `name`, from `token` on, as a warning.

        `before` is shown before the directive's name.
        """
        shown = name[1].decode("utf-8", "replace")
        self.report(
            "extra-tokens",
            "warning",
            f"extra tokens at end of {before}{shown} directive",
            token_start(token),
            token_end(token),
        )


def _end_branch(conditional: Conditional, at: int) -> None:
    """Records that the active branch, if there is one, ends at `at`."""
    if conditional.read_from >= 0:
        conditional.read.append((conditional.read_from, at))
        conditional.read_from = -1
