"""Builds the extension modules that mypyc compiles from the hot modules listed in modules.txt.

setup.py adds them to the grammar's extension. mypyc gets a rewritten copy of the package (rewriting.py) in
the build directory; the source tree is only read.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rewriting import rewritten

if TYPE_CHECKING:
    from setuptools import Extension

ROOT = Path(__file__).parents[2]
_SOURCE = ROOT / "server"
_PLACE = ROOT / "build" / "compiled"
_GROUP = "openclsp_compiled"
_OPTIONS = Path(__file__).with_name("mypy.ini")

_MODULES = Path(__file__).with_name("modules.txt")


def modules() -> list[Path]:
    """Returns the modules to compile, relative to the folder that contains the package."""
    found: list[Path] = []
    for line in _MODULES.read_text().splitlines():
        pattern = line.partition("#")[0].strip()
        if pattern:
            matches = sorted(Path(each) for each in glob.glob(str(_SOURCE / "openclsp" / pattern)))
            if not matches:
                raise FileNotFoundError(f"{_MODULES}: {pattern}")
            found += (each.relative_to(_SOURCE) for each in matches if each.name != "__init__.py")
    return list(dict.fromkeys(found))


def extensions() -> list[Extension]:
    """Returns the extension modules; raises an exception if mypyc is not installed or rejects the source."""
    from mypyc.build import mypycify

    compiled = modules()
    shutil.rmtree(_PLACE, ignore_errors=True)
    shutil.copytree(_SOURCE, _PLACE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info"))
    for module in compiled:
        target = _PLACE / module
        target.write_text(rewritten(target.read_text(encoding="utf-8")), encoding="utf-8")
    before = os.getcwd()
    os.chdir(_PLACE)
    try:
        found = mypycify(
            ["--config-file", str(_OPTIONS), *map(str, compiled)],
            opt_level="1",
            debug_level="0",
            strict_dunder_typing=True,
            target_dir=str(_PLACE / "c"),
            group_name=_GROUP,
        )
    finally:
        os.chdir(before)
    for source in glob.glob(str(_PLACE / "c" / "**" / "*.c"), recursive=True):
        _prepare(Path(source))
    for each in found:
        if sys.platform == "linux":
            each.extra_compile_args += _COMPILE
            each.extra_link_args += _LINK
    return list(found)


def _prepare(source: Path) -> None:
    """Shrinks the generated C source and disables optimisation for module initialisation.

    mypyc never decreases its indentation, which makes up four fifths of the text. A module's top level runs
    only once.
    """
    text = re.sub(r"^ +", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = re.sub(r"^(char CPyDef_\w+_____top_level__\(void\) \{)", r"ONCE \1", text, flags=re.MULTILINE)
    source.write_text(_PROLOGUE + text, encoding="utf-8")


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

# Calls between the modules are direct instead of going through a table that another library could interpose.
_COMPILE = [
    "-freorder-blocks-and-partition",
    "-freorder-functions",
    "-fno-semantic-interposition",
    "-fvisibility=hidden",
    "-fno-plt",
]
_LINK = ["-Wl,-O1", "-Wl,-Bsymbolic", "-Wl,-z,now"]
