"""Value numbers: equal numbers mean equal values.

This is global value numbering within one function (Click 1995, without a fixpoint): a variable has the number
of the expression assigned to it, and a merge of different numbers has a new number. At each moment of an
execution, a number denotes one value: loops and labels give new numbers to variables that they may change.
For this reason, a test of one variable also narrows all variables with the same number. If the number is that
of an expression such as `to_local(p)`, the test narrows `p` as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from openclsp.semantics.flow.graph import Flow

ValueNumber = int
"""A positive number; 0 where nothing is known"""
Definition = tuple[object, ...]
"""An operator and the numbers of its operands"""

CAST, TO_SPACE, NOT, TRUTH, CONSTANT, AND, OR, MERGE = (
    "cast",
    "to",
    "!",
    "truth",
    "number",
    "&&",
    "||",
    "merge",
)


class ConditionalValue(NamedTuple):
    """A value that was merged after the two branches of a condition.

    It has a value number and a flow from the end of each branch.
    """

    condition: ValueNumber
    if_true: ValueNumber
    if_false: ValueNumber
    flow_if_true: Flow
    flow_if_false: Flow


class ValueNumbers:
    """The value numbers of a function and its block literals."""

    def __init__(self) -> None:
        self._last = 0
        self._numbers: dict[Definition, ValueNumber] = {}
        self.definitions: dict[ValueNumber, Definition] = {}
        self.conditional: dict[ValueNumber, ConditionalValue] = {}

    def fresh(self) -> ValueNumber:
        """Returns the number of a value about which nothing is known."""
        self._last += 1
        return self._last

    def number(self, *definition: object) -> ValueNumber:
        """Returns the number of the value that an operator and the numbers of its operands define."""
        found = self._numbers.get(definition)
        if found is None:
            found = self._numbers[definition] = self.fresh()
            self.definitions[found] = definition
        return found

    def choice(
        self, condition: ValueNumber, values: Sequence[ValueNumber], flows: Sequence[Flow], merge: int = 0
    ) -> ValueNumber:
        """Returns the number of a choice: the first of two values if a condition is true, else the second.

        `merge` identifies the merge of the branches, because the same condition may have another outcome at
        another merge.
        """
        made = self.number(MERGE, merge or self.fresh(), *values)
        if made not in self.conditional:
            tested, sense = self.tested(condition)
            first, second = (0, 1) if sense else (1, 0)
            self.conditional[made] = ConditionalValue(
                tested, values[first], values[second], flows[first], flows[second]
            )
        return made

    def negated(self, value: ValueNumber) -> ValueNumber:
        """Returns the number of the logical negation of a value."""
        definition = self.definitions.get(value, ())
        if definition[:1] == (NOT,):
            return self.number(TRUTH, definition[1])
        if definition[:1] == (TRUTH,):
            return self.number(NOT, definition[1])
        return self.number(NOT, value)

    def tested(self, value: ValueNumber) -> tuple[ValueNumber, bool]:
        """Splits a condition into the value that it compares with 0, and the sense of the comparison.

        The sense is True if the condition is true for a value other than 0, and False for `!x` or `x == 0`.
        """
        definition, sense = self.definitions.get(value, ()), True
        while definition and definition[0] in (NOT, TRUTH):
            sense = sense != (definition[0] == NOT)
            value = _operand(definition, 1)
            definition = self.definitions.get(value, ())
        return value, sense

    def constant(self, value: ValueNumber) -> int | None:
        """Returns the constant that a value number denotes; None if it denotes no constant."""
        definition = self.definitions.get(value, ())
        if definition[:1] != (CONSTANT,):
            return None
        number = definition[1]
        assert isinstance(number, int)
        return number


def _operand(definition: Definition, index: int) -> ValueNumber:
    operand = definition[index]
    assert isinstance(operand, int)
    return operand


def operands(definition: Definition) -> tuple[ValueNumber, ...]:
    """Returns the value numbers of the operands in a definition."""
    return tuple(each for each in definition[1:] if isinstance(each, int))
