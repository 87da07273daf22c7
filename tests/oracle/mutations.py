"""Mutates an address space in a kernel, using its tokens only.

openclsp's own analysis is not used, so that constructs which it overlooks are mutated too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from openclsp.language.spaces import QUALIFIERS

_TOKEN = re.compile(
    rb"(?P<skip>\s+|\\\r?\n|//[^\n]*|/\*.*?\*/)"
    rb'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    rb"|(?P<word>[A-Za-z_]\w*)|(?P<number>\.?\d[\w.]*)"
    rb"|(?P<sign>->|\+\+|--|<<=?|>>=?|[-+*/%&|^=!<>]=|&&|\|\||.)",
    re.DOTALL,
)
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)

SPACES = (b"__global", b"__local", b"__constant", b"__private", b"global", b"local", b"constant", b"private")
GENERIC = b"__generic"
_QUALIFIERS = {name.encode() for name in QUALIFIERS} - {b"generic", b"__generic"}
_TYPES = re.compile(
    rb"(?:u?(?:char|short|int|long)|float|double|half|void|bool|size_t)(?:2|3|4|8|16)?|unsigned|signed|\w+_t|[A-Z]\w*"
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_NO_CALLS = {
    b"if",
    b"for",
    b"while",
    b"switch",
    b"return",
    b"sizeof",
    b"defined",
    b"__attribute__",
    b"vec_step",
}


@dataclass(frozen=True, slots=True)
class Token:
    """Bytes `start` to `end` of a text."""

    text: bytes
    start: int
    end: int
    depth: int
    """How many braces are open in front of it."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """Replaces the bytes `start` to `end` by `replacement`; `kind` describes the mutation."""

    kind: str
    start: int
    end: int
    replacement: bytes

    def applied(self, text: bytes) -> bytes:
        return text[: self.start] + self.replacement + text[self.end :]


def tokens_of(text: bytes) -> list[Token]:
    """Returns the tokens outside of comments and directives."""
    blanked = _DIRECTIVE.sub(lambda match: re.sub(rb"[^\n]", b" ", match[0]), text)
    found = []
    depth = 0
    for match in _TOKEN.finditer(blanked):
        if match.lastgroup == "skip":
            continue
        if match[0] == b"}":
            depth = max(depth - 1, 0)
        found.append(Token(match[0], match.start(), match.end(), depth))
        if match[0] == b"{":
            depth += 1
    return found


def mutations(text: bytes, chance: random.Random) -> list[Mutation]:
    """Returns a random mutation for every place that can be mutated."""
    tokens = tokens_of(text)
    found = [change for make in _MAKERS for change in make(text, tokens, chance)]
    return list(dict.fromkeys(found))


def _qualifiers(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Drops, changes or doubles a qualifier, or adds another one."""
    for token in tokens:
        if token.text not in _QUALIFIERS:
            continue
        other = chance.choice([space for space in SPACES if space.strip(b"_") != token.text.strip(b"_")])
        yield Mutation("drop", token.start, token.end, b"")
        yield Mutation("change", token.start, token.end, other)
        if chance.random() < 0.3:
            yield Mutation("change-to-generic", token.start, token.end, GENERIC)
        yield Mutation("double", token.start, token.start, other + b" ")
        yield Mutation("double-same", token.start, token.start, token.text + b" ")
        if chance.random() < 0.3:
            yield Mutation("static", token.start, token.start, chance.choice((b"static ", b"extern ")))


_BEFORE_TYPES = (b"(", b",", b";", b"{", b"}", b"const")


