"""The benchmark files: generated kernels of any length, and real kernels with their headers.

Real kernels come from Debian's packages, fetched into the user's cache folder; nothing of them is committed.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from ..grammar.corpus import fetched
from .generated import kernel

FLAGS = ("-xcl", "--target=spir64", "-ferror-limit=0")
"""For clangd: what the text is, and that every error is to be told."""

REAL = {"basic.cl": "darktable", "inc_hash_sha512.cl": "hashcat-data"}
"""Kernels of 3,054 and 3,454 lines, by the package that has them."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text in a workspace. `beside` is the folder whose files are copied into the workspace."""

    title: str
    text: str
    standard: str
    beside: Path | None = None

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.text.count("\n")

    def written(self, workspace: Path) -> Path:
        """Writes the workspace, with options that both clangd and openclsp read; returns the path of the text."""
        if self.beside is not None:
            shutil.copytree(self.beside, workspace, dirs_exist_ok=True)
        flags = (f"-cl-std={self.standard}", *FLAGS, f"-I{workspace}")
        (workspace / "compile_flags.txt").write_text("".join(f"{flag}\n" for flag in flags))
        path = workspace / (self.title if self.beside else "kernel.cl")
        path.write_text(self.text)
        return path


def generated(lines: int) -> Case:
    """Generates a text of about this many lines."""
    return Case(f"{lines:,}", kernel(lines), "CL2.0")


def real(name: str) -> Case | None:
    """Returns one of the kernels REAL; None, with a notice, if its package is not available."""
    found = next((path for path in fetched(REAL[name]) if path.name == name), None)
    if found is None:
        return None
    text = found.read_text(encoding="ascii", errors="replace").replace("\r\n", "\n")
    return Case(name, text, "CL1.2", found.parent)
