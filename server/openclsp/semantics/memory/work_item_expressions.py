"""Evaluates the expressions of a function for one work-item with known ids.

An unknown value (a load, a floating-point number, a union) is None. An access is recorded only if its object
and index are known and the access does not depend on an unknown condition.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.entities import EntityRef, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.semantics.memory.symbolic_integers import ONE, ZERO, Integer, apply_operator, compare, truth
from openclsp.semantics.memory.work_item_accesses import Address, LocalAccess, LocalAccessKind
from openclsp.semantics.types.operand_types import is_integer
from openclsp.semantics.types.type_model import VOLATILE, Array, Pointer, Record, Scalar, Type, Vector
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

Known = Integer | Address | None
"""The value of an expression."""

_IDENTIFIER, _CALL, _CAST = kind("identifier"), kind("call_expression"), kind("cast_expression")
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_SUBSCRIPT, _POINTER, _MEMBER = (
    kind("subscript_expression"),
    kind("pointer_expression"),
    kind("field_expression"),
)
_PARENTHESES, _UNARY, _BINARY = (
    kind("parenthesized_expression"),
    kind("unary_expression"),
    kind("binary_expression"),
)
_CONDITIONAL, _COMMA = kind("conditional_expression"), kind("comma_expression")
_BLOCK = kind("block_literal")
_LEFT, _RIGHT, _ARGUMENT, _INDEX = FIELDS["left"], FIELDS["right"], FIELDS["argument"], FIELDS["index"]
_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_VALUE, _MEMBER_NAME = FIELDS["value"], FIELDS["field"]
_MAXIMUM_STEPS = 6_000
"""The limit of nodes that one work-item evaluates: about 10 ms."""


class TooManyStepsError(Exception):
    """The work-item evaluates more nodes than the limit, or runs a function with `goto` or a label.

    Nothing is then known about the work-item.
    """


class Frame:
    """The execution of one function call.

    It has the function's body, the types of all expressions, and the values of the variables.
    """

    def __init__(self, ctx: TypingContext, call: Place | None) -> None:
        self.ctx, self.call = ctx, call
        self.trace: dict[int, Value] = ctx.trace or {}
        self.variables: dict[EntityRef, Known] = {}
        self.declared = {
            fact.entity.place.first: fact.entity for fact in ctx.facts if isinstance(fact, Declaration)
        }
        """The entities by the tokens of their names."""
        self.shared = frozenset(self._variables_with_address())
        """The variables that may change through pointers: their values are not known."""

    def _variables_with_address(self) -> list[EntityRef]:
        table, found = self.ctx.table, []
        for node, number in enumerate(table.kind):
            if number == _POINTER and table.token(table.first[node]) == "&":
                value = self.trace.get(table.child(node, _ARGUMENT))
                if value is not None and value.origin is not None:
                    found.append(value.origin.entity)
        return found


class ExpressionRun:
    """Evaluates expressions and records the accesses that they make."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.accesses: list[LocalAccess] = []
        self.interval = 0, 0
        """As of a `LocalAccess`"""
        self.depends_on_symbol = False
        """Whether, since the last reset, a condition depended on a symbol or could not be decided."""
        self.hidden = 0
        """The number of unknown conditions around the evaluated code; above 0, no access is recorded."""
        self._steps = 0

    def evaluate(self, node: int) -> Known:
        """Evaluates an expression, records its accesses and returns its value."""
        if node < 0:
            return None
        self._steps += 1
        if self._steps > _MAXIMUM_STEPS:
            raise TooManyStepsError
        table, number = self.frame.ctx.table, self.frame.ctx.table.kind[node]
        value = self.frame.trace.get(node)
        if value is not None and value.number is not None and number not in (_ASSIGNMENT, _UPDATE):
            return Integer(value.number)
        if number in (_PARENTHESES, _CAST):
            return self._converted(node)
        if number in (_IDENTIFIER, _SUBSCRIPT, _MEMBER) or (
            number == _POINTER and table.token(table.first[node]) == "*"
        ):
            return self._loaded(node)
        if number == _POINTER:
            return self.locate(table.child(node, _ARGUMENT), as_object=True)
        if number == _BINARY:
            return self._binary(node)
        if number == _UNARY:
            return self._unary(node)
        if number == _ASSIGNMENT:
            return self._assign(node)
        if number == _UPDATE:
            return self._update(node)
        if number == _CONDITIONAL:
            return self._conditional(node)
        if number == _BLOCK or has_unevaluated_operands(table, node):
            return None
        if number == _CALL:
            return self.call(node)
        found: Known = None
        for child in table.children(node):
            found = self.evaluate(child)
        return found if number == _COMMA else None

    def call(self, node: int) -> Known:
        """Evaluates a call and returns its result."""
        raise NotImplementedError

    def condition(self, node: int) -> bool | None:
        """Whether a condition holds; None if unknown. A missing condition (`for (;;)`) holds."""
        if node < 0:
            return True
        found = self.evaluate(node)
        if isinstance(found, Address):
            return True
        self.depends_on_symbol |= found is None or bool(found.terms)
        return truth(found)

    def locate(self, node: int, *, as_object: bool = False) -> Address | None:
        """Returns the part of an object in local memory that an lvalue designates; None if there is none.

        With `as_object`, also returns None for a whole array, which no `Address` can designate.
        """
        table, trace = self.frame.ctx.table, self.frame.trace
        number = table.kind[node]
        value = trace.get(node)
        if value is None or not value.lvalue:
            children = list(table.children(node))
            return (
                self.locate(children[0], as_object=as_object)
                if number == _PARENTHESES and children
                else self._discarded(node)
            )
        if as_object and isinstance(value.type, Array):
            return self._discarded(node)
        if number == _PARENTHESES:
            return self.locate(next(iter(table.children(node))), as_object=as_object)
        if number == _IDENTIFIER:
            if value.origin is None or value.type.space is not Space.LOCAL:
                return None
            return Address(value.origin.entity, () if isinstance(value.type, Array) else (ZERO,))
        inner = table.child(node, _ARGUMENT)
        if number == _POINTER:
            pointer = self.evaluate(inner)
            return pointer if isinstance(pointer, Address) else None
        if number == _SUBSCRIPT:
            return self._element(inner, table.child(node, _INDEX))
        if number == _MEMBER:
            if table.token(table.last[inner]) == "->":
                base = self.evaluate(inner)
            else:
                base = self.locate(inner)
            name = table.text(table.child(node, _MEMBER_NAME))
            owner = trace.get(inner)
            if not isinstance(base, Address) or owner is None or _is_union(owner.type):
                return None
            return Address(base.object, (*base.path, name))
        return self._discarded(node)

    def _discarded(self, node: int) -> Address | None:
        """Evaluates an lvalue only for its side effects, because its object is unknown; returns None."""
        self.evaluate(node)
        return None

    def _element(self, base: int, index: int) -> Address | None:
        value = self.frame.trace.get(base)
        if value is not None and isinstance(value.type, Array):
            located, number = self.locate(base), self.evaluate(index)
            if located is None or not isinstance(number, Integer):
                return None
            return Address(located.object, (*located.path, number))
        pointer, number = self.evaluate(base), self.evaluate(index)
        if value is None or not isinstance(value.type, Pointer):
            return None
        return _moved(pointer, number, "+")

    def _loaded(self, node: int) -> Known:
        value, table = self.frame.trace.get(node), self.frame.ctx.table
        if value is None:
            return None
        if isinstance(value.type, Array):
            located = self.locate(node)
            return None if located is None else Address(located.object, (*located.path, ZERO))
        if table.kind[node] == _IDENTIFIER and value.type.space is not Space.LOCAL:
            ref = value.origin.entity if value.origin is not None else None
            return None if ref is None or ref in self.frame.shared else self.frame.variables.get(ref)
        located = self.locate(node)
        self.record(located, LocalAccessKind.READ, node, value.type)
        return None

    def record(
        self,
        address: Known,
        access: LocalAccessKind,
        node: int,
        type_: Type | None = None,
        value: Known = None,
    ) -> None:
        """Records an access to local memory.

        Does nothing if the address or the condition of the access is unknown, or if the object is volatile or
        a whole struct or union.
        """
        if not isinstance(address, Address) or self.hidden:
            return
        if type_ is not None and (type_.qualifiers & VOLATILE or isinstance(type_, Record)):
            return
        place = self.frame.call or self.frame.ctx.place(node)
        written = value if isinstance(value, Integer) else None
        self.accesses.append(LocalAccess(address, access, self.interval, place, written))

    def _converted(self, node: int) -> Known:
        table = self.frame.ctx.table
        inner = (list(table.children(node)) or [-1])[-1]
        found = self.evaluate(inner)
        target, source = self.frame.trace.get(node), self.frame.trace.get(inner)
        if table.kind[node] == _PARENTHESES or target is None or source is None:
            return found
        if isinstance(found, Address):
            return found if _pointee_name(target.type) == _pointee_name(source.type) else None
        return found if is_integer(target.type) and not isinstance(target.type, Vector) else None

    def _binary(self, node: int) -> Known:
        table, trace = self.frame.ctx.table, self.frame.trace
        left, right = table.child(node, _LEFT), table.child(node, _RIGHT)
        sign = table.token(table.last[left])
        if sign in ("&&", "||"):
            return self._logical(left, right, decisive=sign == "||")
        first, second = self.evaluate(left), self.evaluate(right)
        if isinstance(first, Address) or isinstance(second, Address):
            if isinstance(second, Address) and sign == "+":
                first, second = second, first
            return _moved(first, second, sign) if sign in ("+", "-") else None
        if first is None or second is None:
            return None
        self.depends_on_symbol |= bool(first.terms or second.terms)
        if sign in ("<", ">", "<=", ">=", "/", "%", ">>"):
            types = [each.type for each in (trace.get(left), trace.get(right)) if each is not None]
            unsigned = any(isinstance(each, Scalar) and not each.signed for each in types)
            if unsigned and any(compare("<", each, ZERO) is not False for each in (first, second)):
                # a negative number has become a large one
                return None
        return apply_operator(sign, first, second)

    def _logical(self, left: int, right: int, *, decisive: bool) -> Known:
        first = self.condition(left)
        if first is decisive:
            return Integer(int(decisive))
        if first is None:
            self.hidden += 1
            second = self.condition(right)
            self.hidden -= 1
            return Integer(int(decisive)) if second is decisive else None
        second = self.condition(right)
        return None if second is None else Integer(int(second))

    def _unary(self, node: int) -> Known:
        table = self.frame.ctx.table
        sign = table.token(table.first[node])
        operand = (list(table.children(node)) or [-1])[-1]
        if sign == "!":
            found = self.condition(operand)
            return None if found is None else Integer(int(not found))
        number = self.evaluate(operand)
        if not isinstance(number, Integer) or sign not in ("+", "-"):
            return None
        return number if sign == "+" else apply_operator("-", ZERO, number)

    def _conditional(self, node: int) -> Known:
        table = self.frame.ctx.table
        chosen = self.condition(table.child(node, _CONDITION))
        first, second = table.child(node, _CONSEQUENCE), table.child(node, _ALTERNATIVE)
        if chosen is not None:
            return self.evaluate(first if chosen else second)
        self.hidden += 1
        values = self.evaluate(first), self.evaluate(second)
        self.hidden -= 1
        return values[0] if values[0] == values[1] else None

    def _assign(self, node: int) -> Known:
        table = self.frame.ctx.table
        left, right = table.child(node, _LEFT), table.child(node, _RIGHT)
        sign = table.token(table.last[left])
        given = self.evaluate(right)
        return self._store(left, sign.removesuffix("="), given)

    def _update(self, node: int) -> Known:
        table = self.frame.ctx.table
        target = table.child(node, _ARGUMENT)
        first = table.token(table.first[node])
        sign = first if first in ("++", "--") else table.token(table.last[node] - 1)
        before = self._private_value(target)
        after = self._store(target, sign[0], ONE)
        return after if first in ("++", "--") else before

    def _private_value(self, node: int) -> Known:
        ref = self._variable(node)
        return None if ref is None else self.frame.variables.get(ref)

    def _variable(self, node: int) -> EntityRef | None:
        """Returns the variable that an lvalue names; None for local memory and other lvalues."""
        table, value = self.frame.ctx.table, self.frame.trace.get(node)
        while table.kind[node] == _PARENTHESES:
            node = next(iter(table.children(node)), -1)
            if node < 0:
                return None
        if table.kind[node] != _IDENTIFIER or value is None or value.origin is None:
            return None
        return None if value.type.space is Space.LOCAL else value.origin.entity

    def _store(self, target: int, sign: str, given: Known) -> Known:
        """Assigns `given` to the lvalue `target` and returns the new value.

        `sign` is the operator of a compound assignment, or empty.
        """
        ref, value = self._variable(target), self.frame.trace.get(target)
        if ref is not None:
            result = given
            if sign:
                before = self.frame.variables.get(ref)
                if isinstance(before, Address):
                    result = _moved(before, given, sign)
                else:
                    result = apply_operator(sign, before, given) if isinstance(given, Integer) else None
            if (
                value is not None
                and not isinstance(value.type, Pointer)
                and not _is_plain_integer(value.type)
            ):
                result = None
            self.frame.variables[ref] = None if ref in self.frame.shared else result
            return result
        located = self.locate(target)
        type_ = None if value is None else value.type
        if sign:
            self.record(located, LocalAccessKind.READ, target, type_)
        self.record(located, LocalAccessKind.WRITE, target, type_, None if sign else given)
        return None if sign else given


