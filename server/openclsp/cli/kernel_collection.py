"""Collects the kernels found by a run of `check`; merges equal summaries of several builds or files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from openclsp.cli.check_report import KernelReport, OutputLocation
from openclsp.dataclass import dataclass
from openclsp.ide.kernels.kernel_summary import KernelSummary


@dataclass(slots=True)
class KernelCollection:
    """The kernels found so far; for each summary, the builds in which it applies."""

    _found: dict[tuple[str, int, KernelSummary], tuple[OutputLocation, dict[str, None]]] = field(
        default_factory=dict
    )

    def add(self, location: OutputLocation, summary: KernelSummary, build: str) -> None:
        """Adds a kernel; `build` is the name of its variant, or its dialect."""
        key = location.path, location.start, summary
        self._found.setdefault(key, (location, {}))[1][build] = None

    def reports(self) -> Iterator[KernelReport]:
        """Yields all kernels, sorted by file and location."""
        for key, (location, builds) in sorted(self._found.items(), key=lambda each: each[0][:2]):
            yield KernelReport(location, key[2], tuple(builds))
