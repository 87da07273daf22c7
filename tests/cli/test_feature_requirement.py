"""A requested feature that the language version cannot have is an error."""

from __future__ import annotations

import json

import pytest

KERNEL = "kernel void k(global int *g) {\n    g[0] = 1;\n}\n"
GENERIC, ENQUEUE = "__opencl_c_generic_address_space", "__opencl_c_device_enqueue"


def codes(ran) -> list[tuple[str, str, int]]:
    (file,) = json.loads(ran.out)["files"]
    return [(each["code"], each["severity"], each["range"]["start"]["line"]) for each in file["diagnostics"]]


def test_on_the_command_line(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("check", "--std", "CL3.0", f"--cl-ext=+{ENQUEUE},-{GENERIC}", "--format", "json", "k.cl")
    assert ran.code == 1
    assert codes(ran) == [("feature-requirement", "error", 1)]


@pytest.mark.parametrize("severity", ["", '[severity]\nfeature-requirement = "off"\n'])
def test_in_the_file_of_the_project(openclsp, write, severity):
    write("k.cl", KERNEL)
    write(
        "openclsp.toml", f'language-version = "CL3.0"\nextensions = ["+{ENQUEUE}", "-{GENERIC}"]\n{severity}'
    )
    ran = openclsp("check", "--format", "json", "k.cl")
    assert ran.code == (0 if severity else 1)
    assert codes(ran) == ([] if severity else [("feature-requirement", "error", 1)])


def test_what_goes_along_is_a_note(openclsp, write):
    write("k.cl", KERNEL)
    ran = openclsp("check", "--std", "CL3.0", f"--cl-ext=-{GENERIC}", "k.cl")
    assert ran.code == 0
    assert f"{ENQUEUE} and __opencl_c_pipes are off as well" in ran.err
