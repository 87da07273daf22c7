"""Dialects: the effects of `-cl-std` and `-cl-ext`, and what they imply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect, DialectError, make_dialect
from openclsp.language.features import FEATURES, SYNONYMS, requirements

GENERIC = "__opencl_c_generic_address_space"
GLOBALS = "__opencl_c_program_scope_global_variables"


def made(standard: str | None, *switches: str) -> tuple[Dialect, tuple[str, ...]]:
    result = make_dialect(standard, switches)
    assert not isinstance(result, DialectError), result
    return result


def error(standard: str | None, *switches: str) -> str:
    result = make_dialect(standard, switches)
    assert isinstance(result, DialectError), result
    return result.message


def test_the_default_is_opencl_c_1_2_with_everything_on() -> None:
    dialect, notes = made(None)
    assert (dialect.version, dialect.name, dialect.title, notes) == (120, "CL1.2", "OpenCL C 1.2", ())
    assert {"cl_khr_fp64", "cl_khr_depth_images"} <= dialect.extensions
    assert "cl_khr_subgroups" not in dialect.extensions


def test_the_eight_dialects_differ_in_the_two_switches_alone() -> None:
    generic = {dialect.name for dialect in REFERENCE_DIALECTS if dialect.generic}
    program_scope = {dialect.name for dialect in REFERENCE_DIALECTS if dialect.program_scope_globals}
    assert generic == {"CL2.0", "CL3.0", "CL3.0-globals"}
    assert program_scope == {"CL2.0", "CL3.0", "CL3.0-generic"}
    assert len({dialect.name for dialect in REFERENCE_DIALECTS}) == 8
    assert all(Dialect.of(dialect.name) is dialect for dialect in REFERENCE_DIALECTS)


@pytest.mark.parametrize("name", ["", "CL4.0", "CL2.0-generic", "CL3.0-globals-generic", "CL3.0-pipes"])
def test_only_the_eight_have_a_name(name: str) -> None:
    with pytest.raises(KeyError):
        Dialect.of(name)


@pytest.mark.parametrize(
    ("standard", "version"),
    [("CL", 100), ("cl", 100), ("cl1.1", 110), ("CL1.2", 120), ("cl2.0", 200), ("CL3.0", 300)],
)
def test_language_versions_are_spelled_as_clang_takes_them(standard: str, version: int) -> None:
    assert made(standard)[0].version == version


def test_an_unknown_version_names_the_nearest() -> None:
    assert error("CL2.1").startswith("unknown language version 'CL2.1'; did you mean 'CL2.0'?")
    assert "known: CL1.0, CL1.1, CL1.2, CL2.0, CL3.0" in error("c99")


@pytest.mark.parametrize("standard", ["clc++", "CLC++", "clc++1.0", "CLC++2021"])
def test_cpp_for_opencl_is_recognised(standard: str) -> None:
    assert "C++ for OpenCL, which is not supported" in error(standard)


def test_an_unknown_extension_names_the_nearest() -> None:
    assert error("CL1.2", "+cl_khr_fp46").endswith("did you mean 'cl_khr_fp64'?")
    assert error("CL3.0", "-generic") == "unknown extension or feature 'generic'"


def test_switching_generic_off_takes_pipes_and_device_enqueue_along_and_says_so_once() -> None:
    dialect, notes = made("CL3.0", f"-{GENERIC}")
    assert (dialect.generic, dialect.pipes, dialect.device_enqueue) == (False, False, False)
    assert dialect.program_scope_globals
    assert notes == (f"__opencl_c_device_enqueue and __opencl_c_pipes are off as well: they need {GENERIC}",)


def test_switching_globals_off_takes_device_enqueue_along() -> None:
    dialect, notes = made("CL3.0", f"-{GLOBALS}")
    assert dialect.name == "CL3.0-globals"
    assert dialect.pipes and not dialect.device_enqueue
    assert notes == (f"__opencl_c_device_enqueue is off as well: it needs {GLOBALS}",)


def test_what_was_switched_off_by_hand_needs_no_note() -> None:
    _, notes = made("CL3.0", f"-{GENERIC},-__opencl_c_pipes,-__opencl_c_device_enqueue")
    assert notes == ()


def test_images_off_takes_the_writes_along_with_their_synonym() -> None:
    dialect, _ = made("CL3.0", "-__opencl_c_images")
    assert not dialect.has("__opencl_c_images") and not dialect.read_write_images
    assert not dialect.writes_3d_images


def test_a_feature_cannot_be_on_without_what_it_needs() -> None:
    dialect, notes = made("CL3.0", "-all", "+__opencl_c_pipes")
    assert not dialect.pipes and notes == ()
    assert dialect.unmet == (("__opencl_c_pipes", (GENERIC,)),)


def test_what_nobody_asked_for_goes_with_a_note() -> None:
    dialect, notes = made("CL3.0", f"-{GENERIC}", "+__opencl_c_device_enqueue")
    assert dialect.unmet == (("__opencl_c_device_enqueue", (GENERIC,)),)
    assert notes == (f"__opencl_c_pipes is off as well: it needs {GENERIC}",)
    assert made("CL2.0", f"-{GENERIC}", "+__opencl_c_device_enqueue")[0].unmet == ()


def test_synonyms_are_switched_together_in_3_0_only() -> None:
    assert "__opencl_c_fp64" not in made("CL3.0", "-cl_khr_fp64")[0].extensions
    assert "cl_khr_fp64" not in made("CL3.0", "-__opencl_c_fp64")[0].extensions
    assert "cl_khr_fp64" in made("CL2.0", "-__opencl_c_fp64")[0].extensions


def test_later_switches_override_earlier_ones() -> None:
    assert made("CL1.2", "-all", "+cl_khr_fp16")[0].extensions == {"cl_khr_fp16"}
    assert made("CL1.2", "-all,cl_khr_fp16")[0].extensions == {"cl_khr_fp16"}
    assert made("CL1.2", "-cl_khr_fp16", "+all")[0] == made("CL1.2")[0]


def test_what_the_version_includes_stays_when_its_macro_is_switched_off() -> None:
    dialect, _ = made("CL2.0", f"-{GENERIC}")
    assert GENERIC not in dialect.extensions
    assert dialect.generic
    assert made("CL1.1", "-all")[0].has("cl_khr_byte_addressable_store")
    assert not made("CL1.0", "-all")[0].has("cl_khr_byte_addressable_store")


def test_an_extension_of_a_newer_version_has_no_effect_and_is_noted() -> None:
    dialect, notes = made("CL1.2", "+cl_khr_subgroups")
    assert dialect == made("CL1.2")[0]
    assert notes == ("cl_khr_subgroups is not in CL1.2: it needs CL2.0 or newer",)


switch = st.builds(str.__add__, st.sampled_from(["+", "-", ""]), st.sampled_from([*sorted(FEATURES), "all"]))


@given(st.sampled_from(["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"]), st.lists(switch, max_size=12))
def test_every_made_dialect_is_consistent(standard: str, switches: list[str]) -> None:
    dialect, notes = made(standard, *switches)
    on = dialect.extensions
    assert all(FEATURES[name].available_in(dialect.version) for name in on)
    assert all(on.issuperset(needed) for name, needed in requirements(dialect.version).items() if name in on)
    assert len(notes) == len(set(notes))
    if dialect.version >= 300:
        assert all((name in on) == (other in on) for name, other in SYNONYMS.items())


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=4))
def test_no_text_raises(standard: str, switches: list[str]) -> None:
    make_dialect(standard, switches)
