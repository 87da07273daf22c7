"""Each sample kernel that README.md mentions has exactly the expected diagnostics."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from openclsp.cli import main

KERNELS = Path(__file__).parents[1] / "kernels"

EXPECTED = {
    "clean/gaussian.cl": [],
    "clean/geometry.clh": [],
    "clean/matrix_product.cl": [],
    "clean/reduction.cl": [],
    "faulty/bins.clh": [(8, "write-to-constant")],
    "faulty/blur.cl": [(16, "pointer-conversion"), (21, "pointer-cast")],
    "faulty/histogram.cl": [(4, "kernel-argument-space"), (8, "local-scope")],
    "faulty/lookup.cl": [(2, "program-scope-space"), (14, "pointer-conversion")],
    "faulty/particles.cl": [(25, "pointer-conversion")],
    "generic/smooth.cl": [(24, "pointer-conversion")],
}
"""(line, code) of each error by file."""


def test_exactly_these_errors(capsys, monkeypatch):
    monkeypatch.chdir(KERNELS)
    assert main(["check", "--format", "json", "clean", "faulty", "generic"]) == 1
    files = json.loads(capsys.readouterr().out)["files"]
    found = {
        file["path"]: [
            (each["range"]["start"]["line"], each["code"])
            for each in file["diagnostics"]
            if each["severity"] == "error"
        ]
        for file in files
    }
    assert found == EXPECTED


def test_clang_finds_the_same_lines():
    clang = shutil.which("clang-22")
    if clang is None:
        pytest.skip("no clang-22 on the PATH to compare with")
    found: dict[str, set[int]] = {name: set() for name in EXPECTED}
    for name in EXPECTED:
        if name.endswith(".clh"):
            continue
        standard = "CL2.0" if name.startswith("generic") else "CL1.2"
        options = ["-x", "cl", f"-cl-std={standard}", "-target", "spir64", "-fsyntax-only"]
        ran = subprocess.run(
            [clang, *options, "-Xclang", "-finclude-default-header", name],
            cwd=KERNELS,
            capture_output=True,
            text=True,
            check=False,
        )
        for path, line in re.findall(r"^(\S+?):([0-9]+):[0-9]+: error:", ran.stderr, re.MULTILINE):
            found[path.removeprefix("./")].add(int(line))
    assert found == {name: {line for line, _ in errors} for name, errors in EXPECTED.items()}
