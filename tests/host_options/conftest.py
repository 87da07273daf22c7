"""Small projects in a folder, and the options found in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from openclsp.host_options.host_build import intersect_builds
from openclsp.host_options.host_build_index import HostBuildIndex
from openclsp.host_options.host_project import HostProject, collect_host_builds
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.project.project_scan import scan_project

Found = Callable[..., tuple[list[str], list[str]]]


@pytest.fixture
def make(tmp_path: Path) -> Callable[[dict[str, str]], HostProject]:
    """Writes files and scans them as a project; a kernel that is not among them is empty."""

    def made(files: dict[str, str]) -> HostProject:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return collect_host_builds(HostBuildIndex(LOCAL_FILE_SYSTEM), scan_project(str(tmp_path)))

    return made


@pytest.fixture
def found(make: Callable[[dict[str, str]], HostProject], tmp_path: Path) -> Found:
    """Returns the certain and the uncertain options that one host file passes to `k.cl`."""

    def options(name: str, text: str, kernel: str = "k.cl") -> tuple[list[str], list[str]]:
        project = make({kernel: "kernel void k(global int *g) {}", name: text})
        agreed = intersect_builds(project.builds_of_kernel(str(tmp_path / kernel)))
        return [each.display_text for each in agreed.shared_by_all], [
            each.display_text for each in agreed.only_in_some
        ]

    return options
