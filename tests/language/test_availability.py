"""The versions that have a built-in name which a dialect lacks."""

from __future__ import annotations

import pytest
from openclsp.language.availability import (
    availability,
    extensions_with,
    is_missing_constant,
    is_missing_function,
    is_missing_type,
)
from openclsp.language.builtin_functions import is_of_extension
from openclsp.language.dialect import Dialect, DialectError, make_dialect


@pytest.mark.parametrize(
    ("name", "dialect", "since", "needs"),
    [
        ("to_global", "CL1.2", 200, ()),
        ("to_global", "CL3.0-generic", 200, ("__opencl_c_generic_address_space",)),
        ("popcount", "CL1.0", 120, ()),
        ("printf", "CL1.1", 120, ()),
        ("atomic_int", "CL1.2", 200, ()),
        ("memory_scope_all_devices", "CL2.0", 300, ()),
        ("enqueue_kernel", "CL3.0-globals", 200, ("__opencl_c_device_enqueue",)),
    ],
)
def test_since_when_and_by_what(name: str, dialect: str, since: int, needs: tuple[str, ...]) -> None:
    found = availability(name, Dialect.of(dialect))
    assert found is not None
    assert (found.since, found.needs) == (since, needs)


def test_a_name_of_no_dialect() -> None:
    assert availability("no_such_function", Dialect.of("CL3.0")) is None


def test_a_type_whose_extension_is_off() -> None:
    made = make_dialect("CL1.2", ["-cl_khr_fp64"])
    assert not isinstance(made, DialectError)
    found = availability("double4", made[0])
    assert found is not None and found.needs == ("cl_khr_fp64",)
    assert is_missing_type("double4", made[0])


def test_what_is_missing_where() -> None:
    old, new = Dialect.of("CL1.2"), Dialect.of("CL2.0")
    assert is_missing_function("ctz", old) and not is_missing_function("ctz", new)
    assert not is_missing_function("own_function", old)
    assert is_missing_type("queue_t", old) and not is_missing_type("queue_t", new)
    assert is_missing_constant("memory_order_relaxed", old)
    assert not is_missing_constant("memory_order_relaxed", new)


def test_extensions_that_bring_a_function() -> None:
    assert extensions_with("sub_group_shuffle") == {"cl_khr_subgroup_shuffle"}
    assert "cl_intel_subgroups" in extensions_with("get_sub_group_size")
    assert extensions_with("printf") == {"cl_amd_printf", "cl_intel_printf"}
    assert extensions_with("to_global") == frozenset()


def test_functions_of_extensions_only() -> None:
    assert is_of_extension("sub_group_shuffle") and is_of_extension("bit_reverse")
    assert not is_of_extension("atomic_fetch_add") and not is_of_extension("to_global")
