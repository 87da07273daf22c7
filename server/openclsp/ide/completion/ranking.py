"""The order of completion candidates.

A candidate's score is a product of four factors: how well its name matches the typed word, how likely its
kind is at the cursor, how well its type fits, and how often the name is used around the cursor. A bonus for
the candidate's scope, or for its frequency in kernels, is added to the last factor.
`tests/benchmarks/completion_ranking.py` measures how good the order is; the constants were chosen with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.dataclass import dataclass
from openclsp.ide.completion.common_names import commonness
from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.ide.completion.type_fit import ExpectedType, fit_of

_SCOPE_SHARES = {
    NameKind.VARIABLE: 1.5,
    NameKind.PARAMETER: 0.0,
    NameKind.MEMBER: 3.0,
    NameKind.FUNCTION: 1.5,
    NameKind.TYPE: 1.5,
    NameKind.CONSTANT: 1.5,
    NameKind.MACRO: 1.0,
    NameKind.KEYWORD: 0.0,
    NameKind.WORD: 0.0,
}
"""Added to the score of the uses of a name that the program declares."""
_LOCAL_SHARE = 4.5
"""Added for a name that is declared in the function."""
_PER_COMMONNESS = 1 / 250
_OTHER_CASE = 0.05
_LETTERS_IN_ORDER = 1e-4
_SELF = 0.1
_WITHOUT_WORD = 0.05
"""Before anything is typed, the program's own names go first."""
_VALUES = frozenset((NameKind.VARIABLE, NameKind.FUNCTION, NameKind.CONSTANT, NameKind.WORD))
_NO_SPECIFIER = 0.01
_SNIPPET = 0.5
_LEAST = 1e-3
"""The score of a name of the language that kernels hardly use."""


@dataclass(frozen=True, slots=True)
class RankingContext:
    """The properties of the cursor that determine the order of candidates.

    `word` is the typed word, and `position` is one of `token_context.POSITIONS`. `uses` contains the weight
    of each name that is used around the cursor. `declared_here` contains the names that the cursor's line
    declares.
    """

    word: str
    position: str
    uses: Mapping[str, float]
    expected: ExpectedType = ExpectedType()
    declared_here: frozenset[str] = frozenset()
    begins_declaration: bool = False
    """Whether a declaration at program scope begins at the cursor."""


def score_match(name: str, word: str) -> float:
    """Scores how well a name matches the typed word."""
    if name.startswith(word):
        return 1.0
    return _OTHER_CASE if name.lower().startswith(word.lower()) else _LETTERS_IN_ORDER


def score_candidate(candidate: CompletionCandidate, context: RankingContext) -> float:
    """Returns the score of a candidate; candidates are sorted by descending score."""
    return (
        candidate.score
        * score_match(candidate.name, context.word)
        * _score_use(candidate, context)
        * fit_of(candidate.type, context.expected)
    )


def _score_use(candidate: CompletionCandidate, context: RankingContext) -> float:
    """Scores how often the candidate's name is used around the cursor, with a bonus.

    The bonus of a name of the program depends on its scope, that of a predefined name on its frequency in
    kernels.
    """
    if candidate.kind is NameKind.SNIPPET:
        return _SNIPPET
    share = _SCOPE_SHARES[candidate.kind] + (_LOCAL_SHARE if candidate.is_local else 0.0)
    if not candidate.is_own:
        share = _PER_COMMONNESS * commonness(candidate.name, context.position)
        if not context.word:
            share *= _WITHOUT_WORD
    found = context.uses.get(candidate.name, 0.0) + share
    if context.begins_declaration and candidate.kind in _VALUES:
        found *= _NO_SPECIFIER
    return found * (_SELF if candidate.name in context.declared_here else 1.0) + _LEAST
