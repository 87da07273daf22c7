"""Diagnostics in copies of other projects, in unused code and in tests."""

from __future__ import annotations

import json

import pytest
from openclsp.cli.secondary_files import is_secondary

FAULT = "kernel void k(global const int *p) { global int *q = p; }\n"
NOTICE = "not shown: in other projects, unused code or tests; name a file or folder to see them"


@pytest.mark.parametrize(
    ("path", "unmaintained"),
    [
        ("third_party/fft/k.cl", True),
        ("./src/ThirdParty/k.cl", True),
        ("3rdparty/k.cl", True),
        ("external/clFFT/src/k.cl", True),
        ("deps/k.cl", True),
        ("Old/kernel/k.cl", True),
        ("src/unused/k.cl", True),
        ("tests/unit/k.cl", True),
        ("source/Test/k.cl", True),
        ("unit_tests/k.cl", True),
        ("benchmarks/shoc-master/src/k.cl", True),
        ("clFFT-main/k.cl", True),
        ("build/test/classes/sums/k.cl", True),
        ("target/classes/k.cl", True),
        ("kernel_old.cl", True),
        ("src/kernel.bak.cl", True),
        ("kernels/unused.cl", True),
        ("kernel - Copy.cl", True),
        ("kernel - Copy (2).cl", True),
        ("kernel - Kopie.cl", True),
        ("kernel - Kopia (3).cl", True),
        ("kernel - copia.cl", True),
        ("kernel - Copie.cl", True),
        ("old.cl", False),
        ("build/k.cl", False),
        ("src/classes/k.cl", False),
        ("src/web-master.cl", False),
        ("master/k.cl", False),
        ("main/k.cl", False),
        ("remain/k.cl", False),
        ("test.cl", False),
        ("contest/k.cl", False),
        ("threshold.cl", False),
        ("kernel_threshold.cl", False),
        ("src/copy.cl", False),
        ("golden/k.cl", False),
        ("old_fashioned/k.cl", False),
        ("party/k.cl", False),
        ("/home/me/old/k.cl", False),
    ],
)
def test_folders_and_names(path: str, unmaintained: bool) -> None:
    assert is_secondary(path, ["."], b"") is unmaintained


@pytest.mark.parametrize("given", ["third_party", "third_party/", "third_party/fft", "third_party/fft/k.cl"])
def test_a_folder_that_the_user_names_is_meant(given: str) -> None:
    assert not is_secondary("third_party/fft/k.cl", [".", given], b"")


@pytest.mark.parametrize(
    ("text", "unmaintained"),
    [
        (b"// RUN: clspv %s -o %t.spv\n", True),
        (b"// RUN: not an instruction\n", False),
        (b"// OVERRUN:%s\n", False),
        (b"", False),
    ],
)
def test_a_test_of_a_compiler_compiles_itself(text: bytes, unmaintained: bool) -> None:
    assert is_secondary("k.cl", ["."], text) is unmaintained


def test_they_are_counted_in_a_run_over_a_folder(openclsp, write) -> None:
    write("third_party/fft/a.cl", FAULT)
    write("lit.cl", "// RUN: compiler %s\n" + FAULT.replace("k(", "l("))
    write("own.cl", FAULT.replace("q", "r"))
    shown = openclsp("check", "--no-fixes", ".").out
    assert shown.count("warning[discarded-qualifiers]") == 1 and "./own.cl:1" in shown
    notice = f"2 diagnostics are {NOTICE}: ./lit.cl and ./third_party/fft/a.cl."
    assert notice in shown.splitlines()
    found = json.loads(openclsp("check", "--no-fixes", "--format", "json", ".").out)
    assert sum(len(each["diagnostics"]) for each in found["files"]) == 3


def test_they_are_shown_if_they_are_named(openclsp, write) -> None:
    write("third_party/a.cl", FAULT)
    write("third_party/b.cl", "kernel void l(void) { }\n")
    for arguments in (("third_party",), ("third_party/a.cl", "third_party/b.cl"), ("third_party/a.cl",)):
        assert "warning[discarded-qualifiers]" in openclsp("check", "--no-fixes", *arguments).out


def test_they_are_shown_if_there_is_nothing_else(openclsp, write) -> None:
    write("tests/a.cl", FAULT)
    write("tests/b.cl", "kernel void l(void) { }\n")
    assert "warning[discarded-qualifiers]" in openclsp("check", "--no-fixes", ".").out
    write("c.cl", "kernel void m(void) { }\n")
    assert "warning[discarded-qualifiers]" not in openclsp("check", "--no-fixes", ".").out


def test_errors_are_always_shown(openclsp, write) -> None:
    write("third_party/a.cl", "kernel void k(global int *g) { local int *l = g; }\n")
    write("own.cl", "kernel void l(void) { }\n")
    assert "error[pointer-conversion]" in openclsp("check", "--no-fixes", ".").out
