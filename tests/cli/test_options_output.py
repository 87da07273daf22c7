"""`check --show-options` and hovers show each build option with its source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openclsp.cli import main

HOST = """#include <CL/cl.h>
#define TILE 16
int build(cl_program program, int width, int wide) {
    char options[200];
    sprintf(options, "-cl-std=CL1.2 -DTILE=%d -D WIDTH=%d", TILE, width);
    if (wide) strcat(options, " -DWIDE");
    source = read_file("blur.cl");
    return clBuildProgram(program, 0, NULL, options, NULL, NULL);
}
"""
KERNEL = """#ifdef WIDE
#endif
kernel void blur(global float *g) { g[TILE] = WIDTH; }
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "host.c").write_text(HOST)
    (tmp_path / "blur.cl").write_text(KERNEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown_options(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str, str]]:
    assert main(["check", "--show-options", "--format", "json", *arguments, "blur.cl"]) == 0
    (build,) = json.loads(capsys.readouterr().out)["options"]
    return [(each["option"], each["source"], each["state"]) for each in build["options"]]


def test_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--show-options", "blur.cl"]) == 0
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[:5] == [
        "blur.cl: OpenCL C 1.2, from -cl-std=CL1.2 in src/host.c:5",
        "  -cl-std=CL1.2  src/host.c:5, passed to clBuildProgram",
        "  -DTILE=16      src/host.c:5, passed to clBuildProgram",
        "  -DWIDTH=…      src/host.c:5, passed to clBuildProgram, the host computes its value",
        "  -DWIDE         src/host.c:6, passed to clBuildProgram, not used: only under a condition",
    ]


def test_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--show-options", "--format", "json", "blur.cl"]) == 0
    (build,) = json.loads(capsys.readouterr().out)["options"]
    assert (build["path"], build["dialect"]) == ("blur.cl", "CL1.2")
    assert build["options"][1] == {
        "option": "-DTILE=16",
        "source": "src/host.c:5",
        "path": "src/host.c",
        "line": 5,
        "passedTo": "clBuildProgram",
        "state": "used",
        "why": None,
    }


def test_without_the_option_nothing_is_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", "blur.cl"]) == 0
    assert "options" not in json.loads(capsys.readouterr().out)


def test_the_project_file_and_the_command_line_go_before_the_host(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "openclsp.toml").write_text("[defines]\nTILE = 32\n")
    found = shown_options(capsys, "-D", "WIDTH=8", "--std", "CL2.0")
    assert ("-DTILE=16", "src/host.c:5", "overridden") in found
    assert ("-DTILE=32", "openclsp.toml", "used") in found
    assert ("-DWIDTH=8", "on the command line", "used") in found
    assert ("-cl-std=CL1.2", "src/host.c:5", "overridden") in found


def test_the_host_can_be_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "openclsp.toml").write_text("host-options = false\n")
    assert shown_options(capsys) == []


@pytest.mark.parametrize(
    ("place", "note"),
    [
        ("3:40", "`TILE` = `16`, from `-DTILE=16` in src/host.c:5"),
        (
            "3:48",
            "`WIDTH` is defined by the host with a computed value: `-DWIDTH=…` in src/host.c:5",
        ),
        ("1:9", "the host may define `WIDE`: `-DWIDE` in src/host.c:6, only under a condition"),
    ],
)
def test_hover(project: Path, capsys: pytest.CaptureFixture[str], place: str, note: str) -> None:
    assert main(["hover", f"blur.cl:{place}"]) == 0
    assert note in capsys.readouterr().out


def test_the_host_wins_over_what_the_text_shows(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "blur.cl").write_text("kernel void blur(global int *g) { atomic_int *a; }\n")
    main(["check", "blur.cl"])
    assert (
        "OpenCL C 1.2, from -cl-std=CL1.2 in src/host.c:5, although `atomic_int` in line 1 requires"
        " OpenCL C 2.0 or later" in capsys.readouterr().out
    )


