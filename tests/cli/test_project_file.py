"""`openclsp.toml` and ignore comments on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.severity_settings import list_project_problems
from openclsp.workspace.project_file import load_schema, read_project_file
from openclsp.workspace.toml_parser import find_key_lines

LOCAL_FROM_GLOBAL = "kernel void k(global int *g) {\n    local int *l = g;%s\n}\n"
ERROR = LOCAL_FROM_GLOBAL % ""
IGNORED = LOCAL_FROM_GLOBAL % " // openclsp: ignore[pointer-conversion]"


def codes(ran) -> list[tuple[str, str]]:
    return [
        (each["code"], each["severity"])
        for file in json.loads(ran.out)["files"]
        for each in file["diagnostics"]
    ]


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 0), ("hint", 0), ("off", 0)])
def test_the_exit_code_follows_the_severity_asked_for(openclsp, write, severity, code):
    write("k.cl", ERROR)
    write("openclsp.toml", f'[severity]\npointer-conversion = "{severity}"\n')
    ran = openclsp("check", "--format", "json", "k.cl")
    assert codes(ran) == ([("pointer-conversion", severity)] if severity != "off" else [])
    assert (ran.code, ran.err) == (code, "")


def test_a_warning_can_be_made_an_error(openclsp, write):
    write("k.cl", "kernel void k(global global int *g) {}\n")
    assert openclsp("check", "k.cl").code == 0
    write("openclsp.toml", '[severity]\nduplicate-space = "error"\n')
    assert openclsp("check", "k.cl").code == 1


def test_the_summary_says_where_the_version_comes_from(openclsp, write):
    write("openclsp.toml", 'language-version = "CL2.0"\n')
    write("compile_flags.txt", "-cl-std=CL1.1\n")
    write("k.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "k.cl")
    assert ran.out == "No errors; 1 file checked as OpenCL C 2.0, from openclsp.toml.\n"
    assert "from --std CL1.2" in openclsp("check", "--std", "CL1.2", "k.cl").out


def test_address_bits_decide_what_size_t_is(openclsp, write):
    write("k.cl", "kernel void k(global uint *a) { global size_t *b = a; }\n")
    for bits, expected in ((64, ["incompatible-pointer"]), (32, [])):
        write("openclsp.toml", f"[device]\naddress-bits = {bits}\n")
        ran = openclsp("check", "--format", "json", "k.cl")
        assert [code for code, _ in codes(ran)] == expected


def test_options_decide_on_the_size_of_an_address_and_on_blocks(openclsp, write):
    write("k.cl", "kernel void k(global uint *a) { global size_t *b = a; int (^c)(int); }\n")
    for options, expected in (
        ("-cl-std=CL1.2", ["incompatible-pointer", "block-unavailable"]),
        ("-cl-std=CL1.2\n-m32", ["block-unavailable"]),
        ("-cl-std=CL1.2\n--target=spir\n-fblocks", []),
        ("-fblocks\n-m32", []),
    ):
        write("compile_flags.txt", options)
        ran = openclsp("check", "--format", "json", "k.cl")
        assert [code for code, _ in codes(ran) if code != "block-variable"] == expected
    assert "checked as OpenCL C 1.2, the default" in openclsp("check", "k.cl").out
    write("openclsp.toml", "[device]\naddress-bits = 64\n")
    assert [code for code, _ in codes(openclsp("check", "--format", "json", "k.cl"))][:1] == [
        "incompatible-pointer"
    ]


def test_constants_can_be_of_single_precision(openclsp, write):
    write("k.cl", "kernel void k(global float2 *a) { a[0] = 1.5 * a[1]; double b[1]; b[0] = 2.5; }\n")
    for options, expected in (("", ["invalid-operands"]), ("-cl-single-precision-constant", [])):
        write("compile_flags.txt", options)
        ran = openclsp("check", "--format", "json", "k.cl")
        assert [code for code, _ in codes(ran)] == expected


def test_folders_leave_out_what_is_excluded_and_say_so(openclsp, write):
    write("openclsp.toml", 'exclude = ["generated/"]\n')
    write("generated/a.cl", ERROR)
    write("generated/b.cl", ERROR)
    write("k.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", ".")
    assert ran.out.splitlines() == [
        "2 files excluded by openclsp.toml.",
        "No errors; 1 file checked as OpenCL C 1.2, the default of OpenCL compilers.",
    ]
    assert (ran.code, ran.err) == (0, "")


def test_a_file_that_is_named_is_checked_all_the_same(openclsp, write):
    write("openclsp.toml", 'exclude = ["generated/"]\n')
    write("generated/a.cl", ERROR)
    assert openclsp("check", "generated/a.cl").code == 1


def test_everything_left_out_is_no_failure(openclsp, write):
    write("openclsp.toml", 'exclude = ["*.cl"]\n')
    write("k.cl", ERROR)
    ran = openclsp("check", ".")
    assert ran.out == "1 file excluded by openclsp.toml.\nNothing was checked.\n"
    assert (ran.code, ran.err) == (0, "")


def test_what_is_wrong_in_the_file_is_said_once(openclsp, write, folder):
    write("openclsp.toml", 'language-version = "CL2.0"\nextentions = []\n[severity]\nrecurson = "off"\n')
    for name in ("a.cl", "b.cl"):
        write(name, "kernel void k(void) {}\n")
    ran = openclsp("check", ".")
    assert ran.err.splitlines() == [
        f"openclsp: {folder}/openclsp.toml:2: unknown key 'extentions'; did you mean 'extensions'?",
        f"openclsp: {folder}/openclsp.toml:4: there is no rule 'recurson'; did you mean 'recursion'?",
    ]
    assert ran.out == "No errors; 2 files checked as OpenCL C 2.0, from openclsp.toml.\n"


def test_what_is_not_analysed_can_be_off_too(openclsp, write):
    write("k.clcpp", "template <class T> void f(T t);\n")
    assert codes(openclsp("check", "--format", "json", ".")) == [("cpp-for-opencl", "information")]
    write("openclsp.toml", '[severity]\ncpp-for-opencl = "off"\n')
    assert codes(openclsp("check", "--format", "json", ".")) == []


def test_an_ignored_error_is_none(openclsp, write):
    write("k.cl", IGNORED)
    ran = openclsp("check", "--format", "json", "k.cl")
    assert (codes(ran), ran.code) == ([], 0)


def test_a_comment_that_ignores_nothing_has_a_fix_and_an_error_no_comment_among_its_fixes(openclsp, write):
    write("k.cl", ERROR + "// openclsp: ignore[recursion]\n")
    ran = openclsp("check", "--format", "json", "k.cl")
    error, hint = json.loads(ran.out)["files"][0]["diagnostics"]
    assert error["fixes"]
    assert not any("openclsp:" in edit["text"] for fix in error["fixes"] for edit in fix["edits"])
    assert (hint["code"], hint["severity"]) == ("unused-ignore", "hint")
    assert [fix["title"] for fix in hint["fixes"]] == ["Remove this comment"]
    assert hint["fixes"][0]["edits"][0]["range"] == {
        "start": {"line": 4, "column": 1},
        "end": {"line": 5, "column": 1},
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('exclude = []\n[device]\nversion = "2.0"\n', None),
        ('exclude = []\nlanguage-version  =  "CL1.2"  # as the host\n', "exclude = []\n%s  # as the host\n"),
    ],
)
def test_a_fix_that_changes_the_version_writes_it_where_it_counts(openclsp, write, folder, before, after):
    write("openclsp.toml", before)
    write("compile_flags.txt", "-cl-std=CL1.1\n" if after else "")
    write("k.cl", "kernel void k(void) { int n; int *p = &n; global int *g = 0; int *q = g; }\n")
    ran = openclsp("check", "--format", "json", "k.cl")
    fixes = [
        fix
        for each in json.loads(ran.out)["files"][0]["diagnostics"]
        for fix in each["fixes"]
        if fix["edits"][0]["path"].endswith("openclsp.toml")
    ]
    assert fixes
    (edit,) = fixes[0]["edits"]
    lines = before.splitlines(keepends=True)
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert start["line"] == end["line"]
    line = lines[start["line"] - 1]
    lines[start["line"] - 1] = line[: start["column"] - 1] + edit["text"] + line[end["column"] - 1 :]
    setting = 'language-version = "CL2.0"'
    assert "".join(lines) == (after % setting if after else f"{setting}\n{before}")
    write("openclsp.toml", "".join(lines))
    assert "OpenCL C 2.0, from openclsp.toml" in openclsp("check", "k.cl").out


def test_the_documented_example_has_every_key_and_no_fault(write):
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    path = write("openclsp.toml", example)
    assert list_project_problems(read_project_file(str(path))) == ()
    keys = find_key_lines(example)
    properties = load_schema()["properties"]
    assert {(key,) for key in properties} <= keys.keys()
    assert {("device", key) for key in properties["device"]["properties"]} <= keys.keys()
