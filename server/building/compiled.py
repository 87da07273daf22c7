"""Builds the extension modules that mypyc compiles from the hot modules listed in modules.txt and further_modules.txt.

setup.py adds them to the grammar's extension. mypyc gets a rewritten copy of the package (rewriting.py) in
the build directory; the source tree is only read.

mypyc writes one library with the code of all modules, and for each module a small extension that loads its
part of the library. Compiled as mypyc leaves them, the library takes one core for two minutes and the small
extensions half a minute, so the C text is cut into parts that compile in parallel (c_parts.py), and the small
extensions become copies of one file (module_loaders.py).
"""

from __future__ import annotations

import glob
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from c_parts import write_parts
from module_loaders import LoadedModule
from rewriting import rewritten
from translation import translated

if TYPE_CHECKING:
    from setuptools import Extension

ROOT = Path(__file__).parents[2]
_SOURCE = ROOT / "server"
_PLACE = ROOT / "build" / "compiled"
_GROUP = "openclsp_compiled"
LIBRARY = f"{_GROUP}__mypyc"
_OPTIONS = Path(__file__).with_name("mypy.ini")

_MODULES = Path(__file__).with_name("modules.txt")
_FURTHER_MODULES = Path(__file__).with_name("further_modules.txt")

_DEMANDED = os.environ.get("OPENCLSP_COMPILE") == "1"
"""Whether compiling is demanded, as for wheels and tests: they take the time that the result is worth."""


def modules() -> list[Path]:
    """Returns the modules to compile, relative to the folder that contains the package."""
    found: list[Path] = []
    for listed in (_MODULES, _FURTHER_MODULES) if _DEMANDED else (_MODULES,):
        for line in listed.read_text().splitlines():
            pattern = line.partition("#")[0].strip()
            if pattern:
                matches = sorted(Path(each) for each in glob.glob(str(_SOURCE / "openclsp" / pattern)))
                if not matches:
                    raise FileNotFoundError(f"{listed}: {pattern}")
                found += (each.relative_to(_SOURCE) for each in matches if each.name != "__init__.py")
    return list(dict.fromkeys(found))


def extensions() -> list[Extension]:
    """Returns the extension modules; raises an exception if mypyc is not installed or rejects the source."""
    compiled = modules()
    shutil.rmtree(_PLACE, ignore_errors=True)
    shutil.copytree(_SOURCE, _PLACE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.egg-info"))
    for module in compiled:
        target = _PLACE / module
        target.write_text(rewritten(target.read_text(encoding="utf-8")), encoding="utf-8")
    before = os.getcwd()
    os.chdir(_PLACE)
    try:
        found = translated(
            ["--config-file", str(_OPTIONS), *map(str, compiled)],
            str(_PLACE / "c"),
            group=_GROUP,
            optimisation=_OPTIMISATION,
        )
    finally:
        os.chdir(before)
    result: list[Extension] = []
    for each in found:
        if each.name == LIBRARY:
            each.sources = write_parts([Path(source) for source in each.sources], _PLACE / "parts")
            each.include_dirs.append(str(_PLACE / "c"))
            if sys.platform == "linux":
                each.extra_compile_args += _COMPILE
                each.extra_link_args += _LINK
            result.append(each)
        else:
            result.append(LoadedModule(each, LIBRARY))
    return result


# gcc takes half the time for -Og that it takes for -O1; a keystroke in 5,000 lines then takes up to 10 % longer. So
# wheels and tests, where compiling is demanded, are built with -O1. For clang the two are the same.
_OPTIMISATION = "g" if os.name == "posix" and not _DEMANDED else "1"

# Calls between the modules are direct instead of going through a table that another library could interpose: the
# library has 10.0 instead of 13.4 MB. C code needs no tables for unwinding, which take 6 % of the compiler's time.
_COMPILE = [
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-fno-semantic-interposition",
    "-fvisibility=hidden",
    "-fno-plt",
]
_LINK = ["-Wl,-O1", "-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-s"]
