"""Which number literals of a typed function have values that something in it depends on.

Nearly everywhere only the type of a number counts, and whether it is a null pointer constant: `x * 3` is typed as `x * 4`
is. So a literal is followed from its own row to the expressions around it, up to one in which its value is lost: an
operation with something that is no constant, an index, an argument. Where that cannot be told (a case label, the bound of
an array, a constant that has a name, the condition of a loop), its value counts as asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import IntEnum

from openclsp.language.spaces import Space
from openclsp.semantics.context import Context, element_type
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.building import may_carry
from openclsp.semantics.known_types import canonical
from openclsp.semantics.memory_steps import BARRIERS
from openclsp.semantics.types import CONST, Array, Pointer, Scalar, Type, Vector
from openclsp.source.tree import FIELDS, kind

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
_MAXIMUM_STEPS = 256
"""How many rows are looked at for the one around another."""


class _Known(IntEnum):
    """What the class of the literal (`number_class`) still tells of the value of an expression that is made of it: as much
    as of itself, whether it is zero, or nothing."""

    CLASS = 0
    ZERO = 1
    NOTHING = 2


def values_read(ctx: Context, leaves: Collection[int]) -> tuple[int, ...]:
    """Those of the leaves, which are number literals, whose values something depends on; all of them where the item has
    faults, whose messages may say anything, or statements within expressions. The item was typed with its body and the
    value of every expression."""
    kinds = ctx.table.kind
    nested = any(number == _COMPOUND and kinds[row - 1] == _PARENTHESES for row, number in enumerate(kinds))
    if nested or _BLOCK in kinds or any(isinstance(fact, SyntaxFault | UnresolvedCall) for fact in ctx.facts):
        return tuple(leaves)
    uses = _Uses(ctx)
    return tuple(leaf for leaf, row in _rows(ctx, leaves) if uses.is_read(row))


def _rows(ctx: Context, leaves: Collection[int]) -> Iterator[tuple[int, int]]:
    table = ctx.table
    for row, number in enumerate(table.kind):
        if number == _NUMBER and table.first[row] in leaves:
            yield table.first[row], row


class _Uses:
    """Follows literals of one item."""

    def __init__(self, ctx: Context) -> None:
        self.ctx, self.table = ctx, ctx.table
        self.trace: dict[int, Value] = ctx.trace or {}

    def is_read(self, row: int) -> bool:
        """Whether something may depend on the value of the literal at a row."""
        literal = self.trace.get(row)
        return literal is None or (literal.number is not None and self._keeps(row, literal.number < 0))

    def _around(self, row: int) -> int:
        """The row around another; -1 where it is far."""
        skip = self.table.skip
        for around in range(row - 1, max(row - 1 - _MAXIMUM_STEPS, -1), -1):
            if skip[around] > row:
                return around
        return -1

    def _keeps(self, row: int, negative: bool) -> bool:
        """Whether the value of an integer reaches anything that may depend on it."""
        known = _Known.ZERO if negative else _Known.CLASS
        while True:
            around = self._around(row)
            if around < 0:
                return True
            number = self.table.kind[around]
            if number == _PARENTHESES:
                pass
            elif number == _UNARY:
                sign = self.table.leaf(self.table.first[around])
                if sign not in ("+", "-", "~"):
                    return True
                known = max(known, _Known.NOTHING if sign == "~" else _Known.ZERO)
            elif number == _CAST:
                target = self.trace.get(around)
                if target is None:
                    return True
                if _is_no_integer(target.type):
                    return isinstance(target.type, Pointer) and known == _Known.NOTHING
                known = known if self._is_wide(row, target.type) else _Known.NOTHING
            elif number == _BINARY:
                other = self._other(row, around)
                if other is None:
                    return True
                if other.number is None:
                    return not self._is_lost(around, other, known)
                known = _Known.NOTHING
            else:
                return not self._takes(around, row, known)
            row = around

    def _is_wide(self, row: int, target: Type) -> bool:
        """Whether a cast to an integer type leaves what is known of the value."""
        value = self.trace.get(row)
        if value is None or not isinstance(value.type, Scalar) or not isinstance(target, Scalar):
            return False
        return canonical(target).size >= max(canonical(value.type).size, 4)

    def _other(self, row: int, binary: int) -> Value | None:
        """The other operand."""
        table = self.table
        left, right = table.child(binary, _LEFT), table.child(binary, _RIGHT)
        return self.trace.get(right if row == left else left) if left >= 0 and right >= 0 else None

    def _is_lost(self, binary: int, other: Value, known: _Known) -> bool:
        """Whether an operation with what is no constant tells nothing of the value."""
        left = self.table.child(binary, _LEFT)
        sign = self.table.leaf(self.table.last[left])
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
        # what is left of an address hangs on the mask
        return known == _Known.CLASS or (other.hidden is None and not may_carry(other.type))

    def _takes(self, around: int, row: int, known: _Known) -> bool:
        """Whether what takes the value does not depend on it."""
        table = self.table
        number = table.kind[around]
        if known == _Known.NOTHING:
            return False
        if number == _VECTOR_LITERAL:
            made = self.trace.get(around)
            return made is not None and isinstance(made.type, Vector)
        if number == _ASSIGNMENT:
            return table.field[row] == _RIGHT
        if number == _INITIALISED:
            return self._is_variable(row)
        if number == _CONDITIONAL:
            condition = table.child(around, _CONDITION)
            chosen = self.trace.get(condition)
            return row != condition and chosen is not None and chosen.number is None
        return number in (_SUBSCRIPT, _RETURN, _LIST) or (
            number == _ARGUMENTS and self._is_plain_call(around)
        )

    def _is_variable(self, row: int) -> bool:
        """Whether the value at a row initialises a variable that does not stand for it."""
        place = self.ctx.place(row)
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
        """Whether it is a call by name that reads no number: of a barrier, which one it is counts."""
        table = self.table
        call = self._around(arguments)
        if call < 0 or table.kind[call] != _CALL:
            return False
        function = table.child(call, _FUNCTION)
        if function < 0 or table.kind[function] != _IDENTIFIER or self.trace.get(call) is None:
            return False
        return table.text(function) not in BARRIERS


def _is_no_integer(type_: Type) -> bool:
    """Whether what is cast to the type is no integer whose value is known."""
    return isinstance(type_, Pointer | Vector) or (isinstance(type_, Scalar) and type_.floating)
