"""The diagnostics of a unit, each at the place that the person wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.ide.answers import Diagnostic, Location, RelatedLocation
from openclsp.ide.folding import OF_UNKNOWN_NAMES, fold_of, folded
from openclsp.ide.ignoring import without_ignored
from openclsp.ide.pasted_names import is_invocation, unknown_piece
from openclsp.ide.places import Places
from openclsp.ide.severities import as_severe_as_asked
from openclsp.ide.templating import certain_in_directives, certain_in_item
from openclsp.ide.unmet_features import unmet_features
from openclsp.rules import unknown_name
from openclsp.rules.explaining import explained
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.guesses import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Problem
from openclsp.workspace.project_file import ProjectFile


def diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """The diagnostics to be told of a unit, sorted by document (the root document first) and place: those that no
    comment ignores and no setting of the project leaves out, as severe as the project asks, repeated hints as one.

    The bodies of functions in headers are looked at only with `header_bodies`.
    """
    project, root = unit.unit.project, unit.document.name
    told = without_ignored(unit, all_diagnostics(unit, header_bodies=header_bodies))
    here = (
        each
        for each in told
        if not _is_excluded(project, each.location.document, root) and not is_elsewhere(unit, each)
    )
    return tuple(folded(_in_order(as_severe_as_asked(project, here), root)))


def all_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """What the analysis and the rules find in a unit, at every place, whatever is told of it."""
    places = Places(unit)
    found = [*beside_items(unit)]
    torn = frozenset(group for fragment in unit.fragments() for group in doubtful_groups(fragment))
    for key, findings in explained(unit, header_bodies=header_bodies).items():
        if torn and unit.by_key[key].group in torn:
            continue
        item = unit.by_key[key]
        found += certain_in_item(item, (diagnostic_of(key, each, places) for each in findings))
    unique = {(each.location, each.code, each.message): each for each in found}
    return _in_order(unique.values(), unit.document.name)


def beside_items(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """What is found elsewhere than in items: what the device lacks, and what the preprocessor says."""
    yield from unmet_features(unit)
    problems = (_problem(problem) for problem in unit.preprocessed.all_problems)
    yield from certain_in_directives(unit.preprocessed, problems)


def _in_order(found: Iterable[Diagnostic], root: str) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda each: _sort_key(each, root)))


def is_elsewhere(unit: TranslationUnit, found: Diagnostic) -> bool:
    """Whether a name is unknown in this unit only: another OpenCL file of the project defines it, and the host puts the files
    together, or gives it as a macro in a way that could not be read."""
    if found.code not in OF_UNKNOWN_NAMES or found.fold is None:
        return False
    name, origins = found.fold.name, unit.unit.origins
    return name in origins.elsewhere or any(name == given for given, _ in origins.perhaps)


def _is_excluded(project: ProjectFile | None, document: str, root: str) -> bool:
    """Whether the project leaves this header out. Whether the root document is left out, the asker has decided."""
    return project is not None and document != root and project.excludes(document)


def _sort_key(diagnostic: Diagnostic, root: str) -> tuple[object, ...]:
    location = diagnostic.location
    code, message = diagnostic.code, diagnostic.message
    return location.document != root, location.document, location.start, location.end, code, message


def diagnostic_of(key: ItemKey, finding: Finding, places: Places) -> Diagnostic:
    """A finding of an item as a diagnostic."""
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
    """Adds the steps of a finding's chain that stand elsewhere than what is told anyway."""
    known = {location, *(each.location for each in related)}
    for step in finding.chain:
        there = places.step_location(step)
        if there is not None and there not in known:
            known.add(there)
            related.append(RelatedLocation(there, step.message))


def _problem(problem: Problem) -> Diagnostic:
    location = Location(problem.document, problem.start, problem.end)
    severity = Severity(problem.severity)
    fold = fold_of(problem.code, severity, problem.message, problem.name)
    return Diagnostic(problem.code, severity, problem.message, location, fold=fold)
