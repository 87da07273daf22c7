"""RUN lines: commands of compiler test suites in the comments of a kernel file, as LLVM's lit runs them.

A line with `RUN:` is a shell command, in which `%s` is the file itself. A backslash at the end of a
RUN line continues the command in the next RUN line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from openclsp.source.text import Text, difference

MAXIMUM_RUN_LINES: Final = 200
"""Maximum number of RUN lines of a file; later ones are ignored"""
MAXIMUM_RUN_LINE_BYTES: Final = 64 * 1024
"""Maximum length of a file's RUN lines together; the first ones up to this length count"""

_KEYWORD: Final = b"RUN:"
_RUN_LINE: Final = re.compile(rb"(?<![\w-])RUN:([^\r\n]*)")
_TOKEN: Final = re.compile(
    r"""(?P<space>\s+)
    | (?P<operator>[|&;()]+ | %\{(?![\w.:-]+\}) | %\})
    | (?P<redirection>[<>]+&?)
    | '(?P<single>[^']*)'
    | "(?P<double>(?:\\.|[^"\\])*)"
    | \\(?P<escaped>.)
    | (?P<plain>[^\s'"\\|&;()<>%]+|.)""",
    re.VERBOSE | re.DOTALL,
)


class RunLine(NamedTuple):
    """The text after `RUN:` in a line of a file; `line` counts from 1."""

    text: str
    line: int


class CommandWord(NamedTuple):
    """A word of a command without its quotes, and the line (from 1) in which it starts."""

    text: str
    line: int


Command: TypeAlias = "tuple[CommandWord, ...]"


def find_run_lines(data: bytes) -> tuple[RunLine, ...]:
    """Returns the RUN lines of a text, up to MAXIMUM_RUN_LINES and MAXIMUM_RUN_LINE_BYTES."""
    if _KEYWORD not in data:
        return ()
    found = []
    line, at, size = 1, 0, 0
    for match in _RUN_LINE.finditer(data):
        before = data[at : match.start()].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line, at = line + before.count(b"\n"), match.start()
        size += len(match[1])
        if size > MAXIMUM_RUN_LINE_BYTES:
            break
        text = match[1].decode("utf-8", "replace").strip()
        found.append(RunLine(text.removesuffix("*/").rstrip(), line))
        if len(found) == MAXIMUM_RUN_LINES:
            break
    return tuple(found)


def update_run_lines(known: tuple[RunLine, ...], before: Text, after: Text) -> tuple[RunLine, ...]:
    """Returns the RUN lines of the text `after`; `known` are those of the text `before`.

    The whole text is searched only if `before` has RUN lines, or an edited line contains `RUN:`. Searching
    200 KB takes 0.4 ms.
    """
    if before.data is after.data:
        return known
    edit = None if known else difference(before.data, after.data)
    if edit is None:
        return known if before.data == after.data else find_run_lines(after.data)
    start = after.line_start(after.line_of(edit[0]))
    end = after.line_start(after.line_of(edit[2]) + 1)
    return find_run_lines(after.data) if _KEYWORD in after.data[start:end] else ()


def split_commands(lines: Sequence[RunLine]) -> Iterator[Command]:
    """Yields the commands of RUN lines: the parts of pipes and lists, without redirections of output.

    A command in lit's `%if condition %{ … %}` is yielded like any other. Words that lit adds to a command
    only under a condition are dropped.
    """
    joined: list[RunLine] = []
    for each in lines:
        continued = each.text.endswith("\\")
        joined.append(RunLine(each.text[:-1] + " ", each.line) if continued else each)
        if not continued:
            yield from _split_joined(joined)
            joined = []
    yield from _split_joined(joined)


def _split_joined(lines: Sequence[RunLine]) -> Iterator[Command]:
    """Splits a command line, which may extend over several RUN lines, into its commands."""
    starts = tuple(accumulate((len(each.text) for each in lines), initial=0))
    words: list[CommandWord] = []
    is_conditional = False
    for text, at, is_operator in _split_words("".join(each.text for each in lines)):
        if is_conditional:
            is_conditional = text != "%}"
        elif is_operator:
            yield tuple(words)
            words = []
        elif text == "%if" and words:
            is_conditional = True
        else:
            words.append(CommandWord(text, lines[bisect_right(starts, at) - 1].line))
    yield tuple(words)


def split_quoted_options(word: CommandWord) -> Command:
    """Splits a word that contains several options, as a shell would."""
    return tuple(
        CommandWord(text, word.line) for text, _, is_operator in _split_words(word.text) if not is_operator
    )


def _split_words(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yields each word or operator of a command line, its offset, and whether it is an operator."""
    pieces: list[str] = []
    start = 0
    redirection = ""
    for match in _TOKEN.finditer(text + " "):
        kind = match.lastgroup
        if kind not in ("space", "operator", "redirection"):
            start = start if pieces else match.start()
            piece = match[kind] if kind is not None else ""
            pieces.append(_ESCAPED.sub(r"\1", piece) if kind == "double" else piece)
            continue
        if pieces:
            # the file of an output redirection is no word of the command
            if not redirection.startswith(">"):
                yield "".join(pieces), start, False
            pieces, redirection = [], ""
        if kind == "operator":
            redirection = ""
            yield match[0], match.start(), True
        elif kind == "redirection":
            redirection = match[0]


_ESCAPED: Final = re.compile(r"\\([\\\"$`])")
