"""Decides by name or content whether an included file is accepted for analysis as OpenCL C.

An `#include` can name any file of the workspace, including one that contains a password. The text of included
files appears in hovers, messages and excerpts. A file is therefore accepted only if its name or its text
identifies it as source.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from openclsp.project.file_discovery import INCLUDABLE_SUFFIXES
from openclsp.source.chunks import chunk_end
from openclsp.source.parser import kind, kind_of, parse

INSPECTED_BYTES: Final = 16 * 1024
"""Bytes at the beginning of a text that are inspected"""

_KERNEL: Final = re.compile(rb"\b(?:__)?kernel\s+(?:void|__attribute__)\b")
_COMMENT_OR_DIRECTIVE: Final = re.compile(
    rb"/\*.*?(?:\*/|\Z)|//[^\n]*|^[ \t]*#[ \t]*(?:define|undef|include|if|ifdef|ifndef|elif|else|endif|pragma|line|error)"
    rb"\b(?:[^\\\n]|\\.)*",
    re.DOTALL | re.MULTILINE,
)
"""Matches comments and directives"""
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


def has_source_file_name(path: str) -> bool:
    """Whether the file's name has an ending of C or OpenCL C source."""
    return os.path.basename(path).lower().endswith(INCLUDABLE_SUFFIXES)


@lru_cache(maxsize=64)
def looks_like_opencl(data: bytes) -> bool:
    """Whether a text looks like OpenCL C.

    This is the case if it declares a kernel, if more than half of its words are in declarations without a
    syntax error, or if it consists of macro definitions only.
    """
    start = data[:INSPECTED_BYTES].replace(b"\r\n", b"\n")
    if _KERNEL.search(start) is not None:
        return True
    text = _COMMENT_OR_DIRECTIVE.sub(b"", start)
    total = len(text.split())
    if total == 0:
        return _DEFINE.search(start) is not None
    return 2 * sum(len(chunk.split()) for chunk in _declaration_chunks(text)) > total


def _declaration_chunks(text: bytes) -> Iterator[bytes]:
    """Yields the chunks of a text that consist of declarations without syntax errors."""
    start = 0
    while start < len(text):
        end = max(chunk_end(text, start), start + 1)
        chunk = text[start:end]
        root = parse(chunk).root_node
        nodes = () if root.has_error else root.named_children
        if nodes and all(kind_of(node) in _DECLARATIONS for node in nodes):
            yield chunk
        start = end
