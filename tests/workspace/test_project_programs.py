"""The programs of a project: roots, and the files that are linked with them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from openclsp.project.project_scan import scan_project
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.project_programs import ProjectPrograms

KERNEL = "kernel void {}(global int *p) {{ p[0] = {}; }}\n"


class _Cancelled(Exception):
    """Ends an update early."""


def programs_of(folder: Path, files: dict[str, str]) -> ProjectPrograms:
    for path, text in files.items():
        (folder / path).write_text(text, encoding="utf-8")
    graph = IncludeGraph()
    graph.update(scan_project(str(folder)))
    made = ProjectPrograms(graph)
    assert not made.update()
    return made


def updated(made: ProjectPrograms, folder: Path) -> bool:
    """Scans the project again; returns whether an earlier answer has changed."""
    made.graph.update(scan_project(str(folder)))
    return made.update()


def containing(made: ProjectPrograms, folder: Path, name: str) -> list[list[str]] | None:
    found = made.programs_containing(str(folder / name))
    return None if found is None else [[os.path.basename(root) for root in each.roots] for each in found]


def test_each_includer_of_a_header_is_a_program(tmp_path: Path) -> None:
    made = programs_of(
        tmp_path,
        {
            "h.h": "int f(int *p) { return *p; }\n",
            "a.cl": '#include "h.h"\n' + KERNEL.format("a", "f(p)"),
            "b.cl": '#include "h.h"\n' + KERNEL.format("b", "f(p)"),
            "c.cl": KERNEL.format("c", "1"),
        },
    )
    assert containing(made, tmp_path, "h.h") == [["a.cl"], ["b.cl"]]
    assert containing(made, tmp_path, "c.cl") == [["c.cl"]]
    assert made.program_of(str(tmp_path / "a.cl")) is not None


@pytest.mark.parametrize("prototype", ["int f(int *p);\n", ""])
def test_a_call_links_the_file_that_alone_defines_the_function(tmp_path: Path, prototype: str) -> None:
    files = {
        "a.cl": prototype + KERNEL.format("a", "f(p)"),
        "b.cl": "int g(int *p);\nint f(int *p) { return g(p); }\n",
        "c.cl": "int g(int *p) { return *p; }\n" + KERNEL.format("c", "g(p)"),
    }
    made = programs_of(tmp_path, files)
    for name in files:
        assert containing(made, tmp_path, name) == [["a.cl", "b.cl", "c.cl"]]
        assert made.program_of(str(tmp_path / name)) is None
    assert not made.is_open("f") and not made.is_open("g")


def test_what_is_open(tmp_path: Path) -> None:
    files = {
        "a.cl": "int uncalled(int *p);\nint twice(int *p);\n" + KERNEL.format("a", "twice(p)"),
        "b.cl": "int uncalled(int *p) { return *p; }\nint twice(int *p) { return *p; }\n",
        "c.cl": "int twice(int *p) { return -*p; }\nint own(int *p) { return *p; }\n",
    }
    made = programs_of(tmp_path, files)
    assert [made.is_open(name) for name in ("uncalled", "twice", "own")] == [True, True, False]
    assert containing(made, tmp_path, "a.cl") == [["a.cl"]]


def test_circles_and_files_of_several_programs(tmp_path: Path) -> None:
    files = {
        "x.h": '#include "y.h"\nint f(int *p) { return *p; }\n',
        "y.h": '#include "x.h"\n',
        "a.cl": '#include "y.h"\n' + KERNEL.format("a", "f(p)"),
        "b.cl": '#include "a.cl"\n' + KERNEL.format("b", "f(p)"),
    }
    made = programs_of(tmp_path, files)
    assert containing(made, tmp_path, "x.h") == [["b.cl"]]
    assert made.program_of(str(tmp_path / "a.cl")) is None


def test_a_cancelled_update_knows_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.cl").write_text(KERNEL.format("a", "1"))
    graph = IncludeGraph()
    graph.update(scan_project(str(tmp_path)))
    made = ProjectPrograms(graph)
    calls = iter((None,))

    def check() -> None:
        if next(calls, "ended") == "ended":
            raise _Cancelled

    with pytest.raises(_Cancelled):
        made.update(check)
    assert containing(made, tmp_path, "a.cl") is None
    assert made.update()
    assert containing(made, tmp_path, "a.cl") == [["a.cl"]]


def test_an_update_reports_whether_an_answer_has_changed(tmp_path: Path) -> None:
    files = {
        "h.h": "int f(int *p) { return *p; }\n",
        "a.cl": '#include "h.h"\n' + KERNEL.format("a", "f(p)"),
        "f.cl": "int g(int *p) { return *p; }\n",
    }
    made = programs_of(tmp_path, files)
    assert not updated(made, tmp_path)
    assert containing(made, tmp_path, "h.h") == [["a.cl"]]
    assert not made.is_open("g")
    (tmp_path / "a.cl").write_text(files["a.cl"] + "int unrelated(void) { return 1; }\n")
    assert not updated(made, tmp_path)
    (tmp_path / "b.cl").write_text(files["a.cl"])
    assert updated(made, tmp_path)
    assert containing(made, tmp_path, "h.h") == [["a.cl"], ["b.cl"]]
    (tmp_path / "c.cl").write_text("int g(int *p);\n" + KERNEL.format("c", "1"))
    assert updated(made, tmp_path)


@pytest.mark.parametrize(
    ("name", "host", "included"),
    [
        ("host.cpp", 'const char *s = R"(#include "h.h"\n)";', True),
        ("host.cpp", 'const char *s = R"(\n#include "h.h"\n)";', True),
        ("host.cpp", 'const char *s = "#include \\"h.h\\"\\n";', True),
        ("host.c", 'const char *s = "\\\n#include <h.h>\\n";', True),
        ("host.cpp", 'const char *s = "#include \\"g.h\\"\\n";', True),
        ("host.py", 's = """\n#include "h.h"\n"""', True),
        ("host.cpp", '#include "h.h"\n', False),
        ("host.cpp", '#include "h.h"\nconst char *s = R"(int f();)";', False),
        ("host.cpp", '// #include "h.h"\n', False),
        ("host.cpp", 'const char *s = "#include \\"other.h\\"\\n";', False),
    ],
)
def test_programs_in_host_strings_are_not_known(tmp_path: Path, name: str, host: str, included: bool) -> None:
    files = {
        "h.h": "int f(int *p) { return *p; }\n",
        "g.h": '#include "h.h"\n',
        "a.cl": '#include "g.h"\n' + KERNEL.format("a", "f(p)"),
        name: host,
    }
    made = programs_of(tmp_path, files)
    assert containing(made, tmp_path, "h.h") == (None if included else [["a.cl"]])
    (tmp_path / name).write_text("other host code", encoding="utf-8")
    assert updated(made, tmp_path) is included
    assert containing(made, tmp_path, "h.h") == [["a.cl"]]
