"""Runs a Lua script in Neovim with the folder editors/neovim."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.editors.test_neovim import EDITORS, PROGRAMS, neovim, written


def run_script(folder: Path, script: str) -> Any:
    """Returns the report that the script writes by its function `report`. Files are relative to `folder`."""
    program = neovim()
    init = written(folder / "init.lua", f"vim.opt.runtimepath:prepend('{EDITORS / 'neovim'}')\n")
    function = (
        "local function report(table) vim.fn.writefile({ vim.json.encode(table) }, 'report.json') end\n"
    )
    written(folder / "script.lua", function + script)
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": str(folder), "PATH": PROGRAMS}
    command = [program, "-u", str(init), "--headless", "-c", "luafile script.lua", "-c", "qa!"]
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False
    )
    assert (folder / "report.json").exists(), ran.stderr[-2000:]
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))
