"""Extensions and features: dependencies and versions, as in clang."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from openclsp.language.dialect import Dialect
from openclsp.language.features import FEATURES, SYNONYMS, VERSIONS, available_in, requirements

from .clang import QUIETLY, needs_clang, run_clang

LATEST = Dialect.of("CL3.0")


def test_every_version_keeps_what_the_one_before_had() -> None:
    for older, newer in pairwise(VERSIONS):
        assert available_in(older) <= available_in(newer)
    assert available_in(300) == FEATURES.keys()


def test_requirements_are_features_of_their_version() -> None:
    for version in VERSIONS:
        for feature, needed in requirements(version).items():
            assert {feature, *needed} <= FEATURES.keys()
    assert requirements(300)["__opencl_c_pipes"] == ("__opencl_c_generic_address_space",)
    assert "__opencl_c_pipes" not in requirements(200)


@needs_clang
def test_clang_knows_the_same_requirements_and_synonyms() -> None:
    required, same = set(), set()
    for name in sorted(FEATURES):
        without = Dialect(300, LATEST.extensions - {name})
        said = run_clang(without, "", "-fsyntax-only").stderr
        required |= set(re.findall(r"feature (\w+) requires support of (\w+) feature", said))
        same |= set(re.findall(r"options (\w+) and (\w+) are set to different values", said))
    ours = {(feature, each) for feature, needed in requirements(300).items() for each in needed}
    assert {pair for pair in ours if pair[1] != "cl_khr_fp64"} == required
    assert {frozenset(pair) for pair in SYNONYMS.items()} == {frozenset(pair) for pair in same}


@needs_clang
@pytest.mark.parametrize("version", VERSIONS)
def test_clang_says_the_same_extensions_to_be_core(version: int) -> None:
    extensions = [each for each in FEATURES.values() if not each.name.startswith("__opencl_c_")]
    names = [each.name for each in extensions if each.available_in(version)]
    pragmas = "\n".join(f"#pragma OPENCL EXTENSION {name} : enable" for name in names)
    dialect = Dialect(version, available_in(version))
    said = run_clang(dialect, pragmas, "-fsyntax-only", "-Wpedantic-core-features", *QUIETLY).stderr
    pattern = r"OpenCL extension '(\w+)' is core feature or supported optional core feature"
    core = {name for name in names if version in FEATURES[name].core | FEATURES[name].optional_core}
    assert set(re.findall(pattern, said)) == core
