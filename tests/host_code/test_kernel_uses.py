"""The kernels that host code names, and what it passes to them."""

from __future__ import annotations

import json

import pytest
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_words import may_use_kernel
from openclsp.host_code.kernel_calls.kernel_use_finder import find_kernel_uses
from openclsp.host_code.kernel_calls.kernel_uses import (
    ArgumentList,
    ArgumentSet,
    KernelLaunch,
    KernelUse,
    KernelUses,
    ListForm,
    PassedValue,
)


def of_c(text: str) -> KernelUses:
    return find_kernel_uses(text.encode(), HostLanguage.C)


def of_cpp(text: str) -> KernelUses:
    return find_kernel_uses(text.encode(), HostLanguage.CPP)


def of_python(text: str) -> KernelUses:
    return find_kernel_uses(
        ("import pyopencl as cl\nimport numpy as np\n" + text).encode(), HostLanguage.PYTHON
    )


def shown(use: KernelUse) -> tuple[object, ...]:
    """The kernel of a use, and what it passes."""
    if isinstance(use, ArgumentSet):
        return use.kernel.name, use.index, brief(use.value)
    if isinstance(use, ArgumentList):
        return use.kernel.name, use.form, *(brief(each.value) for each in use.arguments)
    return use.kernel.name, use.work_group


def brief(value: PassedValue) -> str:
    size = "" if value.size is None else f" {value.size}"
    return f"{value.kind.name}{size} {value.type_name}".strip()


def all_shown(uses: KernelUses) -> list[tuple[object, ...]]:
    return [shown(each) for each in uses.uses]


def test_the_calls_of_the_c_interface_are_read():
    uses = of_c("""
        struct P { cl_int a; cl_float4 b; };
        void f(cl_mem x) {
          cl_uint i = 0; float alpha; size_t local[2] = {16, 8}; struct P p; cl_mem many[4];
          cl_kernel k = clCreateKernel(program, "vadd", &err);
          err  = clSetKernelArg(k, i++, sizeof(cl_mem), (void *)&x);
          err |= clSetKernelArg(k, i++, sizeof(alpha), &alpha);
          if (clSetKernelArg(k, i++, 16 * sizeof(cl_float), NULL) != CL_SUCCESS) return;
          CHECK(clSetKernelArg(k, i++, sizeof p, &p));
          clSetKernelArg(k, i, sizeof(cl_mem), &many[2]);
          clSetKernelArgSVMPointer(k, 5, shared);
          clEnqueueNDRangeKernel(queue, k, 2, NULL, global, local, 0, NULL, NULL);
        }""")
    assert all_shown(uses) == [
        ("vadd", 0, "MEMORY cl_mem"),
        ("vadd", 1, "VALUE 4 float"),
        ("vadd", 2, "LOCAL 64 NULL"),
        ("vadd", 3, "VALUE 32 P"),
        ("vadd", 4, "MEMORY cl_mem"),
        ("vadd", 5, "SHARED"),
        ("vadd", (16, 8)),
    ]
    assert len(uses.closed_holders) == 1


def test_the_name_of_a_kernel_has_the_place_of_its_letters():
    text = 'cl_kernel k = clCreateKernel(program, "vadd", 0);'
    (mention,) = of_c(text).mentions
    assert text[mention.span.start : mention.span.end] == mention.name == "vadd"


def test_an_index_that_a_loop_or_a_branch_changes_is_unknown():
    uses = of_c("""
        void f(void) {
          cl_kernel k = clCreateKernel(program, "f", 0); int i = 0;
          if (flag) clSetKernelArg(k, i++, sizeof(cl_int), &a);
          clSetKernelArg(k, i++, sizeof(cl_int), &a);
          i = 3;
          for (int n = 0; n < 2; n++) { clSetKernelArg(k, i++, sizeof(cl_int), &a); }
        }""")
    assert [each.index for each in uses.uses if isinstance(each, ArgumentSet)] == [0, None, None]


def indices_of(uses: KernelUses) -> list[int | None]:
    return [each.index for each in uses.uses if isinstance(each, ArgumentSet)]


