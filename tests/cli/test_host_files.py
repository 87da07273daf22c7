"""`check`, `hover` and `flow` on host files whose strings hold kernels."""

from __future__ import annotations

import json

import pytest

FAULT = "kernel void a(global int *x) { local int *p = x; }"


def write(folder, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_bytes(text.encode())


def test_a_fault_in_a_string_is_reported_in_the_host_file(folder, openclsp):
    write(folder, host__cpp=f'#include <string>\nconst char *s =\n  "{FAULT}\\n";\n')
    ran = openclsp("check", "host.cpp", "--format", "json")
    assert ran.code == 1
    (file,) = json.loads(ran.out)["files"]
    (error,) = (each for each in file["diagnostics"] if each["severity"] == "error")
    assert (file["path"], error["range"]["start"]) == ("host.cpp", {"line": 3, "column": 50})
    (edit,) = error["fixes"][0]["edits"]
    assert edit["path"] == "host.cpp"


def test_host_files_are_found_in_folders(folder, openclsp):
    source = folder / "src"
    source.mkdir()
    write(source, a__py=f's = """{FAULT}"""\n', b__c="int main(void) { return 0; }\n", c__nim=f'"{FAULT}"')
    ran = openclsp("check", "src")
    assert ran.code == 1
    assert "src/a.py:1:54: error[pointer-conversion]" in ran.out
    assert "b.c" not in ran.out + ran.err
    assert "1 file checked" in ran.out


def test_the_version_that_a_build_in_another_language_may_pass_is_unknown(folder, openclsp):
    kernel = "int n;\nkernel void a(global int *x) { x[0] = n; }\n"
    write(folder, a__rb=f"s = <<CLC\n{kernel}CLC\nprogram.build(options: '-cl-std=CL2.0')\n")
    ran = openclsp("check", ".")
    assert ran.code == 0
    assert "the host may pass -cl-std=CL2.0 (a.rb:5)" in ran.out
    write(folder, a__rb=f"s = <<CLC\n{kernel}CLC\n")
    assert "a.rb:2:5: error[program-scope-space]" in openclsp("check", ".").out


def test_the_configuration_of_a_layer_defines_macros(folder, openclsp):
    write(
        folder, k__cl="kernel void k(global float *x) { x[0] = width_[0] + height_[0]; }\n", openclsp__toml=""
    )
    defined = '<Define name="width_" type="float" param="width" default="0.0"/>'
    layers = f'<CustomLayer><Kernel entry="k"><Source filename="k.cl"/>{defined}</Kernel></CustomLayer>'
    write(folder, others__xml=layers)
    assert "`width_` is not declared" in openclsp("check", ".").out
    write(folder, custom_layers__xml=layers)
    ran = openclsp("check", ".").out
    assert "error[undeclared-name]: `width_`" not in ran
    assert "error[undeclared-name]: `height_`" in ran


@pytest.mark.parametrize(
    ("options", "errors"),
    [
        ('[f"-D{name}={n}" for name, n in table.items()]', 0),
        ('"-D%s=%d" % entry', 0),
        ('"-DWIDTH=4"', 1),
    ],
)
def test_a_computed_name_of_a_macro_may_be_any_name(folder, openclsp, options, errors):
    write(
        folder,
        k__cl="kernel void k(global float *x) { for (int i = 0; i < nx; i++) x[i] = i; }\n",
        h__py=f'import pyopencl as cl\ncl.Program(context, open("k.cl").read()).build({options})\n',
    )
    assert openclsp("check", ".").out.count("error[undeclared-name]: `nx`") == errors


def test_a_named_host_file_without_a_kernel_is_said_to_hold_none(folder, openclsp):
    write(folder, a__py="x = 1\n", b__cpp='auto s = "kernel void";\n', c__h="int f(void);\n", d__ipynb="{}")
    ran = openclsp("check", "a.py", "b.cpp", "c.h", "d.ipynb")
    assert ran.code == 0
    assert "a.py holds no kernel in its strings" in ran.err


def test_other_endings_stay_an_error(folder, openclsp):
    write(folder, a__txt=f'"{FAULT}"')
    ran = openclsp("check", "a.txt")
    assert ran.code == 2
    assert "does not have a file ending of OpenCL C" in ran.err


def test_fixes_are_written_in_the_strings(folder, openclsp):
    fault = "kernel void a(global int *x) { int *p = x; p[0] = 1; }"
    python = f'a = "// \\"q\\"\\n{fault}"  # kept \u00e9\r\nb = r"""\r\n{fault}"""\r\n'
    host = f'// \xe9\nconst char *s = "\\t{fault}\\n" /* kept */ "";\n'.encode("latin-1")
    (folder / "a.py").write_bytes(python.encode())
    (folder / "b.c").write_bytes(host)
    ran = openclsp("check", "--fix", "a.py", "b.c")
    assert ran.code == 0
    fixed = fault.replace("int *p", "global int *p")
    assert (folder / "a.py").read_bytes() == python.replace(fault, fixed).encode()
    assert (folder / "b.c").read_bytes() == host.replace(fault.encode(), fixed.encode())


def test_hover_in_a_string(folder, openclsp):
    write(folder, host__c='const char *s = "kernel void a(global int *x) {\\n"\n  "  x[0] = 1;\\n}\\n";\n')
    ran = openclsp("hover", "host.c:2:6")
    assert ran.code == 0
    assert ran.out.startswith("global int *private x")
    assert "host.c:1:" in ran.out
    assert openclsp("hover", "host.c:1:3").code == 2


def test_unknown_parts_are_silent(folder, openclsp):
    source = (
        'def make(t, more):\n    return f"""{more}\nkernel void a(global {t} *x) {{ {t} y = x[0]; f(y); }}"""\n'
        's = "kernel void b(global int *x) {\\n"\nif t: s += "x[0] = 1;"\nelse: s += "x[1] = M;"\ns += tail()\n'
    )
    write(folder, host__py=source)
    ran = openclsp("check", "host.py", "--format", "json")
    assert ran.code == 0
    assert [each for file in json.loads(ran.out)["files"] for each in file["diagnostics"]] == []


def test_a_file_that_is_too_large_is_said(folder, openclsp):
    (folder / "a.c").write_bytes(b'char *s = "' + b"kernel void\\n" * 400_000 + b'";')
    ran = openclsp("check", "a.c")
    assert ran.code == 0
    assert "a.c is larger than 4 MB, so its strings are not searched" in ran.err


CALLS = """void f(cl_program program, cl_int n) {
  cl_kernel k = clCreateKernel(program, "scale", 0);
  clSetKernelArg(k, 0, sizeof(n), &n);
}
"""


def test_calls_are_checked_against_the_kernels_of_the_project(folder, openclsp):
    write(
        folder,
        openclsp__toml="",
        host__c=CALLS,
        scale__cl="kernel void scale(global float *x) { x[0] = 1; }\n",
    )
    ran = openclsp("check", "host.c", "--format", "json")
    assert ran.code == 1
    (file,) = json.loads(ran.out)["files"]
    (error,) = file["diagnostics"]
    assert (file["path"], error["code"]) == ("host.c", "host-argument-kind")
    assert error["range"]["start"] == {"line": 3, "column": 24}
    (related,) = error["related"]
    assert (related["path"], related["range"]["start"]) == ("scale.cl", {"line": 1, "column": 33})
    assert "2 files checked" in openclsp("check", ".").out


def test_calls_and_strings_of_a_file_are_reported_together(folder, openclsp):
    write(folder, host__c=f'const char *s = "{FAULT}";\n{CALLS.replace("scale", "a")}')
    ran = openclsp("check", "host.c", "--format", "json")
    (file,) = json.loads(ran.out)["files"]
    errors = [each["code"] for each in file["diagnostics"] if each["severity"] == "error"]
    assert errors == ["pointer-conversion", "host-argument-kind"]


def test_a_named_host_file_whose_calls_name_no_kernel_is_said_to_hold_none(folder, openclsp):
    write(folder, host__c="void f(cl_kernel k) { clSetKernelArg(k, 0, 4, 0); }\n")
    ran = openclsp("check", "host.c")
    assert ran.code == 0
    assert "host.c holds no kernel in its strings" in ran.err


def test_a_finding_is_at_the_parameter_if_the_caller_is_not_checked(openclsp, write):
    write("openclsp.toml", "")
    write("k.cl", "kernel void k(global int *x) { }\n")
    call = 'void f(cl_int n) { cl_kernel k = clCreateKernel(p, "k", 0);\nclSetKernelArg(k, 0, sizeof(n), &n); }\n'
    write("host.c", call)
    alone = openclsp("check", "k.cl")
    assert "k.cl:1:27: information[host-argument-kind]" in alone.out
    assert "host.c:2:22" in alone.out
    assert alone.code == 0
    both = openclsp("check", ".")
    assert both.out.count("[host-argument-kind]") == 1
    assert "host.c:2:22: error[host-argument-kind]" in both.out
    write("k.cl", "kernel void k(global int *x) { } // openclsp: ignore[host-argument-kind] a reason\n")
    assert "host-argument-kind" not in openclsp("check", "k.cl").out


def test_a_file_with_a_kernel_and_no_call_is_not_said_to_hold_none(openclsp, write):
    write("a.py", "s = 'kernel void a(global int *x) { }'\nk = create_kernel(build(s), name)\n")
    assert "no kernel" not in openclsp("check", "a.py").err


KERNELS = "__kernel void a(__global int *x)\n{\n  __local int *p = x;\n}\n"


def test_kernels_in_a_file_that_is_named_like_host_code_are_said_to_be_unchecked(openclsp, write):
    write("k/a.c", KERNELS)
    write("main.c", "int main(void) { return 0; }\n")
    how = "give --language opencl)"
    ran = openclsp("check", ".")
    assert ran.code == 0
    assert (
        f"k/a.c defines kernels, but its name is that of host code (to check it, name it and {how}" in ran.err
    )
    assert "no kernels (" not in ran.err
    for name in "bcde":
        write(f"k/{name}.h", KERNELS)
    ran = openclsp("check", ".")
    assert "5 files define kernels, but their names are those of host code: " in ran.err
    assert "k/a.c, " in ran.err and " and 2 more (to check them, name them and " + how in ran.err
    ran = openclsp("check", "k/a.c")
    assert ran.code == 0
    assert "k/a.c defines kernels, but its name is that of host code" in ran.err
    assert "error[pointer-conversion]" in openclsp("check", "--language", "opencl", "k/a.c").out


def test_only_kernels_outside_of_strings_and_kernels_are_named_like_host_code(openclsp, write):
    write("a.c", KERNELS)
    write("a.cl", '#include "a.c"\n')
    write("b.cpp", f'const char *s = R"({KERNELS})";\n')
    write("c.cpp", f"const char *s = UNKNOWN_MACRO({KERNELS.replace(',', ';')});\n")
    write("d.h", f"/* {KERNELS} */\n// kernel void a(global int *x)\n")
    write("e.h", "kernel void add(device float *x, constant_t n);\n")
    assert "host code" not in openclsp("check", ".").err
