"""Built-in types: known facts, and clang's answer for every name."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from openclsp.language.builtin_types import (
    BUILTIN_TYPES,
    TypeCategory,
    builtin_type,
    is_builtin_type_name,
    predeclared_constants,
)
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect, DialectError, make_dialect

from .clang import QUIETLY, needs_clang, run_clang


def dialect(standard: str, *switches: str) -> Dialect:
    made = make_dialect(standard, switches)
    assert not isinstance(made, DialectError)
    return made[0]


SWITCHED = [
    dialect("CL1.0", "-all"),
    dialect("CL1.2", "-cl_khr_fp64"),
    dialect("CL1.2", "-cl_khr_fp16,-cl_khr_gl_msaa_sharing"),
    dialect("CL2.0", "-all"),
    dialect("CL2.0", "-cl_khr_int64_base_atomics"),
    dialect("CL3.0", "-all"),
    dialect("CL3.0", "-__opencl_c_images"),
    dialect("CL3.0", "-__opencl_c_pipes"),
    dialect("CL3.0", "-__opencl_c_device_enqueue,-cl_khr_int64_extended_atomics"),
    dialect("CL3.0", "-cl_khr_fp64,-__opencl_c_atomic_scope_all_devices"),
    dialect("CL3.0", "-cl_intel_subgroups,-cl_khr_subgroups,-__opencl_c_subgroups"),
    dialect("CL3.0", "-cl_intel_device_side_avc_motion_estimation,-__opencl_c_atomic_order_seq_cst"),
]
UNKNOWN_TO_CLANG = re.compile(r"unknown type name|requires \w.* support|type specifier missing")


@needs_clang
@pytest.mark.parametrize(
    "dialect", [*REFERENCE_DIALECTS, *SWITCHED], ids=lambda d: f"{d.name}-{len(d.extensions)}"
)
def test_a_name_is_a_type_exactly_where_clang_takes_it(dialect: Dialect) -> None:
    names = sorted(
        {*BUILTIN_TYPES, "bool2", "size_t4", "char5", "quad", "atomic_bool", "image2d_depth_msaa_t"}
    )
    declarations = "\n".join(f"{name} *function{number}(void);" for number, name in enumerate(names))
    result = run_clang(dialect, declarations, "-fsyntax-only", *QUIETLY)
    refused = set()
    for line in result.stderr.splitlines():
        match = re.match(r"<stdin>:(\d+):\d+: (?:error|warning): (.*)", line)
        if match and UNKNOWN_TO_CLANG.search(match[2]):
            refused.add(names[int(match[1]) - 1])
    assert {name for name in names if builtin_type(name, dialect) is None} == refused


@needs_clang
@pytest.mark.parametrize(
    "dialect", [*REFERENCE_DIALECTS, *SWITCHED], ids=lambda d: f"{d.name}-{len(d.extensions)}"
)
def test_enumerators_are_clangs(dialect: Dialect) -> None:
    every = predeclared_constants(Dialect.of("CL3.0"))
    declared = predeclared_constants(dialect)
    lines = []
    for name, constant in every.items():
        lines.append(f"int one_{name}[{name} == {constant} ? 1 : -1];")
    kernel = "void function(void) {\n" + "\n".join(lines) + "\n}\n"
    result = run_clang(dialect, kernel, "-fsyntax-only", *QUIETLY)
    assert "negative size" not in result.stderr
    undeclared = set(re.findall(r"error: use of undeclared identifier '(\w+)'", result.stderr))
    assert set(every) - set(declared) == undeclared


SPELLED_IN_C = {
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "uint": "unsigned int",
    "ulong": "unsigned long",
}


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda d: d.name)
def test_aliases_vectors_and_atomic_types_are_clangs(dialect: Dialect) -> None:
    """The test uses the fact that a typedef can be repeated only with the same type."""
    lines = []
    for name, builtin in BUILTIN_TYPES.items():
        base = builtin.element or builtin.canonical
        spelled = SPELLED_IN_C.get(base, base)
        if builtin_type(name, dialect) is None or name == "_Bool":
            continue
        if builtin.category is TypeCategory.VECTOR:
            lines.append(f"typedef {spelled} {name} __attribute__((ext_vector_type({builtin.width})));")
        elif builtin.category is TypeCategory.SCALAR and name != spelled:
            lines.append(f"typedef {spelled} {name};")
    text = "#pragma OPENCL EXTENSION all : enable\n" + "\n".join(lines)
    result = run_clang(dialect, text, "-fsyntax-only", *QUIETLY, "-w")
    assert len(lines) > 60
    assert result.stderr == ""


@needs_clang
def test_sizes_are_clangs() -> None:
    lines = [
        f"int size_of_{name}[sizeof({name}) == {builtin.scalar.size} ? 1 : -1];"
        for name, builtin in BUILTIN_TYPES.items()
        if builtin.scalar is not None
    ]
    result = run_clang(Dialect.of("CL3.0"), "\n".join(lines), "-fsyntax-only")
    assert result.stderr == ""


def test_scalars_and_their_other_names() -> None:
    size = builtin_type("size_t", Dialect.of("CL1.2"))
    assert size is not None and size.scalar is not None
    assert (size.category, size.canonical, size.scalar.size) == (TypeCategory.SCALAR, "ulong", 8)
    assert not size.scalar.signed
    flags = builtin_type("cl_mem_fence_flags", Dialect.of("CL1.0"))
    assert flags is not None and flags.canonical == "uint"


def test_vectors() -> None:
    vector = builtin_type("float3", Dialect.of("CL1.2"))
    assert vector is not None and (vector.element, vector.width) == ("float", 3)
    assert builtin_type("float5", Dialect.of("CL1.2")) is None
    assert builtin_type("bool4", Dialect.of("CL3.0")) is None


def test_images() -> None:
    image = builtin_type("image2d_array_msaa_depth_t", Dialect.of("CL1.2"))
    assert image is not None and image.category is TypeCategory.IMAGE
    assert builtin_type("image2d_msaa_t", dialect("CL1.2", "-cl_khr_gl_msaa_sharing")) is None


@pytest.mark.parametrize(
    ("name", "where", "missing"),
    [
        ("atomic_int", "CL1.2", ("OpenCL C 2.0",)),
        ("reserve_id_t", "CL3.0-generic", ("__opencl_c_pipes",)),
        ("queue_t", "CL3.0-globals", ("__opencl_c_device_enqueue",)),
        ("queue_t", "CL2.0", ()),
        ("double", "CL1.0", ()),
    ],
)
def test_what_a_dialect_lacks_for_a_type(name: str, where: str, missing: tuple[str, ...]) -> None:
    assert BUILTIN_TYPES[name].missing_in(Dialect.of(where)) == missing


def test_double_follows_its_extension() -> None:
    without = dialect("CL1.2", "-cl_khr_fp64")
    assert builtin_type("double", without) is None
    assert BUILTIN_TYPES["double4"].missing_in(without) == ("cl_khr_fp64",)
    assert is_builtin_type_name("double")


def test_enumerators_exist_from_2_0_on() -> None:
    assert not predeclared_constants(Dialect.of("CL1.2"))
    assert predeclared_constants(Dialect.of("CL2.0"))["memory_order_relaxed"] == 0
    assert "memory_scope_all_devices" not in predeclared_constants(Dialect.of("CL2.0"))
    assert "memory_scope_all_devices" in predeclared_constants(Dialect.of("CL3.0"))


@needs_clang
def test_types_of_addresses_are_clangs_on_devices_of_32_bits() -> None:
    dialect = replace(Dialect.of("CL2.0"), address_bits=32)
    lines = []
    for name in ("size_t", "ptrdiff_t", "intptr_t", "uintptr_t"):
        found = builtin_type(name, dialect)
        assert found is not None
        lines.append(f"global {found.canonical} *f_{name}(global {name} *p) {{ return p; }}")
        lines.append(f"global atomic_{found.canonical} *g_{name}(global atomic_{name} *p) {{ return p; }}")
        atomic = builtin_type(f"atomic_{name}", dialect)
        assert atomic is not None and atomic.element == found.canonical and not atomic.missing_in(dialect)
    ran = run_clang(dialect, "\n".join(lines), "-fsyntax-only", "-triple", "spir-unknown-unknown")
    assert ran.stderr == ""
