"""The diagnostics of a unit, mapped to locations in the source text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.body_parts import filter_body_part
from openclsp.ide.diagnostics.diagnostic_folding import (
    HOST_NAME_RULES,
    INCLUDE,
    find_group,
    fold_diagnostics,
)
from openclsp.ide.diagnostics.diagnostic_joining import sort_without_duplicates
from openclsp.ide.diagnostics.pasted_names import find_unknown_part, is_macro_invocation
from openclsp.ide.diagnostics.severity_settings import apply_severity
from openclsp.ide.diagnostics.template_filter import filter_directive_diagnostics, filter_item_diagnostics
from openclsp.ide.diagnostics.unmet_features import create_unmet_feature_errors
from openclsp.ide.diagnostics.unsupported_languages import detect_unsupported_language
from openclsp.ide.diagnostics.version_intersection import (
    has_hints_of,
    intersect_diagnostics,
    one_hint_per_message,
)
from openclsp.ide.feature_results import Diagnostic, Location, RelatedLocation
from openclsp.ide.ignore.ignore_filter import UNUSED_IGNORE, apply_ignore_comments
from openclsp.ide.location_map import LocationMap
from openclsp.ide.unit_config import unit_config
from openclsp.rules.book import analysis_limit, undeclared_name, unknown_name
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.runner.flow_explanations import explain_findings
from openclsp.rules.runner.unit_findings import update_findings_of_items
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.guessed_conditions import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Preprocessed, Problem

_UNKNOWN_DIRECTIVE = "unknown-directive"
_REDEFINED = "macro-redefined"
_MAXIMUM_MARKED_BYTES = 40
"""The maximum length in bytes of the range that marks unanalysed text"""


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
    every = compute_all_diagnostics(unit, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow)
    reported = apply_ignore_comments(unit, every)
    if unit_config(unit).other_dialects:
        reported = _keep_common_to_versions(unit, tuple(reported), header_bodies, allow_stale_flow)
    configured = (apply_settings(unit, each, tagged=tagged) for each in reported)
    in_order = sorted(filter(None, configured), key=partial(_sort_key, unit.document.name))
    return tuple(fold_diagnostics(in_order))


def apply_settings(unit: TranslationUnit, found: Diagnostic, *, tagged: bool) -> Diagnostic | None:
    """Applies the project's settings to a diagnostic; None if the diagnostic is suppressed.

    The diagnostic is suppressed if the project excludes its header or switches its code off, or if the host
    may define the name that it is about. `tagged` has the same meaning as in `apply_severity`.
    """
    document, config = found.location.document, unit_config(unit)
    # The caller has already checked the root document.
    if document != unit.document.name and config.project is not None and config.project.excludes(document):
        return None
    if _is_defined_elsewhere(unit, found):
        return None
    return apply_severity(config, found, tagged=tagged)


def compute_all_diagnostics(
    unit: TranslationUnit, *, header_bodies: bool = False, allow_stale_flow: bool = False
) -> tuple[Diagnostic, ...]:
    """Computes all diagnostics of a unit, before `openclsp: ignore` comments, settings and folding.

    The parameters have the same meaning as in `unlimited_diagnostics`.
    """
    foreign = detect_unsupported_language(unit)
    if foreign is not None:
        return foreign.diagnostics
    findings = explain_findings(unit, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow)
    return _place_findings(unit, findings)


def _place_findings(
    unit: TranslationUnit, found_in_items: Mapping[ItemKey, Sequence[Finding]]
) -> tuple[Diagnostic, ...]:
    """Converts the findings of items to diagnostics and adds the diagnostics outside of items.

    The result is sorted and has no duplicates.
    """
    places = LocationMap(unit)
    found = [*diagnostics_outside_items(unit)]
    for key, findings in select_certain_findings(unit, found_in_items).items():
        item = unit.by_key[key]
        found += filter_item_diagnostics(item, (create_diagnostic(key, each, places) for each in findings))
    kept = filter_body_part(unit, found)
    return tuple(sort_without_duplicates(kept, partial(_sort_key, unit.document.name), _identity))


def select_certain_findings(
    unit: TranslationUnit, found: Mapping[ItemKey, Sequence[Finding]]
) -> Mapping[ItemKey, Sequence[Finding]]:
    """Removes the findings of items whose syntax may depend on an `#if` with an undefined name.

    Such an `#if` may have another result in another build. `doubtful_groups` selects the items.
    """
    uncertain = frozenset(group for fragment in unit.fragments() for group in doubtful_groups(fragment))
    if not uncertain:
        return found
    return {key: each for key, each in found.items() if unit.by_key[key].group not in uncertain}


def _keep_common_to_versions(
    unit: TranslationUnit, diagnostics: Sequence[Diagnostic], header_bodies: bool, allow_stale_flow: bool
) -> Iterator[Diagnostic]:
    """Selects the diagnostics that a unit has in every language version in which it may be built.

    If only one version is possible, these are all diagnostics. Diagnostics about `openclsp: ignore` comments
    are always selected, because comments do not depend on the version.
    """
    found: Sequence[Diagnostic] = [each for each in diagnostics if each.code != UNUSED_IGNORE]
    for dialect in unit_config(unit).other_dialects:
        if not found:
            break
        other = unit.as_dialect(dialect)
        sample = one_hint_per_message(found)
        comparable = _compute_comparable_diagnostics(unit, sample, other, header_bodies, allow_stale_flow)
        if not has_hints_of(comparable, found):
            comparable = _compute_comparable_diagnostics(unit, found, other, header_bodies, allow_stale_flow)
        found = intersect_diagnostics(found, comparable)
    yield from found
    yield from (each for each in diagnostics if each.code == UNUSED_IGNORE)


def _compute_comparable_diagnostics(
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
    if unit.dialect.generic and other.dialect.generic:
        return compute_all_diagnostics(other, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow)
    foreign = detect_unsupported_language(other)
    if foreign is not None:
        return foreign.diagnostics
    items = unit.by_key
    wanted: set[ItemKey] = {each.identity[0] for each in found if isinstance(each.identity, tuple)}
    for key, item in other.by_key.items():
        known = items.get(key)
        if known is None or known.digest != item.digest:
            wanted.add(key)
    findings = update_findings_of_items(
        other, wanted, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow
    )
    return _place_findings(other, findings)


def diagnostics_outside_items(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields the diagnostics that belong to no item.

    These are missing device features, exceeded limits and preprocessor problems.
    """
    yield from create_unmet_feature_errors(unit)
    yield from _limit_diagnostics(unit)
    root = unit.preprocessed
    problems = (
        _create_problem_diagnostic(problem, each, root)
        for each in root.units()
        for problem in each.problems
        if problem.code != _UNKNOWN_DIRECTIVE or not _may_be_given(unit, problem.name)
    )
    yield from filter_directive_diagnostics(unit.preprocessed, problems)


