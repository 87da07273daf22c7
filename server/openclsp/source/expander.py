"""Macro expansion, token by token and in clang's order (C99 6.10.3.1 to 6.10.3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Final, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.argument_operators import argument_count_message, as_argument, is_declared, stringised
from openclsp.source.document import DocumentName
from openclsp.source.expansion import (
    LEAST_STEPS,
    MAX_NESTING,
    MAX_STEPS,
    MAXIMUM_STEPS_OF_UNIT,
    PRAGMA,
    PRAGMA_OPERAND,
    Expansion,
    Source,
    TooLarge,
    Unterminated,
    outermost,
)
from openclsp.source.lexer import (
    IDENTIFIER,
    NO_EXPAND,
    PUNCTUATOR,
    SPACE,
    STRING,
    Spliced,
    Token,
    kind_of,
    token_end,
)
from openclsp.source.macros import Macro, MacroTable, Op, Part, Special

_END: Final = 11
_PLACEMARKER: Final = 12
_EXPANDED_OPERAND: Final = (Special.PRAGMA, Special.HAS_INCLUDE)

Arguments: TypeAlias = list[list[Token]]
_NOT_WRITTEN: Final[list[Token]] = []
"""The variadic argument of a call without one; it is compared by identity, and not changed"""


@dataclass(slots=True)
class Expander:
    """Expands the macros of one table.

    While `recording`, each look-up of a name adds the name to `used`, with its definition at the first
    look-up. The entries of `used` are the dependencies of a cached include.
    """

    table: MacroTable
    used: dict[bytes, Macro | None] = field(default_factory=dict)
    steps_left: int = MAXIMUM_STEPS_OF_UNIT
    steps_allowed: int = MAX_STEPS
    base: int = 0
    document: DocumentName | None = None
    recording: bool = False
    formed: set[bytes] = field(default_factory=set)
    """The names formed by `##`"""
    _active: set[bytes] = field(default_factory=set)
    _spent: int = 0
    _depth: int = 0
    _condition: bool = False

    def expand(self, name: Token, source: Source, base: int, document: DocumentName | None) -> list[Token]:
        """Expands the macro `name`, which was just read from `source`.

        Reads further tokens from `source` if the macro takes arguments. The offsets in the result are
        relative to `base`, and belong to `document` unless it is None. Raises TooLarge and
        Unterminated.
        """
        self._condition = False
        self._active.clear()
        self._spent = 0
        self._depth = 0
        self.base = base
        self.document = document
        return self._run([name], source, source)

    def expand_all(
        self, tokens: Iterable[Token], source: Source, base: int, condition: bool = False
    ) -> list[Token]:
        """Expands every macro in `tokens`; reads nothing from `source`. Raises TooLarge.

        In a `condition`, the operand of `defined` is not expanded, even if an expansion produces it.
        """
        self._condition = condition
        self._active.clear()
        self._spent = 0
        self._depth = 0
        self.base = base
        pending = list(tokens)
        pending.reverse()
        return self._run(pending, None, source)

    def _run(self, pending: list[Token], source: Source | None, environment: Source) -> list[Token]:
        """Expands the tokens of the stack `pending`, whose top is its last element.

        Arguments of calls are read from `source` too, if given; `environment` expands built-in macros and
        records errors. An `_END` token marks the end of a macro's expansion: until it is popped, the macro is
        active and its name is not replaced again (C99 6.10.3.4p2).
        """
        out: list[Token] = []
        table, active, used = self.table, self._active, self.used
        while pending:
            token = pending.pop()
            kind, text, flags, origin = token
            if kind != IDENTIFIER:
                if kind == _END:
                    active.discard(text)
                else:
                    out.append(token)
                continue
            macro = table.get(text)
            used.setdefault(text, macro)
            if macro is None or flags & NO_EXPAND:
                out.append(token)
                if text == b"defined" and self._condition and self._depth == 0:
                    self._take_operand(pending, out)
                continue
            if text in active:
                out.append((kind, text, flags | NO_EXPAND, origin))
                continue
            arguments: Arguments | None = None
            closing: Token | None = None
            if macro.parameters is not None:
                if not _opens_call(pending, source):
                    if macro.special is Special.PRAGMA:
                        environment.fault("pragma-operator", PRAGMA_OPERAND, token)
                        token = (kind, text, flags | NO_EXPAND, origin)
                    out.append(token)
                    continue
                collected: list[Token] = []
                arguments = self._collect(macro, pending, source, collected)
                if arguments is None or (
                    macro.document is None and is_declared(macro, arguments, self.table)
                ):
                    # The text of an argument ends within the call, or it is a declarator: its tokens are left.
                    collected.reverse()
                    pending.extend(collected)
                    out.append((kind, text, flags | NO_EXPAND, origin))
                    continue
                closing = collected[-1]
                if len(arguments) != len(macro.parameters):
                    environment.fault("macro-arguments", argument_count_message(macro, collected), token)
                    out.append((kind, text, flags | NO_EXPAND, origin))
                    out.extend(collected)
                    continue
            self._spend(macro.weight + (sum(map(len, arguments)) if arguments else 0))
            expansion = self._expansion(macro, token, closing, source)
            if macro.special is not None:
                argument = arguments[0] if arguments else []
                if macro.special in _EXPANDED_OPERAND:
                    argument = self._expanded_argument(0, [argument], {}, environment)
                # As in clang, inside an argument the innermost invocation's end counts, otherwise the
                # outermost's.
                inner = self._depth > 0
                end = outermost(expansion).end + self.base if inner else environment.consumed()
                result = environment.special(macro.special, token, end, argument)
                result = [
                    made if made[0] == PRAGMA else (made[0], made[1], made[2], expansion) for made in result
                ]
            else:
                result = self._replacement(macro, arguments, expansion, environment)
            if not result:
                if flags & SPACE and pending:
                    _give_space(pending)
                continue
            first = result[0]
            result[0] = (first[0], first[1], first[2] & ~SPACE | flags & SPACE, first[3])
            if self._is_plain(result):
                out += result
                continue
            active.add(text)
            pending.append((_END, text, 0, None))
            result.reverse()
            pending.extend(result)
        return out

    def _is_plain(self, tokens: list[Token]) -> bool:
        """Whether the tokens contain no macro's name and therefore need no rescan."""
        if self._condition or not self.table.keys().isdisjoint([token[1] for token in tokens]):
            return False
        if self.recording:
            for token in tokens:
                if token[0] == IDENTIFIER:
                    self.used.setdefault(token[1], None)
        return True

    def _take_operand(self, pending: list[Token], out: list[Token]) -> None:
        while pending:
            kind, text, flags, origin = pending.pop()
            if kind == _END:
                self._active.discard(text)
            elif kind == IDENTIFIER:
                out.append((kind, text, flags | NO_EXPAND, origin))
                return
            else:
                out.append((kind, text, flags, origin))
                if text != b"(":
                    return

    def _expansion(
        self, macro: Macro, name: Token, closing: Token | None, source: Source | None
    ) -> Expansion:
        """Creates the record of an expansion that replaces `name`; `closing` is the last token of a call."""
        origin = name[3]
        if isinstance(origin, Expansion):
            return Expansion(macro, origin, -1, self.document)
        last = name if closing is None else closing
        if not isinstance(last[3], Expansion):
            end = token_end(last)
        else:
            # the call is closed by a token of another macro's expansion
            end = token_end(name) if source is None else source.consumed()
        if isinstance(origin, int):
            origin -= self.base
        elif isinstance(origin, Spliced):
            origin = Spliced(origin.start - self.base, origin.end - self.base)
        return Expansion(macro, origin, end - self.base, self.document)

    def _spend(self, steps: int) -> None:
        self._spent += steps
        self.steps_left -= steps
        if self._spent > self.steps_allowed or self.steps_left < 0:
            self.steps_allowed = max(self.steps_allowed >> 2, LEAST_STEPS)
            raise TooLarge

    def _collect(
        self, macro: Macro, pending: list[Token], source: Source | None, collected: list[Token]
    ) -> Arguments | None:
        """Collects the arguments of a call from the tokens after its name.

        Returns None if the tokens end within the call. `collected` gets all tokens that were read, so that
        the caller can put them back. Commas do not divide a variadic argument (C99 6.10.3p12).
        """
        assert macro.parameters is not None
        count = len(macro.parameters)
        arguments: Arguments = []
        current: list[Token] = []
        depth = 0
        while True:
            if pending:
                token = pending.pop()
            elif source is None:
                return None
            else:
                read = source.next()
                if read is None:
                    raise Unterminated
                token = read
            kind, text, _, _ = token
            if kind == _END:
                # the call extends beyond another macro's expansion: that macro is no longer active
                self._active.discard(text)
                continue
            if kind == IDENTIFIER and text in self._active:
                # as in clang, a name read within its own expansion is never expanded again
                token = (kind, text, token[2] | NO_EXPAND, token[3])
            collected.append(token)
            if kind == PUNCTUATOR:
                if text == b"(":
                    depth += 1
                    if depth == 1:
                        continue
                elif text == b")":
                    depth -= 1
                    if depth == 0:
                        break
                elif text == b"," and depth == 1 and not (macro.variadic and len(arguments) == count - 1):
                    arguments.append(current)
                    current = []
                    continue
            current.append(token)
        arguments.append(current)
        if count == 0 and len(arguments) == 1 and not current:
            return []
        if macro.variadic and len(arguments) == count - 1:
            arguments.append(_NOT_WRITTEN)
        return arguments

    def _replacement(
        self, macro: Macro, arguments: Arguments | None, expansion: Expansion, environment: Source
    ) -> list[Token]:
        if macro.parts is None:
            return [(kind, text, flags, expansion) for kind, text, flags, _ in macro.body]
        expanded: dict[int, list[Token]] = {}
        result = self._substitute(macro, macro.parts, arguments or [], expanded, expansion, environment)
        return [token for token in result if token[0] != _PLACEMARKER]

    def _expanded_argument(
        self, index: int, arguments: Arguments, expanded: dict[int, list[Token]], environment: Source
    ) -> list[Token]:
        found = expanded.get(index)
        if found is None:
            raw = arguments[index]
            # Expanded on first use: an operand of # or ## takes the argument unexpanded (C99 6.10.3.1p1).
            if not self._is_plain(raw):
                if self._depth >= MAX_NESTING:
                    raise TooLarge
                self._depth += 1
                found = self._run(raw[::-1], None, environment)
                self._depth -= 1
            else:
                found = raw
            expanded[index] = found
        return found

    def _substitute(
        self,
        macro: Macro,
        parts: tuple[Part, ...],
        arguments: Arguments,
        expanded: dict[int, list[Token]],
        expansion: Expansion,
        environment: Source,
    ) -> list[Token]:
        result: list[Token] = []
        for part in parts:
            op = part.op
            if op is Op.TOKENS:
                result += [(kind, text, flags, expansion) for kind, text, flags, _ in part.tokens]
                continue
            kind, text, flags, _ = part.token
            piece: list[Token]
            if op is Op.PASTED_TOKEN:
                piece = [(kind, text, flags, expansion)]
            elif op is Op.ARGUMENT or op is Op.RAW_ARGUMENT:
                if op is Op.ARGUMENT:
                    piece = self._expanded_argument(part.argument, arguments, expanded, environment)
                else:
                    piece = arguments[part.argument]
                last = macro.variadic and part.argument == len(arguments) - 1
                if part.pasted and last and result and result[-1][1] == b"," and result[-1][3] is expansion:
                    # GNU ", ## __VA_ARGS__": an argument that is not written removes the comma, and one that
                    # is not empty is not pasted to it. In strict C99, and so in OpenCL C, the comma stays if
                    # the argument is written but empty, or if the macro has no other parameter.
                    if piece:
                        result.extend(as_argument(piece, flags, part.shared))
                        continue
                    if arguments[part.argument] is _NOT_WRITTEN:
                        result.pop()
                        continue
                self._spend(len(piece))
                piece = as_argument(piece, flags, part.shared)
            elif op is Op.STRINGISED:
                argument = arguments[part.argument]
                self._spend(sum(len(token[1]) for token in argument) >> 4)
                piece = [(STRING, stringised(argument), flags, expansion)]
            elif self._expanded_argument(part.argument, arguments, expanded, environment):
                piece = self._substitute(macro, part.parts, arguments, expanded, expansion, environment)
                piece = as_argument(piece, flags, False)
            else:
                piece = []
            if not piece:
                piece = [(_PLACEMARKER, b"", flags, expansion)]
            if part.pasted and result:
                left = result.pop()
                result.extend(self._pasted(left, piece[0], expansion, environment))
                result.extend(piece[1:])
            else:
                result.extend(piece)
        return result

    def _pasted(
        self, left: Token, right: Token, expansion: Expansion, environment: Source
    ) -> tuple[Token, ...]:
        if left[0] == _PLACEMARKER:
            return ((right[0], right[1], right[2] & ~SPACE | left[2] & SPACE, right[3]),)
        if right[0] == _PLACEMARKER:
            return (left,)
        text = left[1] + right[1]
        self._spend(len(text) >> 4)
        kind = kind_of(text) if len(text) < 1024 else 0
        if not kind:
            formed = text[:40].decode("utf-8", "replace")
            environment.fault(
                "invalid-paste", f"pasting formed '{formed}', an invalid preprocessing token", left
            )
            return (left, right)
        if kind == IDENTIFIER:
            self.formed.add(text)
        return ((kind, text, left[2] & SPACE, expansion),)


def _opens_call(pending: list[Token], source: Source | None) -> bool:
    for token in reversed(pending):
        if token[0] != _END:
            return token[0] == PUNCTUATOR and token[1] == b"("
    return source is not None and source.opens_call()


def _give_space(pending: list[Token]) -> None:
    kind, text, flags, origin = pending[-1]
    if kind != _END:
        pending[-1] = (kind, text, flags | SPACE, origin)
