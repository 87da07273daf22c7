"""Completion candidates and lists, and the filter for the typed word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.semantics.types.type_model import Type


@dataclass(frozen=True, slots=True)
class CompletionCandidate:
    """A completion candidate.

    - `detail`: its declaration, if that is already known.
    - `is_resolvable`: whether `resolve_completion` adds information.
    - `needs_arrow`: whether the `.` before the cursor must be replaced by `->`.
    - `type`: the type of its value, used for ranking.
    - `is_own`: whether the program declares it.
    - `is_local`: whether the function at the cursor declares it.
    - `insertion`: the inserted text, if it is not the name; a snippet uses LSP's syntax (LSP 3.17, "Snippet
      Syntax").
    - `score`: a factor of its rank; a higher score ranks it before other candidates of its kind.
    - `is_deprecated`: whether the language version deprecates it.
    """

    name: str
    kind: NameKind
    detail: str = ""
    is_resolvable: bool = False
    needs_arrow: bool = False
    type: Type | None = None
    is_own: bool = False
    is_local: bool = False
    insertion: str = ""
    score: float = 1.0
    is_deprecated: bool = False


@dataclass(frozen=True, slots=True)
class CompletionList:
    """The candidates, best first, for the word from byte `start` to `end`.

    The cursor is in the word, or at its end. `incomplete` is whether more candidates exist.
    """

    candidates: tuple[CompletionCandidate, ...]
    start: int
    end: int
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class NameFilter:
    """The filter for the typed word.

    A name matches if it starts with the first typed letter and contains the others after it in order. Case is
    ignored. Without a typed word, all names match. `initial` and `letters` are in lower case.
    """

    word: str
    initial: str
    letters: str

    @staticmethod
    def of(word: str) -> NameFilter:
        """Creates the filter for a typed word."""
        letters = word.lower()
        return NameFilter(word, letters[:1], letters)

    def matches(self, name: str) -> bool:
        """Whether a name matches the typed word."""
        return not self.letters or _has_in_order(name.lower(), self.letters)

    def filter_candidates(self, candidates: Iterable[CompletionCandidate]) -> Iterator[CompletionCandidate]:
        """Yields the candidates whose names match the typed word."""
        for each in candidates:
            if self.matches(each.name):
                yield each


def _has_in_order(name: str, letters: str) -> bool:
    """Whether a name starts with the first of these letters and contains the others after it, in order."""
    if not name.startswith(letters[0]):
        return False
    at = 1
    for letter in letters[1:]:
        at = name.find(letter, at) + 1
        if not at:
            return False
    return True
