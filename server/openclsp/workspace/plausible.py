"""Whether a file is OpenCL C, judged before anything of it is analysed: of no other file is any text repeated.

An `#include` can name any file of the workspace, also one that holds a password. What is included enters hovers, messages and
excerpts, so a file is taken only if its name or its text says that it is source.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from openclsp.source.chunks import chunk_end
from openclsp.source.tree import kind, kind_of, parse
from openclsp.workspace.discovery import HEADER_SUFFIXES, KERNEL_SUFFIXES

_ENDINGS: Final = (
    *KERNEL_SUFFIXES,
    *HEADER_SUFFIXES,
    *(".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tpp", ".def", ".tab"),
    *(".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".cuh", ".m", ".mm"),
)
"""Of the 6,700 includes of 60 real projects' kernels, all are called `.h`, `.cl`, `.inc`, `.c` or `.hpp`."""

MAXIMUM_SIZE: Final = 16 * 1024
"""Bytes at the start of a text by which it is judged"""

_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\s+(?:void|__attribute__)\b")
_BESIDE: Final = re.compile(
    rb"/\*.*?(?:\*/|\Z)|//[^\n]*|^[ \t]*#[ \t]*(?:define|undef|include|if|ifdef|ifndef|elif|else|endif|pragma|line|error)"
    rb"\b(?:[^\\\n]|\\.)*",
    re.DOTALL | re.MULTILINE,
)
"""Comments and directives"""
_DEFINE: Final = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+\w", re.MULTILINE)
_DECLARATIONS: Final = frozenset(
    map(
        kind,
        [
            "declaration",
            "function_definition",
            "type_definition",
            "struct_specifier",
            "union_specifier",
            "enum_specifier",
        ],
    )
)


def is_named_like_source(path: str) -> bool:
    """Whether the file's name says that it is C or OpenCL C."""
    return os.path.basename(path).lower().endswith(_ENDINGS)


@lru_cache(maxsize=64)
def looks_like_opencl(data: bytes) -> bool:
    """Whether a text declares a kernel, or most of it is declarations without a syntax error, or all of it is macros."""
    start = data[:MAXIMUM_SIZE].replace(b"\r\n", b"\n")
    if _KERNEL.search(start) is not None:
        return True
    text = _BESIDE.sub(b"", start)
    total = len(text.split())
    if total == 0:
        return _DEFINE.search(start) is not None
    return 2 * sum(len(chunk.split()) for chunk in _declarations(text)) > total


def _declarations(text: bytes) -> Iterator[bytes]:
    """The chunks of a text that declare something and are free of faults."""
    start = 0
    while start < len(text):
        end = max(chunk_end(text, start), start + 1)
        chunk = text[start:end]
        root = parse(chunk).root_node
        nodes = () if root.has_error else root.named_children
        if nodes and all(kind_of(node) in _DECLARATIONS for node in nodes):
            yield chunk
        start = end