def _moved(pointer: Known, by: Known, sign: str) -> Address | None:
    """Returns the pointer plus or minus `by` elements; None if unknown. `sign` is the operator."""
    if not isinstance(pointer, Address) or not isinstance(by, Integer) or not pointer.path:
        return None
    last = pointer.path[-1]
    if not isinstance(last, Integer):
        return None
    moved = apply_operator(sign, last, by)
    return None if moved is None else Address(pointer.object, (*pointer.path[:-1], moved))


def _is_plain_integer(type_: Type) -> bool:
    return is_integer(type_) and not isinstance(type_, Vector)


def _is_union(type_: Type) -> bool:
    """Whether members of an object of this type, or of the type it points to, may overlap.

    False for vectors and structs; True for any other type.
    """
    plain = type_.pointee if isinstance(type_, Pointer) else type_
    return not isinstance(plain, Vector) and not (isinstance(plain, Record) and plain.keyword == "struct")


def _pointee_name(type_: Type) -> str:
    """Returns the name of the scalar or vector type to which a pointer points; empty for any other type."""
    pointee = type_.pointee if isinstance(type_, Pointer) else None
    if isinstance(pointee, Array):
        return ""
    if isinstance(pointee, Scalar):
        return pointee.canonical or pointee.name
    if isinstance(pointee, Vector):
        return f"{pointee.element.name}{pointee.width}"
    return ""
