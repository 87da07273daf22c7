"""Per-item diagnostics, used when nothing outside the item affects them.

The diagnostics of such an item can be cached until its findings or its text change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic
from openclsp.ide.diagnostics import beside_items, diagnostic_of, is_elsewhere
from openclsp.ide.ignore_comments import ignore_comments
from openclsp.ide.places import Places, Standing
from openclsp.ide.severities import as_severe_as_asked
from openclsp.ide.unsupported import another_language
from openclsp.rules.explaining import explained
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.guesses import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A diagnostic with the items that contain its locations.

    `diagnostic` is None if the project's settings suppress it. `elsewhere` is whether it is in a header
    instead of the root document.
    """

    diagnostic: Diagnostic | None
    items: tuple[Standing, ...]
    elsewhere: bool = False


class Apart:
    """The diagnostics to be reported for one state of a unit, computed item by item.

    `findings` contains the findings of all items that have any, `beside` the diagnostics that belong to no
    item. They are not sorted, and duplicates from several items are not removed.
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self.findings: Mapping[ItemKey, Sequence[Finding]] = explained(unit)
        self._unit, self._root = unit, unit.document.name
        self.beside = tuple(self._told(each) for each in beside_items(unit))
        self._places = Places(unit)

    def of(self, key: ItemKey, finding: Finding) -> Told | None:
        """Converts an item's finding to a diagnostic; None if that requires the whole unit."""
        places = self._places
        places.consulted.clear()
        found = diagnostic_of(key, finding, places)
        if found.location.document != self._root and not self._is_plain(key, found):
            return None
        return self._told(found, tuple(places.consulted))

    def _is_plain(self, key: ItemKey, found: Diagnostic) -> bool:
        """Whether no other part of the header affects whether this diagnostic is reported."""
        document = self._unit.document_named(found.location.document)
        template = self._unit.by_key[key].group.fragment.preprocessed.code.template
        return template is None and document is not None and not ignore_comments(document.text)

    def _told(self, found: Diagnostic, items: tuple[Standing, ...] = ()) -> Told:
        project, document = self._unit.unit.project, found.location.document
        excluded = project is not None and document != self._root and project.excludes(document)
        excluded = excluded or is_elsewhere(self._unit, found)
        told = None if excluded else next(as_severe_as_asked(project, (found,)), None)
        return Told(told, items, document != self._root)


def apart(unit: TranslationUnit) -> Apart | None:
    """Creates the per-item diagnostics of a unit; None if diagnostics depend on more than their item.

    That is the case with ignore comments, conditions whose value is guessed, templates that the host fills
    in, several possible language versions, code of another language, and diagnostics outside of items in
    headers.
    """
    if unit.unit.other_dialects:
        return None
    if unit.preprocessed.code.template is not None or ignore_comments(unit.document.text):
        return None
    if any(map(doubtful_groups, unit.fragments())) or another_language(unit) is not None:
        return None
    found = Apart(unit)
    root = unit.document.name
    beside = (each.diagnostic for each in found.beside)
    return found if all(each is None or each.location.document == root for each in beside) else None
