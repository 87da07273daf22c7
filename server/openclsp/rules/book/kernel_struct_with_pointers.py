"""A structure or union with pointer members as a kernel parameter (OpenCL C 6.11.a; 6.11.p of 1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.book.kernel_argument_space import ALLOWED
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import innermost_element, suggest_newer_versions
from openclsp.semantics.facts.declarations import KernelRecord
from openclsp.semantics.facts.entities import Origin
from openclsp.semantics.types.type_model import (
    Pointer,
    Record,
    Type,
    spell,
)

CODE = "kernel-struct-with-pointers"


def check(fact: KernelRecord, dialect: Dialect) -> Iterator[Finding]:
    """Reports the first pointer member of the structure or union.

    From OpenCL C 2.0 on, reports the first pointer member that the host cannot pass.
    """
    for path, type_, ref in fact.members:
        pointer = innermost_element(type_)
        if not isinstance(pointer, Pointer):
            continue
        space = _unfit_space(pointer)
        if space is Space.UNKNOWN or (dialect.version > 120 and space is None):
            continue
        related = (RelatedDeclaration(Origin(ref, 0), f"the member `{path}` is declared here"),)
        yield replace(_finding(fact, path, pointer, space, dialect), related=related)
        return


def _unfit_space(pointer: Type) -> Space | None:
    """Returns the space of the first pointee, at any level, that is not in global, local or constant memory.

    Returns `Space.UNKNOWN` if the space of this pointee is unknown, and None if there is no such pointee.
    """
    while isinstance(pointer, Pointer):
        pointer = innermost_element(pointer.pointee)
        if pointer.space is not None and pointer.space not in ALLOWED:
            return pointer.space
    return None


def _finding(fact: KernelRecord, path: str, pointer: Type, space: Space | None, dialect: Dialect) -> Finding:
    record = innermost_element(fact.parameter.type)
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
        fixes=tuple(suggest_newer_versions(dialect, lambda newer: space is None))
        if dialect.version <= 120
        else (),
    )


RULES = (Rule(CODE, KernelRecord, check),)
