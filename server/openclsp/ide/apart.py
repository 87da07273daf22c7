"""The diagnostics of a unit item by item, where that is the same as looking at all of it: then what was made of an item's
diagnostics holds for as long as its findings and its text do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openclsp.ide.answers import Diagnostic
from openclsp.ide.diagnostics import SAID_ONCE, beside_items, diagnostic_of
from openclsp.ide.ignore_comments import ignore_comments
from openclsp.ide.places import Places
from openclsp.ide.severities import as_severe_as_asked
from openclsp.rules.explaining import explained
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.guesses import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit


class Apart:
    """The diagnostics to be told of one state of a unit. `findings` are those of all items that have any, `beside` the
    diagnostics that belong to no item. Nothing here is in order, and what several items say alike is said several times."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.findings: Mapping[ItemKey, Sequence[Finding]] = explained(unit)
        self.beside = tuple(as_severe_as_asked(unit.unit.project, beside_items(unit)))
        self._unit = unit
        self._places = Places(unit)
        self._root = unit.document.name

    def of(self, key: ItemKey, finding: Finding) -> tuple[Diagnostic | None, frozenset[ItemKey]] | None:
        """The diagnostic of an item's finding, None where it is not told, and the items that its places lie in. None for all
        where the whole unit has to be looked at."""
        places = self._places
        places.consulted.clear()
        found = diagnostic_of(key, finding, places)
        if found.location.document != self._root:
            return None
        if found.code in SAID_ONCE and found.severity is Severity.HINT:
            return None
        told = next(as_severe_as_asked(self._unit.unit.project, (found,)), None)
        return told, frozenset(places.consulted)


def apart(unit: TranslationUnit) -> Apart | None:
    """The diagnostics item by item; None where they depend on more than the item: on comments that ignore some, on guesses,
    on what a host fills in, or where they are told elsewhere."""
    if unit.preprocessed.code.template is not None or ignore_comments(unit.document.text):
        return None
    if any(map(doubtful_groups, unit.fragments())):
        return None
    found = Apart(unit)
    root = unit.document.name
    return found if all(each.location.document == root for each in found.beside) else None