@pytest.mark.parametrize(
    ("before", "between", "expected"),
    [
        ("", "tensor.set_arg(k, i);", None),
        ("", "add(k, i);", None),
        ("void add(cl::Kernel &k, int &i);", "add(k, i);", None),
        ("void add(cl::Kernel &k, const int &i, int n);", "add(k, i, i);", 1),
        ("int next(int i) { return i; }", "next(i);", 1),
        ("", "k.setArg(2, i);", 1),
        ("#define ADD(x) k.setArg(i++, x)", "ADD(3);", None),
        ("#define SHOW(x) print(x == 2)", "SHOW(3);", 1),
        ('#include "macros.h"', "NEXT(k, 3);", None),
        ('#include "macros.h"', "SET_ARG(3);", None),
        ('#include "macros.h"', "CHECK(status);", 1),
        ('#include "macros.h"', "CHECK(k.setArg(2, v));", 1),
        ("", "auto add = [&](float x) { k.setArg(i++, x); }; add(1);", None),
        ("", "auto show = [=](float x) { print(i); }; show(1);", 1),
        ("", "int &other = i; other++;", None),
        ("", 'printf("%d", i);', 1),
    ],
)
def test_an_index_that_a_call_may_change_is_unknown(before, between, expected):
    text = (
        before
        + """
        void f(cl::Program p, float v) {
          cl::Kernel k(p, "f"); int i = 0;
          k.setArg(i++, v);
          BETWEEN
          k.setArg(i++, v);
        }"""
    )
    assert indices_of(of_cpp(text.replace("BETWEEN", between)))[-1] == expected


def test_an_index_that_another_function_may_change_is_unknown():
    text = """
        int i;
        void f(void) {
          cl_kernel k = clCreateKernel(program, "f", 0);
          i = 0;
          clSetKernelArg(k, i++, sizeof(cl_int), &a);
          clSetKernelArg(k, i++, sizeof(cl_int), &a);
          add();
          clSetKernelArg(k, i++, sizeof(cl_int), &a);
        }"""
    assert indices_of(of_c(text)) == [0, 1, None]
    assert indices_of(of_c(text.replace("int i;", "").replace("i = 0", "int i = 0"))) == [0, 1, 2]


def test_a_kernel_that_is_chosen_at_run_time_is_unknown():
    uses = of_c("""
        void f(cl_kernel other) {
          cl_kernel k;
          if (flag) k = clCreateKernel(program, "one", 0); else k = clCreateKernel(program, "two", 0);
          clSetKernelArg(k, 0, sizeof(cl_int), &a);
          clSetKernelArg(other, 0, sizeof(cl_int), &a);
          cl_kernel n = clCreateKernel(program, name, 0);
          clSetKernelArg(n, 0, sizeof(cl_int), &a);
        }""")
    assert uses.uses == ()
    assert [each.name for each in uses.mentions] == ["one", "two"]
    assert uses.argument_calls == 3


def test_a_kernel_of_the_file_is_known_in_all_functions_if_it_is_set_once():
    uses = of_c("""
        static cl_kernel k, twice;
        void make(struct s *s) {
          k = clCreateKernel(program, "one", 0); s->member = clCreateKernel(program, "two", 0);
          twice = clCreateKernel(program, "a", 0);
        }
        void again(void) { twice = clCreateKernel(program, "b", 0); }
        void run(struct s *other) {
          clSetKernelArg(k, 0, sizeof(cl_int), &a);
          clSetKernelArg(other->member, 0, sizeof(cl_int), &a);
          clSetKernelArg(twice, 0, sizeof(cl_int), &a);
        }""")
    assert [each.kernel.name for each in uses.uses] == ["one", "two"]


