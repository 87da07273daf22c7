"""The kernels that a run of `check` comes upon: the same kernel, in several builds or through several files, is told once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from openclsp.cli.report import KernelReport, Spot
from openclsp.dataclass import dataclass
from openclsp.ide.kernel_summary import KernelSummary


@dataclass(slots=True)
class Kernels:
    """What was found so far: by place and by what is to be said, the builds."""

    _found: dict[tuple[str, int, KernelSummary], tuple[Spot, dict[str, None]]] = field(default_factory=dict)

    def add(self, spot: Spot, summary: KernelSummary, build: str) -> None:
        """One more; `build` is the name of its variant, or its dialect."""
        key = spot.path, spot.start, summary
        self._found.setdefault(key, (spot, {}))[1][build] = None

    def reports(self) -> Iterator[KernelReport]:
        """All of them, by file and place."""
        for key, (spot, builds) in sorted(self._found.items(), key=lambda each: each[0][:2]):
            yield KernelReport(spot, key[2], tuple(builds))
