"""A structure or union with pointer members as a kernel parameter (OpenCL C 6.11.a; 6.11.p of 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Related, Severity
from openclsp.rules.kernel_argument_space import ALLOWED
from openclsp.rules.qualifiers import newer_dialects, without_arrays
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Origin
from openclsp.semantics.facts.declarations import KernelRecord
from openclsp.semantics.types import Pointer, Record, Type, spell

CODE = "kernel-struct-with-pointers"


def check(fact: KernelRecord, dialect: Dialect) -> Iterator[Finding]:
    """Reports any pointer up to 1.2, and from 2.0 on a private or generic pointer."""
    for path, type_, ref in fact.members:
        pointer = without_arrays(type_)
        if not isinstance(pointer, Pointer):
            continue
        space = _unfit_space(pointer)
        if space is Space.UNKNOWN or (dialect.version > 120 and space is None):
            continue
        related = (Related(Origin(ref, 0), f"the member `{path}` is declared here"),)
        yield replace(_finding(fact, path, pointer, space, dialect), related=related)
        return


def _unfit_space(pointer: Type) -> Space | None:
    """Returns the first space along the pointers that the host cannot point into, or UNKNOWN for an unreadable one."""
    while isinstance(pointer, Pointer):
        pointer = without_arrays(pointer.pointee)
        if pointer.space is not None and pointer.space not in ALLOWED:
            return pointer.space
    return None


def _finding(fact: KernelRecord, path: str, pointer: Type, space: Space | None, dialect: Dialect) -> Finding:
    record = without_arrays(fact.parameter.type)
    keyword = record.keyword if isinstance(record, Record) else "struct"
    member = f"member `{spell(pointer.with_space(None), path)}`"
    subject = f"kernel parameter `{fact.parameter.name}` is a {keyword} with the pointer {member}"
    if dialect.version > 120 and space is not None:
        message = f"{subject}, which points into {space.word}: the host cannot pass such a pointer"
    else:
        message = f"{subject}, which {dialect.title} does not allow"
    return Finding(
        CODE,
        Severity.ERROR,
        message,
        fact.parameter.place,
        fixes=tuple(newer_dialects(dialect, lambda newer: space is None)) if dialect.version <= 120 else (),
    )


RULES = (Rule(CODE, KernelRecord, check),)
