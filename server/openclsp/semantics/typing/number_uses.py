"""Determines which number literals of a function have values that affect results.

Usually only the type of a number matters, and whether it is a null pointer constant: `x * 3` is typed like `x
* 4`. For each literal, the enclosing expressions are visited from the inside out. The value does not matter
if one of them gives the same result for any value: an operation with a non-constant, an index, an argument.
If there is no such expression (in a case label, an array bound, a named constant, a loop condition), the
value counts as used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum

from openclsp.language.spaces import Space
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.faults import InvalidAttribute, InvalidLiteral, NotConstant
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.builder_state import may_carry
from openclsp.semantics.memory.memory_steps import BARRIERS
from openclsp.semantics.types.known_types import canonical
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    Pointer,
    Scalar,
    Type,
    Vector,
)
from openclsp.semantics.types.type_structure import element_type
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_NUMBER = kind("number_literal")
_PARENTHESES, _UNARY, _BINARY = (
    kind("parenthesized_expression"),
    kind("unary_expression"),
    kind("binary_expression"),
)
_CAST, _VECTOR_LITERAL = kind("cast_expression"), kind("vector_literal")
_SUBSCRIPT, _ASSIGNMENT = kind("subscript_expression"), kind("assignment_expression")
_CONDITIONAL, _LIST = kind("conditional_expression"), kind("initializer_list")
_INITIALISED, _RETURN = kind("init_declarator"), kind("return_statement")
_ARGUMENTS, _COMPOUND, _BLOCK = kind("argument_list"), kind("compound_statement"), kind("block_literal")
_IDENTIFIER, _CALL = kind("identifier"), kind("call_expression")
_LEFT, _RIGHT = FIELDS["left"], FIELDS["right"]
_FUNCTION, _CONDITION = FIELDS["function"], FIELDS["condition"]
_ARITHMETIC = frozenset(["+", "-", "*", "/", "%", "|", "^", "<<", ">>", "==", "!=", "<", ">", "<=", ">="])
_LOGICAL = frozenset(("&&", "||"))
_SHOWING_VALUES = (SyntaxFault, UnresolvedCall, NotConstant, InvalidLiteral, InvalidAttribute)
"""Facts whose messages may contain the text of a literal or depend on its value"""
_MAXIMUM_STEPS = 256
"""The limit of nodes searched for the parent of a node."""


class _Known(IntEnum):
    """The part of an expression's value that follows from the class of a literal in the expression.

    CLASS: the class of the value (see `number_class`). ZERO: only whether the value is zero. NOTHING:
    nothing.
    """

    CLASS = 0
    ZERO = 1
    NOTHING = 2


def used_numbers(ctx: TypingContext, token_indices: Collection[int]) -> tuple[int, ...]:
    """Returns the token indices of the number literals whose values affect a result.

    `token_indices` are the candidates. All candidates are returned if the item contains statement expressions
    or block literals, or if it has errors, because a message may depend on any value or show it. The item must have been
    typed with its body, and `ctx.trace` must contain the values of its expressions.
    """
    kinds = ctx.table.kind
    nested = any(number == _COMPOUND and kinds[node - 1] == _PARENTHESES for node, number in enumerate(kinds))
    if nested or _BLOCK in kinds or any(isinstance(fact, _SHOWING_VALUES) for fact in ctx.facts):
        return tuple(token_indices)
    uses = _Uses(ctx)
    return tuple(token_index for token_index, node in _number_nodes(ctx, token_indices) if uses.is_read(node))


def _number_nodes(ctx: TypingContext, token_indices: Collection[int]) -> Iterator[tuple[int, int]]:
    table = ctx.table
    for node, number in enumerate(table.kind):
        if number == _NUMBER and table.first[node] in token_indices:
            yield table.first[node], node


class _Uses:
    """Determines whether the values of an item's number literals affect results."""

    def __init__(self, ctx: TypingContext) -> None:
        self.ctx, self.table = ctx, ctx.table
        self.trace: dict[int, Value] = ctx.trace or {}

    def is_read(self, node: int) -> bool:
        """Whether the result of typing the item may depend on the value of the literal at `node`."""
        literal = self.trace.get(node)
        return literal is None or (literal.number is not None and self._keeps_value(node, literal.number < 0))

    def _parent(self, node: int) -> int:
        """Returns the parent of a node; -1 if it is not among the `_MAXIMUM_STEPS` nodes before `node`."""
        skip = self.table.skip
        for around in range(node - 1, max(node - 1 - _MAXIMUM_STEPS, -1), -1):
            if skip[around] > node:
                return around
        return -1

    def _keeps_value(self, node: int, negative: bool) -> bool:
        """Whether the typing of an enclosing expression may depend on the value of an integer literal.

        `node` is the literal; `negative` means that its value is negative. False if some enclosing expression
        has the same results for all literals of the class (`number_class`), as in `x * 3`.
        """
        known = _Known.ZERO if negative else _Known.CLASS
        # climbs the enclosing expressions; `known` only grows coarser, and a context that needs more than it
        # determines depends on the value
        while True:
            around = self._parent(node)
            if around < 0:
                return True
            number = self.table.kind[around]
            if number == _PARENTHESES:
                pass
            elif number == _UNARY:
                sign = self.table.token(self.table.first[around])
                if sign not in ("+", "-", "~"):
                    return True
                known = max(known, _Known.NOTHING if sign == "~" else _Known.ZERO)
            elif number == _CAST:
                target = self.trace.get(around)
                if target is None:
                    return True
                if _is_no_integer(target.type):
                    return isinstance(target.type, Pointer) and known == _Known.NOTHING
                known = known if self._is_wide(node, target.type) else _Known.NOTHING
            elif number == _BINARY:
                other = self._other_operand(node, around)
                if other is None:
                    return True
                if other.number is None:
                    return not self._is_lost(around, other, known)
                known = _Known.NOTHING
            else:
                return not self._is_context_independent(around, node, known)
            node = around

    def _is_wide(self, node: int, target: Type) -> bool:
        """Whether a cast of `node` to the integer type `target` preserves the class of the literal.

        For the classes, see `number_class`.
        """
        value = self.trace.get(node)
        if value is None or not isinstance(value.type, Scalar) or not isinstance(target, Scalar):
            return False
        return canonical(target).size >= max(canonical(value.type).size, 4)

    def _other_operand(self, node: int, binary: int) -> Value | None:
        """Returns the value of the operand of `binary` that is not `node`; None if no value is recorded."""
        table = self.table
        left, right = table.child(binary, _LEFT), table.child(binary, _RIGHT)
        return self.trace.get(right if node == left else left) if left >= 0 and right >= 0 else None

    def _is_lost(self, binary: int, other: Value, known: _Known) -> bool:
        """Whether the typing of the operation `binary` is independent of the literal's value.

        For example, `x * 3` and `x * 4` have the same type, and neither is constant. One operand contains the
        literal, and `known` states what is known of this operand's value. `other` is the other operand, which
        is not constant.
        """
        left = self.table.child(binary, _LEFT)
        sign = self.table.token(self.table.last[left])
        if isinstance(other.type, Pointer | Array):
            return sign in ("+", "-") or known < _Known.NOTHING
        if not isinstance(other.type, Scalar | Vector):
            return False
        if sign in _ARITHMETIC:
            return True
        if sign in _LOGICAL:
            return known < _Known.NOTHING
        if sign != "&":
            return False
        # what remains of an address depends on the mask
        return known == _Known.CLASS or (other.hidden is None and not may_carry(other.type))

    def _is_context_independent(self, around: int, node: int, known: _Known) -> bool:
        """Whether the typing of `around`, the parent of `node`, is independent of the literal's value.

        `node` contains the literal, and `known` states what is known of the value of `node`.
        """
        table = self.table
        number = table.kind[around]
        if known == _Known.NOTHING:
            return False
        if number == _VECTOR_LITERAL:
            made = self.trace.get(around)
            return made is not None and isinstance(made.type, Vector)
        if number == _ASSIGNMENT:
            return table.field[node] == _RIGHT
        if number == _INITIALISED:
            return self._is_variable(node)
        if number == _CONDITIONAL:
            condition = table.child(around, _CONDITION)
            chosen = self.trace.get(condition)
            return node != condition and chosen is not None and chosen.number is None
        return number in (_SUBSCRIPT, _RETURN, _LIST) or (
            number == _ARGUMENTS and self._is_plain_call(around)
        )

    def _is_variable(self, node: int) -> bool:
        """Whether the expression initialises a variable that is neither const nor in constant memory."""
        place = self.ctx.place(node)
        for fact in self.ctx.facts:
            if (
                isinstance(fact, Declaration)
                and fact.initialiser is not None
                and fact.initialiser.place == place
            ):
                own = element_type(fact.entity.type)
                return not own.qualifiers & CONST and own.space is not Space.CONSTANT
        return False

    def _is_plain_call(self, arguments: int) -> bool:
        """Whether the argument list belongs to a call of a named function other than a barrier.

        The checks of a barrier depend on the value of its flags.
        """
        table = self.table
        call = self._parent(arguments)
        if call < 0 or table.kind[call] != _CALL:
            return False
        function = table.child(call, _FUNCTION)
        if function < 0 or table.kind[function] != _IDENTIFIER or self.trace.get(call) is None:
            return False
        return table.text(function) not in BARRIERS


def _is_no_integer(type_: Type) -> bool:
    """Whether a cast to this type cannot yield an integer of known value."""
    return isinstance(type_, Pointer | Vector) or (isinstance(type_, Scalar) and type_.floating)
