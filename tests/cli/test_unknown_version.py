"""Where the host chooses the language version, only errors of every possible version are reported."""

from __future__ import annotations

import json

import pytest

HOST = """#include <CL/cl.h>
void build(cl_program program, int major, int minor, const char *version) {{
    char options[99];
    const char *source = read_file("k.cl");
    {0}
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
}}
"""
EVERY = 'sprintf(options, "-cl-std=CL%d.%d", major, minor);'
KERNEL = """kernel void k(global float *p) {
    float *q = p;
    local float *l = p;
}
"""


def findings(ran) -> list[tuple[int, str, str]]:
    document = json.loads(ran.out)
    return [
        (each["range"]["start"]["line"], each["code"], each["severity"])
        for file in document["files"]
        for each in file["diagnostics"]
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (EVERY, [3]),
        ('strcpy(options, "-cl-std="); strcat(options, version);', [3]),
        ('sprintf(options, "-cl-std=CL1.%d", minor);', [2, 3]),
        ('sprintf(options, "-cl-std=CL2.%d", minor);', [3]),
        ('sprintf(options, "-cl-std=CL%d.0", major);', [3]),
        ('options = major > 1 ? "-cl-std=CL2.0" : "-cl-std=CL3.0";', [3]),
        ('options = ""; if (major > 1) options = "-cl-std=CL2.0";', [3]),
        ('options = "-cl-std=CL1.2";', [2, 3]),
        ('options = "-cl-std=CL1.1"; if (minor > 1) options = "-cl-std=CL1.2";', [2, 3]),
        ('options = "";', [2, 3]),
    ],
)
def test_what_is_wrong_in_every_version(openclsp, write, options: str, expected: list[int]) -> None:
    write("host.c", HOST.format(options))
    write("k.cl", KERNEL)
    found = findings(openclsp("check", "--format", "json", "k.cl"))
    assert sorted({line for line, _, severity in found if severity == "error"}) == expected


