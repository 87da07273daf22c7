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
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.type_structure import is_unknown

CODE = "constant-initialiser"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an initialiser that is missing, or that is certainly not a compile-time constant."""
    entity = fact.entity
    if entity.kind is not EntityKind.VARIABLE or not entity.name:
        return
    if entity.levels[0].space is not Space.CONSTANT:
        return
    if not _is_well_placed(fact, dialect) or is_unknown(entity.type):
        return
    category = opaque_category(entity.type)
    if category in ("event", "image", "pipe") or (
        category == "sampler" and not has_explicit_space(entity.levels[0])
    ):
        return
    if fact.initialiser is None:
        if fact.storage == "extern":
            return
        message = (
            f"variable `{entity.name}` in constant memory must be initialised: nothing can write to it later"
        )
        place = qualifier_place(entity, 0)
    elif fact.initialiser.constancy is Constancy.NOT_CONSTANT:
        message = (
            f"variable `{entity.name}` in constant memory must be initialised with a compile-time constant"
        )
        place = fact.initialiser.place
    else:
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        message,
        place,
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


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


RULES = (Rule(CODE, Declaration, check),)