def test_the_text_wins_over_a_version_that_names_no_kernel(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable of a Makefile is a guess: the kernels that need a newer version may be built elsewhere."""
    (project / "kernels").mkdir()
    (project / "kernels" / "Makefile").write_text("OCL_FLAGS = -cl-std=CL1.2 -DTILE=4\n")
    (project / "kernels" / "old.cl").write_text("kernel void old(global int *g) { }\n")
    (project / "kernels" / "new.cl").write_text("kernel void new(global int *g) { atomic_int *a; }\n")
    main(["check", "kernels/old.cl"])
    assert "OpenCL C 1.2, from -cl-std=CL1.2 in kernels/Makefile:1" in capsys.readouterr().out
    main(["check", "kernels/new.cl"])
    assert "because `atomic_int` in line 1 requires OpenCL C 2.0 or later" in capsys.readouterr().out
    main(["check", "--show-options", "--format", "json", "kernels/new.cl"])
    (build,) = json.loads(capsys.readouterr().out)["options"]
    states = {each["option"]: each["state"] for each in build["options"]}
    assert states == {"-cl-std=CL1.2": "overridden", "-DTILE=4": "used", "-cl-std=CL2.0": "used"}


def test_an_option_without_a_known_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The call of a function of CMake lists names the options; the line of the call is not known."""
    (project / "CMakeLists.txt").write_text(
        "function(add_kernel name)\nmessage(x)\nendfunction()\n"
        "if(A)\nadd_kernel(k other.cl -cl-std=CL2.0 -DTILE=4)\nendif()\n"
    )
    (project / "other.cl").write_text("kernel void other(void) {}\n")
    assert main(["check", "--show-options", "--format", "json", "other.cl"]) == 0
    (build,) = json.loads(capsys.readouterr().out)["options"]
    assert {(each["source"], each["line"]) for each in build["options"]} == {("CMakeLists.txt", None)}


def test_a_later_option_overrides_an_earlier_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "-m32\n-fblocks\n-cl-ext=+cl_khr_fp64,-cl_khr_fp16\n-m64\n-fno-blocks\n-cl-ext=-cl_khr_fp64\n-I.\n-Isrc\n"
    (project / "compile_flags.txt").write_text(text)
    states = {option: state for option, _, state in shown_options(capsys)}
    assert {option for option, state in states.items() if state == "overridden"} == {
        "-m32",
        "-fblocks",
        "-cl-ext=+cl_khr_fp64",
    }
    (project / "compile_flags.txt").write_text(
        "-cl-ext=-cl_khr_fp16,+all\n--target=spir-unknown-unknown\n-m64\n"
    )
    states = {option: state for option, _, state in shown_options(capsys)}
    assert {option for option, state in states.items() if state == "overridden"} == {
        "-cl-ext=-cl_khr_fp16",
        "--target=spir-unknown-unknown",
    }


def test_a_guessed_version_does_not_win_over_what_the_text_shows(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Makefile does not name the kernels that it compiles with these options."""
    (project / "src" / "host.c").unlink()
    (project / "Makefile").write_text("OPENCL_FLAGS := -cl-std=CL1.2 -DTILE=4\n")
    (project / "blur.cl").write_text(
        "kernel void blur(global int *g) { __generic int *a = g; g[TILE] = *a; }\n"
    )
    assert shown_options(capsys) == [
        ("-cl-std=CL1.2", "Makefile:1", "overridden"),
        ("-DTILE=4", "Makefile:1", "used"),
        ("-cl-std=CL2.0", "the text", "used"),
    ]
    main(["check", "blur.cl"])
    assert (
        "OpenCL C 2.0, because `__generic` in line 1 requires OpenCL C 2.0 or later"
        in capsys.readouterr().out
    )
    # evidence for a version that the options include changes nothing
    (project / "Makefile").write_text("OPENCL_FLAGS := -cl-std=CL3.0 -DTILE=4\n")
    main(["check", "blur.cl"])
    assert "OpenCL C 3.0, from -cl-std=CL3.0 in Makefile:1" in capsys.readouterr().out


def test_an_option_without_effect_is_not_used(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "compile_flags.txt").write_text("-Wall\n-DA=1\n-std=c99\n")
    found = shown_options(capsys)
    assert ("-Wall", "compile_flags.txt", "ignored") in found
    assert ("-std=c99", "compile_flags.txt", "ignored") in found
    assert ("-DA=1", "compile_flags.txt", "used") in found
    assert main(["check", "--show-options", "blur.cl"]) == 0
    assert "not used: it does not affect the analysis" in capsys.readouterr().out
