"""A function called `main` (OpenCL C 6.11)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.declarations import FunctionDeclaration

CODE = "main-function"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a function or kernel called `main`."""
    if fact.entity.name == "main":
        what = "kernel" if fact.kernel else "function"
        yield Finding(CODE, Severity.ERROR, f"a {what} cannot be called `main`", fact.entity.place)


RULES = (Rule(CODE, FunctionDeclaration, check),)
