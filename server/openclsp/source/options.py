"""Preprocessor options, and the interface that resolves includes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName


@dataclass(frozen=True, slots=True, eq=False)
class PreprocessorOptions:
    """The macros defined before a document's first line.

    `predefined` maps names (with parameters, for function-like ones) to replacement lists. It is parsed once
    for each mapping object, so pass the same object. `defines` and `undefines` are the `-D` and `-U` options.
    `known`: names of other dialects and vendors, which a condition may test while they are undefined, without
    its result being a guess.
    """

    predefined: Mapping[str, str] = field(default_factory=dict)
    defines: tuple[tuple[str, str], ...] = ()
    undefines: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()

    def _key(self) -> tuple[object, ...]:
        return (id(self.predefined), self.defines, self.undefines, self.known)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PreprocessorOptions) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a header cannot be loaded.

    `by_every_compiler`: the file exists, but no compiler could read it.
    """

    reason: str
    by_every_compiler: bool = False


NOT_FOUND: Final = Refusal("file not found")
"""The header is in none of the directories searched"""


class Loader(Protocol):
    """Resolves includes to documents."""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Resolves `#include "name"` (`angled`: `#include <name>`) in `includer`."""
        ...
