"""Options from compile_commands.json, .clangd, and the file lists of CMake, Meson and Make."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.host_options.build_file_options import BuildFileOptions
from openclsp.host_options.clangd_configuration import read_clangd_configuration
from openclsp.host_options.host_build import intersect_builds
from openclsp.host_options.host_project import HostProject
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT
from openclsp.project.project_headers import ProjectHeaders
from openclsp.workspace.unit_preparation import plan_unit

Make = Callable[[dict[str, str]], HostProject]
KERNEL = "kernel void k(global int *g) {}"


class NoHosts:
    """Projects whose host code contains no options."""

    def of(self, root: str, kernel: str) -> HostProject | None:
        """Returns None."""
        return None

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders | None:
        """Returns None."""
        return None


def told(folder: Path, name: str, text: str) -> BuildFileOptions:
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "k.cl").write_text(KERNEL)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return read_clangd_configuration(str(folder / "src" / "k.cl"), str(folder))


def macros(found: BuildFileOptions) -> list[tuple[str, str | None]]:
    return [(each.name, each.value) for layer in found.layers for each in layer.options.macros]


def entry(**parts: object) -> str:
    return json.dumps([{"directory": "build", "file": "../src/k.cl", **parts}], indent=1)


@pytest.mark.parametrize("name", ["compile_commands.json", "build/compile_commands.json"])
@pytest.mark.parametrize(
    "parts",
    [
        {"command": "clang -x cl -cl-std=CL2.0 -DN=3 -D 'M=a b' -o k.o -c ../src/k.cl"},
        {"arguments": ["clang", "-Xclang", "-cl-std=CL2.0", "-DN=3", "-D", "M=a b", "../src/k.cl"]},
    ],
)
def test_compile_commands(tmp_path: Path, name: str, parts: dict[str, object]) -> None:
    directory = "." if "/" in name else "src"
    found = told(tmp_path, name, entry(**{**parts, "directory": directory}))
    assert macros(found) == [("N", "3"), ("M", "a b")]
    (layer,) = found.layers
    assert (layer.options.standard, layer.receiver) == ("CL2.0", "clang")
    assert layer.source == f"in {name}:4"
    assert found.has_compilation


def test_an_entry_for_another_file_is_ignored(tmp_path: Path) -> None:
    found = told(tmp_path, "compile_commands.json", entry(file="src/other.cl", command="clang -DN k.cl"))
    assert found == BuildFileOptions()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[\n{,", ":2: Expecting property name enclosed in double quotes; the file is not used"),
        ("{}", ":1: expected a list of compile commands; the file is not used"),
        ("[" * 100_000, ":1: it is nested more than 50 deep; the file is not used"),
    ],
)
def test_a_database_that_does_not_parse(tmp_path: Path, text: str, problem: str) -> None:
    found = told(tmp_path, "compile_commands.json", text)
    assert found.problems == (str(tmp_path / "compile_commands.json") + problem,)


@pytest.mark.parametrize(
    "text", ["[]", "[1, null, {}]", '[{"file": 3}]', '[{"file": "src/k.cl", "command": "\\""}]']
)
def test_entries_that_make_no_sense_are_passed_over(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, "compile_commands.json", text).layers == ()


def test_folders_outside_the_project_are_refused(tmp_path: Path) -> None:
    database = entry(directory="src", file="k.cl", command="clang -I/etc -I. k.cl")
    told(tmp_path, "compile_commands.json", database)
    told(tmp_path, ".clangd", "CompileFlags:\n  Add: -I../..")
    planned = plan_unit(str(tmp_path / "src" / "k.cl"), hosts=NoHosts())
    assert planned.refused == (
        f"compile_commands.json:4: -I/etc {LEADS_OUT_OF_PROJECT}",
        f".clangd:2: -I{tmp_path.parent.parent} {LEADS_OUT_OF_PROJECT}",
    )
    assert planned.unit_config.configuration.include_folders == (str(tmp_path / "src"),)


def test_clangd_adds_and_removes(tmp_path: Path) -> None:
    told(
        tmp_path,
        "compile_commands.json",
        entry(directory="src", file="k.cl", command="clang -DA=1 -DB=2 k.cl"),
    )
    (tmp_path / ".clangd").write_text("CompileFlags:\n  Remove: [-DB=*]\n  Add: [-DC=3]\n")
    found = told(
        tmp_path,
        "src/.clangd",
        "CompileFlags: {Add: -DA=4}\n---\nIf: {PathMatch: no/.*}\nCompileFlags: {Add: -DX}\n",
    )
    assert macros(found) == [("A", "1"), ("C", "3"), ("A", "4")]
    assert [layer.source for layer in found.layers] == [
        "in compile_commands.json:4",
        "in .clangd:3",
        "in src/.clangd:1",
    ]


@pytest.mark.parametrize("condition", ["PathMatch: k\\.cl", "PathMatch: [a, .*\\.cl]", "PathExclude: .*\\.c"])
def test_clangd_conditions_that_hold(tmp_path: Path, condition: str) -> None:
    text = f"If:\n  {condition}\nCompileFlags:\n  Add: -DX\n"
    assert macros(told(tmp_path, "src/.clangd", text)) == [("X", "1")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [", ":1: expected the node content, but found '<stream end>'; the file is not used"),
        ("CompileFlags:\n  Add: -D1", ":2: -D needs NAME or NAME=VALUE, and '1' is neither"),
    ],
)
def test_faults_of_clangd_files(tmp_path: Path, text: str, problem: str) -> None:
    assert told(tmp_path, ".clangd", text).problems == (str(tmp_path / ".clangd") + problem,)


@pytest.mark.parametrize(
    "text", ["", "- 1", "3", "CompileFlags: 3", "CompileFlags: {Add: {a: b}}", "If: []\n"]
)
def test_clangd_files_of_an_unknown_shape_are_ignored(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, ".clangd", text) == BuildFileOptions()


def listed(
    make: Make, folder: Path, name: str, text: str, kernel: str = "k.cl"
) -> tuple[list[str], list[str]]:
    project = make({kernel: KERNEL, name: text})
    agreed = intersect_builds(project.builds_of_kernel(str(folder / kernel)))
    return [each.display_text for each in agreed.shared_by_all], [
        each.display_text for each in agreed.only_in_some
    ]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            "add_custom_command(OUTPUT k.spv COMMAND ${CLANG} -x cl -cl-std=CL2.0 -DN=3 ${CMAKE_CURRENT_SOURCE_DIR}/k.cl)",
            ["-cl-std=CL2.0", "-DN=3"],
        ),
        ('set(F -DA "-DB=${X}")\nexecute_process(COMMAND clang ${F} k.cl)', ["-DA", "-DB=…"]),
        ("set(F -DA)\nlist(APPEND F -DB)\nadd_custom_target(t COMMAND clang ${F} k.cl)", ["-DA", "-DB"]),
        (
            "function(kernel n)\n add_custom_command(OUTPUT x COMMAND clang -DA ${n}.cl)\nendfunction()\nkernel(k)",
            ["-DA"],
        ),
        ("foreach(n a k)\n add_custom_command(OUTPUT x COMMAND clang -DA ${n}.cl)\nendforeach()", ["-DA"]),
        ('set_source_files_properties(k.cl PROPERTIES COMPILE_DEFINITIONS "A;B=2")', ["-DA", "-DB=2"]),
        ("add_library(k OBJECT k.cl)\ntarget_compile_definitions(k PRIVATE A)", ["-DA"]),
        ("add_library(k main.c k.cl)\ntarget_compile_definitions(k PRIVATE A)", []),
        ("add_compile_definitions(A)\nadd_executable(e main.c)", []),
        (
            "# add_custom_command(COMMAND clang -DA k.cl)\n#[[ add_custom_command(COMMAND clang -DA k.cl) ]]",
            [],
        ),
    ],
)
def test_cmake(make: Make, tmp_path: Path, text: str, options: list[str]) -> None:
    assert listed(make, tmp_path, "CMakeLists.txt", text)[0] == options


def test_cmake_folders_and_cycles(make: Make, tmp_path: Path) -> None:
    make({"sub/CMakeLists.txt": "add_subdirectory(.)\nadd_custom_target(t COMMAND clang ${F} -DS k.cl)"})
    make({"a.cmake": "include(a.cmake)\nset(F ${F} -DF)"})
    text = "include(a.cmake)\nadd_subdirectory(sub)"
    certain, open_ = listed(make, tmp_path, "CMakeLists.txt", text, "sub/k.cl")
    assert (set(certain), open_) == ({"-DF", "-DS"}, [])


def test_cmake_conditions(make: Make, tmp_path: Path) -> None:
    command = "set_source_files_properties(k.cl PROPERTIES COMPILE_FLAGS -D{})\n"
    text = f"if(WIN32)\n{command.format('W')}endif()\nif(A)\n{command.format('T=1')}else()\n{command.format('T=1')}endif()"
    assert listed(make, tmp_path, "CMakeLists.txt", text) == (["-DT=1"], ["-DW"])


@pytest.mark.parametrize(
    "text",
    [
        "(((",
        ")))",
        "set(",
        'set(A "',
        "if(\nif(\nendif()",
        "[==[",
        "foreach(a)\n" * 200,
        "include(CMakeLists.txt)",
    ],
)
def test_whatever_stands_in_a_cmake_list(make: Make, tmp_path: Path, text: str) -> None:
    assert listed(make, tmp_path, "CMakeLists.txt", text + "# k.cl") == ([], [])


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (
            "custom_target('k', input : 'k.cl', command : [clang, '-cl-std=CL2.0', '-DN=3', '@INPUT@'])",
            ["-cl-std=CL2.0", "-DN=3"],
        ),
        (
            "args = ['-DA']\nargs += ['-DB=@0@'.format(n)]\nrun_command(clang, args, files('k.cl'))",
            ["-DA", "-DB=…"],
        ),
        (
            "foreach n : ['a', 'k']\n  custom_target(n, input : n + '.cl', command : [clang, '-DA', '@INPUT@'])\nendforeach",
            ["-DA"],
        ),
        ("executable('e', 'main.c', c_args : ['-DA'])", []),
    ],
)
def test_meson(make: Make, tmp_path: Path, text: str, options: list[str]) -> None:
    assert listed(make, tmp_path, "meson.build", text)[0] == options


MAKEFILES = [
    (
        "k.spv: k.cl\n\tclang -x cl -cl-std=CL2.0 -include x.h -DN=3 k.cl -o $@\n",
        ["-cl-std=CL2.0", "-include x.h", "-DN=3"],
    ),
    ("F := -DA \\\n  -Isub\nall:\n\t@$(CLANG) $(F) k.cl", ["-DA", "-Isub"]),
    ("%.spv: %.cl other.h\n\t$(CC) -DA='x y' -x cl $< -o $@", ["-DA=x y"]),
    ("k.spv: k.cl ; clang -DA $^", ["-DA"]),
    (
        "DIR = a\nall: # k.cl\n\tclang -I$(DIR)/b -DB=$(shell nproc) -DC=${D} ./k.cl",
        ["-Ia/b", "-DB=…", "-DC=…"],
    ),
    ("OCLFLAGS = -include x.h\nOCLFLAGS += -DA\nall:\n\t./host", ["-include x.h", "-DA"]),
    ("A = $(B)\nB = $(A) -DX\nall:\n\tclang $(A) k.cl", ["-DX"]),
    ("CFLAGS = -DA\nall:\n\t$(CC) $(CFLAGS) main.c", []),
    ("all:\n\tinstall -D -m 644 k.cl /usr/share\n\txxd -i k.cl > k.h", []),
    ("# k.spv: k.cl\n#\tclang -DA k.cl", []),
    ("k.pp: k.cl\n\t$(CC) -E -std=c99 -x c -DA -o $@ $<", []),
]


@pytest.mark.parametrize(("text", "options"), MAKEFILES)
@pytest.mark.parametrize("name", ["Makefile", "GNUmakefile", "rules.mk"])
def test_make(make: Make, tmp_path: Path, name: str, text: str, options: list[str]) -> None:
    assert listed(make, tmp_path, name, text)[0] == options


def test_conditions_in_makefiles(make: Make, tmp_path: Path) -> None:
    text = "F = -DA\nifdef DEBUG\nF += -DB\nelse\nF += -DC\nendif\nall:\n\tclang $(F) k.cl\n"
    assert listed(make, tmp_path, "Makefile", text) == (["-DA"], ["-DB", "-DC"])


def test_options_for_kernels_count_where_no_command_builds_one(make: Make, tmp_path: Path) -> None:
    text = "OCLFLAGS = -DA\nk.spv: k.cl\n\tclang -DB k.cl\n"
    make({"other.cl": KERNEL})
    project = make({"k.cl": KERNEL, "Makefile": text})
    found = {
        name: intersect_builds(project.builds_of_kernel(str(tmp_path / name))).shared_by_all
        for name in ("k.cl", "other.cl")
    }
    assert {name: [each.display_text for each in options] for name, options in found.items()} == {
        "k.cl": ["-DB"],
        "other.cl": ["-DA"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "ifdef\n" * 200,
        "endif\n" * 9,
        "else\n",
        "\tclang -D",
        "a:\n\tclang '-DA k",
        "A = $(A\nall:\n\tclang $(A k.cl",
    ]
    + ["".join(f"V{n} = $(V{n + 1}) $(V{n + 1})\n" for n in range(40)) + "all:\n\tclang $(V0) k.cl"],
)
def test_whatever_stands_in_a_makefile(make: Make, tmp_path: Path, text: str) -> None:
    assert listed(make, tmp_path, "Makefile", text + "\n# k.cl") == ([], [])
