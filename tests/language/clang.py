"""Runs clang 22, the reference for the language tables, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest
from openclsp.language.dialect import Dialect
from openclsp.language.features import available_in

CLANG = shutil.which("clang-22")
needs_clang = pytest.mark.skipif(CLANG is None, reason="clang-22, the reference, is not installed")

QUIETLY = ("-ferror-limit", "0", "-fno-caret-diagnostics", "-fno-spell-checking")
"""Options with which every fault is one line, and nothing is guessed."""


@cache
def include_folder() -> str:
    """Returns the folder of clang's own headers."""
    assert CLANG is not None
    found = subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True)
    return found.stdout.strip() + "/include"


def clang_command(dialect: Dialect) -> list[str]:
    """Returns the command of clang's front end for that dialect, with its header and without input files."""
    assert CLANG is not None
    command = [CLANG, "-cc1", "-triple", "spir64-unknown-unknown", "-x", "cl", f"-cl-std={dialect.standard}"]
    off = available_in(dialect.version) - dialect.extensions
    command += ["-cl-ext=" + ",".join(["+all", *(f"-{name}" for name in sorted(off))])]
    command += [
        "-finclude-default-header",
        "-fdeclare-opencl-builtins",
        "-internal-isystem",
        include_folder(),
    ]
    return command


def run_clang(dialect: Dialect, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs clang's front end on `text` from standard input."""
    command = [*clang_command(dialect), *options, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)
