"""Files that include the same headers are checked one after another; the report keeps the order of the paths."""

from __future__ import annotations

import json
import os

from openclsp.cli.check_order import order_by_headers
from openclsp.cli.check_report import OutputLocation, ReportedDiagnostic, ReportedFix
from openclsp.cli.input_check import InputChecker
from openclsp.cli.inputs import CheckInput
from openclsp.cli.merged_diagnostics import MergedDiagnostics
from openclsp.rules.finding import Severity
from openclsp.source.document import Document
from openclsp.source.text import Position, Text

PLAIN = '#include "types.h"\n#include "plain.h"\nkernel void k(global int *g) { *g = 1; }\n'
FAST = '#define FAST\n#include "types.h"\n#include "fast.h"\nkernel void k(global int *g) { *g = 1; }\n'


def paths_in_order(texts: dict[str, str]) -> list[str]:
    inputs = [CheckInput(path, Document.of(f"/{path}", text.encode())) for path, text in texts.items()]
    return [inputs[number].path for number in order_by_headers(inputs)]


def test_files_with_equal_includes_are_neighbours():
    texts = {"a.cl": PLAIN, "a-fast.cl": FAST, "b.cl": PLAIN, "b-fast.cl": FAST, "c.cl": "int x;\n"}
    assert paths_in_order(texts) == ["c.cl", "a-fast.cl", "b-fast.cl", "a.cl", "b.cl"]


def test_what_follows_the_last_include_has_no_effect():
    texts = {"a.cl": PLAIN + "#define Z\n", "b.cl": FAST, "c.cl": PLAIN + "#define A\n", "d.cl": PLAIN}
    assert paths_in_order(texts) == ["b.cl", "a.cl", "c.cl", "d.cl"]


def test_alternating_files_are_reported_in_the_order_of_their_paths(write, openclsp, monkeypatch):
    checked = []
    real = InputChecker.check_program

    def check_program(checker, root):
        checked.append(os.path.basename(root.path))
        return real(checker, root)

    monkeypatch.setattr(InputChecker, "check_program", check_program)
    for name in ("types", "plain", "fast"):
        write(f"{name}.h", f"typedef int {name}_t;\n")
    names = [f"{number}.cl" for number in range(4)]
    for number, name in enumerate(names):
        write(name, FAST if number % 2 else PLAIN)
    report = json.loads(openclsp("check", "--format", "json", "--jobs", "1", ".").out)
    assert [os.path.basename(each["path"]) for each in report["files"]] == names
    assert checked == ["1.cl", "3.cl", "0.cl", "2.cl"]


def test_explanations_do_not_depend_on_the_file_checked_before(write, openclsp):
    write("a.h", "int other(int *p) { return 0; }\n")
    write("b.h", "int other(global int *p) { return 0; }\n")
    write("a.cl", '#include "a.h"\nkernel void k(global int *p) { p = other(p); }\n')
    write("b.cl", '#include "b.h"\nkernel void k(global int *p) { p = other(p); int *q = p; }\n')

    def report_of_b(*files: str) -> object:
        ran = openclsp("check", "--format", "json", "--jobs", "1", "--std", "CL1.2", *files)
        return next(each for each in json.loads(ran.out)["files"] if each["path"] == "b.cl")

    alone = report_of_b("b.cl")
    assert "but only global reaches it" in json.dumps(alone)
    assert report_of_b("a.cl", "b.cl") == alone


def write_programs_with_different_fixes(write) -> None:
    write("h.h", "static int f(PTR p) { local int *q = p; return *q; }\n")
    write("a.cl", '#define PTR global int *\n#include "h.h"\nkernel void k(global int *g) { g[0] = 1; }\n')
    write("b.cl", 'typedef global int *PTR;\n#include "h.h"\nkernel void k(global int *g) { g[0] = 2; }\n')


def fixes_in_header(report: str) -> list[str]:
    (header,) = (each for each in json.loads(report)["files"] if each["path"] == "h.h")
    return [fix["title"] for each in header["diagnostics"] for fix in each["fixes"]]


def test_fixes_in_a_header_are_those_of_the_program_whose_name_is_the_first(write, openclsp, monkeypatch):
    write_programs_with_different_fixes(write)
    monkeypatch.setattr("openclsp.cli.worker_processes.ALONE_SECONDS", 0)
    of_b = ["Point `q` into global", "Point `p` into local"]
    assert fixes_in_header(openclsp("check", "--format", "json", "b.cl").out) == of_b
    for files in (("a.cl",), ("a.cl", "b.cl"), ("b.cl", "a.cl")):
        for jobs in ("1", "2"):
            ran = openclsp("check", "--format", "json", "--jobs", jobs, *files)
            assert fixes_in_header(ran.out) == of_b[:1]


def test_skipped_fixes_are_counted_once_whatever_is_checked_first(write, openclsp):
    faults = "".join(
        f"static int f{n}(global int *p) {{ local int *q = p; return *q; }}\n" for n in range(300)
    )
    write("h.h", faults)
    for name in ("a.cl", "b.cl", "c.cl"):
        write(name, f'#include "h.h"\nkernel void {name[0]}(global int *g) {{ g[0] = 1; }}\n')
    alone, both, reversed_ = (
        [
            each.get("fixesLeftOut")
            for each in json.loads(openclsp("check", "--format", "json", *files).out)["files"]
        ]
        for files in (("a.cl",), ("a.cl", "b.cl"), ("b.cl", "a.cl"))
    )
    assert alone[-1] and alone[-1] > 100
    assert both == reversed_ == [None, None, alone[-1]]


def test_results_of_other_processes_are_merged_in_any_order():
    text = Text.of(b"int x;")
    here = OutputLocation("h.h", text, 0, 3, Position(0, 0), Position(0, 3))

    def found_in(program: str, fix: str) -> ReportedDiagnostic:
        fixes = (ReportedFix(fix, True, ()),)
        return ReportedDiagnostic("a", Severity.ERROR, "b", here, (), fixes, fixes_from=program)

    results = [found_in("a.cl", "of a"), found_in("b.cl", "of b")]
    for order in (results, results[::-1]):
        merged = MergedDiagnostics(builds={"": None})
        for each in order:
            merged.add(each, "")
        (only,) = merged.reported()
        assert [fix.title for fix in only.fixes] == ["of a"]
