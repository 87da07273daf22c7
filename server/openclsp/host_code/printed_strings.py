"""Reads calls of C functions that write text into a buffer, such as `snprintf(buffer, size, "…", …)`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, NamedTuple

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, field, operands
from openclsp.host_code.printing_functions import format_index
from openclsp.host_code.string_value import PieceKind, StringValue, ValuePiece, placeholder, slice_of

CONVERSION: Final = re.compile(
    rb"%%|%[-#0 +']{0,5}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*)?)?(?:hh|ll|[hlLqjzt])?[diouxXeEfFgGaAcspn]"
)
"""A conversion of `printf`"""
_MAXIMUM_DEPTH: Final = 20


class _Printer(NamedTuple):
    """The arguments and the effect of a function that prints into a buffer.

    - `target`: the index of the argument with the buffer, -1 for none.
    - `text`: the index of the argument with the text.
    - `formats`: whether the text is a format with conversions.
    - `appends`: whether the text is appended to the buffer's content.
    """

    target: int
    text: int
    formats: bool = True
    appends: bool = False


_PRINTERS: Final = {
    b"printf": _Printer(-1, 0),
    b"fprintf": _Printer(-1, 1),
    b"strcpy": _Printer(0, 1, formats=False),
    b"strncpy": _Printer(0, 1, formats=False),
    b"strcpy_s": _Printer(0, 2, formats=False),
    b"strcat_s": _Printer(0, 2, formats=False, appends=True),
    b"strcat": _Printer(0, 1, formats=False, appends=True),
    b"strncat": _Printer(0, 1, formats=False, appends=True),
}


class PrintedText(NamedTuple):
    """A call that prints text, usually into a buffer.

    - `target`: the variable of the buffer; None if the text is not printed into a buffer.
    - `text`: the printed argument.
    - `formats`: whether the text is a format with conversions.
    - `appends`: whether the text is appended to the buffer's content.
    """

    target: Node | None
    text: Node
    formats: bool
    appends: bool


def read_printing(tree: HostTree, call: Node) -> PrintedText | None:
    """Reads a call of a function that prints or copies text; None for other calls."""
    function, arguments = field(call, "function"), field(call, "arguments")
    if function is None or arguments is None or function.type not in ("identifier", "qualified_identifier"):
        return None
    name = tree.text(function).rsplit(b"::", 1)[-1]
    # Also macros around them: `STRCPY`.
    printer = _PRINTERS.get(name.lower())
    if printer is None:
        text = format_index(name.decode("utf-8", "replace"))
        if text is None:
            return None
        printer = _Printer(0, text)
    given = operands(arguments)
    if len(given) <= printer.text:
        return None
    written = given[printer.target] if printer.target >= 0 else None
    target = None if written is None else _buffer(written)
    appends = printer.appends or target != written and not _is_address(written)
    return PrintedText(target, given[printer.text], printer.formats, appends or _advances(tree, call, target))


def _buffer(node: Node) -> Node:
    """Returns the variable in an argument such as `buffer + length`, `&buffer[length]` or `&pointer`."""
    for _ in range(_MAXIMUM_DEPTH):
        inner = field(node, "left" if node.type == "binary_expression" else "argument")
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            inner = node.named_child(0)
        elif node.type == "cast_expression":
            inner = field(node, "value")
        elif node.type == "field_expression":
            break
        if inner is None:
            break
        node = inner
    return node


def _is_address(node: Node | None) -> bool:
    """Whether an expression is the address of a variable, such as the first argument of `asprintf`."""
    target = None if node is None or node.type != "pointer_expression" else field(node, "argument")
    return target is not None and target.type in ("identifier", "field_expression")


def _advances(tree: HostTree, call: Node, target: Node | None) -> bool:
    """Whether the result of a call is assigned to the buffer pointer `target`: `p += sprintf(p, …)`."""
    parent = call.parent
    left = None if parent is None or parent.type != "assignment_expression" else field(parent, "left")
    return left is not None and target is not None and tree.text(left) == tree.text(target)


def replace_conversions(value: StringValue, conversion: re.Pattern[bytes] = CONVERSION) -> StringValue:
    """Returns the text that `printf` makes from a format; each inserted value is a hole (unknown text).

    `conversion` matches a conversion of the language, and `%%`.
    """
    literals = tuple(replace(each, doubles_percent=True) for each in value.literals)
    texts: list[bytes] = []
    pieces: list[ValuePiece] = []
    at = length = 0
    for match in conversion.finditer(value.data):
        start, end = match.span()
        written = value.piece_at(start)
        if written is None or written.kind is not PieceKind.COPIED or written.end < end:
            continue
        length = _append(texts, pieces, slice_of(value, at, start), length)
        is_percent = match[0] == b"%%"
        text = b"%" if is_percent else placeholder(b"value")
        host_start, host_end = value.host_range(start, end)
        kind = PieceKind.ESCAPED if is_percent else PieceKind.HOLE
        pieces.append(ValuePiece(length, length + len(text), host_start, host_end, kind, written.literal))
        texts.append(text)
        length += len(text)
        at = end
    _append(texts, pieces, slice_of(value, at, len(value.data)), length)
    return StringValue(b"".join(texts), tuple(pieces), literals)


def _append(texts: list[bytes], pieces: list[ValuePiece], part: StringValue, length: int) -> int:
    texts.append(part.data)
    pieces += (each._replace(start=each.start + length, end=each.end + length) for each in part.pieces)
    return length + len(part.data)
