"""Operands that are not evaluated (C99 6.5.3.4p2; OpenCL C 6.4.15 and 6.15.2).

A name in such an operand is no use of the object's value: a block does not capture it, and a call is not
executed.
"""

from __future__ import annotations

from openclsp.semantics.items.syntax_table import Table
from openclsp.source.parser import FIELDS, kind

_OPERATORS = frozenset(
    (
        kind("sizeof_expression"),
        kind("alignof_expression"),
        kind("offsetof_expression"),
        kind("typeof_specifier"),
    )
)
_CALL, _FUNCTION = kind("call_expression"), FIELDS["function"]
VEC_STEP = "vec_step"
"""An operator that the grammar parses as a call"""


def has_unevaluated_operands(table: Table, node: int) -> bool:
    """Whether the node is an operator that does not evaluate its operands."""
    number = table.kind[node]
    if number != _CALL:
        return number in _OPERATORS
    function = table.child(node, _FUNCTION)
    return function >= 0 and table.text(function) == VEC_STEP
