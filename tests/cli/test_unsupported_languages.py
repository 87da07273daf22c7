"""Files in other languages are listed and skipped; OpenCL C files next to them are checked."""

from __future__ import annotations

import json

import pytest

FAULTY = "kernel void k(global int *g) { local int *l = g; }\n"
CLEAN = "kernel void k(global int *g) { *g = 1; }\n"
HOST = 'int main(void) { const char *s = R"(x)"; return 0; }\nint counter = 0;\n'


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("main.cu", "is C++, not OpenCL C"),
        ("CMakeLists.txt", "is CMake, not OpenCL C"),
        ("notes.txt", "does not have a file ending of OpenCL C"),
        ("Makefile", "is a Makefile, not OpenCL C"),
        ("lone.inc", "is a header that no kernel of its project includes"),
    ],
)
@pytest.mark.parametrize("fix", [(), ("--fix",)], ids=["check", "fix"])
def test_a_file_of_another_language_is_named_and_not_changed(openclsp, write, name, reason, fix):
    path = write(name, HOST)
    ran = openclsp("check", *fix, name)
    assert ran.code == 2
    assert "No errors" not in ran.out
    assert f"1 file not checked: {name}." in ran.out
    assert ran.out.splitlines()[-1] == "Nothing was checked."
    (line,) = ran.err.splitlines()
    assert line.startswith(f"openclsp: {name} {reason}")
    assert path.read_text() == HOST


def test_the_kernels_beside_it_are_checked_and_fixed(openclsp, write):
    write("faulty.cl", FAULTY)
    write("clean.cl", CLEAN)
    host = write("main.cu", HOST)
    ran = openclsp("check", "faulty.cl", "main.cu", "clean.cl")
    assert ran.code == 2
    assert "faulty.cl:1:47: error[pointer-conversion]" in ran.out
    assert "1 error in 1 file; 2 files checked" in ran.out
    ran = openclsp("check", "--fix", "faulty.cl", "main.cu", "clean.cl")
    assert ran.code == 2
    assert "1 fix applied in faulty.cl" in ran.out
    assert host.read_text() == HOST


def test_a_clean_kernel_beside_it_does_not_make_the_run_clean(openclsp, write):
    write("clean.cl", CLEAN)
    write("main.cu", HOST)
    ran = openclsp("check", "clean.cl", "main.cu")
    assert ran.code == 2
    assert ran.out.splitlines() == [
        "1 file not checked: main.cu.",
        "1 file checked as OpenCL C 1.2, the default of OpenCL compilers.",
    ]


def test_only_the_first_are_named_in_the_summary(openclsp, write):
    names = [f"{letter}.cu" for letter in "abcde"]
    for name in names:
        write(name, HOST)
    ran = openclsp("check", *names)
    assert "5 files not checked: a.cu, b.cu, c.cu and 2 more." in ran.out
    assert [line.split()[1] for line in ran.err.splitlines()] == names


def test_json_lists_it_with_the_reason(openclsp, write):
    write("k.cl", CLEAN)
    write("main.cu", HOST)
    ran = openclsp("check", "--format", "json", "k.cl", "main.cu")
    assert ran.code == 2
    answer = json.loads(ran.out)
    assert [file["path"] for file in answer["files"]] == ["k.cl"]
    assert answer["notChecked"] == [{"path": "main.cu", "reason": "is C++, not OpenCL C"}]


@pytest.mark.parametrize("name", ["main.cpp", "notes.txt", "lone.h", "kernel"])
def test_the_person_may_say_that_it_is_opencl_c(openclsp, write, name):
    write(name, FAULTY)
    ran = openclsp("check", "--language", "opencl", name)
    assert ran.code == 1
    assert f"{name}:1:47: error[pointer-conversion]" in ran.out
    assert openclsp("hover", "--language", "opencl", f"{name}:1:47").code == 0
    assert openclsp("check", "--language", "cpp", name).code == 2


def test_so_may_the_projects_file(openclsp, write):
    write("openclsp.toml", 'file-endings = [".knl"]\n')
    write("k.knl", FAULTY)
    write("k.other", FAULTY)
    assert openclsp("check", "k.knl").code == 1
    assert openclsp("check", "k.other").code == 2


