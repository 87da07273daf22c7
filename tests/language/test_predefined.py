"""Predefined macros: known facts, and clang's own listing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import pytest
from openclsp.language.device import Device
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect, DialectError, make_dialect
from openclsp.language.predefined import predefined_macros

from .clang import needs_clang, run_clang

TARGETS_OWN = {"__SPIR", "__SPIR__", "__SPIR32", "__SPIR32__", "__SPIR64", "__SPIR64__"}
CLANGS_OWN_BUILD = {"__VERSION__", "__clang_version__", "__clang_minor__", "__clang_patchlevel__"}


def dialect(standard: str, *switches: str) -> Dialect:
    made = make_dialect(standard, switches)
    assert not isinstance(made, DialectError)
    return made[0]


SWITCHED = [
    dialect("CL1.0", "-cl_khr_fp64"),
    dialect("CL1.1", "-all"),
    dialect("CL1.2", "-cl_khr_fp16,-cl_intel_subgroups"),
    dialect("CL1.2", "-cl_intel_device_side_avc_motion_estimation"),
    dialect("CL2.0", "-all"),
    dialect("CL2.0", "-__opencl_c_generic_address_space,-__opencl_c_device_enqueue,-cl_khr_fp64"),
    dialect("CL3.0", "-all"),
    dialect("CL3.0", "-cl_khr_fp64,-__opencl_c_images"),
    dialect("CL3.0", "-__opencl_c_ext_image_raw10_raw12,-__opencl_c_ext_image_unorm_int_2_101010"),
    dialect("CL3.0", "-__opencl_c_ext_image_unsigned_10x6_12x4_14x2"),
    dialect("CL3.0", "-cl_khr_subgroups,-cl_intel_subgroups,-__opencl_c_subgroups"),
]


@needs_clang
@pytest.mark.parametrize(
    "dialect", [*REFERENCE_DIALECTS, *SWITCHED], ids=lambda d: f"{d.name}-{len(d.extensions)}"
)
def test_the_table_is_what_clang_lists(dialect: Dialect) -> None:
    listed = run_clang(dialect, "", "-dM", "-E")
    assert listed.stderr == ""
    theirs = dict(line[len("#define ") :].split(" ", 1) for line in listed.stdout.splitlines())
    ours = dict(predefined_macros(dialect))
    assert ours.pop("__OPENCL_VERSION__") == str(dialect.version)
    for name in TARGETS_OWN & theirs.keys():
        del theirs[name]
    if theirs["__VERSION__"] != ours["__VERSION__"]:  # another build of clang 22 names itself otherwise
        for name in CLANGS_OWN_BUILD:
            del theirs[name], ours[name]
    assert ours == theirs


@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda d: d.name)
def test_facts_of_every_dialect(dialect: Dialect) -> None:
    macros = predefined_macros(dialect)
    assert macros["__OPENCL_C_VERSION__"] == macros["__OPENCL_VERSION__"] == str(dialect.version)
    assert macros["CLK_LOCAL_MEM_FENCE"] == "0x01"
    assert macros["INT_MIN"] == "(-2147483647-1)"
    assert macros["as_float4(x)"] == "__builtin_astype((x), float4)"
    assert macros["CLK_FLOAT"] == "0x10DE"
    assert macros["__ENDIAN_LITTLE__"] == "1"
    assert not TARGETS_OWN & macros.keys()
    assert ("__BLOCKS__" in macros) == dialect.device_enqueue
    assert ("__opencl_c_generic_address_space" in macros) == dialect.generic
    assert ("CLK_IMAGE_MEM_FENCE" in macros) == (dialect.version >= 200)


def test_macros_follow_the_extensions() -> None:
    without = predefined_macros(dialect("CL1.2", "-cl_khr_fp64,-cl_khr_fp16"))
    assert not {"cl_khr_fp64", "cl_khr_fp16", "as_double(x)", "HALF_MAX", "M_PI_H"} & without.keys()
    assert {"M_PI", "DBL_MAX"} <= without.keys()


def test_the_version_of_the_device_can_be_told() -> None:
    assert predefined_macros(Dialect.of("CL1.2"), Device(version=300))["__OPENCL_VERSION__"] == "300"


def test_the_embedded_profile_has_its_macro() -> None:
    assert predefined_macros(Dialect.of("CL1.2"), Device(embedded=True))["__EMBEDDED_PROFILE__"] == "1"
    assert "__EMBEDDED_PROFILE__" not in predefined_macros(Dialect.of("CL1.2"))


@needs_clang
@pytest.mark.parametrize("dialect", REFERENCE_DIALECTS, ids=lambda d: d.name)
def test_addresses_of_32_bits_are_what_clang_has_for_spir(dialect: Dialect) -> None:
    def differing(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
        return dict(second.items() - first.items())

    listings = []
    for triple in ("spir64-unknown-unknown", "spir-unknown-unknown"):
        listed = run_clang(dialect, "", "-dM", "-E", "-triple", triple)
        lines = (line[len("#define ") :].split(" ", 1) for line in listed.stdout.splitlines())
        listings.append({name: value for name, value in lines if name not in TARGETS_OWN})
    macros = predefined_macros(dialect), predefined_macros(replace(dialect, address_bits=32))
    assert differing(*listings) == differing(*macros)
    assert listings[0].keys() - listings[1].keys() == macros[0].keys() - macros[1].keys()


def test_the_table_is_built_quickly_and_once() -> None:
    switched = [dialect("CL3.0", f"-{name}") for name in sorted(Dialect.of("CL3.0").extensions)]
    begin = time.process_time()
    for each in switched:
        predefined_macros(each)
    assert (time.process_time() - begin) / len(switched) < 0.005
    assert predefined_macros(switched[0]) is predefined_macros(switched[0])
