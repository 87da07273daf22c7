"""Detects text that is no OpenCL C program: C++, CUDA, HIP, Metal, HLSL, host C, or a part of a function.

Only unambiguous tokens count, because names such as `class` and `template` are ordinary identifiers in C.
Comments, inactive branches and literals are ignored, except string literals that contain a kernel.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.blanked_text import TYPE_WORDS, blank, skip_white_space
from openclsp.source.comments import COMMENT
from openclsp.source.host_strings import host_string

_EACH_COMMENT: Final = re.compile(COMMENT)
_LITERAL: Final = rb"\"(?:[^\"\\\n]|\\[\s\S])*\"?|'(?:[^'\\\n]|\\[\s\S]){0,16}'"
_SKIPPED: Final = rb"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|\[\[[^\[\];]{0,200}?::[^\]]{0,200}\]\]|" + _LITERAL
_COMMENT_OR_LITERAL: Final = re.compile(rb"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|(" + _LITERAL + rb")")
"""Its group is empty for a comment. Comments often contain words such as `using`, and `_CERTAIN` takes long."""
_WORDS: Final = re.compile(
    rb"::|<<<|\btemplate\b|_cast\b|\boperator\b|\bnamespace\b|\busing\b|\bclass\b|\btypename\b|__(?:device|global|host|shared)__"
    rb"|\[\[|\bnumthreads\b|\bcbuffer\b|\bRW(?:Structured|ByteAddress)?(?:Buffer|Texture)"
    rb"|\bpublic\b|\bprivate\s*:|\bconst \{|\bauto \w+ :|\bconstexpr\b|= new\b|\bdelete\b|\]\("
    rb"|\b(?:try|catch)\b|\bnoexcept\b|\bextern\s+\""
)
"""Filter: without one of these, only references are searched for"""
_PARTS: Final = (
    b"::", b"<<<", b"template", b"_cast", b"operator", b"namespace", b"using", b"class", b"typename",
    b"__device__", b"__global__", b"__host__", b"__shared__", b"[[", b"numthreads", b"cbuffer", b"RW",
    b"public", b"private:", b"const {", b"auto", b"constexpr", b"= new", b"delete", b"](",
    b"try", b"catch", b"noexcept", b'extern "',
)  # fmt: skip
"""Filter before `_WORDS`, which no literal begins: a search for each of these takes a tenth of its time."""
_REFERENCE: Final = re.compile(rb"&(?:(?<=\w&) \w|(?<=\w &)\w)")
"""Filter for references, `T& x` and `T &x`. A bitwise operator has blanks on both sides or on neither in most kernels."""
_BRACES: Final = rb"\{\s*[-\w.]+\s*(?:,\s*[-\w.]+\s*){0,16}\}"
_BRACED: Final = re.compile(rb"\{(?:(?<=\w\{)|(?<=\w \{))" + _BRACES[2:] + rb"\s*(?:[;,]|\Z)")
"""Filter for variables that are initialised without `=`, such as `int n{3};`"""
_DEFAULT: Final = re.compile(
    rb"\b[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*\s*\((?:[^(){};=]{0,400},)?\s*(?P<argument>"
    rb"(?:(?:const|volatile|(?:__)?(?:global|local|constant|private|generic))\s+){0,4}"
    + TYPE_WORDS
    + rb"(?:\s+const)?(?:\s+|\s*\*\s*)[A-Za-z_]\w*\s*=(?!=))[^=;{}]{0,400}(?:=[^=;{}]{0,400}){0,8}\)\s*[;{]"
)
"""A function head with a default argument; the header of a `for` contains a semicolon"""
_OPERATORS: Final = rb"(?:\(\)|\[\]|->|<<=?|>>=?|&&|\|\||\+\+|--|[-+*/%&|^!=<>]=|[-+*/%&|^!~<>])"
_CERTAIN: Final = re.compile(
    rb"(?P<skipped>"
    + _SKIPPED
    + rb")|(?P<cuda>\b(?:__(?:device|global|host|shared)__|constexpr(?=\s+(?:__)?constant\b))(?=\s+[A-Za-z_]))"
    + rb"|(?P<found>\btemplate(?=\s*<\s*(?:(?:typename|class|int|unsigned|uint|size_t|bool|auto|template)\b|>))"
    + rb"|\b(?:reinterpret|static|const|dynamic)_cast(?=\s*<[^;{}()]{1,200}>\s*\()"
    + rb"|\b[A-Za-z_]\w*\s*::(?=\s*[A-Za-z_~])|(?<![\w\[(]):{2}(?=[A-Za-z_])"
    + rb"|\busing(?=\s+(?:namespace\s+\w|[A-Za-z_]\w*\s*=\s*[A-Za-z_]))"
    + rb"|\bnamespace(?=\s+[A-Za-z_]\w*(?:\s*::\s*\w+)*\s*\{)"
    + rb"|\bclass(?=\s+[A-Za-z_]\w*\s*(?:(?:final|inherits\s+\w+)\s*)?(?:\{|:\s*(?:public|private|protected|virtual|[A-Za-z_]\w*\s*\{)))"
    + rb"|\btypename(?=\s+[A-Za-z_]\w*\s*[,>:])"
    + rb"|(?<=[\s&*])operator(?=\s*"
    + _OPERATORS
    + rb"\s*\(\s*(?:\)|const\b|[A-Za-z_]\w*\s*[&*]*\s+[&*]*[A-Za-z_]\w*\s*[,)]))"
    + rb"|<<<(?=[^;{}]{1,300}>>>\s*\()"
    + rb"|\[\[(?=\s*(?:buffer|texture|sampler|threadgroup|thread_\w+|threads_per_\w+|stage_in|kernel)\b)"
    + rb"|\[\s*numthreads(?=\s*\()"
    + rb"|\bstruct\s+[A-Za-z_]\w*\s*(?:\{(?:[^{}/]{0,400};)?|:)\s*(?P<access>public|private)"
    + rb"(?=\s+[A-Za-z_]\w*\s*[{,]|\s*:\s*(?:\}|[A-Za-z_]\w*[\s*&]+[A-Za-z_~]))"
    + rb"|(?<=\))\s*const(?= \{)"
    + rb"|\b(?:const\s+[A-Za-z_]\w*|"
    + TYPE_WORDS
    + rb")\s*&(?=\s*[A-Za-z_]\w*\s*[,)=(])"
    + rb"|\bauto\s*&&?(?=\s*[A-Za-z_\[])|\bfor(?=\s*\(\s*(?:const\s+)?auto\s+\w+\s*:[^:])"
    + rb"|(?<==)\s*(?:new(?=\s+"
    + TYPE_WORDS
    + rb"\s*[\[({])|\[[&=]?\](?=\s*\())"
    + rb"|(?<=[;{}])\s*delete(?=\s*\[\s*\]\s*[A-Za-z_(])"
    + rb"|\bconstexpr(?=\s+[A-Za-z_])|\btry(?=\s*\{)|(?<=\})\s*catch(?=\s*\((?:\.\.\.|[^(){};]{1,80})\)\s*\{)"
    + rb"|(?<=\))\s*noexcept(?=\s*[{;])|\bextern(?=\s+\"C(?:\+\+)?\")"
    + rb"|\b(?:const\s+)?(?!void\b)"
    + TYPE_WORDS
    + rb"\s+(?!_)[A-Za-z]\w*\s*(?="
    + _BRACES
    + rb"\s*(?:[;,]|\Z))"
    + rb"|\bcbuffer(?=\s+\w+\s*(?::|\{))"
    + rb"|\bRW(?:Structured|ByteAddress)?(?:Buffer|Texture\dD(?:Array)?)(?=\s*<))"
)
_NOT_A_TYPE: Final = re.compile(rb"\b(?:return|case|else|sizeof|do|goto)\s*\Z")
_OPENCL_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\b")
_BEGINS: Final = re.compile(rb"(?:\A|[;{}>\n]|\*/)\s*\Z")
_STATEMENT: Final = re.compile(rb"(?:return|for|while|if|switch|do)\b|\{")
_NEAR: Final = 16
"""Bytes examined before an operator's name"""
_KERNEL_BLOCK: Final = re.compile(rb"\(\s*\^\s*\w+\s*\)\s*\(\s*const\s+cl_ndrange\s*\*")
"""A block with which a host calls a kernel, in the headers that Apple's compiler writes (`kernel.cl.h`)"""


