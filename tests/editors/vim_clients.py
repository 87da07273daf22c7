"""Runs the language clients of Vim with the configuration of docs/editors/vim.md: the error, the hover, a fix and a definition.

    python -m tests.editors.vim_clients --plugin "yegappan/lsp=FOLDER" --plugin "ALE=FOLDER" --plugin "vim-lsp=FOLDER"

FOLDER is a copy of the plugin's repository. Needs Vim 9 and `openclsp` on the PATH. Prints what each client showed; the exit status
is 1 if one of these was missing.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "editors" / "vim.md"
KERNEL = "kernel void k(global int *g) {\n    local int *l = g;\n}\n"
FIXED = KERNEL.replace("local int *l", "global int *l")
LIMIT = 60.0
"""Seconds for one client."""

DRIVE = """\
function! Until(condition) abort
  let end = reltimefloat(reltime()) + 15
  while !eval(a:condition) && reltimefloat(reltime()) < end
    sleep 50m
    redraw
  endwhile
  return eval(a:condition)
endfunction
function! Popups() abort
  let text = ''
  for each in popup_list()
    let text .= join(getbufline(winbufnr(each), 1, '$'), "\\n") . "\\n"
  endfor
  return text
endfunction
function! Drive(timer) abort
  let seen = {'filetype': &filetype}
  try
    let seen.error = Until('ERRORS > 0')
    call cursor(2, 20)
    HOVER
    let seen.hovered = Until("Popups() =~# 'global int'")
    let seen.hover = Popups()
    call popup_clear(1)
    call cursor(2, 20)
    FIX
    call Until("getline(2) =~# 'global int'")
    call cursor(2, 21)
    DEFINITION
    let seen.defined = Until("line('.') == 1")
    let seen.text = join(getline(1, '$'), "\\n") . "\\n"
  catch
    let seen.trouble = v:exception . ' ' . v:throwpoint
  endtry
  let seen.messages = execute('messages')
  call writefile([json_encode(seen)], 'REPORT')
  qall!
endfunction
autocmd VimEnter * call timer_start(200, 'Drive')
"""

CLIENTS = {
    "yegappan/lsp": ("lsp#lsp#ErrorCount().Error", "LspHover", "LspCodeAction 1", "LspGotoDefinition"),
    "ALE": (
        "ale#statusline#Count(bufnr('')).error",
        "let g:ale_floating_preview = 1 | ALEHover",
        "call feedkeys('') | call timer_start(800, {-> feedkeys(\"1\\<CR>\", 't')}) | ALECodeAction",
        "ALEGoToDefinition",
    ),
    "vim-lsp": (
        "lsp#get_buffer_diagnostics_counts().error",
        "LspHover",
        # keys are not read while this script waits; a bar would belong to the command
        "LspCodeAction --ui=float\ncall Until('!empty(popup_list())')\n"
        + r'call popup_filter_menu(popup_list()[0], "\<CR>")',
        "LspDefinition",
    ),
}
"""By client: the number of errors, and the commands for hover, fix and definition."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs each client and prints what it showed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plugin", action="append", default=[], metavar="NAME=FOLDER")
    complete = True
    for name, _, folder in (each.partition("=") for each in parser.parse_args(arguments).plugin):
        seen = _run(name, Path(folder).resolve())
        found = {
            "error": bool(seen.get("error")),
            "hover": "global int *" in str(seen.get("hover")),
            "fix": seen.get("text") == FIXED,
            "definition": bool(seen.get("defined")),
        }
        complete = complete and all(found.values())
        print(f"{name}: " + ", ".join(f"{what} {'yes' if shown else 'NO'}" for what, shown in found.items()))
        if not all(found.values()):
            print(json.dumps(seen, indent=1))
    return 0 if complete else 1


def _configuration(name: str) -> str:
    """The block about file types, and that of the client."""
    page = PAGE.read_text(encoding="utf-8")
    general = re.findall(r"```vim\n(.*?)```", page, re.DOTALL)[0]
    own = re.search(rf"^## {re.escape(name)}\b.*?```vim\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert own is not None, f"docs/editors/vim.md does not describe {name}"
    return f"{general}\n{own[1]}"


def _run(name: str, plugin: Path) -> dict[str, object]:
    errors, hover, fix, definition = CLIENTS[name]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        drive = DRIVE.replace("ERRORS", errors.replace("'", "''")).replace("HOVER", hover).replace("FIX", fix)
        drive = drive.replace("DEFINITION", definition)
        vimrc = Path(folder) / "vimrc"
        vimrc.write_text(
            "set nocompatible nomore shortmess+=I\nfiletype plugin on\nsyntax on\n"
            f"set runtimepath^={plugin}\n{_configuration(name)}\n{drive.replace('REPORT', str(report))}",
            encoding="utf-8",
        )
        kernel = Path(folder) / "k.cl"
        kernel.write_text(KERNEL, encoding="utf-8")
        (Path(folder) / "compile_flags.txt").write_text("", encoding="utf-8")
        _in_terminal(["vim", "-N", "-u", str(vimrc), str(kernel)], report, folder)
        if not report.exists():
            return {"trouble": "Vim did not get to its end"}
        seen: dict[str, object] = json.loads(report.read_text(encoding="utf-8"))
        return seen


def _in_terminal(command: list[str], report: Path, home: str) -> None:
    """Runs Vim in a terminal until it has written its report."""
    terminal, inner = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "HOME": home}
    process = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment, cwd=home)
    os.close(inner)
    end = time.monotonic() + LIMIT
    os.set_blocking(terminal, False)
    while process.poll() is None and time.monotonic() < end and not report.exists():
        # Vim would block once the terminal's buffer is full.
        try:
            os.read(terminal, 1 << 16)
        except (BlockingIOError, OSError):
            time.sleep(0.05)
    time.sleep(0.2)
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(terminal)


if __name__ == "__main__":
    sys.exit(main())
