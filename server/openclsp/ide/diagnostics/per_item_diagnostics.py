"""The diagnostics of a unit that are to be reported, item by item.

Those of one item can be cached until the item's findings or its text change. `diagnostic_joining` joins those
of all items.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.diagnostic_joining import identity_of_diagnostic
from openclsp.ide.diagnostics.settings_filter import (
    apply_settings,
    find_unknown_name,
    may_be_defined_elsewhere,
)
from openclsp.ide.diagnostics.unit_diagnostics import create_unit_diagnostics
from openclsp.ide.diagnostics.version_intersection import (
    has_hints_of,
    intersect_diagnostics,
    one_hint_per_message,
)
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.ignore.ignore_comments import parse_ignore_comments
from openclsp.ide.ignore.ignore_filter import IncludedComments
from openclsp.ide.location_map import ItemAnchor
from openclsp.ide.unit_config import unit_config
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True, eq=False)
class ItemDiagnostic:
    """A diagnostic, with the items that contain its locations.

    - `found`: the diagnostic as the analysis finds it
    - `reported`: the diagnostic with the project's settings; None if it is not reported
    """

    found: Diagnostic
    reported: Diagnostic | None
    items: tuple[ItemAnchor, ...] = ()


class PerItemDiagnostics:
    """The diagnostics of one state of a unit. They are unsorted, and several items may have the same one.

    A diagnostic is not reported if the settings or an ignore comment in a header suppress it, or if a language
    version in which the unit may be built does not have it. The parameters have the same meaning as in
    `unlimited_diagnostics`.
    """

    def __init__(
        self,
        unit: TranslationUnit,
        *,
        header_bodies: bool = False,
        tagged: bool = False,
        allow_stale_flow: bool = False,
    ) -> None:
        self._unit, self._tagged = unit, tagged
        self._created = create_unit_diagnostics(
            unit, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow
        )
        self.findings: Mapping[ItemKey, Sequence[Finding]] = self._created.findings
        self.has_comments = bool(parse_ignore_comments(unit.document.text))
        """Whether the root document has ignore comments. They are used even by what is not reported."""
        self.answers_about_names: dict[str, bool] = {}
        """The answers of `may_be_defined_elsewhere` that an edit may change, and that were needed so far."""
        self._names_defined_elsewhere = unit_config(unit).origins.names_defined_elsewhere
        self._comments = IncludedComments(unit)
        self._everything: Sequence[Diagnostic] | None = None
        self._common: Mapping[object, Severity] = {}
        """If the unit may be built in several versions: all diagnostics, and the severities of those that all have."""
        if unit_config(unit).other_dialects:
            self._everything = tuple(self._created.everything())
            common = _common_to_versions(unit, self._everything, header_bodies, allow_stale_flow)
            self._common = {identity_of_diagnostic(each): each.severity for each in common}

    @property
    def depend_on_items_only(self) -> bool:
        """Whether the diagnostic of a finding depends on the text of items and on `may_be_defined_elsewhere`.

        It depends on more if the unit is a template or part of a function's body, or may be built in several
        language versions.
        """
        return self._everything is None and self._created.depend_on_items_only

    def diagnostics_outside_items(self) -> Iterator[ItemDiagnostic]:
        """Yields those of `everything` that belong to no item."""
        return self._with_settings(self._created.outside_items)

    def diagnostic_about_comment(self, found: Diagnostic) -> ItemDiagnostic:
        """Applies the settings to a diagnostic about an ignore comment.

        Comments do not depend on the language version.
        """
        return ItemDiagnostic(found, apply_settings(self._unit, found, tagged=self._tagged))

    def diagnostic_of_finding(self, key: ItemKey, finding: Finding) -> ItemDiagnostic | None:
        """Converts an item's finding to a diagnostic; None if it may be wrong (`UnitDiagnostics.create`)."""
        found = self._created.create(key, finding)
        return None if found is None else self._item_diagnostic(found, self._created.consulted_items)

    def everything(self) -> Iterator[ItemDiagnostic]:
        """Yields all diagnostics that are reported; if there are ignore comments, also those that are not."""
        created = self._created.everything() if self._everything is None else self._everything
        return self._with_settings(created)

    def _with_settings(self, created: Iterable[Diagnostic]) -> Iterator[ItemDiagnostic]:
        for each in created:
            found = self._item_diagnostic(each)
            if found.reported is not None or self.has_comments:
                yield found

    def _item_diagnostic(self, found: Diagnostic, items: tuple[ItemAnchor, ...] = ()) -> ItemDiagnostic:
        reported: Diagnostic | None = found
        if self._everything is not None:
            severity = self._common.get(identity_of_diagnostic(found))
            if severity is None:
                reported = None
            elif severity is not found.severity:
                reported = replace(found, severity=severity)
        if reported is not None:
            name = find_unknown_name(reported)
            if name and name in self._names_defined_elsewhere:
                self.answers_about_names[name] = may_be_defined_elsewhere(self._unit, name)
            reported = apply_settings(self._unit, reported, tagged=self._tagged)
        if reported is not None and self._comments.ignore(reported):
            reported = None
        return ItemDiagnostic(found, reported, items)


def _common_to_versions(
    unit: TranslationUnit, found: Sequence[Diagnostic], header_bodies: bool, allow_stale_flow: bool
) -> Sequence[Diagnostic]:
    """Selects the diagnostics that a unit has in every language version in which it may be built."""
    for dialect in unit_config(unit).other_dialects:
        if not found:
            break
        other = unit.as_dialect(dialect)
        sample = one_hint_per_message(found)
        comparable = _comparable_diagnostics(unit, sample, other, header_bodies, allow_stale_flow)
        if not has_hints_of(comparable, found):
            comparable = _comparable_diagnostics(unit, found, other, header_bodies, allow_stale_flow)
        found = intersect_diagnostics(found, comparable)
    return found


def _comparable_diagnostics(
    unit: TranslationUnit,
    found: Sequence[Diagnostic],
    other: TranslationUnit,
    header_bodies: bool,
    allow_stale_flow: bool,
) -> Sequence[Diagnostic]:
    """Computes those diagnostics of `other` that may equal diagnostics in `found`.

    `other` is another version of `unit`, and `found` contains diagnostics of `unit`. Only items that differ
    between the versions or have a diagnostic in `found` are checked. If both versions have generic pointers,
    all items are checked, because flow findings depend on all items.
    """
    keys: set[ItemKey] | None = None
    if not (unit.dialect.generic and other.dialect.generic):
        items = unit.by_key
        keys = {each.origin.key for each in found if each.origin is not None}
        for key, item in other.by_key.items():
            known = items.get(key)
            if known is None or known.digest != item.digest:
                keys.add(key)
    created = create_unit_diagnostics(
        other, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow, keys=keys
    )
    return tuple(created.everything())
