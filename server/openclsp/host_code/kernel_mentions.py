"""Finds the names of kernels in host code: those that code uses, and those that strings define.

The search works on tokens, without a syntax tree. It skips a file that contains no word of OpenCL's API or of
OpenCL C. A name that the host computes when it runs is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import STRING_ONLY_LANGUAGES, HostLanguage
from openclsp.host_code.host_tokens import BlankedCode, blank_literals
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_hold_kernel, may_name_kernel
from openclsp.host_code.kernel_names import PROGRAM_ATTRIBUTES
from openclsp.host_code.mention_contexts import Certainty, certainty_of

MAXIMUM_MENTIONS: Final = 10_000
"""The maximum number of literals, of kernels and of mentions that are read in one file: the first ones"""
# Begins with a literal, for which `re` has a fast search.
_KERNEL_WORD: Final = re.compile(rb"kernel\b(?<![A-Za-z0-9@]kernel)")
_HEAD_END: Final = re.compile(rb"[;{}]")
_BETWEEN: Final = re.compile(rb"\\[nrt]|\\\r?\n|\"")
_DEFINED_NAME: Final = re.compile(
    rb"\bvoid\s+(?:__attribute__\s*\(\([^;]{0,200}?\)\)\s*)?(?P<name>[A-Za-z_]\w{0,255})\s*\("
)
_LONGEST_HEAD: Final = 600
"""The maximum number of bytes from the word `kernel` to the kernel's name"""
_PROGRAM_MADE: Final = re.compile(
    rb"(?P<target>\b[A-Za-z_][\w.]{0,200})[ \t]*=[ \t]*(?:\w{1,80}\.){0,8}(?:Program|RawModule)[ \t]*\("
)
"""Matches an assignment of a pyopencl program to a variable"""
_CHAIN: Final = re.compile(
    rb"(?<![\w.])(?P<chain>[A-Za-z_]\w{0,255}(?:\.[A-Za-z_]\w{0,255}){1,8})(?![\w.])(?P<call>[ \t]*\()?"
)
"""A dotted name: of an attribute, or of one of its methods"""
_AFTER_CALL: Final = re.compile(rb"\)\s{0,200}\.[ \t]*(?P<name>[A-Za-z_]\w{0,255})\b")
_NAMED_LIKE_PROGRAM: Final = re.compile(rb"\w{0,80}?(?:prg|prog|program|knl|kernels?|mod|module)\Z")
_BUILD_CALL: Final = re.compile(rb"(?:\bProgram|\.build)\s{0,20}\Z")
_PARENTHESIS: Final = re.compile(rb"[()]")
_LONGEST_CALL: Final = 1_000
"""The maximum number of bytes of a call `build(…)`"""


@dataclass(frozen=True, slots=True)
class KernelName:
    """The name of a kernel in host code, from byte `start` to `end` (exclusive), without quotes.

    `is_certain`: the name can only be that of a kernel. This is always so for a name that a string defines.
    """

    name: str
    start: int
    end: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class HostKernelNames:
    """The names of kernels in a host file, in order.

    - `mentioned`: the names that the host code uses.
    - `defined`: the names that programs in its strings define.
    """

    mentioned: tuple[KernelName, ...] = ()
    defined: tuple[KernelName, ...] = ()


NO_KERNELS: Final = HostKernelNames()


def find_host_kernels(data: bytes, language: HostLanguage) -> HostKernelNames:
    """Finds the names of kernels in a host file of C, C++ or Python."""
    unread = language is HostLanguage.NOTEBOOK or language in STRING_ONLY_LANGUAGES
    if unread or len(data) > MAXIMUM_HOST_BYTES:
        return NO_KERNELS
    mentions, defines = may_name_kernel(data), may_hold_kernel(data)
    if not mentions and not defines:
        return NO_KERNELS
    blanked = blank_literals(data, language)
    mentioned = _mentions(data, blanked, language) if mentions else ()
    return HostKernelNames(
        tuple(sorted(mentioned, key=lambda each: each.start)[:MAXIMUM_MENTIONS]),
        tuple(_definitions(data, blanked)) if defines else (),
    )


