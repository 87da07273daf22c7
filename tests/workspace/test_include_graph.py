"""Choosing the kernel through which a header or fragment is analysed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from openclsp.project.project_scan import scan_project
from openclsp.workspace.include_graph import IncludeGraph

from ..fuzz.test_growth import calls_of

KERNEL = "kernel void k(global int *p) {}\n"


def best(folder: Path, files: dict[str, str], name: str) -> list[str]:
    """The kernels that are proposed for the file `name`, the best first."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    includers = IncludeGraph()
    includers.update(scan_project(str(folder)))
    found = includers.candidate_programs(str(folder / name), files[name].encode())
    return [os.path.relpath(each.path, folder) for each in found]


@pytest.mark.parametrize(
    "directive",
    [
        '#include "lib/types.h"',
        "#include <types.h>",
        '  #  include "lib/../lib/types.h"',
        "#include M2S(INCLUDE_PATH/types.h)",
        "#include STR(lib/types.h)",
        '#import "types.h"',
        '#if 0\n#include "lib/types.h"\n#endif',
    ],
)
def test_directives_that_lead_to_a_header(tmp_path: Path, directive: str) -> None:
    files = {"k.cl": f"{directive}\n{KERNEL}", "lib/types.h": "typedef int T;\n"}
    assert best(tmp_path, files, "lib/types.h") == ["k.cl"]


@pytest.mark.parametrize(
    "text",
    [
        '// #include "a.h"\n',
        'constant char s[] = "#include a.h";\n',
        '#include "b/a.h"\n',
        "#include SOMETHING\n",
    ],
)
def test_what_is_no_directive_for_it(tmp_path: Path, text: str) -> None:
    assert best(tmp_path, {"k.cl": text + KERNEL, "a.h": ""}, "a.h") == []


def test_headers_in_between_are_no_programs(tmp_path: Path) -> None:
    files = {
        "k.cl": f'#include "outer.h"\n{KERNEL}',
        "outer.h": '#include "inner.clh"\n',
        "inner.clh": "int f(void);\n",
    }
    assert best(tmp_path, files, "inner.clh") == ["k.cl"]


def test_the_kernel_of_the_same_name_then_the_nearest(tmp_path: Path) -> None:
    include = f'#include "sum.h"\n{KERNEL}'
    files = {"z/other.cl": include, "a.cl": include, "b/c/far.cl": include, "sum.cl": include, "sum.h": ""}
    assert best(tmp_path, files, "sum.h") == ["sum.cl", "a.cl", "z/other.cl", "b/c/far.cl"]


def test_a_kernel_that_others_include_is_a_program_of_its_own(tmp_path: Path) -> None:
    files = {"all.cl": '#include "one.cl"\n', "one.cl": KERNEL}
    assert best(tmp_path, files, "one.cl") == []


def test_a_kernel_that_reads_its_includers_macros_is_looked_at_there(tmp_path: Path) -> None:
    body = "kernel void k(global TYPE *p) {}\n"
    files = {
        "double.cl": '#define TYPE double\n#include "body.cl"\n',
        "later.cl": '#include "body.cl"\n#define TYPE float\n',
        "body.cl": body,
    }
    assert best(tmp_path, files, "body.cl") == ["double.cl"]


def test_a_kernels_file_without_a_kernel_is_a_fragment(tmp_path: Path) -> None:
    files = {
        "k.cl": f'#include "part.cl"\n{KERNEL}',
        "part.cl": "// no kernel here\nint f(int a) { return a; }\n",
    }
    assert best(tmp_path, files, "part.cl") == ["k.cl"]


def test_files_that_include_each_other(tmp_path: Path) -> None:
    files = {"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n', "k.cl": f'#include "a.h"\n{KERNEL}'}
    assert best(tmp_path, files, "b.h") == ["k.cl"]
    assert best(tmp_path, {**files, "k.cl": KERNEL}, "b.h") == []


def test_an_update_sees_what_changed(tmp_path: Path) -> None:
    kernel, header = tmp_path / "k.cl", tmp_path / "a.h"
    kernel.write_text(KERNEL, encoding="utf-8")
    header.write_text("", encoding="utf-8")
    includers = IncludeGraph()
    includers.update(scan_project(str(tmp_path)))
    assert includers.candidate_programs(str(header), b"") == includers.including_programs(str(header)) == ()
    kernel.write_text(f'#include "a.h"\n{KERNEL}', encoding="utf-8")
    includers.update(scan_project(str(tmp_path)))
    assert [each.path for each in includers.candidate_programs(str(header), b"")] == [str(kernel)]
    assert includers.including_programs(str(header)) == (str(kernel),)
    kernel.unlink()
    includers.update(scan_project(str(tmp_path)))
    assert includers.candidate_programs(str(header), b"") == includers.including_programs(str(header)) == ()


def test_the_programs_of_a_header_are_searched_once(tmp_path: Path) -> None:
    """A check asks for each diagnostic in the header, in each of the programs."""
    header = tmp_path / "a.h"
    header.write_text("", encoding="utf-8")
    for number in range(50):
        (tmp_path / f"k{number}.cl").write_text(f'#include "a.h"\n{KERNEL}', encoding="utf-8")
    includers = IncludeGraph()
    includers.update(scan_project(str(tmp_path)))
    assert calls_of(lambda: includers.including_programs(str(header))) > 50
    assert calls_of(lambda: includers.including_programs(str(header))) < 10


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("typedef float real;", "real x;"),
        ('#include "other.h"', "x = scaled(x);"),
        ('#include "other.h"', "struct pair_s p;"),
        ("#define SIZE 4", "int a[SIZE];"),
        ("static int helper(int a) { return a; }", "helper(1);"),
    ],
)
def test_a_kernel_that_reads_what_its_includer_brings(tmp_path: Path, before: str, body: str) -> None:
    files = {
        "all.cl": f'{before}\n#include "k.cl"\n{KERNEL}',
        "k.cl": f"kernel void part(global int *p) {{ {body} }}\n",
        "other.h": "float scaled(float x);\nstruct pair_s { int a; };\n",
    }
    assert best(tmp_path, files, "k.cl") == ["all.cl"]
    # what it declares itself, or includes itself, it does not lack
    files["k.cl"] = f"{before}\n{files['k.cl']}"
    assert best(tmp_path, files, "k.cl") == []


def test_what_comes_after_a_kernel_it_does_not_read(tmp_path: Path) -> None:
    files = {
        "all.cl": f'#include "k.cl"\ntypedef float real;\n{KERNEL}',
        "k.cl": "kernel void part(global int *p) { real x; }\n",
    }
    assert best(tmp_path, files, "k.cl") == []
