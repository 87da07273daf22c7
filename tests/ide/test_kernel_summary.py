"""Kernel summaries: argument spaces, local and constant memory along the calls, and functions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from openclsp.ide.kernels.kernel_memory import KernelMemory, total_known_bytes
from openclsp.ide.kernels.kernel_summary import compute_kernel_summaries, find_first_lines
from openclsp.ide.kernels.kernel_text import format_constant_memory, format_lens_title, format_local_memory
from openclsp.semantics.translation_unit import TranslationUnit

from ..semantics.units import unit_of
from .units import analyse

LLC = shutil.which("clang-22")


def memories(folder: Path, text: str, version: str = "CL2.0") -> dict[str, KernelMemory]:
    """The memory of each kernel of a program, by name."""
    unit = analyse(folder, text, {"openclsp.toml": f'language-version = "{version}"\n'})
    return {each.memory.name: each.memory for each in compute_kernel_summaries(unit)}


def memory(folder: Path, text: str, version: str = "CL2.0") -> KernelMemory:
    """The memory of the kernel `k`."""
    return memories(folder, text, version)["k"]


def sizes(objects: object) -> dict[str, int | None]:
    """The size of each variable in bytes, by the names of its function and itself."""
    assert isinstance(objects, tuple)
    return {
        f"{function}.{each.name}".strip("."): None if each.layout is None else each.layout.size
        for function, each in objects
    }


def test_the_spaces_of_the_arguments(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "typedef struct { global int *data; int n; } buffer;\n"
        "kernel void k(global int *g, constant float4 *c, local char *l, int n, read_only image2d_t i,\n"
        "              sampler_t s, buffer b, global int *global *gg) {}\n",
    )
    assert [(each.name, [space.word for space in each.spaces], each.size) for each in found.arguments] == [
        ("g", ["global"], 8),
        ("c", ["constant"], 8),
        ("l", ["local"], 8),
        ("n", [], 4),
        ("i", [], 8),
        ("s", [], 8),
        ("b", ["global"], 16),
        ("gg", ["global"], 8),
    ]
    assert [space.word for space in found.spaces] == ["global", "local", "constant"]
    assert [each.name for each in found.local_arguments] == ["l"]
    assert [each.name for each in found.constant_arguments] == ["c"]


def test_local_memory_along_the_calls(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "#define TILE 8\n"
        "typedef struct { float3 p; char tag; } node;\n"
        "kernel void other(void) { local int not_reached[100]; }\n"
        "kernel void inner(local int *x) { local short s[3]; s[0] = 1; }\n"
        "void helper(local int *x) { inner(x); }\n"
        "kernel void k(void) {\n"
        "    local node nodes[TILE * 2 + 1], one;\n"
        "    local float tile[TILE][TILE + 1];\n"
        "    { local int3 deep[2]; }\n"
        "    local char *pointer;\n"
        "    local int *local held;\n"
        "    helper(held);\n"
        "}\n",
    )
    assert sizes(found.local) == {
        "k.nodes": 17 * 32,
        "k.one": 32,
        "k.tile": 8 * 9 * 4,
        "k.deep": 2 * 16,
        "k.held": 8,
        "inner.s": 6,
    }
    assert total_known_bytes(found.local) == 17 * 32 + 32 + 288 + 32 + 8 + 6
    assert found.functions == ("helper", "inner")
    assert found.is_complete


@pytest.mark.parametrize(
    "declaration, why",
    [
        ("local int a[TILE];", "`TILE` is not known here"),
        ("local int a[ROWS][COLUMNS + 1];", "`ROWS`, `COLUMNS` are not known here"),
        ("local REAL a[4];", "its type is not known here"),
        ("local int a[n];", "its size is not a constant"),
        ("struct s; local struct s a;", "the size of `struct s` is not known here"),
        ("local struct { TILE t; } a;", "the size of `struct (unnamed)` is not known here"),
    ],
)
def test_sizes_that_are_not_known_say_why(tmp_path: Path, declaration: str, why: str) -> None:
    found = memory(tmp_path, f"kernel void k(int n) {{ {declaration} local int known[2]; }}\n")
    assert [(each.name, each.why) for _, each in found.local if each.layout is None] == [("a", why)]
    assert total_known_bytes(found.local) == 8
    assert format_local_memory(found).startswith("at least 8 bytes")


def test_a_variable_whose_space_is_not_known(tmp_path: Path) -> None:
    found = memory(tmp_path, "kernel void k(void) { SCRATCH int a[4]; local int b; REAL x; }\n")
    assert sizes(found.unknown_space) == {"k.a": 16}
    assert format_local_memory(found) == "at least 4 bytes"


def test_constants_that_are_reached(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "constant float weights[4] = { 1, 2, 3, 4 };\n"
        "constant int limit = 3, other = 4, *constant where = &limit;\n"
        "constant char unused[100] = { 0 };\n"
        "constant int measured[50] = { 0 };\n"
        "constant int shadowed = 1;\n"
        "constant sampler_t s = CLK_FILTER_NEAREST;\n"
        "float scale(float x) { return x * weights[0]; }\n"
        "kernel void k(global float *out, constant int *c) {\n"
        "    constant short table[3] = { 1, 2, 3 };\n"
        "    int shadowed = sizeof(measured);\n"
        "    out[0] = scale(c[0]) + *where + table[0] + shadowed;\n"
        "}\n",
    )
    assert sizes(found.constant) == {"k.table": 6, "weights": 16, "where": 8, "limit": 4}
    assert (len(found.constant_arguments), len(found.constant), found.constants) == (1, 4, 5)


def test_a_constant_that_is_declared_again_counts_once(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "extern constant int table[];\n"
        "int first(void) { return table[0]; }\n"
        "constant int table[4] = { 1, 2, 3, 4 };\n"
        "int second(void) { extern constant int table[]; return table[1]; }\n"
        "kernel void k(global int *out) { out[0] = first() + second() + table[2]; }\n",
    )
    assert sizes(found.constant) == {"table": 16}


def test_circles_of_calls_end(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "int b(int);\n"
        "int a(int n) { return n ? b(n - 1) : 0; }\n"
        "int b(int n) { return a(n) + b(n); }\n"
        "kernel void k(global int *out) { out[0] = a(1); k(out); }\n",
    )
    assert found.functions == ("a", "b")


def test_blocks_reach_what_they_call(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "constant int c = 1;\n"
        "int called(void) { return c; }\n"
        "int (^const program)(void) = ^{ return called(); };\n"
        "void inside(void) {}\n"
        "kernel void k(global int *out) {\n"
        "    void (^own)(void) = ^{ inside(); };\n"
        "    own();\n"
        "    out[0] = program();\n"
        "}\n",
    )
    assert found.functions == ("inside", "called")
    assert sizes(found.constant) == {"c": 4}
    assert found.is_complete


def test_functions_that_are_not_seen(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "float declared(float);\nkernel void k(global float *o) { o[0] = declared(1) + mystery(2) + sin(o[0]) + __builtin_inff(); }\n",
    )
    assert found.functions_without_body == ("mystery", "declared")
    assert format_local_memory(found) == "at least 0 bytes"


def test_an_overload_is_selected_by_its_type(tmp_path: Path) -> None:
    found = memory(
        tmp_path,
        "constant int i = 1;\nconstant float f = 1;\n"
        "__attribute__((overloadable)) float pick(int x) { return i; }\n"
        "__attribute__((overloadable)) float pick(float x) { return f; }\n"
        "kernel void k(global float *o) { o[0] = pick(1.0f); }\n",
    )
    assert sizes(found.constant) == {"f": 4}


def test_a_declaration_makes_the_kernel(tmp_path: Path) -> None:
    found = memories(
        tmp_path,
        "kernel void k(global int *g);\nvoid k(global int *g) {}\nvoid no_kernel(global int *g) {}\n",
    )
    assert list(found) == ["k"]


def limits_passed(folder: Path, text: str, device: str) -> list[str]:
    unit = analyse(folder, text, {"openclsp.toml": f'language-version = "CL2.0"\n{device}'})
    (summary,) = compute_kernel_summaries(unit)
    return [each.message for each in summary.exceeded_limits]


NINE = ", ".join(f"constant int *c{number}" for number in range(9))


@pytest.mark.parametrize(
    "kernel, device, exceeded",
    [
        (
            f"kernel void k({NINE}) {{}}",
            "",
            [
                "constant memory: 9 arguments and variables may each count as one; not every device has more than 8"
            ],
        ),
        (f"kernel void k({NINE}) {{}}", "[device.limits]\nmax-constant-args = 9\n", []),
        (
            "kernel void k(constant int *a) { constant int b = 1, c = 2, d = 3, e = 4; }",
            '[device]\nprofile = "embedded"\n',
            [
                "constant memory: 5 arguments and variables may each count as one; not every device has more than 4"
            ],
        ),
        (
            "kernel void k(void) { local int a[8193]; }",
            "",
            ["local memory: its variables need 32,772 bytes; not every device has more than 32,768"],
        ),
        (
            "kernel void k(void) { local int a[8193]; }",
            "[device.limits]\nlocal-mem-size = 32771\n",
            [
                "local memory: its variables need 32,772 bytes; the device has 32,771 (local-mem-size in openclsp.toml)"
            ],
        ),
        ("kernel void k(void) { local int a[8193]; }", "[device.limits]\nlocal-mem-size = 32772\n", []),
        (
            "kernel void k(void) { constant int a[2] = {0}; constant int b[2] = {0}; }",
            "[device.limits]\nmax-constant-buffer-size = 15\n",
            [
                "constant memory: its variables have 16 bytes, if the compiler places them in one buffer; "
                + "the device has 15 (max-constant-buffer-size in openclsp.toml)"
            ],
        ),
        (
            "kernel void k(long16 a, int b) {}",
            "[device.limits]\nmax-parameter-size = 131\n",
            ["arguments: they have 132 bytes; the device has 131 (max-parameter-size in openclsp.toml)"],
        ),
        (
            "kernel __attribute__((reqd_work_group_size(16, 4 * 4, 2))) void k(void) {}",
            "[device.limits]\nmax-work-group-size = 256\n",
            [
                "work-group: the kernel requires 512 work-items; "
                + "the device has 256 (max-work-group-size in openclsp.toml)"
            ],
        ),
        ("kernel __attribute__((reqd_work_group_size(64, 64, 1))) void k(void) {}", "", []),
    ],
)
def test_limits_that_are_passed(tmp_path: Path, kernel: str, device: str, exceeded: list[str]) -> None:
    assert limits_passed(tmp_path, kernel + "\n", device) == exceeded


def test_the_line_above_a_kernel(tmp_path: Path) -> None:
    text = (
        "constant int c[4] = { 0 };\n"
        "int f(void) { return c[0]; }\n"
        "kernel void k(global int *g, local int *t, constant int *i) { local int a[300]; a[0] = f(); }\n"
        "kernel void plain(int n) {}\n"
    )
    unit = analyse(tmp_path, text, {"openclsp.toml": "[device.limits]\nlocal-mem-size = 1000\n"})
    first, second = compute_kernel_summaries(unit)
    assert format_lens_title(first) == (
        "arguments: global, local, constant | local: 1,200 bytes, plus the size that the host sets for t | "
        "constant: 16 bytes, 2 of 8 | 1 function | ⚠ local-mem-size: 1,200 > 1,000"
    )
    assert format_lens_title(second) == "arguments: no pointers"
    assert format_constant_memory(first.memory, first.limits) == (
        "16 bytes; 1 argument and 1 variable, which may count as 2 constant arguments (every device has 8)"
    )


def summary_again(unit: TranslationUnit, before: str, after: str) -> dict[str, int]:
    """The number of times that each of the summary's queries is computed after an edit."""
    from openclsp.source.document import Document

    compute_kernel_summaries(unit)
    unit.database.computed.clear()
    text = unit.document.text.data.decode()
    assert before in text
    unit.update(Document.of(unit.document.name, text.replace(before, after).encode()), headers_changed=False)
    compute_kernel_summaries(unit)
    computed = dict(unit.database.computed)
    return {name: computed.get(name, 0) for name in ("memory uses", "kernel memory")}