def _limit_diagnostics(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields a warning for each part of a document that is not analysed, because it exceeds a limit.

    The warning is at the first word of the part.
    """
    for fragment in unit.fragments():
        for group in fragment.over_limit:
            text = group.text
            start = group.start + len(text) - len(text.lstrip())
            end = start + 1
            while end < group.end and not text[end - group.start : end - group.start + 1].isspace():
                end += 1
            written = fragment.preprocessed.source_map.written(start, min(end, start + _MAXIMUM_MARKED_BYTES))
            location = Location(written.document, written.start, written.end)
            if group.bound is not None:
                yield Diagnostic(
                    analysis_limit.CODE, Severity.WARNING, analysis_limit.message(group.bound), location
                )


def _is_defined_elsewhere(unit: TranslationUnit, found: Diagnostic) -> bool:
    """Whether the unknown name of a diagnostic is probably defined outside of this unit.

    That is the case if another OpenCL file of the project defines the name and the host concatenates the
    files, or if the host defines the name as a macro in a way that could not be analysed. A missing header
    counts as defined if host code contains its name, because the host then generates it.
    """
    if found.group is not None:
        return (found.code == INCLUDE or found.code in HOST_NAME_RULES) and _may_be_given(
            unit, found.group.name
        )
    # errors are not folded
    if found.code in (undeclared_name.CODE, unknown_name.CODE) and isinstance(found.identity, tuple):
        return _may_be_given(unit, found.identity[1].name)
    return False


def _may_be_given(unit: TranslationUnit, name: str) -> bool:
    """Whether another OpenCL file of the project, or the host, may define a name.

    If the unit includes that file, the file's definition counts only if it is in an inactive branch. An
    active definition comes after the use of the name, where it does not help.
    """
    origins = unit_config(unit).origins
    path = origins.names_defined_elsewhere.get(name)
    if path is not None and not (name in unit.declared_names() and _contains(unit, path)):
        return True
    return any(name == given for given, _ in origins.possible_macros)


def _contains(unit: TranslationUnit, path: str) -> bool:
    return any(each.document.name == path for each in unit.preprocessed.units())


def _identity(diagnostic: Diagnostic) -> tuple[object, ...]:
    return diagnostic.location, diagnostic.code, diagnostic.message


def _sort_key(root: str, diagnostic: Diagnostic) -> tuple[object, ...]:
    location = diagnostic.location
    related = [(each.location.start, each.location.end) for each in diagnostic.related]
    content = diagnostic.code, diagnostic.message, related
    return location.document != root, location.document, location.start, location.end, *content


def create_diagnostic(key: ItemKey, finding: Finding, places: LocationMap) -> Diagnostic:
    """Converts a finding of an item to a diagnostic."""
    location, expansions = places.location_with_expansions(key, finding.place)
    related = list(expansions)
    for each in finding.related:
        there = places.origin_location(each.origin)
        if there is not None and there != location:
            related.append(RelatedLocation(there, each.message))
    if finding.chain:
        _add_chain(finding, location, related, places)
    code, severity, message, name = finding.code, finding.severity, finding.message, finding.name
    if name and expansions:
        piece = find_unknown_part(name, location, expansions, places.unit)
        if piece:
            name, message = piece, unknown_name.message((f"`{piece}`",))
            code, severity = unknown_name.CODE, Severity.HINT
    through = expansions if expansions and is_macro_invocation(location, expansions[0], places.unit) else ()
    fold = find_group(code, severity, message, name, through)
    return Diagnostic(code, severity, message, location, tuple(related), (key, finding), fold)


def _add_chain(
    finding: Finding, location: Location, related: list[RelatedLocation], places: LocationMap
) -> None:
    """Adds the steps of a finding's chain as related locations.

    Locations that are already present are skipped.
    """
    known = {location, *(each.location for each in related)}
    for step in finding.chain:
        there = places.step_location(step)
        if there is not None and there not in known:
            known.add(there)
            related.append(RelatedLocation(there, step.message))


def _create_problem_diagnostic(
    problem: Problem, preprocessed: Preprocessed, root: Preprocessed
) -> Diagnostic:
    """Converts a preprocessor problem to a diagnostic.

    `preprocessed` is `root` or a document that `root` includes.
    """
    location = Location(problem.document, problem.start, problem.end)
    severity = Severity(problem.severity)
    fold = find_group(problem.code, severity, problem.message, problem.name)
    related = tuple(_earlier_definition(problem, preprocessed, root)) if problem.code == _REDEFINED else ()
    return Diagnostic(problem.code, severity, problem.message, location, related, group=fold)


def _earlier_definition(
    problem: Problem, preprocessed: Preprocessed, root: Preprocessed
) -> Iterator[RelatedLocation]:
    """Yields the earlier definition of a macro that a directive redefines."""
    document, source_map = preprocessed.document, preprocessed.source_map
    if problem.document != document.name:
        return
    name = document.text.data[problem.start : problem.end]
    macro = source_map.history.replaced_before(name, source_map.moves.original(problem.start))
    span = None if macro is None else root.definition(macro)
    if span is not None:
        text = name.decode("utf-8", "replace")
        yield RelatedLocation(
            Location(span.document, span.start, span.end), f"`{text}` was defined here before"
        )
