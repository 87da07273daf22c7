"""The names that a project may define elsewhere, computed when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

ComputeNames: TypeAlias = Callable[[str], Mapping[str, str]]
"""Computes `HostBuildIndex.possible_names` for the given name only, or all of them for the empty string."""

MAXIMUM_SINGLE_NAMES: Final = 8
"""The maximum number of names that are searched one by one. A search takes a twentieth of the time of computing all."""


class DeferredNames(Mapping[str, str]):
    """`HostProject.possible_names`, computed when it is first accessed.

    A file without undeclared names needs none of them. Most other files need one or two, which are searched
    alone: computing all names takes 0.8 s for the host code of gromacs, and one name 0.05 s.
    """

    __slots__ = ("_compute", "_names", "_single")

    def __init__(self, compute: ComputeNames) -> None:
        self._compute = compute
        self._names: Mapping[str, str] | None = None
        self._single: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if self._names is None and name not in self._single and len(self._single) < MAXIMUM_SINGLE_NAMES:
            found = self._compute(name)
            # A name that is not found may still be one that `##` forms, which only the whole result contains.
            if name in found:
                self._single[name] = found[name]
        if self._names is None and name in self._single:
            return self._single[name]
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> Mapping[str, str]:
        if self._names is None:
            self._names = self._compute("")
        return self._names
