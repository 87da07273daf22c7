"""Evidence of the language version: each kernel is detected with the listed version and reason."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from openclsp.language.dialect import Dialect
from openclsp.project.option_parser import parse_build_options
from openclsp.source.document import Document
from openclsp.source.preprocessed import Preprocessed
from openclsp.workspace.evidence_scanner import rescan_for_evidence, scan_for_evidence
from openclsp.workspace.unit_preparation import plan_unit

from ..language.clang import QUIETLY, needs_clang, run_clang
from ..semantics.units import unit_of

_MARK = re.compile(r"⟪(.*?)⟫", re.DOTALL)


def reason(source: str, *options: str) -> str:
    """The reason for the program's language version."""
    document = Document.of("untitled:1", source.encode())
    planned = plan_unit(document.name, command_line=parse_build_options(options).options, document=document)
    return planned.unit_config.dialect_explanation


def shown(source: str, what: str, line: int, version: str = "2.0") -> str:
    return f"OpenCL C {version}, because {what} in line {line} requires OpenCL C {version} or later"


DEFAULT = "OpenCL C 1.2, the default of OpenCL compilers"

# The mark is the evidence.
EVIDENCE = {
    "a type": "kernel void k(global ⟪atomic_int⟫ *a) { atomic_store(a, 1); }",
    "a type in a cast": "kernel void k(global int *a) { *(volatile global ⟪atomic_uint⟫ *)a; }",
    "the queue": "kernel void k() { ⟪queue_t⟫ q = get_default_queue(); }",
    "a function": "kernel void k(global int *a) { *a = ⟪work_group_reduce_add⟫(*a); }",
    "a statement": "kernel void k() { if (1) ⟪work_group_barrier⟫(CLK_LOCAL_MEM_FENCE); }",
    "a factor": "kernel void k(global uint *a) { *a = 3 * ⟪ctz⟫(*a); }",
    "a returned call": "size_t f() { return ⟪get_global_linear_id⟫(); }",
    "an enumerator": "#define FENCE(x) x(1, memory_order_relaxed)\nvoid f(int o) { if (o == ⟪memory_order_acquire⟫) o = 1; }",
    "a macro": "void g(int); void f() { g(⟪CLK_IMAGE_MEM_FENCE⟫); }",
    "the reserved qualifier": "kernel void k(global int *a) { ⟪generic⟫ int *p = a; }",
    "its other spelling": "void f(const ⟪__generic⟫ int *p) {}",
    "a pipe": "kernel void k(read_only ⟪pipe⟫ int p) {}",
    "a pipe without access": "kernel void k(global int *a, ⟪pipe⟫ float4 p) {}",
    "an image to read and write": "kernel void k(⟪read_write⟫ image2d_t i) {}",
    "through a macro of the program": "#define COUNTER atomic_int\nkernel void k(global ⟪COUNTER⟫ *a) {}",
    "where a condition holds": "#define FAST 1\n#if FAST\nkernel void k(global ⟪atomic_int⟫ *a) {}\n#endif",
    "in the branch of the older version": "#if __OPENCL_C_VERSION__ < 200\nvoid f(⟪atomic_int⟫ *a) {}\n#endif",
}


@pytest.mark.parametrize("source", EVIDENCE.values(), ids=EVIDENCE)
def test_names_that_are_evidence(source: str) -> None:
    marks = list(_MARK.finditer(source))
    text = _MARK.sub(r"\1", source)
    line = source.count("\n", 0, marks[0].start()) + 1
    name = "atomic_int" if marks[0][1] == "COUNTER" else marks[0][1]
    assert reason(text) == shown(text, f"`{name}`", line)


OF_EXTENSIONS = {
    "kernel void k(global uint4 *o) {\n  o[0] = sub_group_ballot(1); }": "`sub_group_ballot` of `cl_khr_subgroup_ballot`",
    "kernel void k(global int *o) {\n  o[0] = dot_acc_sat_4x8packed_ss_int(1u, 2u, 3); }": (
        "`dot_acc_sat_4x8packed_ss_int` of `cl_khr_integer_dot_product`"
    ),
    "kernel void k(global ulong *o) {\n  o[0] = clock_read_device(); }": (
        "`clock_read_device` of `cl_khr_kernel_clock`"
    ),
    "kernel void k(global int *o) {\n  o[0] = bitfield_insert(1, 2, 3, 4); }": (
        "`bitfield_insert` of `cl_khr_extended_bit_ops`"
    ),
    "kernel void k(read_only image2d_t i, sampler_t s, global float4 *o) {\n"
    "  o[0] = read_imagef(i, s, (float2)(0.f, 1.f), 0.5f); }": "this form of `read_imagef`",
    "kernel void k(write_only image2d_t i) {\n  write_imagef(i, (int2)(0, 0), 1, (float4)(0)); }": (
        "this form of `write_imagef`"
    ),
    "int before(int a);\n#pragma OPENCL EXTENSION cl_khr_subgroup_extended_types : enable\n": (
        "`cl_khr_subgroup_extended_types`"
    ),
    "int before(int a);\nkernel void k(image2d_t read_write i) { }": "`read_write`",
    "int before(int a);\nkernel void k(int n, image3d_t __read_write) { }": "`__read_write`",
}


