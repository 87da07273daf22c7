"""Where openclsp says another thing than clang on purpose, each with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deviation:
    """Holds for a program whose text `program` finds, on lines where the side that reports says what `message` finds.

    `clang` tells whose error it is: True where clang alone reports one, False where openclsp does.
    """

    reason: str
    program: re.Pattern[str]
    message: re.Pattern[str]
    clang: bool = True


DEVIATIONS = (
    Deviation(
        "a compound literal in a function is a private object (OpenCL C 6.7.8); clang gives it no space",
        re.compile(r"\((private )?(int|struct T)(\[\])?\)\s*\{"),
        re.compile(r"'(const )?int \*'.*changes address space|to parameter of type '__private struct T \*'"),
    ),
    Deviation(
        "`?:` of a void pointer and a pointer into another space: clang's result has the bits of both spaces joined",
        re.compile(r"void \*b\)\{ .* = n \? a : b; \}"),
        re.compile(r"changes address space"),
    ),
    Deviation(
        "the same: openclsp takes the void pointer's space",
        re.compile(r"void \*b\)\{ .* = n \? a : b; \}"),
        re.compile(r"\[pointer-conversion\]"),
        clang=False,
    ),
    Deviation(
        "clang's parser takes no keyword of a space between a struct's or enum's brace and the declarator",
        re.compile(r"\} ((private|constant|global|local|generic) )+(x|T)\b"),
        re.compile(r"expected ';' after (struct|enum)"),
    ),
    Deviation(
        "clang overlooks `generic` behind a `*` where there is no generic space",
        re.compile(r"\*\s*generic "),
        re.compile(r"\[generic-qualifier\]"),
        clang=False,
    ),
    Deviation(
        "clang forgets that a vector is constant where `->` leads to its component",
        re.compile(r"float4 \*x\)\{ x->x = 1"),
        re.compile(r"\[write-to-constant\]"),
        clang=False,
    ),
    Deviation(
        "a definition of a function with an old-style list of parameters, deprecated since C89",
        re.compile(r"int f\(a\) int a;"),
        re.compile(r"\[syntax-error\]"),
        clang=False,
    ),
    Deviation(
        "a declaration whose only name would be a keyword declares nothing: clang warns, we call it an error",
        re.compile(
            r"(typedef int|int|enum \{|struct) (__)?(global|local|private|constant|generic|kernel|read_only)\b"
        ),
        re.compile(r"\[(reserved-name|syntax-error)\]"),
        clang=False,
    ),
    Deviation(
        "a function that is not declared here may be a built-in or come from the host: its call is not judged",
        re.compile(r"\w+\("),
        re.compile(r"use of undeclared identifier '\w+'|call to undeclared function"),
    ),
)


def explained(program: str, message: str, by_clang: bool) -> str | None:
    """The reason why one side alone may report this error, or None where nothing excuses it."""
    for deviation in DEVIATIONS:
        if (
            deviation.clang == by_clang
            and deviation.program.search(program)
            and deviation.message.search(message)
        ):
            return deviation.reason
    return None