def test_the_classes_of_c_plus_plus_are_read():
    uses = of_cpp("""
        struct A {
          A() : kernel_(program, "member") {}
          cl::Kernel kernel_;
          void run() { kernel_.setArg(0, sizeof(int), &n); this->kernel_.setArg(1, 1u); }
          int n;
        };
        void f() {
          cl::Buffer a(context, CL_MEM_READ_ONLY, n);
          cl::Kernel k(program, "vadd");
          k.setArg(0, a); k.setArg(1, 3.0f); k.setArg(2, cl::Local(64 * 4)); k.setArg(3, static_cast<cl_int>(n));
          queue.enqueueNDRangeKernel(k, cl::NullRange, cl::NDRange(n), cl::NDRange(16 /* wide */, 4));
          cl::make_kernel<cl::Buffer, int, cl::LocalSpaceArg> mm(program, "mmul");
          auto x = cl::KernelFunctor<cl::Buffer &, float>(cl::Kernel(program, "fun"));
          auto y = cl::make_kernel<int, /*cl::Buffer,*/ cl::Buffer // float,
            >(program, "commented");
        }""")
    assert all_shown(uses) == [
        ("member", 0, "VALUE 4 int"),
        ("member", 1, "VALUE 4 unsigned int"),
        ("vadd", 0, "BUFFER cl::Buffer"),
        ("vadd", 1, "VALUE 4 float"),
        ("vadd", 2, "LOCAL 256 NULL"),
        ("vadd", 3, "VALUE 4 cl_int"),
        ("vadd", (16, 4)),
        ("mmul", ListForm.FUNCTOR, "BUFFER cl::Buffer", "VALUE 4 int", "LOCAL cl::LocalSpaceArg"),
        ("fun", ListForm.FUNCTOR, "BUFFER cl::Buffer", "VALUE 4 float"),
        ("commented", ListForm.FUNCTOR, "VALUE 4 int", "BUFFER cl::Buffer"),
    ]


def test_the_calls_of_pyopencl_are_read():
    uses = of_python("""
import pyopencl.array as cl_array
prg = cl.Program(ctx, source).build()
a = cl.Buffer(ctx, 0, 5)
prg.sum(queue, (5,), (16, 16), a, np.int32(5), cl.LocalMemory(64), None)
k = prg.foo
k.set_scalar_arg_dtypes([None, np.int32])
k.set_args(a, 5)
cl.Kernel(prg, "bar").set_arg(0, a)
class X:
    def __init__(self):
        self.p = cl.Program(ctx, s).build()
    def f(self):
        d = cl_array.to_device(q, x)
        self.p.baz(q, (5,), None, d.data, *args)
""")
    assert all_shown(uses) == [
        ("sum", ListForm.CALL, "BUFFER", "VALUE 4 np.int32", "LOCAL 64 LocalMemory", "NULL"),
        ("sum", (16, 16)),
        ("foo", ListForm.NUMBER_TYPES, "UNKNOWN", "VALUE 4 np.int32"),
        ("foo", ListForm.SET_ALL, "BUFFER", "VALUE number"),
        ("bar", 0, "BUFFER"),
        ("baz", ListForm.CALL, "BUFFER"),
        ("baz", ()),
    ]
    (last,) = [each for each in uses.uses if isinstance(each, ArgumentList) and each.kernel.name == "baz"]
    assert not last.is_whole


def test_a_backslash_at_the_end_of_a_line_is_no_argument():
    uses = of_python("""
prg = cl.Program(ctx, source).build()
prg.sum(queue, (5,), None,\\
        np.int32(5), \\
        cl.LocalMemory(64)).wait()
k = prg.foo
k.set_args(5,\\
           6)
""")
    assert all_shown(uses) == [
        ("sum", ListForm.CALL, "VALUE 4 np.int32", "LOCAL 64 LocalMemory"),
        ("sum", ()),
        ("foo", ListForm.SET_ALL, "VALUE number", "VALUE number"),
    ]


def test_methods_of_a_program_and_other_objects_are_no_kernels():
    uses = of_python("""
prg = cl.Program(ctx, source)
prg.build(a, b, c, d)
other.sum(queue, (5,), None, 1)
def f(prg):
    prg.sum(queue, (5,), None, 1)
""")
    assert uses.uses == ()


def test_an_object_that_other_code_gets_is_not_closed():
    uses = of_c("""
        void f(void) {
          cl_kernel k = clCreateKernel(program, "f", 0);
          set_rest(k);
          clEnqueueNDRangeKernel(queue, k, 1, NULL, &g, NULL, 0, NULL, NULL);
        }""")
    assert any(isinstance(each, KernelLaunch) for each in uses.uses)
    assert uses.closed_holders == frozenset()


def test_a_file_without_the_words_of_such_calls_is_not_parsed():
    assert not may_use_kernel(b"void kernel_panic(void) { setup(); }")
    assert of_c("void kernel_panic(void) { setup(); }") == KernelUses()


def test_code_after_a_syntax_error_is_read():
    uses = of_c("""
        void g( { x = (3; }
        void f(void) { cl_kernel k = clCreateKernel(p, "f", 0); clSetKernelArg(k, 0, sizeof(cl_int), &x); }""")
    assert ("f", 0, "VALUE 4") in all_shown(uses)


