"""A built-in function, type or constant of another language version, or of a feature that is switched off."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.availability import Availability, availability
from openclsp.language.builtin_functions import is_of_extension
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetDialect, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import UnavailableName

CODE = "unavailable-builtin"


def _check(fact: UnavailableName, dialect: Dialect) -> Iterator[Finding]:
    where = availability(fact.name, dialect)
    if where is None:
        return
    if where.needs:
        listed = " and ".join(f"`{each}`" for each in where.needs)
        why = f"needs {listed}, which {'is' if len(where.needs) == 1 else 'are'} switched off here"
    elif where.since > dialect.version:
        why = f"exists from {_version(where.since)} on, and this is {dialect.title}"
    else:
        why = f"does not exist in {dialect.title}"
    message = f"the {fact.role.value} `{fact.name}` {why}"
    # which extensions a device has beside which version is its own matter
    uncertain = is_of_extension(fact.name) and not where.needs
    severity = Severity.INFORMATION if uncertain else Severity.ERROR
    yield Finding(CODE, severity, message, fact.place, fixes=tuple(_fixes(where, dialect)))


def _fixes(where: Availability, dialect: Dialect) -> Iterator[Fix]:
    for version in where.versions:
        if version > dialect.version and (version == where.since or version >= 200):
            title = _version(version)
            yield Fix(f"Check this workspace as {title}", (SetDialect(title.replace("OpenCL C ", "CL")),))


def _version(version: int) -> str:
    return f"OpenCL C {version // 100}.{version // 10 % 10}"


RULES = (Rule(CODE, UnavailableName, _check),)
