"""`init`, `doctor` and `completions`: the first commands that a user runs, and those for problems."""

from __future__ import annotations

import subprocess
import sys

import pytest
from openclsp.cli import doctor_command
from openclsp.cli.doctor_command import run_self_test
from openclsp.workspace.project_file import read_project_file

KERNEL = "kernel void k(global int *g) { int *p = g; *p = TILE; }\n"
HOST = 'void f() { clBuildProgram(program, 0, 0, "-cl-std=CL2.0 -DTILE=16", 0, 0); }\n'


def test_init_writes_what_all_kernels_share(openclsp, write, folder):
    write("k.cl", KERNEL)
    write("host.c", 'const char *file = "k.cl";\n' + HOST)
    ran = openclsp("init")
    assert (ran.code, ran.out) == (0, "./openclsp.toml\n"), ran.err
    text = (folder / "openclsp.toml").read_text()
    assert '\nlanguage-version = "CL2.0"\n' in text
    assert "# found: -DTILE=16, host.c" in text
    read = read_project_file(str(folder / "openclsp.toml"))
    assert read.problems == ()
    assert openclsp("check", "k.cl").code == 0


def test_init_finds_what_the_project_has_once_the_file_exists(openclsp, write, folder):
    """A build that names no kernel counts only in a project, which a folder becomes by its openclsp.toml."""
    write("src/k.cl", KERNEL)
    write("host/host.c", HOST)
    assert openclsp("init").code == 0
    text = (folder / "openclsp.toml").read_text()
    assert '\nlanguage-version = "CL2.0"\n' in text
    assert "# found: -DTILE=16, host/host.c:1 (1)\n" in text


def test_init_leaves_no_file_if_it_fails(openclsp, folder):
    (folder / "sub").mkdir()
    assert openclsp("init", "sub", "more").code == 2
    assert openclsp("init", "absent").code == 2
    assert not list(folder.rglob("openclsp.toml"))


def test_init_leaves_a_default_open(openclsp, write, folder):
    write("k.cl", "kernel void k(global int *g) { *g = 1; }\n")
    assert openclsp("init", ".").code == 0
    lines = (folder / "openclsp.toml").read_text().splitlines()
    assert '# language-version = "CL1.2"' in lines
    assert all(not line or line.startswith("#") for line in lines)


def test_every_key_that_init_suggests_is_one(openclsp, folder):
    """Uncommented, the suggested keys and the table are a valid file."""
    assert openclsp("init").code == 0
    path = folder / "openclsp.toml"
    suggested = [
        line.removeprefix("# ")
        for line in path.read_text().splitlines()
        if line.startswith(
            ("# [", "# language-", "# defines", "# include-", "# ext", "# exclude", "# single-")
        )
    ]
    assert len(suggested) == 7
    path.write_text("\n".join(suggested) + "\n")
    assert read_project_file(str(path)).problems == ()


def test_init_changes_no_file(openclsp, write, folder):
    write("openclsp.toml", "# mine\n")
    ran = openclsp("init")
    assert ran.code == 2 and "exists already" in ran.err
    assert (folder / "openclsp.toml").read_text() == "# mine\n"


def test_init_writes_nothing_of_a_file_name_outside_comments(openclsp, write, folder):
    write("k.cl", KERNEL)
    write("a\nexclude = ['*']\n/compile_flags.txt", "-DTILE=1\n")
    write("a\nexclude = ['*']\n/k.cl", KERNEL)
    assert openclsp("init").code == 0
    lines = (folder / "openclsp.toml").read_text().splitlines()
    assert all(not line or line.startswith("#") for line in lines)


def test_doctor_shows_the_options_of_a_file_and_tests_the_server(openclsp, write):
    write("k.cl", KERNEL)
    write("compile_flags.txt", "-DTILE=4\n")
    ran = openclsp("doctor", "k.cl")
    assert ran.code == 0, ran.out + ran.err
    assert "compiled: " in ran.out and "tree-sitter 0." in ran.out
    assert "-DTILE=4" in ran.out and "compile_flags.txt" in ran.out
    assert "Self-test passed: " in ran.out


def test_doctor_says_on_standard_error_why_it_failed(openclsp, monkeypatch):
    monkeypatch.setattr(doctor_command, "server_command", lambda: ("/nowhere/server",))
    ran = openclsp("doctor")
    assert ran.code == 2
    assert ran.err.startswith("openclsp: the self-test failed: the server failed: ")


def test_the_self_test_runs_nothing_of_the_working_folder(openclsp, write, folder):
    for name in ("openclsp.py", "json.py", "click.py"):
        write(name, "open('it-ran', 'w').close()\n")
    assert openclsp("doctor").code == 0
    assert not (folder / "it-ran").exists()


@pytest.mark.parametrize(
    "command, reason",
    [
        (["/nowhere/openclsp"], "the server failed"),
        ([sys.executable, "-c", "print('no server')"], "status 0: no diagnostics"),
        ([sys.executable, "-c", "input(); raise SystemExit('broken')"], "status 1: broken"),
    ],
)
def test_a_broken_server_fails_the_self_test(command, reason):
    test = run_self_test(command)
    assert not test.passed and reason in test.detail


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_call_the_program_back(openclsp, shell):
    ran = openclsp("completions", shell)
    assert ran.code == 0 and "_OPENCLSP_COMPLETE" in ran.out


def test_the_program_answers_the_completion_script():
    environment = {"_OPENCLSP_COMPLETE": "bash_complete", "COMP_WORDS": "openclsp do", "COMP_CWORD": "1"}
    command = [sys.executable, "-m", "openclsp"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout.split() == ["plain,doctor"]
