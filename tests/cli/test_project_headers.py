"""Headers included by their path in the project, and headers that a build prepends to the kernel."""

from __future__ import annotations

import json

import pytest

KERNEL = "kernel void k(global real *p) {{ local real *q = p; }}\n"


def codes(ran) -> list[tuple[str, str]]:
    document = json.loads(ran.out)
    return [(each["code"], each["message"]) for file in document["files"] for each in file["diagnostics"]]


def check(openclsp, write, folder, include: str, *headers: str) -> list[tuple[str, str]]:
    for header in headers:
        write(header, "typedef float real;\n")
    write("src/host/k.cl", f"#include {include}\n" + KERNEL.format())
    return codes(openclsp("check", "--format", "json", "src/host/k.cl"))


@pytest.mark.parametrize(
    ("include", "header"),
    [
        ('"lib/cl/real.cl"', "lib/cl/real.cl"),
        ('"lib/cl/real.h"', "lib/cl/real.h"),
        ('"cl/real.cl"', "lib/deep/cl/real.cl"),
        ('"real.h"', "lib/deep/real.h"),
        ("<../A/B/real.cl>", "lib/A/B/real.cl"),
        ('"../../A/./B/real.cl"', "lib/A/B/real.cl"),
        ("<cl/real.h>", "lib/cl/real.h"),
        ("<real.clh>", "lib/real.clh"),
        ("<real.h>", "src/host/real.h"),
        ("<cl/real.h>", "src/host/cl/real.h"),
    ],
)
def test_the_only_file_that_is_called_so(openclsp, write, folder, include: str, header: str) -> None:
    found = check(openclsp, write, folder, include, header)
    assert [code for code, _ in found] == ["pointer-conversion"]


def test_the_file_below_the_root_goes_first(openclsp, write, folder) -> None:
    found = check(openclsp, write, folder, '"cl/real.cl"', "cl/real.cl", "lib/cl/real.cl")
    assert [code for code, _ in found] == ["pointer-conversion"]


def test_several_are_named_and_none_is_taken(openclsp, write, folder) -> None:
    found = check(openclsp, write, folder, '"cl/real.cl"', "a/cl/real.cl", "b/cl/real.cl")
    message = "'cl/real.cl': several files of the project have this name: a/cl/real.cl, b/cl/real.cl"
    assert found[0] == ("include-not-found", message)


def test_the_nearest_of_several_is_taken(openclsp, write, folder) -> None:
    write("a/cl/real.h", "typedef int real;\n")
    found = check(openclsp, write, folder, '"real.h"', "src/lib/cl/real.h")
    assert [code for code, _ in found] == ["pointer-conversion"]
    assert "local float *q" in found[0][1]


@pytest.mark.parametrize("header", ["src/host/Real.h", "lib/real.H"])
def test_a_name_in_another_case_is_reported(openclsp, write, folder, header: str) -> None:
    found = check(openclsp, write, folder, '"real.h"', header)
    assert found[0] == (
        "include-not-found",
        f"'real.h': file not found: the name of `{header}` differs in case",
    )


def test_a_header_of_cpp_in_another_case_is_not_meant(openclsp, write, folder) -> None:
    write("src/host/Real.h", "namespace real { class Real { }; }\n")
    assert check(openclsp, write, folder, '"real.h"')[0] == ("include-not-found", "'real.h': file not found")


def test_a_system_header_may_lie_beside_the_kernel(openclsp, write, folder) -> None:
    write("lib/real.h", "typedef int real;\n")
    found = check(openclsp, write, folder, "<real.h>", "src/host/real.h")
    assert [code for code, _ in found] == ["pointer-conversion"]


@pytest.mark.parametrize("include", ["<real.h>", '"other/real.h"', '"eal.h"', '"/lib/real.h"'])
def test_other_names_are_none(openclsp, write, folder, include: str) -> None:
    assert check(openclsp, write, folder, include, "lib/real.h")[0][0] == "include-not-found"


def test_in_angle_brackets_all_else_goes_before_what_lies_beside(openclsp, write, folder) -> None:
    write("src/host/real.clh", "typedef wrong real;\n")
    write("inc/real.clh", "typedef float real;\n")
    write("src/host/k.cl", "#include <real.clh>\n" + KERNEL.format())
    ran = openclsp("check", "--format", "json", "-I", "inc", "src/host/k.cl")
    assert [code for code, _ in codes(ran)] == ["pointer-conversion"]


def test_a_header_of_cpp_is_another(openclsp, write, folder) -> None:
    write("lib/real.h", "namespace host {}\n")
    assert check(openclsp, write, folder, '"real.h"')[0][0] == "include-not-found"


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef HOST\ntypedef float real;\n#else\nusing std::max;\n#endif\n",
        "# ifdef HOST\nnamespace host {}\n# endif\ntypedef float real;\n",
        "#ifndef G\n#define G\n#if defined(HOST)\ntemplate <int N> void f();\n#endif\ntypedef float real;\n#endif\n",
    ],
)
def test_a_header_for_the_host_and_for_kernels_is_found(openclsp, write, folder, text: str) -> None:
    write("src/host/real.h", text)
    write("src/host/k.cl", "#include <real.h>\n" + KERNEL.format())
    assert [code for code, _ in codes(openclsp("check", "--format", "json", "."))] == ["pointer-conversion"]


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef HOST\nusing std::max;\n#endif\n",
        "#ifndef HOST\nusing std::max;\n#else\ntypedef float real;\n#endif\n",
        "#ifdef HOST\n#endif\nnamespace host {}\n",
    ],
)
def test_a_header_of_cpp_with_conditions_is_another(openclsp, write, folder, text: str) -> None:
    write("src/host/real.h", text)
    write("src/host/k.cl", "#include <real.h>\n" + KERNEL.format())
    found = codes(openclsp("check", "--format", "json", "."))
    assert found[0][0] == "include-not-found"


