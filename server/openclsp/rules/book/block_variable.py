"""Block variables that are `extern` or not initialised, and the storage class `__block` (OpenCL C 6.14.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.types.type_model import BlockPointer

CODE = "block-variable"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a block variable that is `extern` or has no initialiser."""
    if fact.entity.kind is not EntityKind.VARIABLE or not isinstance(fact.entity.type, BlockPointer):
        return
    name = fact.entity.name
    if fact.storage == "extern" and fact.storage_place is not None:
        message = f"block variable `{name}` cannot be extern: the compiler must know its block"
        yield Finding(CODE, Severity.ERROR, message, fact.storage_place)
    elif fact.initialiser is None and fact.entity.type.space is Space.LOCAL:
        message = (
            f"block variable `{name}` is in local memory, where it cannot be initialised; clang accepts it"
        )
        yield Finding(CODE, Severity.WARNING, message, fact.entity.place)
    elif fact.initialiser is None:
        message = f"block variable `{name}` must be initialised: it is const, so no block can be assigned to it later"
        yield Finding(CODE, Severity.ERROR, message, fact.entity.place)


def of_construct(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `__block` on any variable."""
    if fact.kind is ConstructKind.BLOCK_STORAGE:
        message = "OpenCL C has no storage class `__block`: captured variables are constant"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.type",
            "initialiser?",
            "storage",
            "storage_place?",
        ),
    ),
    Rule(CODE, Construct, of_construct),
)
