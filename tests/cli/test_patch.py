"""`check --diff`: a patch that `git apply` accepts, and that gives what `--fix` writes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[1] / "kernels"
FIXABLE = "kernel void k(global int *g) {\n    global global int *p = g;\n    p[0] = 1;\n}\n"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


@pytest.mark.parametrize("working_folder", ["", "faulty"])
def test_git_applies_the_patch(openclsp, folder, monkeypatch, working_folder):
    shutil.rmtree(folder / ".git")
    shutil.copytree(KERNELS, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    git(folder, "init")
    odd = {
        "faulty/with space.cl": FIXABLE.encode(),
        'faulty/quo"te ä.cl': FIXABLE.encode(),
        "faulty/mark.cl": b"\xef\xbb\xbf" + FIXABLE.encode(),
        "faulty/crlf.cl": FIXABLE.replace("\n", "\r\n").encode(),
        "faulty/cr.cl": FIXABLE.replace("\n", "\r").encode(),
        "faulty/noend.cl": b"// \xff\n" + FIXABLE.rstrip("\n").replace("\n    p[0] = 1;\n", " ").encode(),
    }
    for name, data in odd.items():
        (folder / name).write_bytes(data)
    before = contents(folder)
    monkeypatch.chdir(folder / working_folder)
    ran = openclsp("check", "--diff", "-o", str(folder / ".git" / "fix.patch"), ".")
    assert ran.code == 1
    assert contents(folder) == before
    git(Path.cwd(), "apply", "--check", str(folder / ".git" / "fix.patch"))
    git(Path.cwd(), "apply", str(folder / ".git" / "fix.patch"))
    patched = contents(folder)
    assert all(patched[name] != before[name] for name in odd)
    for name, data in before.items():
        (folder / name).write_bytes(data)
    openclsp("check", "--fix", ".")
    assert contents(folder) == patched


def test_without_a_fix_there_is_no_patch(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { *g = 1; }\n")
    ran = openclsp("check", "--diff", "k.cl")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_select_limits_the_patch_and_the_fixes(openclsp, write, folder):
    path = write("k.cl", FIXABLE)
    assert openclsp("check", "--diff", "--select", "pointer-cast", "k.cl").out == ""
    code = openclsp("check", "--format", "github", "k.cl").out.split("title=openclsp%3A ")[1].split(",")[0]
    assert openclsp("check", "--diff", "--ignore", code, "k.cl").out == ""
    assert "+    global int *p = g;" in openclsp("check", "--diff", "--select", code, "k.cl").out
    openclsp("check", "--fix", "--ignore", code, "k.cl")
    assert path.read_text() == FIXABLE


def test_files_outside_the_working_folder_are_refused(openclsp, write, folder, monkeypatch):
    write("k.cl", FIXABLE)
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    ran = openclsp("check", "--diff", "../k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert "is outside the working folder" in ran.err
