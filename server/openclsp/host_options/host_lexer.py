"""Lexer for host code: one for C, C++, C#, Java, Kotlin, Scala, Rust and Go, and one for Python.

It accepts any text. Brackets are nested token groups. In Python, blocks become braces and line ends become
semicolons, so that one statement interpreter handles all languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.host_options.c_tokens import find_c_tokens
from openclsp.host_options.escape_sequences import replace_escape_sequences
from openclsp.host_options.string_templates import ReadTemplate, template_reader
from openclsp.project.project_scan import ScannedFileKind


class ConditionBranch(NamedTuple):
    """One of the `total` alternatives of a condition; exactly one is taken.

    `condition` identifies the condition. A `number` of `~n` means "any alternative except the n-th".
    """

    condition: str
    number: int
    total: int


class HostToken(NamedTuple):
    """A token, or a group: a bracket pair with the tokens `items` between the brackets.

    `kind` is NAME, NUMBER, STRING, FORMATTED (an f-string or a template in its notation), PUNCTUATOR, CONDITIONAL, or the
    opening bracket of a group. `offset` is in characters from 0.
    """

    kind: str
    text: str
    offset: int
    items: tuple[HostToken, ...] = ()
    branch: ConditionBranch | None = None
    """For a CONDITIONAL, the alternative that begins here; None at the end of the condition."""


HostTokens: TypeAlias = "tuple[HostToken, ...]"

NAME: Final = "name"
NUMBER: Final = "number"
STRING: Final = "string"
FORMATTED: Final = "formatted"
PUNCTUATOR: Final = "punctuator"
CONDITIONAL: Final = "conditional"
GROUPS: Final = "([{"


@dataclass(frozen=True, slots=True)
class HostMacro:
    """A macro of the host's preprocessor; `parameters` is None for an object-like one."""

    name: str
    parameters: tuple[str, ...] | None
    body: HostTokens


@dataclass(frozen=True, slots=True)
class TokenisedHostText:
    """The tokens of a host file.

    `included` are the names in `#include` directives with their offsets, `lines` the offsets of the line
    starts.
    """

    tokens: HostTokens
    macros: tuple[HostMacro, ...]
    included: tuple[tuple[str, int], ...]
    lines: tuple[int, ...]

    def line_of(self, offset: int) -> int:
        """Returns the line, from 1, of a character offset."""
        return bisect_right(self.lines, offset)


