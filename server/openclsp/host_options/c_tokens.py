"""Finds the tokens of host text in C-like languages, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.host_options.string_templates import CToken, ReadTemplate

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_$]\w*)(?![\w"\#])
    |(?P<punctuator><<=?|\+=|\+\+|->|--|::|:=|=>|==|!=|<=|>=|&&|\|\||(?!//|/\*)[-+*/%&|^~!<>=?:;,(){}\[\]@]|\.(?![0-9]))
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
    |(?P<comment>//(?:[^\n\\]|\\\r?\n|\\)*|/\*[\s\S]*?(?:\*/|\Z))
    |(?P<hash>\#)
    |(?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(|\bb?r(?P<hashes>\#*)")
    |(?P<whole>\"\"\"(?P<block>[\s\S]*?)\"\"\"|`(?P<go>[^`]*)`)
    |(?P<string>(?:\b(?:u8|[uUL]))?"(?:[^"\\\n]|\\[\s\S])*"?)
    |(?P<character>'(?:[^'\\\n]|\\.)*')
    |(?P<name_before_literal>[A-Za-z_$]\w*)
    |(?P<other>[\s\S]))""",
    re.VERBOSE,
)
"""Matches any text but the empty one. The most frequent tokens come first: a group cannot be skipped by its first
character, so each one costs a try. `name` therefore leaves the prefixes of literals to the later groups."""
_DIRECTIVE: Final = re.compile(r"[ \t]*\#[ \t]*[a-z]\w*(?:[^\n\\/]|\\\r?\n|\\|/(?!\*)|/\*[\s\S]*?\*/)*")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def find_c_tokens(text: str, read_template: ReadTemplate | None = None) -> Iterator[CToken]:
    """Yields the tokens of a text in C, C++, C#, Java, Kotlin, Scala, Rust or Go.

    `read_template` reads the strings whose syntax is not that of C, if the language has such strings.

    The end of a raw string is searched for separately: a pattern for the whole raw string would scan the
    rest of the text for each one that is not closed. The prefix of an unclosed raw string counts as a name.
    """
    missing: set[str] = set()
    end = 0
    while end < len(text):
        template = None if read_template is None else read_template(text, end)
        if template is not None:
            yield template
            end = template[2]
            continue
        match = _TOKEN.match(text, end)
        if match is None:
            return
        kind = match.lastgroup or ""
        start, end = match.start(kind), match.end()
        if kind in ("name", "punctuator", "number"):
            yield kind, start, end, match[kind]
        elif kind == "name_before_literal":
            yield "name", start, end, match[kind]
        elif kind == "string":
            yield kind, start, end, text[text.index('"', start) + 1 : end].removesuffix('"')
        elif kind in ("comment", "character"):
            yield kind, start, end, ""
        elif kind == "hash":
            # Only the blanks before the `#` are searched: a line of many `#` would take quadratic time.
            blanks = match.start()
            line = text.rfind("\n", max(blanks - 1, 0), start) + 1
            directive = _DIRECTIVE.match(text, line) if line or not blanks else None
            if directive is None:
                yield "punctuator", start, end, "#"
            else:
                end = directive.end()
                yield "directive", line, end, directive[0]
        elif kind == "whole":
            yield "raw", start, end, match["block"] or match["go"] or ""
        elif kind == "raw":
            closing = '"' + match["hashes"] if match["delimiter"] is None else f'){match["delimiter"]}"'
            content = end
            found = -1 if closing in missing else text.find(closing, content)
            if found < 0:
                missing.add(closing)
                name = _NAME.match(text, start)
                end = end if name is None else name.end()
                yield "name", start, end, text[start:end]
            else:
                end = found + len(closing)
                yield kind, start, end, text[content:found]
