"""How severe a diagnostic is for this project: `openclsp.toml` may say otherwise than its rule. Acts on answers only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from openclsp.ide.answers import Diagnostic
from openclsp.rules.book import CODES, is_off
from openclsp.rules.finding import Severity
from openclsp.workspace.project_file import ProjectFile
from openclsp.workspace.schema import nearest

OFF = "off"


def severity_of(project: ProjectFile | None, code: str, severity: Severity) -> Severity | None:
    """The severity that holds for diagnostics of that code, which its rule calls `severity`; None: leave them out. What is off
    by default is switched on by any severity that the project gives."""
    for setting in () if project is None else project.severities:
        if setting.code == code:
            return None if setting.severity == OFF else Severity(setting.severity)
    # no error is off by default: the rule's page, which says what is, is not read for one
    return None if severity is not Severity.ERROR and is_off(code, severity.value) else severity


def as_severe_as_asked(project: ProjectFile | None, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics with the severities that hold, without those that are off."""
    for each in found:
        severity = severity_of(project, each.code, each.severity)
        if severity is each.severity:
            yield each
        elif severity is not None:
            yield replace(each, severity=severity)


def project_problems(project: ProjectFile | None) -> tuple[str, ...]:
    """What is wrong in the project's file, a line each; codes that no rule has are among it."""
    if project is None:
        return ()
    unknown = (
        f"{project.path}:{setting.line}: there is no rule '{setting.code}'{nearest(setting.code, CODES)}"
        for setting in project.severities
        if setting.code not in CODES
    )
    return (*project.problems, *unknown)
