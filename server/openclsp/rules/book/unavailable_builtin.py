"""A built-in function, type or constant of another language version, or of a feature that is switched off."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.availability import Availability, availability, extension_of
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetDialect, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.facts.constructs import UnavailableName
from openclsp.semantics.types.type_model import spell
from openclsp.semantics.types.type_structure import decayed
from openclsp.semantics.typing.newer_overloads import newer_overload
from openclsp.semantics.typing.overloads import near_misses

CODE = "unavailable-builtin"


def _check(fact: UnavailableName, dialect: Dialect) -> Iterator[Finding]:
    where = availability(fact.name, dialect)
    if where is None:
        return
    if where.needs:
        listed = " and ".join(f"`{each}`" for each in where.needs)
        why = f"requires {listed}, which {'is' if len(where.needs) == 1 else 'are'} switched off"
    elif where.since > dialect.version:
        why = f"exists from {_version(where.since)} on, and this is {dialect.title}"
    else:
        why = f"does not exist in {dialect.title}"
    message = f"the {fact.role.value} `{fact.name}` {why}"
    # a device may have the extension with an older version
    extension = "" if where.needs else extension_of(fact.name)
    if extension:
        message = f"the function `{fact.name}` {_brought_by(extension, where.since, dialect)}"
    severity = Severity.INFORMATION if extension else Severity.ERROR
    yield Finding(CODE, severity, message, fact.place, fixes=tuple(_fixes(where, dialect)))


def _check_overload(fact: UnresolvedCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call of an overload that a later version or an extension adds."""
    # overload-space reports a call in which only spaces are wrong
    if not fact.viable and near_misses(fact.candidates, fact.arguments):
        return
    newer = newer_overload(fact, dialect)
    if newer is None:
        return
    given = ", ".join(f"`{spell(decayed(argument.type))}`" for argument in fact.arguments)
    if newer.extension:
        why = _brought_by(newer.extension, newer.version, dialect)
    else:
        why = f"exists from {_version(newer.version)} on, and this is {dialect.title}"
    message = f"`{fact.name}` for ({given}) {why}"
    severity = Severity.INFORMATION if newer.extension else Severity.ERROR
    yield Finding(CODE, severity, message, fact.place, fixes=tuple(_versions((newer.version,), dialect)))


def _brought_by(extension: str, since: int, dialect: Dialect) -> str:
    if since > dialect.version:
        return f"requires `{extension}` and {_version(since)}, and this is {dialect.title}"
    return f"requires `{extension}`, which is switched off"


def _fixes(where: Availability, dialect: Dialect) -> Iterator[Fix]:
    return _versions(
        tuple(version for version in where.versions if version == where.since or version >= 200), dialect
    )


def _versions(versions: tuple[int, ...], dialect: Dialect) -> Iterator[Fix]:
    for version in versions:
        if version > dialect.version:
            title = _version(version)
            yield Fix(f"Check this workspace as {title}", (SetDialect(title.replace("OpenCL C ", "CL")),))


def _version(version: int) -> str:
    return f"OpenCL C {version // 100}.{version // 10 % 10}"


RULES = (Rule(CODE, UnavailableName, _check), Rule(CODE, UnresolvedCall, _check_overload))
