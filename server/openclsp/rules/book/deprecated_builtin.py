"""A call of a built-in function that OpenCL C deprecates."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.deprecated_functions import DEPRECATED_FUNCTIONS, is_deprecated
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import Call

CODE = "deprecated-builtin"


def _check(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    # the calls of the program's own functions are deferred
    if is_deprecated(fact.name, dialect) and fact.function is not None:
        message = (
            f"`{fact.name}` is deprecated since OpenCL C 2.0; `{DEPRECATED_FUNCTIONS[fact.name]}` replaces it"
        )
        yield Finding(CODE, Severity.HINT, message, fact.place)


RULES = (
    Rule(
        CODE,
        Call,
        _check,
        reads=(
            "function",
            "name",
        ),
    ),
)
