"""Collects the wheels that the universal extension carries in server/wheels/, from which it installs the server offline.

    python editors/vscode/wheels.py [--platform NAME …] [--python VERSION …] WHEEL…

WHEEL: wheels of openclsp, one for each platform (`OPENCLSP_COMPILE=0 pip wheel --no-deps .` builds one for every Python from 3.10
on). Needs openclsp in the environment, whose metadata lists the dependencies. These are downloaded in the versions and with the
hashes of requirements/run.txt, for each platform and Python that is named, by default for this one. requirements.txt beside the
wheels lists all of them, so that the extension installs nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent
WHEELS = EXTENSION / "server" / "wheels"
PINNED = EXTENSION.parents[1] / "requirements" / "run.txt"

PLATFORMS = {
    "linux-x64": (
        "manylinux_2_28_x86_64",
        "manylinux_2_17_x86_64",
        "manylinux2014_x86_64",
        "manylinux1_x86_64",
    ),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
    "alpine-x64": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
    "alpine-arm64": ("musllinux_1_2_aarch64", "musllinux_1_1_aarch64"),
    "darwin-arm64": ("macosx_11_0_arm64", "macosx_11_0_universal2", "macosx_10_9_universal2"),
    "darwin-x64": ("macosx_10_13_x86_64", "macosx_10_9_x86_64", "macosx_10_9_universal2"),
    "win32-x64": ("win_amd64",),
}
"""The tags of the wheels that run on each platform of the extension."""

_BEFORE_3_11 = "python_full_version < '3.11'"
"""The marker of packages that newer Pythons have in their standard library."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fills the folder anew."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheels", type=Path, nargs="+", metavar="WHEEL")
    parser.add_argument("--platform", action="append", choices=sorted(PLATFORMS), default=[])
    parser.add_argument("--python", action="append", default=[], metavar="VERSION")
    options = parser.parse_args(arguments)
    pinned = pinned_requirements(PINNED.read_text(encoding="utf-8"))
    needed = {name: pinned[name] for name in sorted(needed_names("openclsp", set(pinned)))}
    shutil.rmtree(WHEELS, ignore_errors=True)
    WHEELS.mkdir(parents=True)
    for platform in options.platform or [None]:
        for python in options.python or [None]:
            _download(needed, platform, python)
    versions = set()
    hashes = []
    for wheel in options.wheels:
        shutil.copy(wheel, WHEELS)
        versions.add(wheel.name.split("-")[1])
        hashes.append(f"--hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    [version] = versions
    own = " \\\n    ".join([f"openclsp=={version}", *hashes])
    listed = "\n".join([own, *needed.values()])
    (WHEELS / "requirements.txt").write_text(f"{listed}\n", encoding="utf-8")
    size = sum(each.stat().st_size for each in WHEELS.iterdir())
    print(f"{WHEELS}: {len(list(WHEELS.glob('*.whl')))} wheels, {size / 1e6:.1f} MB")
    return 0


def pinned_requirements(text: str) -> dict[str, str]:
    """The entries of a requirements file by name: the version, its marker and the hashes."""
    entries = re.findall(r"^(?:[\w.-]+==.*\\\n)(?:[ ]+--hash=.*\n?)+", text, re.MULTILINE)
    return {entry.partition("==")[0]: entry.rstrip() for entry in entries}


def needed_names(root: str, known: set[str]) -> set[str]:
    """The names of all packages that the root needs when it runs, without extras and without itself."""
    found: set[str] = set()
    waiting = [root]
    while waiting:
        for name in _direct_names(waiting.pop()):
            if name in known and name not in found:
                found.add(name)
                waiting.append(name)
    return found


def _direct_names(package: str) -> Iterator[str]:
    try:
        listed = requires(package) or []
    except PackageNotFoundError:
        # Only an older Python needs it.
        return
    for each in listed:
        if "extra ==" not in each and (name := re.match(r"[\w.-]+", each)) is not None:
            yield re.sub(r"[-_.]+", "-", name[0]).lower()


def _download(entries: dict[str, str], platform: str | None, python: str | None) -> None:
    """Downloads the wheels for one platform and Python; None: those of this interpreter."""
    target = [option for tag in PLATFORMS.get(platform or "", ()) for option in ("--platform", tag)]
    target += ["--python-version", python] if python is not None else []
    version = tuple(map(int, python.split("."))) if python is not None else sys.version_info[:2]
    with tempfile.TemporaryDirectory() as folder:
        # pip evaluates markers for the Python that runs it, so what only another Python needs would be left out.
        kept = [each for each in entries.values() if version < (3, 11) or _BEFORE_3_11 not in each]
        text = "\n".join(re.sub(r" ; [^\\\n]*", " ", each) for each in kept)
        listed = Path(folder) / "requirements.txt"
        listed.write_text(f"{text}\n", encoding="utf-8")
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--only-binary", ":all:", "--no-deps", "--require-hashes", *target),
            *("--dest", str(WHEELS), "--requirement", str(listed)),
        ]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
