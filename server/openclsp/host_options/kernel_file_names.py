"""The names of kernel files, and the kernel functions in them, found in text by patterns."""

from __future__ import annotations

import re
from typing import Final

KERNEL_FILE_NAME: Final = re.compile(
    r"(?<![\w./%\\{}$+*-])[\w./%\\{}$+*-]*\.(?:cl|ocl|opencl|clc)(?![\w.])|(?<![\w./%-])[\w./%-]*\.cl\.h(?!\w)",
    re.IGNORECASE,
)
"""Matches the name of a kernel file within a text"""

_DEFINITION: Final = re.compile(
    rb"kernel\s(?:[^;{}\"]{0,300}?\W)?void\s+(?:__attribute__\s*\(\(.{0,100}?\)\)\s*)?(\w+)\s*\(", re.DOTALL
)
_MACRO_PARAMETERS: Final = re.compile(rb"[ \t]*#[ \t]*define[ \t]+\w+\(([^()]*)\)")
_MAXIMUM_LINES_BACK: Final = 100
"""The maximum number of joined lines between `#define` and a kernel's name; the search takes quadratic time"""


def extract_kernel_functions(data: bytes) -> frozenset[str]:
    """Returns the kernel functions that a kernel file's text appears to define.

    A kernel is left out if its name is a parameter of the macro that defines it.
    """
    names = set()
    at = data.find(b"kernel")
    while at >= 0:
        match = _DEFINITION.match(data, at)
        if match is not None and match[1] not in _macro_parameters_at(data, at):
            names.add(match[1].decode("ascii", "replace"))
        at = data.find(b"kernel", at + 6)
    return frozenset(names)


def _macro_parameters_at(data: bytes, at: int) -> list[bytes]:
    """Returns the parameters of the macro whose definition contains the byte `at`; empty if there is none."""
    start = data.rfind(b"\n", 0, at) + 1
    for _ in range(_MAXIMUM_LINES_BACK):
        if not data.endswith((b"\\\n", b"\\\r\n"), 0, start):
            break
        start = data.rfind(b"\n", 0, start - 1) + 1
    macro = _MACRO_PARAMETERS.match(data, start, at)
    return [] if macro is None else [name.strip() for name in macro[1].split(b",")]


def kernel_file_stem(base: str) -> str:
    """Returns a kernel file's name without its ending."""
    return re.sub(r"\.(?:cl\.h|cl|ocl|opencl|clc|clh)\Z", "", base, flags=re.IGNORECASE)
