"""`flow --diff`: the pointers whose address spaces differ from those at a revision."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

HEADER = "int load(int *p) { return *p; }\n"
FIRST = '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n'
SECOND = '#include "load.h"\nkernel void b(global int *g, local int *l) { g[0] = load(g); }\n'
ARGUMENTS = ("flow", "--std", "CL2.0", "--diff", "HEAD")


@pytest.fixture
def committed(folder: Any, write: Any) -> None:
    write("load.h", HEADER)
    write("a.cl", FIRST)
    write("b.cl", SECOND)
    shutil.rmtree(folder / ".git")
    for arguments in (("init",), ("add", "."), ("commit", "-m", "first")):
        identity = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def test_a_change_of_one_kernel_changes_the_pointers_of_a_header(
    openclsp: Any, write: Any, committed: None
) -> None:
    assert openclsp(*ARGUMENTS, ".").out == "0 pointers with other address spaces than at HEAD\n"
    write("b.cl", "\n" + SECOND.replace("load(g)", "load(l)"))
    ran = openclsp(*ARGUMENTS, ".")
    assert ran.code == 0
    assert ran.out == (
        "load.h\n"
        "  1  load: p  {global} → {global, local}\n"
        "      1 access is flat\n"
        "1 pointer with other address spaces than at HEAD\n"
        "accesses without a single address space: 0 before, 1 now\n"
    )


def test_a_pointer_that_became_generic(openclsp: Any, write: Any, committed: None) -> None:
    write("a.cl", FIRST.replace("{ ", "{ global int *q = g; q[0] = 1; "))
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-am", "second"], check=True)
    write("a.cl", FIRST.replace("{ ", "{ int *q = g; q[0] = 1; "))
    ran = openclsp(*ARGUMENTS, "--format", "json", ".")
    found = json.loads(ran.out)
    assert found["changed"] == [
        {
            "path": "a.cl",
            "line": 2,
            "function": "a",
            "name": "q",
            "before": {"spaces": ["global"], "generic": False, "flat_accesses": 0},
            "after": {"spaces": ["global"], "generic": True, "flat_accesses": 0},
        }
    ]


def test_include_folders_are_those_of_the_revision(openclsp: Any, write: Any, folder: Any) -> None:
    option = "-I", "include"
    write("include/load.h", HEADER.replace("*p; }", "*p; }\nint *kept(int *q) { return q; }"))
    kernel = "kernel void a(global int *g) { int *r = kept(g); g[0] = *r + load(g); }\n"
    write("src/a.cl", f'#include "load.h"\n{kernel}')
    shutil.rmtree(folder / ".git")
    for arguments in (("init",), ("add", "."), ("commit", "-m", "first")):
        identity = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)
    assert openclsp(*ARGUMENTS, *option, "src").out.startswith("0 pointers")
    write("include/load.h", HEADER.replace("*p; }", "*p; }\nint *kept(int *q) { int *n = 0; return n; }"))
    ran = openclsp(*ARGUMENTS, *option, "src")
    assert "a: r  {global} → {null}" in ran.out


def test_what_cannot_be_compared(openclsp: Any, committed: None) -> None:
    assert "there is no revision 'nothing'" in openclsp("flow", "--diff", "nothing", ".").err
    assert "--diff writes text or json, not svg" in openclsp(*ARGUMENTS, "--format", "svg", ".").err
    assert "flow takes one position" in openclsp("flow", "a.cl:1:1", "b.cl:1:1").err


def test_in_the_html_report(openclsp: Any, write: Any, folder: Any, committed: None) -> None:
    write("b.cl", "\n" + SECOND.replace("load(g)", "load(l)"))
    checked = ("check", "--std", "CL2.0", "--format", "html", "--output", "report", "a.cl", "b.cl", "load.h")
    openclsp(*checked, "--changed-since", "HEAD")
    index = (folder / "report" / "index.html").read_text()
    (page,) = (path for path in (folder / "report").glob("load.h-*.html"))
    assert "Address spaces changed since HEAD" in index
    assert "1 pointer with other address spaces than at HEAD." in index
    link = f'<a href="{page.name}#L1">load.h:1</a>'
    assert f"load: p<br>{link}</td>" in index
    cells = "<td>{global}</td><td>{global, local}</td><td>1 access is flat</td>"
    assert cells in index
    assert "p: {global} before, {global, local} now; 1 access is flat" in page.read_text()
    openclsp(*checked)
    assert "Address spaces changed" not in (folder / "report" / "index.html").read_text()