@pytest.mark.parametrize("command", ["hover", "flow"])
def test_nothing_is_said_of_a_place_in_it(openclsp, write, command):
    write("main.cpp", FAULTY)
    ran = openclsp(command, "main.cpp:1:47")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == "openclsp: main.cpp is C++, not OpenCL C\n"
    assert openclsp(command, "--language", "opencl", "--std", "CL1.2", "main.cpp:1:47").err != ran.err


@pytest.mark.parametrize("name", ["part.h", "part.inc", "part.hpp", "part.txt", "part.cpp"])
def test_what_a_kernel_includes_is_checked_through_it(openclsp, write, name):
    write(name, "void f(global int *g) { SPACE int *l = g; }\n")
    write("k.cl", f'#define SPACE local\n#include "{name}"\n')
    ran = openclsp("check", name)
    assert ran.code == 1
    assert f"{name}:1:" in ran.out
    assert "as included by k.cl" in ran.out
    assert ran.err == ""
    assert openclsp("hover", f"{name}:1:35").code == 0


def test_an_include_that_no_branch_takes_does_not_count(openclsp, write):
    write("part.cu", FAULTY)
    write("k.cl", '#ifdef __cplusplus\n#include "part.cu"\n#endif\n')
    assert openclsp("check", "part.cu").code == 2


def test_standard_input_without_a_name_is_opencl_c(openclsp):
    assert openclsp("check", "-", stdin=FAULTY.encode()).code == 1


def test_standard_input_is_what_its_name_says(openclsp, write):
    ran = openclsp("check", "-", "--stdin-path", "src/main.cu", stdin=FAULTY.encode())
    assert ran.code == 2
    assert "src/main.cu is C++, not OpenCL C" in ran.err
    named = ("check", "-", "--stdin-path", "src/main.cu", "--language", "opencl")
    assert openclsp(*named, stdin=FAULTY.encode()).code == 1
    write("src/k.cl", '#include "part.h"\n')
    assert openclsp("check", "-", "--stdin-path", "src/part.h", stdin=FAULTY.encode()).code == 1


def test_a_kernel_that_is_one_raw_string_is_checked(openclsp, write):
    write("k.opencl", f'R"(\n{FAULTY})"\n')
    ran = openclsp("check", "k.opencl")
    assert ran.code == 1
    assert "k.opencl:2:47: error[pointer-conversion]" in ran.out


def test_other_files_of_a_folder_are_passed_over(openclsp, write):
    write("src/k.cl", CLEAN)
    write("src/main.cpp", HOST)
    write("src/lone.h", HOST)
    ran = openclsp("check", "src")
    assert ran.code == 0
    assert ran.out.startswith("No errors; 1 file checked")


HOST_STRINGS = {
    "pointer": 'static const char* k_cl_source =\n"__kernel void k(__global const float4 *in) {}\\n"\n;\n',
    "array": 'const char source[] = "kernel void k(global int *p) {}";\nint lines = 1;\n',
    "several": 'static const char *all[] = {\n  "__kernel void k() { }",\n  "__kernel void l() { }"\n};\n',
    "literals that a host includes": '/* k */\n"kernel void k(global int *p) {\\n"\n"#define N " TEXT(N) "\\n"\n"  *p = N; }"\n',
    "a function only": '/* by a script */ static const char *s = "float4 f(float4 x) { return x; }";\n',
    "continued lines": 'const char *s = "__kernel void k() \\n\\\n{ }\\n\\\n";\n',
    "numbers": "unsigned char k_cl[] = {\n"
    + ", ".join(f"0x{byte:02x}" for byte in b"/* a */\nkernel void k(global float4 *p) {}\n")
    + "\n};\nunsigned int k_cl_len = 40;\n",
    "decimals": "static const char k_cl[64] = {"
    + "".join(f"{byte}," for byte in b"kernel void k(void) { }")
    + "0};\n",
    "raw": '#pragma once\nstatic const char s[] = R"CL(\n__kernel void k(__global int *p) { *p = 1; }\n)CL";\nint n;\n',
    "of a macro": "#define STRING(x) #x\nconst char *s = STRING(__kernel void k(__global int *p) {});\nint n;\n",
    "of an unknown macro": "#pragma once\nconst char *s = STRINGIFY(\n__kernel void k(__global int *p) {}\n);\nint n;\n",
    "macros": '#define SOURCE "__kernel void k(__global int *p) {" \\\n  "*p = 1; }"\n',
}


