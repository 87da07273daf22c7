"""Lexer for host code, with nested groups: one pattern for C, C++, Java, Rust and Go, another for Python.

It accepts any text. Python's blocks become braces and its line ends semicolons, so that one statement
interpreter handles all languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.workspace.scan import Kind


class Branch(NamedTuple):
    """One of the `total` alternatives of a condition; exactly one is taken.

    `chain` identifies the condition. A `number` of `~n` means "any alternative except the n-th".
    """

    chain: str
    number: int
    total: int


class Token(NamedTuple):
    """A token, or a bracketed group with its `items`.

    `kind` is NAME, NUMBER, STRING, FORMATTED (an f-string, not decoded), PUNCTUATOR, CONDITIONAL, or the
    opening bracket of a group. `offset` is in characters from 0.
    """

    kind: str
    text: str
    offset: int
    items: tuple[Token, ...] = ()
    branch: Branch | None = None
    """For a CONDITIONAL, the alternative that begins here; None at the end of the condition."""


Tokens: TypeAlias = "tuple[Token, ...]"

NAME: Final = "name"
NUMBER: Final = "number"
STRING: Final = "string"
FORMATTED: Final = "formatted"
PUNCTUATOR: Final = "punctuator"
CONDITIONAL: Final = "conditional"
GROUPS: Final = "([{"


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro of the host's preprocessor; `parameters` is None for an object-like one."""

    name: str
    parameters: tuple[str, ...] | None
    body: Tokens


@dataclass(frozen=True, slots=True)
class HostText:
    """The tokens of a host file; `included` holds the names in #include directives with their offsets."""

    tokens: Tokens
    macros: tuple[Macro, ...]
    included: tuple[tuple[str, int], ...]
    lines: tuple[int, ...]

    def line(self, offset: int) -> int:
        """Returns the line, from 1, of a character offset."""
        return bisect_right(self.lines, offset)


