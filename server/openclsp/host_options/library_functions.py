"""Models of library functions and methods that compute text, for all host languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from openclsp.host_options import format_strings
from openclsp.host_options.host_functions import HostCall
from openclsp.host_options.symbolic_text import (
    ELEMENT_SEPARATOR,
    HostPlace,
    PathCondition,
    SymbolicText,
    concatenate,
    text_if_known,
    unknown_text,
)

IDENTITY_FUNCTIONS: Final = frozenset((
    "string", "String", "str", "AString", "std_string", "to_string", "ToString", "toString", "stringify",
    "lexical_cast", "from", "repr", "int", "float", "QString", "CString", "wstring", "string_view", "Twine",
    "static_cast", "reinterpret_cast", "const_cast", "strdup", "hcstrdup", "_strdup", "fspath", "Some", "Ok",
    "to_str", "list", "tuple", "set", "vector", "array", "span", "move", "forward", "ref", "cref",
))  # fmt: skip
"""Functions whose result has the same text as their argument."""
IDENTITY_METHODS: Final = frozenset((
    "c_str", "str", "data", "encode", "decode", "toString", "as_str", "as_ref", "as_bytes", "to_string",
    "to_owned", "begin", "end", "cbegin", "cend", "strip", "trim", "rstrip", "lstrip", "copy", "get", "value",
    "clone", "into", "unwrap", "iter", "toArray", "toList", "toStdString", "constData", "string",
    "generic_string",
))  # fmt: skip
"""Methods whose result has the same text as their receiver."""
APPENDING_METHODS: Final = frozenset((
    "append", "push_back", "emplace_back", "emplace", "insert", "add", "extend", "push", "push_str", "concat",
))  # fmt: skip
"""Methods that append their argument to their receiver."""
_PRINTF: Final = frozenset(
    ["Sprintf", "StrFormat", "StringPrintf", "g_strdup_printf", "string_format", "strprintf", "asprintf"]
)
_FORMAT_FUNCTIONS: Final = frozenset(("format", "Format", "asString"))
_CULTURES: Final = frozenset(("Locale", "locale", "CultureInfo", "NumberFormatInfo"))
"""Classes of an optional argument before the template in Java, C++ and C#"""
MODULE_NAMES: Final = frozenset(("path", "filepath", "String", "fmt", "strings", "format", "std"))
"""Names before a dot that are modules or namespaces instead of values."""
FORMATTING_METHODS: Final = frozenset(("format", "join", "arg"))
"""Methods whose receiver is a template or a separator of their arguments; `arg` is that of Qt's strings."""
VALUE_METHODS: Final = IDENTITY_METHODS | APPENDING_METHODS | FORMATTING_METHODS
"""Methods of strings and lists."""


def evaluate_library_call(call: HostCall, path: PathCondition) -> SymbolicText:
    """Evaluates a call of a modelled function; the result of any other call is unknown."""
    if not call.arguments:
        return unknown_text(call.place)
    first = call.arguments[0]
    if call.name in IDENTITY_FUNCTIONS:
        return first
    if call.name in _FORMAT_FUNCTIONS or call.name in _PRINTF:
        has_culture = len(call.arguments) > 1 and any(token.text in _CULTURES for token in call.tokens[0])
        first, *rest = call.arguments[has_culture:]
        if call.name in _PRINTF or any(piece.text and "%" in piece.text for piece in first):
            return format_strings.format_printf(first, rest, call.place, path)
        return format_strings.format_braces(first, rest, call.keywords, call.place, path)
    if call.name in ("StrCat", "concat"):
        return concatenate(call.arguments)
    if call.name == "join" and call.receiver in ("path", "filepath", "os"):
        return concatenate(call.arguments, "/")
    if call.name in ("join", "Join", "StrJoin") and len(call.arguments) > 1:
        return join_elements(*call.arguments[:2])
    if call.name == "accumulate":
        return concatenate((*call.arguments[2:3], join_elements((), first)))
    return unknown_text(call.place)


def evaluate_formatting_method(
    method: str,
    receiver: SymbolicText,
    positional: Sequence[SymbolicText],
    named: Mapping[str, SymbolicText],
    place: HostPlace,
    path: PathCondition,
) -> SymbolicText:
    """Evaluates a call of a method in `FORMATTING_METHODS`."""
    if method == "arg":
        return format_strings.forget_place_markers(receiver, place, path)
    if method == "join":
        return join_elements(receiver, positional[0] if positional else ())
    return format_strings.format_braces(receiver, positional, named, place, path)


def join_elements(first: SymbolicText, second: SymbolicText) -> SymbolicText:
    """Joins the elements of a list with a separator; the list may be either argument."""
    text = text_if_known(first)
    separator, elements = (
        (text, second) if text is not None and len(text) <= 3 else (text_if_known(second), first)
    )
    between = " " if separator is None else separator
    return tuple(
        piece if piece.text is None else piece._replace(text=piece.text.replace(ELEMENT_SEPARATOR, between))
        for piece in elements
    )