@pytest.mark.parametrize("text", HOST_STRINGS.values(), ids=HOST_STRINGS)
def test_host_code_that_holds_kernels_in_strings_is_left_alone(openclsp, write, text):
    path = write("k.cl.h", text)
    write("k.cl", CLEAN)
    for fix in (), ("--fix",):
        ran = openclsp("check", *fix, "k.cl.h")
        assert ran.code == 2
        assert ran.out.splitlines()[-2:] == ["1 file not checked: k.cl.h.", "Nothing was checked."]
        assert ran.err.startswith("openclsp: k.cl.h is host code with kernels in strings")
        ran = openclsp("check", *fix, ".")
        assert ran.code == 0
        assert "1 file checked" in ran.out
        assert path.read_text() == text
    assert openclsp("hover", "k.cl.h:1:3").code == 2
    ran = openclsp("check", "--format", "json", ".")
    assert [file["path"] for file in json.loads(ran.out)["files"]] == ["./k.cl"]


@pytest.mark.parametrize(
    "text",
    [
        'constant char *s = "__kernel void k(__global float4 *in) {}";\n',
        'char *s = "__kernel void k(__global float4 *in) {}";\nvoid f(__global int *p);\n',
        'char *s = "__kernel void k(__global float4 *in) {}";\nkernel void k() {}\n',
        'char *s = "__kernel void k(__global float4 *in) {}";\nfloat4 f(void);\n',
        'char *s = "a kernel of float4";\n',
        "char s[] = F(1, 2);\n",
        "char s[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 107, 101, 114, 110, 101, 108, 32, 118, 111, 105, 100, 32};\n",
    ],
)
def test_opencl_c_with_such_a_string_is_checked(openclsp, write, text):
    write("k.cl.h", text)
    ran = openclsp("check", "k.cl.h")
    assert "error[program-scope-space]" in ran.out


OTHERS = {
    "cuda.cl": "__device__ float f(float x) { return x; }\n",
    "cpp.cl": "template <typename T> T f(T x) { return x; }\n",
    "string.cl.h": 'std::string s = "__kernel void k() {}";\n',
}


def test_a_kernel_file_of_another_language_is_not_counted_as_checked(openclsp, write):
    for name, text in OTHERS.items():
        write(name, text)
    ran = openclsp("check", ".")
    assert ran.code == 0
    assert "information[cpp-for-opencl]" not in ran.out
    assert ran.out.splitlines()[-3:] == [
        "3 information cpp-for-opencl",
        "3 files are C++, CUDA or another language (not checked).",
        "Not OpenCL C: ./cpp.cl, ./cuda.cl and ./string.cl.h.",
    ]
    assert "information[cpp-for-opencl]" in openclsp("check", "cpp.cl").out
    write("k.cl", CLEAN)
    ran = openclsp("check", ".")
    assert ran.out.splitlines()[-1].startswith("3 information in 3 files; 1 file checked as")


def test_a_part_of_a_kernel_of_another_language_is_not_counted_either(openclsp, write):
    write("part.h", "float g(float x) { return x; }\n")
    write("k.cl", '#include "part.h"\n' + OTHERS["cpp.cl"])
    ran = openclsp("check", "part.h")
    assert "1 file is C++, CUDA or another language (not checked)." in ran.out
    assert "checked as" not in ran.out


def test_ignoring_the_diagnostic_of_other_languages_leaves_their_number(openclsp, write):
    write("clean.cl", CLEAN)
    write("one.cl", "template <class T> class A { T t; };\n")
    write("two.clcpp", CLEAN)
    paths = ("one.cl", "clean.cl", "two.clcpp")
    assert "Not OpenCL C: one.cl and two.clcpp." in openclsp("check", *paths).out
    ran = openclsp("check", "--ignore", "cpp-for-opencl", *paths)
    assert ran.out.splitlines()[1:3] == [
        "1 file is C++ for OpenCL (not supported, not checked).",
        "1 file is C++, CUDA or another language (not checked).",
    ]
    assert "Not OpenCL C" not in ran.out
