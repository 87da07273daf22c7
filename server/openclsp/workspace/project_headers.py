"""Headers that an `#include` names by their place in the project: hosts often give include folders that no file tells.

Only names are looked at here, those of a scan: nothing is read, and a lookup costs a search in a table.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass

if TYPE_CHECKING:
    from openclsp.workspace.scan import Scan

_OPENCL: Final = (".cl", ".clh", ".cl.h", ".ocl", ".opencl", ".clc")
_SHOWN: Final = 3
_CPP: Final = re.compile(rb"^[ \t]*(?:template[ \t]*<|namespace\b|class[ \t]+\w|using[ \t]+\w)", re.MULTILINE)
_SHARED: Final = (b"__cplusplus", b"__OPENCL")


@dataclass(frozen=True, slots=True)
class ProjectHeaders:
    """The files below the folder `root` that a kernel may include."""

    root: str
    paths: tuple[str, ...] = ()
    _by_name: dict[str, list[str]] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def of(scan: Scan) -> ProjectHeaders:
        """Those of a project's files that are headers or kernels."""
        from openclsp.workspace.scan import Kind

        kinds = Kind.KERNEL, Kind.OPENCL_HEADER, Kind.HEADER, Kind.CPP
        found = ProjectHeaders(scan.root, tuple(file.path for file in scan.of(*kinds)))
        for path in found.paths:
            found._by_name.setdefault(os.path.basename(path), []).append(path)
        return found

    def candidates(self, name: str, angled: bool, includer: str) -> tuple[str, ...]:
        """The files that `#include "name"` may mean by their place in the project: the one below its root that is called so,
        else those whose path ends so and that share the most folders with the including file, but for that file. `..` at
        the beginning of the name counts for nothing.

        A name in angle brackets without a folder is a system header, unless it ends as OpenCL C does or is beside the
        including file.
        """
        parts = [part for part in os.path.normpath(name.replace("\\", "/")).split(os.sep) if part != ".."]
        if os.path.isabs(name) or not parts or parts[0] == "CL":
            return ()
        alone = len(parts) == 1 and not parts[0].lower().endswith(_OPENCL)
        if angled and alone:
            beside = os.path.join(os.path.dirname(includer), parts[0])
            return (beside,) if beside != includer and beside in self._by_name.get(parts[0], ()) else ()
        tail = os.sep + os.path.join(*parts)
        found = tuple(
            path for path in self._by_name.get(parts[-1], ()) if path.endswith(tail) and path != includer
        )
        first = self.root.rstrip(os.sep) + tail
        return (first,) if first in found else _nearest(found, includer)

    def ambiguous(self, found: Sequence[str]) -> str:
        """`several files of the project are called so: a/x.h, b/x.h`."""
        shown = [os.path.relpath(path, self.root) for path in sorted(found)]
        more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        return f"several files of the project are called so: {', '.join(shown[:_SHOWN])}{more}"


def _nearest(paths: Sequence[str], includer: str) -> tuple[str, ...]:
    """The paths that share the most folders with the including file."""
    around = os.path.dirname(includer).split(os.sep)
    shared = [_shared(path.split(os.sep), around) for path in paths]
    return tuple(path for path, count in zip(paths, shared, strict=True) if count == max(shared))


def _shared(parts: Sequence[str], others: Sequence[str]) -> int:
    """How many parts the two have in common at their beginning."""
    return len(os.path.commonprefix([list(parts), list(others)]))


def is_cpp(data: bytes) -> bool:
    """Whether the text is C++ and not meant for kernels too: another header than the one that is missing."""
    return _CPP.search(data) is not None and not any(word in data for word in _SHARED)
