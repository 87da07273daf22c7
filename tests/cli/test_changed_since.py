"""`check --changed-since`: the diagnostics that a change caused, on its lines and elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

HEADER = "static int first(global int *p) { return p[0]; }\n"
KERNEL = """\
#include "first.clh"
kernel void k(global int *g) {
    local int *old = g;
    g[0] = first(g);
}
"""


@pytest.fixture
def git(folder):
    def run(*arguments: str) -> None:
        identity = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)

    shutil.rmtree(folder / ".git")
    run("init")
    return run


@pytest.fixture
def committed(git, write):
    write("src/first.clh", HEADER)
    write("src/k.cl", KERNEL)
    git("add", ".")
    git("commit", "-m", "first")


def found(ran: Any) -> list[tuple[str, int, str]]:
    return [
        (file["path"], each["range"]["start"]["line"], each["code"])
        for file in json.loads(ran.out)["files"]
        for each in file["diagnostics"]
    ]


def test_nothing_changed(openclsp, committed):
    ran = openclsp("check", "--changed-since", "HEAD", "src")
    assert ran.code == 0
    assert "1 diagnostic is not shown (older than the change since HEAD)." in ran.out


def test_a_signature_changed_here_is_an_error_there(openclsp, committed, write):
    write("src/first.clh", HEADER.replace("global", "local"))
    ran = openclsp("check", "--changed-since", "HEAD", "--format", "json", "src")
    assert [(path, line) for path, line, _ in found(ran)] == [("src/k.cl", 4)]
    assert ran.code == 1


def test_changed_lines_new_files_and_renames(openclsp, committed, write, git, folder):
    write("src/k.cl", "\n\n" + KERNEL.replace("}\n", "    local int *fresh = g;\n}\n"))
    write("src/untracked.cl", "kernel void u(global int *g) { local int *l = g; }\n")
    ran = openclsp("check", "--changed-since", "HEAD", "--format", "json", "src")
    assert [(path, line) for path, line, _ in found(ran)] == [("src/k.cl", 7), ("src/untracked.cl", 1)]
    (folder / "src/untracked.cl").unlink()
    write("src/k.cl", KERNEL)
    git("mv", "src", "moved")
    ran = openclsp("check", "--changed-since", "HEAD", "--format", "json", "moved")
    assert found(ran) == []


def test_options_of_the_revision_count(openclsp, committed, write, git, folder):
    write("compile_flags.txt", "-cl-std=CL2.0\n")
    write("src/g.cl", "int counter = 0;\n")
    git("add", ".")
    git("commit", "-m", "globals")
    (folder / "compile_flags.txt").unlink()
    ran = openclsp("check", "--changed-since", "HEAD", "--format", "json", str(folder / "src"))
    assert [(os.path.basename(path), line) for path, line, _ in found(ran)] == [("g.cl", 1)]
    assert openclsp("check", "--changed-since", "HEAD~1", "--format", "json", "src/k.cl").code == 0


@pytest.mark.parametrize("revision", ["none", "", "--all", "HEAD:src", "HEAD..HEAD"])
def test_a_revision_that_does_not_exist(openclsp, committed, revision):
    ran = openclsp("check", f"--changed-since={revision}", "src")
    assert (ran.code, ran.out) == (2, "")
    (line,) = ran.err.splitlines()
    assert f"there is no revision '{revision}'" in line


def test_without_git(openclsp, write, folder, monkeypatch):
    shutil.rmtree(folder / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    write("k.cl", KERNEL)
    ran = openclsp("check", "--changed-since", "HEAD", "k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert "is not in a git repository" in ran.err
    monkeypatch.setenv("PATH", str(folder))
    ran = openclsp("check", "--changed-since", "HEAD", "k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert "git cannot be started" in ran.err


def test_a_repository_runs_nothing(openclsp, committed, git, write, folder):
    """Hooks, filters, file system monitors and external diffs of the repository are not started."""
    trap = write("trap.sh", f"#!/bin/sh\ntouch {folder}/ran\ncat\n")
    trap.chmod(0o755)
    write(".gitattributes", "*.cl filter=trap diff=trap\n")
    for setting in (
        "core.fsmonitor",
        "diff.external",
        "diff.trap.command",
        "diff.trap.textconv",
        "filter.trap.smudge",
        "core.pager",
        "core.sshCommand",
    ):
        git("config", setting, str(trap))
    (folder / ".git/hooks").mkdir(exist_ok=True)
    shutil.copy(trap, folder / ".git/hooks/post-checkout")
    write("src/k.cl", KERNEL + "\n// edited\n")
    assert openclsp("check", "--changed-since", "HEAD", "src").code == 0
    assert not (folder / "ran").exists()
