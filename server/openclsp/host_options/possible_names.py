"""The names that a project may define elsewhere: all of them, or each searched when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.generated_names import GeneratedNames
from openclsp.source.other_files import SEVERAL_FILES

MAXIMUM_SINGLE_NAMES: Final = 8
"""The maximum number of names that are searched one by one. A search takes a twentieth of the time of computing all."""


@dataclass(frozen=True, slots=True)
class PossibleNames:
    """The names that OpenCL files or the host may define (`HostBuildIndex.possible_names`).

    `written` maps each name that a file spells to the path of the defining file, or to SEVERAL_FILES.
    """

    written: Mapping[str, str] = field(default_factory=dict)
    generated: GeneratedNames = GeneratedNames()

    def __contains__(self, name: str, /) -> bool:
        return name in self.written or name in self.generated

    def get(self, name: str, /) -> str | None:
        """Returns the path of the only file that may define the name, SEVERAL_FILES, or None for other names."""
        found = self.written.get(name)
        return SEVERAL_FILES if found is None and name in self.generated else found


class _AnyName:
    """The names that a host may define if it computes the names of macros: all of them."""

    def __contains__(self, name: str, /) -> bool:
        return True

    def get(self, name: str, /) -> str | None:
        """Returns SEVERAL_FILES."""
        return SEVERAL_FILES


ANY_NAME: Final = _AnyName()


class DeferredNames:
    """`PossibleNames`, computed when a name is first needed.

    A file without undeclared names needs none of them. Most other files need one or two, which are searched
    alone: computing all names takes 0.8 s for the host code of gromacs, and one name 0.05 s.
    """

    __slots__ = ("_all", "_compute", "_search", "_single")

    def __init__(self, search: Callable[[str], str | None], compute: Callable[[], PossibleNames]) -> None:
        self._search, self._compute = search, compute
        self._all: PossibleNames | None = None
        self._single: dict[str, str | None] = {}

    def __contains__(self, name: str, /) -> bool:
        return self.get(name) is not None

    def get(self, name: str, /) -> str | None:
        """Returns the result of `PossibleNames.get`."""
        if self._all is not None:
            return self._all.get(name)
        if name not in self._single:
            if len(self._single) == MAXIMUM_SINGLE_NAMES:
                self._all = self._compute()
                return self._all.get(name)
            self._single[name] = self._search(name)
        return self._single[name]
