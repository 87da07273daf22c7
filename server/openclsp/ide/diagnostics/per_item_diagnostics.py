"""Per-item diagnostics, used when nothing outside the item affects them.

The diagnostics of an item can then be cached until the item's findings or text change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.body_parts import is_body_part
from openclsp.ide.diagnostics.diagnostics import (
    apply_settings,
    create_diagnostic,
    diagnostics_outside_items,
    select_certain_findings,
)
from openclsp.ide.diagnostics.unsupported_languages import detect_unsupported_language
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.ignore.ignore_comments import parse_ignore_comments
from openclsp.ide.location_map import ItemAnchor, LocationMap
from openclsp.ide.unit_config import unit_config
from openclsp.rules.finding import Finding
from openclsp.rules.runner.flow_explanations import explain_findings
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True, eq=False)
class ItemDiagnostic:
    """A diagnostic with the items that contain its locations.

    `diagnostic` is None if the project's settings suppress it. `in_header` is whether its location is in a
    header instead of the root document.
    """

    diagnostic: Diagnostic | None
    items: tuple[ItemAnchor, ...]
    in_header: bool = False


class PerItemDiagnostics:
    """The diagnostics to be reported for one state of a unit, computed item by item.

    `findings` contains the findings of all items that have any. `diagnostics_outside_items` contains the
    diagnostics that belong to no item. Both are unsorted, and may contain duplicates from several items.
    """

    def __init__(
        self, unit: TranslationUnit, *, tagged: bool = False, allow_stale_flow: bool = False
    ) -> None:
        self._tagged = tagged
        self.findings: Mapping[ItemKey, Sequence[Finding]] = select_certain_findings(
            unit, explain_findings(unit, allow_stale_flow=allow_stale_flow)
        )
        self._unit, self._root = unit, unit.document.name
        self.diagnostics_outside_items = tuple(
            self._create_item_diagnostic(each) for each in diagnostics_outside_items(unit)
        )
        self._places = LocationMap(unit)

    def diagnostic_of_finding(self, key: ItemKey, finding: Finding) -> ItemDiagnostic | None:
        """Converts an item's finding to a diagnostic.

        None if the finding is in a header with `openclsp: ignore` comments or template constructs, because
        these may affect whether the finding is reported.
        """
        places = self._places
        places.consulted_items.clear()
        found = create_diagnostic(key, finding, places)
        if found.location.document != self._root and not self._is_independent(key, found):
            return None
        return self._create_item_diagnostic(found, tuple(places.consulted_items))

    def _is_independent(self, key: ItemKey, found: Diagnostic) -> bool:
        """Whether nothing else in the document affects whether this diagnostic is reported.

        `openclsp: ignore` comments and the constructs of a template could affect that.
        """
        document = self._unit.document_named(found.location.document)
        template = self._unit.by_key[key].group.fragment.preprocessed.code.template
        return template is None and document is not None and not parse_ignore_comments(document.text)

    def _create_item_diagnostic(
        self, found: Diagnostic, items: tuple[ItemAnchor, ...] = ()
    ) -> ItemDiagnostic:
        diagnostic = apply_settings(self._unit, found, tagged=self._tagged)
        return ItemDiagnostic(diagnostic, items, found.location.document != self._root)


def create_per_item_diagnostics(
    unit: TranslationUnit, *, tagged: bool = False, allow_stale_flow: bool = False
) -> PerItemDiagnostics | None:
    """Creates the per-item diagnostics of a unit; None if a diagnostic depends on more than its item.

    That is the case if the document contains `openclsp: ignore` comments, is a template that the host fills
    in or part of a function's body, may be built in several language versions or is in another language. It
    is also the case if a diagnostic in a header belongs to no item. Hints about unused names are on only with `tagged`. With
    `allow_stale_flow`, diagnostics from the flow analysis may be those of an earlier text.
    """
    if unit_config(unit).other_dialects:
        return None
    if unit.preprocessed.code.template is not None or parse_ignore_comments(unit.document.text):
        return None
    if detect_unsupported_language(unit) is not None or is_body_part(unit):
        return None
    found = PerItemDiagnostics(unit, tagged=tagged, allow_stale_flow=allow_stale_flow)
    root = unit.document.name
    outside_items = (each.diagnostic for each in found.diagnostics_outside_items)
    return found if all(each is None or each.location.document == root for each in outside_items) else None
