"""Applies ignore comments: removes ignored diagnostics and reports comments that ignore nothing.

Comments affect only the published diagnostics; the analysis does not depend on them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import replace

from openclsp.ide.feature_results import (
    CheckedFix,
    Diagnostic,
    Location,
    TextEdit,
)
from openclsp.ide.ignore.ignore_comments import (
    IgnoreComment,
    IgnoredCode,
    IgnoreIndex,
    parse_ignore_comments,
)
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import Trait
from openclsp.rules.runner.rule_registry import CODES, page, traits_of_rule
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text
from openclsp.workspace.schema_validation import suggest_similar_name

UNUSED_IGNORE = "unused-ignore"
_WORDS = ("ignore", "ignore-file")
_UsedCode = tuple[int, int | None]
"""(index of the comment, index of the code in it or None if it applies to all codes)"""


class IncludedComments:
    """The ignore comments of the documents that a unit includes."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._unit = unit
        self._documents: dict[str, tuple[Text, IgnoreIndex | None]] = {}

    def ignore(self, found: Diagnostic) -> bool:
        """Whether a comment of an included document ignores a diagnostic in that document."""
        name, start, _ = found.location.document, found.location.start, found.location.end
        if name == self._unit.document.name:
            return False
        known = self._documents.get(name)
        if known is None:
            document = self._unit.document_named(name)
            text = Text.of(b"") if document is None else document.text
            comments = parse_ignore_comments(text)
            known = self._documents[name] = text, IgnoreIndex(comments) if comments else None
        text, index = known
        return index is not None and any(True for _ in index.find_matching(found.code, text.line_of(start)))


