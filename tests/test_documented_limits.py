"""Every row of `docs/limits.md` has a test that exceeds its bound and checks the message."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from openclsp.cli import main
from openclsp.cli.flow_command import flow_report
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.host_code import (
    c_strings,
    kernel_builders,
    program_finder,
    python_strings,
    string_evaluator,
)
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.kernel_calls import c_kernel_uses, python_kernel_uses
from openclsp.host_code.kernel_mentions import NO_KERNELS, find_host_kernels
from openclsp.host_code.scanned_literals import MAXIMUM_UNCLOSED
from openclsp.host_options import build_finder, host_file_selection, host_project
from openclsp.host_options.host_build import intersect_builds
from openclsp.host_options.host_build_index import HostBuildIndex
from openclsp.host_options.host_project import HostProject, collect_host_builds
from openclsp.host_options.run_line_builds import find_run_builds
from openclsp.host_options.run_lines import find_run_lines
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic, Hover, Location, PointerFlow
from openclsp.ide.flow import argument_flow, project_flow
from openclsp.ide.host_contract import host_contract
from openclsp.ide.host_contract.host_contract import HostContracts
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.hover.hover_rendering import render_plain_text
from openclsp.ide.location_map import LocationMap
from openclsp.ide.navigation import call_hierarchy, item_uses, project_references, rename, undeclared_names
from openclsp.ide.navigation.host_mentions import find_kernels
from openclsp.ide.refactorings import function_extraction
from openclsp.ide.structure.folding import compute_folding_ranges
from openclsp.ide.structure.selection_ranges import compute_selection_ranges
from openclsp.ide.structure.text_structure import read_structure
from openclsp.language.spaces import Space
from openclsp.lsp.features.rename import MAXIMUM_RENAMED_PROGRAMS
from openclsp.lsp.session import host_documents
from openclsp.lsp.session.project_indexes import MAXIMUM_INDEX_SECONDS
from openclsp.project import file_discovery, project_scan, project_texts
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import BuildOptions
from openclsp.project.path_patterns import compile_path_patterns
from openclsp.semantics.flow import witness_paths
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.text import Text
from openclsp.workspace import assumed_macros, name_index, project_programs
from openclsp.workspace.compile_flags import FILE_NAME as FLAGS
from openclsp.workspace.host_names import HostNameIndex, HostNames
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import ProjectNames
from openclsp.workspace.unit_preparation import plan_unit

from .interpreted import is_compiled

PAGE = Path(__file__).parent.parent / "docs" / "limits.md"
_ROW = re.compile(r"\| (?!Resource \|)(?P<what>[^|]+) \| [^|]+ \|.*")

Limit = Callable[["Desk"], None]
LIMITS: dict[str, Limit] = {}
"""By the row's first cell"""


def rows() -> list[str]:
    """The first cells of the page's rows."""
    return [found["what"] for found in map(_ROW.fullmatch, PAGE.read_text().splitlines()) if found]


class Desk:
    """A project in a folder of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[str]) -> None:
        self.folder, self.patch, self._captured = folder, patch, captured
        (folder / ".git").mkdir()

    def write(self, name: str, text: str | bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    def unit(self, text: str | bytes) -> TranslationUnit:
        """The analysis of `k.cl`."""
        name = self.write("k.cl", text)
        planned = plan_unit(name)
        return TranslationUnit(
            planned.unit_config,
            Document.of(name, Path(name).read_bytes()),
            planned.make_include_loader(DocumentStore()),
        )

    def codes(self, text: str | bytes) -> set[str]:
        """The codes of the diagnostics of `k.cl`."""
        return {each.code for each in compute_diagnostics(self.unit(text))}

    def checked(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code and the output of `openclsp check` in the folder."""
        self.patch.chdir(self.folder)
        self._captured.readouterr()
        code = main(("check", *arguments))
        captured = self._captured.readouterr()
        return code, captured.out, captured.err

    def notices(self, *files: tuple[str, str]) -> str:
        """The notices about the project's files when `k.cl` is checked."""
        for name, text in (("k.cl", "kernel void k(void) {}\n"), *files):
            self.write(name, text)
        return self.checked("k.cl")[2]

    def project(self, files: dict[str, str]) -> HostProject:
        for name, text in files.items():
            self.write(name, text)
        return collect_host_builds(
            HostBuildIndex(LOCAL_FILE_SYSTEM), project_scan.scan_project(str(self.folder))
        )

    def options(self, files: dict[str, str]) -> list[str]:
        """The options that host code certainly passes for `k.cl`."""
        found = intersect_builds(
            self.project({"k.cl": "kernel void k(void) {}", **files}).builds_of_kernel(
                str(self.folder / "k.cl")
            )
        )
        return [each.display_text for each in found.shared_by_all]

    def flow(self, text: str) -> PointerFlow:
        """What a hover at `¦` shows that the pointer may hold."""
        self.write(FLAGS, "-cl-std=CL2.0\n")
        shown = compute_hover(self.unit(text.replace("¦", "")), str(self.folder / "k.cl"), text.index("¦"))
        assert shown is not None
        assert shown.flow is not None
        return shown.flow


