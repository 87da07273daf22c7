"""What a document is preprocessed under, and who finds its includes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName


@dataclass(frozen=True, slots=True, eq=False)
class PreprocessorOptions:
    """The macros that stand before a document's first line.

    `predefined` maps names (with parameters, for function-like ones) to replacement lists; it is parsed once
    for each mapping object, so pass the same one. `defines` and `undefines` are the `-D` and `-U` options.
    `known`: names that are no guess where they are not defined, such as those of other dialects and vendors.
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
    """Why a header is not to be had; `by_every_compiler` is whether it is there and no compiler can read it."""

    reason: str
    by_every_compiler: bool = False


NOT_FOUND: Final = Refusal("file not found")
"""There is no such header where it is searched."""


class Loader(Protocol):
    """Finds included documents."""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The document that `#include "name"` (`angled`: `#include <name>`) in `includer` means."""
        ...
