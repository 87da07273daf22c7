"""`check --variant`, `--all-variants` and `--all-std`: common diagnostics are shown once."""

from __future__ import annotations

import json
from typing import Any

import pytest

PROJECT = """\
[variants.single]
defines = { REAL = "float" }

[variants.double]
defines = { REAL = "double", EXACT = true }
"""
KERNEL = """\
kernel void k(global REAL *p) {
    local REAL *q = p;
#ifdef EXACT
    local int *r = p;
#endif
}
"""


def found(ran: Any) -> list[tuple[int, list[str]]]:
    """(line, variants) of each diagnostic of the only file."""
    (file,) = json.loads(ran.out)["files"]
    return [(each["range"]["start"]["line"], each["variants"]) for each in file["diagnostics"]]


def test_the_first_counts_unless_another_is_named(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", PROJECT)
    write("k.cl", KERNEL)
    assert found(openclsp("check", "--format", "json", "k.cl")) == [(2, ["single"])]
    ran = openclsp("check", "--format", "json", "--variant", "double", "k.cl")
    assert found(ran) == [(2, ["double"]), (4, ["double"])]
    write("openclsp.toml", f'variant = "double"\n{PROJECT}')
    assert found(openclsp("check", "--format", "json", "k.cl")) == [(2, ["double"]), (4, ["double"])]


def test_the_answer_says_which_was_chosen(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", PROJECT)
    write("k.cl", KERNEL)
    assert "; variant single, from openclsp.toml." in openclsp("check", "k.cl").out
    assert "variant single, from openclsp.toml" in openclsp("hover", "k.cl:2:17").out
    assert "double" in openclsp("hover", "--variant", "double", "k.cl:2:17").out
    assert "did you mean 'double'?" in openclsp("hover", "--variant", "duble", "k.cl:2:17").err


def test_all_variants_merge_what_is_the_same(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", PROJECT)
    write("k.cl", KERNEL)
    ran = openclsp("check", "--all-variants", "--format", "json", "k.cl")
    assert found(ran) == [(2, ["single", "double"]), (4, ["double"])]
    (file,) = json.loads(ran.out)["files"]
    assert (file["dialect"], file["variants"]) == ("CL1.2", ["single", "double"])
    text = openclsp("check", "--all-variants", "--no-fixes", "k.cl")
    heads = [line for line in text.out.splitlines() if "error[" in line]
    assert [line.endswith("(in double)") for line in heads] == [False, True]
    assert "2 errors; 1 file checked:" in text.out


def test_all_language_versions(openclsp: Any, write: Any) -> None:
    write("k.cl", "global int v;\nkernel void k(global int *p) { local int *q = p; }\n")
    ran = openclsp("check", "--all-std", "--format", "json", "k.cl")
    (file,) = json.loads(ran.out)["files"]
    assert file["variants"] == ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0"]
    by_code = {each["code"]: each["variants"] for each in file["diagnostics"]}
    assert by_code["pointer-conversion"] == file["variants"]
    assert by_code["program-scope-space"] == ["CL1.0", "CL1.1", "CL1.2"]


def test_variants_under_all_versions_have_both_names(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", PROJECT)
    write("k.cl", KERNEL)
    ran = openclsp("check", "--all-std", "--all-variants", "--format", "json", "k.cl")
    (file,) = json.loads(ran.out)["files"]
    assert len(file["variants"]) == 10 and "double CL2.0" in file["variants"]


def test_a_variant_may_be_for_some_files_alone(openclsp: Any, write: Any) -> None:
    write("openclsp.toml", f'{PROJECT}files = ["linear/*.cl"]\n')
    write("k.cl", KERNEL)
    write("linear/k.cl", KERNEL)
    ran = openclsp("check", "--all-variants", "--format", "json", ".")
    files = {file["path"]: file["variants"] for file in json.loads(ran.out)["files"]}
    assert files == {"./k.cl": ["single"], "./linear/k.cl": ["single", "double"]}


def test_without_variants_there_is_one_build(openclsp: Any, write: Any) -> None:
    write("k.cl", "kernel void k(global int *p) { local int *q = p; }\n")
    ran = openclsp("check", "--all-variants", "--format", "json", "k.cl")
    (file,) = json.loads(ran.out)["files"]
    assert "variants" not in file and "variants" not in file["diagnostics"][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--variant", "singel"), "there is no variant 'singel'; did you mean 'single'?"),
        (("--variant", "double", "--all-variants"), "cannot be combined"),
        (("--std", "CL2.0", "--all-std"), "cannot be combined"),
    ],
)
def test_what_cannot_be_asked_for(
    openclsp: Any, write: Any, arguments: tuple[str, ...], message: str
) -> None:
    write("openclsp.toml", PROJECT)
    write("k.cl", KERNEL)
    ran = openclsp("check", *arguments, "k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_fix_holds_in_every_build_that_has_the_fault(openclsp: Any, write: Any) -> None:
    write("k.cl", "kernel void k(int *p) { p[0] = 1; }\n")
    one = json.loads(openclsp("check", "--std", "CL1.2", "--format", "json", "k.cl").out)["files"][0]
    every = json.loads(openclsp("check", "--all-std", "--format", "json", "k.cl").out)["files"][0]
    titles = {fix["title"] for fix in one["diagnostics"][0]["fixes"]}
    assert titles >= {fix["title"] for fix in every["diagnostics"][0]["fixes"]} != set()
