"""Decides from the code around a string literal whether the literal names a kernel.

The functions take code with blanked literals (`BlankedCode.code`).
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple

from openclsp.host_code.kernel_names import CREATING_FUNCTION, FUNCTOR_NAMES


class Certainty(Enum):
    """How certain it is that a literal names a kernel.

    - CREATED: the literal is an argument of a call that creates a kernel.
    - PASSED: the literal is an argument of another call, an initial value or an element of a list. It names a
      kernel if a kernel of that name exists.
    - NONE: the literal is compared, printed or part of a longer string.
    """

    CREATED = "created"
    PASSED = "passed"
    NONE = "none"


class _Call(NamedTuple):
    """The code before an opening bracket.

    - `name`: the called function, the constructed class or the declared variable.
    - `type`: the word before the name. For a declared variable, this is its type.
    - `template`: the template arguments.
    """

    name: bytes
    type: bytes
    template: bytes


_CLASSES: Final = frozenset(
    (b"Kernel", b"KernelFunctorGlobal", b"RawKernel", *(each.encode() for each in FUNCTOR_NAMES))
)
"""Types of the bindings whose constructors take the name of a kernel"""
_HOLDERS: Final = frozenset((b"make_shared", b"make_unique", b"emplace", b"optional", b"shared_ptr"))
_NO_CALLS: Final = frozenset(
    (b"return", b"new", b"throw", b"and", b"or", b"not", b"in", b"lambda", b"else", b"yield", b"await")
    + (b"string", b"String", b"QString", b"string_view", b"StringRef", b"str", b"bytes", b"basic_string")
)
"""Words before a parenthesis that only groups, or whose argument is converted to a string"""
_STATEMENTS: Final = frozenset((b"if", b"while", b"for", b"switch", b"case", b"sizeof", b"catch", b"assert"))
_NO_NAMES_OF_KERNELS: Final = re.compile(
    rb"\w{0,40}printf\Z|f?puts\Z|[pP]rint\w*\Z|[lL]og\w*\Z|LOG\w*\Z|debug\Z|info\Z|warn(?:ing)?\Z|error\Z|strn?(?:case)?cmp\Z"
    rb"|compare\Z|n?find\Z|strstr\Z|getenv\Z|environ\Z|f?open\Z|dlsym\Z|add_argument\Z|add_option\Z|isinstance\Z|(?:EXPECT|ASSERT|CHECK)_\w*\Z"
    rb"|import_module\Z|startswith\Z|endswith\Z"
)
"""Functions whose strings are messages, options, paths, or compared with others"""
_TABLE_OF_KERNELS: Final = re.compile(rb"\w{0,80}?(?:kernel|knl|krn|prog|prg)", re.IGNORECASE)
_MARK: Final = re.compile(rb"[()\[\]{};]")
_AFTER: Final = re.compile(rb"s?v?\s*[,)\]};:]|\Z")
_AFTER_IN_PYTHON: Final = re.compile(rb"[ \t]*(?:[,)\]}:;\r\n]|\Z|(?:if|else|for|and|or)\b)")
_ADJACENT: Final = re.compile(rb"\s*\"")
_BLANKS: Final = b" \t\r\n\\"
_NAME_BYTES: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_BEFORE: Final = 2_000
"""The number of bytes before a literal that are searched for the call"""
_LONGEST_WORD: Final = 256
_LONGEST_TEMPLATE: Final = 400
_MAXIMUM_BRACKETS: Final = 12
"""The maximum number of nested brackets around a literal that are examined"""


def certainty_of(code: bytes, start: int, end: int, *, python: bool) -> Certainty:
    """Returns how certain it is that the literal from `start` to `end`, with its quotes, names a kernel."""
    following = _AFTER_IN_PYTHON if python else _AFTER
    if following.match(code, end) is None or _ADJACENT.match(code, end) is not None:
        return Certainty.NONE
    if python:
        start = _word_start(code, start)
    at = _before_blanks(code, start)
    before = code[max(at - 2, 0) : at]
    if not before:
        return Certainty.NONE
    if before[-1:] == b"=":
        is_value = before[:1] not in b"=!<>" or len(before) == 1
        if not is_value:
            return Certainty.NONE
    elif before[-1:] not in b"(,{[?:":
        word = code[_word_start(code, at) : at]
        if word not in (b"return", b"else", b"if"):
            return Certainty.NONE
    return _in_brackets(code, start, is_value=before[-1:] in (b"=", b"n"))


def _in_brackets(code: bytes, start: int, *, is_value: bool) -> Certainty:
    """Returns how certain it is that a literal names a kernel, from the brackets that enclose the literal.

    The innermost bracket decides. Parentheses that only group an expression are ignored. `is_value`: the
    literal follows `=` or `return`.
    """
    depth = 0
    seen = 0
    is_far = start > _BEFORE
    # Reversed, because most searches end at one of the first marks before the literal.
    for mark in _MARK.finditer(code[max(0, start - _BEFORE) : start][::-1]):
        written = mark[0]
        if written in b")]}":
            depth += 1
        elif written == b";":
            if not depth:
                is_far = False
                break
        elif depth:
            depth -= 1
        else:
            found = _at_bracket(code, start - mark.end(), written)
            if found is not None:
                return found
            seen += 1
            if seen > _MAXIMUM_BRACKETS:
                break
    # The beginning of a long list, such as a table of kernels, is not reached.
    return Certainty.PASSED if is_value or seen or is_far else Certainty.NONE


def _at_bracket(code: bytes, at: int, bracket: bytes) -> Certainty | None:
    """Returns how certainly a literal after an opening bracket names a kernel, by the code before the bracket.

    Returns None for a parenthesis that only groups an expression.
    """
    call = _call_before(code, at)
    if bracket == b"[":
        is_list = not call.name or call.name in _NO_CALLS
        return Certainty.PASSED if is_list or _TABLE_OF_KERNELS.match(call.name) else Certainty.NONE
    if _creates(call):
        return Certainty.CREATED
    if bracket == b"{":
        return Certainty.PASSED
    if not call.name or call.name in _NO_CALLS:
        return None
    if call.name in _STATEMENTS or _NO_NAMES_OF_KERNELS.match(call.name) is not None:
        return Certainty.NONE
    return Certainty.PASSED


def _creates(call: _Call) -> bool:
    if call.name in _CLASSES or call.type in _CLASSES:
        return True
    if CREATING_FUNCTION.match(call.name.decode()) is not None:
        return True
    return call.name in _HOLDERS and call.template.rsplit(b":", 1)[-1].strip() in _CLASSES


def _call_before(code: bytes, at: int) -> _Call:
    """Reads the code before a bracket: `cl::Kernel k(`, `KernelFunctor<cl::Buffer>(`, `clCreateKernel(`."""
    end, template = _before_template(code, _before_blanks(code, at))
    start = _word_start(code, end)
    name = code[start:end]
    # The qualifiers: `cl::`, `program.`, `this->`.
    for _ in range(_MAXIMUM_BRACKETS):
        if code[start - 2 : start] in (b"::", b"->"):
            start = _word_start(code, start - 2)
        elif code[start - 1 : start] == b".":
            start = _word_start(code, start - 1)
        else:
            break
    type_end = _before_blanks(code, start)
    if not name or type_end == start:
        return _Call(name, b"", template)
    type_end, _ = _before_template(code, type_end)
    return _Call(name, code[_word_start(code, type_end) : type_end], template)


def _before_template(code: bytes, end: int) -> tuple[int, bytes]:
    """Splits off the template arguments that end at `end`.

    Returns the end of the name before them, and the arguments. If there are none, returns `end` and an empty
    text.
    """
    if code[end - 1 : end] != b">" or code[end - 2 : end] == b"->":
        return end, b""
    depth = 0
    for at in range(end - 1, max(0, end - _LONGEST_TEMPLATE) - 1, -1):
        mark = code[at : at + 1]
        if mark in b";{}":
            break
        depth += (mark == b">") - (mark == b"<")
        if depth == 0:
            return _before_blanks(code, at), code[at + 1 : end - 1]
    return end, b""


def _before_blanks(code: bytes, end: int) -> int:
    while end > 0 and code[end - 1] in _BLANKS:
        end -= 1
    return end


def _word_start(code: bytes, end: int) -> int:
    limit = max(0, end - _LONGEST_WORD)
    while end > limit and code[end - 1] in _NAME_BYTES:
        end -= 1
    return end