def _declared(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Adds a space before a type or to a declared pointer itself, or adds a `*`."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if not _TYPES.fullmatch(token.text):
            continue
        space = chance.choice([*SPACES, GENERIC])
        if after.text == b"*" and before.text in (*_BEFORE_TYPES, b"volatile", b"return"):
            yield Mutation("add", token.start, token.start, space + b" ")
        elif _WORD.fullmatch(after.text) and before.text in _BEFORE_TYPES:
            yield Mutation("add-to-object", token.start, token.start, space + b" ")
        if after.text == b"*":
            yield Mutation("pointer-itself", after.end, after.end, b" " + space + b" ")
            yield Mutation("extra-star", after.end, after.end, b"*")
            yield Mutation("extra-star-space", after.end, after.end, b" " + space + b" *")


def _casts(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Removes `(T *)`, or gives its type another space."""
    for at, token in enumerate(tokens):
        if token.text != b"(" or token.depth == 0:
            continue
        close = at + 1
        while close < len(tokens) and (tokens[close].text == b"*" or _WORD.fullmatch(tokens[close].text)):
            close += 1
        stars = [each for each in tokens[at + 1 : close] if each.text == b"*"]
        if close < len(tokens) and tokens[close].text == b")" and stars and close - at > 2:
            yield Mutation("drop-cast", token.start, tokens[close].end, b"")


def _calls(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Exchanges two arguments of a call."""
    for at, (name, opened) in enumerate(pairwise(tokens)):
        if opened.text != b"(" or name.depth == 0 or name.text in _NO_CALLS:
            continue
        if not _WORD.fullmatch(name.text) or _TYPES.fullmatch(name.text):
            continue
        given = list(argument_ranges(tokens, at + 1))
        if len(given) >= 2:
            first, second = sorted(chance.sample(given, 2))
            (a, b), (c, d) = first, second
            yield Mutation("swap-arguments", a, d, text[c:d] + text[b:c] + text[a:b])


def argument_ranges(tokens: Sequence[Token], opened: int) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each argument of the call whose parenthesis has that index."""
    nested, start = 0, opened + 1
    for at in range(opened, len(tokens)):
        token = tokens[at]
        if token.text in (b"(", b"[", b"{"):
            nested += 1
        elif token.text in (b")", b"]", b"}"):
            nested -= 1
        if token.text in (b";", b"{"):
            return
        if (nested == 0 or (nested == 1 and token.text == b",")) and at > opened:
            if at > start:
                yield tokens[start].start, tokens[at - 1].end
            start = at + 1
        if nested == 0:
            return


def _initialisers(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Removes the initialiser of a qualified object, or adds one."""
    for at, token in enumerate(tokens):
        if token.text not in _QUALIFIERS:
            continue
        statement = tokens[at : at + 60]
        end = next((i for i, each in enumerate(statement) if each.text in (b";", b")", b"{")), None)
        if end is None or statement[end].text == b")":
            continue
        equals = next((each for each in statement[:end] if each.text == b"="), None)
        stop = next((each for each in statement if each.text == b";"), None)
        if stop is None:
            continue
        if equals is not None:
            yield Mutation("drop-initialiser", equals.start, stop.start, b"")
        elif statement[end] is stop:
            yield Mutation("add-initialiser", stop.start, stop.start, b" = 0")


def _statements(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Inserts a statement that combines two names of the function."""
    names = _names(tokens)
    for at, token in enumerate(tokens):
        if token.depth == 0 or token.text not in (b";", b"{") or (token.text == b";" and token.depth == 0):
            continue
        here = [name for name, start, end in names if start <= at <= end]
        if len(here) < 2 or chance.random() > 0.3:
            continue
        p, q = chance.sample(here, 2)
        space, other = chance.sample([*SPACES, GENERIC, b""], 2)
        base = chance.choice((b"int", b"float", b"char", b"void"))
        statement = chance.choice(_STATEMENTS) % {b"p": p, b"q": q, b"s": space, b"o": other, b"t": base}
        yield Mutation("put-statement", token.end, token.end, b" " + statement)


_STATEMENTS = (
    b"%(p)s = %(q)s;",
    b"(void)(%(p)s == %(q)s);",
    b"(void)(%(p)s < %(q)s);",
    b"(void)(%(p)s - %(q)s);",
    b"(void)(1 ? %(p)s : %(q)s);",
    b"(void)(%(s)s %(t)s *)%(p)s;",
    b"%(s)s %(t)s *mutant = %(p)s;",
    b"%(s)s %(t)s *mutant = (%(o)s %(t)s *)%(p)s;",
    b"%(s)s %(t)s **mutant = &%(p)s;",
    b"%(s)s %(t)s *%(o)s *mutant = &%(p)s;",
    b"%(s)s %(t)s *%(o)s mutant = 0;",
    b"%(s)s %(t)s mutant;",
    b"%(s)s %(t)s mutant[4];",
    b"static %(s)s %(t)s mutant;",
    b"{ %(s)s %(t)s mutant[2]; }",
    b"*%(p)s = *%(q)s;",
    b"*%(p)s = 1;",
    b"__typeof__(%(p)s) mutant = %(q)s;",
    b"void *mutant = %(p)s; %(s)s %(t)s *mutated = mutant;",
    b"%(s)s %(t)s *mutant[2] = { %(p)s, %(q)s };",
    b"struct { %(s)s %(t)s *m; } mutant = { %(p)s };",
    b"const %(s)s %(t)s *mutant = %(p)s ? %(p)s : 0;",
    b"%(s)s %(t)s *mutant = &%(p)s[1];",
    b"%(s)s %(t)s *mutant = (0, %(p)s);",
    b"%(s)s %(t)s *mutant = %(p)s + 1; mutant -= 1;",
    b"const %(s)s %(t)s mutant = 1; %(o)s %(t)s *mutated = &mutant;",
)


def _names(tokens: Sequence[Token]) -> list[tuple[bytes, int, int]]:
    """Returns names that look like pointers because of a `*` or `[`, with the index range in which they can be used."""
    found = []
    ends: list[int] = [len(tokens) - 1] * len(tokens)
    last = len(tokens) - 1
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at].text == b"}" and tokens[at].depth == 0:
            last = at
        ends[at] = last
    for at in range(1, len(tokens) - 1):
        before, token, after = tokens[at - 1 : at + 2]
        if not _WORD.fullmatch(token.text) or token.text in _QUALIFIERS or token.text == b"const":
            continue
        if after.text not in (b",", b")", b"=", b";", b"["):
            continue
        if before.text in (b"*", b"restrict", b"__restrict") or (
            after.text == b"[" and _TYPES.fullmatch(before.text)
        ):
            found.append((token.text, at, ends[at]))
    return found


_FUNCTIONS = (
    b"void mutant(%(s)s %(t)s *p, %(o)s %(t)s *q) { p = q; }",
    b"%(s)s %(t)s *mutant(%(o)s %(t)s *q) { return q; }",
    b"void mutant(%(s)s %(t)s *p) { %(o)s %(t)s *q = (%(o)s %(t)s *)p; }",
    b"void mutant(int c, %(s)s %(t)s *p, %(o)s %(t)s *q) { (void)(c ? p : q); }",
    b"int mutant(%(s)s %(t)s *p, %(o)s %(t)s *q) { return p == q; }",
    b"long mutant(%(s)s %(t)s *p, %(o)s %(t)s *q) { return p - q; }",
    b"void mutant(%(s)s %(t)s *private *p, %(o)s %(t)s *private *q) { p = q; }",
    b"void mutant(%(s)s %(t)s **p) { (void)(%(o)s %(t)s **)p; }",
    b"typedef %(s)s %(t)s *Mutant; void mutant(Mutant p, %(o)s %(t)s *q) { p = q; }",
    b"struct Mutant { %(s)s %(t)s *m; }; void mutant(struct Mutant *p, %(o)s %(t)s *q) { p->m = q; }",
    b"void mutated(%(s)s %(t)s *p); void mutant(%(o)s %(t)s *q) { mutated(q); }",
    b"void mutated(%(s)s %(t)s *p); void mutated(%(o)s %(t)s *p);",
    b"%(s)s %(t)s *mutated(void); void mutant(void) { %(o)s %(t)s *q = mutated(); }",
    b"%(s)s %(t)s mutant;",
    b"%(s)s %(t)s mutant = 1;",
    b"static %(s)s %(t)s mutant = 1;",
    b"extern %(s)s %(t)s mutant;",
    b"%(s)s %(t)s *%(o)s mutant = 0;",
    b"kernel void mutant(%(s)s %(t)s *p) {}",
    b"kernel void mutant(%(s)s %(t)s *%(o)s *p) {}",
    b"kernel void mutant(%(s)s %(t)s p) {}",
    b"struct Mutant { %(s)s %(t)s m; };",
    b"struct Mutant { %(s)s %(t)s *%(o)s m; };",
    b"%(s)s %(t)s mutant(void);",
    b"void mutant(%(s)s %(t)s *%(o)s p);",
    b"void mutant(void) { %(s)s %(t)s mutant; if (1) { %(o)s %(t)s inner; } }",
    b"kernel void mutant(void) { %(s)s %(t)s mutant; if (1) { %(o)s %(t)s inner; } }",
    b"void mutant(%(s)s %(t)s *p[2]) { %(o)s %(t)s *q = p[1]; }",
    b"void mutant(%(s)s %(t)s (*p)[2]) { %(o)s %(t)s *q = p[1]; }",
    b"typedef %(s)s %(t)s Mutant; %(o)s Mutant *mutant(Mutant *p);",
)


def _functions(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Inserts a function or a declaration after a function."""
    body = False
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.text == b"{" and token.depth == 0:
            body = before.text == b")"
        if token.text == b"}" and token.depth == 0 and body and _WORD.fullmatch(after.text):
            if after.text == b"__attribute__" or chance.random() < 0.5:
                continue
            space, other = chance.sample([*SPACES, GENERIC, b""], 2)
            base = chance.choice((b"int", b"float", b"char"))
            made = chance.choice(_FUNCTIONS) % {b"s": space, b"o": other, b"t": base}
            yield Mutation("put-function", after.start, after.start, made + b"\n")


_Maker = Callable[[bytes, Sequence[Token], random.Random], Iterator[Mutation]]
_MAKERS: tuple[_Maker, ...] = (
    _qualifiers,
    _declared,
    _casts,
    _calls,
    _initialisers,
    _statements,
    _functions,
)
