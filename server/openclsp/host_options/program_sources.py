"""Follows the names of kernel files through the values of host code, from a file's name to the build of its program.

The text that a host reads from a file is unknown, but its pieces have the name of the file as their source. The result
of a call that openclsp does not interpret has the sources of the arguments: after
`program = clCreateProgramWithSource(context, 1, &text, …)`, `program` has the sources of `text`. A build therefore
belongs to the files of its program, and not to other files that the same function names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.host_lexer import HostTokens
from openclsp.host_options.kernel_file_names import KERNEL_FILE_NAME
from openclsp.host_options.symbolic_text import (
    HostPlace,
    SymbolicText,
    TextPiece,
    unknown_text,
)

HOST_STRING: Final = ""
"""The source of a program whose text is a string in host code"""
_NO_SOURCES: Final = frozenset[str]()
_LONGEST_FILE_NAME: Final = 4_096
_KERNEL: Final = re.compile(r"kernel\s")
_READING: Final = frozenset(("fread", "fread_s", "read", "fgets", "memcpy"))
"""Functions and methods that write what they read into their first argument"""
_READING_NAME: Final = re.compile(r"read|load|open|file|source|getline|slurp", re.IGNORECASE)
"""Matches the names of functions that may write a file's text into any argument"""
_RETURNS_ERROR: Final = re.compile(r"cl(?!Create|Link)[A-Z]")
"""Matches the functions of OpenCL that return an error code"""


def sources_of_value(value: SymbolicText) -> frozenset[str]:
    """Returns the names of the kernel files that a value contains or comes from, and HOST_STRING for kernel code.

    Code that is joined with unknown text counts as a part of an unknown program.
    """
    found = _NO_SOURCES
    for piece in value:
        # Most pieces of most calls have none.
        if own := _sources_of_piece(piece):
            found |= own
    if HOST_STRING in found and any(piece.text is None and not piece.sources for piece in value):
        return found - {HOST_STRING}
    return found


def _sources_of_piece(piece: TextPiece) -> frozenset[str]:
    if piece.text is None:
        return piece.sources
    if "." not in piece.text and "{" not in piece.text:
        return _NO_SOURCES
    if "{" in piece.text:
        return frozenset((HOST_STRING,)) if _KERNEL.search(piece.text) is not None else _NO_SOURCES
    if len(piece.text) >= _LONGEST_FILE_NAME:
        return _NO_SOURCES
    return frozenset(match[0] for match in KERNEL_FILE_NAME.finditer(piece.text))


def sources_of_call(call: HostCall) -> frozenset[str]:
    """Returns the sources of the receiver and of all arguments that a call reads.

    A variable whose address is passed counts only if there are no other sources: it may get an error code.
    """
    found, of_addresses = sources_of_value(call.receiver_value), _NO_SOURCES
    for value in call.keywords.values():
        found |= sources_of_value(value)
    written = int(call.name in _READING)
    for value, tokens in zip(call.arguments[written:], call.tokens[written:], strict=True):
        if own := sources_of_value(value):
            if _is_address(tokens):
                of_addresses |= own
            else:
                found |= own
    return found or of_addresses


def _is_address(argument: HostTokens) -> bool:
    """Whether an argument is the address of a variable: `&text`."""
    return len(argument) == 2 and argument[0].text == "&"


def add_sources(result: SymbolicText, call: HostCall) -> SymbolicText:
    """Returns the result of a call; if nothing of it is known, with the sources of the call."""
    if (
        not result
        or _RETURNS_ERROR.match(call.name)
        or any(piece.text is not None or piece.sources for piece in result)
    ):
        return result
    sources = sources_of_call(call)
    return tuple(piece._replace(sources=sources) for piece in result) if sources else result


def object_made_by(call: HostCall, value: SymbolicText) -> SymbolicText:
    """Returns the value of the object that a constructor call creates.

    This is `value`, the constructor's arguments. If kernel code in a string is among them, it is unknown text with the
    source HOST_STRING, because the other arguments are no part of the program.
    """
    sources = sources_of_call(call)
    return unknown_text(call.place, sources=sources) if sources == {HOST_STRING} else value


def element_of(value: SymbolicText, place: HostPlace) -> SymbolicText:
    """Returns an unknown element of a value, with the sources of the value."""
    return unknown_text(place, sources=sources_of_value(value))


def written_sources(call: HostCall, declared: Iterable[str]) -> dict[str, frozenset[str]]:
    """Returns the sources of the variables that a call may write: `load("a.cl", &text)`, `fread(text, 1, n, file)`.

    These are the variables whose address is passed, and those of `declared`, which have no value yet. Only a function
    of C's library passes on the sources of other variables, because a kernel's text and its length, an error code and
    a device are often passed together.
    """
    if call.name in _READING and call.tokens:
        names = [token.text for token in call.tokens[0] if token.text.isidentifier()]
        sources = sources_of_call(call)
        return dict.fromkeys(names[:1], sources) if sources else {}
    if _READING_NAME.search(call.name) is None:
        return {}
    values = (call.receiver_value, *call.arguments)
    texts = tuple(piece for value in values for piece in value if piece.text is not None)
    sources = sources_of_value(texts) - {HOST_STRING}
    if not sources:
        return {}
    without_value = frozenset(declared)
    written = (
        tokens[-1].text
        for tokens in call.tokens
        if _is_address(tokens) or (len(tokens) == 1 and tokens[0].text in without_value)
    )
    return dict.fromkeys(written, sources)