def test_the_summary_says_so(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", "kernel void k(global float *p) { float *q = p; }\n")
    where = "the host computes it (-cl-std=CL….… in host.c:5)"
    assert openclsp("check", "k.cl").out == (
        f"No errors; 1 file checked as OpenCL C, version unknown: {where}.\n"
    )


def test_the_option_is_shown(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", "kernel void k(void) { }\n")
    lines = openclsp("check", "--show-options", "k.cl").out.splitlines()
    assert lines[0] == ("k.cl: OpenCL C, version unknown: the host computes it (-cl-std=CL….… in host.c:5)")
    assert lines[1] == ("  -cl-std=CL….…  host.c:5, passed to clBuildProgram, not used: the host computes it")


def test_the_only_version_that_fits_is_known(openclsp, write) -> None:
    write("host.c", HOST.format('sprintf(options, "-cl-std=CL3.%d", minor);'))
    write("k.cl", "kernel void k(void) { }\n")
    out = openclsp("check", "--show-options", "k.cl").out
    assert "OpenCL C 3.0, from -cl-std=CL3.0 in host.c:5" in out
    assert "passed to clBuildProgram" in out


def test_options_that_are_given_count(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", KERNEL)
    found = findings(openclsp("check", "--format", "json", "--std", "CL1.2", "k.cl"))
    assert {line for line, _, severity in found if severity == "error"} == {2, 3}


def test_a_text_for_a_newer_version_is_none_of_an_older(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", "kernel void k(global atomic_int *a, global float *p) {\n    global float *q = p;\n"
          "    local atomic_int *l = a;\n}\n")  # fmt: skip
    found = findings(openclsp("check", "--format", "json", "k.cl"))
    assert (3, "pointer-conversion", "error") in found


def test_an_ignore_comment_for_one_version_is_used(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", "kernel void k(global float *p) {\n"
          "    float *q = p; // openclsp: ignore[pointer-conversion]\n}\n")  # fmt: skip
    assert findings(openclsp("check", "--format", "json", "k.cl")) == []


def test_hover(openclsp, write) -> None:
    write("host.c", HOST.format(EVERY))
    write("k.cl", KERNEL)
    assert "version unknown: the host computes it" in openclsp("hover", "k.cl:2:12").out


UNFOLLOWED = """#include "{0}.hpp"
void init(Context *context) {{
    context->add_option("-cl-std=CL2.0");
    context->create_kernels({{"{0}_forward", "{0}_backward"}});
}}
"""


@pytest.mark.parametrize(
    ("path", "host", "expected"),
    [
        ("host.cpp", UNFOLLOWED.format("lookup"), [2, 3]),
        ("k.cpp", UNFOLLOWED.format("lookup"), [3]),
        ("host.cpp", UNFOLLOWED.format("lookup").replace("lookup_forward", "k"), [3]),
        ("host.cpp", UNFOLLOWED.format("k"), [2, 3]),
        ("k.cpp", UNFOLLOWED.format("k").replace('"-cl-std=CL2.0"', "option /* -cl-std=CL2.0 */"), [2, 3]),
        ("k.cpp", UNFOLLOWED.format("k").replace('"-cl-std', '"the option -cl-std'), [2, 3]),
        ("k.cpp", UNFOLLOWED.format("k").replace('"-cl-std', '"-DN=1 -cl-std'), [3]),
        ("k.cpp", UNFOLLOWED.format("k").replace("CL2.0", "CL1.2"), [2, 3]),
    ],
)
def test_a_version_in_a_host_file_that_is_written_for_the_kernel(
    openclsp, write, path, host, expected
) -> None:
    write(path, host)
    write("k.cl", KERNEL)
    found = findings(openclsp("check", "--format", "json", "k.cl"))
    assert sorted({line for line, _, severity in found if severity == "error"}) == expected


def test_the_summary_names_the_option_that_may_be_passed(openclsp, write) -> None:
    write("k.cpp", UNFOLLOWED.format("k") + '#include "k.hpp"\n')
    write("k.cl", "kernel void k(global float *p) { float *q = p; }\n")
    where = "the host may pass -cl-std=CL2.0 (k.cpp:3)"
    assert openclsp("check", "k.cl").out == (
        f"No errors; 1 file checked as OpenCL C, version unknown: {where}.\n"
    )


LOADED = """#include "options.h"
void build(cl_program program, int newer, const char *version) {{
    const char *source = read_file("kernels/k.cl");
    {0}
}}
"""
IN_C = "clBuildProgram(program, 0, NULL, {0}, NULL, NULL);"
BOTH = '#ifdef NEW\n#define STD "-cl-std=CL2.0"\n#else\n#define STD "-cl-std=CL1.2"\n#endif\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"options.h": '#define STD "-cl-std=CL2.0"\n', "host.c": LOADED.format(IN_C.format("STD"))}, [3]),
        ({"options.h": '#define STD "-cl-std=CL2.0"\n', "host.c": LOADED.format(IN_C.format("NULL"))}, [2, 3]),
        ({"options.h": '#define STD "-cl-std=CL2.0"\n', "host.c": LOADED.format(IN_C.format('"-DN=1"'))}, [2, 3]),
        ({"others.h": '#define STD "-cl-std=CL2.0"\n', "host.c": LOADED.format(IN_C.format("STD"))}, [2, 3]),
        ({"options.py": 'STD = "-cl-std=CL2.0"\n',
          "host.py": "import pyopencl as cl\nfrom options import STD\n"
                     "p = cl.Program(c, open('kernels/k.cl').read()).build(options=STD)\n"}, [3]),
        ({"host.c": BOTH + LOADED.format(IN_C.format("STD"))}, [3]),
        ({"host.c": LOADED.format('const char *all[] = {"-cl-std=CL2.0", ""};\n' + IN_C.format("all[newer]"))}, [3]),
        ({"host.c": 'struct { char *file, *options; } all[] = {{"k.cl", "-cl-std=CL2.0"}, {"a.cl", ""}};\n'}, [3]),
        ({"host.c": 'struct { char *file, *options; } all[] = {{"ak.cl", "-cl-std=CL2.0"}, {"a.cl", ""}};\n'}, [2, 3]),
        ({"host.py": 's = open("k.cl")\n' + 16 * "\n" + 'o = f"-cl-std=CL{v}"\n'}, [2, 3]),
        ({"host_test.go": 's := read("k.cl")\no := "-cl-std=" + v\n'}, [2, 3]),
        ({"host.go": 's := read("k.cl")\no := strings.Join([]string{"-cl-std=" + v, "-DX=1"}, " ")\n'}, [3]),
        ({"host.rs": 'let s = read("k.cl"); let mut o = String::from("-cl-std="); o.push_str(v); program.build(&d, &o);\n'},
         [3]),
        ({"host.rs": 'let s = read("k.cl"); let o = "-cl-std=CL1."; f(o + v);\n'}, [2, 3]),
        ({"host.cpp": LOADED.format('QString o = QString("-cl-std=CL%1.0 -DN=2").arg(newer);\n'
                                    + IN_C.format("o.data()"))}, [3]),
        ({"host.py": 's = open("k.cl")\no = string.Template("-cl-std=$v").substitute(v=v)\n'}, [3]),
        ({"host.py": 's = open("k.cl")\no = f"-cl-std=CL{v}"\n'}, [3]),
        ({"host.c": LOADED.format('sprintf(o, "-cl-std=CL%s-DM=3", version);\n' + IN_C.format("o"))}, [3]),
        ({"host.cs": 'using Cloo;\nclass A { void F(ComputeContext c, ComputeDevice[] d) {\n'
                     '  string s = File.ReadAllText("k.cl");\n'
                     '  ComputeProgram p = new ComputeProgram(c, s);\n'
                     '  p.Build(d, "-cl-std=CL2.0", null, IntPtr.Zero);\n} }\n'}, [3]),
    ],
)  # fmt: skip
def test_a_version_that_may_reach_the_build_of_the_kernel_file(
    openclsp, write, files: dict[str, str], expected: list[int]
) -> None:
    for path, text in files.items():
        write(path, text)
    write("kernels/k.cl", KERNEL)
    ran = openclsp("check", "--format", "json", "kernels/k.cl")
    assert sorted({line for line, _, severity in findings(ran) if severity == "error"}) == expected
    assert "unknown language version" not in ran.err


MODULES = '[submodule "wrapper"]\n\tpath = extern/wrapper\n\turl = https://example.org/wrapper.git\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, [2, 3]),
        ({".gitmodules": MODULES}, [3]),
        ({".gitmodules": MODULES, "extern/wrapper/wrapper.cpp": "int n;\n"}, [2, 3]),
        ({".gitmodules": MODULES, "host.c": HOST.format('options = "";')}, [2, 3]),
        ({".gitmodules": MODULES, "host.py": "cl.Program(context, open('k.cl').read()).build()\n"}, [2, 3]),
        ({".gitmodules": MODULES.replace("extern", "../..")}, [2, 3]),
    ],
    ids=[
        "no submodule",
        "a missing one",
        "one that is checked out",
        "a build",
        "a build without options",
        "a path outside",
    ],
)
def test_a_submodule_that_is_not_checked_out_may_choose_the_version(
    openclsp, write, files: dict[str, str], expected: list[int]
) -> None:
    for path, text in files.items():
        write(path, text)
    write("k.cl", KERNEL)
    found = findings(openclsp("check", "--format", "json", "k.cl"))
    assert sorted({line for line, _, severity in found if severity == "error"}) == expected
