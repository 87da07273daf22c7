"""`--select`, `--ignore`, `--fail-on`, `--max` and `--statistics`."""

from __future__ import annotations

import json
from typing import Any

import pytest

KERNEL = """\
kernel void k(global int *g) {
    local int *l = g;
    local int *m = (local int *)g;
    global global int *twice = g;
}
"""


def codes(ran: Any) -> list[str]:
    return [each["code"] for file in json.loads(ran.out)["files"] for each in file["diagnostics"]]


@pytest.fixture(autouse=True)
def kernel(write):
    write("k.cl", KERNEL)


def test_select_and_ignore(openclsp):
    every = codes(openclsp("check", "--format", "json", "k.cl"))
    assert len(every) == 3
    ran = openclsp("check", "--format", "json", "--select", "pointer-cast, pointer-conversion", "k.cl")
    assert codes(ran) == ["pointer-conversion", "pointer-cast"]
    (left_out,) = json.loads(ran.out)["leftOut"]
    assert left_out["count"] == 1
    ran = openclsp("check", "--format", "json", "--ignore", "pointer-cast,pointer-conversion", "k.cl")
    assert (ran.code, len(codes(ran))) == (0, 1)
    ran = openclsp("check", "--select", "pointer-cast", "--ignore", "pointer-cast", "k.cl")
    assert "3 diagnostics are not shown (excluded by --select or --ignore)." in ran.out


def test_an_unknown_code_is_an_error(openclsp):
    for option in ("--select", "--ignore"):
        ran = openclsp("check", option, "pointer-csat", "k.cl")
        assert (ran.code, ran.out) == (2, "")
        assert "pointer-csat" in ran.err
        assert "did you mean 'pointer-cast'?" in ran.err


def test_a_filter_does_not_make_an_incomplete_file_complete(openclsp, write):
    write("deep.cl", "int x = " + "(" * 3000 + "1" + ")" * 3000 + ";\n")
    assert "was not checked completely" in openclsp("check", "deep.cl").out
    ran = openclsp("check", "--select", "pointer-cast", "deep.cl")
    assert "was not checked completely" in ran.out
    assert "No errors" not in ran.out


@pytest.mark.parametrize(
    ("severity", "errors", "warnings"),
    [("error", 1, 0), ("warning", 1, 1), ("information", 1, 1), ("hint", 1, 1), ("never", 0, 0)],
)
def test_fail_on(openclsp, write, severity, errors, warnings):
    write("w.cl", "kernel void k(global int *g) { global global int *twice = g; }\n")
    assert openclsp("check", "--fail-on", severity, "k.cl").code == errors
    assert openclsp("check", "--fail-on", severity, "w.cl").code == warnings


def test_max_keeps_the_most_severe_and_the_exit_code(openclsp):
    ran = openclsp("check", "--format", "json", "--max", "2", "k.cl")
    assert codes(ran) == ["pointer-conversion", "pointer-cast"]
    ran = openclsp("check", "--max", "0", "k.cl")
    assert ran.code == 1
    assert "error[" not in ran.out
    assert "3 diagnostics are not shown (beyond the 0 of --max)." in ran.out
    assert "No errors" not in ran.out


def test_statistics(openclsp, write):
    write("other.cl", "kernel void k(global int *g) { local int *l = g; }\n")
    ran = openclsp("check", "--statistics", "k.cl", "other.cl")
    rows = [line.split() for line in ran.out.splitlines() if line]
    assert rows[0] == ["count", "fixable", "files", "severity", "code"]
    assert rows[1] == ["2", "2", "2", "error", "pointer-conversion"]
    assert ["3", "k.cl"] in rows
    assert "error[" not in ran.out
    ran = openclsp("check", "--statistics", "--format", "json", "k.cl", "other.cl")
    first = json.loads(ran.out)["statistics"][0]
    assert first == {"code": "pointer-conversion", "severity": "error", "count": 2, "fixable": 2}


def test_five_hundred_findings_have_a_short_summary(openclsp, write):
    for number in range(10):
        write(
            f"many/{number}.cl",
            "kernel void k(global int *g) {\n"
            + "".join(f"    local int *l{each} = g;\n" for each in range(55 - number))
            + "}\n",
        )
    lines = openclsp("check", "--no-fixes", "--max", "3", "many").out.splitlines()
    assert len(lines) < 40
    lines = openclsp("check", "--no-fixes", "many").out.splitlines()
    assert lines[-3].split() == ["505", "error", "pointer-conversion"]
    assert lines[-2].startswith("Most are in many/0.cl (55), many/1.cl (54), ")
    assert "505 errors in 10 files" in lines[-1]
