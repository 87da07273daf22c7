"""A function with a variable number of arguments (OpenCL C 6.11.e)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import FunctionDeclaration

CODE = "variadic-function"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Only `printf` has them, from 1.2 on; names of the implementation (`__…`) are its own matter, as in clang."""
    name = fact.entity.name
    if not fact.variadic or name.startswith("__") or (name == "printf" and dialect.version >= 120):
        return
    message = f"`{name}` cannot take a variable number of arguments: in OpenCL C only built-in functions do"
    yield Finding(CODE, Severity.ERROR, message, fact.entity.place)


RULES = (Rule(CODE, FunctionDeclaration, check),)
