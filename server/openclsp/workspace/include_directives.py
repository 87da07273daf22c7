"""Include directives of kernel and host files, extracted from the text without preprocessing.

A directive in an inactive branch counts like any other. If a macro supplies the path, as in
`M2S(INCLUDE_PATH/types.h)`, the file name that the directive contains (`types.h`) matches every file of that
name. If the directive is only the name of a macro, the file's own definitions of the macro supply the file name.

Host code may include several fragments one after the other to concatenate them: `{#include "common.opencl"`
newline `#include "scale.opencl"}`. Each fragment is then a raw string literal.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Container, Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.file_discovery import is_opencl_file
from openclsp.project.project_scan import ScannedFile
from openclsp.workspace.declared_names import extract_declared_names

_INCLUDE: Final = re.compile(
    rb"""\#[ \t]*(?:include|include_next|import)[ \t]*(?:"([^"\r\n]+)"|<([^>\r\n]+)>|([A-Za-z_][^\r\n]*))"""
)
_NAME_ONLY: Final = re.compile(rb"\w+[ \t]*")
_PATH_MACRO: Final = re.compile(rb"""\#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+["<]([^">\r\n]+)[">]""")
"""Matches the definition of a macro as a path, which a directive may use as a whole: `#include HEADER`"""
HOST_INCLUDE: Final = re.compile(rb"""include[ \t]*\\?["<]([^"<>\\\r\n]{1,400})\\?[">]""")
"""Matches a directive in host code or in a string of it, without its `#`: the pattern begins with a literal."""
_LINE_START: Final = re.compile(rb"(?:^|[\r\n])[ \t]*\Z")
_LITERAL_PATH: Final = re.compile(rb"[\w.+-]+(?:/[\w.+-]+)*")
_FILE_NAME: Final = re.compile(rb"\.*([\w+-][\w.+-]*\.[A-Za-z]\w*)")
_KERNEL: Final = re.compile(rb"kernel\s+(?:void|__attribute__)\b")
"""The optional `__` before `kernel` is not in the pattern, so that it begins with a literal: every file is
searched.
"""
_MAXIMUM_INDENT: Final = 100
_BETWEEN_PARTS: Final = re.compile(rb"(?:[\s,]|//[^\r\n]*|/\*[\s\S]{0,1000}?\*/|\"\")*")


@dataclass(frozen=True, slots=True)
class IncludeName:
    """The path in an include directive.

    If `from_macro`, a macro supplies the path, and `path` is only the literal end: `types.h` for
    `DIR/types.h`.
    """

    path: str
    from_macro: bool


def resolve_include(
    path: str, include_name: IncludeName, known: Container[str], by_name: dict[str, list[str]]
) -> Iterator[str]:
    """Yields the files that a directive in the file at `path` may mean.

    If the name denotes one of the `known` files relative to the includer's folder, only this file is yielded;
    otherwise all files whose paths end in the name. `by_name` maps file names to paths.
    """
    if not include_name.from_macro:
        sibling = os.path.normpath(os.path.join(os.path.dirname(path), include_name.path))
        if sibling in known:
            yield sibling
            return
    parts = [part for part in include_name.path.split("/") if part not in (".", "..", "")]
    if parts:
        tail = os.sep + os.path.join(*parts)
        for candidate in by_name.get(parts[-1], ()):
            if candidate.endswith(tail):
                yield candidate


def extract_includes(file: ScannedFile, data: bytes) -> tuple[IncludeName, ...]:
    """Returns the names in the file's include directives, each once, in order."""
    found: dict[IncludeName, None] = {}
    for match in _match_at_line_start(_INCLUDE, data):
        written = match[1] or match[2]
        if written is not None:
            found[IncludeName(os.fsdecode(written).replace("\\", "/"), from_macro=False)] = None
        else:
            defined = _PATH_MACRO.findall(data) if _NAME_ONLY.fullmatch(match[3]) is not None else ()
            paths = [path for name, path in defined if name == match[3].rstrip()]
            for path in paths or _LITERAL_PATH.findall(match[3]):
                names = [name[1] for part in path.split(b"/") if (name := _FILE_NAME.match(part))]
                if names:
                    found[IncludeName(os.fsdecode(names[-1]), from_macro=True)] = None
    return tuple(found)


def extract_host_includes(data: bytes) -> tuple[str, ...]:
    """Returns the name in each include directive of a host file, also of those in its strings."""
    return tuple(os.fsdecode(match[1]) for match in HOST_INCLUDE.finditer(data))


def extract_concatenations(file: ScannedFile, data: bytes) -> tuple[tuple[str, ...], ...]:
    """Returns the sequences of kernel files that a host includes one after the other.

    Only white space, commas, comments and empty literals may separate the directives of one sequence.
    """
    runs: list[list[str]] = []
    end = -1
    for match in _match_at_line_start(_INCLUDE, data):
        name = os.fsdecode(match[1] or b"")
        if not is_opencl_file(name):
            continue
        if end >= 0 and _BETWEEN_PARTS.fullmatch(data, end, match.start()) is not None:
            runs[-1].append(name)
        else:
            runs.append([name])
        end = match.end()
    return tuple(tuple(run) for run in runs)


def names_before_last_include(file: ScannedFile, data: bytes) -> frozenset[bytes]:
    """Returns the names that a file declares before its last include."""
    last = max((match.start() for match in _match_at_line_start(_INCLUDE, data)), default=0)
    return extract_declared_names(data[:last])


def _match_at_line_start(pattern: re.Pattern[bytes], data: bytes) -> Iterator[re.Match[bytes]]:
    """Yields the matches at the beginning of a line."""
    for match in pattern.finditer(data):
        start = match.start()
        if _LINE_START.search(data, max(start - _MAXIMUM_INDENT, 0), start) is not None:
            yield match


def contains_kernel(data: bytes) -> bool:
    """Whether a kernel is declared outside comments."""
    for match in _KERNEL.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        in_block = data.rfind(b"/*", 0, match.start()) > data.rfind(b"*/", 0, match.start())
        if not in_block and b"//" not in data[line : match.start()]:
            return True
    return False
