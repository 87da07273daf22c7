"""The diagnostics of a unit, mapped to their places in the source text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from openclsp.ide import diagnostic_limit
from openclsp.ide.answers import Diagnostic, Location, RelatedLocation
from openclsp.ide.folding import INCLUDE, OF_UNKNOWN_NAMES, fold_of, folded
from openclsp.ide.found_in_both import found_in_both
from openclsp.ide.ignoring import UNUSED_IGNORE, without_ignored
from openclsp.ide.pasted_names import is_invocation, unknown_piece
from openclsp.ide.places import Places
from openclsp.ide.severities import as_severe_as_asked
from openclsp.ide.templating import certain_in_directives, certain_in_item
from openclsp.ide.unmet_features import unmet_features
from openclsp.ide.unsupported import another_language
from openclsp.rules import analysis_limit, unknown_name
from openclsp.rules.explaining import explained
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.standing import standing_of
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.guesses import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Preprocessed, Problem
from openclsp.workspace.project_file import ProjectFile

_REDEFINED = "macro-redefined"
_SHOWN = 40
"""The maximum length in bytes of the range that marks unanalysed text"""


def diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """Computes the diagnostics to be published for a unit, at most the limit for each document.

    See `unlimited_diagnostics`.
    """
    by_document: dict[str, list[Diagnostic]] = {}
    for each in unlimited_diagnostics(unit, header_bodies=header_bodies):
        by_document.setdefault(each.location.document, []).append(each)
    severity = diagnostic_limit.notice_severity(unit.unit.project)

    def notice(found: Diagnostic, message: str) -> Diagnostic | None:
        if severity is None:
            return None
        return Diagnostic(diagnostic_limit.CODE, severity, message, found.location)

    return tuple(
        each for found in by_document.values() for each in diagnostic_limit.limited(found, _severity, notice)
    )


def _severity(found: Diagnostic) -> Severity:
    return found.severity


def unlimited_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """Computes the diagnostics of a unit that ignore comments and the project's settings leave.

    They are sorted by document (the root document first) and place. Ignore comments and the project's
    settings are applied, and repeated hints are folded. Function bodies in headers are checked only with
    `header_bodies`.
    """
    project, root = unit.unit.project, unit.document.name
    told = without_ignored(unit, all_diagnostics(unit, header_bodies=header_bodies))
    if unit.unit.other_dialects:
        told = _in_every_version(unit, tuple(told), header_bodies)
    here = (
        each
        for each in told
        if not _is_excluded(project, each.location.document, root) and not is_elsewhere(unit, each)
    )
    return tuple(folded(_in_order(as_severe_as_asked(project, here), root)))


def all_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """Computes all diagnostics of a unit, before ignore comments, settings and folding are applied."""
    foreign = another_language(unit)
    if foreign is not None:
        return foreign.diagnostics
    return _placed(unit, explained(unit, header_bodies=header_bodies))


def _placed(
    unit: TranslationUnit, found_in_items: Mapping[ItemKey, Sequence[Finding]]
) -> tuple[Diagnostic, ...]:
    """Places these findings of items and the diagnostics outside of items, without duplicates, sorted."""
    places = Places(unit)
    found = [*beside_items(unit)]
    # groups whose text depends on a guessed condition: their findings may be wrong and are dropped
    torn = frozenset(group for fragment in unit.fragments() for group in doubtful_groups(fragment))
    for key, findings in found_in_items.items():
        if torn and unit.by_key[key].group in torn:
            continue
        item = unit.by_key[key]
        found += certain_in_item(item, (diagnostic_of(key, each, places) for each in findings))
    unique = {(each.location, each.code, each.message): each for each in found}
    return _in_order(unique.values(), unit.document.name)


def _in_every_version(
    unit: TranslationUnit, told: Sequence[Diagnostic], header_bodies: bool
) -> Iterator[Diagnostic]:
    """Selects the diagnostics that every possible version of a unit has, if its language version is unknown.

    Diagnostics about ignore comments are exempt: comments do not depend on the version.
    """
    found: Sequence[Diagnostic] = [each for each in told if each.code != UNUSED_IGNORE]
    for dialect in unit.unit.other_dialects:
        if not found:
            break
        other = unit.as_dialect(dialect)
        other.flow_waits = unit.flow_waits
        found = found_in_both(found, _comparable(unit, found, other, header_bodies))
    yield from found
    yield from (each for each in told if each.code == UNUSED_IGNORE)


def _comparable(
    unit: TranslationUnit, found: Sequence[Diagnostic], other: TranslationUnit, header_bodies: bool
) -> Sequence[Diagnostic]:
    """Computes the diagnostics of another version of a unit that may equal one of these.

    An item that is identical in both versions and has none of these diagnostics is not checked. If both
    versions have generic pointers, flow findings may be equal as well; they need all items, so everything is
    checked.
    """
    if unit.dialect.generic and other.dialect.generic:
        return all_diagnostics(other, header_bodies=header_bodies)
    foreign = another_language(other)
    if foreign is not None:
        return foreign.diagnostics
    items = unit.by_key
    wanted: set[ItemKey] = {each.identity[0] for each in found if isinstance(each.identity, tuple)}
    for key, item in other.by_key.items():
        known = items.get(key)
        if known is None or known.digest != item.digest:
            wanted.add(key)
    return _placed(other, standing_of(other, wanted, header_bodies=header_bodies))


def beside_items(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields the diagnostics that belong to no item.

    These are missing device features, exceeded limits and preprocessor problems.
    """
    yield from unmet_features(unit)
    yield from _beyond_bounds(unit)
    root = unit.preprocessed
    problems = (_problem(problem, each, root) for each in root.units() for problem in each.problems)
    yield from certain_in_directives(unit.preprocessed, problems)


