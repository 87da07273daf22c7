"""Fixes that were tried: a fix is offered only if the unit analysed with it has lost the fault and gained none."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.ide.answers import CheckedFix, Diagnostic, Location, TextEdit
from openclsp.ide.changes import edits_of
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.places import Places
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetDialect
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.text import Text

_Mark = tuple[str, str, int]
"""(code, document, start): what tells one diagnostic from another across an edit."""


def fixes(unit: TranslationUnit, diagnostic: Diagnostic) -> tuple[CheckedFix, ...]:
    """The fixes of one of the unit's diagnostics that hold, in the order of the rule's preference."""
    identity = diagnostic.identity
    if not (isinstance(identity, tuple) and len(identity) == 2 and isinstance(identity[1], Finding)):
        return ()
    key, finding = identity
    if not finding.fixes or key not in unit.by_key:
        return ()
    before = diagnostics(unit)
    checked: list[CheckedFix] = []
    for fix in finding.fixes:
        found = _dialect_fix(unit, diagnostic, fix, before) or _text_fix(unit, diagnostic, key, fix, before)
        if found is not None and not any(
            found.edits == each.edits and found.dialect == each.dialect for each in checked
        ):
            checked.append(found)
    return tuple(checked)


def _dialect_fix(
    unit: TranslationUnit, diagnostic: Diagnostic, fix: Fix, before: tuple[Diagnostic, ...]
) -> CheckedFix | None:
    names = [change.name for change in fix.changes if isinstance(change, SetDialect)]
    if not names:
        return None
    other = unit.as_dialect(Dialect.of(names[0]))
    if _mends(diagnostic, before, diagnostics(other), ()):
        return CheckedFix(fix.title, fix.preferred, dialect=names[0])
    return None


def _text_fix(
    unit: TranslationUnit, diagnostic: Diagnostic, key: ItemKey, fix: Fix, before: tuple[Diagnostic, ...]
) -> CheckedFix | None:
    edits = edits_of(Places(unit), key, fix)
    if edits is None:
        return None
    texts = _edited(unit, edits)
    if texts is None:
        return None
    with unit.attempt(texts):
        after = diagnostics(unit)
    return CheckedFix(fix.title, fix.preferred, edits) if _mends(diagnostic, before, after, edits) else None


def _edited(unit: TranslationUnit, edits: Iterable[TextEdit]) -> dict[str, Text] | None:
    documents: dict[str, Document] = {
        each.preprocessed.document.name: each.preprocessed.document for each in unit.fragments()
    }
    texts: dict[str, Text] = {}
    for edit in reversed(tuple(edits)):
        name = edit.location.document
        if name not in documents:
            return None
        text = texts.get(name, documents[name].text)
        texts[name] = text.replace(edit.location.start, edit.location.end, edit.text.encode("utf-8"))
    return texts


def _mends(
    target: Diagnostic,
    before: tuple[Diagnostic, ...],
    after: tuple[Diagnostic, ...],
    edits: tuple[TextEdit, ...],
) -> bool:
    """Whether the target is gone and everything that is left was there before."""
    known = {_mark(each, edits) for each in before}
    gone = _mark(target, edits)
    marks = {_mark(each, ()) for each in after}
    return gone not in marks and marks <= known


def _mark(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> _Mark:
    return diagnostic.code, diagnostic.location.document, moved(diagnostic.location, edits)


def moved(location: Location, edits: Iterable[TextEdit]) -> int:
    """Where the start of a location is after the edits."""
    shift = 0
    for edit in edits:
        if edit.location.document == location.document and edit.location.end <= location.start:
            shift += len(edit.text.encode("utf-8")) - (edit.location.end - edit.location.start)
    return location.start + shift
