"""The diagnostics of a unit as the analysis finds them: before settings, ignore comments and folding.

They are created item by item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from openclsp.ide.diagnostics.body_parts import is_body_part
from openclsp.ide.diagnostics.diagnostic_folding import find_group
from openclsp.ide.diagnostics.pasted_names import find_unknown_part, is_macro_invocation
from openclsp.ide.diagnostics.settings_filter import may_be_defined_elsewhere
from openclsp.ide.diagnostics.template_filter import filter_directive_diagnostics, holds_for_every_expansion
from openclsp.ide.diagnostics.unmet_features import create_unmet_feature_errors
from openclsp.ide.diagnostics.unsupported_languages import detect_unsupported_language
from openclsp.ide.feature_results import Diagnostic, ItemFinding, Location, RelatedLocation
from openclsp.ide.location_map import ItemAnchor, LocationMap
from openclsp.rules.book import analysis_limit, unknown_name
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.runner.flow_explanations import explain_findings
from openclsp.rules.runner.page import Trait
from openclsp.rules.runner.rule_registry import traits_of_rule
from openclsp.rules.runner.unit_findings import update_findings_of_items
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.guessed_conditions import damaged_groups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Preprocessed, Problem

_UNKNOWN_DIRECTIVE = "unknown-directive"
_REDEFINED = "macro-redefined"
_MAXIMUM_MARKED_BYTES = 40
"""The maximum length in bytes of the range that marks unanalysed text"""


class UnitDiagnostics:
    """The diagnostics of one state of a unit. They are unsorted, and several items may have the same one.

    - `findings`: the findings of all items that have any
    - `outside_items`: the diagnostics that belong to no item
    """

    def __init__(
        self,
        unit: TranslationUnit,
        findings: Mapping[ItemKey, Sequence[Finding]],
        outside_items: Sequence[Diagnostic],
    ) -> None:
        self.findings, self.outside_items = findings, outside_items
        self._unit, self._places = unit, LocationMap(unit)
        self._is_template = any(each.code.template is not None for each in unit.preprocessed.with_included())
        self._is_body_part = is_body_part(unit)

    def create(self, key: ItemKey, finding: Finding) -> Diagnostic | None:
        """Creates the diagnostic of an item's finding.

        None if the finding may be wrong in another expansion of a template, or in the function whose body
        contains the unit's text.
        """
        self._places.consulted_items.clear()
        found = _create_diagnostic(key, finding, self._places)
        if self._is_body_part and Trait.PROGRAM_SCOPE in traits_of_rule(found.code):
            return None
        if self._is_template and not holds_for_every_expansion(self._unit.by_key[key], found):
            return None
        return found

    @property
    def depend_on_items_only(self) -> bool:
        """Whether `create` depends on the text of items and headers, and on nothing else of the unit."""
        return not self._is_body_part and self._unit.preprocessed.code.template is None

    @property
    def consulted_items(self) -> tuple[ItemAnchor, ...]:
        """The items that contain the locations of the diagnostic that was created last."""
        return tuple(self._places.consulted_items)

    def everything(self) -> Iterator[Diagnostic]:
        """Yields all diagnostics."""
        yield from self.outside_items
        for key, findings in self.findings.items():
            for finding in findings:
                found = self.create(key, finding)
                if found is not None:
                    yield found


def create_unit_diagnostics(
    unit: TranslationUnit,
    *,
    header_bodies: bool = False,
    allow_stale_flow: bool = False,
    keys: AbstractSet[ItemKey] | None = None,
) -> UnitDiagnostics:
    """Checks a unit and returns its diagnostics. If the unit is in another language, one of them says so.

    Function bodies in headers are checked only with `header_bodies`. With `allow_stale_flow`, diagnostics
    from the flow analysis may be those of an earlier text. With `keys`, only these items are checked.
    """
    foreign = detect_unsupported_language(unit)
    if foreign is not None:
        return UnitDiagnostics(unit, {}, foreign.diagnostics)
    findings = (
        explain_findings(unit, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow)
        if keys is None
        else update_findings_of_items(
            unit, keys, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow
        )
    )
    return UnitDiagnostics(
        unit, _select_certain_findings(unit, findings), tuple(_diagnostics_outside_items(unit))
    )


def _select_certain_findings(
    unit: TranslationUnit, found: Mapping[ItemKey, Sequence[Finding]]
) -> Mapping[ItemKey, Sequence[Finding]]:
    """Removes the findings of items whose syntax may depend on an `#if` with an undefined name.

    Such an `#if` may have another result in another build. `damaged_groups` selects the items.
    """
    # Not the groups themselves: inclusions of a header with one result share `preprocessed`, but only the first of
    # them is in `unit.parts()`.
    uncertain = {(part.preprocessed, group.start) for part in unit.parts() for group in damaged_groups(part)}
    if not uncertain:
        return found
    groups = {key: unit.by_key[key].group for key in found}
    return {
        key: each
        for key, each in found.items()
        if (groups[key].part.preprocessed, groups[key].start) not in uncertain
    }


def _create_diagnostic(key: ItemKey, finding: Finding, places: LocationMap) -> Diagnostic:
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
    return Diagnostic(code, severity, message, location, tuple(related), ItemFinding(key, finding), fold)


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


def _diagnostics_outside_items(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields the diagnostics that belong to no item.

    These are missing device features, exceeded limits and preprocessor problems.
    """
    yield from create_unmet_feature_errors(unit)
    yield from _limit_diagnostics(unit)
    root = unit.preprocessed
    problems = (
        _create_problem_diagnostic(problem, each, root)
        for each in root.with_included()
        for problem in each.problems
        if problem.code != _UNKNOWN_DIRECTIVE or not may_be_defined_elsewhere(unit, problem.name)
    )
    yield from filter_directive_diagnostics(unit.preprocessed, problems)


def _limit_diagnostics(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields a warning for each part of a document that is not analysed, because it exceeds a limit.

    The warning is at the first word of the part.
    """
    for part in unit.parts():
        for group in part.over_limit:
            text = group.text
            start = group.start + len(text) - len(text.lstrip())
            end = start + 1
            while end < group.end and not text[end - group.start : end - group.start + 1].isspace():
                end += 1
            written = part.preprocessed.source_map.written(start, min(end, start + _MAXIMUM_MARKED_BYTES))
            location = Location(written.document, written.start, written.end)
            if group.bound is not None:
                yield Diagnostic(
                    analysis_limit.CODE, Severity.WARNING, analysis_limit.message(group.bound), location
                )


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