def notebook(*cells: str) -> bytes:
    found = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": found}, indent=1).encode()


def test_the_calls_of_a_notebook_are_at_their_places():
    data = notebook(
        "%matplotlib inline\nimport pyopencl as cl\nprg = cl.Program(ctx, '...').build()",
        "%%bash\nprg.skipped(queue, (1,), None, 1)",
        "%%cl_kernel\nkernel void direct(int n) { }",
        "# don't \u00e9\nprg.scale(queue, (5,), None, np.int32(1))",
        "direct(queue, (5,), None, np.float64(1))",
    )
    uses = find_kernel_uses(data, HostLanguage.NOTEBOOK)
    lists = [each for each in uses.uses if isinstance(each, ArgumentList)]
    assert [each.kernel.name for each in lists] == ["scale", "direct"]
    for each, written in zip(lists, (b"np.int32(1)", b"np.float64(1)"), strict=True):
        (argument,) = each.arguments
        assert data[slice(*argument.span)] == written
        assert data[slice(*each.kernel.span)] == each.kernel.name.encode()


def test_a_member_of_a_kernel_object_is_not_another_object_s_member():
    """The wrapper of a kernel has a member `kernel`, and so has the structure that contains the wrappers."""
    uses = of_c("""
        void f(struct app *a) {
          a->kernel = my_create_kernel(program, "one");
          a->other_kernel = my_create_kernel(program, "two");
          clSetKernelArg(a->kernel, 0, sizeof(cl_int), &n);
        }
        void g(struct app *a) {
          clSetKernelArg(a->kernel, 1, sizeof(cl_int), &n);
          clSetKernelArg(a->other_kernel.kernel, 0, sizeof(cl_int), &n);
          clSetKernelArg(a->kernel.kernel, 2, sizeof(cl_int), &n);
        }
        """)
    assert all_shown(uses) == [("one", 0, "VALUE 4"), ("one", 1, "VALUE 4")]


def test_a_member_on_another_path_from_the_same_variable_is_another_object():
    uses = of_c("""
        void f(struct app *a) { a->kernel = clCreateKernel(program, "one", 0); }
        void g(struct app *a) { clSetKernelArg(a->mouse.kernel, 0, sizeof(cl_int), &n); }
        void h(struct tool *t) { clSetKernelArg(t->kernel, 0, sizeof(cl_int), &n); }
        void i(struct tool *t) { clSetKernelArg(t->app.kernel, 1, sizeof(cl_int), &n); }
        """)
    assert all_shown(uses) == [("one", 0, "VALUE 4"), ("one", 1, "VALUE 4")]


def test_a_member_that_is_released_by_a_macro_stays_closed():
    text = """
        C::C() : k_(NULL) { k_ = clCreateKernel(program, "f", 0); }
        C::~C() { if (k_) RELEASE_KERNEL(k_); }
        void C::run() { clSetKernelArg(k_, 0, sizeof(cl_mem), &a); clEnqueueTask(queue, k_, 0, NULL, NULL); }
        """
    assert of_cpp(text).closed_holders == {"k_"}
    assert of_cpp(text.replace("RELEASE_KERNEL", "give")).closed_holders == frozenset()
    for launch in ("enqueueTask(k)", "enqueue_1d_range_kernel(k, 0, 16, 0)"):
        uses = of_cpp(f'void f() {{ cl::Kernel k(program, "f"); k.setArg(0, a); queue.{launch}; }}')
        assert len(uses.closed_holders) == 1
        assert isinstance(uses.uses[-1], KernelLaunch)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#if 0\n{call}\n#endif", []),
        ("# if 0 // old\n{call}\n#else\n#endif", []),
        ("#if 0\n#else\n{call}\n#endif", [2]),
        ("#if 0\n#if A\n#else\n{call}\n#endif\n{call}\n#endif", []),
        ("#if 0\n#elif B\n{call}\n#endif", [2]),
        ("#if 01\n{call}\n#endif", [2]),
        ("#ifdef A\n{call}\n#endif", [2]),
    ],
)
def test_code_under_if_0_calls_nothing(text: str, expected: list[int]) -> None:
    call = "clSetKernelArg(k, 2, sizeof n, &n);"
    host = f'void f(void) {{ int n; cl_kernel k = clCreateKernel(p, "k", 0);\n{text.replace("{call}", call)}\n}}\n'
    assert indices_of(of_c(host)) == expected
