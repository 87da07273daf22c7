"""Overload resolution; `tests/oracle/test_calls.py` compares it with clang."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.known_types import (
    CHAR,
    FLOAT,
    INT,
    UINT,
)
from openclsp.semantics.types.type_model import (
    CONST,
    UNKNOWN,
    VOID,
    Type,
    pointer_to,
    spell,
    vector,
)
from openclsp.semantics.typing.overloads import Resolution, resolve

from .units import ROOT, unit_of

FLOAT4, INT4 = vector(FLOAT, 4), vector(INT, 4)
CL1_2, CL2_0 = Dialect.of("CL1.2"), Dialect.of("CL2.0")


def pointer(type_: Type, space: Space, qualifiers: int = 0) -> Type:
    return pointer_to(type_.with_qualifiers(qualifiers).with_space(space))


def resolved(name: str, dialect: Dialect, *types: Type) -> Resolution:
    return resolve(overloads_of(name, dialect), [Value(type_, Place(0, 0)) for type_ in types])


def meant(name: str, dialect: Dialect, *types: Type) -> str | None:
    best = resolved(name, dialect, *types).best
    return None if best is None else spell(overloads_of(name, dialect)[best], name)


@pytest.mark.parametrize(
    ("name", "types", "expected"),
    [
        ("max", (FLOAT4, FLOAT4), "float4 max(float4, float4)"),
        ("max", (FLOAT4, FLOAT), "float4 max(float4, float)"),
        ("max", (FLOAT4, INT), "float4 max(float4, float)"),
        ("pow", (FLOAT4, FLOAT), "float4 pow(float4, float4)"),
        ("abs", (CHAR,), "uchar abs(char)"),
        ("dot", (FLOAT4, FLOAT4), "float dot(float4, float4)"),
        ("dot", (INT4, INT4), None),
        ("max", (FLOAT, INT), None),
        ("vload4", (INT, pointer(INT, Space.CONSTANT)), "int4 vload4(size_t, constant const int *)"),
        ("vload4", (INT, pointer(VOID, Space.GLOBAL)), None),
        ("vstore4", (FLOAT4, INT, pointer(FLOAT, Space.CONSTANT)), None),
        (
            "vstore4",
            (FLOAT4, INT, pointer(FLOAT, Space.GLOBAL, CONST)),
            "void vstore4(float4, size_t, global float *)",
        ),
        ("atomic_and", (pointer(UINT, Space.LOCAL), INT), "uint atomic_and(local volatile uint *, uint)"),
        (
            "atomic_add",
            (pointer(FLOAT, Space.GLOBAL), INT),
            "int atomic_add(global volatile int *, int)",
        ),
    ],
)
def test_the_expected_overload_is_chosen(name: str, types: tuple[Type, ...], expected: str | None) -> None:
    assert meant(name, CL1_2, *types) == expected


def test_a_generic_parameter_takes_every_space_but_constant() -> None:
    for space in (Space.GLOBAL, Space.LOCAL, Space.PRIVATE, Space.GENERIC):
        assert meant("fract", CL2_0, FLOAT, pointer(FLOAT, space)) == "float fract(float, generic float *)"
    refused = resolved("fract", CL2_0, FLOAT, pointer(FLOAT, Space.CONSTANT))
    assert refused == Resolution(None, (), True)


def test_the_named_space_is_better_than_the_generic_one() -> None:
    dialect = Dialect.of("CL3.0")
    atomic = overloads_of("atomic_load", dialect)[0].parameters[0]
    for space in (Space.GLOBAL, Space.GENERIC):
        argument = pointer_to(atomic.pointee.with_space(space))  # type: ignore[attr-defined]
        assert f"{space.word} volatile" in (meant("atomic_load", dialect, argument) or "")


def test_an_unknown_argument_does_not_decide_an_overload() -> None:
    assert resolved("vstore4", CL1_2, UNKNOWN, INT, pointer(FLOAT, Space.CONSTANT)) == Resolution(
        None, (), False
    )
    some = resolved("vload4", CL1_2, INT, pointer(FLOAT, Space.UNKNOWN))
    assert some.best is None and some.viable and not some.certain


@pytest.mark.parametrize(
    ("call", "type_"),
    [
        ("get_global_id(0)", "size_t"),
        ("vload4(0, c)", "float4"),
        ("dot(v, v)", "float"),
        ("convert_int4(v)", "int4"),
        ("clamp(v, 0.0f, 1.0f)", "float4"),
        ("atomic_inc(n)", "int"),
        ("read_imagef(i, (int2)(0, 0))", "float4"),
        ("clamp(v, UNKNOWN, UNKNOWN)", "float4"),
        ("convert_uchar4_sat(UNKNOWN)", "uchar4"),
        ("isless(v, v)", "int4"),
        ("min(get_local_id(0), get_local_size(0))", "ulong"),
        ("sin(UNKNOWN)", ""),
        ("own(v)", "float2"),
        ("own(1)", "int"),
        ("max(s, v)", "float4"),
        ("max(v, v)", "float4"),
    ],
)
def test_a_call_has_its_type(call: str, type_: str) -> None:
    program = f"""
        struct S {{ int m; }};
        float2 __attribute__((overloadable)) own(float4 v);
        int __attribute__((overloadable)) own(int n);
        float4 __attribute__((overloadable)) max(struct S s, float4 v);
        kernel void k(constant float *c, global int *n, read_only image2d_t i, float4 v, struct S s) {{
            {call};
        }}
    """
    unit = unit_of(program.encode(), "CL1.2")
    assert [each.message for each in compute_diagnostics(unit)] == []
    shown = compute_hover(unit, ROOT, program.index(call) + call.index("("))
    assert (shown.type if shown is not None else "") == type_


def test_a_function_of_the_program_hides_the_built_in_one() -> None:
    program = b"""
        int max(global int *p) { return *p; }
        kernel void k(global int *p, local int *l) { p[0] = max(p); p[1] = max(l); p[2] = max(p, 2); }
    """
    assert [each.code for each in compute_diagnostics(unit_of(program, "CL1.2"))] == [
        "pointer-conversion",
        "argument-count",
    ]


def test_a_hover_on_the_name_shows_the_overload() -> None:
    program = b"kernel void k(constant float *c) { vload4(0, c); }"
    shown = compute_hover(unit_of(program, "CL1.2"), ROOT, program.index(b"vload4"))
    assert shown is not None and shown.type == "float4 vload4(size_t, constant const float *)"


@pytest.mark.parametrize("call", ["sqrt(2.0f)", "as_float(1)", "sqrt(unknown)", "max(1.0f, 2)"])
def test_no_call_of_a_built_in_function_is_constant(call: str) -> None:
    found = compute_diagnostics(unit_of(f"constant float x = {call};".encode(), "CL1.2"))
    assert "constant-initialiser" in [each.code for each in found]


def test_address_casts_keep_the_pointee() -> None:
    program = b"kernel void k(global const int *g) { const int *p = g; local int *l = to_local(p); }"
    found = [each.code for each in compute_diagnostics(unit_of(program, "CL2.0"))]
    assert "discarded-qualifiers" in found and "pointer-conversion" not in found
