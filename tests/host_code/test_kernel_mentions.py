"""Names of kernels in host code."""

from __future__ import annotations

import pytest
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.kernel_mentions import find_host_kernels, mention_at

CERTAIN = """
#include <CL/opencl.hpp>
cl_kernel a = clCreateKernel(program, /* the name */ "A", &error);
CHECK(clCreateKernel(program, wide ? "A2" : "A3", &error));
cl::Kernel b(program, "B");
cl::Kernel b2{program, "B2"};
auto c = cl::KernelFunctor<cl::Buffer, std::vector<int>>(program, "C");
cl::make_kernel<cl::Buffer&, cl::Buffer&> d(cl::Kernel(program, std::string("D")));
auto e = std::make_shared<cl::Kernel>(program, "E");
auto f = boost::compute::program::create_with_source(source, context).create_kernel("F");
ocl::Kernel g("G", ocl::core::sum_oclsrc, options);
std::unique_ptr<cl::Kernel> h(new cl::Kernel(program, "H"));
"""
PASSED = """
#include <CL/opencl.hpp>
run("A", 1);
const char *names[] = { "B", "C" };
std::string name = "D";
kernels["E"].setArg(0, x);
R::R() : kernel_(program, "F"), name("G") {}
const char *f() { return "H"; }
"""
OTHERS = """
#include <CL/opencl.hpp>
printf("A"); LOG_INFO << "B"; if (name == "C" || strcmp(name, "D") == 0) options["E"] = x;
// clCreateKernel(program, "F", 0);
clCreateKernel(program, "G" "_float", 0); clCreateKernel(program, ("H" + type).c_str(), 0); clCreateKernel(program, "I" TYPE, 0);
const char *source = R"(clCreateKernel(program, "J", 0))"; switch (c) { case 'K': break; }
EXPECT_EQ(name, "L");
"""
PYTHON = """
import pyopencl as cl
prg = cl.Program(ctx, source).build()
prg.A(queue, n, None, x); b = prg.B
self.program = pyopencl.Program(ctx, source)
self.program.C(queue, n, None, x)
d = cl.Kernel(prg, "D")
e = (cl.Program(ctx, "...")
    .build(options=f(x))
    .E)
"""
PYTHON_PASSED = """
import pyopencl as cl
run(prg, 'A'); get(name="B"); names = ["C", r"D"]; e = getattr(prg, "E"); name = "F"
kernels.G(queue)
"""
PYTHON_OTHERS = '''
import pyopencl as cl
prg = cl.Program(ctx, source).build(); prg.get_info(x); prg.build()
print("A"); "B" + t; "C_%s" % t; x["D"]; "E".format(t); t == "F"; f"G{t}"; np.H(x); self.kernel_name
"""kernels.I(x)""" # kernels.J(x)
'''


def names(source: str, language: HostLanguage) -> list[tuple[str, bool]]:
    return [(each.name, each.is_certain) for each in find_host_kernels(source.encode(), language).mentioned]


@pytest.mark.parametrize(
    ("source", "language", "expected", "certain"),
    [
        (CERTAIN, HostLanguage.CPP, ["A", "A2", "A3", "B", "B2", "C", "D", "E", "F", "G", "H"], True),
        (PASSED, HostLanguage.CPP, ["A", "B", "C", "D", "E", "F", "G", "H"], False),
        (OTHERS, HostLanguage.CPP, [], False),
        (PYTHON, HostLanguage.PYTHON, ["A", "B", "C", "D", "E"], True),
        (PYTHON_PASSED, HostLanguage.PYTHON, ["A", "B", "C", "D", "E", "F", "G"], False),
        (PYTHON_OTHERS, HostLanguage.PYTHON, [], False),
    ],
)
def test_mentions(source: str, language: HostLanguage, expected: list[str], certain: bool) -> None:
    assert names(source, language) == [(name, certain) for name in expected]
    without = source.replace("cl::", "x::").replace("opencl", "x").replace("cl_", "x_")
    assert names(without.replace("clCreate", "x"), language) == []


def test_kernels_that_strings_define() -> None:
    source = (
        b'#include <CL/cl.h>\n/* kernel void no(int x) */\nconst char *a = R"(kernel void a(global int *x) { })";\n'
        b'const char *b = "__kernel\\n"\n  "__attribute__((reqd_work_group_size(8, 1, 1)))\\n" "void b(int x) { }";\n'
        b"const char *c = STRINGIFY(__kernel void c(int x) { });\n"
        b'const char *d = "kernel void d_" T "(int x) { }"; const char *e = "kernel void";\n'
    )
    found = find_host_kernels(source, HostLanguage.CPP).defined
    assert [source[each.start : each.end] for each in found] == [b"a", b"b", b"c"]


def test_the_mention_at_a_place() -> None:
    source = b'auto k = cl::Kernel(program, "add");'
    start = source.index(b"add")
    for offset in range(len(source) + 2):
        found = mention_at(source, HostLanguage.CPP, offset)
        assert (found is not None) == (start <= offset <= start + 3)


@pytest.mark.parametrize(
    "source",
    [
        b'cl::Kernel k(program, "add',
        b'cl::Kernel k(program, R"x(add)y");',
        b"cl::Kernel k(program,\r" * 2000,
        b'cl::Kernel((((((((((((((((((((((((((("add"' + b")" * 50,
        b'"add"',
        b'cl::Kernel ("' + b"a" * 5000 + b'")',
        b'cl::Kernel("\xe9\xff");',
        b"<" * 3000 + b'cl::Kernel>("add")' + b"\0",
    ],
)
def test_broken_host_code(source: bytes) -> None:
    for language in (HostLanguage.CPP, HostLanguage.PYTHON):
        found = find_host_kernels(source + b"cl::ernel", language)
        assert all(source[each.start : each.end].decode() == each.name for each in found.mentioned)