def mention_at(data: bytes, language: HostLanguage, offset: int) -> KernelName | None:
    """Returns the kernel name that contains `offset` or ends there; None if there is none."""
    if not _is_at_word(data, offset):
        return None
    mentioned = find_host_kernels(data, language).mentioned
    index = bisect_right(mentioned, offset, key=lambda each: each.start) - 1
    return mentioned[index] if index >= 0 and offset <= mentioned[index].end else None


def _is_at_word(data: bytes, offset: int) -> bool:
    """Whether `offset` is in a word that follows a quote or a dot, as the name of a kernel does."""
    start = end = offset
    while start > 0 and data[start - 1 : start].isalnum() or data[start - 1 : start] == b"_":
        start -= 1
    while data[end : end + 1].isalnum() or data[end : end + 1] == b"_":
        end += 1
    return start < end and data[start - 1 : start] in (b'"', b"'", b".")


def _mentions(data: bytes, blanked: BlankedCode, language: HostLanguage) -> Iterator[KernelName]:
    python = language is HostLanguage.PYTHON
    for start, end in blanked.names[:MAXIMUM_MENTIONS]:
        certainty = certainty_of(blanked.code, start, end, python=python)
        if certainty is not Certainty.NONE:
            name = data[start + 1 : end - 1].decode()
            yield KernelName(name, start + 1, end - 1, certainty is Certainty.CREATED)
    if python:
        yield from _attributes(blanked.code)


def _attributes(code: bytes) -> Iterator[KernelName]:
    """Yields the kernels that are attributes of pyopencl programs: `add` in `program.add(queue, …)`."""
    programs = {match["target"] for match in _PROGRAM_MADE.finditer(code)}
    for match in _CHAIN.finditer(code):
        parts = match["chain"].split(b".")
        owner = b""
        start = match.start()
        for index, name in enumerate(parts):
            is_last = index == len(parts) - 1
            is_certain = owner in programs
            is_called = is_last and match["call"] is not None
            if is_certain or (is_called and _NAMED_LIKE_PROGRAM.match(parts[index - 1])):
                if index and _may_be_kernel(name):
                    yield KernelName(name.decode(), start, start + len(name), is_certain)
                if is_certain:
                    break
            owner = owner + b"." + name if owner else name
            start += len(name) + 1
    for match in islice(_AFTER_CALL.finditer(code), MAXIMUM_MENTIONS):
        if _may_be_kernel(match["name"]) and _is_built_program(code, match.start() + 1):
            yield KernelName(match["name"].decode(), match.start("name"), match.end("name"), True)


def _may_be_kernel(name: bytes) -> bool:
    return not name.startswith(b"__") and name.decode() not in PROGRAM_ATTRIBUTES


def _is_built_program(code: bytes, end: int) -> bool:
    """Whether the call that ends at `end` is `Program(…)` or `….build(…)`."""
    depth = 0
    for mark in reversed(list(_PARENTHESIS.finditer(code, max(0, end - _LONGEST_CALL), end))):
        depth += 1 if mark[0] == b")" else -1
        if depth <= 0:
            at = mark.start()
            return depth == 0 and _BUILD_CALL.search(code[max(0, at - 40) : at]) is not None
    return False


def _definitions(data: bytes, blanked: BlankedCode) -> Iterator[KernelName]:
    """Yields the kernels that are defined in strings and in arguments of stringifying macros."""
    code = blanked.code
    for word in islice(_KERNEL_WORD.finditer(data), MAXIMUM_MENTIONS):
        if code[word.start() : word.start() + 1] == b" ":
            # In a comment.
            continue
        end = min(len(data), word.end() + _LONGEST_HEAD)
        mark = _HEAD_END.search(data, word.end(), end)
        head = data[word.end() : end if mark is None else mark.start()]
        head = _BETWEEN.sub(lambda match: b" " * len(match[0]), head)
        found = _DEFINED_NAME.search(head)
        if found is not None:
            start = word.end() + found.start("name")
            yield KernelName(found["name"].decode(), start, start + len(found["name"]), True)
