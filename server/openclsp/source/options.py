"""The options of the preprocessor, and the interface through which it resolves includes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName


@dataclass(frozen=True, slots=True, eq=False)
class PreprocessorOptions:
    """The macros that are defined before the first line of a document.

    - `predefined`: replacement lists by name; the name of a function-like macro includes the parameters. The
      mapping is parsed once for each object, so pass the same object again.
    - `defines`, `undefines`: the options `-D` and `-U`.
    - `known`: macros that some dialect, device or vendor predefines. If such a macro has no definition, it is
      certainly undefined. The host may define any other undefined name. A condition that contains one selects
      its branch by a guess (`Guess`).
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

    `by_every_compiler`: the header exists, but no compiler can read it.
    """

    reason: str
    by_every_compiler: bool = False


NOT_FOUND: Final = Refusal("file not found")
"""The header is in none of the directories searched"""


@dataclass(frozen=True, slots=True)
class UnreadInclude:
    """A document of `-include` that is not read: it does not exist, or openclsp is not permitted to read it.

    It may define any name, as a missing header may.
    """

    name: str


ForcedInclude: TypeAlias = "Document | UnreadInclude"
"""What `-include` names: text before the first line of the root document."""


class Loader(Protocol):
    """Finds the documents that include directives name."""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Resolves `#include "name"`, or `#include <name>` if `angled`, in the document `includer`."""
        ...