def beyond(what: str) -> Callable[[Limit], Limit]:
    """Registers the test of a row."""

    def registered(test: Limit) -> Limit:
        LIMITS[what] = test
        return test

    return registered


def body(text: str) -> str:
    return f"void f(int n) {{ {text} }}\n"


@beyond("nesting of the syntax tree, in nodes")
def _(desk: Desk) -> None:
    assert "analysis-limit" in desk.codes(body("n = " + "~" * 201 + "1;"))


@beyond("pointer levels of a type")
def _(desk: Desk) -> None:
    assert desk.codes(body(f"int {'*' * 32}p;")) == set()
    assert "analysis-limit" in desk.codes(body(f"int {'*' * 33}p;"))


@beyond("candidates in the overload resolution of a call")
def _(desk: Desk) -> None:
    overloads = "".join(f"__attribute__((overloadable)) int g(struct s{n} *a);\n" for n in range(257))
    assert desk.codes(overloads + body("g(n);")) == {"analysis-limit"}


@beyond("one top-level declaration or function, after macros")
def _(desk: Desk) -> None:
    assert desk.codes(body(" n;" * (512 * 1024 // 3))) == {"analysis-limit"}


@beyond("top-level declarations and functions of a document")
def _(desk: Desk) -> None:
    assert desk.codes(";" * 20_001) == {"analysis-limit"}


@beyond("text of a document, after macros")
def _(desk: Desk) -> None:
    assert desk.codes("/*" + " " * (4 << 20) + "*/ typedef int t;\n") == {"analysis-limit"}


DOUBLING = "#define A0 n = 1;\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(20))


@beyond("tokens of one macro expansion")
def _(desk: Desk) -> None:
    assert desk.codes(DOUBLING + body("A17")) == {"expansion-too-large"}


@beyond("tokens of all macro expansions in a document")
def _(desk: Desk) -> None:
    # the argument is expanded, and costs its tokens, but is dropped then
    swallowing = "#define NONE(x)\n#define DROP(x) NONE(x)\n"
    assert desk.codes(DOUBLING + swallowing + body("DROP(A10)\n" * 20)) == set()
    assert desk.codes(DOUBLING + swallowing + body("DROP(A10)\n" * 2_000)) == {"expansion-too-large"}


@beyond("bytes added to a document by macro expansion")
def _(desk: Desk) -> None:
    text = f"#define M {'n' * 1000} = 1;\n"
    functions = "".join(f"void f{n}(int {'n' * 1000}) {{ M }}\n" for n in range(4_300))
    assert desk.codes(text + functions) == {"expansion-too-large", "analysis-limit"}


@beyond("nested calls in arguments of macro calls")
def _(desk: Desk) -> None:
    text = "#define F(x) x\n"
    assert "expansion-too-large" in desk.codes(text + body("n = " + "F(" * 150 + "1" + ")" * 150 + ";"))


@beyond("nested includes")
def _(desk: Desk) -> None:
    for number in range(202):
        desk.write(f"h{number}.h", f'#include "h{number + 1}.h"\n')
    assert desk.codes('#include "h0.h"\n') == {"include-too-deep"}


@beyond("included documents")
def _(desk: Desk) -> None:
    for number in range(2_001):
        desk.write(f"h{number}.h", "\n")
    assert desk.codes("".join(f'#include "h{number}.h"\n' for number in range(2_001))) == {"include-too-deep"}


@beyond("included bytes; a document counts each time that it is included")
def _(desk: Desk) -> None:
    desk.write("h.h", "#if 0\n" + "x" * (8 << 20) + "\n#endif\ntypedef int t;\n")
    assert desk.codes('#include "h.h"\n' * 4) == set()
    assert desk.codes('#include "h.h"\n' * 5) == {"include-too-deep"}


@beyond("nested parentheses and operators in `#if`")
def _(desk: Desk) -> None:
    assert desk.codes("#if " + "(" * 101 + "1" + ")" * 101 + "\n#endif\n") == {"condition"}


@beyond("unterminated macro calls whose end is searched up to the end of the document")
def _(desk: Desk) -> None:
    found = compute_diagnostics(desk.unit("#define M(x) x\n#define OPEN M(\n" + "OPEN\n" * 60))
    assert [each.code for each in found].count("unterminated-macro-call") == 60


@beyond("bytes of a file")
def _(desk: Desk) -> None:
    desk.write("large.cl", b" " * (16 * 1024 * 1024 + 1))
    code, out, _ = desk.checked("large.cl")
    assert code == 2
    assert "large.cl" in out
    assert desk.codes('#include "large.cl"\n') == {"include-not-found"}


@beyond("reported diagnostics of a file, the most severe first")
def _(desk: Desk) -> None:
    fault = "kernel void k(global int *g, local int *l) {\n" + "l = g;\n" * 1_001 + "}\n"
    assert desk.codes(fault) == {"pointer-conversion", "too-many-diagnostics"}
    assert "k.cl has more diagnostics than are shown." in desk.checked("--no-fixes", "k.cl")[1]


@beyond("folding ranges of a document, the longest first")
def _(desk: Desk) -> None:
    text = Text.of(b"void f(void) {\n" + b"if (1) {\n;\n}\n" * 5_100 + b"}\n")
    found = compute_folding_ranges(text, read_structure(text.data), 10_000)
    assert (len(found), found[0].last_line) == (5_000, 15_300)


@beyond("selection ranges around a position")
def _(desk: Desk) -> None:
    unit = desk.unit("int a = " + "(" * 600 + "1" + ")" * 600 + ";\n")
    text, places = unit.document.text, LocationMap(unit)
    found = compute_selection_ranges(places, unit.document.name, text, read_structure(text.data), 608)
    assert (len(found), found[0], found[-1]) == (500, (608, 609), (0, len(text.data)))


@beyond("text that is mostly not ASCII")
def _(desk: Desk) -> None:
    assert desk.codes("é" * 40) == {"syntax-error"}


@beyond("nested members that are distinguished")
def _(desk: Desk) -> None:
    def spaces(depth: int) -> tuple[Space, ...]:
        records = "struct s0 { int *p, *r; };\n" + "".join(
            f"struct s{n + 1} {{ struct s{n} m; }};\n" for n in range(depth)
        )
        way = "s" + ".m" * depth
        both = f"struct s{depth} s; {way}.p = g; {way}.r = l; int *q = {way}.p; *¦q = 1;"
        return desk.flow(f"{records}{TWO_SPACES}{{ {both} }}\n").spaces

    assert spaces(7) == (Space.GLOBAL,)
    assert spaces(9) == (Space.GLOBAL, Space.LOCAL)


TWO_SPACES = "kernel void k(global int *g, local int *l) "


@beyond("pointers within one object that are distinguished")
def _(desk: Desk) -> None:
    def spaces(count: int) -> tuple[Space, ...]:
        record = f"struct s {{ {' '.join(f'int *p{n};' for n in range(count))} }};\n"
        first, last = f"s.p{count - 2}", f"s.p{count - 1}"
        both = f"struct s s; {first} = g; {last} = l; int *q = {first}; *¦q = 1;"
        return desk.flow(f"{record}{TWO_SPACES}{{ {both} }}\n").spaces

    assert spaces(64) == (Space.GLOBAL,)
    assert spaces(66) == (Space.GLOBAL, Space.LOCAL)


@beyond("steps to find the shortest chain to an object")
def _(desk: Desk) -> None:
    assert witness_paths._MAXIMUM == 5_000
    text = f"{TWO_SPACES}{{ int *p = g; {'p = p + 1; ' * 40} *¦p = 1; }}\n"
    (whole,) = desk.flow(text).witnesses
    assert len(whole.steps) > 2
    desk.patch.setattr(witness_paths, "_MAXIMUM", 30)
    beyond = desk.flow(text)
    assert beyond.spaces == (Space.GLOBAL,)
    assert beyond.witnesses == ()


@beyond("expressions that a work-item evaluates for `missing-barrier`")
def _(desk: Desk) -> None:
    desk.write("openclsp.toml", '[severity]\nmissing-barrier = "information"\n')
    start = "kernel void k(global int *g, local int *l, int n) { int i = get_local_id(0); l[i] = n; "

    def found(statements: str) -> bool:
        return "missing-barrier" in desk.codes(f"{start} {statements} g[i] = l[i + 1]; }}\n")

    assert found("n = i; " * 100)
    assert not found("n = i; " * 3_100)
    assert found("for (int k = 0; k < 16; k++) g[k] = l[k + i];")
    # what the seventeenth iteration reads is not seen
    assert found("for (int k = 0; k < 17; k++) if (k == 15) g[k] = l[i + 1]; return;")
    assert not found("for (int k = 0; k < 18; k++) if (k == 16) g[k] = l[i + 1]; return;")


@beyond("chains that are shown if every chain is requested")
def _(desk: Desk) -> None:
    calls = "use(g); " * 25
    text = f"int use(int *p) {{ return *p; }}\nkernel void k(global int *g) {{ {calls} }}\n"
    desk.write("k.cl", text)
    options = BuildOptions(standard="CL2.0")
    found = flow_report(str(desk.folder / "k.cl") + ":1:14", options, every_chain=True).flow
    assert (len(found.witnesses), found.more_chains) == (24, True)


def _shared(desk: Desk, programs: int) -> PointerFlow:
    """What `flow` says of the parameter of a header's function that this many programs call."""
    desk.write("load.h", "int load(int *p) { return *p; }\n")
    for number in range(programs):
        desk.write(
            f"k{number}.cl",
            f'#include "load.h"\nkernel void k{number}(global int *g) {{ g[0] = load(g); }}\n',
        )
    options = BuildOptions(standard="CL2.0")
    return flow_report(str(desk.folder / "load.h") + ":1:15", options).flow


@beyond("OpenCL files of a project whose programs are joined")
def _(desk: Desk) -> None:
    assert project_programs.MAXIMUM_PROGRAM_FILES == 5_000
    desk.patch.setattr(project_programs, "MAXIMUM_PROGRAM_FILES", 3)
    assert not _shared(desk, 2).unknown
    assert _shared(desk, 3).unknown


@beyond("programs that share a document")
def _(desk: Desk) -> None:
    assert project_programs.MAXIMUM_SHARING_PROGRAMS == 32
    desk.patch.setattr(project_programs, "MAXIMUM_SHARING_PROGRAMS", 2)
    assert not _shared(desk, 2).unknown
    assert _shared(desk, 3).unknown


@beyond("programs whose witnesses a hover shows")
def _(desk: Desk) -> None:
    assert project_flow.MAXIMUM_KEPT_PROGRAMS == 8
    desk.patch.setattr(project_flow, "MAXIMUM_KEPT_PROGRAMS", 2)
    assert not _shared(desk, 3).unknown
    assert _shared(desk, 4).unknown


@beyond("pointers that receive the arguments of a kernel, in the choice of the line above it")
def _(desk: Desk) -> None:
    functions = "".join(f"void f{number}(int *p) {{ *p = 1; }}\n" for number in range(70))
    calls = "".join(f"f{number}(g); " for number in range(70))
    desk.write("openclsp.toml", 'language-version = "CL2.0"\n')
    unit = desk.unit(f"{functions}kernel void k(global int *g) {{ {calls}}}\n")
    found = argument_flow.find_argument_receivers(unit, ("function_definition", "k", 0))
    assert len(found) == argument_flow.MAXIMUM_RECEIVERS == 64


@beyond("calls that determine a pointer, in a hover")
def _(desk: Desk) -> None:
    calls = "f(g); " * 70
    found = desk.flow(
        f"void f(int *p) {{ *¦p = 1; }}\nkernel void k(global int *g, local int *l) {{ f(l); {calls} }}\n"
    )
    assert len(found.callers) == 64
    text = render_plain_text(replace(Hover(Location("", 0, 0), "", (), (), "", ""), flow=found))
    assert "k (line 2) and 55 more" in text


@beyond("calls followed for a returned address")
def _(desk: Desk) -> None:
    def text(count: int) -> str:
        calls = "id(" * count + "&x" + ")" * count
        return f"int *id(int *p) {{ return p; }}\nint *f(void) {{ int x; return {calls}; }}\n"

    desk.write(FLAGS, "-cl-std=CL2.0\n")
    assert desk.codes(text(20)) == {"returned-address"}
    assert desk.codes(text(30)) == set()


def deep(*, opening: str, closing: str = "") -> str:
    return opening * 60 + closing * 60


@beyond("`openclsp.toml`")
def _(desk: Desk) -> None:
    for text, said in (
        ("#" * (256 * 1024 + 1), "openclsp.toml is larger than 256 KB"),
        ("exclude = " + deep(opening="[", closing="]"), "openclsp.toml:1: "),
        ("\na" + ".a" * 60 + " = 1", "openclsp.toml:2: "),
    ):
        assert said in desk.notices(("openclsp.toml", text))


@beyond("`.clangd`")
def _(desk: Desk) -> None:
    large = "#" * (64 * 1024 + 1)
    assert ".clangd is larger than 64 KB; it is not used" in desk.notices((".clangd", large))
    nested = "CompileFlags:\n  Add: " + deep(opening="[", closing="]")
    assert ".clangd:2: it is nested more than 50 deep" in desk.notices((".clangd", nested))


@beyond("`compile_commands.json`")
def _(desk: Desk) -> None:
    large = "[" + " " * (8 * 1024 * 1024) + "]"
    assert "larger than 8 MB; it is not used" in desk.notices(("compile_commands.json", large))
    nested = deep(opening="[", closing="]")
    assert "nested more than 50 deep" in desk.notices(("compile_commands.json", nested))


@beyond("a pattern of `exclude` and `files`")
def _(desk: Desk) -> None:
    long = "a" * 1_001
    settings = f'exclude = ["{long}"]\n\n[variants.x]\nfiles = ["{long}"]\n'
    said = desk.notices(("openclsp.toml", settings))
    assert "openclsp.toml:1: 'exclude': 'aaaa" in said
    assert "openclsp.toml:4: 'variants.x.files': 'aaaa" in said
    assert said.count("is longer than 1,000 characters") == 2


@beyond("all patterns of one list")
def _(desk: Desk) -> None:
    many = [f"generated-{number}-file.cl" for number in range(4_000)]
    patterns = compile_path_patterns(tuple(many))
    assert patterns.match(many[0])
    assert not patterns.match(many[-1])
    settings = "exclude = [\n" + "".join(f'"{each}",\n' for each in many) + "]\n"
    assert "openclsp.toml:1: 'exclude': there are too many patterns" in desk.notices(
        ("openclsp.toml", settings)
    )


@beyond("`.gitignore`")
def _(desk: Desk) -> None:
    first = "/first/\n"
    filling = "#" * (256 * 1024 - len(first) - 1) + "\n"
    for name in ("first/first.cl", "last/last.cl"):
        desk.write(name, "")
    desk.write(".gitignore", first + filling + "/last/\n")
    assert [Path(each.path).name for each in project_scan.scan_project(str(desk.folder)).files] == ["last.cl"]


@beyond("a regular expression of `.clangd`")
def _(desk: Desk) -> None:
    for pattern in ("a" * 10_001, "(a{1,50}){1,50}", "(" * 51 + "a" + ")" * 51):
        settings = f"If:\n  PathMatch: '{pattern}'\nCompileFlags:\n  Add: -DN\n"
        assert "is not a supported regular expression, or is too large; it matches nothing" in desk.notices(
            (".clangd", settings)
        )


@beyond("scanned files and folders")
def _(desk: Desk) -> None:
    assert (
        project_scan.MAXIMUM_ENTRIES,
        project_scan.MAXIMUM_ENTRIES_OUTSIDE_PROJECTS,
        project_scan.MAXIMUM_DEPTH,
    ) == (
        100_000,
        5_000,
        32,
    )
    desk.write("a/" * 34 + "deep.cl", "")
    desk.write("a/" * 30 + "near.cl", "")
    assert [Path(each.path).name for each in project_scan.scan_project(str(desk.folder)).files] == ["near.cl"]
    for number in range(20):
        desk.write(f"k{number}.cl", "")
    assert (
        project_scan.scan_project(str(desk.folder), maximum_entries=10).reached_limit
        == "it contains more than 10 files"
    )


@beyond("bytes read from scanned files")
def _(desk: Desk) -> None:
    assert project_scan.MAXIMUM_TOTAL_SIZE == 128 << 20
    assert desk.options({"host.c": BUILD}) == ["-DN=1"]
    assert desk.options({"host.c": BUILD + " " * (2 << 20)}) == []
    desk.patch.setattr(project_scan, "MAXIMUM_TOTAL_SIZE", 1_000)
    for number in range(5):
        desk.write(f"k{number}.h", "//" + "x" * 500)
    assert project_scan.scan_project(str(desk.folder)).reached_limit


BUILD = 'void f(void) { clBuildProgram(clCreateProgramWithSource("k.cl"), 0, 0, "-DN=1", 0, 0); }\n'


@beyond("kernels in a checked folder")
def _(desk: Desk) -> None:
    assert (file_discovery.MAXIMUM_FILES, file_discovery.MAXIMUM_DEPTH) == (20_000, 64)
    desk.patch.setattr(file_discovery, "MAXIMUM_FILES", 2)
    for number in range(4):
        desk.write(f"k{number}.cl", "")
    assert "There are more files that were not checked." in desk.checked(".")[1]


@beyond("builds found in host code")
def _(desk: Desk) -> None:
    def wrapped(count: int) -> dict[str, str]:
        text = 'void f0(char *o) { clBuildProgram(read("k.cl"), 0, 0, o, 0, 0); }\n'
        text += "".join(f"void f{n + 1}(char *o) {{ f{n}(o); }}\n" for n in range(count))
        return {"host.c": text + f'void g(void) {{ f{count}("-DN=1"); }}\n'}

    assert desk.options(wrapped(3)) == ["-DN=1"]
    assert desk.options(wrapped(6)) == []
    assert build_finder.MAXIMUM_BUILDS == 5_000
    calls = "".join(
        f'void f{n}(void) {{ clBuildProgram(read("k.cl"), 0, 0, "-DN={n}", 0, 0); }}\n' for n in range(30)
    )
    desk.patch.setattr(build_finder, "MAXIMUM_BUILDS", 10)
    assert len(desk.project({"host.c": calls}).builds_of_kernel(str(desk.folder / "k.cl"))) <= 11


@beyond("host code that is searched for builds")
def _(desk: Desk) -> None:
    assert host_file_selection.MAXIMUM_ANALYSED_BYTES == 24 << 20
    desk.patch.setattr(host_file_selection, "MAXIMUM_ANALYSED_BYTES", 500)
    assert desk.options({"host.c": BUILD}) == ["-DN=1"]
    assert desk.options({"host.c": BUILD + "//" + " " * 500}) == []


@beyond("files that are searched for uses of kernel files")
def _(desk: Desk) -> None:
    assert (project_texts.MAXIMUM_TEXT_FILES, project_texts.MAXIMUM_TEXT_BYTES) == (20_000, 24 << 20)
    desk.write("host.c", 'int main(void) { return build("used.cl"); }\n')
    desk.write("used.cl", "kernel void used(void) { }\n")
    desk.write("lost.cl", "kernel void lost(global const int *p) { global int *q = p; }\n")
    assert "nothing in the project uses" in desk.checked(".")[1]
    for limit, value in (("MAXIMUM_TEXT_FILES", 1), ("MAXIMUM_TEXT_BYTES", 40)):
        with desk.patch.context() as patch:
            patch.setattr(project_texts, limit, value)
            assert "warning[discarded-qualifiers]" in desk.checked(".")[1]


@beyond("macros that are taken as defined, because a branch is C++ without them")
def _(desk: Desk) -> None:
    assert (assumed_macros.MAXIMUM_ASSUMED, assumed_macros.MAXIMUM_TRIALS) == (4, 12)

    def assumed(count: int) -> int:
        branches = (
            f"#ifdef ON{n}\ntypedef int t{n};\n#else\ntypedef lib::t t{n};\n#endif\n" for n in range(count)
        )
        text = "".join(branches) + "kernel void k(void) { }\n"
        name = desk.write("k.cl", text)
        planned = plan_unit(name, document=Document.of(name, text.encode()))
        return len(planned.unit_config.configuration.defines)

    assert (assumed(4), assumed(5)) == (4, 0)
    desk.patch.setattr(assumed_macros, "MAXIMUM_TRIALS", 2)
    assert (assumed(2), assumed(3)) == (2, 0)


@beyond("builds of a kernel that become variants")
def _(desk: Desk) -> None:
    kernel = str(desk.folder / "k.cl")

    def variants(count: int) -> int:
        calls = (BUILD.replace("f(", f"f{n}(").replace("N=1", f"N={n}") for n in range(count))
        project = desk.project({"k.cl": "kernel void k(void) {}", "host.c": "".join(calls)})
        return len(host_project.select_host_options(project, kernel).variants)

    assert (variants(24), variants(25)) == (24, 0)


@beyond("RUN lines of a kernel file")
def _(desk: Desk) -> None:
    def options(text: str) -> list[str]:
        builds = find_run_builds(find_run_lines(text.encode()), "/k.cl")
        return [each.display_text for build in builds for each in build.found_options]

    line = "// RUN: clspv %s -DN=1\n"
    assert options("// RUN: x\n" * 199 + line) == ["-DN=1"]
    assert options("// RUN: x\n" * 200 + line) == []
    assert options("// RUN: " + "x" * 65_000 + "\n" + line) == ["-DN=1"]
    assert options("// RUN: " + "x" * 65_536 + "\n" + line) == []


@beyond("a Makefile")
def _(desk: Desk) -> None:
    rule = "k.bin: k.cl\n\tclang -x cl -DN=1 k.cl\n"

    def options(text: str) -> list[str]:
        found = desk.project({"k.cl": "", "Makefile": text}).builds_of_kernel(str(desk.folder / "k.cl"))
        return [
            each.display_text
            for each in intersect_builds(found).only_in_some + intersect_builds(found).shared_by_all
        ]

    assert options(rule) == ["-DN=1"]
    assert options("\n" * 20_001 + rule) == []
    assert options("k.bin: k.cl\n\tclang " + "x " * 4_001 + "-DN=1 k.cl\n") == []
    variables = "A0 = -DN=1\n" + "".join(f"A{n + 1} = $(A{n})\n" for n in range(20))
    assert options(variables + "k.bin: k.cl\n\tclang -x cl $(A20) k.cl\n") != ["-DN=1"]


@beyond("candidate includers for a header")
def _(desk: Desk) -> None:
    for number in range(12):
        desk.write(f"k{number:02}.cl", '#include "h.h"\nkernel void k(void) {}\n')
    header = desk.write("h.h", "void f(void);\n")
    found = (
        ScannedProjects(for_many_inputs=True)
        .include_graph(Document.of(header, b""))
        .candidate_programs(header, b"")
    )
    assert len(found) == 8


@beyond("files in the index of a project's names")
def _(desk: Desk) -> None:
    for number in range(4):
        desk.write(f"k{number}.cl", f"void f{number}(void) {{}}\n")
    desk.patch.setattr(name_index, "MAXIMUM_INDEXED_FILES", 3)
    assert len(_project_symbols(desk, "f")) == 3
    graph, index = IncludeGraph(), name_index.NameIndex()
    graph.update(project_scan.scan_project(str(desk.folder)))
    index.update(graph.opencl_files, graph.permission)
    assert index.left_out == 1
    assert index.files is LOCAL_FILE_SYSTEM


@beyond("seconds that a request waits for the index of the project")
def _(desk: Desk) -> None:
    for number in range(4):
        desk.write(f"k{number}.cl", "void f(void) {}\n")
    graph, index = IncludeGraph(), name_index.NameIndex()
    graph.update(project_scan.scan_project(str(desk.folder)))
    index.update(graph.opencl_files, graph.permission)
    index.advance_for(0, lambda: None)
    assert not index.is_complete
    assert MAXIMUM_INDEX_SECONDS == 10


@beyond("references in an answer")
def _(desk: Desk) -> None:
    unit = desk.unit("int a;\nint f(void) { return a + a + a; }\n")
    desk.patch.setattr(project_references, "MAXIMUM_REFERENCES", 2)
    names = ProjectNames(IncludeGraph(), name_index.NameIndex(), {})
    found = project_references.find_references(unit, unit.document.name, 4, lambda: names, tuple)
    assert [each.location.start for each in found] == [4, 28]


@beyond("tokens of a document whose names are resolved before the first request")
def _(desk: Desk) -> None:
    unit = desk.unit("int a;\nint b;\n")
    assert item_uses.resolve_names(unit, unit.document.name, 10, limit=3)
    assert unit.database.computed["name uses"] == 1


@beyond("tokens of a function from which a selection is extracted")
def _(desk: Desk) -> None:
    unit = desk.unit("void f(int n) { n = 1; }\n")
    desk.patch.setattr(function_extraction, "LEAST", 10)
    found = function_extraction.compute_extraction(unit, unit.document.name, 16, 22)
    assert found == function_extraction.ExtractionRefusal("the function is too long to check the result")


@beyond("declarations and definitions outside of its program to which a name leads")
def _(desk: Desk) -> None:
    for number in range(70):
        desk.write(f"k{number}.cl", "int g(void) { return 1; }\n")
    unit = desk.unit("int f(void) { return g(); }\n")
    graph, index = IncludeGraph(), name_index.NameIndex()
    graph.update(project_scan.scan_project(str(desk.folder)))
    index.update(graph.opencl_files, graph.permission)
    index.advance(lambda: None)
    names = ProjectNames(graph, index, {})
    found = undeclared_names.find_destinations_elsewhere(unit, unit.document.name, 21, lambda: names)
    assert found is not None and len(found.places) == 64


@beyond("literals of a host file that may name kernels")
def _(desk: Desk) -> None:
    found = find_host_kernels(b"cl::Kernel k; x = {" + b'"a", ' * 10_010 + b"};", HostLanguage.CPP)
    assert len(found.mentioned) == 10_000
    assert find_host_kernels(b'cl::Kernel k(p, "a");' + b" " * (4 << 20), HostLanguage.CPP) == NO_KERNELS


@beyond("literals without an end in a host file that is not parsed")
def _(desk: Desk) -> None:
    kernel = 's = "kernel void k(void) { }"\n'
    assert MAXIMUM_UNCLOSED == 100
    assert len(_programs("x <<A\n" * 99 + kernel, HostLanguage.RUBY)) == 1
    assert _programs("x <<A\n" * 100 + kernel, HostLanguage.RUBY) == []


@beyond("kernels to which a name in host code leads")
def _(desk: Desk) -> None:
    host = desk.write("host.cpp", 'const char *s = "";' + 'R"(kernel void a(int x) { })";\n' * 70)
    index = HostNameIndex()
    index.update(project_scan.scan_project(str(desk.folder)))
    index.advance(10, lambda: None)
    names = ProjectNames(IncludeGraph(), name_index.NameIndex(), {})
    assert len(find_kernels("a", host, names, HostNames(index, {}), ())) == 64


def _programs(text: str, language: HostLanguage = HostLanguage.CPP) -> list[bytes]:
    """The programs in the strings of a host file."""
    return [each.value.data for each in program_finder.find_programs(text.encode(), language).programs]


_STRING = '"kernel void a(global int *x) { }"'


@beyond("a host file that is searched for kernels")
def _(desk: Desk) -> None:
    desk.write("host.cpp", f"auto s = {_STRING};" + " " * (4 << 20))
    code, _, said = desk.checked("host.cpp")
    assert (code, "larger than 4 MB" in said) == (0, True)
    assert host_documents.MAXIMUM_OPEN_HOST_BYTES == 1 << 20


@beyond("nodes of a host file's syntax tree around a string")
def _(desk: Desk) -> None:
    def joined(depth: int) -> bool:
        nested = "(" * depth + _STRING + ")" * depth
        return any(b"#define" in each for each in _programs(f'auto s = "#define N 1\\n" + {nested};'))

    assert joined(30)
    assert not joined(2_100)


@beyond("programs in the strings of a host file")
def _(desk: Desk) -> None:
    assert program_finder.MAXIMUM_PROGRAMS == 500
    desk.patch.setattr(program_finder, "MAXIMUM_PROGRAMS", 3)
    assert len(_programs("".join(f"auto s{n} = {_STRING};" for n in range(5)))) == 3


@beyond("text of the strings of a host file")
def _(desk: Desk) -> None:
    assert string_evaluator.MAXIMUM_EVALUATED_BYTES == 16 << 20
    text = f"auto s = {_STRING};" * 4
    assert len(_programs(text)) == 4
    desk.patch.setattr(string_evaluator, "MAXIMUM_EVALUATED_BYTES", 50)
    assert len(_programs(text)) == 2
    desk.patch.undo()
    chain = 'std::string a0 = "#define N 1\\n";' + "".join(f"auto a{n + 1} = a{n};" for n in range(60))
    (within,) = _programs(f"{chain} auto s = a30 + {_STRING};")
    (outside,) = _programs(f"{chain} auto s = a60 + {_STRING};")
    assert (b"#define" in within, b"#define" in outside) == (True, False)


@beyond("operands of a joined string")
def _(desk: Desk) -> None:
    assert (c_strings.MAXIMUM_OPERANDS, python_strings.MAXIMUM_OPERANDS) == (20_000, 20_000)
    text = f"s = {_STRING}" + ' + t + "x"' * 10
    for module, language in ((c_strings, HostLanguage.CPP), (python_strings, HostLanguage.PYTHON)):
        assert len(_programs(text, language)) == 1
        desk.patch.setattr(module, "MAXIMUM_OPERANDS", 10)
        assert _programs(text, language) == []


@beyond("the argument of a macro that makes a string")
def _(desk: Desk) -> None:
    text = "auto s = STRINGIFY(kernel void a(global int *x) {{ {} }});"
    assert len(_programs(text.format(" " * 1_000))) == 1
    assert _programs(text.format(" " * (1 << 20))) == []


@beyond("calls of pyopencl's kernel builders in a file")
def _(desk: Desk) -> None:
    assert kernel_builders.MAXIMUM_CALLS == 1_000
    desk.patch.setattr(kernel_builders, "MAXIMUM_CALLS", 2)
    call = 'k = ElementwiseKernel(ctx, "float *x", "x[i] = 1")\n'
    assert len(_programs(call * 4, HostLanguage.PYTHON)) == 2


def _calls_of(text: str, kernels: str = "kernel void a(global int *x) {}") -> set[str]:
    """The codes of the diagnostics at the calls of a host file that holds these kernels."""
    source = f'const char *s = R"({kernels})";\n'
    host = Document.of("/host.cpp", (source + text).encode())
    return {each.code for each in HostContracts().check(host, HostLanguage.CPP).diagnostics}


@beyond("calls of a host file that are checked against kernels")
def _(desk: Desk) -> None:
    assert (c_kernel_uses.MAXIMUM_CALLS, python_kernel_uses.MAXIMUM_CALLS) == (50_000, 50_000)
    text = 'void f() { cl::Kernel k(p, "a"); g(); k.setArg(1, 1); }'
    assert _calls_of(text) == {"host-argument-count"}
    if is_compiled(c_kernel_uses):
        pytest.skip("c_kernel_uses is compiled: its constants cannot be replaced")
    desk.patch.setattr(c_kernel_uses, "MAXIMUM_CALLS", 1)
    assert _calls_of(text) == set()


@beyond("kernels of a file, and parameters of a kernel, with which calls are compared")
def _(desk: Desk) -> None:
    text = 'void f() {{ cl::Kernel k(p, "a"); k.setArg({}, 1); }}'
    many = "kernel void b(int x) {} " * 2_000 + "kernel void a(global int *x) {}"
    assert _calls_of(text.format(1), many) == set()
    wide = "kernel void a({}) {{}}"
    for count, found in ((300, {"host-argument-count"}), (301, set())):
        parameters = ", ".join(f"int x{n}" for n in range(count))
        assert _calls_of(text.format(400), wide.format(parameters)) == found


@beyond("functions that hand a kernel object to each other")
def _(desk: Desk) -> None:
    def handed(count: int) -> set[str]:
        text = "void f0(cl::Kernel k) { k.setArg(1, 1); }\n"
        text += "".join(f"void f{n + 1}(cl::Kernel k) {{ f{n}(k); }}\n" for n in range(count))
        return _calls_of(text + f'void g() {{ cl::Kernel k(p, "a"); f{count}(k); }}')

    assert handed(2) == {"host-argument-count"}
    assert handed(6) == set()


@beyond("host files whose calls of the kernels of one file are shown there")
def _(desk: Desk) -> None:
    assert host_contract.MAXIMUM_CALLERS == 100
    assert len(_at_parameters(desk, 3)[0].related) == 3
    desk.patch.setattr(host_contract, "MAXIMUM_CALLERS", 2)
    assert len(_at_parameters(desk, 3)[0].related) == 2


@beyond("calls that one finding at a parameter relates to")
def _(desk: Desk) -> None:
    assert len(_at_parameters(desk, 25)[0].related) == 20


def _at_parameters(desk: Desk, hosts: int) -> tuple[Diagnostic, ...]:
    """What the calls of this many host files show at the parameters of `k.cl`."""
    kernels = Document.of(
        desk.write("k.cl", "kernel void a(global int *x) {}"), b"kernel void a(global int *x) {}"
    )
    call = '#include <CL/cl.h>\nvoid f() { cl::Kernel k(p, "a"); k.setArg(0, 1); }\n'
    for number in range(hosts):
        desk.write(f"host{number}.cpp", call)
    scan = project_scan.scan_project(str(desk.folder))
    index = HostNameIndex()
    index.update(scan)
    index.advance(10, lambda: None)
    contracts = HostContracts()
    contracts.update(scan, {})
    return contracts.check_kernels(kernels, HostNames(index, {})).diagnostics


@beyond("workspace symbols in an answer")
def _(desk: Desk) -> None:
    desk.write("k.cl", "".join(f"void f{number}(void) {{}}\n" for number in range(600)))
    assert len(_project_symbols(desk, "f")) == 512


@beyond("callers in an answer")
def _(desk: Desk) -> None:
    unit = desk.unit("void f(void) {}\nvoid g(void) { f(); }\nvoid h(void) { f(); }\n")
    desk.patch.setattr(call_hierarchy, "MAXIMUM_CALLERS", 1)
    names = ProjectNames(IncludeGraph(), name_index.NameIndex(), {})
    assert len(call_hierarchy.find_callers(unit, "f", tuple, lambda: names)) == 1


@beyond("other programs in which a name of a header is renamed")
def _(desk: Desk) -> None:
    unit = desk.unit("int a;\n")
    found = rename.compute_rename(
        unit, unit.document.name, 4, "b", lambda _: True, lambda *_: rename.RenameRefusal("65 programs")
    )
    assert found == rename.RenameRefusal("65 programs")
    assert MAXIMUM_RENAMED_PROGRAMS == 64


def _project_symbols(desk: Desk, query: str) -> list[project_references.ProjectSymbol]:
    graph, index = IncludeGraph(), name_index.NameIndex()
    graph.update(project_scan.scan_project(str(desk.folder)))
    index.update(graph.opencl_files, graph.permission)
    index.advance(lambda: None)
    return project_references.find_project_symbols(ProjectNames(graph, index, {}), query)


@pytest.mark.parametrize("what", rows())
def test_beyond_the_bound(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert what in LIMITS, "the row has no test"
    LIMITS[what](Desk(tmp_path, monkeypatch, capsys))


def test_every_test_is_of_a_row() -> None:
    assert set(LIMITS) <= set(rows())
    assert len(rows()) > 30
