"""Resolves an `#include` by matching the paths of the project's files.

Hosts often pass include folders that no build file contains. The lookup uses only the file names of a scan
and reads no file.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass

if TYPE_CHECKING:
    from openclsp.project.project_scan import ProjectScan

_OPENCL: Final = (".cl", ".clh", ".cl.h", ".ocl", ".opencl", ".clc")
_MAXIMUM_LISTED_FILES: Final = 3
_CPP: Final = re.compile(
    rb"""
      ^[ \t]*(?: (?P<cpp>template[ \t]*< | namespace\b | class[ \t]+\w | using[ \t]+\w)
    | \#[ \t]*(?: (?P<defined>(?:el)?ifdef\b | (?:el)?if[ \t(]+defined\b) | (?P<not_defined>ifndef\b)
              | (?P<other>if\b) | (?P<otherwise>el) | (?P<end>endif\b)))
    """,
    re.MULTILINE | re.VERBOSE,
)
_CPP_WORDS: Final = (b"template", b"namespace", b"class", b"using")
_MARKS_OF_SHARED_HEADERS: Final = (b"__cplusplus", b"__OPENCL")


@dataclass(frozen=True, slots=True)
class ProjectHeaders:
    """The files below the folder `root` that a kernel may include, indexed by name."""

    root: str
    paths: tuple[str, ...] = ()
    _by_name: dict[str, list[str]] = field(default_factory=dict, compare=False, repr=False)
    _by_lower_name: dict[str, list[str]] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def from_scan(scan: ProjectScan) -> ProjectHeaders:
        """Collects the headers and kernels of a scanned project."""
        from openclsp.project.project_scan import ScannedFileKind

        kinds = (
            ScannedFileKind.KERNEL,
            ScannedFileKind.OPENCL_HEADER,
            ScannedFileKind.HEADER,
            ScannedFileKind.CPP,
        )
        return ProjectHeaders.of_paths(scan.root, tuple(file.path for file in scan.files_of_kinds(*kinds)))

    @staticmethod
    def of_paths(root: str, paths: tuple[str, ...]) -> ProjectHeaders:
        """Indexes the files at `paths` by name."""
        found = ProjectHeaders(root, paths)
        for path in found.paths:
            found._by_name.setdefault(os.path.basename(path), []).append(path)
        return found

    def after_moves(self, new_path: Callable[[str], str]) -> ProjectHeaders:
        """Returns the headers after a move of files; `new_path` maps old paths to new ones."""
        return ProjectHeaders.of_paths(self.root, tuple(map(new_path, self.paths)))

    def find_candidates(self, name: str, angled: bool, includer: str) -> tuple[str, ...]:
        """Returns the files that `#include "name"` may mean.

        A file whose path below the root equals the name is the only candidate. Otherwise the candidates are
        the files whose path ends in the name and that share the most leading folders with the includer; the
        includer itself is excluded. Leading `..` components are ignored. A name in angle brackets without a
        folder is a system header, unless it has an ending of OpenCL C or a file of this name is in the
        includer's folder.
        """
        parts = [part for part in os.path.normpath(name.replace("\\", "/")).split(os.sep) if part != ".."]
        if os.path.isabs(name) or not parts or parts[0] == "CL":
            return ()
        alone = len(parts) == 1 and not parts[0].lower().endswith(_OPENCL)
        if angled and alone:
            sibling = os.path.join(os.path.dirname(includer), parts[0])
            return (sibling,) if sibling != includer and sibling in self._by_name.get(parts[0], ()) else ()
        tail = os.sep + os.path.join(*parts)
        found = tuple(
            path for path in self._by_name.get(parts[-1], ()) if path.endswith(tail) and path != includer
        )
        first = self.root.rstrip(os.sep) + tail
        return (first,) if first in found else _nearest(found, includer)

    def differing_in_case(self, name: str) -> str:
        """Returns the path below the root of a file whose path ends in `name` in another case, or ""."""
        written = os.sep + os.path.normpath(name.replace("\\", "/")).lstrip("./")
        tail = written.lower()
        if not self._by_lower_name:
            # Collected once, because the loop takes milliseconds in a project of 10,000 files.
            found: dict[str, list[str]] = {}
            for base, paths in self._by_name.items():
                found.setdefault(base.lower(), []).extend(paths)
            self._by_lower_name.update(found)
        for path in self._by_lower_name.get(os.path.basename(tail), ()):
            if path.lower().endswith(tail) and not path.endswith(written):
                return os.path.relpath(path, self.root)
        return ""

    def describe_ambiguity(self, found: Sequence[str]) -> str:
        """Returns a message such as `several files of the project have this name: a/x.h, b/x.h`."""
        paths = [os.path.relpath(path, self.root) for path in sorted(found)]
        more = f" and {len(paths) - _MAXIMUM_LISTED_FILES} more" if len(paths) > _MAXIMUM_LISTED_FILES else ""
        return (
            f"several files of the project have this name: {', '.join(paths[:_MAXIMUM_LISTED_FILES])}{more}"
        )


def _nearest(paths: Sequence[str], includer: str) -> tuple[str, ...]:
    """Returns the paths that share the most leading folders with the includer."""
    around = os.path.dirname(includer).split(os.sep)
    shared = [_common_prefix_length(path.split(os.sep), around) for path in paths]
    return tuple(path for path, count in zip(paths, shared, strict=True) if count == max(shared))


def _common_prefix_length(parts: Sequence[str], others: Sequence[str]) -> int:
    """Returns the length of the common prefix."""
    return len(os.path.commonprefix([list(parts), list(others)]))


def is_cpp(data: bytes) -> bool:
    """Whether the text is a C++ header that kernels cannot include.

    A header that is shared by C++ and kernels does not count: it mentions a macro that differs between the two
    languages, or has C++ only in branches for which a macro must be defined.
    """
    # The pattern is tried at each line, which takes ten times as long as the search for a word.
    if not any(word in data for word in _CPP_WORDS) or any(word in data for word in _MARKS_OF_SHARED_HEADERS):
        return False
    directives: list[str] = []
    needs_macro: list[bool] = []
    for match in _CPP.finditer(data):
        kind = match.lastgroup or ""
        if kind == "cpp":
            if not any(needs_macro):
                return True
        elif kind == "end":
            if directives:
                directives.pop()
                needs_macro.pop()
        elif match[0].lstrip(b"# \t").startswith(b"el"):
            if directives:
                needs_macro[-1] = kind == "defined" or directives[-1] == "not_defined"
        else:
            directives.append(kind)
            needs_macro.append(kind == "defined")
    return False
