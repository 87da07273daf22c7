"""A kernel with a return type other than `void` (OpenCL C 6.11.j)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetType, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.types.type_model import Pointer, Void, spell
from openclsp.semantics.types.type_structure import is_unknown

CODE = "kernel-return-type"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a known return type other than `void`."""
    if fact.kernel and not isinstance(fact.result, Void) and not is_unknown(fact.result):
        returned = spell(fact.result.with_space(None))
        message = f"kernel `{fact.entity.name}` must return void, not `{returned}`"
        yield Finding(CODE, Severity.ERROR, message, fact.entity.place, fixes=tuple(_fixes(fact)))


def _fixes(fact: FunctionDeclaration) -> Iterator[Fix]:
    if not isinstance(fact.result, Pointer):
        title = f"Declare `{fact.entity.name}` as returning `void`"
        yield Fix(title, (SetType(fact.entity.ref, "void"),), preferred=True)


RULES = (Rule(CODE, FunctionDeclaration, check),)