def test_a_file_is_not_what_it_includes(openclsp, write, folder) -> None:
    message = "'gone/../k.cl': file not found"
    assert check(openclsp, write, folder, '"gone/../k.cl"')[0] == ("include-not-found", message)


def test_a_link_that_leads_out_is_not_followed(openclsp, write, folder, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "real.h"
    outside.write_text("typedef float real;\n")
    (folder / "lib").mkdir()
    (folder / "lib" / "real.h").symlink_to(outside)
    assert check(openclsp, write, folder, '"lib/real.h"')[0][0] == "include-not-found"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "src/host/host.c",
            (
                '#include <CL/cl.h>\nvoid b(cl_program p) { s = read("k.cl");'
                ' clBuildProgram(p, 0, 0, "-include lib/real.h", 0, 0); }\n'
            ),
        ),
        (
            "CMakeLists.txt",
            (
                "add_custom_command(OUTPUT k.bc COMMAND clang -x cl -target spir -include"
                " ${CMAKE_CURRENT_SOURCE_DIR}/lib/real.h ${CMAKE_CURRENT_SOURCE_DIR}/src/host/k.cl)\n"
            ),
        ),
        ("Makefile", "k.spv: src/host/k.cl\n\tclang -x cl -target spir -include lib/real.h $< -o $@\n"),
        ("Makefile", "OCLFLAGS = -target spir -Ilib -include real.h\n"),
        (
            "compile_commands.json",
            (
                '[{"directory": ".", "file": "src/host/k.cl",'
                ' "command": "clang -target spir -include lib/real.h src/host/k.cl"}]'
            ),
        ),
    ],
)
def test_what_a_build_includes_first(openclsp, write, folder, name: str, text: str) -> None:
    write("lib/real.h", "typedef float real;\n")
    write("src/host/k.cl", KERNEL.format())
    write(name, text)
    ran = openclsp("check", "--format", "json", "--show-options", "src/host/k.cl")
    assert [code for code, _ in codes(ran)] == ["pointer-conversion"]
    options = [each["option"] for each in json.loads(ran.out)["options"][0]["options"]]
    assert any(each.startswith("-include ") for each in options)
    if "host.c" not in name:
        assert "-target spir" in options or "-target=spir" in options


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "host.c",
            '#include <CL/cl.h>\nvoid b(cl_program p) {{ s = read("k.cl"); clBuildProgram(p, 0, 0, "{}", 0, 0); }}\n',
        ),
        (
            "CMakeLists.txt",
            "add_custom_command(OUTPUT k.bc COMMAND clang -x cl {} ${{CMAKE_SOURCE_DIR}}/k.cl)\n",
        ),
        ("Makefile", "k.spv: k.cl\n\tclang -x cl {} $< -o $@\n"),
        (
            "compile_commands.json",
            '[{{"directory": ".", "file": "k.cl", "command": "clang {} k.cl"}}]',
        ),
    ],
)
@pytest.mark.parametrize("option", ["-include config.h", "-imacros config.h", "-include-pch config.pch"])
def test_a_build_that_includes_what_is_not_there(
    openclsp, write, folder, name: str, text: str, option: str
) -> None:
    write("k.cl", "kernel void k(global half *p) { half h = p[0]; p[1] = h; }\n")
    for options, expected in (("-DN", ["half-storage"] * 3), (f"-DN {option}", [])):
        write(name, text.format(options))
        assert [code for code, _ in codes(openclsp("check", "--format", "json", "k.cl"))] == expected


@pytest.mark.parametrize(
    ("options", "codes_found"),
    [
        ("", ["half-storage", "half-storage", "half-storage"]),
        ("-include missing.h", []),
        ("-include ../outside/missing.h", []),
        ("-include .env", []),
        ("-include opencl-c.h", ["half-storage", "half-storage", "half-storage"]),
    ],
)
def test_an_unread_header_before_the_kernel_may_define_anything(
    openclsp, write, folder, options: str, codes_found: list[str]
) -> None:
    write("compile_flags.txt", options.replace(" ", "\n"))
    write(".env", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
    write("k.cl", "kernel void k(global half *p) { half h = p[0]; p[1] = h; }\n")
    ran = openclsp("check", "--format", "json", "k.cl")
    assert [code for code, _ in codes(ran)] == codes_found


@pytest.mark.parametrize("include", ["<pyopencl-complex.h>", '"pyopencl-random123/philox.cl"'])
def test_headers_of_pyopencl_are_supplied_by_it(openclsp, write, folder, include: str) -> None:
    assert "include-not-found" in [code for code, _ in check(openclsp, write, folder, include)]
    write("host.py", "import pyopencl as cl\n")
    assert "include-not-found" not in [code for code, _ in check(openclsp, write, folder, include)]
