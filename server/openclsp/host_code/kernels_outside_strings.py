"""Recognises OpenCL C in files that are named like host code, such as `kernels.c`."""

from __future__ import annotations

import re
from typing import Final

from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tokens import blank_literals
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES

_KERNEL_DEFINITION: Final = re.compile(
    rb"\b(?:__)?kernel\s+(?:__attribute__\s*\(\([^;{}]{0,200}?\)\)\s*)?void\s+\w+\s*"
    rb"\([^;{}()]*?\b(?:__)?(?:global|constant|local|read_only|write_only|image[123]d_t)\b"
)
"""The beginning of a kernel's definition, up to an address space or an image in its first parameters

Metal has kernels without these words."""
_C_FAMILY: Final = frozenset((HostLanguage.C, HostLanguage.CPP))


def defines_kernel_outside_strings(data: bytes, language: HostLanguage | None) -> bool:
    """Whether a file that is named like C or C++ defines a kernel outside of comments, strings and arguments.

    A macro that makes a string of its argument may be in another file; a kernel in an argument does not count.
    """
    if language not in _C_FAMILY or len(data) > MAXIMUM_HOST_BYTES or _KERNEL_DEFINITION.search(data) is None:
        return False
    code = blank_literals(data, language).code
    opened = at = 0
    for found in _KERNEL_DEFINITION.finditer(code):
        opened += code.count(b"(", at, found.start()) - code.count(b")", at, found.start())
        at = found.start()
        if opened == 0:
            return True
    return False
