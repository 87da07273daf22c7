"""Completion candidates and lists, and the filter for the typed word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.semantics.types.type_model import Type


@dataclass(frozen=True, slots=True)
class CompletionCandidate:
    """A completion candidate.

    `detail` is its declaration if that is already known. `is_resolvable` is whether `resolve_completion` adds
    information. `needs_arrow` is whether the `.` before the cursor must be replaced by `->`. `type` is that
    of its value, for the order of candidates. `is_own` is whether the program declares it, `is_local` whether
    the function does. `insertion` is the text that is inserted, if it is not the name; for a snippet, in the
    syntax of snippets (LSP 3.17, "Snippet Syntax"). A higher `score` ranks it before
    candidates of its kind. `is_deprecated`: the language version deprecates it.
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

    The cursor is in the word, or at its end. `incomplete` if there are more candidates.
    """

    candidates: tuple[CompletionCandidate, ...]
    start: int
    end: int
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class NameFilter:
    """The filter for the typed word.

    A name matches if it contains the typed letters in order and starts with the first one, in any case. Without a
    word, all names match. `initial` and `letters` are in lower case.
    """

    word: str
    initial: str
    letters: str

    @staticmethod
    def of(word: str) -> NameFilter:
        """The filter for a word."""
        letters = word.lower()
        return NameFilter(word, letters[:1], letters)

    def matches(self, name: str) -> bool:
        """Whether a name matches."""
        return not self.letters or _has_in_order(name.lower(), self.letters)

    def filter_candidates(self, candidates: Iterable[CompletionCandidate]) -> Iterator[CompletionCandidate]:
        """Yields the candidates whose names match."""
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
