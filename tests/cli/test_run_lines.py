"""RUN lines of a kernel file are a source of build options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openclsp.cli import main
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT

HOST = """#include <CL/cl.h>
void build(cl_program program) {
    source = read_file("k.cl");
    clBuildProgram(program, 0, NULL, "-cl-std=CL1.1 -DHOST", NULL, NULL);
}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str, str]]:
    main(["check", "--show-options", "--format", "json", *arguments, "k.cl"])
    build = json.loads(capsys.readouterr().out)["options"][0]
    return [(each["option"], each["source"], each["state"]) for each in build["options"]]


def errors(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, int]]:
    main(["check", "--format", "json", *arguments, "k.cl"])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    return [
        (each["code"], each["range"]["start"]["line"])
        for each in file["diagnostics"]
        if each["severity"] == "error"
    ]


def test_the_line_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "k.cl").write_text(
        "// RUN: %clang_cc1 -cl-std=CL2.0 \\\n// RUN:   -DN=4 %s\nkernel void k(global int *g) { *g = N; }\n"
    )
    assert main(["check", "--show-options", "k.cl"]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == [
        "k.cl: OpenCL C 2.0, from -cl-std=CL2.0 in RUN line k.cl:1",
        "  -cl-std=CL2.0  RUN line k.cl:1, passed to %clang_cc1",
        "  -DN=4          RUN line k.cl:2, passed to %clang_cc1",
    ]
    assert main(["hover", "k.cl:3:38"]) == 0
    assert "`N` = `4`, from `-DN=4` in RUN line k.cl:2" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, kernel",
    [
        ("-cl-std=CL2.0", "int program_scope;\nvoid f(int *p) {}\nkernel void k(global int *g) { f(g); }"),
        ("-triple spir", "int *f(int i) { return __builtin_astype(i, int *); }"),
        ("-cl-ext=-cl_khr_fp64", "#ifdef cl_khr_fp64\n#error\n#endif"),
        ("-I%S/inc", "#include <lib/a.h>\nkernel void k(global A *a) {}\n#ifndef A_H\n#error\n#endif"),
        ("-include %S/inc/lib/a.h", "kernel void k(global A *a) {}\n#ifndef A_H\n#error\n#endif"),
        ("-U__OPENCL_VERSION__", "#ifdef __OPENCL_VERSION__\n#error\n#endif"),
    ],
)
def test_an_option_has_its_effect(
    project: Path, capsys: pytest.CaptureFixture[str], options: str, kernel: str
) -> None:
    (project / "inc" / "lib").mkdir(parents=True)
    (project / "inc" / "lib" / "a.h").write_text("#define A_H\ntypedef int A;\n")
    (project / "k.cl").write_text(f"// RUN: %clang_cc1 {options} %s\n{kernel}\n")
    assert errors(capsys) == []


def test_a_version_that_the_line_does_not_give_comes_from_the_text(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "k.cl").write_text("// RUN: clspv -DN=1 %s\nvoid f(generic int *g) {}\n")
    assert ("-cl-std=CL2.0", "the text", "used") in found(capsys)


def test_a_version_of_the_line_counts_before_the_text(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "k.cl").write_text("// RUN: not clspv -cl-std=CL1.2 %s\nvoid f(generic int *g) {}\n")
    assert errors(capsys) == [("generic-qualifier", 2)]


def test_several_lines_are_several_programs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "k.cl").write_text(
        "// RUN: clspv %s -DSPACE=global\n// RUN: clspv %s -DSPACE=local\n"
        "kernel void k(global int *g) { global int *p = (SPACE int *)g; }\n"
    )
    assert errors(capsys) == []
    assert ("pointer-cast", 3) in errors(capsys, "--variant", "SPACE=local")
    assert ("-DSPACE=local", "RUN line k.cl:2", "used") in found(capsys, "--variant", "SPACE=local")


def test_cpp_for_opencl_is_not_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "k.cl").write_text("// RUN: clspv -cl-std=CLC++ %s\nint f(int &x) { return x; }\n")
    assert errors(capsys) == []
    main(["check", "k.cl"])
    assert "C++ for OpenCL" in capsys.readouterr().out


def test_the_users_options_count_before_the_lines(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "k.cl").write_text("// RUN: clspv -cl-std=CL2.0 -DA=1 -DB=1 -DC=1 %s\n")
    (project / "compile_flags.txt").write_text("-DA=2\n")
    (project / "openclsp.toml").write_text("[defines]\nB = 2\n")
    states = found(capsys, "-D", "C=2", "--std", "CL1.2")
    for option in ("-cl-std=CL2.0", "-DA=1", "-DB=1", "-DC=1"):
        assert (option, "RUN line k.cl:1", "overridden") in states
    assert [each for each, _, state in states if state == "used"] == [
        "-DA=2",
        "-DB=2",
        "--std CL1.2",
        "-DC=2",
    ]


def test_the_lines_replace_what_the_project_passes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "host.c").write_text(HOST)
    entry = {"directory": str(project), "file": "k.cl", "command": "clang -DDATABASE k.cl"}
    run = "// RUN: clspv -cl-std=CL2.0 %s\n"
    (project / "k.cl").write_text(run)
    assert found(capsys) == [("-cl-std=CL2.0", "RUN line k.cl:1", "used")]
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    assert found(capsys) == [("-cl-std=CL2.0", "RUN line k.cl:1", "used")]
    (project / ".clangd").write_text("CompileFlags:\n  Add: -DCLANGD\n")
    assert ("-DCLANGD=1", ".clangd:2", "used") in found(capsys)


def test_lines_without_options_replace_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "host.c").write_text(HOST)
    (project / "k.cl").write_text("// RUN: clspv %s\n")
    assert ("-DHOST", "host.c:4", "used") in found(capsys)


def test_the_lines_can_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "k.cl").write_text("// RUN: clspv -cl-std=CL2.0 %s\n")
    (project / "openclsp.toml").write_text("host-options = false\n")
    assert found(capsys) == []


def test_a_header_gets_the_options_of_the_kernel_that_includes_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "k.cl").write_text('// RUN: clspv -DN=4 %s\n#include "h.h"\nkernel void k(void) {}\n')
    (project / "h.h").write_text("#if N != 4\n#error\n#endif\n")
    assert main(["check", "h.h"]) == 0
    (project / "k.cl").write_text('// RUN: clspv -DN=5 %s\n#include "h.h"\nkernel void k(void) {}\n')
    assert main(["check", "h.h"]) == 1


@pytest.mark.parametrize("option", ["-I%S/../outside", "-I/etc", "-include %S/../outside/secret.h"])
def test_a_line_leads_nowhere_outside_of_the_project(
    project: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    inner = project / "inner"
    (inner / ".git").mkdir(parents=True)
    (project / "outside").mkdir()
    (project / "outside" / "secret.h").write_text("#define SECRET 1\n")
    (inner / "k.cl").write_text(f"// RUN: clspv {option} %s\n#include <secret.h>\n")
    main(["check", "--format", "json", str(inner / "k.cl")])
    shown = capsys.readouterr()
    assert "RUN line k.cl:1" in shown.err and LEADS_OUT_OF_PROJECT in shown.err
    assert "include-not-found" in shown.out


def test_a_faulty_option_is_no_problem(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests of compilers pass options that are wrong, and extensions that only this compiler has."""
    (project / "k.cl").write_text("// RUN: not clspv -cl-std=CL9 -cl-ext=+cl_vendor_thing -DA %s\n")
    assert main(["check", "k.cl"]) == 0
    assert "CL9" not in capsys.readouterr().err
