"""What host code passes, against the kernels of the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.host_code.host_language import HostLanguage
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.ide.host_contract.kernel_signature import KernelSignature
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.signature_reading import generates_kernels, read_signatures
from openclsp.project.project_scan import scan_project
from openclsp.source.document import Document


def signatures(text: str) -> list[KernelSignature]:
    return list(read_signatures(Document.of("/nowhere/k.cl", text.encode())))


def kinds(text: str) -> list[str] | None:
    (signature,) = signatures(text)
    if signature.parameters is None:
        return None
    return [f"{each.kind.name} {each.size or ''}".strip() for each in signature.parameters]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("void", []),
        ("", []),
        ("__global const float *restrict a, constant int b[4]", ["BUFFER", "BUFFER"]),
        ("__local float4 *row, unsigned int n, unsigned x", ["LOCAL", "VALUE 4", "VALUE 4"]),
        ("float3 a, long b, half c, uchar d", ["VALUE 16", "VALUE 8", "VALUE 2", "VALUE 1"]),
        ("read_only image2d_t i, const sampler_t s", ["IMAGE", "SAMPLER"]),
        ("global int *a __attribute__((aligned(16))), int /* , */ b", ["BUFFER", "VALUE 4"]),
        ("MEMORY float *a, real b", ["UNKNOWN", "UNKNOWN"]),
        ("pipe int p, unsigned long int q", ["UNKNOWN", "VALUE 8"]),
        ("ARGUMENTS", None),
        ("ARGUMENT(int, x)", None),
        ("int a\n#ifdef B\n, int b\n#endif\n", None),
    ],
)
def test_parameters_are_read_as_they_are_written(parameters: str, expected: list[str] | None) -> None:
    assert kinds(f"kernel void k({parameters}) {{ }}") == expected


def test_the_required_work_group_is_read_on_both_sides_of_the_word() -> None:
    before = "__attribute__((reqd_work_group_size(8, 4, 1)))\n__kernel void a(int n) { }\n"
    after = (
        "kernel __attribute__((reqd_work_group_size(2, 2, 2))) void b(int n) { }\nkernel void c(int n) { }\n"
    )
    assert [each.work_group for each in signatures(before + after)] == [(8, 4, 1), (2, 2, 2), ()]


def test_declarations_and_calls_are_no_definitions() -> None:
    assert signatures("kernel void k(int n);\nvoid f(void) { k(1); }\n// kernel void c(int n) { }\n") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kernel void k(int n) { }", False),
        ("#define K(n) kernel void n##_k(int x) { }", True),
        ("kernel void NAME(float)(int x) { }", True),
        ("kernel void ${name}(int x) { }", True),
    ],
)
def test_names_that_macros_make_are_noticed(text: str, expected: bool) -> None:
    assert generates_kernels(text.encode()) == expected


def refined(text: str) -> list[str]:
    document = Document.of("/nowhere/k.cl", text.encode())
    (signature,) = read_signatures(document)
    found = TypeReader().refined(document, signature).parameters
    assert found is not None
    return [each.kind.name if each.size is None else f"{each.kind.name} {each.size}" for each in found]


def test_types_of_the_program_are_known_if_they_are_the_same_in_every_build() -> None:
    assert refined("typedef uint u32;\nkernel void k(u32 n) { }") == ["VALUE 4"]
    assert refined("#define REAL float4\nkernel void k(REAL n) { }") == ["VALUE 16"]
    assert refined("typedef struct { float4 a; int b; } P;\nkernel void k(P p) { }") == ["VALUE 32"]
    assert refined("struct P { float4 a; int b; };\nkernel void k(struct P p) { }") == ["VALUE 32"]


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef DOUBLE\ntypedef double real;\n#else\ntypedef float real;\n#endif\nkernel void k(real n) { }",
        "#ifndef REAL\n#define REAL float\n#endif\nkernel void k(REAL n) { }",
        "#ifdef A\n#define N 2\n#endif\ntypedef struct { int a[N]; } P;\nkernel void k(P p) { }",
        "kernel void k(REAL n) { }",
        "typedef size_t number;\nkernel void k(number n) { }",
    ],
)
def test_types_that_a_build_may_change_are_unknown(text: str) -> None:
    assert refined(text)[0] in ("UNKNOWN", "VALUE")


HOST = """void f(cl_program program, cl_int n) {
  cl_kernel k = clCreateKernel(program, "k", 0);
  clSetKernelArg(k, 0, sizeof(n), &n);
}
"""


def check(folder: Path, host: str = HOST, name: str = "host.c") -> list[str]:
    (folder / "openclsp.toml").touch()
    document = Document.of(str(folder / name), host.encode())
    contracts = HostContracts()
    contracts.update(scan_project(str(folder)), {})
    language = HostLanguage.PYTHON if name.endswith(".py") else HostLanguage.C
    return [each.code for each in contracts.check(document, language).diagnostics]


def test_a_kernel_of_the_project_is_found_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    assert check(tmp_path) == ["host-argument-kind"]


def test_definitions_that_differ_are_unknown_where_they_differ(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    (tmp_path / "b.cl").write_text("kernel void k(int x) { }\n")
    assert check(tmp_path) == []
    (tmp_path / "b.cl").write_text("kernel void k(constant int *x) { }\n")
    assert check(tmp_path) == ["host-argument-kind"]


def test_the_file_that_the_host_names_counts_before_others(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    (tmp_path / "b.cl").write_text("kernel void k(int x) { }\n")
    assert check(tmp_path, HOST + 'const char *file = "a.cl";\n') == ["host-argument-kind"]
    assert check(tmp_path, HOST + 'const char *file = "b.cl";\n') == []


def test_a_file_of_another_example_is_not_the_one_that_a_host_names(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    (tmp_path / "first" / "a.cl").write_text("kernel void k(global int *x) { }\n")
    (tmp_path / "first" / "main.c").write_text('void f() { load("a.cl"); }\n')
    host = HOST + 'const char *file = "./a.cl";\n'
    assert check(tmp_path, host, "second/host.c") == []
    assert check(tmp_path, host.replace("./a", "../first/a"), "second/host.c") == ["host-argument-kind"]
    assert check(tmp_path, host, "host.c") == ["host-argument-kind"]
    (tmp_path / "first" / "main.c").write_text("void f() { }\n")
    assert check(tmp_path, host, "second/host.c") == ["host-argument-kind"]


def test_a_host_that_loads_binaries_is_checked_only_against_files_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    for text in (
        "clCreateProgramWithBinary();",
        "device.load_xclbin(path);",
        "xrt::device d;",
        "Program::Binaries b;",
    ):
        binary = f"void g() {{ {text} }}\n"
        assert check(tmp_path, HOST + binary) == []
        assert check(tmp_path, HOST + binary + "// see a.cl\n") == []
        assert check(tmp_path, HOST + binary + 'const char *source = "a.cl";\n') == ["host-argument-kind"]
    assert check(tmp_path, HOST + "// see a.cl\n") == ["host-argument-kind"]


def test_a_kernel_of_intermediate_code_may_have_the_name_of_one_in_a_string(tmp_path: Path) -> None:
    string = 'const char *s = "kernel void k(global int *x) { }";\n'
    assert check(tmp_path, HOST + string) == ["host-argument-kind"]
    for text in ("clCreateProgramWithIL(c, data, n, 0);", "clCreateProgramWithILKHR(c, data, n, 0);"):
        assert check(tmp_path, HOST + string + f"void g() {{ {text} }}\n") == []


def test_a_program_of_pyopencl_may_be_made_of_binaries(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    host = "import pyopencl as cl\np = cl.Program({})\np.k(q, (1,), None, x, y)\n"
    assert check(tmp_path, host.format("c, text"), "host.py") == ["host-argument-count"]
    assert check(tmp_path, host.format("c, text, cache_dir=x"), "host.py") == ["host-argument-count"]
    assert check(tmp_path, host.format("c, [d], [data]"), "host.py") == []
    assert check(tmp_path, host.format("c, devices, binaries"), "host.py") == []


def test_an_object_of_a_program_from_binaries_is_not_checked(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    call = "k = program.k\nk(queue, (1,), None, 1, 2)\n"
    built = "program = cl.Program(context, source)\n" + call
    loaded = "program = cl.Program(context, [device], [data])\n" + call
    assert check(tmp_path, "import pyopencl as cl\n" + built, "host.py") == ["host-argument-count"]
    assert check(tmp_path, "import pyopencl as cl\n" + loaded, "host.py") == []


def test_a_kernel_in_a_string_of_another_host_file_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    (tmp_path / "other.c").write_text('const char *s = "kernel void k(int x) { }";\n')
    assert check(tmp_path) == []


def test_ignore_comments_and_severities_apply(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x) { }\n")
    ignored = HOST.replace("&n);", "&n); // openclsp: ignore[host-argument-kind] a reason")
    assert check(tmp_path, ignored) == []
    (tmp_path / "openclsp.toml").write_text('[severity]\nhost-argument-kind = "off"\n')
    assert check(tmp_path) == []


def test_a_misspelt_name_is_reported_only_if_all_programs_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void convolve(global int *x) { }\n")
    host = 'void f(cl_program p) { load("a.cl"); clCreateKernel(p, "convovle", 0); }\n'
    assert check(tmp_path, host) == ["host-kernel-name"]
    assert check(tmp_path, host + 'void g() { load("missing.cl"); }\n') == []
    assert check(tmp_path, host.replace("convovle", "other")) == []
    (tmp_path / "b.cl").write_text("#define K(a) kernel void a(int x) { }\nK(convovle)\n")
    assert check(tmp_path, host) == []


def test_numbers_that_pyopencl_converts_have_any_size(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(global int *x, int n) { }\n")
    host = "import pyopencl as cl\nimport numpy as np\np = cl.Program(c, open('a.cl').read()).build()\n"
    call = "p.k(q, (1,), None, x, np.int64(1))\n"
    assert check(tmp_path, host + call, "host.py") == ["host-argument-size"]
    assert check(tmp_path, host + "p.k.set_scalar_arg_dtypes([None, np.int32])\n" + call, "host.py") == []
    types = "p.k.set_scalar_arg_dtypes([np.int32, None])\n"
    assert check(tmp_path, host + types, "host.py") == ["host-argument-kind"]


def test_a_number_type_of_numpy_may_make_an_array(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text("kernel void k(int4 v) { }\nkernel void s(long n) { }\n")
    host = "import pyopencl as cl\nimport numpy as np\np = cl.Program(c, open('a.cl').read()).build()\n"
    for call, expected in (
        ("p.k(q, (1,), None, np.int32(shape))", []),
        ("p.k(q, (1,), None, np.int32(3))", ["host-argument-size"]),
        ("p.k(q, (1,), None, np.int32(len(shape)))", ["host-argument-size"]),
        ("p.s(q, (1,), None, np.int32(n))", ["host-argument-size"]),
        ("p.k(q, (1,), None, np.float64(n))", []),
    ):
        assert check(tmp_path, f"{host}{call}\n", "host.py") == expected, call