class RootComments:
    """The ignore comments of a unit's root document, and which of them have ignored a diagnostic so far."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.text = unit.document.text
        self.comments = parse_ignore_comments(self.text)
        self._index = IgnoreIndex(self.comments)
        self.used: set[_UsedCode] = set()

    @property
    def is_empty(self) -> bool:
        """Whether the document has no ignore comments."""
        return not self.comments

    def ignore(self, code: str, line: int, *, but: int = -1) -> bool:
        """Whether a comment ignores `code` on a line (from 0); marks the comment as used.

        The comment with index `but` is not considered.
        """
        found = [each for each in self._index.find_matching(code, line) if each[0] != but]
        self.used.update(found)
        return bool(found)

    def create_diagnostics(self, unit: TranslationUnit) -> Iterator[Diagnostic]:
        """Yields the diagnostics about the comments themselves, once all diagnostics have been ignored.

        The diagnostics about comments that ignore `unused-ignore` come last. Such a comment may ignore a
        diagnostic about another comment, and then counts as used.
        """
        of_this_code = []
        for number, comment in enumerate(self.comments):
            own = [each for each in comment.codes or () if each.code == UNUSED_IGNORE]
            if own:
                of_this_code.append(number)
            else:
                yield from self._diagnostics_of_comment(unit, number)
        for number in of_this_code:
            yield from self._diagnostics_of_comment(unit, number)

    def _diagnostics_of_comment(self, unit: TranslationUnit, number: int) -> Iterator[Diagnostic]:
        for diagnostic in _faults(unit, self, number, self.comments[number]):
            if not self.ignore(UNUSED_IGNORE, self.text.line_of(diagnostic.location.start), but=number):
                yield diagnostic


def _faults(
    unit: TranslationUnit, root: RootComments, number: int, comment: IgnoreComment
) -> Iterator[Diagnostic]:
    name = unit.document.name
    if not comment.is_known:
        # An unknown word is reported only if it resembles a known one: the comment may be unrelated.
        suggestion = suggest_similar_name(comment.word, _WORDS)
        if suggestion:
            yield _hint(
                f"there is no comment `openclsp: {comment.word}`{suggestion}",
                name,
                (comment.start, comment.end),
                _removal(name, root.text, comment),
            )
        return
    sure = not unit.preprocessed.has_unknown_include and not _is_inactive(unit, root.text, comment)
    if not comment.codes:
        if sure and (number, None) not in root.used:
            yield _unused_comment_diagnostic(name, root.text, comment)
        return
    unused = [
        (position, written)
        for position, written in enumerate(comment.codes)
        if (number, position) not in root.used and _is_certainly_unused(unit, written.code, sure)
    ]
    known = [written for _, written in unused if written.code in CODES]
    if len(known) == len(comment.codes):
        yield _unused_comment_diagnostic(name, root.text, comment)
        return
    for position, written in unused:
        place = written.start, written.end
        fix = _without_code(name, root.text, comment, position)
        near = difflib.get_close_matches(written.code, CODES, n=1, cutoff=0.6)
        if written.code in CODES:
            yield _hint(f"no `{written.code}` diagnostic is ignored here", name, place, fix)
        elif near:
            change = TextEdit(Location(name, *place), near[0])
            change_it = CheckedFix(f"Change it to `{near[0]}`", True, (change,))
            message = f"there is no rule `{written.code}`; did you mean `{near[0]}`?"
            yield _hint(message, name, place, change_it, replace(fix, preferred=False))
        else:
            yield _hint(f"there is no rule `{written.code}`", name, place, fix)


def _is_certainly_unused(unit: TranslationUnit, code: str, sure: bool) -> bool:
    """Whether a code that ignored no diagnostic is certainly superfluous in its comment.

    A code that belongs to no rule is superfluous. The code of a rule about calls in host code may be needed,
    because a unit contains no host code. Any other code is superfluous if `sure` is true and its rule applies
    to the dialect; otherwise, the comment may be meant for another build. `sure` is whether neither a missing
    header nor an inactive branch affects the comment.
    """
    if Trait.HOST_CALL in traits_of_rule(code):
        return False
    rule = page(code)
    return rule is None or (sure and unit.dialect.name in rule.dialects)


def _is_inactive(unit: TranslationUnit, text: Text, comment: IgnoreComment) -> bool:
    line = text.line_of(comment.start) if comment.lines is None else comment.lines[0]
    return any(first <= line < last for first, last in unit.preprocessed.inactive)


def _unused_comment_diagnostic(name: str, text: Text, comment: IgnoreComment) -> Diagnostic:
    fix = _removal(name, text, comment)
    return _hint("this comment ignores nothing", name, (comment.start, comment.end), fix)


def _hint(message: str, name: str, place: tuple[int, int], *fixes: CheckedFix) -> Diagnostic:
    return Diagnostic(UNUSED_IGNORE, Severity.HINT, message, Location(name, *place), fixes=fixes)


def _removal(name: str, text: Text, comment: IgnoreComment) -> CheckedFix:
    """Creates the fix that removes a comment.

    The blanks before the comment are removed as well. If its lines contain nothing else, they are removed
    completely.
    """
    first, last = text.line_of(comment.start), text.line_of(comment.end)
    start, end = comment.start, comment.end
    if comment.is_on_own_line:
        start, end = text.line_start(first), text.line_start(last + 1)
    elif not text.data[end : text.line_end(last)].strip():
        before = text.data[text.line_start(first) : start]
        start -= len(before) - len(before.rstrip())
        end = text.line_end(last)
    edit = TextEdit(Location(name, start, end), "")
    return CheckedFix("Remove this comment", True, (edit,))


def _without_code(name: str, text: Text, comment: IgnoreComment, position: int) -> CheckedFix:
    """Creates the fix that removes one code with its comma; the whole comment if it is the only code."""
    codes = comment.codes or ()
    written = codes[position]
    if len(codes) == 1:
        return _removal(name, text, comment)
    start, end = _between(codes, position)
    return CheckedFix(f"Remove `{written.code}`", True, (TextEdit(Location(name, start, end), ""),))


def _between(codes: tuple[IgnoredCode, ...], position: int) -> tuple[int, int]:
    if position + 1 < len(codes):
        return codes[position].start, codes[position + 1].start
    return codes[position - 1].end, codes[position].end
