"""Kernels and the host code that names them, as pure functions of an index."""

from __future__ import annotations

from pathlib import Path

from openclsp.host_code.host_language import HostLanguage
from openclsp.ide.navigation.host_mentions import (
    find_host_references,
    find_kernels,
    host_places_to_rename,
    kernel_at,
)
from openclsp.project.project_scan import scan_project
from openclsp.source.text import Text
from openclsp.workspace.host_names import HostNameIndex, HostNames
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import NameIndex, ProjectNames

from ...rules.analysis import analyse

ADD = "kernel void add(global int *x) { }\n"
HOST = '#include <CL/cl.h>\ncl_kernel a = clCreateKernel(p, "add", 0); run("add");\n'


class Project:
    """The files of a folder, with their indexes."""

    def __init__(self, folder: Path, **files: str) -> None:
        (folder / ".git").mkdir()
        self.folder, self.index, self._graph, self._names = (
            folder,
            HostNameIndex(),
            IncludeGraph(),
            NameIndex(),
        )
        self.write(**files)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
        scan = scan_project(str(self.folder))
        self._graph.update(scan)
        self._names.update(self._graph.opencl_files, self._graph.permission)
        self._names.advance(lambda: None)
        self.index.update(scan)
        self.index.advance(100, lambda: None)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def names(self) -> ProjectNames:
        return ProjectNames(self._graph, self._names, {})

    def hosts(self, **opened: str) -> HostNames:
        texts = {
            self.path(name.replace("__", ".")): (Text.of(text.encode()), HostLanguage.CPP)
            for name, text in opened.items()
        }
        return HostNames(self.index, texts)

    def references(self, kernel: str, hosts: HostNames) -> list[tuple[str, int]]:
        found = find_host_references("add", {self.path(kernel)}, hosts)
        return [(Path(each.location.document).name, each.location.start) for each in found]

    def kernels(self, host: str, *built: str) -> list[str]:
        found = find_kernels("add", self.path(host), self.names(), self.hosts(), set(map(self.path, built)))
        return sorted(Path(each.document).name for each in found)


def test_the_name_of_a_kernel() -> None:
    unit = analyse(ADD + "void add_one(int x);\n", "CL1.2")
    name = unit.document.name
    assert kernel_at(unit, name, ADD.index("add")) == ("add", frozenset((name,)))
    assert kernel_at(unit, name, ADD.index("x")) is None
    assert kernel_at(unit, name, len(ADD) + 6) is None


def test_references_follow_the_files_and_the_open_texts(tmp_path: Path) -> None:
    project = Project(tmp_path, a__cl=ADD, host__cpp=HOST, other__cpp="int x;\n")
    first, second = HOST.index("add"), HOST.rindex("add")
    assert project.references("a.cl", project.hosts()) == [("host.cpp", first), ("host.cpp", second)]
    assert project.references("a.cl", project.hosts(host__cpp="int y;\n", new__cpp="//\n" + HOST)) == [
        ("new.cpp", first + 3),
        ("new.cpp", second + 3),
    ]
    project.write(host__cpp="int y;\n", other__cpp="int longer;\n" + HOST)
    assert project.references("a.cl", project.hosts()) == [
        ("other.cpp", first + 12),
        ("other.cpp", second + 12),
    ]


def test_a_name_means_the_nearest_kernels(tmp_path: Path) -> None:
    own = HOST + f'const char *s = R"({ADD})";\n'
    project = Project(tmp_path, a__cl=ADD, b__cl=ADD, host__cpp=HOST, own__cpp=own)
    assert project.kernels("host.cpp") == ["a.cl", "b.cl", "own.cpp"]
    assert project.kernels("host.cpp", "b.cl") == ["b.cl"]
    assert project.kernels("own.cpp") == ["own.cpp"]
    assert project.references("a.cl", project.hosts()) == [
        ("host.cpp", HOST.index("add")),
        ("host.cpp", HOST.rindex("add")),
    ]


def test_a_rename_changes_only_what_is_certain(tmp_path: Path) -> None:
    project = Project(tmp_path, a__cl=ADD, host__cpp=HOST)

    def renamed() -> tuple[dict[str, tuple[int, ...]], list[int]]:
        found = host_places_to_rename("add", {project.path("a.cl")}, project.names(), project.hosts())
        places = {Path(path).name: starts for path, starts in found.places.items()}
        return places, [each.start for each in found.left]

    certain, passed = HOST.index("add"), HOST.rindex("add")
    assert renamed() == ({"host.cpp": (certain,)}, [passed])
    project.write(own__cpp=HOST + f'const char *s = R"({ADD})";\n')
    # The kernel of another file has the name too.
    assert renamed() == ({}, [certain, passed])
