"""The names that a project may define elsewhere: searched one by one, they are those of the complete result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from openclsp.host_options.deferred_names import MAXIMUM_SINGLE_NAMES, DeferredNames
from openclsp.host_options.host_build_index import HostBuildIndex
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
    """The possible names of the project in a folder; `computed` lists the names that were searched."""

    def __init__(self, folder: Path) -> None:
        for name, text in FILES.items():
            (folder / name).write_text(text)
        self._index, self._scan = HostBuildIndex(LOCAL_FILE_SYSTEM), scan_project(str(folder))
        self.complete = self._names("")
        self.computed: list[str] = []
        self.deferred = DeferredNames(self._compute)

    def _names(self, only: str) -> Mapping[str, str]:
        return self._index.possible_names(self._scan, lambda: None, only=only)

    def _compute(self, only: str) -> Mapping[str, str]:
        self.computed.append(only)
        return self._names(only)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_each_name_alone_has_the_value_of_the_complete_result(project: Project) -> None:
    expected = {"real", "GREEN", "table", "BOTH", "scale_row", "TILE", "WIDTH", "HEIGHT", "SIZE"}
    assert expected <= project.complete.keys()
    assert {"common.h", "kernels/common.h", "cfloat_t"} <= project.complete.keys()
    for name, value in project.complete.items():
        assert DeferredNames(project._compute)[name] == value, name


def test_names_that_a_file_spells_are_searched_alone(project: Project, tmp_path: Path) -> None:
    assert project.deferred["real"] == str(tmp_path / "types.cl")
    assert project.deferred["BOTH"] == project.deferred["TILE"] == SEVERAL_FILES
    assert project.deferred["real"] == str(tmp_path / "types.cl")
    assert project.computed == ["real", "BOTH", "TILE"]


@pytest.mark.parametrize("name", ["scale_row", "nowhere"])
def test_a_name_that_no_file_spells_needs_the_complete_result(project: Project, name: str) -> None:
    assert project.deferred.get(name) == project.complete.get(name)
    assert project.computed == [name, ""]
    assert project.deferred["real"] == project.complete["real"]
    assert project.computed == [name, ""]


def test_many_names_need_the_complete_result(project: Project) -> None:
    spelled = sorted(name for name in project.complete if name != "scale_row")
    assert len(spelled) > MAXIMUM_SINGLE_NAMES
    for name in spelled:
        assert project.deferred[name] == project.complete[name]
    assert project.computed[-1] == ""
    assert len(project.computed) <= MAXIMUM_SINGLE_NAMES + 1
    assert dict(project.deferred) == dict(project.complete)
