"""The kernels that are edited: the project's own samples, a text full of macros, and real ones, which are fetched."""

from __future__ import annotations

import re
from pathlib import Path

from ..grammar.corpus import fetched
from .machine import Kernel

_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(?:[^"\n]*/)?([^"/\n]+)"', re.MULTILINE)
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
    """Those that are in the repository."""
    found = sorted(_SAMPLES.rglob("*.cl"))
    return [
        Kernel("macros.cl", MACROS),
        *map(of_file, found),
    ]


def real(package: str, *, most_lines: int) -> list[Kernel]:
    """Those of a package, fetched; none, with a word, where it cannot be had. Kernels that others include are left out:
    through which of them one is looked at is decided as it is opened, not at each edit."""
    found = [of_file(path) for path in fetched(package)]
    included = {name for each in found for name in _INCLUDED.findall(each.text)}
    return [
        each for each in found if each.text.count("\n") <= most_lines and Path(each.name).name not in included
    ]


def of_file(path: Path) -> Kernel:
    """A file, with those beside it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return Kernel(str(path), text.replace("\r\n", "\n").replace("\r", "\n"), path.resolve().parent)
