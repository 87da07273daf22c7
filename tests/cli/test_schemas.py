"""The shipped JSON schemas describe the outputs: every key, on every kernel of the tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from openclsp.cli.schemas import schema_names, schema_text

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")

KERNELS = Path(__file__).parents[1] / "kernels"


def closed(schema: Any) -> Any:
    """The schema without permission for further keys, which a shipped schema gives to later versions."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: closed(value) for key, value in schema.items()}
    if "properties" in schema and "additionalProperties" not in schema:
        found["additionalProperties"] = False
    return found


def validate(name: str, text: str) -> Any:
    schema = closed(json.loads(schema_text(name)))
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(text)
    jsonschema.Draft202012Validator(schema).validate(document)
    return document


@pytest.fixture
def kernels(folder):
    shutil.copytree(KERNELS, folder, dirs_exist_ok=True)
    return folder


@pytest.mark.parametrize(
    "options",
    [
        ("--show-options", "--kernels", "--statistics"),
        ("--all-std", "--no-fixes", "--max", "3"),
        ("--fix",),
        ("--all-variants", "--ignore", "pointer-cast"),
    ],
)
def test_check(openclsp, kernels, options):
    (kernels / "other.txt").write_text("text\n")
    document = validate("check", openclsp("check", "--format", "json", *options, ".", "other.txt").out)
    assert len(document["files"]) > 5
    assert document["notChecked"]


def test_hover_and_flow(openclsp, kernels):
    lines = (kernels / "generic" / "smooth.cl").read_text().splitlines()
    hovered = [
        validate("hover", openclsp("hover", "--format", "json", f"generic/smooth.cl:{line}:{column}").out)
        for line, column in ((23, 12), (1, 1), (len(lines), 1))
    ]
    assert hovered[0]["flow"] is not None
    assert hovered[1]["type"] is None
    assert validate("flow", openclsp("flow", "--format", "json", "generic/smooth.cl:23:12").out)["flow"]


def test_layout_and_expand(openclsp, write):
    write("s.cl", "#define N 4\nstruct s { char tag; int b : 3; float4 v; };\nconstant int n = N;\n")
    assert validate("layout", openclsp("layout", "--format", "json", "s.cl:2:8").out)["layouts"]
    assert validate("expand", openclsp("expand", "--format", "json", "s.cl:3:18").out)["steps"]
    assert validate("expand", openclsp("expand", "--format", "json", "s.cl").out)["text"]


def test_rules_concepts_and_baseline(openclsp, kernels):
    assert validate("rules", openclsp("rules", "--format", "json").out)["rules"]
    assert validate("concepts", openclsp("rules", "--concepts", "--format", "json").out)["concepts"]
    openclsp("check", "--baseline", "known.json", "--write-baseline", "--no-fixes", "faulty")
    assert validate("baseline", (kernels / "known.json").read_text())["diagnostics"]


def test_the_command_prints_each_schema(openclsp):
    names = openclsp("schema").out.split()
    assert names == list(schema_names())
    assert [json.loads(openclsp("schema", name).out)["title"] for name in names]
    ran = openclsp("schema", "chek")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no schema 'chek'; did you mean 'check'?" in ran.err


def test_flow_difference(openclsp, write, folder):
    write("k.cl", "kernel void k(global int *g) { int *p = g; p[0] = 1; }\n")
    shutil.rmtree(folder / ".git")
    for arguments in (("init",), ("add", "."), ("commit", "-m", "first")):
        identity = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)
    write("k.cl", "kernel void k(local int *g) { int *p = g; p[0] = 1; }\n")
    found = openclsp("flow", "--std", "CL2.0", "--diff", "HEAD", "--format", "json", "k.cl").out
    assert validate("flow-difference", found)["changed"]
