"""Built-in functions: known facts, the notation, the cost of loading, and clang's own lists if clang is installed.

The complete comparison is `python -m tests.oracle.builtins --each-extension`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from openclsp.language.builtin_functions import (
    builtin_function,
    builtin_names,
    is_builtin_function_name,
    is_unchecked,
    tables,
)
from openclsp.language.builtin_functions.notation import families, overloads, unknown_needs
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect, make_dialect
from openclsp.language.features import FEATURES

from ..language.clang import needs_clang
from ..oracle.builtins import differences


def spelled(name: str, dialect: str) -> set[str]:
    return {str(signature) for signature in builtin_function(name, Dialect.of(dialect)) or ()}


def without(dialect: str, *switches: str) -> Dialect:
    made = make_dialect(dialect, [f"-{switch}" for switch in switches])
    assert isinstance(made, tuple)
    return made[0]


def test_a_pointee_is_in_each_named_space_where_there_is_no_generic_one() -> None:
    named = {f"float fract(float, {space} float *)" for space in ("private", "global", "local")}
    assert named <= spelled("fract", "CL1.2")
    assert named <= spelled("fract", "CL3.0-generic")
    assert named.isdisjoint(spelled("fract", "CL2.0"))
    assert "float fract(float, generic float *)" in spelled("fract", "CL2.0")
    assert not any("constant" in overload for overload in spelled("fract", "CL1.2"))


def test_constant_is_read_and_never_written() -> None:
    assert "float4 vload4(size_t, constant const float *)" in spelled("vload4", "CL2.0")
    assert not any("constant" in overload for overload in spelled("vstore4", "CL2.0"))


def test_work_items_have_one_signature() -> None:
    assert spelled("get_global_id", "CL1.0") == {"size_t get_global_id(uint)"}
    assert spelled("get_work_dim", "CL3.0") == {"uint get_work_dim(void)"}


@pytest.mark.parametrize(
    ("name", "first", "before"),
    [
        ("popcount", "CL1.2", "CL1.1"),
        ("printf", "CL1.2", "CL1.1"),
        ("ctz", "CL2.0", "CL1.2"),
        ("get_fence", "CL2.0", "CL1.2"),
        ("work_group_barrier", "CL2.0", "CL1.2"),
        ("atomic_load", "CL2.0", "CL1.2"),
        ("to_global", "CL3.0", "CL3.0-generic"),
        ("enqueue_kernel", "CL3.0", "CL3.0-globals"),
    ],
)
def test_a_name_exists_from_its_version_or_feature_on(name: str, first: str, before: str) -> None:
    assert builtin_function(name, Dialect.of(first)) is not None
    assert builtin_function(name, Dialect.of(before)) is None
    assert is_builtin_function_name(name)


def test_double_and_half_need_their_extensions() -> None:
    single = builtin_function("sqrt", without("CL1.2", "cl_khr_fp64", "cl_khr_fp16"))
    assert single is not None
    assert {signature.result.rstrip("0123456789") for signature in single} == {"float"}
    loads = builtin_function("vload_half", without("CL1.2", "cl_khr_fp16"))
    assert loads is not None and len(loads) == 4


def test_what_no_signature_describes_is_marked() -> None:
    assert is_unchecked("enqueue_kernel") and is_unchecked("read_pipe") and not is_unchecked("printf")
    assert builtin_function("not_a_function", Dialect.of("CL3.0")) is None
    assert not is_builtin_function_name("not_a_function")


def test_conversions_between_all_elements_of_a_width() -> None:
    assert len(spelled("convert_float4", "CL1.2")) == 11
    assert spelled("convert_uchar_sat_rte", "CL1.2") >= {"uchar convert_uchar_sat_rte(float)"}
    assert not is_builtin_function_name("convert_float_sat")


def test_the_notation() -> None:
    (family,) = families("floats | f | T(T, out int# *,\n    [int t]); void(M)\n")
    assert family.name == "f"
    found = [
        str(signature) for signature in overloads(family, without("CL3.0", "cl_khr_fp16", "cl_khr_fp64"))
    ]
    assert found[:3] == [
        "float f(float, generic int *, int)",
        "float f(float, generic int *, float)",
        "void f(float2)",
    ]
    names = [family.name for family in families("float_vectors | a{,_b}{n} | T(T)")]
    assert names == ["a2", "a3", "a4", "a8", "a16", "a_b2", "a_b3", "a_b4", "a_b8", "a_b16"]


def test_every_need_is_a_known_feature() -> None:
    assert not unknown_needs("\n".join(tables()), FEATURES)


@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda dialect: dialect.name)
def test_overloads_of_a_name_differ_in_their_parameters(dialect: Dialect) -> None:
    names = builtin_names(dialect)
    assert len(names) > 800
    for name in names:
        signatures = builtin_function(name, dialect) or ()
        assert len({signature.parameters for signature in signatures}) == len(signatures), name


def test_a_program_that_looks_up_no_name_loads_no_table() -> None:
    """Measured with `python -X importtime -c 'import openclsp.language.builtin_functions'`."""
    code = "import sys, openclsp.language.builtin_functions as b; print(*sorted(sys.modules))"
    folder = Path(__file__).parents[2] / "server"
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "openclsp.language.builtin_functions.notation" in loaded
    assert "openclsp.language.builtin_functions.images" not in loaded


@needs_clang
@pytest.mark.parametrize("dialect", ["CL1.2", "CL3.0"])
def test_clang_declares_the_same_overloads(dialect: str) -> None:
    found = differences(Dialect.of(dialect), dialect)
    assert not found, "\n".join(map(str, found[:20]))
