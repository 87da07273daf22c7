"""Completion: the names valid at the cursor, determined from the text before it.

Names are filtered by the typed word before anything else is computed. The signature and description of a
function are computed only if the client resolves the item (`resolve_completion`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.completion.completion_list import CompletionCandidate, CompletionList, NameFilter
from openclsp.ide.completion.cursor_scope import CursorScope, compute_cursor_scope
from openclsp.ide.completion.directive_names import ListHeaders
from openclsp.ide.completion.expected_type import expected_type
from openclsp.ide.completion.member_names import is_operand_unknown, member_candidates
from openclsp.ide.completion.name_uses import CompletionUse, find_uses, weigh_uses, words_of_code
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.ide.completion.ranking import RankingContext, score_candidate, score_match
from openclsp.ide.completion.scope_names import (
    local_candidates,
    macro_candidates,
    own_candidates,
    predefined_candidates,
    program_scope_candidates,
)
from openclsp.ide.completion.snippets import snippet_candidates
from openclsp.ide.completion.special_positions import Special, special_candidates
from openclsp.ide.completion.token_context import position_after
from openclsp.ide.completion.type_fit import ExpectedType
from openclsp.ide.cursor_line import AFTER_ALL_ITEMS, CursorLine, find_cursor_line, item_at_cursor
from openclsp.semantics.database.unit_inputs import ORDER
from openclsp.semantics.translation_unit import TranslationUnit

MAXIMUM_CANDIDATES = 100
"""The maximum number of candidates; if there are more, the list is marked as incomplete."""

_WORD = re.compile(rb"(?<!\w)[A-Za-z_]\w*\Z")
_REST = re.compile(rb"\w*")
_NUMBER = re.compile(rb"(?<![\w.])\.?[0-9][\w.]*\Z")
_MEMBER = re.compile(rb"(\.|->)\s*\Z")
_CONDITIONS = ("if", "elif", "ifdef", "ifndef", "undef")
_DECLARED_HERE = re.compile(rb"(?<!\w)[0-9]*([A-Za-z_]\w*)\s*(?:\[[^\[\]\n]*\]\s*)?=(?!=)[^=;,\n]*\Z")
_TYPE_BEFORE = re.compile(rb"(?<!\w)[0-9]*[A-Za-z_]\w*[\s*]+\Z")


def compute_completions(
    unit: TranslationUnit,
    document: str,
    offset: int,
    *,
    snippets: bool = False,
    list_headers: ListHeaders | None = None,
) -> CompletionList:
    """Computes the completions at a byte offset of a document; none in comments, literals and numbers.

    With `snippets`, the list contains snippets too. `list_headers` returns the files that an `#include` can
    name.
    """
    found = find_cursor_line(unit, document, offset)
    if found is None:
        return CompletionList((), offset, offset)
    data = found.part.preprocessed.code.text.data
    special = special_candidates(unit, found, offset, list_headers, snippets=snippets)
    if special is not None:
        return _special_list(special, data, offset)
    if found.is_quiet or _NUMBER.search(found.before):
        return CompletionList((), offset, offset)
    typed = _WORD.search(found.before)
    word = typed[0] if typed is not None else b""
    cursor = _Cursor.of(unit, found, data, offset, word)
    return cursor.ranked(cursor.candidates(snippets=snippets))


def _special_list(special: Special, data: bytes, offset: int) -> CompletionList:
    """Returns the candidates at a position where only certain names are possible, the best matches first."""
    word, candidates = special
    wanted = NameFilter.of(word.decode("utf-8", "replace"))
    matching = sorted(
        wanted.filter_candidates(candidates), key=lambda each: -score_match(each.name, wanted.word)
    )
    end = _end_of_word(data, offset)
    return CompletionList(
        tuple(matching[:MAXIMUM_CANDIDATES]), offset - len(word), end, len(matching) > MAXIMUM_CANDIDATES
    )


def _end_of_word(data: bytes, offset: int) -> int:
    rest = _REST.match(data, offset)
    return rest.end() if rest is not None else offset


@dataclass(frozen=True, slots=True)
class _Cursor:
    """The cursor in ordinary code, with everything that determines the candidates.

    `before` is the part of the line before the typed word.
    """

    unit: TranslationUnit
    found: CursorLine
    data: bytes
    start: int
    end: int
    before: bytes
    wanted: NameFilter
    uses: Sequence[CompletionUse]
    weights: Mapping[str, float]

    @staticmethod
    def of(unit: TranslationUnit, found: CursorLine, data: bytes, offset: int, word: bytes) -> _Cursor:
        start, end = offset - len(word), _end_of_word(data, offset) if word else offset
        wanted = NameFilter.of(word.decode("utf-8", "replace"))
        uses = find_uses(data, start, end, wanted.word)
        weights = weigh_uses(uses, data, start)
        before = found.before[: len(found.before) - len(word)]
        return _Cursor(unit, found, data, start, end, before, wanted, uses, weights)

    def candidates(self, *, snippets: bool) -> tuple[list[CompletionCandidate], RankingContext]:
        """Returns the candidates that match the word, and the context that determines their order."""
        position = position_after(self.data, self.start)
        context = RankingContext(self.wanted.word, position, self.weights)
        member = _MEMBER.search(self.before)
        # a sentinel item after all others: from it, every declaration at program scope is visible
        self.unit.database.set(ORDER, AFTER_ALL_ITEMS, 1 << 100)
        if self.found.directive in _CONDITIONS:
            return self._in_condition(), context
        if self.found.is_inactive or self.found.directive is not None:
            if member is not None:
                return self._words([], after_member=True), context
            return self._words(self._in_directive(), after_member=False), context
        key, text = item_at_cursor(self.found, self.before)
        scope = compute_cursor_scope(self.unit, key, text)
        if member is not None:
            return self._members(scope, arrow=member[1] == b"->"), context
        expected = expected_type(scope) if scope is not None else ExpectedType()
        in_body = b"{" in text
        context = replace(
            context,
            expected=expected,
            declared_here=self._declared_here(),
            begins_declaration=not in_body and position == "statement",
        )
        near = self.wanted.filter_candidates((*local_candidates(scope), *own_candidates(scope)))
        typed = bool(expected.types) or expected.is_index
        program = program_scope_candidates(self.unit, key, self.wanted, typed=typed)
        found = [*near, *program, *self._language()]
        if snippets and position == "statement":
            found += self.wanted.filter_candidates(snippet_candidates(in_body=in_body))
        return self._words(found, after_member=False), context

    def _language(self) -> Iterator[CompletionCandidate]:
        yield from macro_candidates(self.unit, self.found.part.preprocessed, self.wanted)
        yield from predefined_candidates(self.unit, self.wanted)

    def _in_condition(self) -> list[CompletionCandidate]:
        """Returns the candidates in a condition such as `#if`: `defined`, macros, and names in other directives.

        The names in other directives are offered because the host may define them as macros.
        """
        found = [CompletionCandidate("defined", NameKind.KEYWORD, is_own=True)]
        found = list(self.wanted.filter_candidates(found))
        found += macro_candidates(self.unit, self.found.part.preprocessed, self.wanted)
        text = self.found.part.preprocessed.document.text
        known = {each.name for each in found}
        for use in self.uses:
            name = use.name.decode("utf-8", "replace")
            if name not in known and text.line(text.line_of(use.at)).lstrip().startswith(b"#"):
                found.append(CompletionCandidate(name, NameKind.WORD, is_own=True))
        return found

    def _in_directive(self) -> list[CompletionCandidate]:
        """Returns the candidates in a macro definition or in inactive code; none in other directives.

        The candidates are all names that the program declares at program scope, and the predefined names.
        """
        if self.found.directive not in (None, "define"):
            return []
        program = program_scope_candidates(self.unit, AFTER_ALL_ITEMS, self.wanted, typed=False)
        return [*program, *self._language()]

    def _members(self, scope: CursorScope | None, *, arrow: bool) -> list[CompletionCandidate]:
        if scope is None or is_operand_unknown(scope):
            return self._words([], after_member=True)
        members = member_candidates(scope, self.wanted.word, self.weights, arrow=arrow)
        return list(self.wanted.filter_candidates(members))

    def _words(self, found: list[CompletionCandidate], *, after_member: bool) -> list[CompletionCandidate]:
        """Appends to `found` the file's identifiers that have no known declaration; returns `found`.

        A missing header or the host may declare these identifiers. With `after_member`, the identifiers
        after `.` or `->` are added; otherwise, all other identifiers.
        """
        known = {each.name for each in found}
        source_map = self.found.part.preprocessed.source_map
        for name in words_of_code(self.uses, source_map, after_member=after_member):
            if name not in known:
                found.append(CompletionCandidate(name, NameKind.WORD, is_own=True))
        return found

    def _declared_here(self) -> frozenset[str]:
        """Returns a set with the name of the variable that the cursor's line declares, as in `int a = |`.

        The set is empty if the line declares no variable.
        """
        match = _DECLARED_HERE.search(self.before)
        if match is None or _TYPE_BEFORE.search(self.before[: match.start(1)]) is None:
            return frozenset()
        return frozenset((match[1].decode(),))

    def ranked(self, found: tuple[list[CompletionCandidate], RankingContext]) -> CompletionList:
        """Returns the list of the best candidates, sorted by score, without duplicates.

        Of several candidates with the same name, the first one is kept, because its scope is the innermost.
        """
        once: dict[str, CompletionCandidate] = {}
        for each in found[0]:
            once.setdefault(each.name, each)
        best = sorted(once.values(), key=lambda each: -score_candidate(each, found[1]))
        # without a typed word, rare names of the language are not among them
        incomplete = len(best) > MAXIMUM_CANDIDATES or not self.wanted.word
        return CompletionList(tuple(best[:MAXIMUM_CANDIDATES]), self.start, self.end, incomplete)