@pytest.mark.parametrize(
    "before, after, again",
    [
        ("x + 1", "x + 2", {"memory uses": 1, "kernel memory": 0}),
        ("// note", "// another note", {"memory uses": 0, "kernel memory": 0}),
        # the constant's own declaration is analysed for the first time
        ("x + 1", "x + c", {"memory uses": 2, "kernel memory": 1}),
        (
            "int unrelated(void) { return 1; }",
            "int unrelated(void) { return 2; }",
            {"memory uses": 0, "kernel memory": 0},
        ),
    ],
    ids=["body", "comment", "another constant", "a function that no kernel reaches"],
)
def test_an_edit_costs_what_it_changes(
    tmp_path: Path, before: str, after: str, again: dict[str, int]
) -> None:
    unit = analyse(
        tmp_path,
        "// note\nconstant int c = 1;\nint f(int x) { return x + 1; }\nint unrelated(void) { return 1; }\n"
        "kernel void k(global int *g) { g[0] = f(1); }\nkernel void other(global int *g) {}\n",
    )
    assert summary_again(unit, before, after) == again


@pytest.mark.skipif(LLC is None, reason="clang-22, the reference, is not installed")
def test_local_memory_is_what_a_compiler_allocates(tmp_path: Path) -> None:
    """clang for amdgcn combines a kernel's variables into one structure with padding at its end.

    An option prevents it from raising their alignments for speed.
    """
    assert LLC is not None
    text = (
        "typedef struct { float3 p; char tag; } node;\n"
        "kernel void a(global float *o, int i) {\n"
        "    local node n[5]; local short s[7]; local double d; local char c[13];\n"
        "    n[i].tag = i; s[i] = i; d = i; c[i] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    o[i] = n[i + 1].tag + s[i + 1] + d + c[i + 1];\n"
        "}\n"
        "kernel void b(global float *o, int i) {\n"
        "    local int3 v[3]; local char c[3] __attribute__((aligned(4)));\n"
        "    v[i].x = i; c[i] = i; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    o[i] = v[i + 1].x + c[i + 1];\n"
        "}\n"
    )
    (tmp_path / "probe.cl").write_text(text)
    command = [
        LLC,
        "-target",
        "amdgcn-amd-amdhsa",
        "-mcpu=gfx900",
        "-cl-std=CL2.0",
        "-O1",
        "-nogpulib",
        "-S",
        "-o",
        "-",
    ]
    command += ["-mllvm", "-amdgpu-super-align-lds-globals=0", "probe.cl"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    allocated = {}
    for part in made.split(".amdhsa_kernel ")[1:]:
        name, _, rest = part.partition("\n")
        allocated[name.strip()] = int(rest.split(".amdhsa_group_segment_fixed_size")[1].split()[0])
    ours = {name: total_known_bytes(each.local) for name, each in memories(tmp_path, text).items()}
    assert ours == {"a": 5 * 32 + 8 + 14 + 13, "b": 3 * 16 + 3}
    assert {name: -(-size // 16) * 16 for name, size in ours.items()} == allocated


def test_the_first_line_of_a_kernel_is_that_of_its_definition() -> None:
    text = b"""\
kernel void same(void) { }
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void
later(global int *p) { }
#define ENTRY kernel void
ENTRY
made(int n) { }
"""
    unit = unit_of(text)
    found = [(key[1], text[at.start : at.end]) for key, at in find_first_lines(unit, unit.document)]
    assert found == [("same", b"same"), ("later", b"__attribute__"), ("made", b"ENTRY")]
