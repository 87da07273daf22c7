"""The comments and string literals of host languages that are not parsed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage

NO_PARTS: Final = re.compile(rb"(?!)")
GAP: Final = re.compile(rb"(?P<gap>\\\s+\\|\\&)")
FORMATTED: Final = re.compile(rb"(?P<double>\{\{|\}\})|(?P<hole>\{[^{}\n]*\})")
QUOTED_PARTS: Final = re.compile(rb"(?P<hole>[\#$]\{[^{}\n]*\}|\$\([^()\n]*\)|\$\w+(?::\w+)?|\#\w+\#)")
CONVERSION: Final = re.compile(
    rb"%%|%[-+# 0,(]{0,6}(?:\[?\d{1,3}[\]$])?(?:\d{1,4}|\*)?(?:\.\d{0,4})?(?:ll|[hl])?[a-zA-Z]"
)
"""A conversion of Go's or Java's `printf`, such as `%v`, `%[1]d` and `%1$s`"""
_INTERPOLATION: Final = re.compile(rb"(?P<hole>\#\{[^{}\n]*\})")
DOLLARS: Final = re.compile(rb"(?P<hole>\$\{(?:[^{}]|\{[^{}]*\})*\}|\$[A-Za-z_]\w*)")
_DOLLAR_BRACES: Final = re.compile(rb"(?P<hole>\$\{(?:[^{}]|\{[^{}]*\})*\})")
_SKIPPED: Final = rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:\\[^\n]{1,10}?|[^'\\\n])')"
"""A comment or a character of Java and similar languages"""
_PLUS: Final = re.compile(rb"\s*\+\s*")


@dataclass(frozen=True, slots=True)
class LiteralSyntax:
    """The comments and literals of a language.

    - `token`: a comment or character (`skipped`), or the beginning of a literal.
    - `joined`: the operator between two literals that are joined.
    - `one_line`: whether a plain string ends on its line.
    - `parts`: what is not copied from an escaped literal: interpolations, gaps.
    - `raw_parts`: the same for a literal in three quotes or a template literal.
    - `margins`: a call after a literal in three quotes that removes the text up to `|` from each line.
    - `braces`: the text before a literal in which `{x}` is inserted and `{{` is a brace.
    - `conversions`: the text before a literal with conversions such as `%d`.
    - `converted`: the text after such a literal.
    """

    token: re.Pattern[bytes]
    joined: re.Pattern[bytes]
    one_line: bool = False
    parts: re.Pattern[bytes] = NO_PARTS
    raw_parts: re.Pattern[bytes] = NO_PARTS
    margins: re.Pattern[bytes] = NO_PARTS
    braces: re.Pattern[bytes] = NO_PARTS
    conversions: re.Pattern[bytes] = NO_PARTS
    converted: re.Pattern[bytes] = NO_PARTS


SYNTAXES: Final[Mapping[HostLanguage, LiteralSyntax]] = {
    HostLanguage.RUST: LiteralSyntax(
        re.compile(
            rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|b?'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|(?<!\w)[bc]?(?:r(?P<hashes>\#{0,8})\"|(?P<plain>\"))"
        ),
        # the arguments of `concat!` are not joined: they may also be those of another macro
        NO_PARTS,
        braces=re.compile(
            rb"\b(?:format|write|writeln|print|println|formatdoc|formatcp|format_args)!"
            rb"\s*[(\[{]\s*(?:[\w.]+\s*,\s*)?\Z"
        ),
    ),
    HostLanguage.D: LiteralSyntax(
        re.compile(
            rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|/\+[\s\S]*?(?:\+/|\Z)|'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|(?<!\w)q(?:(?P<braces>\{)|\"(?:(?P<bracket>[(\[{<])|(?P<identifier>[A-Za-z_]\w*)\n))"
            rb"|(?<!\w)r(?P<hashes>)\"|(?P<back>`)|(?P<plain>\")"
        ),
        re.compile(rb"\s*~\s*"),
    ),
    HostLanguage.RUBY: LiteralSyntax(
        re.compile(
            rb"(?P<skipped>^=begin\b[\s\S]*?(?:^=end\b|\Z)|(?<![\w\"'])\#(?!\{)[^\n]*|'(?:[^'\\]|\\[\s\S])*')"
            rb"|<<[-~]?(?P<quote>[\"'`]?)(?P<heredoc>[A-Za-z_]\w*)(?P=quote)[^\n]*\n"
            rb"|%(?P<literal>[qQ]?)(?P<bracket>\{)|(?P<plain>\")",
            re.MULTILINE,
        ),
        re.compile(rb"\s*(?:\+|<<)\s*|[ \t]*\\\n\s*"),
        parts=_INTERPOLATION,
    ),
    HostLanguage.HASKELL: LiteralSyntax(
        re.compile(
            rb"(?P<skipped>--+(?![!#$%&*+./<=>?@\\^|~:])[^\n]*|\{-[\s\S]*?(?:-\}|\Z)|(?<![\w'])'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|\[\$?[a-z_][\w.']*(?P<quasi>\|)|(?P<plain>\")"
        ),
        re.compile(rb"\s*(?:\+\+|<>)\s*"),
        parts=GAP,
    ),
    HostLanguage.GO: LiteralSyntax(
        re.compile(_SKIPPED + rb"|(?P<back>`)|(?P<plain>\")"),
        _PLUS,
        one_line=True,
        conversions=re.compile(rb"\bfmt\.(?:Sprintf|Fprintf|Printf|Appendf)\(\s*(?:[\w.&]+\s*,\s*)?\Z"),
    ),
    HostLanguage.JAVA: LiteralSyntax(
        re.compile(_SKIPPED + rb"|(?P<block>\"\"\")[ \t]*\r?\n|(?P<plain>\")"),
        _PLUS,
        one_line=True,
        conversions=re.compile(rb"\b(?:String\.format|printf)\(\s*(?:[\w.]+\s*,\s*)?\Z"),
        converted=re.compile(rb"\s*\.formatted\("),
    ),
    HostLanguage.KOTLIN: LiteralSyntax(
        re.compile(_SKIPPED + rb"|(?P<triple>\"\"\")|(?P<plain>\")"),
        _PLUS,
        one_line=True,
        parts=DOLLARS,
        raw_parts=DOLLARS,
        margins=re.compile(rb"\s*\.trimMargin\("),
        converted=re.compile(rb"\s*\.(?:trimIndent\(\)\s*\.)?format\("),
    ),
    HostLanguage.SCALA: LiteralSyntax(
        re.compile(_SKIPPED + rb"|(?<!\w)(?P<inserts>[sf])?(?:(?P<triple>\"\"\")|(?P<plain>\"))"),
        _PLUS,
        one_line=True,
        parts=DOLLARS,
        raw_parts=DOLLARS,
        margins=re.compile(rb"\s*\.stripMargin\b"),
        converted=re.compile(rb"\s*\.(?:stripMargin\s*\.)?format\("),
    ),
    HostLanguage.CSHARP: LiteralSyntax(
        re.compile(
            _SKIPPED + rb"|(?<!\w)(?P<inserts>\$)?(?P<triple>\"\"\")"
            rb"|(?<!\w)(?P<verbatim>\$@|@\$|@)\"|(?P<dollar>\$)?(?P<plain>\")"
        ),
        _PLUS,
        one_line=True,
        braces=re.compile(rb"\b[sS]tring\.Format\(\s*(?:[\w.]+\s*,\s*)?\Z"),
    ),
    HostLanguage.JAVASCRIPT: LiteralSyntax(
        re.compile(
            rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
            # a regular expression
            rb"|/(?![*/\s])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,80}\]){1,200}/[a-z]{0,8}(?=[\s.,;)\]]))"
            rb"|(?<=\.raw)(?P<raw>`)|(?P<template>`)|(?P<plain>[\"'])"
        ),
        _PLUS,
        one_line=True,
        raw_parts=_DOLLAR_BRACES,
    ),
}
