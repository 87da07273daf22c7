"""Progress of a long run is drawn on a terminal and nowhere else."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

# The delay is set, so that the speed of the machine does not decide what is drawn.
COMMAND = "import sys; from openclsp.cli import main, progress_line as p; p.PROGRESS_LINE_DELAY = {}; sys.exit(main(sys.argv[1:]))"
AT_ONCE = 0.0
LATER = 3600.0
LONG = "".join(
    f"float f{n}(global const float *p) {{ local float *q = p; return p[{n}]; }}\n" for n in range(100)
)
QUICK = "kernel void k(void) {}\n"


class Screen:
    """The rows of a terminal that knows what a line of progress needs: line ends, rows upwards, rows cleared."""

    def __init__(self) -> None:
        self.rows = [""]
        self.row = 0
        self.seen: set[str] = set()
        self.cursor_shown = True

    def draw(self, text: str) -> None:
        for piece in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
            if piece == "\r":
                pass
            elif piece == "\n":
                self.row += 1
                self.rows += [""] * (self.row >= len(self.rows))
            elif piece == "\x1b[2K":
                self.rows[self.row] = ""
            elif re.fullmatch(r"\x1b\[\d*A", piece):
                self.row -= int(piece[2:-1] or 1)
            elif piece in ("\x1b[?25l", "\x1b[?25h"):
                self.cursor_shown = piece.endswith("h")
            elif not piece.startswith("\x1b"):
                self.rows[self.row] = piece
                self.seen.add(piece)


def run(folder: Path, *arguments: str, delay: float = AT_ONCE, **environment: str) -> tuple[Screen, bytes]:
    """The screen of a terminal on standard error, and what came on standard output; `delay` is in seconds."""
    main, other = pty.openpty()
    with tempfile.TemporaryFile() as out:
        ran = subprocess.Popen(
            [sys.executable, "-c", COMMAND.format(delay), *arguments],
            cwd=folder,
            stdout=out,
            stderr=other,
            env={**os.environ, "TERM": "xterm", **environment},
        )
        os.close(other)
        drawn = b""
        with contextlib.suppress(OSError):
            while piece := os.read(main, 4096):
                drawn += piece
        ran.wait()
        os.close(main)
        out.seek(0)
        written = out.read()
    screen = Screen()
    screen.draw(drawn.decode())
    return screen, written


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--fix",)], ids=str)
def test_a_long_run_shows_its_file_and_leaves_nothing(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a[b].cl").write_text(LONG)
    (tmp_path / "quick.cl").write_text(QUICK)
    screen, out = run(tmp_path, "check", *options, "a[b].cl", "quick.cl")
    action = "fixing" if "--fix" in options else "checking"
    assert any(f"{action} 1 of 2: a[b].cl" in line for line in screen.seen)
    assert not any(screen.rows)
    assert screen.cursor_shown
    assert b"\x1b" not in out


def test_a_run_that_ends_before_the_delay_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "quick.cl").write_text(QUICK)
    screen, _ = run(tmp_path, "check", "quick.cl", delay=LATER)
    assert screen.seen == set()


def test_a_dumb_terminal_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(LONG)
    screen, _ = run(tmp_path, "check", "k.cl", TERM="dumb")
    assert screen.seen == set()


def test_a_pipe_gets_nothing(tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(LONG)
    ran = subprocess.run(
        [sys.executable, "-c", COMMAND.format(AT_ONCE), "check", "k.cl"],
        cwd=tmp_path,
        capture_output=True,
        env={**os.environ, "FORCE_COLOR": "1"},
        check=False,
    )
    assert ran.stderr == b""