_PYTHON: Final = re.compile(
    r"""(?P<comment>\#[^\n]*|\\\r?\n)
    |(?P<string>\b(?P<prefix>[A-Za-z]{0,2})(?:\"\"\"(?:[^\\]|\\[\s\S])*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\[\s\S])*?(?:'''|\Z)
       |"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?)
      |(?:\"\"\"(?:[^\\]|\\[\s\S])*?(?:\"\"\"|\Z)|'''(?:[^\\]|\\[\s\S])*?(?:'''|\Z)
       |"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?))
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>\.?[0-9](?:[eE][+-]|[\w.])*)
    |(?P<newline>\r?\n[ \t]*)
    |(?P<punctuator>\*\*|//|<<|\+=|->|:=|==|!=|<=|>=|[-+*/%&|^~<>=:;,.(){}\[\]@])""",
    re.VERBOSE,
)
MAXIMUM_NESTING: Final = 80
"""Maximum depth of brackets; deeper brackets are dropped, and their contents join the enclosing group."""
LARGE_FILE_SIZE: Final = 16 * 1024
"""Characters from which on a file is filtered function by function before it is tokenised"""
# These begin with a literal, for which `re` has a fast search.
_OPTION: Final = re.compile(r"""-(?<=["' ]-)(?:D ?\w|I ?[\w./%{$]|cl-)""")
_KERNEL_FILE_ENDING: Final = re.compile(r"\.(?:cl|ocl|opencl|clc)\b")
_BUILD_CALL: Final = re.compile(r"uild(?<=[Bb]uild)\w{0,200} ?\(")
_COMPILE_CALL: Final = re.compile(r"ompile(?<=[Cc]ompile)\w{0,200} ?\(")
_FUNCTION_END: Final = re.compile(r"\n\}[^\n]*")
_DIRECTIVE_LINE: Final = re.compile(r"^[ \t]*#[ \t]*[a-z](?:[^\n\\]|\\\r?\n|\\)*\n?", re.MULTILINE)
_NOT_LINE_END: Final = re.compile(r"[^\n]+")
_BLOCKS: Final = frozenset((
    "if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "async", "match",
    "case",
))  # fmt: skip
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_DEFINE: Final = re.compile(r"[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^)]*\))?[ \t]*([\s\S]*)")
_INCLUDE: Final = re.compile(r'[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
_CONDITION: Final = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([^\n]*)")


def tokenise_host_text(kind: ScannedFileKind, text: str, path: str = "") -> TokenisedHostText:
    """Tokenises a host file.

    `path` makes the identifiers of its conditions unique, and its ending tells which strings are templates.
    """
    text = (
        _blank_unrelated_functions(text)
        if len(text) > LARGE_FILE_SIZE and kind is not ScannedFileKind.PYTHON
        else text
    )
    lines = (0, *(match.end() for match in re.finditer("\n", text)))
    if kind is ScannedFileKind.PYTHON:
        return TokenisedHostText(_group_brackets(_tokenise_python(text)), (), (), lines)
    reader = _CLexer(text, path, kind is ScannedFileKind.GO, template_reader(path))
    tokens = _group_brackets(reader.tokens())
    return TokenisedHostText(tokens, tuple(reader.macros), tuple(reader.included), lines)


def tokenise_lines(text: str) -> TokenisedHostText:
    """Tokenises a text without blocks, such as Meson, and inserts `;` between its lines."""
    lines = (0, *(match.end() for match in re.finditer("\n", text)))
    return TokenisedHostText(_group_brackets(_tokenise_python(text, blocks=False)), (), (), lines)


def _blank_unrelated_functions(text: str) -> str:
    """Blanks the functions of a host file that have nothing to do with kernels; used for large files.

    A function ends at a `}` in the first column.
    """
    pieces = []
    start = 0
    ends = [match.end() + 1 for match in _FUNCTION_END.finditer(text)]
    for end in (*ends, len(text)):
        piece = text[start:end]
        if not _concerns_kernels(piece):
            kept = _DIRECTIVE_LINE.finditer(piece)
            piece = _blank_except(piece, [each.span() for each in kept])
        pieces.append(piece)
        start = end
    return "".join(pieces)


def _concerns_kernels(text: str) -> bool:
    """Whether host text contains an option, the name of a kernel file, or the call of a function that builds."""
    return bool(
        _OPTION.search(text)
        or _KERNEL_FILE_ENDING.search(text)
        or _BUILD_CALL.search(text)
        or _COMPILE_CALL.search(text)
    )


def _blank_except(text: str, kept: list[tuple[int, int]]) -> str:
    """Replaces all text by spaces, except line ends and the ranges `kept`."""
    result = []
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        result += [_NOT_LINE_END.sub(" ", text[at:start]), text[start:end]]
        at = end
    return "".join(result)


def tokenise_expression(text: str, offset: int) -> HostTokens:
    """Tokenises an expression in a Python f-string; each token gets the offset `offset`."""
    plain = [token._replace(offset=offset) for token in _tokenise_python(text) if token.text != ";"]
    return _group_brackets(iter(plain))


class _CLexer:
    def __init__(
        self, text: str, name: str, lines_end: bool = False, read_template: ReadTemplate | None = None
    ) -> None:
        self.text, self.name, self.lines_end, self.read_template = text, name, lines_end, read_template
        self.macros: list[HostMacro] = []
        self.included: list[tuple[str, int]] = []
        self.open: list[ConditionBranch] = []
        self.counts = _count_alternatives(text)

    def tokens(self) -> Iterator[HostToken]:
        skipping = False
        before = -1
        for kind, offset, end, content in find_c_tokens(self.text, self.read_template):
            if self.lines_end:
                # In Go, a line end after a value or a closing bracket ends the statement.
                if (
                    before >= 0
                    and "\n" in self.text[before:offset]
                    and _STATEMENT_END_BEFORE_NEWLINE.match(self.text, before - 1)
                ):
                    yield HostToken(PUNCTUATOR, ";", before)
                before = end if kind != "comment" else before
            if kind == "directive":
                token = self.process_directive(content, offset, skipping)
                skipping = any(branch.number == _NEVER_TAKEN for branch in self.open)
                if token is not None:
                    yield token
            elif skipping or kind in ("comment", "character"):
                continue
            elif kind == "string":
                yield HostToken(STRING, replace_escape_sequences(content), offset)
            elif kind == "raw":
                yield HostToken(STRING, content, offset)
            else:
                yield HostToken(kind, content, offset)

    def process_directive(self, line: str, offset: int, skipping: bool) -> HostToken | None:
        condition = _CONDITION.match(line)
        if condition is not None:
            return self.process_condition(condition[1], condition[2], offset)
        included = None if skipping else _INCLUDE.match(line)
        if included is not None:
            self.included.append((included[1], offset))
        defined = None if skipping else _DEFINE.match(line)
        if defined is not None:
            parameters = defined[2]
            names = (
                None if parameters is None else tuple(each.strip() for each in parameters[1:-1].split(","))
            )
            # `;` before the body prevents its `#` from starting a directive.
            body = _CLexer(";" + re.sub(r"\\\r?\n", " ", defined[3]), "").tokens()
            next(body)
            at = (token._replace(offset=offset) for token in body)
            self.macros.append(HostMacro(defined[1], names, _group_brackets(at)))
        return None

    def process_condition(self, word: str, rest: str, offset: int) -> HostToken | None:
        """Returns the token of the conditional directive `word`, or None.

        The result is None for `#if 0` and its `#else` and `#endif`, and for a directive without an `#if`.
        Code under `#if 0` is dropped, and its `#else` branch is unconditional.
        """
        if word == "endif":
            closed = self.open.pop() if self.open else None
            return None if closed is None or closed.total == 1 else HostToken(CONDITIONAL, word, offset)
        if word.startswith("if"):
            never = word == "if" and rest.split("/")[0].strip() in ("0", "false")
            count = 1 if never else self.counts.get(offset, 2)
            self.open.append(ConditionBranch(f"{self.name}#{offset}", _NEVER_TAKEN if never else 0, count))
        elif self.open:
            chain, index, count = self.open.pop()
            self.open.append(ConditionBranch(chain, max(index, 0) + 1, count))
        else:
            return None
        branch = self.open[-1]
        return None if branch.total == 1 else HostToken(CONDITIONAL, word, offset, branch=branch)


_STATEMENT_END_BEFORE_NEWLINE: Final = re.compile(r"[\w)\]}\"`']")
_NEVER_TAKEN: Final = -99
"""The number of a branch that is never taken."""


def _count_alternatives(text: str) -> dict[int, int]:
    """Maps the offset of each #if to its number of alternatives.

    Without an #else, taking no branch is one of the alternatives.
    """
    counts: dict[int, int] = {}
    opened: list[list[int]] = []
    for match in re.finditer(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b", text, re.MULTILINE):
        word = match[1]
        if word.startswith("if"):
            opened.append([match.start(), 2])
        elif opened and word == "elif":
            opened[-1][1] += 1
        elif opened and word == "endif":
            start, count = opened.pop()
            counts[start] = count
    return counts


def _tokenise_python(text: str, blocks: bool = True) -> Iterator[HostToken]:
    depth = 0
    indents = [0]
    # `awaiting`: the `:` of a block header was the last token. The block then begins with the next token: on
    # a line that is indented further, or (counted by `inline`) on the same line, at whose end it also ends.
    pending: int | None = None
    header = awaiting = False
    inline = 0
    first = True
    for match in _PYTHON.finditer(text):
        kind, offset = match.lastgroup or "", match.start()
        if kind == "comment":
            continue
        if kind == "newline":
            if depth == 0:
                pending = len(match[0].lstrip("\r\n").expandtabs())
            continue
        word = match[0]
        if pending is not None and depth == 0:
            if not (awaiting and pending > indents[-1]):
                yield HostToken(PUNCTUATOR, ";", offset)
            while inline:
                yield HostToken(PUNCTUATOR, "}", offset)
                inline -= 1
            if not blocks:
                pending = 0
            if awaiting and pending > indents[-1]:
                indents.append(pending)
                yield HostToken(PUNCTUATOR, "{", offset)
            while pending < indents[-1]:
                indents.pop()
                yield HostToken(PUNCTUATOR, "}", offset)
            pending, awaiting, first = None, False, True
        elif awaiting:
            inline += 1
            awaiting, first = False, True
            yield HostToken(PUNCTUATOR, "{", offset)
        if first:
            header, first = blocks and word in _BLOCKS, False
        if kind == "prefix":
            kind = "string"
        if kind == "string":
            yield _tokenise_python_string(word, offset)
            continue
        if kind == "punctuator":
            if word in "([{":
                depth += 1
            elif word in ")]}":
                depth = max(0, depth - 1)
            elif word == ":" and depth == 0 and header:
                awaiting, header = True, False
                continue
            elif word == ";":
                first = True
        yield HostToken(kind, word, offset)
    yield HostToken(PUNCTUATOR, ";", len(text))
    for _ in range(inline + len(indents) - 1):
        yield HostToken(PUNCTUATOR, "}", len(text))


def _tokenise_python_string(word: str, offset: int) -> HostToken:
    quote = min((word.find(each) for each in "\"'" if each in word), default=0)
    prefix, rest = word[:quote].lower(), word[quote:]
    size = 3 if rest[:3] in ('"""', "'''") and len(rest) >= 6 else 1
    content = rest[size:-size] if len(rest) >= 2 * size else rest[size:]
    if "r" not in prefix:
        content = replace_escape_sequences(content)
    return HostToken(FORMATTED if "f" in prefix else STRING, content, offset)


def _group_brackets(tokens: Iterator[HostToken]) -> HostTokens:
    """Makes a group token of each bracket pair and the tokens between the brackets.

    An unclosed bracket ends with the enclosing group or the text. A closing bracket without an opening one is
    dropped.
    """
    stack: list[tuple[str, int, list[HostToken]]] = [("", 0, [])]
    for token in tokens:
        if token.kind != PUNCTUATOR or token.text not in "()[]{}":
            stack[-1][2].append(token)
        elif token.text in GROUPS:
            if len(stack) < MAXIMUM_NESTING:
                stack.append((token.text, token.offset, []))
        else:
            opening = _CLOSES[token.text]
            if any(bracket == opening for bracket, _, _ in stack):
                while stack[-1][0] != opening:
                    _close_bracket(stack)
                _close_bracket(stack)
    while len(stack) > 1:
        _close_bracket(stack)
    return tuple(stack[0][2])


def _close_bracket(stack: list[tuple[str, int, list[HostToken]]]) -> None:
    bracket, offset, items = stack.pop()
    stack[-1][2].append(HostToken(bracket, bracket, offset, tuple(items)))
