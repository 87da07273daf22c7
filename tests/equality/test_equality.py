"""After any edits, the server's answers equal those of a new server.

Some 100 random edits are made. Hypothesis takes constants for them from the modules that are loaded, so each test starts a
process of its own: the edits are then the same in each run. `python -m tests.equality` makes as many others as requested.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..grammar.corpus import fetched

ROOT = Path(__file__).parents[2]
SHARING = Path(__file__).parent / "sharing"
"""Kernels that include the same files under different macros and conditions."""
FEWEST_EDITS = 20
"""A run that makes no edits compares nothing."""


def run(*arguments: str) -> None:
    """Runs a round of `python -m tests.equality`."""
    command = [sys.executable, "-m", "tests.equality", "--edits", "1", "--no-shrinking", *arguments]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-20_000:]
    told = re.search(r"(\d+) edits", ran.stdout)
    assert told and int(told[1]) >= FEWEST_EDITS, ran.stdout


def test_samples() -> None:
    run("--every", "4", "--examples", "4", "--steps", "20")


def test_kernels_that_share_headers() -> None:
    files = sorted(map(str, SHARING.glob("*.cl")))
    assert len(files) > 3
    run("--every", "3", "--examples", "3", "--steps", "25", *files)


def test_real_kernels() -> None:
    if not fetched("darktable"):
        pytest.skip("Debian's package darktable cannot be had here")
    run("--package", "darktable", "--largest", "400", "--every", "10", "--examples", "3", "--steps", "25")
