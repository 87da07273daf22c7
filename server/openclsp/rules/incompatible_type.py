"""Values that are no pointers and do not convert to what takes them (C99 6.5.16.1, 6.5.4; OpenCL C 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.pointers import refusal
from openclsp.rules.rule import Rule
from openclsp.semantics import compatibility
from openclsp.semantics.compatibility import Compatibility
from openclsp.semantics.facts.expressions import Context, Conversion
from openclsp.semantics.types import Enum, Record, Scalar, Type, Unknown, Vector, Void, decayed, spell

CODE = "incompatible-type"

_VALUES = (Scalar, Enum, Vector, Record, Void)


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Numbers convert to each other and to vectors; nothing else becomes another type by itself."""
    source, target = decayed(fact.value.type), decayed(fact.target)
    if isinstance(target, Void):
        if fact.context is Context.RETURN and not isinstance(source, Void | Unknown):
            yield _finding(fact, f"{_name(fact)} returns nothing, so nothing can follow `return`")
        return
    if not isinstance(source, _VALUES) or not isinstance(target, _VALUES):
        return
    reason = _reason(source, target, fact.context is Context.CAST)
    if reason is not None:
        yield _finding(fact, f"{refusal(fact)}: {reason}")


def _finding(fact: Conversion, message: str) -> Finding:
    return Finding(CODE, Severity.ERROR, message, fact.place)


def _name(fact: Conversion) -> str:
    return f"`{fact.target_name}`" if fact.target_name else "the function"


def _reason(source: Type, target: Type, cast: bool) -> str | None:
    if isinstance(source, Void):
        return "it is no value"
    if isinstance(source, Scalar | Enum) and isinstance(target, Scalar | Enum | Vector):
        return None
    if compatibility.types(source, target) is not Compatibility.DIFFERENT:
        return None
    if isinstance(source, Record) or isinstance(target, Record):
        return "a cast converts neither from nor to a struct or union" if cast else "they are different types"
    if isinstance(target, Vector):
        return f"a vector becomes another one only by a function as `convert_{spell(target)}`"
    return "a vector is not one number"


RULES = (Rule(CODE, Conversion, check),)
