"""A value that cannot be assigned to, or whose address cannot be taken (C99 6.5.16, 6.5.2.4, 6.5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import NoLvalue
from openclsp.semantics.types.type_model import Array, Unknown, spell

CODE = "not-assignable"


def _check(fact: NoLvalue, dialect: Dialect) -> Iterator[Finding]:
    type_ = fact.value.type
    if fact.operator == "&":
        message = f"`&` needs an object: this value of type `{spell(type_.unqualified)}` has no address"
    elif fact.value.element:
        message = "components that are selected twice cannot be assigned to"
    elif isinstance(type_, Array):
        message = f"an array cannot be assigned to: `{spell(type_, fact.value.name)}`; assign its elements"
    elif isinstance(type_, Unknown):
        message = "only an object can be assigned to; this is the value of an operator"
    else:
        what = {"++": "incremented", "--": "decremented"}.get(fact.operator, "assigned to")
        message = f"only an object can be {what}; this is a value of type `{spell(type_.unqualified)}`"
    yield Finding(CODE, Severity.ERROR, message, fact.value.place)


RULES = (Rule(CODE, NoLvalue, _check),)
