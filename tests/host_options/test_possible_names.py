"""The names that a project may define elsewhere: searched one by one, they are those of the complete result."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.host_options.host_build_index import HostBuildIndex
from openclsp.host_options.possible_names import MAXIMUM_SINGLE_NAMES, DeferredNames, PossibleNames
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.project_scan import scan_project
from openclsp.source.other_files import SEVERAL_FILES

FILES = {
    "types.cl": "typedef float real;\nenum { RED, GREEN };\nconstant int table[2] = {1, 2};\n#define BOTH 1\n",
    "uses.cl": "#define MAKE(name) void name##_row(void) {}\nMAKE(scale)\n#define BOTH 2\nkernel void k(global real *g) {}\n",
    "host.py": 'import pyopencl\nbuild("-DTILE=4", "-D " "WIDTH=8")\nvalues["HEIGHT"] = n\ntext = """\nint prelude(int n);\n"""\n',
    "host.c": 'options("-DSIZE=%d", "kernels/common.h");\n',
}


class Project:
    """The possible names of the project in a folder; `searched` lists the names that were searched."""

    def __init__(self, folder: Path) -> None:
        for name, text in FILES.items():
            (folder / name).write_text(text)
        self._index, self._scan = HostBuildIndex(LOCAL_FILE_SYSTEM), scan_project(str(folder))
        self.complete = self._compute()
        self.searched: list[str] = []
        self.deferred = DeferredNames(self._search, self._compute_all)

    def _compute(self) -> PossibleNames:
        return self._index.possible_names(self._scan, lambda: None)

    def _compute_all(self) -> PossibleNames:
        self.searched.append("all names")
        return self._compute()

    def _search(self, name: str) -> str | None:
        self.searched.append(name)
        return self._index.possible_name(self._scan, name, lambda: None)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_each_name_alone_has_the_value_of_the_complete_result(project: Project) -> None:
    expected = {"real", "GREEN", "table", "BOTH", "TILE", "WIDTH", "HEIGHT", "SIZE"}
    assert expected <= project.complete.written.keys()
    assert {"common.h", "kernels/common.h", "cfloat_t"} <= project.complete.written.keys()
    for name in (*project.complete.written, "scale_row", "scale", "row", "scale_", "nowhere"):
        assert DeferredNames(project._search, project._compute_all).get(name) == project.complete.get(name), (
            name
        )
    assert "all names" not in project.searched


def test_names_that_a_file_spells_are_searched_alone(project: Project, tmp_path: Path) -> None:
    assert project.deferred.get("real") == str(tmp_path / "types.cl")
    assert project.deferred.get("BOTH") == project.deferred.get("TILE") == SEVERAL_FILES
    assert project.deferred.get("real") == str(tmp_path / "types.cl")
    assert project.searched == ["real", "BOTH", "TILE"]


def test_names_that_macros_form_are_searched_alone(project: Project) -> None:
    """The macro `MAKE` and its call may be in different files, and no file spells `scale_row`."""
    assert project.deferred.get("scale_row") == SEVERAL_FILES
    assert "offset_row" not in project.deferred
    assert project.searched == ["scale_row", "offset_row"]


def test_many_names_need_the_complete_result(project: Project) -> None:
    names = sorted(project.complete.written)
    assert len(names) > MAXIMUM_SINGLE_NAMES
    for name in names:
        assert project.deferred.get(name) == project.complete.get(name)
    assert project.searched == [*names[:MAXIMUM_SINGLE_NAMES], "all names"]