_C: Final = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\\r?\n|\\)*|/\*[\s\S]*?(?:\*/|\Z))
    |(?P<raw>\b(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s"]{0,16})\((?P<content>[\s\S]*?)\)(?P=delimiter)"
       |\bb?r(?P<hashes>\#*)"(?P<rust>[\s\S]*?)"(?P=hashes)|\"\"\"(?P<block>[\s\S]*?)\"\"\"|`(?P<go>[^`]*)`)
    |(?P<string>(?:\b(?:u8|[uUL]))?"(?:[^"\\\n]|\\[\s\S])*"?)
    |(?P<character>'(?:[^'\\\n]|\\.)*')
    |(?P<directive>^[ \t]*\#[ \t]*[a-z]\w*(?:[^\n\\/]|\\\r?\n|\\|/(?!\*)|/\*[\s\S]*?\*/)*)
    |(?P<name>[A-Za-z_$]\w*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.'])*)
    |(?P<punctuator><<=|<<|\+=|->|::|:=|=>|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%&|^~!<>=?:;,.(){}\[\]\#@])""",
    re.VERBOSE | re.MULTILINE,
)
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
LARGE: Final = 16 * 1024
"""Characters from which on a file is filtered function by function before it is tokenised"""
OF_KERNELS: Final = re.compile(
    r"""["' ]-(?:D ?\w|I ?[\w./%{$]|cl-)|\.(?:cl|ocl|opencl|clc)\b|(?:[Bb]uild|[Cc]ompile)\w* ?\("""
)
"""Matches host text that concerns kernels"""
_DIRECTIVE_LINE: Final = re.compile(r"^[ \t]*#[ \t]*[a-z](?:[^\n\\]|\\\r?\n|\\)*\n?", re.MULTILINE)
_NOT_LINE_END: Final = re.compile(r"[^\n]+")
_BLOCKS: Final = frozenset((
    "if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "async", "match",
    "case",
))  # fmt: skip
_ESCAPE: Final = re.compile(r"\\(\r?\n[ \t]*|x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|[\s\S])")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "", "b": "", "f": "\f", "v": "\v"}
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_DEFINE: Final = re.compile(r"[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^)]*\))?[ \t]*([\s\S]*)")
_INCLUDE: Final = re.compile(r'[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]')
_CONDITION: Final = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([^\n]*)")


def read_host(kind: Kind, text: str, name: str = "") -> HostText:
    """Tokenises a host file; `name` distinguishes its conditions from those of other files."""
    text = _condensed(text) if len(text) > LARGE and kind is not Kind.PYTHON else text
    lines = (0, *(match.end() for match in re.finditer("\n", text)))
    if kind is Kind.PYTHON:
        return HostText(_grouped(_python(text)), (), (), lines)
    reader = _CReader(text, name, lines_end=kind is Kind.GO)
    tokens = _grouped(reader.tokens())
    return HostText(tokens, tuple(reader.macros), tuple(reader.included), lines)


def read_lines(text: str) -> HostText:
    """Tokenises text in lines without blocks, such as Meson; inserts `;` between lines."""
    lines = (0, *(match.end() for match in re.finditer("\n", text)))
    return HostText(_grouped(_python(text, blocks=False)), (), (), lines)


def _condensed(text: str) -> str:
    """Blanks functions of a large file that do not concern kernels; they end at `}` in column one."""
    pieces = []
    start = 0
    for match in (*re.finditer(r"^\}.*\n?", text, re.MULTILINE), None):
        end = len(text) if match is None else match.end()
        piece = text[start:end]
        if OF_KERNELS.search(piece) is None:
            kept = _DIRECTIVE_LINE.finditer(piece)
            piece = _blanked(piece, [each.span() for each in kept])
        pieces.append(piece)
        start = end
    return "".join(pieces)


def _blanked(text: str, kept: list[tuple[int, int]]) -> str:
    """Replaces the text by spaces, except line ends and the spans `kept`."""
    result = []
    at = 0
    for start, end in (*kept, (len(text), len(text))):
        result += [_NOT_LINE_END.sub(" ", text[at:start]), text[start:end]]
        at = end
    return "".join(result)


def read_expression(text: str, offset: int) -> Tokens:
    """Tokenises a Python expression in an f-string; all tokens get `offset`."""
    plain = [token._replace(offset=offset) for token in _python(text) if token.text != ";"]
    return _grouped(iter(plain))


class _CReader:
    def __init__(self, text: str, name: str, lines_end: bool = False) -> None:
        self.text, self.name, self.lines_end = text, name, lines_end
        self.macros: list[Macro] = []
        self.included: list[tuple[str, int]] = []
        self.open: list[Branch] = []
        self.counts = _alternatives(text)

    def tokens(self) -> Iterator[Token]:
        skipping = False
        before = -1
        for match in _C.finditer(self.text):
            kind, offset = match.lastgroup or "", match.start()
            if self.lines_end:
                # In Go, a line end after a value or a closing bracket ends the statement.
                if before >= 0 and "\n" in self.text[before:offset] and _ENDS.match(self.text, before - 1):
                    yield Token(PUNCTUATOR, ";", before)
                before = match.end() if kind != "comment" else before
            if kind == "directive":
                token = self.directive(match[0], offset, skipping)
                skipping = any(branch.number == _NEVER for branch in self.open)
                if token is not None:
                    yield token
            elif skipping or kind in ("comment", "character"):
                continue
            elif kind == "string":
                yield Token(STRING, unescaped(match[0][match[0].index('"') + 1 :].removesuffix('"')), offset)
            elif kind in _PLAIN:
                yield Token(kind, match[0], offset)
            else:
                content = match["content"] or match["rust"] or match["block"] or match["go"] or ""
                yield Token(STRING, content, offset)

    def directive(self, line: str, offset: int, skipping: bool) -> Token | None:
        condition = _CONDITION.match(line)
        if condition is not None:
            return self.condition(condition[1], condition[2], offset)
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
            body = _CReader(";" + re.sub(r"\\\r?\n", " ", defined[3]), "").tokens()
            next(body)
            at = (token._replace(offset=offset) for token in body)
            self.macros.append(Macro(defined[1], names, _grouped(at)))
        return None

    def condition(self, word: str, rest: str, offset: int) -> Token | None:
        """Tracks conditional directives; drops code under `#if 0`, and makes its `#else` unconditional."""
        if word == "endif":
            closed = self.open.pop() if self.open else None
            return None if closed is None or closed.total == 1 else Token(CONDITIONAL, word, offset)
        if word.startswith("if"):
            never = word == "if" and rest.split("/")[0].strip() in ("0", "false")
            count = 1 if never else self.counts.get(offset, 2)
            self.open.append(Branch(f"{self.name}#{offset}", _NEVER if never else 0, count))
        elif self.open:
            chain, index, count = self.open.pop()
            self.open.append(Branch(chain, max(index, 0) + 1, count))
        else:
            return None
        branch = self.open[-1]
        return None if branch.total == 1 else Token(CONDITIONAL, word, offset, branch=branch)


_ENDS: Final = re.compile(r"[\w)\]}\"`']")
_PLAIN: Final = frozenset((NAME, NUMBER, PUNCTUATOR))
_NEVER: Final = -99
"""The number of a branch that is never taken."""


def _alternatives(text: str) -> dict[int, int]:
    """Counts the alternatives of each #if, by its offset, including the empty one."""
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


def unescaped(text: str) -> str:
    """Replaces the escape sequences in the content of a literal."""
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] in "\r\n":
            return ""
        if escape[0] == "x" and len(escape) > 1:
            return chr(int(escape[1:], 16))
        if escape[0] in "01234567" and len(escape) > 1:
            return chr(int(escape, 8))
        return _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(one, text)


def _python(text: str, blocks: bool = True) -> Iterator[Token]:
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
                yield Token(PUNCTUATOR, ";", offset)
            while inline:
                yield Token(PUNCTUATOR, "}", offset)
                inline -= 1
            if not blocks:
                pending = 0
            if awaiting and pending > indents[-1]:
                indents.append(pending)
                yield Token(PUNCTUATOR, "{", offset)
            while pending < indents[-1]:
                indents.pop()
                yield Token(PUNCTUATOR, "}", offset)
            pending, awaiting, first = None, False, True
        elif awaiting:
            inline += 1
            awaiting, first = False, True
            yield Token(PUNCTUATOR, "{", offset)
        if first:
            header, first = blocks and word in _BLOCKS, False
        if kind == "prefix":
            kind = "string"
        if kind == "string":
            yield _python_string(word, offset)
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
        yield Token(kind, word, offset)
    yield Token(PUNCTUATOR, ";", len(text))
    for _ in range(inline + len(indents) - 1):
        yield Token(PUNCTUATOR, "}", len(text))


def _python_string(word: str, offset: int) -> Token:
    quote = min((word.find(each) for each in "\"'" if each in word), default=0)
    prefix, rest = word[:quote].lower(), word[quote:]
    size = 3 if rest[:3] in ('"""', "'''") and len(rest) >= 6 else 1
    content = rest[size:-size] if len(rest) >= 2 * size else rest[size:]
    if "r" not in prefix:
        content = unescaped(content)
    return Token(FORMATTED if "f" in prefix else STRING, content, offset)


def _grouped(tokens: Iterator[Token]) -> Tokens:
    """Nests the tokens between brackets below the opening one.

    An unclosed bracket ends at the end of its group or of the text; an unopened one is dropped.
    """
    stack: list[tuple[str, int, list[Token]]] = [("", 0, [])]
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
                    _close(stack)
                _close(stack)
    while len(stack) > 1:
        _close(stack)
    return tuple(stack[0][2])


def _close(stack: list[tuple[str, int, list[Token]]]) -> None:
    bracket, offset, items = stack.pop()
    stack[-1][2].append(Token(bracket, bracket, offset, tuple(items)))
