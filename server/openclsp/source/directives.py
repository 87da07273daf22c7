"""Processes the directives of one document (C99 6.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.language.known_macros import target_macros
from openclsp.source.conditionals import BRANCHING, OPENING, Conditionals
from openclsp.source.document import Document, DocumentName
from openclsp.source.expansion import TooLarge
from openclsp.source.header_names import EXPECTED_NAME, count_after_name, header_name
from openclsp.source.lexer import (
    IDENTIFIER,
    NUMBER,
    SPACE,
    STRING,
    Token,
    token_end,
    token_start,
)
from openclsp.source.macros import Macro, parse_definition, spell
from openclsp.source.opencl_pragma import (
    extra_pragma_tokens,
    note_pragma_macros,
    opencl_pragma_fault,
)
from openclsp.source.preprocessing_run import Session
from openclsp.source.reader_state import string_content
from openclsp.source.same_value import same_value
from openclsp.source.templates import is_filled_in

_INCLUDING: Final = frozenset((b"include", b"include_next", b"import"))
_IDENTIFYING: Final = frozenset((b"ident", b"sccs"))
_MARKER_FLAGS: Final = (b"1", b"2", b"3", b"4")
"""The flags of a line marker, which compilers write into preprocessed files: `# 4 "file" 1`"""

LONGEST_SHOWN: Final = 80
"""Maximum length of an earlier definition in a message, in characters"""


@dataclass(frozen=True, slots=True)
class Include:
    """An #include directive to process.

    - `start`, `end`: the range of the directive.
    - `name_start`, `name_end`: the range of its operand.
    - `imported`: whether the directive is `#import`.
    - `after`: the line after it.
    """

    name: str
    angled: bool
    imported: bool
    start: int
    end: int
    name_start: int
    name_end: int
    after: int


class Directives(Conditionals):
    """The part of a document's reader that processes all directives."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document, session, first_row)
        self.pragmas: list[tuple[int, int, str, DocumentName, int, int]] = []
        self.once_effects: set[DocumentName] = set()
        self._pushed: dict[bytes, list[Macro | None]] = {}

    # ---- dispatch ----

    def directive(self, tokens: list[Token], end: int) -> int | Include:
        """Processes a directive, given its tokens and the end of its last line.

        Returns the next line to read, or the include to process.
        """
        after = self.row_after_directive(tokens, end)
        if len(tokens) < 2:
            return after
        name = tokens[1]
        text, rest = name[1], tokens[2:]
        if text in OPENING:
            return self.open_conditional(text, tokens, after)
        if text in BRANCHING:
            return self.branch(text, tokens, after)
        if text == b"endif":
            if self.conditionals:
                self.close(self.conditionals.pop(), token_start(tokens[0]))
                self.nothing_more(tokens)
            else:
                self.directive_error(tokens, "#endif without #if")
            return after
        if text in _INCLUDING:
            return self._include(tokens, after)
        if text == b"define":
            self._define(tokens)
        elif text == b"undef":
            self._undefine(tokens)
        elif text in (b"error", b"warning"):
            self._error_or_warning(text, spell(rest), tokens)
        elif text == b"pragma":
            self._pragma(tokens, rest)
        elif text == b"line" or name[0] == NUMBER:
            self._line(rest if text == b"line" else tokens[1:], tokens, after)
        elif text in _IDENTIFYING:
            self._identify(tokens)
        else:
            shown = text.decode("utf-8", "replace")
            self.report(
                "unknown-directive",
                "error",
                f"invalid preprocessing directive '#{shown}'",
                token_start(name),
                token_end(name),
                name=f"#{shown}",
            )
        return after

    def directive_in_call(self, tokens: list[Token], end: int) -> int:
        """Processes a directive among the arguments of a macro call; returns the offset to continue at."""
        self.entangled = True
        if self.snapshot is None:
            self.snapshot = self._snapshot()
        consumed = self._consumed
        held = self._tokens, self._index
        after = self.directive(tokens, end)
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

    # ---- definitions ----

    def _define(self, tokens: list[Token]) -> None:
        parsed = parse_definition(tokens[2:], self.document.name)
        if not isinstance(parsed, Macro):
            if parsed.end:
                self.report(parsed.code, "error", parsed.message, parsed.start, parsed.end)
            else:
                self.directive_error(tokens, parsed.message)
            return
        old = self.session.table.get(parsed.name)
        in_guess = self._in_guess()
        # a guessed branch may not be read at all, and the host's value or what fills in a template is
        # unknown: a redefinition proves nothing
        may_be_redefined = old is not None and (
            old.is_of_unknown_value
            or old.unsettled
            or old.guessed
            or in_guess
            or any(is_filled_in(token[1]) for token in (*old.body, *parsed.body))
        )
        if (
            old is not None
            and not may_be_redefined
            and not old.same_as(parsed)
            and not same_value(old, parsed)
        ):
            shown = parsed.name.decode("utf-8", "replace")
            before = old.text if len(old.text) <= LONGEST_SHOWN else f"{old.text[:LONGEST_SHOWN]}…"
            message = f"'{shown}' macro redefined: it was `{before}`"
            if old.special:
                message = f"redefining builtin macro '{shown}'"
            start = token_start(tokens[2])
            self.report("macro-redefined", "warning", message, start, token_end(tokens[2]))
        if parsed.parameters is None and len(tokens) > 3 and not tokens[3][2] & SPACE:
            # C99 6.10.3p3
            shown = parsed.name.decode("utf-8", "replace")
            message = f"C99 requires white space after the macro name '{shown}'"
            start, end = token_start(tokens[3]), token_end(tokens[3])
            self.report("macro-definition", "warning", message, start, end)
        is_tested = any(token[1] == parsed.name for each in self.conditionals for token in each.unknown)
        if is_tested and parsed.body:
            parsed = replace(parsed, default=True)
        if in_guess:
            parsed = replace(parsed, guessed=True)
        self.session.defined.add(parsed.name)
        self.newly_defined.add(parsed.name)
        self.set_macro(parsed.name, parsed, token_start(tokens[0]))

    def _in_guess(self) -> bool:
        """Whether the selection of an enclosing branch depends on what the host defines."""
        return any(each.tentative or self.guessed(each.unknown) for each in self.conditionals)

    def _undefine(self, tokens: list[Token]) -> None:
        if self.lacks_macro_name(tokens):
            return
        if len(tokens) > 3:
            self.extra_tokens(tokens[1], tokens[3])
        macro = self.session.table.get(tokens[2][1])
        if macro is not None and macro.special:
            message = f"undefining builtin macro '{macro.name.decode()}'"
            start, end = token_start(tokens[2]), token_end(tokens[2])
            self.report("macro-redefined", "warning", message, start, end)
        self.set_macro(tokens[2][1], None, token_start(tokens[0]))

    # ---- other directives ----

    def _error_or_warning(self, kind: bytes, text: bytes, tokens: list[Token]) -> None:
        message = text.decode("utf-8", "replace")
        severity: Final = "error" if kind == b"error" else "warning"
        unknown = [name for each in self.conditionals for name in self.guessed(each.unknown)]
        target = "" if unknown else self._undefined_target()
        name = unknown[-1][1].decode("utf-8", "replace") if unknown else target
        if name:
            message += f"; reached because `{name}` is not defined here"
        self.report(
            "error-directive" if kind == b"error" else "warning-directive",
            "hint" if target or self._in_guess() else severity,
            message,
            token_start(tokens[0]),
            token_end(tokens[-1]),
            name,
        )

    def _undefined_target(self) -> str:
        """Returns an undefined macro in the enclosing conditions that other compilers or devices predefine.

        The kernel may be built only for these: the directive is then not reached. Empty if there is none.
        """
        unknown = (
            token[1].decode("utf-8", "replace") for each in self.conditionals for token in each.unknown
        )
        return next((name for name in unknown if name in target_macros()), "")

    def _pragma(self, tokens: list[Token], rest: list[Token]) -> None:
        start, end = token_start(tokens[0]), token_end(tokens[-1])
        if rest and rest[0][1] == b"once":
            if len(rest) > 1:
                self.extra_tokens(rest[0], rest[1], "#pragma ")
            self.once_effects.add(self.document.name)
            self.session.once.add(self.document.name)
            return
        if rest and rest[0][1] in (b"push_macro", b"pop_macro"):
            operand = rest[1:4]
            if [token[1] for token in operand[::2]] != [b"(", b")"] or operand[1][0] != STRING:
                shown = rest[0][1].decode()
                self.directive_error(tokens, f"pragma {shown} requires a parenthesized string")
                return
            name = string_content(operand[1])
            if rest[0][1] == b"push_macro":
                self._pushed.setdefault(name, []).append(self.session.table.get(name))
                self.session.expander.used.setdefault(name, self.session.table.get(name))
            elif self._pushed.get(name):
                self.set_macro(name, self._pushed[name].pop(), start)
            return
        if len(rest) > 2 and rest[0][1] == b"GCC" and rest[1][1] in (b"error", b"warning"):
            strings = [string_content(token) for token in rest[2:] if token[0] == STRING]
            self._error_or_warning(rest[1][1], b"".join(strings), tokens)
            return
        if rest and rest[0][1] == b"OPENCL":
            self._check_opencl_pragma(rest)
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

    def _check_opencl_pragma(self, rest: list[Token]) -> None:
        note_pragma_macros(rest, self.session)
        code, fault = "opencl-pragma", opencl_pragma_fault(rest, self.session.table)
        if fault is None:
            code, fault = "extra-tokens", extra_pragma_tokens(rest)
        if fault is not None:
            message, token = fault
            self.report(code, "warning", message, token_start(token), token_end(token))

    def _line(self, rest: list[Token], tokens: list[Token], after: int) -> None:
        is_marker = tokens[1][0] == NUMBER
        if any(token[0] == IDENTIFIER for token in rest):
            try:
                self._consumed = token_end(tokens[-1])
                rest = self.session.expander.expand_all(rest, self, 0)
            except TooLarge:
                return
        if not rest or rest[0][0] != NUMBER or not rest[0][1].isdigit():
            self.directive_error(tokens, "#line directive requires a positive integer argument")
            return
        if len(rest) > 1 and (rest[1][0] != STRING or rest[1][1][:1] != b'"'):
            shown = "line marker" if is_marker else "#line"
            self.directive_error(tokens, f"invalid filename for {shown} directive")
            return
        if is_marker and any(token[1] not in _MARKER_FLAGS for token in rest[2:]):
            self.directive_error(tokens, "invalid flag line marker directive")
            return
        if not is_marker and len(rest) > 2:
            self.extra_tokens(tokens[1], tokens[-1])
        self.stateful = True
        self.line_shift = int(rest[0][1][:10]) - after - 1
        if len(rest) > 1:
            self.presumed_file = string_content(rest[1])

    def _identify(self, tokens: list[Token]) -> None:
        """Processes #ident or #sccs, which compilers ignore."""
        if len(tokens) < 3 or tokens[2][0] != STRING:
            self.directive_error(tokens, f"invalid #{tokens[1][1].decode()} directive")
        elif len(tokens) > 3:
            self.extra_tokens(tokens[1], tokens[3])

    def _include(self, tokens: list[Token], after: int) -> int | Include:
        rest = tokens[2:]
        header = header_name(rest, self.data)
        supplied = None
        extra = 0 if header is None else count_after_name(rest, self.data)
        name_end = token_end(tokens[-1 - extra])
        expected = EXPECTED_NAME
        if header is None and rest:
            # neither form of a header name: the tokens are macro-expanded (C99 6.10.2p4)
            try:
                self._consumed = token_end(tokens[-1])
                expanded = self.session.expander.expand_all(rest, self, 0)
                header = header_name(expanded)
                if header is not None:
                    extra = min(count_after_name(expanded), 1)
                elif expanded and expanded[0][1][:1] == b"<":
                    expected = "expected '>'"
                else:
                    supplied = self._supplied_by_host(expanded)
            except TooLarge:
                header = None
        if supplied is not None:
            shown = spell(rest).decode("utf-8", "replace")
            self.unknown_includes.append(shown)
            self.session.lacks_header = True
            message = f"`{supplied}` in the header's name is not defined here; passed by the host?"
            if supplied.encode("utf-8", "replace") in self.session.table:
                message = f"only the host knows the value of `{supplied}` in the header's name"
            start, end = token_start(rest[0]), token_end(rest[-1])
            self.report("include-not-found", "hint", message, start, end, supplied)
            return after
        if header is None or not header[0]:
            self.directive_error(tokens, expected)
            return after
        if extra:
            self.extra_tokens(tokens[1], tokens[-extra])
        return Include(
            header[0],
            header[1],
            tokens[1][1] == b"import",
            token_start(tokens[0]),
            token_end(tokens[-1]),
            token_start(rest[0]),
            name_end,
            after,
        )

    def _supplied_by_host(self, tokens: Sequence[Token]) -> str | None:
        """Returns the first name in an include's operand that only the host knows, or None.

        That is a name that the host may define, or a macro that it defines with an unknown value.
        """
        names = [token for token in tokens if token[0] == IDENTIFIER]
        table = self.session.table
        known = [token for token in names if token[1] in table and table[token[1]].is_of_unknown_value]
        undefined = self.guessed([token for token in names if token[1] not in table])
        return next((token[1].decode("utf-8", "replace") for token in (*known, *undefined)), None)


class _Undo:
    """A callable that undoes the effects of the directives among the arguments of a macro call."""

    def __init__(self, reader: Directives) -> None:
        self._reader = reader
        self._table = reader.session.table.copy()
        self._conditionals = [
            replace(each, left_out=list(each.left_out), read=list(each.read)) for each in reader.conditionals
        ]
        self._counts = len(reader.undecided), len(reader.inactive), len(reader.pragmas), len(reader.changes)
        self._effects = dict(reader.effects)
        self._line = reader.line_shift, reader.presumed_file

    def __call__(self) -> None:
        reader = self._reader
        reader.session.table.clear()
        reader.session.table.update(self._table)
        reader.conditionals = self._conditionals
        undecided, inactive, pragmas, changes = self._counts
        del reader.undecided[undecided:], reader.inactive[inactive:]
        del reader.pragmas[pragmas:], reader.changes[changes:]
        reader.effects = self._effects
        reader.line_shift, reader.presumed_file = self._line
