"""`half` as more than a storage type, without cl_khr_fp16 (OpenCL C 6.3.1.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.expressions import HalfStorage, HalfUse
from openclsp.semantics.types.type_model import spell

CODE = "half-storage"
_INSTEAD = {HalfUse.READ: "; `vload_half` reads it", HalfUse.WRITE: "; `vstore_half` writes it"}


def _check(fact: HalfStorage, dialect: Dialect) -> Iterator[Finding]:
    what = fact.use.value
    if fact.entity is not None and fact.entity.name and fact.use is not HalfUse.RESULT:
        what = f"`{spell(fact.entity.type, fact.entity.name)}`, {what},"
    related: tuple[RelatedDeclaration, ...] = ()
    if fact.value is not None and fact.value.origin is not None and fact.value.name:
        related = (RelatedDeclaration(fact.value.origin, f"`{fact.value.name}` is declared here"),)
    if dialect.half:
        why = "needs `#pragma OPENCL EXTENSION cl_khr_fp16 : enable` before it"
    else:
        why = "needs the extension cl_khr_fp16, which is disabled"
    instead = _INSTEAD.get(fact.use, "")
    yield Finding(CODE, Severity.ERROR, f"{what} {why}{instead}", fact.place, related, tuple(_fixes(dialect)))


def _fixes(dialect: Dialect) -> Iterator[Fix]:
    if dialect.half:
        pragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        yield Fix("Enable cl_khr_fp16 before this", (ReplaceTokens(Place(0, 0), pragma),), preferred=True)


RULES = (Rule(CODE, HalfStorage, _check, invalidates=True),)
