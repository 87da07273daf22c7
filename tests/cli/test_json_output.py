"""`check --format json`: every field."""

from __future__ import annotations

import json
from typing import Any

LOCAL_FROM_GLOBAL = """\
kernel void k(global int *g) {
    local int *l = g;
}
"""


def checked(ran: Any) -> list[dict[str, Any]]:
    document = json.loads(ran.out)
    assert set(document) == {"version", "files"}
    assert document["version"] == 1
    for file in document["files"]:
        assert set(file) == {"path", "dialect", "diagnostics"}
        places = []
        for found in file["diagnostics"]:
            assert set(found) == {"code", "severity", "message", "range", "related", "fixes"}
            assert found["severity"] in ("error", "warning", "information", "hint")
            assert_range(found["range"])
            places.append(start(found))
            for related in found["related"]:
                assert set(related) == {"path", "range", "message"}
                assert_range(related["range"])
            for fix in found["fixes"]:
                assert set(fix) == {"title", "preferred", "edits"}
                assert isinstance(fix["preferred"], bool)
                assert fix["edits"]
                for edit in fix["edits"]:
                    assert set(edit) == {"path", "range", "text"}
                    assert_range(edit["range"])
        assert places == sorted(places)
    paths = [file["path"] for file in document["files"]]
    assert paths == sorted(paths)
    return list(document["files"])


def assert_range(found: Any) -> None:
    assert set(found) == {"start", "end"}
    for place in found.values():
        assert set(place) == {"line", "column"}
        assert place["line"] >= 1
        assert place["column"] >= 1


def start(found: dict[str, Any]) -> tuple[int, int]:
    return found["range"]["start"]["line"], found["range"]["start"]["column"]


def span(first: tuple[int, int], last: tuple[int, int]) -> dict[str, Any]:
    return {
        "start": {"line": first[0], "column": first[1]},
        "end": {"line": last[0], "column": last[1]},
    }


def test_an_error_with_its_place_related_place_and_fix(openclsp, write):
    write("k.cl", LOCAL_FROM_GLOBAL)
    ran = openclsp("check", "--format", "json", "k.cl")
    (file,) = checked(ran)
    assert ran.code == 1
    assert ran.err == ""
    assert file["path"] == "k.cl"
    assert file["dialect"] == "CL1.2"
    (found,) = file["diagnostics"]
    assert found["code"] == "pointer-conversion"
    assert found["severity"] == "error"
    assert "global" in found["message"]
    assert "local" in found["message"]
    assert found["range"] == span((2, 20), (2, 21))
    assert {"path": "k.cl", "range": span((1, 15), (1, 21))}.items() <= next(
        related for related in found["related"] if "`g`" in related["message"]
    ).items()
    (to_global,) = [
        fix
        for fix in found["fixes"]
        if fix["edits"] == [{"path": "k.cl", "range": span((2, 5), (2, 10)), "text": "global"}]
    ]
    assert to_global["title"]


