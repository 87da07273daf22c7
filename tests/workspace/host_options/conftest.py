"""Small projects in a folder, and the options found in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.workspace.files import LOCAL_FILES
from openclsp.workspace.host_options.build import common
from openclsp.workspace.host_options.index import HostIndex
from openclsp.workspace.host_options.project import HostProject, look_over
from openclsp.workspace.scan import scan

Found = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def make(tmp_path: Path) -> Callable[[dict[str, str]], HostProject]:
    """Writes files and looks over them; a kernel that is not among them is empty."""

    def made(files: dict[str, str]) -> HostProject:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return look_over(HostIndex(LOCAL_FILES), scan(str(tmp_path)))

    return made


@pytest.fixture
def found(make: Callable[[dict[str, str]], HostProject], tmp_path: Path) -> Found:
    """The options of `k.cl` that are certain, and those that are not, of one host file."""

    def options(name: str, text: str, kernel: str = "k.cl") -> tuple[list[str], list[str]]:
        project = make({kernel: "kernel void k(global int *g) {}", name: text})
        agreed = common(project.of(str(tmp_path / kernel)))
        return [each.written for each in agreed.certain], [each.written for each in agreed.open]

    return options
