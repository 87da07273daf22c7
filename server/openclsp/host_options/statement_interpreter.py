"""Abstract interpreter for the statements of a host function.

It tracks the text that variables hold, under path conditions, and evaluates every call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_options.compute_api_conditions import evaluate_condition
from openclsp.host_options.function_scope import FunctionScope
from openclsp.host_options.function_variables import assigned_variable
from openclsp.host_options.host_functions import HostCall, HostFunction
from openclsp.host_options.host_lexer import (
    CONDITIONAL,
    NAME,
    PUNCTUATOR,
    STRING,
    ConditionBranch,
    HostToken,
    HostTokens,
)
from openclsp.host_options.program_sources import object_made_by
from openclsp.host_options.statement_extents import (
    LOOP_KEYWORDS,
    find_body,
    find_condition_end,
    find_statement_end,
)
from openclsp.host_options.symbolic_text import (
    ELEMENT_SEPARATOR,
    concatenate,
    known_text,
    unknown_text,
)
from openclsp.host_options.token_patterns import split_assignments, split_tokens

_UNCONDITIONAL_BLOCK_KEYWORDS: Final = frozenset(
    ("do", "try", "finally", "with", "unsafe", "else", "synchronized", "using", "async")
)
_IGNORED_STATEMENT_KEYWORDS: Final = frozenset(
    ("import", "from", "typedef", "goto", "break", "continue", "package", "pass")
)
_BEGINNING: Final = frozenset(("try", "if", "for", "while", "do", "switch", "return"))
"""Keywords that no expression of C and its relatives contains"""
_ASSIGNMENT_OPERATORS: Final = frozenset(("=", ":=", "+="))
_STORING: Final = _ASSIGNMENT_OPERATORS | {"->", "<<"}
_COMPOUND_ASSIGNMENT_PREFIXES: Final = frozenset(("-", "*", "/", "%", "|", "&", "^", ">>"))


class FunctionInterpreter(FunctionScope):
    """Interprets one function of host code."""

    def interpret_function(self) -> None:
        """Interprets the whole function."""
        self.interpret_block(self.function.body)
        self.function.returns = concatenate(self.returned) if len(self.returned) == 1 else None
        self.function.nonlocal_values = {
            name: value
            for name, value in self.variables.values.items()
            if name not in self.variables.local_names and value
        }

    def interpret_block(self, body: HostTokens) -> None:
        """Interprets the statements of a body."""
        self.interpret_under_condition(None, body)

    def interpret_under_condition(self, branch: ConditionBranch | None, body: Sequence[HostToken]) -> None:
        """Interprets a sequence of statements, under the condition `branch` if it is not None."""
        outer = self.path_condition
        if branch is not None:
            self.path_condition = (*outer, branch)
        at = 0
        while at < len(body):
            at = self.interpret_statement(body, at)
        self.path_condition = outer

    def interpret_statement(self, tokens: Sequence[HostToken], at: int) -> int:
        """Interprets the statement at `at`; returns the index after it."""
        token = tokens[at]
        if token.kind == CONDITIONAL:
            if token.text in ("else", "elif", "endif") and self.path_condition:
                self.path_condition = self.path_condition[:-1]
            if token.branch is not None:
                self.path_condition = (*self.path_condition, token.branch)
            return at + 1
        if token.kind == "{":
            self.interpret_block(token.items)
            return at + 1
        if token.kind == NAME:
            word = token.text
            if word in ("if", "elif"):
                return self._interpret_if(tokens, at)
            if word in LOOP_KEYWORDS:
                return self._interpret_loop(tokens, at)
            if word in ("switch", "match") and find_body(tokens, at) < len(tokens):
                return self._interpret_switch(tokens, at)
            if word in ("catch", "except") and find_body(tokens, at) < len(tokens):
                # The body runs or not, whatever else holds: one of two alternatives.
                body = find_body(tokens, at)
                self.interpret_under_condition(
                    ConditionBranch(f"{self.name}!{token.offset}", 0, 2), tokens[body].items
                )
                return body + 1
            if word in _UNCONDITIONAL_BLOCK_KEYWORDS and find_body(tokens, at, short=True) < len(tokens):
                body = find_body(tokens, at)
                self._interpret_resources(tokens[at + 1 : body])
                self.interpret_block(tokens[body].items)
                return body + 1
            if word in ("do", "else", "try"):
                # Their body is the next statement.
                return at + 1
            if word in ("def", "class") and find_body(tokens, at) < len(tokens):
                return self._interpret_definition(tokens, at)
        return self._interpret_up_to_semicolon(tokens, at)

    def _interpret_resources(self, head: Sequence[HostToken]) -> None:
        """Interprets the head of a block, such as Python's `with open("a.cl") as file:`."""
        for part in split_tokens(head):
            is_named = len(part) > 2 and part[-2].text == "as"
            value = self.evaluator.evaluate(part[:-2] if is_named else part)
            if is_named:
                self.variables.assign(part[-1].text, value, self.path_condition, own=True)

    def _interpret_if(self, tokens: Sequence[HostToken], at: int) -> int:
        # `settled`: some branch is certain to be taken, so that later branches are dead. A branch whose
        # condition tests for another compute API is dead as well. The bodies are interpreted last, when the
        # number of live alternatives is known.
        bodies: list[tuple[int, int]] = []
        start = at
        settled = has_else = False
        while True:
            condition = find_condition_end(tokens, at, self.file_scope.condition_ends_at_brace)
            head = [token for token in tokens[at + 1 : condition] if token.kind != CONDITIONAL]
            self.evaluator.evaluate(head)
            holds = evaluate_condition(head)
            end = find_statement_end(tokens, condition, self.file_scope.condition_ends_at_brace)
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
                    end = find_statement_end(tokens, at, self.file_scope.condition_ends_at_brace)
                    has_else = True
                    bodies += [] if settled else [(at, end)]
                    break
        settled = settled or has_else
        chain = f"{self.name}:{tokens[start].offset}"
        count = len(bodies) + (not settled)
        for index, (first, last) in enumerate(bodies):
            self.interpret_under_condition(
                ConditionBranch(chain, index, count) if count > 1 else None, tokens[first:last]
            )
        return max(end, start + 1)

    def _interpret_loop(self, tokens: Sequence[HostToken], at: int) -> int:
        condition = find_condition_end(tokens, at, self.file_scope.condition_ends_at_brace)
        head = tokens[at + 1 : condition]
        if len(head) == 1 and head[0].kind == "(":
            head = head[0].items
        names = [token for token in head if token.kind == NAME]
        between = next((index for index, token in enumerate(head) if token.text in (":", "in", "range")), -1)
        end = find_statement_end(tokens, condition, self.file_scope.condition_ends_at_brace)
        self._invalidate_loop_variables(tokens[at:end])
        if between > 0 and names and not any(token.text == ";" for token in head):
            elements = self.evaluator.evaluate(head[between + 1 :])
            variable = next((token.text for token in reversed(head[:between]) if token.kind == NAME), "")
            self.variables.assign(variable, elements, self.path_condition, own=True)
        else:
            self.interpret_under_condition(None, head)
            self._invalidate_loop_variables(tokens[at:end])
        self.interpret_under_condition(None, tokens[condition:end])
        return max(end, at + 1)

    def _invalidate_loop_variables(self, tokens: Sequence[HostToken]) -> None:
        """Discards the known values of variables that a loop changes, for example by `++`, `--` or `*=`.

        Variables changed by `+=` or `<<` keep their values, because these operators may append text.
        """
        for index, token in enumerate(tokens):
            if token.items:
                self._invalidate_loop_variables(token.items)
            if token.kind != NAME or token.text not in self.variables.values or index + 1 >= len(tokens):
                continue
            following = tokens[index + 1].text
            after = tokens[index + 2].text if index + 2 < len(tokens) else ""
            counted = following in ("++", "--") or (index > 0 and tokens[index - 1].text in ("++", "--"))
            if counted or (following in _COMPOUND_ASSIGNMENT_PREFIXES and after == "="):
                self.variables.values[token.text] = unknown_text(self.place(token.offset))

    def _interpret_switch(self, tokens: Sequence[HostToken], at: int) -> int:
        body = find_body(tokens, at)
        self.evaluator.evaluate(tokens[at + 1 : body])
        groups: list[list[HostToken]] = []
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
            self.interpret_under_condition(ConditionBranch(chain, index, len(groups) + (not default)), group)
        return body + 1

    def _interpret_definition(self, tokens: Sequence[HostToken], at: int) -> int:
        """Declares the function of a Python `def`, or interprets the body of a `class`.

        Returns the index after the definition.
        """
        body = find_body(tokens, at)
        name = tokens[at + 1].text
        if tokens[at].text == "class":
            self.interpret_block(tokens[body].items)
            return body + 1
        parameters = next((token.items for token in tokens[at:body] if token.kind == "("), ())
        names = tuple(each[0].text if each[0].kind == NAME else "" for each in split_tokens(parameters))
        self.file_scope.declare_function(HostFunction(name, names, tokens[body].items))
        return body + 1

    def _interpret_up_to_semicolon(self, tokens: Sequence[HostToken], at: int) -> int:
        """Interprets a statement that ends at a semicolon; returns the index after it."""
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
                self.interpret_block(token.items)
                return end + 1
            if end > at and self._begins_statement(tokens, at, end):
                # a macro that is a statement, without a semicolon
                self._interpret_simple_statement(
                    [each for each in tokens[at:end] if each.kind != CONDITIONAL]
                )
                return end
            end += 1
        statement = [
            token for token in tokens[at:end] if token.kind != CONDITIONAL or token.branch is not None
        ]
        if statement:
            self._interpret_simple_statement(statement)
        for token in tokens[at:end]:
            # Preprocessor conditions that begin or end within a statement remain in force after it.
            if (
                token.kind == CONDITIONAL
                and token.text == "endif"
                and self.path_condition
                and "#" in self.path_condition[-1].condition
            ):
                self.path_condition = self.path_condition[:-1]
        return end + 1

    def _begins_statement(self, tokens: Sequence[HostToken], at: int, here: int) -> bool:
        """Whether a new statement begins at `here`, although the statement at `at` has no semicolon."""
        token, before = tokens[here], tokens[here - 1]
        if self.file_scope.condition_ends_at_brace or token.kind != NAME or token.text not in _BEGINNING:
            return False
        ended = before.kind in (NAME, "(") or before.text == "."
        follows = tokens[here + 1].kind if here + 1 < len(tokens) else ""
        opened = token.text == "return" or follows == ("{" if token.text in ("try", "do") else "(")
        return ended and opened and not _has_assignment(tokens[at:here])

    def _interpret_simple_statement(self, statement: list[HostToken]) -> None:
        """Interprets a return, an assignment, `++`, `<<`, a declaration or an expression."""
        first = statement[0]
        if first.kind == NAME and first.text in _IGNORED_STATEMENT_KEYWORDS:
            return
        if first.kind == NAME and first.text == "return":
            self.returned.append(self.evaluator.evaluate(statement[1:]))
            return
        operator = next(
            (
                i
                for i, token in enumerate(statement)
                if token.kind == PUNCTUATOR and token.text in _ASSIGNMENT_OPERATORS
            ),
            -1,
        )
        if operator > 0:
            for each, at in split_assignments(statement, operator, self.file_scope.condition_ends_at_brace):
                self._interpret_assignment(each, at)
            return
        counted = next((i for i, token in enumerate(statement) if token.text in ("++", "--")), -1)
        texts = [token.text for token in statement]
        read = texts.index(">") if ">" in texts and "<" not in texts else -1  # `stream >> n`, no template
        if counted >= 0 or read > 0:
            for token in statement[max(read, 0) :]:
                if token.kind == NAME and token.text in self.variables.values:
                    self.variables.values[token.text] = unknown_text(
                        self.place(token.offset), self.path_condition
                    )
            self.evaluator.evaluate(statement)
            return
        shift = next((i for i, token in enumerate(statement) if token.text == "<<"), -1)
        if shift > 0:
            name = assigned_variable(statement[:shift])
            value = self.evaluator.evaluate(statement[shift + 1 :])
            if name and (name in self.variables.values or shift == 1):
                self.variables.append(name, value, self.path_condition)
            return
        is_declaration = self._interpret_declaration(statement)
        if not is_declaration:
            self.evaluator.evaluate(statement)

    def _interpret_assignment(self, statement: Sequence[HostToken], operator: int) -> None:
        name = assigned_variable(statement[:operator])
        text = statement[operator].text
        before = statement[operator - 1]
        changed = before.kind == PUNCTUATOR and before.text in _COMPOUND_ASSIGNMENT_PREFIXES
        own = operator > 1 and statement[operator - 2].text not in (".", "->", "::") and not changed
        own = own or (self.file_scope.condition_ends_at_brace and operator == 1) or text == ":="
        value = self.evaluator.evaluate(statement[operator + 1 :])
        if not name:
            return
        if changed:
            self.variables.assign(
                name,
                unknown_text(self.place(before.offset), self.path_condition),
                self.path_condition,
                own=own,
            )
        elif text == "+=":
            self.variables.append(name, value, self.path_condition)
        elif before.kind == "[" and name in self.variables.values and statement[0].text == name:
            element = known_text(ELEMENT_SEPARATOR, self.place(before.offset), self.path_condition)
            self.variables.append(name, concatenate((element, value)), self.path_condition)
        else:
            self.variables.assign(name, value, self.path_condition, own=own)

    def _interpret_declaration(self, statement: list[HostToken]) -> bool:
        """Interprets a declaration such as `std::string options("…");` or `int n;`.

        Returns False if the statement is not a declaration.
        """
        if len(statement) < 2 or statement[0].kind != NAME:
            return False
        last, name = statement[-1], statement[-2]
        if last.kind in "({" and name.kind == NAME and len(statement) > 2:
            before = statement[-3]
            if before.kind == NAME or before.text in (">", "*", "&"):
                parts = [self.evaluator.evaluate(part) for part in split_tokens(last.items)]
                call = HostCall(
                    before.text,
                    "",
                    tuple(parts),
                    {},
                    tuple(split_tokens(last.items)),
                    self.place(name.offset),
                )
                self.record_call(call)
                value = concatenate(parts, ELEMENT_SEPARATOR)
                if len(parts) > 1:
                    # `cl::Program program(context, text)` is no text itself
                    value = object_made_by(call, value)
                self.variables.assign(name.text, value, self.path_condition, own=True)
                return True
        while len(statement) > 2 and statement[-1].kind == "[":
            statement = statement[:-1]
        named = statement[-1].kind == NAME and (
            statement[-2].kind == NAME or statement[-2].text in (">", "*")
        )
        if named and all(_may_be_in_declaration(token) for token in statement):
            self.variables.assign(statement[-1].text, (), self.path_condition, own=True)
            return True
        return False


def _may_be_in_declaration(token: HostToken) -> bool:
    return token.kind in (NAME, STRING) or token.text in ("<", ">", "*", "&", ",", "::") or token.kind in "(["


def _has_assignment(tokens: Sequence[HostToken]) -> bool:
    return any(token.kind == PUNCTUATOR and token.text in _STORING for token in tokens) or any(
        token.kind == NAME and token.text in ("return", "new") for token in tokens
    )
