"""Evaluates the operators of #if expressions that depend on the document: `defined` and `__has_include`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.source.document import Document, DocumentName
from openclsp.source.header_names import EXPECTED_NAME, header_name
from openclsp.source.lexer import IDENTIFIER, Token
from openclsp.source.line_reader import Reader
from openclsp.source.macros import Special
from openclsp.source.options import Refusal
from openclsp.source.predefined_macros import SPECIAL_MACROS, number
from openclsp.source.preprocessing_run import Session

_INCLUDE_CHECKS: Final = (b"__has_include", b"__has_include_next")


class ConditionOperators(Reader):
    """The part of a document's reader that evaluates the operators of conditions."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.loads: list[tuple[str, bool, DocumentName, Document | Refusal]] = []
        """Name, whether angled, includer and result of each resolved include: the run depends on them"""
        self.newly_defined: set[bytes] = set()
        self.defined_queried: dict[bytes, bool] = {}
        """For each examined name that is not in `newly_defined`: whether it was in `Session.defined`"""

    def is_defined(self, name: Token) -> bool:
        """Whether `defined` gives 1 for a name.

        A macro that is `absent` counts as undefined.
        """
        macro = self.session.table.get(name[1])
        self.session.expander.used.setdefault(name[1], macro)
        return macro is not None and not macro.absent and macro.special is not Special.PRAGMA

    def may_be_undefined(self, name: Token) -> bool:
        """Whether a macro is defined, but might be undefined if a missing header were present."""
        macro = self.session.table.get(name[1])
        return macro is not None and macro.unsettled and not macro.default

    def answer_operators(self, tokens: Sequence[Token], unknown: list[Token]) -> tuple[list[Token], str]:
        """Replaces `defined X` and `__has_include(…)` in the tokens by their values.

        Returns the tokens, and what is wrong with the first malformed operator; an empty text if nothing is.
        A malformed operator stays in the tokens. Called before and after macro expansion: the operand of
        `defined` is not expanded (C99 6.10.1p4), but an expansion may produce `defined`. Operands of `defined`
        that are not certainly defined are added to `unknown`.
        """
        result: list[Token] = []
        first_fault = ""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            value, after, fault = -1, at, ""
            if token[0] == IDENTIFIER:
                if token[1] == b"defined":
                    value, after, fault = self._answer_defined(tokens, at, unknown)
                elif token[1] in _INCLUDE_CHECKS:
                    value, after, fault = self._answer_has_include(tokens, at, token)
                elif _is_feature_check(token):
                    following = [each[1] for each in tokens[at:]]
                    if following[:1] != [b"("]:
                        fault = _missing("(", token)
                    elif b")" not in following:
                        fault = _missing(")", token)
            if value >= 0:
                result.append(number(value))
                at = after
            else:
                result.append(token)
                first_fault = first_fault or fault
        return result, first_fault

    def _answer_defined(self, tokens: Sequence[Token], at: int, unknown: list[Token]) -> tuple[int, int, str]:
        """Evaluates the `defined` before the index `at`.

        Returns the value, the index after the operand, and "". If the operator is malformed, returns -1, `at` and
        what is wrong.
        """
        parenthesised = at < len(tokens) and tokens[at][1] == b"("
        operand = at + parenthesised
        if operand >= len(tokens):
            return -1, at, "macro name missing"
        name = tokens[operand]
        if name[0] != IDENTIFIER:
            return -1, at, "macro name must be an identifier"
        after = operand + 1
        if parenthesised:
            if after >= len(tokens) or tokens[after][1] != b")":
                return -1, at, "missing ')' after 'defined'"
            after += 1
        found = self.is_defined(name)
        if not found or self.may_be_undefined(name):
            unknown.append(name)
        return int(found), after, ""

    def _answer_has_include(self, tokens: Sequence[Token], at: int, operator: Token) -> tuple[int, int, str]:
        """Evaluates the `__has_include` before the index `at`; the result is as for `_answer_defined`."""
        if at >= len(tokens) or tokens[at][1] != b"(":
            return -1, at, _missing("(", operator)
        close = at + 1
        while close < len(tokens) and tokens[close][1] != b")":
            close += 1
        if close == len(tokens):
            return -1, at, _missing(")", operator)
        operand = tokens[at + 1 : close]
        header = header_name(operand)
        if header is None:
            header = header_name(self.session.expander.expand_all(operand, self, 0))
        # an operand that is no header's name is reported by `special`, which the expansion calls
        return (-1, at, "") if header is None else (int(self._has(header)), close + 1, "")

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        """Returns the expansion of a built-in macro whose invocation ends at `end`."""
        if kind is not Special.HAS_INCLUDE:
            return super().special(kind, token, end, argument)
        header = header_name(argument)
        if header is not None:
            return [number(int(self._has(header)))]
        names = [each for each in argument if each[0] == IDENTIFIER]
        self.unanswered.extend(names)
        if not self.guessed(names):
            self.fault("condition", EXPECTED_NAME, token)
        return [number(0)]

    def _has(self, header: tuple[str, bool]) -> bool:
        return isinstance(self.load(*header), Document)

    def load(self, name: str, angled: bool, includer: DocumentName | None = None) -> Document | Refusal:
        """Resolves an include in `includer` (default: this document), and records it as a dependency."""
        includer = includer or self.document.name
        found = self.session.loader.load(name, angled, includer)
        self.loads.append((name, angled, includer, found))
        return found

    def guessed(self, unknown: Sequence[Token]) -> tuple[Token, ...]:
        """Returns the undefined names that the host may define; the other ones are certainly undefined."""
        return tuple(
            token for token in unknown if self._is_unsettled(token) or self._is_never_defined(token[1])
        )

    def _is_never_defined(self, name: bytes) -> bool:
        """Whether nothing read so far defines the macro, and no dialect, device or vendor predefines it."""
        session = self.session
        is_defined = name in session.defined
        if name not in self.newly_defined:
            self.defined_queried.setdefault(name, is_defined)
        return not is_defined and name.decode("utf-8", "replace") not in session.options.known

    def _is_unsettled(self, name: Token) -> bool:
        """Whether a missing header may change the value of a macro."""
        macro = self.session.table.get(name[1])
        return macro is not None and (macro.unsettled or (macro.default and self.session.lacks_header))


def _is_feature_check(token: Token) -> bool:
    macro = SPECIAL_MACROS.get(token[1])
    return macro is not None and macro.special is Special.HAS


def _missing(parenthesis: str, operator: Token) -> str:
    return f"missing '{parenthesis}' after '{operator[1].decode()}'"