def test_a_clean_file_has_an_entry_and_exit_code_0(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { *g = 1; }\n")
    ran = openclsp("check", "--format", "json", "k.cl")
    assert ran.code == 0
    assert checked(ran) == [{"path": "k.cl", "dialect": "CL1.2", "diagnostics": []}]


def test_no_fixes(openclsp, write):
    write("k.cl", LOCAL_FROM_GLOBAL)
    (file,) = checked(openclsp("check", "--format", "json", "--no-fixes", "k.cl"))
    assert [found["fixes"] for found in file["diagnostics"]] == [[]]


def test_a_warning_alone_is_clean(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { global global int *p = g; }\n")
    ran = openclsp("check", "--format", "json", "k.cl")
    (file,) = checked(ran)
    assert [found["severity"] for found in file["diagnostics"]] == ["warning"]
    assert ran.code == 0


def test_columns_are_code_points(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { /* 𝄞 größer\x0c */ local int *l = g; }\n")
    (file,) = checked(openclsp("check", "--format", "json", "k.cl"))
    (found,) = file["diagnostics"]
    line = "kernel void k(global int *g) { /* 𝄞 größer\x0c */ local int *l = g; }"
    assert start(found) == (1, line.index("= g") + 3)


def test_line_ends_of_every_kind_and_bytes_that_are_no_utf8(openclsp, write):
    write("k.cl", b"// \xff\xfe\rkernel void k(global int *g)\r\n{ /* \xe4 */ local int *l = g; }\n")
    (file,) = checked(openclsp("check", "--format", "json", "k.cl"))
    (found,) = file["diagnostics"]
    assert start(found) == (3, len("{ /* x */ local int *l = g") - 0)


def test_files_are_sorted_and_each_stands_once(openclsp, write):
    for name in ("b.cl", "a.cl", "sub/c.cl", "sub/.hidden/d.cl", "notes.txt"):
        write(name, "kernel void k(void) {}\n")
    ran = openclsp("check", "--format", "json", "sub", "b.cl", "a.cl", "sub/c.cl")
    assert [file["path"] for file in checked(ran)] == ["a.cl", "b.cl", "sub/c.cl"]


def test_paths_are_as_given(openclsp, write, folder):
    write("sub/k.cl", LOCAL_FROM_GLOBAL)
    for path in ("./sub/k.cl", "sub//k.cl", str(folder / "sub" / "k.cl")):
        (file,) = checked(openclsp("check", "--format", "json", path))
        assert file["path"] == path
        assert {related["path"] for found in file["diagnostics"] for related in found["related"]} == {path}


def test_each_dialect_is_named(openclsp, write):
    write("k.cl", "kernel void k(void) {}\n")
    generic, globals_ = "__opencl_c_generic_address_space", "__opencl_c_program_scope_global_variables"
    for options, name in (
        ((), "CL1.2"),
        (("--std", "CL1.0"), "CL1.0"),
        (("--std", "CL1.1"), "CL1.1"),
        (("--std", "CL2.0"), "CL2.0"),
        (("--std", "CL3.0"), "CL3.0"),
        (("--std", "CL3.0", "--cl-ext", f"-{generic}"), "CL3.0-generic"),
        (("--std", "CL3.0", "--cl-ext", f"-{globals_}"), "CL3.0-globals"),
        (("--std", "CL3.0", "--cl-ext", f"-{generic},-{globals_}"), "CL3.0-generic-globals"),
        (("--std", "CL3.0", "--cl-ext=-all"), "CL3.0-generic-globals"),
        (("--std", "CL3.0", "--cl-ext=-all", "--cl-ext", f"+{generic}"), "CL3.0-globals"),
    ):
        (file,) = checked(openclsp("check", "--format", "json", *options, "k.cl"))
        assert file["dialect"] == name


def test_what_a_switch_takes_with_it_is_said_once(openclsp, write):
    write("a.cl", "kernel void k(void) {}\n")
    write("b.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "--std", "CL3.0", "--cl-ext=-__opencl_c_generic_address_space", "a.cl", "b.cl")
    (line,) = ran.err.splitlines()
    assert "__opencl_c_pipes" in line
    assert "__opencl_c_device_enqueue" in line


def test_macros_and_include_folders(openclsp, write):
    write("inc/space.clh", "#define SPACE local\n")
    write("k.cl", "#include <space.clh>\nkernel void k(global int *g) { SPACE int *p = FROM; }\n")
    ran = openclsp("check", "--format", "json", "-I", "inc", "-DFROM=g", "k.cl")
    (file,) = checked(ran)
    assert [found["code"] for found in file["diagnostics"]] == ["pointer-conversion"]
    ran = openclsp("check", "--format", "json", "-Iinc", "-D", "FROM=0", "k.cl")
    assert [file["diagnostics"] for file in checked(ran)] == [[]]


def test_what_is_wrong_in_a_header_stands_in_its_own_entry_once(openclsp, write):
    write(
        "kernels/inc/swap.clh",
        "void take(local int *l);\nvoid give(global int *g) {\n    take(g);\n}\n",
    )
    write("kernels/a.cl", '#include "inc/swap.clh"\nkernel void a(void) {}\n')
    write("kernels/b.cl", '#include "inc/../inc/swap.clh"\nkernel void b(void) {}\n')
    ran = openclsp("check", "--format", "json", "kernels")
    files = checked(ran)
    assert [file["path"] for file in files] == ["kernels/a.cl", "kernels/b.cl", "kernels/inc/swap.clh"]
    assert [len(file["diagnostics"]) for file in files] == [0, 0, 1]
    (found,) = files[2]["diagnostics"]
    assert start(found) == (3, 10)
    assert {related["path"] for related in found["related"]} == {"kernels/inc/swap.clh"}
    assert {edit["path"] for fix in found["fixes"] for edit in fix["edits"]} == {"kernels/inc/swap.clh"}
    assert ran.code == 1


def test_standard_input_under_a_name(openclsp, write):
    write("sub/space.clh", "#define SPACE local\n")
    text = b'#include "space.clh"\nkernel void k(global int *g) { SPACE int *p = g; }\n'
    ran = openclsp("check", "--format", "json", "-", "--stdin-path", "sub/k.cl", stdin=text)
    (file,) = checked(ran)
    assert file["path"] == "sub/k.cl"
    assert [found["code"] for found in file["diagnostics"]] == ["pointer-conversion"]


def test_standard_input_without_a_name(openclsp):
    ran = openclsp("check", "--format", "json", "-", stdin=LOCAL_FROM_GLOBAL.encode())
    (file,) = checked(ran)
    assert file["path"] == "-"
    assert ran.code == 1


def dialect_edits(ran: Any) -> list[dict[str, Any]]:
    return [
        edit
        for file in checked(ran)
        for found in file["diagnostics"]
        for fix in found["fixes"]
        if "OpenCL C 2.0" in fix["title"]
        for edit in fix["edits"]
    ]


PROGRAM_SCOPE = "int counter = 0;\n"


def test_another_language_version_is_an_edit_that_makes_compile_flags(openclsp, write):
    write("sub/k.cl", PROGRAM_SCOPE)
    (edit,) = dialect_edits(openclsp("check", "--format", "json", "sub/k.cl"))
    assert edit == {"path": "compile_flags.txt", "range": span((1, 1), (1, 1)), "text": "-cl-std=CL2.0\n"}


def test_another_language_version_is_put_before_other_flags(openclsp, write):
    write("compile_flags.txt", "-DN=1\n")
    write("k.cl", PROGRAM_SCOPE)
    (edit,) = dialect_edits(openclsp("check", "--format", "json", "k.cl"))
    assert edit == {"path": "compile_flags.txt", "range": span((1, 1), (1, 1)), "text": "-cl-std=CL2.0\n"}


def test_another_language_version_replaces_the_old_one(openclsp, write, folder):
    write("compile_flags.txt", "-DN=1\n-cl-std=CL1.1\n-Iinc\n")
    write("k.cl", PROGRAM_SCOPE)
    (edit,) = dialect_edits(openclsp("check", "--format", "json", str(folder / "k.cl")))
    path = str(folder / "compile_flags.txt")
    assert edit == {"path": path, "range": span((2, 1), (2, 14)), "text": "-cl-std=CL2.0"}


def test_the_version_that_is_already_chosen_is_no_fix(openclsp, write):
    write("k.cl", "kernel void k(global int *g) { int *p = g; }\n")
    switched = ("--std", "CL3.0", "--cl-ext=-__opencl_c_generic_address_space")
    (file,) = checked(openclsp("check", "--format", "json", *switched, "k.cl"))
    (found,) = file["diagnostics"]
    assert not any("OpenCL C 3.0" in fix["title"] for fix in found["fixes"])


def test_compile_flags_give_way_to_the_command_line(openclsp, write):
    write("compile_flags.txt", "-cl-std=CL2.0\n")
    write("k.cl", PROGRAM_SCOPE)
    assert openclsp("check", "k.cl").code == 0
    assert openclsp("check", "--std", "CL1.2", "k.cl").code == 1


def test_a_flag_that_cannot_be_used_is_said_once(openclsp, write):
    write("compile_flags.txt", "-cl-std=CL9.9\n-Wall\n")
    write("a.cl", "kernel void k(void) {}\n")
    write("b.cl", "kernel void k(void) {}\n")
    ran = openclsp("check", "--format", "json", "a.cl", "b.cl")
    (line,) = ran.err.splitlines()
    assert "CL9.9" in line
    assert "compile_flags.txt" in line
    assert ran.code == 0
    assert [file["dialect"] for file in checked(ran)] == ["CL1.2", "CL1.2"]


def test_cpp_for_opencl_is_said_and_not_analysed(openclsp, write):
    write("k.clcpp", "kernel void k(global int *g) { local int *l = g; auto x = 1; }\n")
    ran = openclsp("check", "--format", "json", "k.clcpp")
    (file,) = checked(ran)
    (found,) = file["diagnostics"]
    assert (found["code"], found["severity"]) == ("cpp-for-opencl", "information")
    assert ran.code == 0