class Weight(Enum):
    """The kind of evidence; the value states when such evidence shows that a unit is no OpenCL C program."""

    CERTAIN = "always"
    SPECIFIER = "unless the unit has a kernel: hosts define such words as macros"
    HOST_STRING = "unless the unit has OpenCL C outside of literals"
    STATEMENT = "unless the unit has a function: a surplus brace may have ended it"
    HOST_CODE = "always: no raw string, string made of a program or declaration of a host is OpenCL C"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The range of text that shows that a unit is in another language."""

    start: int
    end: int
    weight: Weight


def evidence_of_another_language(text: bytes) -> Evidence | None:
    """Returns evidence in a chunk, if any: a token that is not OpenCL C, a host string with a kernel, or a statement.

    An unambiguous token takes precedence over an earlier CUDA specifier, which may be a macro.
    """
    held = host_string(text)
    if held is not None:
        weight = Weight.HOST_CODE if held.certain else Weight.HOST_STRING
        return Evidence(held.start, held.end, weight)
    block = _KERNEL_BLOCK.search(text) if b"cl_ndrange" in text else None
    if block is not None:
        return Evidence(block.start(), block.end(), Weight.HOST_CODE)
    if not _is_suspected(text) or not _is_suspected(_COMMENT_OR_LITERAL.sub(rb"\1", text)):
        return _default_argument(text) or _statement(text)
    specifier: Evidence | None = None
    for match in _CERTAIN.finditer(text):
        kind, start = match.lastgroup, match.start()
        start += len(match[0]) - len(match[0].lstrip())
        start = max(start, match.start("access"))
        if kind == "cuda" and specifier is None:
            specifier = Evidence(start, match.end(), Weight.SPECIFIER)
        elif kind == "found" and not _is_operand(match[0].strip(), text[max(start - _NEAR, 0) : start]):
            return Evidence(start, match.end(), Weight.CERTAIN)
    return specifier or _default_argument(text) or _statement(text)


def _is_suspected(text: bytes) -> bool:
    return (
        (any(part in text for part in _PARTS) and _WORDS.search(text) is not None)
        or _REFERENCE.search(text) is not None
        or _BRACED.search(text) is not None
    )


def _default_argument(text: bytes) -> Evidence | None:
    """Returns the first default argument of a function whose head the chunk begins with, if any."""
    end = text.find(b"{") + 1 or len(text)
    if text.find(b"=", 0, end) < 0:
        return None
    head = text[:end]
    if b"/" in head:
        head = _EACH_COMMENT.sub(lambda comment: blank(comment[0]), head)
    match = _DEFAULT.search(head)
    return match and Evidence(match.start("argument"), match.end("argument"), Weight.CERTAIN)


def _statement(text: bytes) -> Evidence | None:
    """Returns the keyword or brace with which a statement at the beginning of a chunk begins, if any."""
    start = skip_white_space(text, 0)
    while (comment := _EACH_COMMENT.match(text, start)) is not None:
        start = skip_white_space(text, comment.end())
    found = _STATEMENT.match(text, start)
    return found and Evidence(found.start(), found.end(), Weight.STATEMENT)


def _is_operand(word: bytes, before: bytes) -> bool:
    """Whether `word` (`operator` or `template`) after the text `before` is used as an ordinary identifier."""
    if word == b"operator":
        return _NOT_A_TYPE.search(before) is not None
    return word == b"template" and _BEGINS.search(before) is None


def has_opencl_kernel(text: bytes) -> bool:
    """Whether a text has OpenCL's `kernel` keyword; CUDA's specifiers in it are then unknown macros."""
    return _OPENCL_KERNEL.search(text) is not None
