"""Mutates a kernel into one that violates a constraint of C, using its tokens only.

openclsp's own analysis is not used, so that constructs which it overlooks are mutated too. Some mutants are valid.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from openclsp.language.dialect import Dialect
from openclsp.language.keywords import C99_KEYWORDS, keywords

from .mutations import Mutation, Token, argument_ranges, tokens_of

_WORD = re.compile(rb"[A-Za-z_]\w*")
_TYPE = re.compile(rb"(?:u?(?:char|short|int|long)|float|double|half|bool|size_t)(?:2|3|4|8|16)?")
_VECTOR = re.compile(rb"(u?(?:char|short|int|long)|float|double|half)(2|3|4|8|16)")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KEYWORDS = frozenset(word.encode() for word in C99_KEYWORDS | keywords(Dialect.of("CL3.0")))
_NO_CALLS = frozenset((b"if", b"for", b"while", b"switch", b"return", b"sizeof", b"__attribute__"))


def fault_mutations(text: bytes, chance: random.Random) -> list[Mutation]:
    """Returns a random mutation for every place that can be mutated."""
    tokens = tokens_of(text)
    found = [change for make in _MAKERS for change in make(text, tokens, chance)]
    return list(dict.fromkeys(found))


def _misspelt(name: bytes, chance: random.Random) -> bytes:
    word = name.decode()
    at = chance.randrange(len(word))
    letter = chance.choice(_LETTERS)
    ways = [word[:at] + letter + word[at:], word[:at] + word[at] + word[at:]]
    if len(word) > 1:
        ways += [word[:at] + word[at + 1 :], word[:at] + letter + word[at + 1 :]]
    if at + 1 < len(word):
        ways.append(word[:at] + word[at + 1] + word[at] + word[at + 2 :])
    made = chance.choice(ways)
    return made.encode() if _WORD.fullmatch(made.encode()) and made != word else name + name[-1:]


def _names(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Misspells a use of a variable, a function or a member."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if not token.depth or not _WORD.fullmatch(token.text) or token.text in _KEYWORDS:
            continue
        if _TYPE.fullmatch(token.text) or _WORD.fullmatch(after.text) or _WORD.fullmatch(before.text):
            continue
        if token.text.upper() == token.text:
            continue
        if before.text in (b".", b"->"):
            kind = "misspelt-member"
        elif after.text == b"(":
            kind = "misspelt-call"
        else:
            kind = "misspelt-variable"
        yield Mutation(kind, token.start, token.end, _misspelt(token.text, chance))


def _calls(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Drops or adds an argument."""
    for at, (name, opened) in enumerate(pairwise(tokens)):
        if opened.text != b"(" or not name.depth or name.text in _NO_CALLS or name.text in _KEYWORDS:
            continue
        if not _WORD.fullmatch(name.text) or _TYPE.fullmatch(name.text):
            continue
        given = list(argument_ranges(tokens, at + 1))
        if given:
            start, end = given[-1]
            yield Mutation("added-argument", end, end, b", 0")
            if len(given) > 1:
                yield Mutation("dropped-argument", given[-2][1], end, b"")
            else:
                yield Mutation("dropped-argument", start, end, b"")


def _returns(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Removes a `return`, or adds or removes its value."""
    for at, token in enumerate(tokens):
        if token.text != b"return":
            continue
        end = next((each for each in tokens[at:] if each.text == b";"), None)
        if end is None:
            continue
        if end is tokens[at + 1]:
            yield Mutation("return-value", token.end, token.end, b" 1")
        else:
            yield Mutation("dropped-return", token.start, end.start, b"")
            yield Mutation("dropped-return-value", token.end, end.start, b"")


def _declarations(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Makes a local variable const, declares it twice, or changes the width of a vector."""
    for before, token, after, behind in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        match = _VECTOR.fullmatch(token.text)
        if match and token.depth:
            width = chance.choice([each for each in (b"2", b"3", b"4", b"8", b"16") if each != match[2]])
            yield Mutation("vector-width", token.start, token.end, match[1] + width)
        if not token.depth or not _TYPE.fullmatch(token.text) or before.text not in (b";", b"{", b"}"):
            continue
        if _WORD.fullmatch(after.text) and behind.text in (b";", b"=", b","):
            yield Mutation("const", token.start, token.start, b"const ")
            again = token.text + b" " + after.text + b"; "
            yield Mutation("declared-twice", token.start, token.start, again)


def _statements(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Inserts a jump at an invalid place, or repeats a case."""
    for at, (before, token) in enumerate(pairwise(tokens)):
        if before.text == b")" and token.text == b"{" and not token.depth:
            word = chance.choice((b" break;", b" continue;", b" case 1:;", b" default:;", b" goto nowhere;"))
            yield Mutation("misplaced", token.end, token.end, word)
        if token.text in (b"case", b"default"):
            end = next((each for each in tokens[at + 1 :] if each.text == b":"), None)
            if end is not None:
                label = text[token.start : end.end] + b" "
                yield Mutation("repeated-case", token.start, token.start, label)


def _expressions(text: bytes, tokens: Sequence[Token], chance: random.Random) -> Iterator[Mutation]:
    """Gives an operand an unsuitable operator, or an assignment another target."""
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if not token.depth:
            continue
        if token.text in (b".", b"->") and not before.text[:1].isdigit():
            other = b"->" if token.text == b"." else b"."
            yield Mutation("other-access", token.start, token.end, other)
        name = _WORD.fullmatch(token.text) and token.text not in _KEYWORDS
        if not name or _TYPE.fullmatch(token.text) or token.text.upper() == token.text:
            continue
        # behind other tokens, the name may be one that is declared
        if before.text in (b"=", b"+", b"/", b"return", b"<") and after.text in (
            b";",
            b"+",
            b"*",
            b"/",
            b")",
            b",",
            b"<",
            b"-",
        ):
            yield Mutation("called", token.end, token.end, b"(0)")
            # a space, because `/*` would open a comment
            yield Mutation("dereferenced", token.start, token.start, b" *")
            yield Mutation("indexed", token.end, token.end, b"[0]")
            yield Mutation("member-of", token.end, token.end, b".s0")
            yield Mutation("address", token.start, token.start, b"&")
            yield Mutation("incremented", token.start, token.end, b"(" + token.text + b" + 1)++")
        if before.text in (b";", b"{", b"}") and after.text in (b"=", b"+=", b"-=", b"*="):
            yield Mutation("target", token.start, token.end, b"(" + token.text + b", 1)")
            yield Mutation("target", token.start, token.end, b"(" + token.text + b" + 1)")
    for token in tokens:
        if token.depth and token.text in (b"+", b"*", b"-", b"/"):
            yield Mutation("integer-operator", token.start, token.end, chance.choice((b"%", b"<<", b"&")))


_MAKERS = (_names, _calls, _returns, _declarations, _statements, _expressions)
