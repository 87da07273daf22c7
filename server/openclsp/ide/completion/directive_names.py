"""Candidates in directives: their names, macros, headers, extensions and pragmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.language.dialect import Dialect
from openclsp.language.features import FEATURES
from openclsp.language.known_macros import known_macros

ListHeaders = Callable[[str, bool], Iterable[tuple[str, bool]]]
"""Lists the entries of a folder that an include may name: `(folder, angled)` gives names and whether each is
a folder."""

DIRECTIVES = (
    "define",
    "include",
    "ifdef",
    "ifndef",
    "if",
    "else",
    "elif",
    "endif",
    "pragma",
    "undef",
    "error",
    "line",
    "warning",
)
"""The names of the preprocessor directives (C99 6.10), the most common first."""

_INCLUDE = re.compile(rb"\s*#\s*include(?:_next)?\s*([\"<])([^\">]*)\Z")
_PRAGMAS = ("OPENCL", "unroll", "once", "pack", "STDC", "nounroll")
_PRAGMA_NAME = re.compile(rb"\s*#\s*pragma\s+(\w*)\Z")
_OPENCL_PRAGMA = re.compile(rb"\s*#\s*pragma\s+OPENCL\s+(\w*)\Z")
_EXTENSION = re.compile(rb"\s*#\s*pragma\s+OPENCL\s+EXTENSION\s+(\w*)\Z")
_BEHAVIOUR = re.compile(rb"\s*#\s*pragma\s+OPENCL\s+EXTENSION\s+\w+\s*:\s*(\w*)\Z")
_SWITCH = re.compile(rb"\s*#\s*pragma\s+(?:OPENCL\s+FP_CONTRACT|STDC\s+FP_CONTRACT)\s+(\w*)\Z")
_STDC = re.compile(rb"\s*#\s*pragma\s+STDC\s+(\w*)\Z")
_PRAGMAS = ("OPENCL", "unroll", "once", "pack", "STDC", "nounroll")
_NAME = re.compile(rb"\s*#\s*(\w*)\Z")


def pragma_candidates(line: bytes, dialect: Dialect) -> tuple[bytes, Sequence[CompletionCandidate]] | None:
    """Returns the typed word of a pragma, and the candidates for it.

    `line` ends at the cursor. None if the line is no pragma, or if any name is possible at the cursor.
    """
    for pattern, names in (
        (_BEHAVIOUR, ("enable", "disable")),
        (_SWITCH, ("ON", "OFF", "DEFAULT")),
        (_STDC, ("FP_CONTRACT",)),
    ):
        match = pattern.match(line)
        if match is not None:
            return match[1], [CompletionCandidate(name, NameKind.KEYWORD) for name in names]
    match = _EXTENSION.match(line)
    if match is not None:
        extensions = (*extension_names(dialect), "all")
        return match[1], [CompletionCandidate(name, NameKind.CONSTANT) for name in extensions]
    match = _OPENCL_PRAGMA.match(line)
    if match is not None:
        return match[1], [
            CompletionCandidate(name, NameKind.KEYWORD) for name in ("EXTENSION", "FP_CONTRACT")
        ]
    match = _PRAGMA_NAME.match(line)
    if match is not None:
        return match[1], [CompletionCandidate(name, NameKind.KEYWORD) for name in _PRAGMAS]
    return None


@lru_cache(maxsize=8)
def extension_names(dialect: Dialect) -> tuple[str, ...]:
    """Returns the names of extensions: first those of the dialect's device, then those of other devices."""
    known = {name for name in (*FEATURES, *known_macros()) if name.startswith(("cl_", "__cl_"))}
    khronos = sorted(known, key=lambda name: (not name.startswith("cl_khr_"), name))
    own = [name for name in khronos if name in dialect.extensions]
    return (*own, *(name for name in khronos if name not in own))


def directive_names(line: bytes) -> tuple[bytes, Sequence[CompletionCandidate]] | None:
    """Returns the typed part of a directive's name, and all names of directives.

    None if the cursor is not in the name of a directive. `line` ends at the cursor.
    """
    match = _NAME.match(line)
    if match is None:
        return None
    return match[1], [CompletionCandidate(name, NameKind.KEYWORD) for name in DIRECTIVES]


def header_candidates(
    line: bytes, after: bytes, list_headers: ListHeaders | None
) -> tuple[bytes, Sequence[CompletionCandidate]] | None:
    """Returns the typed part of a header's name, and the headers and folders that can complete it.

    None if the cursor is not in the name of an `#include`. `line` ends at the cursor, and `after` is the rest
    of the line. A completed name ends with `>` or `"`, unless `after` already contains that character.
    """
    match = _INCLUDE.match(line)
    if match is None:
        return None
    angled, (folder, _, name) = match[1] == b"<", match[2].rpartition(b"/")
    if list_headers is None:
        return name, ()
    closing = ">" if angled else '"'
    closes = closing.encode() in after
    found = list_headers(folder.decode("utf-8", "replace"), angled)
    return name, list(_headers(found, "" if closes else closing))


def _headers(found: Iterable[tuple[str, bool]], closing: str) -> Iterator[CompletionCandidate]:
    for name, is_folder in found:
        if is_folder:
            yield CompletionCandidate(f"{name}/", NameKind.FOLDER)
        else:
            yield CompletionCandidate(name, NameKind.FILE, insertion=f"{name}{closing}")
