"""Applies the severities that `openclsp.toml` configures.

These severities affect only the published diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

from openclsp.ide.feature_results import Diagnostic
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import Trait
from openclsp.rules.runner.rule_registry import CODES, is_off_by_default, traits_of_rule
from openclsp.workspace.project_file import ProjectConfiguration, ProjectFileFault
from openclsp.workspace.schema_validation import suggest_similar_name
from openclsp.workspace.units import UnitConfig

OFF = "off"
UNNECESSARY: Final = 1
DEPRECATED: Final = 2
_TAGS: Final = ((Trait.UNNECESSARY, UNNECESSARY), (Trait.DEPRECATED, DEPRECATED))


@cache
def tag_of_rule(code: str) -> int:
    """Returns the protocol's tag for the hints of a rule, which fade code or strike it out; 0 if it has none.

    Only clients that show tags show these hints by default.
    """
    return next((tag for trait, tag in _TAGS if trait in traits_of_rule(code)), 0)


def effective_severity(
    project: ProjectConfiguration | None, code: str, severity: Severity
) -> Severity | None:
    """Returns the effective severity of a diagnostic; None if it is off.

    `severity` is the severity that the rule chose. A severity that the project configures replaces it, and
    enables a diagnostic that is off by default.
    """
    for setting in () if project is None else project.severities:
        if setting.code == code:
            return None if setting.severity == OFF else Severity(setting.severity)
    return None if is_off_by_default(code, severity.value) else severity


def apply_severity(config: UnitConfig, found: Diagnostic, *, tagged: bool = False) -> Diagnostic | None:
    """Applies the configured severity to a diagnostic; None if it is off.

    With `tagged`, the hints of rules with a tag are on unless the project sets another severity.
    """
    project = config.project
    if not config.general_errors and Trait.C_ERROR in traits_of_rule(found.code):
        return None
    if tag_of_rule(found.code) and not _is_configured(project, found.code):
        return found if tagged else None
    severity = effective_severity(project, found.code, found.severity)
    if severity is None or severity is found.severity:
        return None if severity is None else found
    return replace(found, severity=severity)


def _is_configured(project: ProjectConfiguration | None, code: str) -> bool:
    return project is not None and any(each.code == code for each in project.severities)


def find_unknown_codes(project: ProjectConfiguration) -> Iterator[ProjectFileFault]:
    """Yields a fault for each entry in `[severity]` whose code belongs to no rule."""
    for setting in project.severities:
        if setting.code not in CODES:
            message = f"there is no rule '{setting.code}'{suggest_similar_name(setting.code, CODES)}"
            yield ProjectFileFault(setting.line, message, ("severity", setting.code))


def list_project_problems(project: ProjectConfiguration | None) -> tuple[str, ...]:
    """Lists the problems of the project file, one line each, including unknown rule codes."""
    if project is None:
        return ()
    unknown = (f"{project.path}:{each.line}: {each.message}" for each in find_unknown_codes(project))
    return (*project.problems, *unknown)
