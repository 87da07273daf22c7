"""Installs openclsp from this copy of the repository into .venv beside this file, and says what it does meanwhile.

    python3 install.py [ENVIRONMENT]

Needs Python 3.10 or newer and a C compiler. OPENCLSP_COMPILE=0 leaves out the compilation of the hot modules: the result
is the same program, several times slower. Without a C compiler, install a wheel instead.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parent
_ONLY_FOR_THE_BUILD = r"[/\\](mypyc?|pip|setuptools|_distutils_hack)[/\\]"
NO_CONNECTION = (
    "the package index cannot be reached, from which the dependencies come (requirements/run.txt). Connect to a network, or "
    "install wheels from a folder: pip install --no-index --find-links FOLDER WHEEL"
)
NO_CONNECTION_SIGNS = ("NewConnectionError", "NameResolutionError", "ProxyError", "ConnectTimeoutError")
"""What pip writes if it cannot reach an index."""
NO_COMPILER = (
    "no C compiler was found ({}). openclsp's grammar is C: install one (Debian: apt install gcc; macOS: "
    "xcode-select --install), or install a wheel, which needs none"
)


def main(arguments: Sequence[str]) -> int:
    """Installs, and returns the exit code: 0, or 1 with the reason on standard error."""
    if arguments and arguments[0].startswith("-"):
        print(__doc__)
        return 0
    if sys.version_info < (3, 10):  # noqa: UP036  (pip's own message for an old Python names no file and no way on)
        return _fail(f"Python 3.10 or newer is needed; this is {sys.version.split()[0]}")
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if os.name == "posix" and which(compiler.split()[0]) is None:
        return _fail(NO_COMPILER.format(compiler.split()[0]))
    environment = Path(arguments[0] if arguments else ROOT / ".venv")
    began = time.monotonic()
    _say(f"making {environment}")
    try:
        venv.create(environment, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return _fail(f"{environment} cannot be made (Debian: apt install python3-venv): {error}")
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    _say("installing the dependencies of requirements/run.txt")
    # Without --no-compile, pip makes byte code for a third of its time, of mypy too, which is needed only now.
    if not _pip(python, "--no-compile", "-q", "-r", str(ROOT / "requirements" / "run.txt")):
        return 1
    # Translation to C uses one processor, so another one makes byte code meanwhile.
    with subprocess.Popen(_byte_code_command(python, "-x", _ONLY_FOR_THE_BUILD)):
        if not _pip(python, "--no-compile", "-v", "--no-deps", "--no-build-isolation", str(ROOT)):
            return 1
    subprocess.run(_byte_code_command(python, "-j", "0", package="openclsp"), check=False)
    _say(f"installed in {time.monotonic() - began:.0f} s: {scripts / 'openclsp'}")
    return subprocess.run([str(python), "-m", "openclsp", "--version"], check=False).returncode


def _byte_code_command(python: Path, *options: str, package: str = "") -> list[str]:
    """The command that makes byte code for the environment's packages, or for one of them."""
    where = "import sys, sysconfig, compileall, os; "
    where += f"sys.argv.append(os.path.join(sysconfig.get_path('purelib'), {package!r})); "
    return [str(python), "-c", f"{where}compileall.main()", "-q", *options]


def _pip(python: Path, *arguments: str) -> bool:
    """Runs `pip install`; shows its lines of progress, and everything if it fails."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", *arguments]
    lines: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            lines.append(line)
            if line.strip().startswith("openclsp: "):
                print(line.strip(), flush=True)
    if pip.returncode != 0:
        if any(sign in line for line in lines for sign in NO_CONNECTION_SIGNS):
            _fail(NO_CONNECTION)
        else:
            print("".join(lines[-40:]), file=sys.stderr)
            _fail("pip failed; its last lines are above")
    return pip.returncode == 0


def _say(text: str) -> None:
    print(f"openclsp: {text}", flush=True)


def _fail(text: str) -> int:
    print(f"openclsp: {text}.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
