"""A named file that does not exist is reported, and the others are checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ran


@pytest.fixture(autouse=True)
def _kernels(folder: Path) -> None:
    (folder / "fine.cl").write_text("kernel void f(global int *p) { p[0] = 1; }\n")
    (folder / "faulty.cl").write_text("kernel void f(global int *p) { local int *q = p; }\n")


def test_the_other_files_are_checked(openclsp: Callable[..., Ran]) -> None:
    ran = openclsp("check", "gone.cl", "fine.cl")
    assert ran.code == 2
    assert ran.err == "openclsp: gone.cl does not exist; it is not checked\n"
    assert "1 file checked" in ran.out and "1 file not checked: gone.cl" in ran.out
    ran = openclsp("check", "--no-fixes", "faulty.cl", "gone.cl")
    assert ran.code == 2 and "pointer-conversion" in ran.out


def test_json_lists_the_missing_file(openclsp: Callable[..., Ran]) -> None:
    ran = openclsp("check", "--format", "json", "gone.cl", "fine.cl", "lost.cl")
    answer = json.loads(ran.out)
    assert ran.code == 2
    assert answer["notChecked"] == [
        {"path": "gone.cl", "reason": "does not exist"},
        {"path": "lost.cl", "reason": "does not exist"},
    ]
    assert [each["path"] for each in answer["files"]] == ["fine.cl"]


def test_without_any_file_nothing_is_checked(openclsp: Callable[..., Ran]) -> None:
    ran = openclsp("check", "gone.cl", "lost.cl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "openclsp: gone.cl, lost.cl: no such file or folder\n"
