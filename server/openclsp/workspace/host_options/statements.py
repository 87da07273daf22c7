"""Abstract interpreter for the statements of a host function.

It tracks the text that variables hold, under path conditions, and records the calls with their arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from openclsp.workspace.host_options.conditions import verdict
from openclsp.workspace.host_options.expressions import Evaluator
from openclsp.workspace.host_options.extents import LOOPS, body_at, condition_end, statement_end
from openclsp.workspace.host_options.functions import Call, FoundCall, Function
from openclsp.workspace.host_options.lexing import (
    CONDITIONAL,
    NAME,
    PUNCTUATOR,
    STRING,
    Branch,
    Token,
    Tokens,
)
from openclsp.workspace.host_options.token_shapes import split
from openclsp.workspace.host_options.values import ELEMENT, Path, Piece, Place, Value, joined, known, unknown
from openclsp.workspace.host_options.variables import Variables, target

_PLAIN: Final = frozenset(
    ("do", "try", "finally", "with", "unsafe", "else", "synchronized", "using", "async")
)
_SKIPPED: Final = frozenset(("import", "from", "typedef", "goto", "break", "continue", "package", "pass"))
_BEGINNING: Final = frozenset(("try", "if", "for", "while", "do", "switch", "return"))
"""Keywords that no expression of C and its relatives contains"""
_ASSIGNING: Final = frozenset(("=", ":=", "+="))
_STORING: Final = _ASSIGNING | {"->", "<<"}
_CHANGING: Final = frozenset(("-", "*", "/", "%", "|", "&", "^", ">>"))


class Program(Protocol):
    """The file that contains the functions."""

    until_brace: bool
    """Whether a condition ends at the brace of its body, as in Python, Rust and Go."""

    def place(self, offset: int) -> Place:
        """Returns the line of a character offset."""
        ...

    def constant(self, name: str, scope: Walk) -> Value | None:
        """Returns the value of an object-like macro or of a constant of the file."""
        ...

    def result(self, call: Call, scope: Walk) -> Value | None:
        """Returns the result of a function or macro of the file for these arguments."""
        ...

    def declare(self, function: Function) -> None:
        """Records a nested function."""
        ...


class Walk:
    """Interprets one function, and is the scope of its expressions."""

    def __init__(self, program: Program, function: Function, name: str) -> None:
        self.program, self.function = program, function
        self.evaluator = Evaluator(self, name)
        self.name = name
        self.path: Path = ()
        self.variables = Variables(function.parameters, self.place(0), lists=program.until_brace)
        self.returned: list[Value] = []

    def place(self, offset: int) -> Place:
        return self.program.place(offset)

    def value(self, name: str, place: Place) -> Value:
        """Returns the variable's value, else the file's constant, else a non-local reference."""
        if name in self.variables.values:
            return self.variables.values[name]
        if name in ("None", "NULL", "nullptr", "null", "nil"):
            return ()
        constant = self.program.constant(name, self)
        return constant if constant is not None else (Piece(None, place, self.path, -1, name),)

    def run(self) -> None:
        """Interprets the whole function."""
        self.block(self.function.body)
        self.function.returns = joined(self.returned) if len(self.returned) == 1 else None
        self.function.fields = {
            name: value
            for name, value in self.variables.values.items()
            if name not in self.variables.own and value
        }

    def block(self, body: Tokens) -> None:
        """Interprets the statements of a body."""
        self.inside(None, body)

    def inside(self, branch: Branch | None, body: Sequence[Token]) -> None:
        """Interprets a sequence of statements, under the condition `branch` if it is not None."""
        outer = self.path
        if branch is not None:
            self.path = (*outer, branch)
        at = 0
        while at < len(body):
            at = self.statement(body, at)
        self.path = outer

    def statement(self, tokens: Sequence[Token], at: int) -> int:
        """Interprets the statement at `at`; returns the index after it."""
        token = tokens[at]
        if token.kind == CONDITIONAL:
            if token.text in ("else", "elif", "endif") and self.path:
                self.path = self.path[:-1]
            if token.branch is not None:
                self.path = (*self.path, token.branch)
            return at + 1
        if token.kind == "{":
            self.block(token.items)
            return at + 1
        if token.kind == NAME:
            word = token.text
            if word in ("if", "elif"):
                return self._if(tokens, at)
            if word in LOOPS:
                return self._loop(tokens, at)
            if word in ("switch", "match") and body_at(tokens, at) < len(tokens):
                return self._switch(tokens, at)
            if word in ("catch", "except") and body_at(tokens, at) < len(tokens):
                body = body_at(tokens, at)
                self.inside(Branch(f"{self.name}!{token.offset}", 0, 2), tokens[body].items)
                return body + 1
            if word in _PLAIN and body_at(tokens, at, short=True) < len(tokens):
                body = body_at(tokens, at)
                self.evaluator.evaluate(tokens[at + 1 : body])
                self.block(tokens[body].items)
                return body + 1
            if word in ("do", "else", "try"):
                return at + 1
            if word in ("def", "class") and body_at(tokens, at) < len(tokens):
                return self._definition(tokens, at)
        return self._expression(tokens, at)

    def _if(self, tokens: Sequence[Token], at: int) -> int:
        # `settled`: some branch is certain to be taken, so that later branches are dead. A branch whose
        # condition tests for another compute API is dead as well. The bodies are interpreted last, when the
        # number of live alternatives is known.
        bodies: list[tuple[int, int]] = []
        start = at
        settled = has_else = False
        while True:
            condition = condition_end(tokens, at, self.program.until_brace)
            head = [token for token in tokens[at + 1 : condition] if token.kind != CONDITIONAL]
            self.evaluator.evaluate(head)
            holds = verdict(head)
            end = statement_end(tokens, condition, self.program.until_brace)
            if holds is not False and not settled:
                bodies.append((condition, end))
            settled = settled or holds is True
            following = tokens[end] if end < len(tokens) else None
            if following is None or following.kind != NAME or following.text not in ("elif", "else"):
                break
            at = end
            if following.text == "else":
                at = end + 1
                if at >= len(tokens) or tokens[at].text != "if" or tokens[at].kind != NAME:
                    end = statement_end(tokens, at, self.program.until_brace)
                    has_else = True
                    bodies += [] if settled else [(at, end)]
                    break
        settled = settled or has_else
        chain = f"{self.name}:{tokens[start].offset}"
        count = len(bodies) + (not settled)
        for index, (first, last) in enumerate(bodies):
            self.inside(Branch(chain, index, count) if count > 1 else None, tokens[first:last])
        return max(end, start + 1)

    def _loop(self, tokens: Sequence[Token], at: int) -> int:
        condition = condition_end(tokens, at, self.program.until_brace)
        head = tokens[at + 1 : condition]
        if len(head) == 1 and head[0].kind == "(":
            head = head[0].items
        names = [token for token in head if token.kind == NAME]
        between = next((index for index, token in enumerate(head) if token.text in (":", "in", "range")), -1)
        end = statement_end(tokens, condition, self.program.until_brace)
        self._forget_counters(tokens[at:end])
        if between > 0 and names and not any(token.text == ";" for token in head):
            elements = self.evaluator.evaluate(head[between + 1 :])
            variable = next((token.text for token in reversed(head[:between]) if token.kind == NAME), "")
            self.variables.set(variable, elements, self.path, own=True)
        else:
            self.inside(None, head)
            self._forget_counters(tokens[at:end])
        self.inside(None, tokens[condition:end])
        return max(end, at + 1)

    def _forget_counters(self, tokens: Sequence[Token]) -> None:
        """Makes variables unknown that the loop changes other than by appending: their value varies."""
        for index, token in enumerate(tokens):
            if token.items:
                self._forget_counters(token.items)
            if token.kind != NAME or token.text not in self.variables.values or index + 1 >= len(tokens):
                continue
            following = tokens[index + 1].text
            after = tokens[index + 2].text if index + 2 < len(tokens) else ""
            counted = following in ("++", "--") or (index > 0 and tokens[index - 1].text in ("++", "--"))
            if counted or (following in _CHANGING and after == "="):
                self.variables.values[token.text] = unknown(self.place(token.offset))

    def _switch(self, tokens: Sequence[Token], at: int) -> int:
        body = body_at(tokens, at)
        self.evaluator.evaluate(tokens[at + 1 : body])
        groups: list[list[Token]] = []
        default = False
        label = False
        for token in tokens[body].items:
            if token.kind == NAME and token.text in ("case", "default", "_"):
                if not label:
                    groups.append([])
                label = True
                default = default or token.text != "case"
            elif label and (token.text == ":" or token.kind == "{"):
                label = False
                if token.kind == "{" and groups:
                    groups[-1].append(token)
            elif not label and groups:
                groups[-1].append(token)
        chain = f"{self.name}:{tokens[at].offset}"
        for index, group in enumerate(groups):
            self.inside(Branch(chain, index, len(groups) + (not default)), group)
        return body + 1

    def _definition(self, tokens: Sequence[Token], at: int) -> int:
        """Interprets `def` and `class` of Python."""
        body = body_at(tokens, at)
        name = tokens[at + 1].text
        if tokens[at].text == "class":
            self.block(tokens[body].items)
            return body + 1
        parameters = next((token.items for token in tokens[at:body] if token.kind == "("), ())
        names = tuple(each[0].text if each[0].kind == NAME else "" for each in split(parameters))
        self.program.declare(Function(name, names, tokens[body].items))
        return body + 1

    def _expression(self, tokens: Sequence[Token], at: int) -> int:
        end = at
        while end < len(tokens):
            token = tokens[end]
            if token.kind == PUNCTUATOR and token.text == ";":
                break
            if (
                token.kind == "{"
                and end > at
                and tokens[end - 1].kind == "("
                and not _has_assignment(tokens[at:end])
            ):
                # A macro that opens a block.
                self.evaluator.evaluate(tokens[at:end])
                self.block(token.items)
                return end + 1
            if end > at and self._begins(tokens, at, end):
                # a macro that is a statement, without a semicolon
                self._simple([each for each in tokens[at:end] if each.kind != CONDITIONAL])
                return end
            end += 1
        statement = [
            token for token in tokens[at:end] if token.kind != CONDITIONAL or token.branch is not None
        ]
        if statement:
            self._simple(statement)
        for token in tokens[at:end]:
            # Preprocessor conditions that begin or end within a statement remain in force after it.
            if (
                token.kind == CONDITIONAL
                and token.text == "endif"
                and self.path
                and "#" in self.path[-1].chain
            ):
                self.path = self.path[:-1]
        return end + 1

    def _begins(self, tokens: Sequence[Token], at: int, here: int) -> bool:
        """Whether a statement begins at `here`, within what has no semicolon since `at`."""
        token, before = tokens[here], tokens[here - 1]
        if self.program.until_brace or token.kind != NAME or token.text not in _BEGINNING:
            return False
        ended = before.kind in (NAME, "(") or before.text == "."
        follows = tokens[here + 1].kind if here + 1 < len(tokens) else ""
        opened = token.text == "return" or follows == ("{" if token.text in ("try", "do") else "(")
        return ended and opened and not _has_assignment(tokens[at:here])

    def _simple(self, statement: list[Token]) -> None:
        first = statement[0]
        if first.kind == NAME and first.text in _SKIPPED:
            return
        if first.kind == NAME and first.text == "return":
            self.returned.append(self.evaluator.evaluate(statement[1:]))
            return
        operator = next(
            (i for i, token in enumerate(statement) if token.kind == PUNCTUATOR and token.text in _ASSIGNING),
            -1,
        )
        if operator > 0:
            self._assign(statement, operator)
            return
        counted = next((i for i, token in enumerate(statement) if token.text in ("++", "--")), -1)
        texts = [token.text for token in statement]
        read = texts.index(">") if ">" in texts and "<" not in texts else -1  # `stream >> n`, no template
        if counted >= 0 or read > 0:
            for token in statement[max(read, 0) :]:
                if token.kind == NAME and token.text in self.variables.values:
                    self.variables.values[token.text] = unknown(self.place(token.offset), self.path)
            self.evaluator.evaluate(statement)
            return
        shift = next((i for i, token in enumerate(statement) if token.text == "<<"), -1)
        if shift > 0:
            name = target(statement[:shift])
            value = self.evaluator.evaluate(statement[shift + 1 :])
            if name and (name in self.variables.values or shift == 1):
                self.variables.append(name, value, self.path)
            return
        declared = self._declared(statement)
        if not declared:
            self.evaluator.evaluate(statement)

    def _assign(self, statement: list[Token], operator: int) -> None:
        name = target(statement[:operator])
        text = statement[operator].text
        before = statement[operator - 1]
        changed = before.kind == PUNCTUATOR and before.text in _CHANGING
        own = operator > 1 and statement[operator - 2].text not in (".", "->", "::") and not changed
        own = own or (self.program.until_brace and operator == 1) or text == ":="
        value = self.evaluator.evaluate(statement[operator + 1 :])
        if not name:
            return
        if changed:
            self.variables.set(name, unknown(self.place(before.offset), self.path), self.path, own=own)
        elif text == "+=":
            self.variables.append(name, value, self.path)
        elif before.kind == "[" and name in self.variables.values and statement[0].text == name:
            element = known(ELEMENT, self.place(before.offset), self.path)
            self.variables.append(name, joined((element, value)), self.path)
        else:
            self.variables.set(name, value, self.path, own=own)

    def _declared(self, statement: list[Token]) -> bool:
        """Interprets declarations: `std::string options("…");`, `std::string options{…};`, `int n;`."""
        if len(statement) < 2 or statement[0].kind != NAME:
            return False
        last, name = statement[-1], statement[-2]
        if last.kind in "({" and name.kind == NAME and len(statement) > 2:
            before = statement[-3]
            if before.kind == NAME or before.text in (">", "*", "&"):
                parts = [self.evaluator.evaluate(part) for part in split(last.items)]
                call = Call(
                    before.text, "", tuple(parts), {}, tuple(split(last.items)), self.place(name.offset)
                )
                self.called(call)
                self.variables.set(name.text, joined(parts, ELEMENT), self.path, own=True)
                return True
        while len(statement) > 2 and statement[-1].kind == "[":
            statement = statement[:-1]
        named = statement[-1].kind == NAME and (
            statement[-2].kind == NAME or statement[-2].text in (">", "*")
        )
        if named and all(_is_of_declaration(token) for token in statement):
            self.variables.set(statement[-1].text, (), self.path, own=True)
            return True
        return False

    def called(self, call: Call) -> Value | None:
        """Applies the effects of a call on variables, and records the call."""
        for tokens in call.tokens:
            if len(tokens) == 2 and tokens[0].text == "&" and tokens[1].text in self.variables.values:
                self.variables.values[tokens[1].text] = unknown(call.place, self.path)
        self._forget_parsed(call)
        written = self.variables.written_by(call, self.path)
        if written is not None:
            return written
        if any(call.arguments) or call.keywords:
            self.function.calls.append(FoundCall(call, self.path, self.function.name))
        return self.program.result(call, self)

    def _forget_parsed(self, call: Call) -> None:
        """Forgets numbers that a parser of the command line takes by reference: `options.add("size", size)`."""
        texts = [tokens[0].text for tokens in call.tokens if len(tokens) == 1 and tokens[0].kind == STRING]
        if not texts or any("%" in text for text in texts) or self.program.until_brace:
            return
        for tokens in call.tokens:
            name = tokens[0].text if len(tokens) == 1 and tokens[0].kind == NAME else ""
            value = self.variables.values.get(name, ())
            if value and all(piece.text is not None and piece.text.isdecimal() for piece in value):
                self.variables.values[name] = unknown(call.place, self.path)


def _is_of_declaration(token: Token) -> bool:
    return token.kind in (NAME, STRING) or token.text in ("<", ">", "*", "&", ",", "::") or token.kind in "(["


def _has_assignment(tokens: Sequence[Token]) -> bool:
    return any(token.kind == PUNCTUATOR and token.text in _STORING for token in tokens) or any(
        token.kind == NAME and token.text in ("return", "new") for token in tokens
    )
