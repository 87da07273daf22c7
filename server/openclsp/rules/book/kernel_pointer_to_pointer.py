"""A kernel's parameter that is a pointer to a pointer (OpenCL C 6.11.a; allowed from 2.0 on)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.book.kernel_argument_space import misplaced_levels, pointees
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_mismatches import create_star_removal_fix
from openclsp.rules.shared.qualifiers import suggest_newer_versions
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.types.type_model import Pointer

CODE = "kernel-pointer-to-pointer"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a kernel parameter that is a pointer to a pointer, up to OpenCL C 1.2.

    Not reported if `kernel-argument-space` already reports one of the parameter's levels.
    """
    if not fact.kernel or dialect.version > 120:
        return
    for parameter in fact.parameters:
        nested = any(isinstance(type_, Pointer) for _, type_ in pointees(parameter))
        if nested and not any(misplaced_levels(parameter)):
            yield Finding(
                CODE,
                Severity.ERROR,
                f"kernel parameter `{parameter.name}` cannot be a pointer to a pointer in {dialect.title}",
                parameter.place,
                fixes=(
                    *([create_star_removal_fix(parameter.ref, parameter.name)] if parameter.name else ()),
                    *suggest_newer_versions(dialect, lambda newer: newer.version > 120),
                ),
            )


RULES = (Rule(CODE, FunctionDeclaration, check),)
