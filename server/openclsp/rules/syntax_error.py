"""The text is not OpenCL C: the parser met something that the grammar does not allow, or missed something."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import SyntaxFault

CODE = "syntax-error"

_NAMES = {
    "identifier": "a name",
    "type_identifier": "a name",
    "field_identifier": "a member's name",
    "primitive_type": "a type",
}


def _check(fact: SyntaxFault, dialect: Dialect) -> Iterator[Finding]:
    if fact.expected:
        message = f"{_NAMES.get(fact.expected, f'`{fact.expected}`')} is missing after this"
    elif fact.found:
        message = f"`{fact.found}` is not expected here"
    else:
        message = "this is not OpenCL C"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, SyntaxFault, _check),)
