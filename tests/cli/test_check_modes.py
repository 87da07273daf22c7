"""`--shard`, `--add-ignores`, `--depfile` and `--watch`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

FAULTY = "kernel void k(global int *g) { local int *l = g; }\n"


def paths(ran) -> list[str]:
    return [os.path.basename(file["path"]) for file in json.loads(ran.out)["files"]]


def test_shards_are_a_partition(openclsp, write):
    names = [f"{number}.cl" for number in range(7)]
    for name in names:
        write(name, "kernel void k(void) {}\n")
    shards = [paths(openclsp("check", "--format", "json", "--shard", f"{each}/3", ".")) for each in (1, 2, 3)]
    assert sorted(name for shard in shards for name in shard) == names
    assert {len(shard) for shard in shards} == {2, 3}
    assert paths(openclsp("check", "--format", "json", "--shard", "9/9", ".")) == []


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/0", "a/b", "-1/2", "1/2/3"])
def test_a_shard_that_does_not_exist(openclsp, write, shard):
    write("k.cl", FAULTY)
    ran = openclsp("check", f"--shard={shard}", "k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"openclsp: --shard '{shard}': write I/N, with I from 1 to N\n"


def test_ignores_are_added_for_every_diagnostic(openclsp, write, folder):
    write(
        "src/k.cl",
        '#include "h.clh"\n#define TO_LOCAL(p) \\\n    local int *l = p\nkernel void k(global int *g) {\n'
        "    local int *a = g, *b = (local int *)g;\n    global global int *c = g; TO_LOCAL(g);\n}\n",
    )
    write("src/h.clh", b"\xef\xbb\xbfstatic void f(global int *g) {\r\n    local int *l = g;\r\n}\r\n")
    before = openclsp("check", "src").out
    assert "error[" in before
    ran = openclsp("check", "--add-ignores", "--fail-on", "hint", "src")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "No errors; 2 files checked:")
    assert "diagnostics are now ignored by comments in 2 files" in ran.err
    header = (folder / "src/h.clh").read_bytes()
    assert header.startswith(b"\xef\xbb\xbf") and header.count(b"\r\n") == header.count(b"\n")


def test_ignores_are_added_only_for_what_is_reported(openclsp, write):
    path = write("k.cl", FAULTY)
    openclsp("check", "--add-ignores", "--ignore", "pointer-conversion", "k.cl")
    assert path.read_text() == FAULTY
    ran = openclsp("check", "--add-ignores", "k.cl")
    assert ran.err == "openclsp: 1 diagnostic is now ignored by comments in 1 file\n"
    assert openclsp("check", "--add-ignores", "k.cl").err == "openclsp: there are no diagnostics to ignore\n"


def test_ignores_are_not_added_outside_of_the_project(openclsp, write, folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "h.clh").write_text("static void f(global int *g) { local int *l = g; }\n")
    write("k.cl", "#include <h.clh>\nkernel void k(void) {}\n")
    ran = openclsp("check", "--add-ignores", "-I", str(other), "k.cl")
    assert ran.code == 1
    assert ran.err == "openclsp: 1 diagnostic cannot be ignored by a comment\n"
    assert "ignore" not in (other / "h.clh").read_text()


def test_a_depfile_lists_what_was_read(openclsp, write, folder):
    write("openclsp.toml", 'language-version = "CL2.0"\n')
    write("inc/with space.clh", "#define N 1\n")
    write("a#$.cl", '#include "inc/with space.clh"\nkernel void k(void) {}\n')
    openclsp("check", "--depfile", "check.stamp.d", "a#$.cl")
    assert (folder / "check.stamp.d").read_text() == (
        "check.stamp: \\\n  a\\#$$.cl \\\n  inc/with\\ space.clh \\\n  openclsp.toml\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_watch_checks_again_after_a_change(write, folder: Path):
    def appears(name: str, text: str) -> None:
        # At once: the program could read a file that is only half written.
        write(f"{name}.new", text)
        os.replace(folder / f"{name}.new", folder / name)

    appears("k.cl", FAULTY)
    # A shell that runs the tests in the background ignores SIGINT, and its children inherit that.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from openclsp.cli import main; sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, "check", "--watch", "--format", "github", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # A program that does not do what is expected is ended, for a read would wait for it forever.
        limit = threading.Timer(60, process.kill)
        limit.start()
        try:
            assert process.stdout is not None and process.stderr is not None
            assert "pointer-conversion" in process.stdout.readline()
            assert "watching 1 files" in process.stderr.readline()
            appears("new.cl", FAULTY)
            lines = sorted(process.stdout.readline() for _ in range(2))
            assert "file=k.cl" in lines[0] and "file=new.cl" in lines[1]
            process.stderr.readline()
            appears("k.cl", FAULTY.replace("local int", "global int"))
            assert "file=new.cl" in process.stdout.readline()
            assert "watching 2 files" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 130
        finally:
            limit.cancel()
            process.kill()


def test_options_that_exclude_each_other(openclsp, write):
    write("k.cl", FAULTY)
    for options in (("--fix", "--diff"), ("--add-ignores", "--watch"), ("--fix", "--watch")):
        ran = openclsp("check", *options, "k.cl")
        assert (ran.code, ran.out) == (2, "")
        assert "cannot be combined" in ran.err
    for option in ("--diff", "--add-ignores", "--watch", "--changed-since=HEAD"):
        ran = openclsp("check", option, "-")
        assert ran.code == 2
        assert "standard input" in ran.err
