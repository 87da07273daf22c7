"""`check --format sarif|github|gitlab|rdjson`, and `--output`: every format contains the same findings."""

from __future__ import annotations

import json
import os
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from openclsp.cli.formats.sarif import SCHEMA

KERNEL = """\
void take(local int *l);
kernel void k(global int *g) { /* 𝄞 */ local int *l = g;
    take(g);
    global global int *twice = g;
}
"""


@pytest.fixture
def found(openclsp, write) -> list[dict[str, Any]]:
    """The diagnostics of the kernel as JSON, the reference of the other formats."""
    write("sub folder/k.cl", KERNEL)
    (file,) = json.loads(openclsp("check", "--format", "json", "sub folder/k.cl").out)["files"]
    assert {each["severity"] for each in file["diagnostics"]} == {"error", "warning"}
    return list(file["diagnostics"])


def sarif_of(openclsp, *arguments: str) -> dict[str, Any]:
    (run,) = json.loads(openclsp("check", "--format", "sarif", *arguments).out)["runs"]
    return dict(run)


def test_sarif_has_every_finding_with_its_fixes(openclsp, found):
    run = sarif_of(openclsp, "sub folder/k.cl")
    assert len(run["results"]) == len(found)
    rules = run["tool"]["driver"]["rules"]
    for result, expected in zip(run["results"], found, strict=True):
        assert result["ruleId"] == expected["code"] == rules[result["ruleIndex"]]["id"]
        assert result["message"]["text"] == expected["message"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "sub%20folder/k.cl"
        assert place["region"]["startColumn"] == expected["range"]["start"]["column"]
        assert place["region"]["endLine"] == expected["range"]["end"]["line"]
        edits = [
            [
                (replacement["deletedRegion"]["startColumn"], replacement["insertedContent"]["text"])
                for change in fix["artifactChanges"]
                for replacement in change["replacements"]
            ]
            for fix in result.get("fixes", ())
        ]
        wanted = [
            [(edit["range"]["start"]["column"], edit["text"]) for edit in fix["edits"]]
            for fix in expected["fixes"]
        ]
        assert edits == wanted
    assert any("fixes" in result for result in run["results"])
    assert all(rule["help"]["markdown"].startswith(f"# {rule['id']}: ") for rule in rules)


def test_the_context_of_a_region_is_larger_than_the_region(openclsp, write):
    """Otherwise SARIF's multitool reports the error SARIF1008."""
    text = "kernel void k(global int *g) {\n    local int *l =\n        (local\nint *)g;\n}\nfoo\n"
    write("k.cl", text)
    places = [
        each["physicalLocation"]
        for result in sarif_of(openclsp, "--no-fixes", "k.cl")["results"]
        for each in (*result["locations"], *result["relatedLocations"])
    ]
    parts = [each["region"]["snippet"]["text"] for each in places]
    assert any("\n" in part for part in parts) and "foo" in parts
    for place, part in zip(places, parts, strict=True):
        assert ("contextRegion" in place) == ("\n" not in part and part not in text.split("\n"))


def test_fingerprints_of_sarif_are_unique_and_without_lines(openclsp, write):
    write("k.cl", "kernel void k(global int *g) {\n" + "    local int *l = g;\n" * 3 + "}\n")
    before = [each["partialFingerprints"] for each in sarif_of(openclsp, "k.cl")["results"]]
    write("k.cl", "\n\n// x\nkernel void k(global int *g) {\n" + "    local int  *l = g; // y\n" * 3 + "}\n")
    after = [each["partialFingerprints"] for each in sarif_of(openclsp, "k.cl")["results"]]
    assert before == after
    assert len({str(each) for each in before}) == len(before) >= 3


def sarif_schema() -> dict[str, Any]:
    """The schema of OASIS, from the file that OPENCLSP_SARIF_SCHEMA names or from its address."""
    named = os.environ.get("OPENCLSP_SARIF_SCHEMA")
    try:
        if named:
            return dict(json.loads(Path(named).read_text(encoding="utf-8")))
        with urllib.request.urlopen(SCHEMA, timeout=3) as answer:
            return dict(json.load(answer))
    except OSError as error:
        pytest.skip(f"the schema of SARIF cannot be fetched ({error}): set OPENCLSP_SARIF_SCHEMA to its file")


def test_sarif_is_valid(openclsp, write, found):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = sarif_schema()
    write("other.txt", "text\n")
    write("bad\udcff,:%.cl" if os.name == "posix" else "bad.cl", KERNEL.encode() + b"// \xff\n")
    ran = openclsp("check", "--format", "sarif", ".", "other.txt")
    assert ran.code == 2
    log = json.loads(ran.out)
    validator = jsonschema.validators.validator_for(schema)(schema)
    validator.validate(log)
    assert not log["runs"][0]["invocations"][0]["executionSuccessful"]
    empty = json.loads(openclsp("check", "--format", "sarif", "--select", "pointer-cast", "sub folder").out)
    validator.validate(empty)
    assert empty["runs"][0]["results"] == []


def test_equal_files_of_different_projects_have_unique_fingerprints(openclsp, write):
    for project in ("a", "b"):
        write(f"{project}/openclsp.toml", "")
        write(f"{project}/k.cl", KERNEL)
    results = sarif_of(openclsp, "--no-fixes", "a", "b")["results"]
    assert len({str(each["partialFingerprints"]) for each in results}) == len(results)
    openclsp("check", "--baseline", "known.json", "--write-baseline", "a", "b")
    assert openclsp("check", "--baseline", "known.json", "a", "b").code == 0
    write("a/k.cl", KERNEL + "kernel void j(global int *g) {\n    take(g);\n}\n")
    assert openclsp("check", "--baseline", "known.json", "a", "b").code == 1


def test_github_escapes_what_would_end_a_command(openclsp, write):
    write("a,b:%.cl", KERNEL)
    lines = openclsp("check", "--format", "github", ".").out.splitlines()
    assert lines[0].startswith(
        "::error file=a%2Cb%3A%25.cl,line=2,endLine=2,title=openclsp%3A pointer-conversion,"
    )
    assert [line.split(" ")[0] for line in lines] == sorted(line.split(" ")[0] for line in lines)
    assert all(line.count("::") == 2 for line in lines)


def test_gitlab(openclsp, found):
    entries = json.loads(openclsp("check", "--format", "gitlab", "./sub folder/k.cl").out)
    assert [each["check_name"] for each in entries] == [each["code"] for each in found]
    assert {each["location"]["path"] for each in entries} == {"sub folder/k.cl"}
    assert len({each["fingerprint"] for each in entries}) == len(entries)
    assert {each["severity"] for each in entries} == {"major", "minor"}


def test_rdjson_counts_bytes(openclsp, found):
    document = json.loads(openclsp("check", "--format", "rdjson", "sub folder/k.cl").out)
    first = document["diagnostics"][0]
    line = KERNEL.splitlines()[1]
    assert first["location"]["range"]["start"] == {
        "line": 2,
        "column": len(line[: line.index("= g") + 2].encode()) + 1,
    }
    assert first["severity"] == "ERROR"
    assert any(each["suggestions"] for each in document["diagnostics"])


def test_a_report_in_a_file(openclsp, write, folder, found):
    ran = openclsp("check", "--format", "sarif", "-o", "out.sarif", "sub folder/k.cl")
    assert (ran.code, ran.out) == (1, "")
    assert len(json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]) == len(found)
    ran = openclsp("check", "-o", "out.txt", "sub folder/k.cl")
    assert "error[pointer-conversion]" in (folder / "out.txt").read_text()


def test_a_report_that_cannot_be_written_leaves_the_old_one(openclsp, folder, found, monkeypatch):
    (folder / "out.json").write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    ran = openclsp("check", "--format", "json", "-o", "out.json", "sub folder/k.cl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "openclsp: out.json cannot be written: No space left on device\n"
    assert (folder / "out.json").read_text() == "old"
    assert sorted(os.listdir(folder)) == [".git", "out.json", "sub folder"]
    ran = openclsp("check", "-o", "none/out.json", "sub folder/k.cl")
    assert ran.code == 2
    assert ran.err == "openclsp: none/out.json cannot be written: No such file or directory\n"
