"""The kernels that a host's options apply to, options common to several builds, and variants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.host_code.program_names import program_name
from openclsp.host_options.host_build_index import HostBuildIndex
from openclsp.host_options.host_project import HostProject, collect_host_builds, select_host_options
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT
from openclsp.project.option_parser import parse_build_options
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_scan import scan_project
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit

Make = Callable[[dict[str, str]], HostProject]
KERNEL = "kernel void {0}(global int *g) {{}}\n"


class Known:
    """A provider of one project."""

    def __init__(self, project: HostProject) -> None:
        self.project = project

    def of(self, root: str, kernel: str) -> HostProject:
        return self.project

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders | None:
        return None


def planned(project: HostProject, path: Path, **options: object) -> PlannedUnit:
    document = Document.of(str(path), path.read_bytes())
    return plan_unit(str(path), document=document, hosts=Known(project), **options)  # type: ignore[arg-type]


def defines(project: HostProject, path: Path) -> list[tuple[str, str]]:
    return list(planned(project, path).unit_config.configuration.defines)


def build(file: str, options: str) -> str:
    return f'void build_{file}() {{ load("{file}.cl"); clBuildProgram(p, 0, 0, "{options}", 0, 0); }}\n'


def test_the_function_that_names_the_kernel(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("a", "-DA=1") + build("b", "-DB=2"), "a.cl": "", "b.cl": ""})
    assert defines(project, tmp_path / "a.cl") == [("A", "1")]
    assert defines(project, tmp_path / "b.cl") == [("B", "2")]


def test_the_kernel_functions_that_the_host_asks_for(make: Make, tmp_path: Path) -> None:
    host = """void build() { clBuildProgram(p, 0, 0, "-DA=1", 0, 0); k = clCreateKernel(p, "first", &e); }"""
    files = {"host.c": host, "a.cl": KERNEL.format("first"), "b.cl": KERNEL.format("second")}
    project = make(files)
    assert defines(project, tmp_path / "a.cl") == [("A", "1")]
    assert defines(project, tmp_path / "b.cl") == []


def test_of_two_files_of_one_name_the_nearest(make: Make, tmp_path: Path) -> None:
    project = make({"x/host.c": build("k", "-DX"), "y/host.c": build("k", "-DY"), "x/k.cl": "", "y/k.cl": ""})
    assert defines(project, tmp_path / "x" / "k.cl") == [("X", "1")]
    assert defines(project, tmp_path / "y" / "k.cl") == [("Y", "1")]


def test_a_name_that_the_host_puts_together(make: Make, tmp_path: Path) -> None:
    host = """void b(int m) { sprintf(file, "%s/OpenCL/m%05d-pure.cl", d, m); clBuildProgram(p, 0, 0, "-DA", 0, 0); }"""
    project = make({"host.c": host, "OpenCL/m00100-pure.cl": "", "OpenCL/other.cl": ""})
    assert defines(project, tmp_path / "OpenCL" / "m00100-pure.cl") == [("A", "1")]
    assert defines(project, tmp_path / "OpenCL" / "other.cl") == []


def test_a_build_that_names_no_kernel_is_for_those_of_its_project(make: Make, tmp_path: Path) -> None:
    host = 'void build(char *source) { clBuildProgram(p, 0, 0, "-DA", 0, 0); }'
    assert defines(make({"host.c": host, "k.cl": ""}), tmp_path / "k.cl") == []
    assert defines(make({".git/HEAD": ""}), tmp_path / "k.cl") == [("A", "1")]


def test_builds_that_differ_are_variants(make: Make, tmp_path: Path) -> None:
    host = 'void f() { compile("k.cl", "-DT=double -DN"); } void g() { compile("k.cl", "-DT=float -DN"); }'
    project = make({"host.cpp": host, "k.cl": "T x;"})
    unit = planned(project, tmp_path / "k.cl").unit_config
    assert [each.name for each in unit.variants] == ["T=double", "T=float"]
    assert unit.configuration.defines == (("T", "double"), ("N", "1"))
    other = planned(project, tmp_path / "k.cl", variant="T=float").unit_config
    assert other.configuration.defines == (("T", "float"), ("N", "1"))
    assert other.variant is not None
    assert other.variant.description == "variant T=float, from host.cpp:1"


def test_what_a_condition_decides_is_a_variant_too(make: Make, tmp_path: Path) -> None:
    host = 'void f() { compile("k.cl", fp64 ? "-DT=double" : "-DT=float"); }'
    unit = planned(make({"host.cpp": host, "k.cl": ""}), tmp_path / "k.cl").unit_config
    assert [each.name for each in unit.variants] == ["T=float", "T=double"]


def test_where_it_is_not_sure_which_build_is_meant_they_are_put_together(make: Make, tmp_path: Path) -> None:
    host = """const char *files[] = {"a.cl", "b.cl"};
    void f() { clBuildProgram(p, 0, 0, "-DA=1 -DB=1", 0, 0); }
    void g() { clBuildProgram(p, 0, 0, "-DA=1 -DB=2 -DC", 0, 0); }
    """
    project = make({"host.c": host, "a.cl": "", "b.cl": ""})
    unit = planned(project, tmp_path / "a.cl").unit_config
    assert unit.variants == ()
    assert unit.configuration.defines == (("A", "1"), ("B", "B"))
    assert [
        (each.text, each.reason) for each in select_host_options(project, str(tmp_path / "a.cl")).unapplied
    ] == [("-DC", "only in some of the builds")]


def test_a_call_for_a_kernel_that_is_not_there_is_for_no_other(make: Make, tmp_path: Path) -> None:
    host = 'void f() { compile("k.cl", "-DA"); compile("gone.cl", "-DB"); }'
    assert defines(make({"host.cpp": host, "k.cl": ""}), tmp_path / "k.cl") == [("A", "1")]


@pytest.mark.parametrize(("folder", "found"), [("inc", ["inc"]), (".", ["."]), ("none", [])])
def test_include_folders_are_looked_for(make: Make, tmp_path: Path, folder: str, found: list[str]) -> None:
    project = make({"host.c": build("k", f"-I{folder}"), "k.cl": "", "inc/a.h": ""})
    folders = planned(project, tmp_path / "k.cl").unit_config.configuration.include_folders
    assert list(folders) == [str(tmp_path / each) if each != "." else str(tmp_path) for each in found]


@pytest.mark.parametrize("joined", ["", " "])
def test_system_and_quote_folders_are_looked_for(make: Make, tmp_path: Path, joined: str) -> None:
    options = f"-isystem{joined}inc -iquote{joined}quoted -idirafter{joined}after -idirafter{joined}/etc"
    project = make(
        {"host.c": build("k", options), "k.cl": "", "inc/a.h": "", "quoted/b.h": "", "after/c.h": ""}
    )
    plan = planned(project, tmp_path / "k.cl")
    assert plan.unit_config.configuration.include_folders == (str(tmp_path / "inc"), str(tmp_path / "after"))
    assert plan.unit_config.configuration.quote_folders == (str(tmp_path / "quoted"),)
    assert plan.host_options.problems == (f"host.c:1: -isystem /etc {LEADS_OUT_OF_PROJECT}",)


def test_folders_are_searched_as_they_are_written(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("k", "-Ib -Ia -Ic"), "k.cl": "", "a/h.h": "", "b/h.h": "", "c/h.h": ""})
    folders = planned(project, tmp_path / "k.cl").unit_config.configuration.include_folders
    assert folders == tuple(str(tmp_path / each) for each in "bac")


def test_an_include_folder_around_the_kernel(make: Make, tmp_path: Path) -> None:
    project = make({"src/host.c": build("k", "-Icl"), "run/cl/k.cl": "", "run/cl/a.h": ""})
    folders = planned(project, tmp_path / "run" / "cl" / "k.cl").unit_config.configuration.include_folders
    assert folders == (str(tmp_path / "run" / "cl"),)


def test_a_folder_outside_the_project_is_refused(make: Make, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    project = make({"in/host.c": build("k", "-I/etc -I../../"), "in/k.cl": ""})
    plan = planned(project, tmp_path / "in" / "k.cl")
    assert plan.unit_config.configuration.include_folders == ()
    assert plan.host_options.problems == (
        f"in/host.c:1: -I/etc {LEADS_OUT_OF_PROJECT}",
        f"in/host.c:1: -I../../ {LEADS_OUT_OF_PROJECT}",
    )


def test_an_invalid_option_is_reported(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("k", "-cl-std=CL9.9 -DA"), "k.cl": ""})
    plan = planned(project, tmp_path / "k.cl")
    assert plan.unit_config.configuration.defines == (("A", "1"),)
    (problem,) = plan.host_options.problems
    assert problem.startswith("host.c:1: ")


def test_macros_of_the_host_that_make_options(make: Make, tmp_path: Path) -> None:
    files = {
        "define.hpp": '#define Define(key) " -D " #key\n#define Value(key, value) " -D " #key "=" + text(value)\n',
        "host.cpp": 'void f() { std::vector<std::string> o = {Define(A), Value(B, n)}; get("k", {{k_cl_src}}, o); }',
        "k.cl": "",
    }
    assert defines(make(files), tmp_path / "k.cl") == [("A", "1"), ("B", "B")]


def test_what_is_said_by_hand_goes_before_the_host(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("k", "-cl-std=CL1.1 -DA=1 -DB=1 -DC=1 -DD=1"), "k.cl": ""})
    (tmp_path / "compile_flags.txt").write_text("-DB=2\n-DC=2\n-DD=2\n")
    (tmp_path / "openclsp.toml").write_text('language-version = "CL2.0"\n[defines]\nC = 3\nD = 3\n')
    line = parse_build_options(["-DD=4"]).options
    unit = planned(project, tmp_path / "k.cl", command_line=line).unit_config
    assert dict(unit.configuration.defines) == {"A": "1", "B": "2", "C": "3", "D": "4"}
    assert unit.dialect_explanation == "OpenCL C 2.0, from openclsp.toml"


def test_the_project_file_can_leave_the_host_out(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("k", "-DA"), "k.cl": ""})
    (tmp_path / "openclsp.toml").write_text("host-options = false\n")
    assert defines(project, tmp_path / "k.cl") == []


def test_a_compilation_database_is_all_that_counts(make: Make, tmp_path: Path) -> None:
    project = make({"host.c": build("k", "-DA"), "k.cl": ""})
    (tmp_path / "compile_commands.json").write_text(
        '[{"directory": ".", "file": "k.cl", "command": "clang -DB k.cl"}]'
    )
    assert defines(project, tmp_path / "k.cl") == [("B", "1")]


def test_a_kernel_alone_and_among_all_has_the_same_options(make: Make, tmp_path: Path) -> None:
    from openclsp.host_options.host_build_index import HostBuildIndex
    from openclsp.host_options.host_project import collect_host_builds
    from openclsp.project.file_system import LOCAL_FILE_SYSTEM

    files = {
        "base.c": 'void base(char *f, char *o) { sprintf(all, "-DBASE %s", o); clBuildProgram(p, 0, 0, all, 0, 0); }',
        "mid.c": 'void mid(const char *kernel, const char *opencl) { base(kernel, opencl); printf("-DX .cl"); }',
        "leaf.c": 'void leaf() { mid("k.cl", "-DLEAF"); }',
        "k.cl": "",
    }
    whole = make(files)
    kernel = str(tmp_path / "k.cl")
    alone = collect_host_builds(HostBuildIndex(LOCAL_FILE_SYSTEM), whole.scan, kernel)
    assert defines(whole, tmp_path / "k.cl") == [("BASE", "1"), ("LEAF", "1")]
    assert alone.builds_of_kernel(kernel) == whole.builds_of_kernel(kernel)


def test_a_build_of_which_nothing_is_known_is_none_without_options(
    make: Callable[[dict[str, str]], HostProject], tmp_path: Path
) -> None:
    host = """#include <CL/cl.h>
    void first() { auto source = read("k.cl"); program.build("-DA=1 -DB"); }
    void second() { auto source = read("k.cl"); clBuildProgram(p, 0, NULL, of_the_user<float>(1), 0, 0); }
    """
    project = make({"k.cl": "kernel void k(void) {}", "host.cpp": host, "openclsp.toml": ""})
    plan = planned(project, tmp_path / "k.cl")
    assert plan.unit_config.configuration.defines == (("A", "1"), ("B", "1"))
    assert plan.unit_config.variants == ()
    # by the same function it may be one without them
    host = host.replace(
        "clBuildProgram(p, 0, NULL, of_the_user<float>(1), 0, 0)", "program.build(userOptions)"
    )
    project = make({"k.cl": "kernel void k(void) {}", "host.cpp": host, "openclsp.toml": ""})
    assert len(planned(project, tmp_path / "k.cl").unit_config.variants) == 2


STRING = 'const char *source = R"(kernel void k(global int *g) {})";\n'


def program_defines(project: HostProject, host: Path) -> list[tuple[str, str]]:
    """The macros of the first program in the strings of a host file."""
    name = program_name(str(host), 0)
    planned = plan_unit(name, document=Document.of(name, b""), hosts=Known(project))
    return list(planned.unit_config.configuration.defines)


def test_a_build_in_the_file_is_for_the_programs_in_its_strings(make: Make, tmp_path: Path) -> None:
    build = 'void f() { clBuildProgram(p, 0, 0, "-DA=1 -cl-std=CL2.0", 0, 0); }\n'
    other = 'void f() { clBuildProgram(p, 0, 0, "-DB=2", 0, 0); }\n'
    python = 'source = "kernel void k(int a) {}"\ncl.Program(ctx, source).build(options=["-DC=3"])\n'
    project = make({"host.cpp": STRING + build, "other.cpp": STRING + other, "host.py": python})
    assert program_defines(project, tmp_path / "host.cpp") == [("A", "1")]
    assert program_defines(project, tmp_path / "other.cpp") == [("B", "2")]
    assert program_defines(project, tmp_path / "host.py") == [("C", "3")]


def test_a_build_in_another_language_is_not_for_strings(make: Make, tmp_path: Path) -> None:
    python = 'cl.Program(ctx, open(name).read()).build(options=["-DC=3"])\n'
    project = make({"host.cpp": STRING, "host.py": python, "openclsp.toml": ""})
    assert program_defines(project, tmp_path / "host.cpp") == []
    other = 'void f() { clBuildProgram(p, 0, 0, "-DB=2", 0, 0); }\n'
    project = make({"host.cpp": STRING, "other.c": other, "host.py": python, "openclsp.toml": ""})
    assert program_defines(project, tmp_path / "host.cpp") == [("B", "2")]


def test_programs_in_strings_get_what_all_builds_of_their_file_pass(make: Make, tmp_path: Path) -> None:
    build = 'void f{0}() {{ clBuildProgram(p, 0, 0, "-DA=1 -DB={0}", 0, 0); }}\n'
    project = make({"host.cpp": STRING + build.format(1) + build.format(2)})
    assert program_defines(project, tmp_path / "host.cpp") == [("A", "1"), ("B", "B")]


def test_a_build_of_a_kernel_file_is_not_for_strings(make: Make, tmp_path: Path) -> None:
    project = make({"host.cpp": STRING + build("a", "-DA=1"), "a.cl": ""})
    assert program_defines(project, tmp_path / "host.cpp") == []


@pytest.mark.parametrize("callers", [3, 40])
def test_a_wrapper_with_many_callers_may_get_a_language_version(
    make: Make, tmp_path: Path, callers: int
) -> None:
    caller = 'void f{0}() {{ opencl_build(source, "-DA={0}"); }}\n'
    files = {f"test_{number}.c": caller.format(number) for number in range(callers)}
    files["wrapper.c"] = "void opencl_build(char *text, char *o) { clBuildProgram(p, 0, 0, o, 0, 0); }\n"
    files["chooser.c"] = 'void g() { opencl_build(source, "-cl-std=CL2.0"); }\n'
    make({**files, "a.cl": KERNEL.format("k")})
    scan, kernel = scan_project(str(tmp_path)), str(tmp_path / "a.cl")
    builds = HostBuildIndex(LOCAL_FILE_SYSTEM).find_builds(scan, kernel)
    assert "-cl-std=CL2.0" in {option.text for each in builds for option in each.found_options}


def test_a_file_with_a_language_version_may_build_kernels(make: Make, tmp_path: Path) -> None:
    wrapper = "void compile(char *text, char *o) { clBuildProgram(p, 0, 0, o, 0, 0); }\n"
    make({"wrapper.c": wrapper, "chooser.c": 'void g() { compile(source, "-cl-std=CL2.0"); }\n'})
    builds = HostBuildIndex(LOCAL_FILE_SYSTEM).find_builds(scan_project(str(tmp_path)))
    assert ["-cl-std=CL2.0"] == [option.text for each in builds for option in each.found_options]


def test_options_through_a_wrapper_in_another_file_reach_strings(make: Make, tmp_path: Path) -> None:
    wrapper = "void compile(char *text, char *o) { clBuildProgram(p, 0, 0, o, 0, 0); }\n"
    project = make({"host.cpp": STRING + 'void f() { compile(source, "-DA=1"); }\n', "wrapper.cpp": wrapper})
    assert program_defines(project, tmp_path / "host.cpp") == [("A", "1")]
    alone = collect_host_builds(
        HostBuildIndex(LOCAL_FILE_SYSTEM),
        scan_project(str(tmp_path)),
        program_name(str(tmp_path / "host.cpp"), 0),
    )
    assert program_defines(alone, tmp_path / "host.cpp") == [("A", "1")]


@pytest.mark.parametrize(
    "call",
    [
        "lib::setGlobalBuildOptions(options);",
        "program.set_compile_options(options);",
        "setCompilerFlags(device, options.c_str());",
        "kernel->addBuildOptions(options);",
        "builder.withBuildArgs(options);",
    ],
)
def test_options_that_a_library_gets_are_for_all_kernels(call: str, make: Make, tmp_path: Path) -> None:
    start = '#include "opencl_library.h"\nvoid f(bool b) { std::string options = "-DGPU -DN=4"; '
    project = make({".git/HEAD": "", "host.cpp": f'{start}if (b) options += " -DB"; {call} }}', "k.cl": ""})
    assert defines(project, tmp_path / "k.cl") == [("GPU", "1"), ("N", "4")]
    assert dict(planned(project, tmp_path / "k.cl").host_options.possible_macros).keys() == {"B"}


def test_options_that_are_added_one_by_one_are_one_build(make: Make, tmp_path: Path) -> None:
    host = (
        '#include "opencl_library.h"\nvoid f(bool b) { p.addBuildOption("-DA"); p.addBuildOption("-DB=2"); '
    )
    project = make({".git/HEAD": "", "host.cpp": host + 'if (b) p.addBuildOption("-DC"); }', "k.cl": ""})
    assert defines(project, tmp_path / "k.cl") == [("A", "1"), ("B", "2")]
    assert dict(planned(project, tmp_path / "k.cl").host_options.possible_macros).keys() == {"C"}


@pytest.mark.parametrize(
    "call",
    [
        'nvrtc::setCompileOptions("-DN");',
        'cudaProgram.setBuildOptions("-DN");',
        'setMetalCompilerFlags("-DN");',
        'setCompilerFlags("-DN -O2 -std=c++11");',
        'setCompilerFlags("-I. -fPIC -DN");',
        'setBuildDirectory("-DN");',
        'showBuildOptions("-DN");',
        'setBuildOptions("N");',
    ],
)
def test_options_of_other_compilers_are_not_for_kernels(call: str, make: Make, tmp_path: Path) -> None:
    project = make(
        {".git/HEAD": "", "host.cpp": f'#include "opencl_library.h"\nvoid f() {{ {call} }}', "k.cl": ""}
    )
    assert defines(project, tmp_path / "k.cl") == []


def test_a_setter_that_is_followed_to_a_build_is_no_other_build(make: Make, tmp_path: Path) -> None:
    host = (
        "void setBuildOptions(const char *o) { clBuildProgram(p, 0, 0, o, 0, 0); }\n"
        'void f() { load("a.cl"); setBuildOptions("-DA"); }\n'
    )
    project = make({".git/HEAD": "", "host.cpp": host, "a.cl": "", "b.cl": ""})
    assert defines(project, tmp_path / "a.cl") == [("A", "1")]
    assert defines(project, tmp_path / "b.cl") == []


def test_unknown_options_of_a_build_may_be_those_that_were_set(make: Make, tmp_path: Path) -> None:
    host = (
        '#include "opencl_library.h"\nvoid f() { lib::setBuildOptions("-DA"); }\n'
        'void g(Program &p) { load("k.cl"); p.build(device, p.options); }\n'
    )
    project = make({".git/HEAD": "", "cl.hpp": "", "host.cpp": f'#include "cl.hpp"\n{host}', "k.cl": ""})
    assert defines(project, tmp_path / "k.cl") == [("A", "1")]


def test_options_that_are_set_are_not_for_a_kernel_whose_build_is_known(make: Make, tmp_path: Path) -> None:
    host = (
        '#include <CL/cl.hpp>\nvoid f() { target.addCompileOptions("-DA"); load("a.cl"); load("b.cl"); }\n'
        'void g() { cl::Program p(load("a.cl")); p.build(devices, "-DB"); }\n'
    )
    project = make({".git/HEAD": "", "host.cpp": host, "a.cl": "", "b.cl": ""})
    assert defines(project, tmp_path / "a.cl") == [("B", "1")]
    assert defines(project, tmp_path / "b.cl") == [("A", "1")]


def test_options_that_are_set_are_for_the_kernels_of_the_function(make: Make, tmp_path: Path) -> None:
    start = '#include "opencl_library.h"\n'
    method = f'{start}void f() {{ p.load("a.cl"); p.addBuildOption("-DA"); p.addBuildOption("-DB=2"); }}'
    project = make({".git/HEAD": "", "host.cpp": method, "a.cl": "", "b.cl": ""})
    assert defines(project, tmp_path / "a.cl") == [("A", "1"), ("B", "2")]
    assert defines(project, tmp_path / "b.cl") == []
    of_all = f'{start}void f() {{ load("a.cl"); lib::setDefaultBuildOptions("-DA"); }}'
    project = make({"host.cpp": of_all})
    assert defines(project, tmp_path / "a.cl") == defines(project, tmp_path / "b.cl") == [("A", "1")]
