"""Macros that are known to be undefined where no option defines them."""

from __future__ import annotations

from openclsp.language.dialect import REFERENCE_DIALECTS
from openclsp.language.known_macros import known_macros
from openclsp.language.predefined import predefined_macros


def test_what_any_dialect_predefines_is_known() -> None:
    for dialect in REFERENCE_DIALECTS:
        assert {head.partition("(")[0] for head in predefined_macros(dialect)} <= known_macros()
    assert "__opencl_c_named_address_space_builtins" in known_macros()


def test_other_vendors_devices_and_languages_are_known() -> None:
    names = {"cl_nv_pragma_unroll", "cl_amd_fp64", "cl_khr_il_program", "__NV_CL_C_VERSION", "__gfx906__"}
    assert names | {"__cplusplus", "__APPLE__", "FP_FAST_FMAF", "__SPIR__"} <= known_macros()


def test_what_a_host_passes_is_not_known() -> None:
    assert not {"WIDTH", "TILE_SIZE", "USE_DOUBLE", "DEBUG", "T", "REAL", "N"} & known_macros()
