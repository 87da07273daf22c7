"""The diagnostics of a unit, mapped to locations in the source text."""

from __future__ import annotations

from functools import partial

from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.diagnostic_folding import fold_group, group_of_diagnostic
from openclsp.ide.diagnostics.diagnostic_joining import (
    DiagnosticForm,
    identity_of_diagnostic,
    join_diagnostics,
    sort_without_duplicates,
)
from openclsp.ide.diagnostics.per_item_diagnostics import ItemDiagnostic, PerItemDiagnostics
from openclsp.ide.diagnostics.unit_diagnostics import create_unit_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.unit_config import unit_config
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit


def compute_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """Computes the diagnostics to be published for a unit, with a limit on their number in each document.

    See `unlimited_diagnostics`.
    """
    by_document: dict[str, list[Diagnostic]] = {}
    for each in unlimited_diagnostics(unit, header_bodies=header_bodies):
        by_document.setdefault(each.location.document, []).append(each)
    notice = partial(_notice, unit)
    return tuple(
        each for found in by_document.values() for each in diagnostic_limit.limited(found, _severity, notice)
    )


def _notice(unit: TranslationUnit, found: Diagnostic, message: str) -> Diagnostic | None:
    # The severity is computed here, because it reads the rule's page, for which the first diagnostics must not
    # wait.
    severity = diagnostic_limit.notice_severity(unit_config(unit).project)
    if severity is None:
        return None
    return Diagnostic(diagnostic_limit.CODE, severity, message, found.location)


def _severity(found: Diagnostic) -> Severity:
    return found.severity


def unlimited_diagnostics(
    unit: TranslationUnit,
    *,
    header_bodies: bool = False,
    tagged: bool = False,
    allow_stale_flow: bool = False,
) -> tuple[Diagnostic, ...]:
    """Computes the diagnostics of a unit, without a limit on their number.

    They are sorted by document (the root document first) and location. `openclsp: ignore` comments and the
    project's settings are applied, and repeated hints are folded. Function bodies in headers are checked only
    with `header_bodies`. Hints that fade or strike out names are on only with `tagged`. With
    `allow_stale_flow`, diagnostics from the flow analysis may be those of an earlier text.
    """
    found = PerItemDiagnostics(
        unit, header_bodies=header_bodies, tagged=tagged, allow_stale_flow=allow_stale_flow
    )
    root = unit.document.name
    form: DiagnosticForm[ItemDiagnostic] = DiagnosticForm(
        sort_key=lambda each: _sort_key(root, each.found),
        identity=lambda each: identity_of_diagnostic(each.found),
        group_of=_group_of,
        fold=_fold,
        root_line=partial(_root_line, unit),
        code=lambda each: each.found.code,
        is_reported=lambda each: each.reported is not None,
        of_comment=found.diagnostic_about_comment,
    )
    joined = join_diagnostics(unit, found.everything(), form)
    return tuple([each.reported for each in joined if each.reported is not None])


def _group_of(each: ItemDiagnostic) -> tuple[str, str] | None:
    return None if each.reported is None else group_of_diagnostic(each.reported)


def _fold(group: list[ItemDiagnostic]) -> ItemDiagnostic:
    folded = fold_group([each.reported for each in group if each.reported is not None])
    return ItemDiagnostic(folded, folded)


def _root_line(unit: TranslationUnit, each: ItemDiagnostic) -> int:
    location = each.found.location
    return unit.document.text.line_of(location.start) if location.document == unit.document.name else -1


def compute_all_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """Computes all diagnostics of a unit, before `openclsp: ignore` comments, settings and folding.

    They are sorted. Other language versions in which the unit may be built do not count. For `header_bodies`,
    see `unlimited_diagnostics`.
    """
    created = create_unit_diagnostics(unit, header_bodies=header_bodies)
    sort_key = partial(_sort_key, unit.document.name)
    return tuple(sort_without_duplicates(created.everything(), sort_key, identity_of_diagnostic))


def _sort_key(root: str, diagnostic: Diagnostic) -> tuple[object, ...]:
    location = diagnostic.location
    related = [(each.location.start, each.location.end) for each in diagnostic.related]
    content = diagnostic.code, diagnostic.message, related
    return location.document != root, location.document, location.start, location.end, *content
