"""Runs Kate with the configuration of docs/editors/kate.md in a virtual display: the error, the hover, a fix and a completion.

    python -m tests.editors.kate [--pictures FOLDER]

Needs `openclsp` on the PATH and, of Debian, `apt-get install kate xvfb xdotool openbox dbus-x11 imagemagick`. Prints what was seen; the exit
status is 1 if one of these was missing. The error and the hover are looked for in the messages between Kate and the server, the fix and
the completion in the file that Kate saves. `--pictures`: the folder for a picture of the window after each step.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "editors" / "kate.md"
KERNEL = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"
FIXED = KERNEL.replace("local int *l", "global int *l")
COMPLETED = "    size_t i = get_global_id("
DISPLAY = ":77"
PATIENCE = 30.0
"""Seconds for one step."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs Kate and prints what was seen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=Path)
    pictures = parser.parse_args(arguments).pictures
    server = shutil.which("openclsp")
    assert server is not None, "openclsp is not on the PATH"
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        _configure(home, server)
        found = _drive(home, pictures)
    print("Kate: " + ", ".join(f"{what} {'yes' if seen else 'NO'}" for what, seen in found.items()))
    return 0 if all(found.values()) else 1


def _configure(home: Path, server: str) -> None:
    """Writes a kernel, the page's configuration, and the consent to the start of the server."""
    program = home / "server"
    received, sent = (shlex.quote(str(home / each)) for each in ("received", "sent"))
    program.write_text(f"#!/bin/sh\ntee {received} | {shlex.quote(server)} server | tee {sent}\n")
    program.chmod(0o755)
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    configuration = json.loads(shown)
    assert configuration["servers"]["opencl"]["command"] == ["openclsp", "server"]
    configuration["servers"]["opencl"]["command"] = [str(program)]
    for path, text in (
        (".config/kate/lspclient/settings.json", json.dumps(configuration)),
        (".config/katerc", f"[lspclient]\nAllowedServerCommandLines={program}\n"),
        ("project/k.cl", KERNEL),
        ("project/compile_flags.txt", ""),
    ):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")


def _drive(home: Path, pictures: Path | None) -> dict[str, bool]:
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    environment = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime), "DISPLAY": DISPLAY}
    kernel = home / "project" / "k.cl"
    processes: list[subprocess.Popen[bytes]] = []

    def start(*command: str) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen(command, env=environment, start_new_session=True, **quiet))

    def press(*command: str) -> None:
        subprocess.run(["xdotool", *command], env=environment, check=True, stdout=subprocess.DEVNULL)
        time.sleep(1)

    def picture(step: str) -> None:
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            path = str(pictures / f"{step}.png")
            subprocess.run(["import", "-window", "root", path], env=environment, check=False)

    def holds(file: str, text: str) -> Callable[[], bool]:
        path = home / file
        return lambda: path.exists() and text in path.read_text(encoding="utf-8", errors="replace")

    found = {}
    try:
        start("Xvfb", DISPLAY, "-screen", "0", "1200x800x24")
        time.sleep(1)
        start("openbox")
        start("dbus-run-session", "--", "kate", "--block", "--new", str(kernel))
        found["error"] = _until(holds("sent", '"code":"pointer-conversion"'))
        time.sleep(2)
        picture("error")
        press("key", "ctrl+g")
        press("type", "2")
        press("key", "Return")
        press("key", "alt+Return")
        time.sleep(2)
        picture("fixes")
        press("key", "Down")
        press("key", "Return")
        press("key", "ctrl+s")
        found["fix"] = _until(lambda: kernel.read_text(encoding="utf-8") == FIXED)
        press("key", "End")
        press("key", "Return")
        press("type", "--delay", "80", "size_t i = get_global_i")
        time.sleep(3)
        picture("completion")
        press("key", "Return")
        press("key", "ctrl+s")
        found["completion"] = _until(holds("project/k.cl", COMPLETED))
        # The pointer rests on the parameter of the kernel until Kate asks for the hover. openbox centres the window.
        press("key", "Escape")
        press("mousemove", "480", "262")
        press("mousemove", "489", "258")
        found["hover"] = _until(holds("sent", '"contents"'))
        time.sleep(1)
        picture("hover")
    finally:
        for process in reversed(processes):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return found


def _until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    return condition()


if __name__ == "__main__":
    sys.exit(main())
