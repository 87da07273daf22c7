"""The diagnostics of a unit item by item, where that is the same as looking at all of it: then what was made of an item's
diagnostics holds for as long as its findings and its text do."""

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
    """A diagnostic, None where the project leaves it out, and the items that its places lie in. It may lie `elsewhere` than
    in the root document: in a header."""

    diagnostic: Diagnostic | None
    items: tuple[Standing, ...]
    elsewhere: bool = False


class Apart:
    """The diagnostics to be told of one state of a unit. `findings` are those of all items that have any, `beside` the
    diagnostics that belong to no item. Nothing here is in order, and what several items say alike is said several times."""

    def __init__(self, unit: TranslationUnit) -> None:
        self.findings: Mapping[ItemKey, Sequence[Finding]] = explained(unit)
        self._unit, self._root = unit, unit.document.name
        self.beside = tuple(self._told(each) for each in beside_items(unit))
        self._places = Places(unit)

    def of(self, key: ItemKey, finding: Finding) -> Told | None:
        """The diagnostic of an item's finding; None where the whole unit has to be looked at."""
        places = self._places
        places.consulted.clear()
        found = diagnostic_of(key, finding, places)
        if found.location.document != self._root and not self._is_plain(key, found):
            return None
        return self._told(found, tuple(places.consulted))

    def _is_plain(self, key: ItemKey, found: Diagnostic) -> bool:
        """Whether nothing else in a header decides whether a diagnostic is told."""
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
    """The diagnostics item by item; None where they depend on more than the item: on comments that ignore some, on guesses,
    on what a host fills in, on several language versions, or where they are told elsewhere."""
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