def _beyond_bounds(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields a warning for each part of a document that is not analysed.

    Such a part exceeds a limit of the analysis. The warning is at its first word.
    """
    for fragment in unit.fragments():
        for group in fragment.bounded:
            text = group.text
            start = group.start + len(text) - len(text.lstrip())
            end = start + 1
            while end < group.end and not text[end - group.start : end - group.start + 1].isspace():
                end += 1
            written = fragment.preprocessed.source_map.written(start, min(end, start + _SHOWN))
            location = Location(written.document, written.start, written.end)
            if group.bound is not None:
                yield Diagnostic(
                    analysis_limit.CODE, Severity.WARNING, analysis_limit.message(group.bound), location
                )


def _in_order(found: Iterable[Diagnostic], root: str) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda each: _sort_key(each, root)))


def is_elsewhere(unit: TranslationUnit, found: Diagnostic) -> bool:
    """Whether the unknown name of a diagnostic is probably defined outside of this unit.

    That is the case if another OpenCL file of the project defines it and the host concatenates the files, or
    if the host defines it as a macro in a way that could not be analysed. A missing header that the host
    names is one that the host generates.
    """
    if found.fold is None or (found.code != INCLUDE and found.code not in OF_UNKNOWN_NAMES):
        return False
    name, origins = found.fold.name, unit.unit.origins
    return name in origins.elsewhere or any(name == given for given, _ in origins.perhaps)


def _is_excluded(project: ProjectFile | None, document: str, root: str) -> bool:
    """Whether the project excludes this header. The caller has already checked the root document."""
    return project is not None and document != root and project.excludes(document)


def _sort_key(diagnostic: Diagnostic, root: str) -> tuple[object, ...]:
    location = diagnostic.location
    code, message = diagnostic.code, diagnostic.message
    return location.document != root, location.document, location.start, location.end, code, message


def diagnostic_of(key: ItemKey, finding: Finding, places: Places) -> Diagnostic:
    """Converts a finding of an item to a diagnostic."""
    location, expansions = places.written(key, finding.place)
    related = list(expansions)
    for each in finding.related:
        there = places.origin_location(each.origin)
        if there is not None and there != location:
            related.append(RelatedLocation(there, each.message))
    if finding.chain:
        _add_chain(finding, location, related, places)
    code, severity, message, name = finding.code, finding.severity, finding.message, finding.name
    if name and expansions:
        piece = unknown_piece(name, location, expansions, places.unit)
        if piece:
            name, message = piece, unknown_name.message((f"`{piece}`",))
    through = expansions if expansions and is_invocation(location, expansions[0], places.unit) else ()
    fold = fold_of(code, severity, message, name, through)
    return Diagnostic(code, severity, message, location, tuple(related), (key, finding), fold)


def _add_chain(finding: Finding, location: Location, related: list[RelatedLocation], places: Places) -> None:
    """Adds the steps of a finding's chain as related locations.

    Locations that are already present are skipped.
    """
    known = {location, *(each.location for each in related)}
    for step in finding.chain:
        there = places.step_location(step)
        if there is not None and there not in known:
            known.add(there)
            related.append(RelatedLocation(there, step.message))


def _problem(problem: Problem, preprocessed: Preprocessed, root: Preprocessed) -> Diagnostic:
    """Converts a preprocessor problem to a diagnostic. `preprocessed` is `root` or included by it."""
    location = Location(problem.document, problem.start, problem.end)
    severity = Severity(problem.severity)
    fold = fold_of(problem.code, severity, problem.message, problem.name)
    related = tuple(_earlier_definition(problem, preprocessed, root)) if problem.code == _REDEFINED else ()
    return Diagnostic(problem.code, severity, problem.message, location, related, fold=fold)


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
        shown = name.decode("utf-8", "replace")
        yield RelatedLocation(
            Location(span.document, span.start, span.end), f"`{shown}` was defined here before"
        )
