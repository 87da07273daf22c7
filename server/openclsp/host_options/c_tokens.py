"""Finds the tokens of host text in C-like languages, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_C: Final = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\\r?\n|\\)*|/\*[\s\S]*?(?:\*/|\Z))
    |(?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\(|\bb?r(?P<hashes>\#*)")
    |(?P<whole>\"\"\"(?P<block>[\s\S]*?)\"\"\"|`(?P<go>[^`]*)`)
    |(?P<string>(?:\b(?:u8|[uUL]))?"(?:[^"\\\n]|\\[\s\S])*"?)
    |(?P<character>'(?:[^'\\\n]|\\.)*')
    |(?P<directive>^[ \t]*\#[ \t]*[a-z]\w*(?:[^\n\\/]|\\\r?\n|\\|/(?!\*)|/\*[\s\S]*?\*/)*)
    |(?P<name>[A-Za-z_$]\w*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
    |(?P<punctuator><<=|<<|\+=|->|::|:=|=>|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]\#@])""",
    re.VERBOSE | re.MULTILINE,
)
_RAW_PREFIX: Final = re.compile(r"(?P<name>[A-Za-z_]\w*)")


def find_c_tokens(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yields the tokens of a text, each as a match and the offset of the token's end.

    The match of a raw string covers only its opening delimiter, and the end is searched for separately: a
    pattern for the whole raw string would scan the rest of the text for each one that is not closed. The
    prefix of an unclosed raw string counts as a name.
    """
    missing: set[str] = set()
    end = 0
    while (match := _C.search(text, end)) is not None:
        end = match.end()
        if match.lastgroup == "raw":
            closing = closing_of_raw_string(match)
            found = -1 if closing in missing else text.find(closing, end)
            if found < 0:
                missing.add(closing)
                match = _RAW_PREFIX.match(text, match.start()) or match
                end = match.end()
            else:
                end = found + len(closing)
        yield match, end


def closing_of_raw_string(match: re.Match[str]) -> str:
    """Returns the closing delimiter of a raw string, from the match of its opening delimiter."""
    return '"' + match["hashes"] if match["delimiter"] is None else f'){match["delimiter"]}"'
