"""Rewrites obsolescent declarations that the grammar does not have.

These are old-style function definitions, `typedef` after another specifier, and qualifiers at the end of a
declaration that declares no object.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Final

from openclsp.source.blanked_text import TYPE_WORDS, blank, blank_ranges, skip_white_space
from openclsp.source.comments import COMMENT
from openclsp.source.grammar_words import GRAMMAR_WORDS

_LATE_TYPEDEF: Final = re.compile(rb"((?:\s|" + COMMENT + rb")*)([a-z_][\w\s]*?)\s(typedef)\b")
_IDENTIFIER_LIST: Final = re.compile(
    rb"\b([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*\)\s*(?=[A-Za-z_])"
)
_EACH_COMMENT: Final = re.compile(COMMENT)
_PARENTHESIS: Final = re.compile(rb"[()]")
_BEHIND_LIST: Final = re.compile(rb"\)\s*[A-Za-z_/]")
"""Filter: a declaration or a comment follows the list, which most heads lack"""
_NAME: Final = re.compile(rb"[A-Za-z_]\w*")
_BEFORE_RESULT: Final = frozenset((b"static", b"inline", b"__inline", b"__inline__", b"extern"))
_NOT_IN_HEAD: Final = re.compile(rb"[={};]")
_OLD_DECLARATION: Final = re.compile(rb"\s*[A-Za-z_]\w*[\s*(]+[A-Za-z_][\w\s*()\[\],]*")
_PARAMETERS: Final = re.compile(rb"\(\s*[A-Za-z_)]")
_BOUNDS: Final = re.compile(rb"\[[^\[\]]*\]")

_QUALIFIERS_LAST: Final = re.compile(
    rb"(\}|\b(?:struct|union|enum)\s+\w+\s|\b"
    + TYPE_WORDS
    + rb"\s)((?:\s|\b(?:const|volatile|__const|__volatile)\b)+);"
)
_TAGGED: Final = re.compile(rb"\b(?:struct|union|enum)\b[^;{}=]*\Z")
_BRACE: Final = re.compile(rb"[{}]")
_NO_RESULT: Final = re.compile(
    rb"(?:(?:static|inline)\s+)*(?:__)?kernel\s+(?:(?:static|inline)\s+)*(?!__attribute)(?!"
    + TYPE_WORDS
    + rb"\b)[A-Za-z_]\w*\s*\("
)
"""A kernel without a result type, up to its parameters"""
_PARENTHESIS_OR_COMMA: Final = re.compile(rb"[(),{]")
_LONGEST_TAG: Final = 256
"""The greatest length of the text before a `{` in which `struct` and a tag are searched"""


def blank_parameters_without_result(text: bytes) -> bytes:
    """Blanks all parameters but the first of a kernel without a result type: `kernel f(int a, int b) {`.

    With one parameter, the grammar parses `f(int a)` as a macro call that expands to a type, and finds the
    body. With several parameters, it does not find the body, and would parse the statements as text at
    program scope.
    """
    head = _NO_RESULT.match(text, skip_white_space(text, 0))
    if head is None:
        return text
    depth, comma = 0, -1
    for match in _PARENTHESIS_OR_COMMA.finditer(text, head.end() - 1):
        token = match[0]
        depth += (token == b"(") - (token == b")")
        if token == b"," and depth == 1 and comma < 0:
            comma = match.start()
        if depth == 0 or token == b"{":
            closed = depth == 0 and comma >= 0 and text[skip_white_space(text, match.end()) :][:1] == b"{"
            return blank_ranges(text, [(comma, match.start())]) if closed else text
    return text


def is_old_head(text: bytes) -> bool:
    """Whether a text is the head of an old-style (K&R) function: `int f(a) int a` (C99 6.9.1p6).

    The head ends with the last specifier or declarator of a parameter declaration. The result type and the
    types of the parameters may be unknown, so the names decide: such declarations declare only names of the
    list (C99 6.9.1p6). The variable after the macro calls `A(x) B(y)` has another name.
    """
    return _old_function(text) >= 0


def blank_macros_of_old_head(text: bytes, end: int) -> bytes | None:
    """Blanks the parentheses of macro calls before the function's name: `API(int) f(a) int a;`.

    Returns None if the text up to `end`, the first `;` outside of parentheses, is not an old-style head.
    """
    name = _old_function(text[: end - 1]) if text[end - 1 : end] == b";" else -1
    if name < 0:
        return None
    blanks: list[tuple[int, int]] = []
    depth = start = 0
    for match in _PARENTHESIS.finditer(text, 0, name):
        start = start if depth else match.start()
        depth += 1 if match[0] == b"(" else -1
        if not depth:
            blanks.append((start, match.end()))
    return blank_ranges(text, blanks)


def _old_function(text: bytes) -> int:
    """Returns the offset of the function's name in an old-style head; -1 if the text is none."""
    if _BEHIND_LIST.search(text) is None:
        return -1
    text = _EACH_COMMENT.sub(lambda comment: blank(comment[0]), text)
    # declarations of parameters contain no such list, so it is the last one
    found = next(iter(deque(_IDENTIFIER_LIST.finditer(text), 1)), None)
    if found is None or found[1] in GRAMMAR_WORDS:
        return -1
    before = text[: found.start()]
    if _NOT_IN_HEAD.search(before) or _BEFORE_RESULT.issuperset(_NAME.findall(before)):
        return -1
    names = set(_NAME.findall(found[2]))
    declarations = text[found.end() :].split(b";")
    # each declares at least one of the names, so the check takes no time in a long sequence of declarations
    if len(declarations) > len(names) or not all(_declares_only(each, names) for each in declarations):
        return -1
    return found.start()


def _declares_only(declaration: bytes, names: set[bytes]) -> bool:
    """Whether a text is a type with declarators, each of a name in `names`."""
    if _OLD_DECLARATION.fullmatch(declaration) is None or _PARAMETERS.search(declaration):
        return False
    for declarator in _BOUNDS.sub(b" ", declaration).split(b","):
        words = _NAME.findall(declarator)
        if not words or words[-1] not in names:
            return False
    return True


def move_late_typedef(text: bytes) -> bytes:
    """Moves a `typedef` before the other specifiers (C99 6.11.5), where the grammar expects it."""
    found = _LATE_TYPEDEF.match(text, skip_white_space(text, 0))
    if found is not None and all(word in GRAMMAR_WORDS for word in found[2].split()):
        text = text[: found.start(2)] + found[3] + b" " + found[2] + text[found.end(3) :]
    return text


def blank_last_qualifiers(text: bytes) -> bytes:
    """Blanks qualifiers at the end of a declaration that declares no object: `struct s { int a; } const;`.

    They have no effect, and compilers only warn of them (C99 6.7p2).
    """
    found = list(_QUALIFIERS_LAST.finditer(text))
    opening = _opening_braces(text) if any(each[1] == b"}" for each in found) else {}
    return blank_ranges(
        text,
        [each.span(2) for each in found if each[1] != b"}" or _is_body(text, opening.get(each.start(), 0))],
    )


def _opening_braces(text: bytes) -> dict[int, int]:
    """Maps the offset of each `}` to that of its `{`."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace[0] == b"{":
            opened.append(brace.start())
        elif opened:
            found[brace.start()] = opened.pop()
    return found


def _is_body(text: bytes, opening: int) -> bool:
    """Whether the `{` at an offset begins the members of a struct or union, or the enumerators of an enum."""
    return _TAGGED.search(text, max(opening - _LONGEST_TAG, 0), opening) is not None