@pytest.mark.parametrize(("source", "what"), OF_EXTENSIONS.items())
def test_what_comes_with_extensions_of_newer_versions(source: str, what: str) -> None:
    assert reason(source) == shown(source, what, 2)


BLOCKS = {
    "a literal": "void f() {\n  int (^b)(void) = ^{ return 1; };\n}",
    "a literal with parameters": "void f() {\n  int b = (^(int a) { return a; })(1);\n}",
    "a returned literal": "int f() {\n  return ^(int a) { return a; }(1);\n}",
    "a literal with a result type": "void f() {\n  int b = ^int(int a) { return a; }(1);\n}",
    "a qualified block": "\nint (^__constant b)(int) = 0;",
    "a type": "kernel void k() {}\ntypedef int (^block_t)(int);",
}


@pytest.mark.parametrize("source", BLOCKS.values(), ids=BLOCKS)
def test_blocks_are_evidence(source: str) -> None:
    assert reason(source) == shown(source, "the block", 2)


GLOBALS = (
    "global int x;",
    "__global float4 x = (float4)(1);",
    "static global int x[3];",
    "kernel void k() {}\nglobal const volatile unsigned int x, y;",
    "struct S { int n; };\n// …\nglobal struct S x;",
)


@pytest.mark.parametrize("source", GLOBALS)
def test_program_scope_variables_in_global_are_evidence(source: str) -> None:
    line = source.count("\n") + 1
    assert reason(source) == shown(source, "the program-scope `global` variable `x`", line)


NO_EVIDENCE = {
    "comments": "// atomic_int\n/* work_group_barrier(0); */ kernel void k() {}",
    "strings": 'kernel void k() { printf("atomic_int work_group_all(1) ^{"); }',
    "a test of the version": "#if __OPENCL_C_VERSION__ >= 200\nvoid f(atomic_int *a) {}\n#endif",
    "a test of a feature": "#ifdef __opencl_c_generic_address_space\nvoid f(generic int *a) {}\n#endif",
    "an extension that is switched on": "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\nkernel void k() {}",
    "an image read in its old form": "kernel void k(read_only image2d_t i, sampler_t s, global float4 *o) "
    "{ o[0] = read_imagef(i, s, (float2)(0.f, 1.f)); o[1] = read_imagef(i, (int2)(0, 1)); }",
    "an image written in its old form": "kernel void k(write_only image2d_t i) "
    "{ write_imagef(i, (int2)(0, 1), (float4)(0, 1, 2, 3)); }",
    "a function of the program's own": "int bit_reverse(int n) { return n; }\nkernel void k() { bit_reverse(1); }",
    "an extension that is tested": "#ifdef cl_khr_subgroup_ballot\nint x;\n#endif\nkernel void k() {}",
    "an unused macro": "#define STORE(p) atomic_store(p, 1)\nkernel void k() {}",
    "a macro of that name": "#define atomic_int int\nkernel void k(global atomic_int *a) {}",
    "a macro in a branch that is guessed": "#ifdef OLD\n#define atomic_int int\n#endif\nvoid f(atomic_int *a) {}",
    "a type of that name": "typedef int atomic_int;\nkernel void k(global atomic_int *a) {}",
    "a struct of that name": "typedef struct { int n; } queue_t;\nvoid f(queue_t *q) {}",
    "a tag of that name": "struct queue_t { int n; };\nvoid f(struct queue_t *q) {}",
    "a function of that name": "inline int ctz(uint x) { return 31 - clz(x & -x); }\nvoid f(global int *a) { *a = ctz(*a); }",
    "declared after its use": "void f(global int *a) { *a = ctz(*a); }\nint ctz(uint x);",
    "a function with attributes": "int __attribute__((overloadable)) ctz(uint x);\nvoid f() { ctz(1); }",
    "a function that gives a pointer": "global int *to_global(int x);\nvoid f() { to_global(1); }",
    "a variable of that name": "void f() { int ctz = 1; ctz = ctz + 1; }",
    "a parameter of that name": "void f(int pipe, float *memory_order) { pipe = *memory_order; }",
    "members of that name": "struct s { int pipe, ctz; };\nvoid f(struct s *s) { s->pipe = s->ctz; }",
    "enumerators of that name": "enum { memory_order_relaxed, last };\nvoid f(int x) { x = memory_order_relaxed; }",
    "exclusive or": "int f(int a, int b) { a = a ^ (b); a ^= (b); return (a)^(b); }",
    "an operator as an argument": "APPLY(^, a); APPLY(a, ^, b);",
    "parameters in global": "kernel void k(global int *a,\n  global int *b) { global int *c = a; }",
    "functions that give global pointers": "global int *f(global int *a) { return a; }",
    "a pointer without a space of its own": "global int *p;",
    "atomic functions of 1.1": "kernel void k(global int *a) { atomic_add(a, 1); atomic_cmpxchg(a, 1, 2); }",
    "what sub-group extensions have": "kernel void k() { sub_group_all(1); get_sub_group_size(); }",
    "half, double and depth images": "kernel void k(global half *h, double d, read_only image2d_depth_t i) {}",
}


