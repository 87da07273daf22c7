"""String templates of C#, Kotlin and Scala, which contain expressions of the host, in the notation of Python's f-strings.

A name in a template stays: `$"-DN={n}"`, `"-DN=$n"` and `s"-DN=${n}"` all become `-DN={n}`. Any other expression, and one
with a format, becomes `{:}`, whose value is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from openclsp.host_options.escape_sequences import replace_escape_sequences

CToken: TypeAlias = "tuple[str, int, int, str]"
"""The kind of a token, its start and end in characters from 0 (end exclusive), and its content.

The kind is `name`, `number`, `punctuator`, `comment`, `character`, `string`, `raw` (a string without escape
sequences), `formatted` (a template, as an f-string without escape sequences) or `directive` (with the blanks before its
`#`). The content is the text: of a string, the text between the quotes, and of a comment or character, nothing. A plain
tuple, because a named one takes twice the time to make.
"""
ReadTemplate: TypeAlias = Callable[[str, int], "CToken | None"]
"""Returns the template at an offset of a text, after white space; None if there is none"""

# A quote in an expression does not end the template. Braces in it are nested once.
_EXPRESSION: Final = r'\{(?:[^{}"\n]|"(?:[^"\\\n]|\\.)*"|\{[^{}"\n]*\})*\}'
_C_SHARP: Final = re.compile(
    rf"""\s*(?:@"(?P<verbatim>(?:[^"]|"")*)"?
    |(?P<raw>\$+"{{3,}})
    |(?:\$@|@\$)"(?P<verbatim_template>(?:[^"{{]|""|\{{\{{|{_EXPRESSION}|\{{)*)"?
    |\$"(?P<template>(?:[^"\\\n{{]|\\[\s\S]|\{{\{{|{_EXPRESSION}|\{{)*)"?)""",
    re.VERBOSE,
)
_KOTLIN: Final = re.compile(
    rf"""\s*(?:(?P<raw>\"{{3}})|"(?P<template>(?:[^"\\\n$]|\\[\s\S]|\${_EXPRESSION}|\$)*)"?)""", re.VERBOSE
)
_SCALA: Final = re.compile(
    rf"""\s*\b(?P<prefix>s|f|raw)
    (?:(?P<raw>\"{{3}})|"(?P<template>(?:[^"\\\n$]|\\[\s\S]|\${_EXPRESSION}|\$)*)"?)""",
    re.VERBOSE,
)
_BRACE_PARTS: Final = re.compile(rf"(?P<double>\{{\{{|\}}\}})|(?P<hole>{_EXPRESSION})|(?P<open>\{{[\s\S]*)")
_DOLLAR_PARTS: Final = re.compile(
    rf"(?P<escape>\\[\s\S]|\$\$)|\$(?:(?P<name>[A-Za-z_]\w*)|(?P<hole>{_EXPRESSION}))(?P<format>%[-+ #0\d.]*[A-Za-z])?"
    r"|(?P<brace>[{}])"
)
_NAME: Final = re.compile(r"\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}")
_UNKNOWN: Final = "{:}"


def template_reader(path: str) -> ReadTemplate | None:
    """Returns the function that reads the templates of a host file; None if its language has none."""
    return _READERS.get(path[path.rfind(".") :].lower())


def _read_c_sharp(text: str, at: int) -> CToken | None:
    match = _C_SHARP.match(text, at)
    if match is None:
        return None
    start, end, kind = _start(text, match), match.end(), match.lastgroup or ""
    if kind == "raw":
        quotes = match["raw"].lstrip("$")
        content, end = _until(text, end, quotes)
        several = match["raw"].startswith("$$")
        return "formatted", start, end, _UNKNOWN if several else _with_named_holes(content)
    content = match[kind]
    if kind == "template":
        return "formatted", start, end, replace_escape_sequences(_with_named_holes(content))
    content = content.replace('""', '"')
    if kind == "verbatim":
        return "raw", start, end, content
    return "formatted", start, end, _with_named_holes(content)


def _read_kotlin(text: str, at: int) -> CToken | None:
    return _read_dollars(text, _KOTLIN.match(text, at), "")


def _read_scala(text: str, at: int) -> CToken | None:
    match = _SCALA.match(text, at)
    return None if match is None else _read_dollars(text, match, match["prefix"])


def _read_dollars(text: str, match: re.Match[str] | None, prefix: str) -> CToken | None:
    if match is None:
        return None
    start, end, content = _start(text, match), match.end(), match["template"]
    is_raw = content is None
    if content is None:
        content, end = _until(text, end, '"""')

    def part(found: re.Match[str]) -> str:
        if found["escape"] is not None:
            is_dollar = found["escape"] == "$$" and prefix
            return "$" if is_dollar else found["escape"]
        if found["brace"] is not None:
            return found["brace"] * 2
        formatted = found["format"] is not None and prefix == "f"
        hole = "{" + found["name"] + "}" if found["name"] is not None else found["hole"]
        after = "" if formatted else found["format"] or ""
        return (_UNKNOWN if formatted else _named_hole(hole)) + after

    if "$" not in content:
        return "raw" if is_raw else "string", start, end, content
    content = _DOLLAR_PARTS.sub(part, content)
    if is_raw or prefix == "raw":
        return "formatted", start, end, content
    return "formatted", start, end, replace_escape_sequences(content)


def _with_named_holes(content: str) -> str:
    return _BRACE_PARTS.sub(
        lambda match: match[0] if match["double"] is not None else _named_hole(match[0]), content
    )


def _named_hole(hole: str) -> str:
    name = _NAME.fullmatch(hole)
    return _UNKNOWN if name is None else "{" + name[1] + "}"


def _start(text: str, match: re.Match[str]) -> int:
    """Returns the offset of the first character that is not white space."""
    start = match.start()
    while text[start].isspace():
        start += 1
    return start


def _until(text: str, start: int, closing: str) -> tuple[str, int]:
    """Returns the text up to `closing`, and the offset after it; all text if `closing` is missing."""
    found = text.find(closing, start)
    return (text[start:], len(text)) if found < 0 else (text[start:found], found + len(closing))


_READERS: Final = {".cs": _read_c_sharp, ".kt": _read_kotlin, ".scala": _read_scala}
