"""Format strings of `printf` and the arguments of their conversions (OpenCL C 6.15.14)."""

from __future__ import annotations

import re

from openclsp.semantics.facts.calls import FormatArgument
from openclsp.semantics.facts.values import Value
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_ARGUMENTS = FIELDS["arguments"]
_STRINGS, _CONTENT = (kind("string_literal"), kind("concatenated_string")), kind("string_content")
_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>[1-9]\d*|\*)?(?:\.(?P<precision>\d+|\*)?)?"
    r"(?P<vector>v(?:2|3|4|8|16))?(?P<length>hh|hl|h|l|j|z|t|L)?(?P<conversion>[A-Za-z%])"
)


def emit_format(ctx: TypingContext, node: int, arguments: tuple[Value, ...]) -> None:
    """Emits a fact for each argument that a literal format string prints with `%s`."""
    table = ctx.table
    format_node = next((child for child in table.children(table.child(node, _ARGUMENTS))), -1)
    if format_node < 0 or table.kind[format_node] not in _STRINGS:
        return
    inner = range(format_node, table.skip[format_node])
    text = "".join(table.text(each) for each in inner if table.kind[each] == _CONTENT)
    number = 1
    for match in _CONVERSION.finditer(text):
        if match["conversion"] == "%":
            continue
        number += (match["width"] == "*") + (match["precision"] == "*")
        if match["conversion"] == "s" and number < len(arguments):
            ctx.emit(FormatArgument(number, arguments[number]))
        number += 1