@pytest.mark.parametrize("source", NO_EVIDENCE.values(), ids=NO_EVIDENCE)
def test_what_is_no_evidence(source: str) -> None:
    assert reason(source) == DEFAULT


MIXED = """\
#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
kernel void k(global int *n, global atomic_int *a) {
    atom_add(n, 1);
    atomic_add(n, 1);
    atomic_store_explicit(a, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
}
"""


def test_of_mixed_versions_the_lowest_that_has_all_counts() -> None:
    assert reason(MIXED) == shown(MIXED, "`atomic_int`", 2)
    newer = MIXED.replace("memory_scope_device", "memory_scope_all_devices")
    assert reason(newer) == shown(newer, "`memory_scope_all_devices`", 5, "3.0")


@pytest.mark.parametrize("option", ["-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"])
def test_a_version_that_an_option_says_counts(option: str) -> None:
    assert "because" not in reason(MIXED, option)


def test_other_options_stay_what_they_are() -> None:
    document = Document.of("untitled:1", MIXED.encode())
    options = parse_build_options(["-DN=3", "-cl-ext=-cl_khr_fp64"]).options
    planned = plan_unit(document.name, command_line=options, document=document)
    configuration = planned.unit_config.configuration
    assert configuration.dialect.version == 200
    assert configuration.defines == (("N", "3"),)
    assert "cl_khr_fp64" not in configuration.dialect.extensions
    assert planned.unit_config.origins.defines == ("on the command line",)


def test_defines_of_options_are_seen() -> None:
    source = "#ifdef ATOMIC\nvoid f(atomic_int *a) {}\n#endif"
    assert reason(source) == DEFAULT
    assert reason(source, "-DATOMIC") == shown(source, "`atomic_int`", 2)
    assert reason("void f(atomic_int *a) {}", "-Datomic_int=int") == DEFAULT


def test_unbalanced_braces_do_not_hide_evidence() -> None:
    source = dedent(
        """\
        void f() { if (1) {
        }
        void g() { work_group_barrier(1); }
        """
    )
    assert reason(source) == shown(source, "`work_group_barrier`", 3)


@needs_clang
@pytest.mark.parametrize("source", [*EVIDENCE.values(), *BLOCKS.values(), *GLOBALS, MIXED])
def test_clang_takes_these_kernels_from_their_version_on(source: str) -> None:
    text = _MARK.sub(r"\1", source)
    assert run_clang(Dialect.of("CL1.2"), text, *QUIETLY).returncode != 0
    assert run_clang(Dialect.of("CL2.0"), text, *QUIETLY).stderr.count("error:") == 0


def test_an_edit_behind_a_spliced_line_of_a_comment_is_no_evidence() -> None:
    r"""The rescanned lines begin outside of the comment, also if `\` joins two of its lines."""

    def unit(text: bytes) -> Preprocessed:
        return unit_of(text).preprocessed

    comment = b"/*\n a \\\n b\n a + 1}^{ b\n" + b" some thirty bytes of a comment\n" * 9 + b"*/ int x;\n"
    before, after = unit(comment + b"int y;\n"), unit(comment + b"int z;\n")
    assert rescan_for_evidence(scan_for_evidence(before.text), before, after) == scan_for_evidence(after.text)
