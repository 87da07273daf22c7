"""Downloads kernels from Debian's and PyPI's packages into a cache folder outside of the repository.

They are third-party files used as test input; nothing of them is committed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

_APT = Path("/etc/apt")


def cache_folder() -> Path:
    """The folder that keeps downloaded kernels between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "openclsp" / "kernels"


def fetched(name: str) -> list[Path]:
    """The `.cl` files of one of PACKAGES, sorted; none, with a notice, if the package is not available."""
    folder = cache_folder() / name
    if not folder.is_dir():
        part = folder.with_name(f"{name}.part")
        part.mkdir(parents=True, exist_ok=True)
        try:
            PACKAGES[name](name, part)
        except (OSError, subprocess.SubprocessError, StopIteration, tarfile.TarError) as error:
            print(f"skipped: the package {name} cannot be had here ({type(error).__name__}: {error})")
            return []
        part.rename(folder)
    return sorted(path for path in folder.rglob("*.cl") if path.is_file())


def _run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)


def _debian(name: str, folder: Path) -> None:
    _run("apt-get", "download", name, folder=folder)
    package = next(folder.glob("*.deb"))
    _run("dpkg", "-x", package.name, ".", folder=folder)
    package.unlink()


def _debian_source(name: str, folder: Path) -> None:
    """Downloads Debian's source package through the machine's own apt sources, with `deb-src`."""
    state = folder / "apt"
    (state / "lists").mkdir(parents=True, exist_ok=True)
    (state / "sources").mkdir(exist_ok=True)
    for path in [_APT / "sources.list", *sorted((_APT / "sources.list.d").glob("*"))]:
        if path.suffix in (".list", ".sources") and path.is_file():
            text = re.sub(r"^(Types: *|)deb\b(?!-)", r"\1deb-src", path.read_text(), flags=re.MULTILINE)
            (state / "sources" / path.name).write_text(text)
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": state / "sources",
        "Dir::State::lists": state / "lists",
        "Dir::Cache": state,
    }
    apt = ["apt-get", *(word for key, value in options.items() for word in ("-o", f"{key}={value}"))]
    _run(*apt, "update", folder=folder)
    _run(*apt, "source", "--download-only", "--tar-only", name, folder=folder)
    archive = next(folder.glob("*.orig.tar.*"))
    with tarfile.open(archive) as opened:
        for member in opened:
            if member.isfile() and member.name.endswith(".cl") and ".." not in Path(member.name).parts:
                opened.extract(member, folder)


def _wheel(name: str, folder: Path) -> None:
    _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", name, folder=folder)
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as opened:
        for member in opened.namelist():
            if member.endswith((".cl", ".h")):
                opened.extract(member, folder)
    wheel.unlink()


PACKAGES: dict[str, Callable[[str, Path], None]] = {
    "darktable": _debian,
    "hashcat-data": _debian,
    "piglit": _debian,
    "oclgrind": _debian_source,
    "silx": _wheel,
    "pyfai": _wheel,
    "pyopencl": _wheel,
}
"""How the kernels of each package are had."""
