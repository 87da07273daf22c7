"""Abstract evaluation of host expressions to text with unknown parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options import format_strings
from openclsp.host_options.evaluation_scope import EvaluationScope
from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.host_lexer import (
    CONDITIONAL,
    FORMATTED,
    NAME,
    NUMBER,
    PUNCTUATOR,
    STRING,
    ConditionBranch,
    HostToken,
    HostTokens,
    tokenise_expression,
)
from openclsp.host_options.library_functions import (
    APPENDING_METHODS,
    FORMATTING_METHODS,
    IDENTITY_FUNCTIONS,
    IDENTITY_METHODS,
    MODULE_NAMES,
    VALUE_METHODS,
    evaluate_formatting_method,
    evaluate_library_call,
)
from openclsp.host_options.program_sources import add_sources, element_of
from openclsp.host_options.symbolic_text import (
    ELEMENT_SEPARATOR,
    HostPlace,
    SymbolicText,
    add_path_condition,
    begins_with_digit,
    concatenate,
    known_text,
    merge_alternatives,
    unknown_text,
)
from openclsp.host_options.token_patterns import (
    ARITHMETIC_OPERATORS,
    SEPARATORS,
    find_matching_colon,
    find_token,
    has_operator,
    is_null_literal,
    is_prefix_operator,
    keep_first_alternatives,
    looks_like_cast_type,
    skip_template_arguments,
    split_at_operators,
    split_tokens,
    token_spellings,
)

MAXIMUM_DEPTH: Final = 60


@dataclass(slots=True)
class ExpressionEvaluator:
    """Evaluates expressions in one scope.

    Unsupported operators give an unknown value; their operands are still evaluated, because they may contain
    calls.
    """

    scope: EvaluationScope
    condition_prefix: str
    depth: int = field(default=0)

    def evaluate(self, tokens: Sequence[HostToken]) -> SymbolicText:
        """Evaluates the expression, and records its calls in `scope`."""
        if not tokens:
            return ()
        if self.depth > MAXIMUM_DEPTH:
            return unknown_text(self.scope.place(tokens[0].offset))
        self.depth += 1
        try:
            # most expressions have no operator: one pass over their tokens instead of seven
            if not has_operator(tokens):
                return self._evaluate_adjacent(tokens)
            return self._evaluate_ternary(tokens, self.scope.place(tokens[0].offset))
        finally:
            self.depth -= 1

    def _evaluate_ternary(self, tokens: Sequence[HostToken], place: HostPlace) -> SymbolicText:
        question = find_token(tokens, "?")
        if question > 0:
            colon = find_matching_colon(tokens, question)
            if colon > 0:
                self.evaluate(tokens[:question])
                if token_spellings(tokens[:question]) == token_spellings(tokens[question + 1 : colon]):
                    return self.evaluate(tokens[question + 1 : colon])
                return self._merge_conditional(
                    tokens[question + 1 : colon], tokens[colon + 1 :], tokens[question], place
                )
        condition = find_token(tokens, "if", NAME)
        otherwise = find_token(tokens, "else", NAME)
        if 0 < condition < otherwise:
            self.evaluate(tokens[condition + 1 : otherwise])
            if token_spellings(tokens[:condition]) == token_spellings(tokens[condition + 1 : otherwise]):
                return self.evaluate(tokens[:condition])
            return self._merge_conditional(
                tokens[:condition], tokens[otherwise + 1 :], tokens[condition], place
            )
        loop = find_token(tokens, "for", NAME)
        if loop > 0:
            # One element stands for all: `[f"-D{name}={value}" for name, value in constants]`
            self.evaluate(tokens[loop + 1 :])
            return concatenate((self.evaluate(tokens[:loop]), unknown_text(place)), ELEMENT_SEPARATOR)
        return self._evaluate_operators(tokens, place)

    def _merge_conditional(
        self, yes: Sequence[HostToken], no: Sequence[HostToken], at: HostToken, place: HostPlace
    ) -> SymbolicText:
        chain = f"{self.condition_prefix}?{at.offset}"
        values = [
            (ConditionBranch(chain, 0, 2), self.evaluate(yes)),
            (ConditionBranch(chain, 1, 2), () if is_null_literal(no) else self.evaluate(no)),
        ]
        return merge_alternatives(values, place)

    def _evaluate_operators(self, tokens: Sequence[HostToken], place: HostPlace) -> SymbolicText:
        parts: list[list[HostToken]] = [[]]
        plain = True
        past = 0
        for index, token in enumerate(tokens):
            if token.kind == NAME and index >= past:
                past = skip_template_arguments(tokens, index + 1)
            if index < past:
                parts[-1].append(token)
            elif (
                token.kind == PUNCTUATOR
                and token.text in SEPARATORS
                and not is_prefix_operator(tokens, index)
            ):
                plain = False
                parts.append([])
            else:
                parts[-1].append(token)
        parts = [part for part in parts if part]
        if not plain or len(parts) != 1:
            first = [self._evaluate_appends(part) for part in parts]
            alternative = any(token.kind == NAME and token.text == "or" for token in tokens)
            return (
                concatenate((first[0], unknown_text(place)), ELEMENT_SEPARATOR)
                if alternative and first
                else element_of(concatenate(first), place)
            )
        return self._evaluate_appends(parts[0])

    def _evaluate_appends(self, tokens: Sequence[HostToken]) -> SymbolicText:
        values = [self._evaluate_sum(operand) for operand in split_at_operators(tokens, "<<", "+=")]
        return concatenate(values)

    def _evaluate_sum(self, tokens: Sequence[HostToken]) -> SymbolicText:
        values = [self._evaluate_product(operand) for operand in split_at_operators(tokens, "+")]
        if len(values) > 1 and all(begins_with_digit(value) for value in values):
            return unknown_text(self.scope.place(tokens[0].offset))
        return concatenate(values)

    def _evaluate_product(self, tokens: list[HostToken]) -> SymbolicText:
        factors: list[list[HostToken]] = [[]]
        for index, token in enumerate(tokens):
            if (
                token.kind == PUNCTUATOR
                and token.text in ARITHMETIC_OPERATORS
                and not is_prefix_operator(tokens, index)
            ):
                factors.append([])
            else:
                factors[-1].append(token)
        if len(factors) > 1:
            # `/` also joins paths
            whole = concatenate([self.evaluate(factor) for factor in factors])
            return element_of(whole, self.scope.place(tokens[0].offset))
        percent = find_token(tokens, "%")
        if percent <= 0:
            return self._evaluate_adjacent(tokens)
        template, place = self._evaluate_adjacent(tokens[:percent]), self.scope.place(tokens[0].offset)
        right = tokens[percent + 1 :]
        if all(piece.text is None or piece.text.isdigit() for piece in template):
            self._evaluate_adjacent(right)
            return unknown_text(place)
        if len(right) == 1 and right[0].kind == "{":
            return format_strings.format_printf(
                template, self._evaluate_dictionary(right[0].items), place, self.scope.path_condition
            )
        if len(right) == 1 and right[0].kind == "(":
            positional = tuple(self.evaluate(each) for each in split_tokens(right[0].items))
        else:
            positional = (self._evaluate_adjacent(right),)
        return format_strings.format_printf(template, positional, place, self.scope.path_condition)

    def _evaluate_dictionary(self, tokens: HostTokens) -> dict[str, SymbolicText]:
        pairs: dict[str, SymbolicText] = {}
        for entry in split_tokens(tokens):
            colon = find_token(entry, ":")
            if colon == 1 and entry[0].kind == STRING:
                pairs[entry[0].text] = self.evaluate(entry[2:])
        return pairs

    def _evaluate_adjacent(self, tokens: Sequence[HostToken]) -> SymbolicText:
        """Concatenates adjacent literals and names.

        Preprocessor conditions between them become path conditions.
        """
        values: list[SymbolicText] = []
        at = 0
        held: list[ConditionBranch] = []
        while at < len(tokens):
            token = tokens[at]
            if token.kind == CONDITIONAL:
                if held:
                    held.pop()
                if token.branch is not None:
                    held.append(token.branch)
                at += 1
                continue
            value, at = self._evaluate_primary(tokens, at)
            values.append(add_path_condition(value, tuple(held)))
        return concatenate(values)

    def _evaluate_primary(self, tokens: Sequence[HostToken], at: int) -> tuple[SymbolicText, int]:
        token = tokens[at]
        place, path = self.scope.place(token.offset), self.scope.path_condition
        value: SymbolicText
        name = ""
        if token.kind in (STRING, NUMBER):
            value, at = known_text(token.text, place, path), at + 1
        elif token.kind == FORMATTED:
            offset = token.offset
            value = format_strings.evaluate_f_string(
                token.text, place, path, lambda text: self.evaluate(tokenise_expression(text, offset))
            )
            at += 1
        elif token.kind == NAME:
            value, at, name = self._evaluate_name(tokens, at)
        elif token.kind == "(":
            at += 1
            if (
                at < len(tokens)
                and looks_like_cast_type(token.items)
                and tokens[at].kind in (NAME, STRING, NUMBER, "(")
            ):
                return self._evaluate_primary(tokens, at)
            value = (
                self._evaluate_list(token.items)
                if find_token(token.items, ",") >= 0
                else self.evaluate(token.items)
            )
        elif token.kind in "[{":
            before = tokens[at - 1] if at else None
            following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
            # `new String[]{ … }` has the elements of an array, `[]{ … }` is a lambda
            is_array = before is not None and before.kind == "[" and at > 1 and tokens[at - 2].kind == NAME
            if (
                token.kind == "{"
                and before is not None
                and (before.kind in "([" or before.text in ("mutable", "->", "noexcept"))
                and not is_array
            ):
                self.scope.interpret_block(token.items)
                return unknown_text(place), at + 1
            if token.kind == "[" and following in ("(", "{") and at == 0:
                return unknown_text(place), at + 1  # the capture list of a lambda
            value, at = self._evaluate_list(token.items), at + 1
        elif token.text == "-" and at + 1 < len(tokens) and tokens[at + 1].kind == NUMBER:
            value, at = known_text("-" + tokens[at + 1].text, place, path), at + 2
        elif token.text in ("&", "*", ".", "@", "!", "~", "-", "+", "++", "--", "::", "->"):
            return (), at + 1
        else:
            return (() if token.text == "," else unknown_text(place)), at + 1
        return self._evaluate_postfix(value, name, tokens, at)

    def _evaluate_list(self, items: HostTokens) -> SymbolicText:
        """Returns the elements of a list as one text, with ELEMENT_SEPARATOR before each element."""
        values = [self.evaluate(each) for each in split_tokens(items)]
        return concatenate(
            piece
            for value in values
            if value
            for piece in (known_text(ELEMENT_SEPARATOR, value[0].place, value[0].path_condition), value)
        )

    def _evaluate_name(self, tokens: Sequence[HostToken], at: int) -> tuple[SymbolicText, int, str]:
        """Evaluates a qualified name, or a call if an argument list follows.

        Returns the value, the index of the next token, and the variable's name, which is empty for a call.
        """
        name, receiver = tokens[at].text, ""
        offset = tokens[at].offset
        is_element_type = at > 0 and tokens[at - 1].kind == "["  # Go: `[]string{"-w", "-DN=1"}`
        at += 1
        while at + 1 < len(tokens) and tokens[at].text in (".", "->", "::") and tokens[at + 1].kind == NAME:
            # A method call on a value is evaluated later, by `_evaluate_postfix`, when that value is known.
            called = at + 2 < len(tokens) and tokens[at + 2].kind == "("
            of_value = tokens[at].text != "::" and tokens[at + 1].text in VALUE_METHODS
            if called and of_value and name not in MODULE_NAMES:
                break
            receiver, name = name, tokens[at + 1].text
            at += 2
        at = skip_template_arguments(tokens, at)
        at += at + 1 < len(tokens) and tokens[at].text == "!" and tokens[at + 1].kind in "(["
        if at < len(tokens) and tokens[at].kind == "{" and is_element_type:
            return self._evaluate_list(tokens[at].items), at + 1, ""
        if at < len(tokens) and (
            tokens[at].kind == "(" or (tokens[at].kind == "{" and name in IDENTITY_FUNCTIONS)
        ):
            return self._evaluate_call(name, receiver, tokens[at].items, offset), at + 1, ""
        return self.scope.value(name, self.scope.place(offset)), at, name

    def _evaluate_postfix(
        self, value: SymbolicText, name: str, tokens: Sequence[HostToken], at: int
    ) -> tuple[SymbolicText, int]:
        while at < len(tokens):
            token = tokens[at]
            following = tokens[at + 1] if at + 1 < len(tokens) else None
            if token.kind == "[":
                self.evaluate(token.items)
                value = element_of(value, self.scope.place(token.offset)) if value else value
                at += 1
            elif token.text in (".", "->", "?") and following is not None and following.kind == NAME:
                after = skip_template_arguments(tokens, at + 2)
                if after < len(tokens) and tokens[after].kind == "(":
                    value = self._evaluate_method_call(value, name, following, tokens[after].items)
                    at = after + 1
                else:
                    value, name = (
                        self.scope.value(following.text, self.scope.place(following.offset)),
                        following.text,
                    )
                    at += 2
            elif token.text in ("++", "--"):
                at += 1
            else:
                break
        return value, at

    def _evaluate_method_call(
        self, value: SymbolicText, receiver: str, token: HostToken, items: HostTokens
    ) -> SymbolicText:
        method = token.text
        if method in IDENTITY_METHODS:
            return value
        if method in FORMATTING_METHODS:
            positional, named, _ = self.evaluate_arguments(items)
            place, path = self.scope.place(token.offset), self.scope.path_condition
            return evaluate_formatting_method(method, value, positional, named, place, path)
        call = self._make_call(method, receiver, items, token.offset, value)
        result = self.scope.record_call(call)
        if result is None and method in APPENDING_METHODS and call.arguments:
            return concatenate((value, call.arguments[-1]))
        return add_sources(unknown_text(call.place) if result is None else result, call)

    def _evaluate_call(self, name: str, receiver: str, items: HostTokens, offset: int) -> SymbolicText:
        value = self.scope.value(receiver, self.scope.place(offset)) if receiver else None
        call = self._make_call(name, receiver, items, offset, value)
        known = self.scope.record_call(call)
        result = evaluate_library_call(call, self.scope.path_condition) if known is None else known
        return add_sources(result, call)

    def _make_call(
        self, name: str, receiver: str, items: HostTokens, offset: int, value: SymbolicText | None
    ) -> HostCall:
        """Creates a call; `value` is that of the receiver, None for a call that is not one of a method."""
        positional, named, tokens = self.evaluate_arguments(items)
        place = self.scope.place(offset)
        return HostCall(name, receiver, positional, named, tokens, place, value is not None, value or ())

    def evaluate_arguments(
        self, items: HostTokens
    ) -> tuple[tuple[SymbolicText, ...], dict[str, SymbolicText], tuple[HostTokens, ...]]:
        """Evaluates the arguments of a call.

        Returns the positional values, the keyword values, and the tokens of the positional arguments.
        """
        positional: list[SymbolicText] = []
        named: dict[str, SymbolicText] = {}
        tokens = []
        for each in split_tokens(keep_first_alternatives(items)):
            if len(each) > 1 and each[0].kind == NAME and each[1].text == "=":
                named[each[0].text] = self.evaluate(each[2:])
            else:
                positional.append(self.evaluate(each))
                tokens.append(each)
        return tuple(positional), named, tuple(tokens)
