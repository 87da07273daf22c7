"""Writes of less than 32 bits through pointers, which need an extension in OpenCL C 1.0 (OpenCL C 1.0 6.8.k)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, SetDialect, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.expressions import NarrowStore
from openclsp.semantics.types.type_model import spell

CODE = "byte-addressable-store"
_PRAGMA = "#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable\n"


def check(fact: NarrowStore, dialect: Dialect) -> Iterator[Finding]:
    """Reports a write of less than 32 bits through a pointer.

    There are `NarrowStore` facts only in OpenCL C 1.0: later versions need no extension for such writes.
    """
    name = f"`{fact.value.name}`" if fact.value.name else "a pointer"
    message = (
        f"writing `{spell(fact.value.type.unqualified)}` through {name} needs "
        "`#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable` in OpenCL C 1.0"
    )
    fixes = (
        Fix("Enable cl_khr_byte_addressable_store before this", (ReplaceTokens(Place(0, 0), _PRAGMA),)),
        Fix("Check this workspace as OpenCL C 1.1", (SetDialect("CL1.1"),)),
    )
    yield Finding(CODE, Severity.INFORMATION, message, fact.value.place, fixes=fixes)


RULES = (Rule(CODE, NarrowStore, check),)
