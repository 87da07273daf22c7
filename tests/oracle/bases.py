"""The available kernels, each with its build options."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Base:
    """An available kernel, and its options for both compilers."""

    file: Path
    options: tuple[str, ...]

    @property
    def both(self) -> list[str]:
        """The options, with the kernel's own folder as an include folder."""
        return [*self.options, "-I", str(self.file.parent)]


def bases_of_index(folder: Path, index: Path) -> dict[tuple[str, str, str], Base]:
    """The files of an index that exist in the recorded version, by repository, path and digest.

    An index has a JSON line for each file: `repo`, `path`, `sha256`, the folder `dir` below `folder` that contains the
    repository, `defines` and `include_dirs`.
    """
    found: dict[tuple[str, str, str], Base] = {}
    for record in map(json.loads, index.read_text(encoding="utf-8").splitlines()):
        root = folder / record["dir"]
        file = root / record["path"]
        if not file.is_file() or sha256(file.read_bytes()).hexdigest() != record["sha256"]:
            continue
        defines = (f"-D{define}" for define in record["defines"])
        folders = (part for name in record["include_dirs"] for part in ("-I", str(root / name)))
        found[record["repo"], record["path"], record["sha256"]] = Base(file, (*defines, *folders))
    return found
