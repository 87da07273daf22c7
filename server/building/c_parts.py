"""Cuts the C source that mypyc generates into parts of similar size, which compile in parallel."""

from __future__ import annotations

import re
from pathlib import Path

PART_SIZE = 2_000_000
"""The size of a part in characters: two to four seconds for a compiler, and about twenty parts."""


def write_parts(sources: list[Path], folder: Path) -> list[str]:
    """Writes the parts of `sources` into `folder` and returns their paths.

    The files of the modules are joined in their order, so that modules of one package share a part and the
    headers are parsed once per part. The parts with modules are returned first, the largest of them first;
    the last part is mypyc's own library.
    """
    folder.mkdir(parents=True)
    generated = [each for each in sources if each.name.startswith("__native")]
    library = "".join(_inclusion(each.name) for each in sources if each not in generated)
    parts = [""]
    for source in generated:
        text = _prepared(source.read_text(encoding="utf-8"))
        if len(parts[-1]) + len(text) // 2 > PART_SIZE:
            parts.append("")
        parts[-1] += text
    parts.sort(key=len, reverse=True)
    written = []
    for number, text in enumerate([*parts, library]):
        path = folder / f"part{number:02}.c"
        path.write_text(_PROLOGUE + text, encoding="utf-8")
        written.append(str(path))
    return written


def _inclusion(name: str) -> str:
    """Returns the C text that includes a file of mypyc's own library, with the replacement of its faulty function."""
    included = f'#include "{name}"\n'
    return _CORRECTED_BYTES.format(included) if name == "bytes_ops.c" else included


# `b"abc"[2:1]` is empty, and so is `b"abc"[-1:0]`. In mypyc 2.4, such a slice raises SystemError.
_CORRECTED_BYTES = """#define CPyBytes_GetSlice mypyc_bytes_slice
{}#undef CPyBytes_GetSlice
PyObject *CPyBytes_GetSlice(PyObject *obj, CPyTagged start, CPyTagged end) {{
if ((Py_ssize_t)start < 0 || (Py_ssize_t)start > (Py_ssize_t)end) return CPyObject_GetSlice(obj, start, end);
return mypyc_bytes_slice(obj, start, end);
}}
"""


def _prepared(text: str) -> str:
    """Shrinks the C text of a module and disables optimisation for the module's initialisation.

    mypyc never decreases its indentation, which makes up four fifths of the text. A module's top level runs
    only once.
    """
    text = re.sub(r"^ +", "", text, flags=re.MULTILINE)
    return re.sub(r"^(char CPyDef_\w+_____top_level__\(void\) \{)", r"ONCE \1", text, flags=re.MULTILINE)


# An edit executes code from all over eight megabytes, most of which never runs. Functions that add to a
# traceback are marked cold, so that the compiler moves them and the branches to them into a section of their
# own. The hot code then occupies fewer pages and cache lines, which saves a tenth of the time of an edit.
_PROLOGUE = """#define PY_SSIZE_T_CLEAN
#include <Python.h>
#ifdef __GNUC__
#define COLD __attribute__((cold))
void CPy_AddTraceback(const char *, const char *, int, PyObject *) COLD;
void CPy_TypeErrorTraceback(const char *, const char *, int, PyObject *, const char *, PyObject *) COLD;
void CPy_TypeError(const char *, PyObject *) COLD;
void CPy_AttributeError(const char *, const char *, const char *, const char *, int, PyObject *) COLD;
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define ONCE __attribute__((optimize("O0")))
#else
#define ONCE
#endif
"""
