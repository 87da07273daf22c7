"""A syntax error: the parser found an unexpected token, or did not find an expected one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import SyntaxFault, SyntaxReason

CODE = "syntax-error"

_WORDS = {
    "identifier": "a name",
    "type_identifier": "a name",
    "field_identifier": "a member's name",
    "primitive_type": "a type",
    "expression": "an expression",
}
_INSERTABLE: Final = frozenset((";", ",", ")", "]", ":"))
"""Missing tokens that a fix can insert after the token before them. A `}` may be missing in any later line."""
_REASONS: Final = {
    SyntaxReason.CONDITION: "a condition cannot declare a variable: declare it before the statement",
    SyntaxReason.TYPE: "the type `{}` is not a value",
    SyntaxReason.DECLARATION: "a declaration cannot follow `{}`: put it into a block",
    SyntaxReason.COMMA: "a parameter is missing after `{}`",
    SyntaxReason.FUNCTION: "the function `{}` is defined in another function",
}


def _check(fact: SyntaxFault, dialect: Dialect) -> Iterator[Finding]:
    if fact.reason is not SyntaxReason.NONE:
        message = _REASONS[fact.reason].format(fact.found)
    elif fact.closing is None:
        message = f"`{fact.found}` has no opening counterpart"
    elif fact.closing:
        message = f"`{fact.found}` is not closed: `{fact.closing}` is missing"
    elif fact.expected:
        message = f"{_WORDS.get(fact.expected, f'`{fact.expected}`')} is missing after `{fact.found}`"
    elif fact.found:
        message = f"`{fact.found}` is not expected here"
    else:
        message = "the text ends unexpectedly here"
    severity = Severity.WARNING if fact.tolerated else Severity.ERROR
    yield Finding(CODE, severity, message, fact.place, fixes=tuple(_fixes(fact)))


def _fixes(fact: SyntaxFault) -> Iterator[Fix]:
    if fact.expected in _INSERTABLE and fact.found:
        # In `x = a b;`, an operator can be missing instead. After a block and in a parameter list, it cannot.
        is_certain = fact.expected == "," or (fact.expected, fact.found) == (";", "}")
        insertion = ReplaceTokens(fact.place, fact.found + fact.expected)
        yield Fix(f"Insert `{fact.expected}`", (insertion,), preferred=is_certain)


RULES = (Rule(CODE, SyntaxFault, _check),)
