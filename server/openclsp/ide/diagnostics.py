"""The diagnostics of a unit, each at the place that the person wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.ide.answers import Diagnostic, Location, RelatedLocation
from openclsp.ide.ignoring import without_ignored
from openclsp.ide.places import Places
from openclsp.ide.severities import as_severe_as_asked
from openclsp.ide.templating import certain_in_directives, certain_in_item
from openclsp.ide.unmet_features import unmet_features
from openclsp.ide.unsupported import another_language
from openclsp.rules import analysis_limit
from openclsp.rules.explaining import explained
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.guesses import doubtful_groups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.preprocessed import Problem
from openclsp.workspace.project_file import ProjectFile

_SHOWN = 40
"""How many bytes of what is not analysed are marked"""
_SAID_ONCE = frozenset(("unknown-name", "include-not-found"))
"""Hints that a document is told once for each name"""


def diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """The diagnostics to be told of a unit, sorted by document (the root document first) and place: those that no
    comment ignores and no setting of the project leaves out, as severe as the project asks.

    The bodies of functions in headers are looked at only with `header_bodies`.
    """
    project, root = unit.unit.project, unit.document.name
    told = without_ignored(unit, all_diagnostics(unit, header_bodies=header_bodies))
    here = (each for each in told if not _is_excluded(project, each.location.document, root))
    return _in_order(as_severe_as_asked(project, here), root)


def all_diagnostics(unit: TranslationUnit, *, header_bodies: bool = False) -> tuple[Diagnostic, ...]:
    """What the analysis and the rules find in a unit, whatever is told of it."""
    foreign = another_language(unit)
    if foreign is not None:
        return (foreign,)
    places = Places(unit)
    found = [*beside_items(unit)]
    torn = frozenset(group for fragment in unit.fragments() for group in doubtful_groups(fragment))
    for key, findings in explained(unit, header_bodies=header_bodies).items():
        if torn and unit.by_key[key].group in torn:
            continue
        item = unit.by_key[key]
        found += certain_in_item(item, (diagnostic_of(key, each, places) for each in findings))
    unique = {(each.location, each.code, each.message): each for each in found}
    return tuple(_once_each_name(_in_order(unique.values(), unit.document.name)))


def beside_items(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """What is found elsewhere than in items: what the device lacks, what lies beyond a bound, and what the preprocessor says."""
    yield from unmet_features(unit)
    yield from _beyond_bounds(unit)
    problems = (_problem(problem) for problem in unit.preprocessed.all_problems)
    yield from certain_in_directives(unit.preprocessed, problems)


def _beyond_bounds(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """That a part of a document is not analysed, at its first word."""
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


def _once_each_name(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Without the hints of a document that say again that the same name is unknown, or the same file not to be had: what
    the host supplies may be used everywhere."""
    told: set[tuple[str, str]] = set()
    for each in found:
        once = said_once(each)
        if once:
            name = each.location.document, once
            if name in told:
                continue
            told.add(name)
        yield each


def said_once(found: Diagnostic) -> str:
    """What a document is told but once, at the first place; empty for what is told at each of its places."""
    return found.message if found.code in _SAID_ONCE and found.severity is Severity.HINT else ""


def _in_order(found: Iterable[Diagnostic], root: str) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda each: _sort_key(each, root)))


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
    return Diagnostic(
        finding.code, finding.severity, finding.message, location, tuple(related), (key, finding)
    )


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
    return Diagnostic(problem.code, Severity(problem.severity), problem.message, location)
