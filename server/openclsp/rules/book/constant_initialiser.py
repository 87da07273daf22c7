"""Variables in constant memory without a constant initialiser (OpenCL C 6.7.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import AddQualifier, Finding, Fix, RemoveSpace, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    AUTOMATIC_STORAGE_CLASSES,
    fixable_origin,
    has_explicit_space,
    opaque_category,
    qualifier_place,
    related_typedef,
    suggest_zero_initialiser,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind, Place
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_structure import is_unknown

CODE = "constant-initialiser"


def check_missing(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable in constant memory that has no initialiser."""
    if fact.initialiser is None and fact.storage != "extern" and _needs_constant(fact, dialect):
        name = fact.entity.name
        message = f"variable `{name}` in constant memory must be initialised: nothing can write to it later"
        yield _finding(fact, message, qualifier_place(fact.entity, 0), dialect)


def check_constancy(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an initialiser that is certainly not a compile-time constant."""
    initialiser = fact.initialiser
    if initialiser is None or initialiser.constancy is not Constancy.NOT_CONSTANT:
        return
    if _needs_constant(fact, dialect):
        name = fact.entity.name
        message = f"variable `{name}` in constant memory must be initialised with a compile-time constant"
        yield _finding(fact, message, initialiser.place, dialect)


def _needs_constant(fact: Declaration, dialect: Dialect) -> bool:
    """Whether this is a variable in constant memory about which no other rule reports an error."""
    entity = fact.entity
    if entity.kind is not EntityKind.VARIABLE or not entity.name:
        return False
    if entity.levels[0].space is not Space.CONSTANT:
        return False
    if not _is_well_placed(fact, dialect) or is_unknown(entity.type):
        return False
    category = opaque_category(entity.type)
    return category not in ("event", "image", "pipe") and (
        category != "sampler" or has_explicit_space(entity.levels[0])
    )


def _finding(fact: Declaration, message: str, place: Place, dialect: Dialect) -> Finding:
    related = related_typedef(fact.entity, 0)
    return Finding(CODE, Severity.ERROR, message, place, related, tuple(_fixes(fact, dialect)))


def _is_well_placed(fact: Declaration, dialect: Dialect) -> bool:
    """Whether a constant variable is allowed in this scope; if not, other rules report it."""
    if fact.scope in (Scope.PROGRAM, Scope.KERNEL, Scope.BLOCK) and fact.storage in AUTOMATIC_STORAGE_CLASSES:
        return True
    if fact.scope is Scope.PROGRAM:
        return dialect.version >= 120
    in_function = fact.scope in (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)
    return in_function and fact.storage == "static" and dialect.version >= 200


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    own = fixable_origin(fact.entity, 0)
    name = fact.entity.name
    if fact.scope is Scope.KERNEL and fact.storage in AUTOMATIC_STORAGE_CLASSES:
        if fact.initialiser is None:
            yield Fix(f"Make `{name}` private", (RemoveSpace(own),))
            yield Fix(f"Put `{name}` into local memory", (SetSpace(own, Space.LOCAL),))
        else:
            yield Fix(f"Make `{name}` private and const", (RemoveSpace(own), AddQualifier(own, "const")))
    elif fact.initialiser is None and dialect.program_scope_globals:
        yield Fix(f"Put `{name}` into global memory", (SetSpace(own, Space.GLOBAL),))
    if fact.initialiser is None:
        for change in suggest_zero_initialiser(fact.entity):
            yield Fix(f"Initialise `{name}` with 0, as C does", (change,))


_READS = (
    "entity.kind",
    "entity.levels[].reason",
    "entity.levels[].space",
    "entity.name?",
    "entity.type",
    "initialiser?.constancy",
    "scope",
    "storage",
)
RULES = (
    Rule(CODE, Declaration, check_missing, _READS, invalidates=True),
    Rule(CODE, Declaration, check_constancy, _READS),
)
