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
