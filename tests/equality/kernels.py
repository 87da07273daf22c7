"""The kernels to edit: the project's samples, a text with many macros, and downloaded ones."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..grammar.corpus import fetched
from .machine import Kernel

_INCLUDED = re.compile(r"^[ \t]*#[ \t]*include\b(.*)$", re.MULTILINE)
_NAME = re.compile(r"[\w./+-]+\.\w+")
"""The name of a file, also where a macro makes it: `M2S(INCLUDE_PATH/types.h)`."""
_SUFFIXES = (".cl", ".h", ".inc", ".clh", ".ocl", ".hpp", ".opencl")
_MOST_FILES = 40
"""Files that are taken with a kernel."""
_MOST_OF_A_FOLDER = 60
_MOST_SHARING = 2
"""Other kernels that are taken with a kernel"""
_SAMPLES = Path(__file__).parents[1] / "kernels"

MACROS = """\
#include "types.h"
#ifndef SPACE
#define SPACE global
#endif
#define VALUE(x) ((x) + 1)
#define EACH(n) for (int n = 0; n < 4; ++n) {
#define DONE }
typedef struct { float a[3]; SPACE int *b; } foo_t; /* ü🚀 */
constant int tab[] = {1, 2, 3};
local int *helper(SPACE int *p, int q[4]) { return p; }
/* a comment
   of two lines */
kernel void k(global int *restrict g, int n) {
    local int *l = (local int *)g;
    helper(g + 1, 0);
    foo_t f = {{1, 2, 3}, g};
    f.b = l; // VALUE(1)
    EACH(i) tab[0] = VALUE(g[i]); DONE
    char *s = "abc";
#if VALUE(1) > 1
    if (g == l) return;
#else
    int *inactive = g;
#endif
}
int *addr(int *p) { return p + 1; }
enum E { ONE = 1, TWO };
struct N { struct N *next; int v[TWO]; };
void walk(struct N *n, vec_t v) {
    n->next->v[0] = ONE;
    for (int i = 0; i < 3; i++) { local int bad; }
    addr(n->v);
    VALUE(
        addr(n->v)
    );
}
"""


def samples() -> list[Kernel]:
    """The sample kernels of the repository."""
    found = sorted(_SAMPLES.rglob("*.cl"))
    return [Kernel("macros.cl", text=MACROS), *(of_file(path) for path in found)]


def real(package: str, *, most_lines: int) -> list[Kernel]:
    """The kernels of a package, downloaded; none, with a notice, if it is not available."""
    return [of_file(path) for path in fetched(package) if _lines(path) <= most_lines]


def of_folder(root: Path, *, most_lines: int) -> list[Kernel]:
    """Kernels from all parts of a folder, each with its included files and, within the limit, kernels that include the same files.

    An include means the file in the same folder, otherwise the first one of that name.
    """
    by_name: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix in _SUFFIXES and path.is_file():
            by_name.setdefault(path.name, []).append(path)
    found = sorted(path for paths in by_name.values() for path in paths if path.suffix == ".cl")
    including: dict[str, list[Path]] = {}
    for path in found:
        for name in _included_by(path):
            including.setdefault(os.path.basename(name), []).append(path)
    chosen = found[:: len(found) // _MOST_OF_A_FOLDER + 1]
    kernels = []
    for path in chosen:
        files = _with_included(root, path, by_name)
        sharing = {other: None for each in files.values() for other in including.get(each.name, ())}
        for other in [each for each in sharing if each != path][:_MOST_SHARING]:
            more = files | _with_included(root, other, by_name)
            files = more if sum(map(_lines, more.values())) <= most_lines else files
        if sum(map(_lines, files.values())) <= most_lines:
            kernels.append(Kernel(str(path.relative_to(root)), files))
    return kernels


def of_file(path: Path) -> Kernel:
    """A file with the other files of its folder."""
    beside = {each.name: each for each in sorted(path.resolve().parent.iterdir()) if each.suffix in _SUFFIXES}
    return Kernel(path.name, beside)


def _with_included(root: Path, path: Path, by_name: Mapping[str, list[Path]]) -> dict[str, Path]:
    """A file and all files that it includes, by path below the root."""
    found: dict[str, Path] = {}
    waiting = [path]
    while waiting:
        each = waiting.pop()
        name = str(each.relative_to(root))
        if name not in found and len(found) < _MOST_FILES:
            found[name] = each
            for included in _included_by(each):
                beside = Path(os.path.normpath(each.parent / included))
                named = by_name.get(beside.name, [])
                waiting += [beside] if beside in named else named[:1]
    return found


def _included_by(path: Path) -> list[str]:
    """The names in a file's includes."""
    written = _INCLUDED.findall(path.read_text(encoding="utf-8", errors="replace"))
    return [included for each in written for included in _NAME.findall(each)[:1]]


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")
