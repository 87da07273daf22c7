"""Input without an end or outside the project: bounded and explained; the rest is checked."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from openclsp.project.file_system import OUTSIDE_PERMISSION

REST = "kernel void rest(global int *p) { local int *q = p; }\n"
DOUBLING = "#define A0 x x\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 41))
CALLS = "#define B0(x) x x\n" + "".join(f"#define B{i}(x) B{i - 1}(B{i - 1}(x))\n" for i in range(1, 41))
SECONDS = 60
"""Of this process' work, for the machine may be busy. Unbounded, each of these takes hours."""


def locations_by_code(ran: Any) -> dict[str, list[tuple[str, str]]]:
    """(path, message) of each diagnostic, by code."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file in json.loads(ran.out)["files"]:
        for each in file["diagnostics"]:
            found.setdefault(each["code"], []).append((file["path"], each["message"]))
    return found


def checked(openclsp: Any, path: str) -> dict[str, list[tuple[str, str]]]:
    """The diagnostics of a kernel by code; the fault in its last line is always reported."""
    start = time.process_time()
    found = locations_by_code(
        openclsp("check", "--no-fixes", "--format", "json", "--language", "opencl", path)
    )
    assert time.process_time() - start < SECONDS
    assert [where for where, _ in found["pointer-conversion"]] == [path]
    return found


def test_a_circle_of_includes(openclsp: Any, write: Any) -> None:
    write("a.h", '#include "b.h"\nvoid a();\n')
    write("b.h", '#include "a.h"\nvoid b();\n')
    write("k.cl", f'#include "a.h"\n{REST}')
    found = checked(openclsp, "k.cl")
    assert found["include-too-deep"] == [("b.h", "cyclic include a.h → b.h → a.h: this one is skipped")]


def test_a_kernel_that_includes_itself_within_a_function(openclsp: Any, write: Any) -> None:
    write("k.cl", f'kernel void k(global int *p) {{\n#include "k.cl"\n}}\n{REST}')
    assert [where for where, _ in checked(openclsp, "k.cl")["include-too-deep"]] == ["k.cl"]


def test_includes_that_double(openclsp: Any, write: Any) -> None:
    for number in range(40):
        write(f"d{number}.h", f'#include "d{number + 1}.h"\n' * 2)
    write("d40.h", "void d();\n")
    write("k.cl", f'#include "d0.h"\n{REST}')
    ((_, message),) = checked(openclsp, "k.cl")["include-too-deep"]
    assert message == "too many or too large included files: the rest is skipped"


@pytest.mark.parametrize(
    ("source", "name"),
    [(f"{DOUBLING}void f() {{ A40; A40; }}\n", "A40"), (f"{CALLS}void f() {{ B40(1); }}\n", "B40")],
)
def test_a_macro_that_doubles_forty_times(openclsp: Any, write: Any, source: str, name: str) -> None:
    write("k.cl", source + REST)
    found = checked(openclsp, "k.cl")
    assert found["expansion-too-large"] == [
        ("k.cl", f"'{name}' has too large an expansion; it is not expanded")
    ]


def test_each_file_of_a_run_reports_what_it_reports_alone(openclsp: Any, write: Any) -> None:
    """The second file gets the header's result from the cache."""
    write(
        "large.h",
        f"{DOUBLING}#define LARGE A40\n#ifdef OPTION\nint option;\n#endif\nint a[] = {{ LARGE }};\n",
    )
    write("a.cl", '#include "large.h"\n')
    write("b.cl", '#include "large.h"\nint b[] = { LARGE };\n')
    write("c.cl", '#define OPTION\n#undef OPTION\n#include "large.h"\nint c[] = { option, A3 };\n')

    def diagnostics(*paths: str) -> dict[str, Any]:
        ran = openclsp("check", "--jobs", "1", "--no-fixes", "--format", "json", *paths)
        return {file["path"]: file["diagnostics"] for file in json.loads(ran.out)["files"]}

    together = diagnostics("a.cl", "b.cl", "c.cl")
    for path in ("a.cl", "b.cl", "c.cl"):
        alone = diagnostics(path)
        assert alone["large.h"] and alone["large.h"] == together["large.h"]
        assert alone[path] == together[path]


def test_many_macros_that_double(openclsp: Any, write: Any) -> None:
    uses = "".join(f"void f{number}() {{ A{number}; }}\n" for number in range(20, 41))
    write("k.cl", f"{DOUBLING}{uses}#define ONE 1\n#if ONE\n{REST}#endif\n")
    assert len(checked(openclsp, "k.cl")["expansion-too-large"]) == 21


def test_an_include_that_leads_out_is_refused_and_said_once(openclsp: Any, write: Any, folder: Path) -> None:
    outside = folder.parent / f"{folder.name}-outside.h"
    outside.write_text("typedef int secret;\n")
    line = f'#include "../{outside.name}"\n'
    write("k.cl", f"{line}{line}{REST}void f(secret s);\n")
    found = checked(openclsp, "k.cl")
    assert found["include-not-found"] == [
        (
            "k.cl",
            f"'../{outside.name}': the file {OUTSIDE_PERMISSION}; the same at 1 other place in this file",
        )
    ]
    outside.unlink()


def test_headers_that_include_each_other_have_no_includer(openclsp: Any, write: Any) -> None:
    write("a.h", f'#include "b.h"\n{REST}')
    write("b.h", '#include "a.h"\n')
    assert "include-too-deep" in checked(openclsp, "a.h")
