"""An operator, cast or condition on an opaque value, which only built-in functions take (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Application
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import BlockPointer, Opaque, Type, Void, spell
from openclsp.semantics.types.type_structure import decayed, is_unknown

CODE = "opaque-operator"

_HANDLES = ("image", "sampler", "pipe")
"""Categories to which no operator applies, not even `,` or `&`."""
_COPIED = ("event", "clk_event", "queue", "reserve_id", "ndrange", "motion_estimation")
_COPYING = (",", "=")
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_COMPARED = ("clk_event", "queue")
_CONDITIONS = ("if", "while", "for", "do", "switch", "?")


def check(fact: Application, dialect: Dialect) -> Iterator[Finding]:
    """Reports operators applied to opaque values; atomic types and blocks have rules of their own."""
    values = [value for value in fact.operands if _is_handled(value.type)]
    if any(is_unknown(value.type) or isinstance(value.type, BlockPointer) for value in fact.operands):
        return
    if fact.operator == "cast":
        yield from _cast(fact)
    elif values and not _allowed(fact, values):
        what = _what(values[0])
        if fact.operator in _CONDITIONS:
            message = f"{what} cannot be a condition"
        elif fact.operator == "?:":
            one, other = (f"`{spell(decayed(value.type))}`" for value in fact.operands)
            message = f"`?:` cannot have the operands {one} and {other}: opaque types do not convert"
        elif fact.operator == "[]":
            message = f"{what} cannot be an index"
        elif fact.operator == "vector":
            message = f"{what} cannot be a component of a vector"
        elif fact.operator == "{}":
            message = f"{what} is opaque and cannot have an initialiser in braces"
        else:
            message = f"operator `{fact.operator}` cannot be applied to {what}, which is opaque"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


def _is_handled(type_: Type) -> bool:
    return isinstance(type_, Opaque) and type_.category in (*_HANDLES, *_COPIED)


def _what(value: Value) -> str:
    return f"`{spell(decayed(value.type), value.name)}`"


def _category(type_: Type) -> str:
    return type_.category if isinstance(type_, Opaque) else ""


def _allowed(fact: Application, values: list[Value]) -> bool:
    categories = {_category(value.type) for value in fact.operands}
    first = _category(values[0].type)
    if fact.operator == "?:":
        return len({decayed(value.type) for value in fact.operands}) == 1
    if fact.operator in _COPYING or (fact.operator == "&" and len(fact.operands) == 1):
        # an assignment to an opaque object is reported by opaque-write, to another type as a conversion
        return fact.operator == "=" or not categories & set(_HANDLES)
    if fact.operator in ("+=", "-=", "++", "--"):
        return first in _HANDLES and values[0] is fact.operands[0]
    if fact.operator in _COMPARISONS and first in _COMPARED:
        null = any(value.null for value in fact.operands)
        return categories == {first} or (null and first == "queue")
    return fact.operator == "{}" and first in ("ndrange", "motion_estimation")


def _cast(fact: Application) -> Iterator[Finding]:
    value, target = fact.operands[0], fact.target
    if target is None or isinstance(target, Void) or is_unknown(target):
        return
    to, source = _category(target), _category(value.type)
    if not _is_handled(target) and not _is_handled(value.type):
        return
    if to == "event" and value.null:
        return
    if to == source == "ndrange":
        return
    spelled = spell(decayed(target))
    what = _what(value) if source else f"`{spell(decayed(value.type))}`"
    message = f"{what} cannot be cast to `{spelled}`: opaque types cannot be cast, not even to themselves"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Application, check),)
