"""A call that matches several overloads equally well (OpenCL C 6.15; conversions are ranked as in C++17 16.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Function, Pointer, Scalar, Type, pointer_to, spell
from openclsp.semantics.types.type_structure import decayed
from openclsp.semantics.typing.newer_overloads import newer_overload
from openclsp.semantics.typing.overloads import is_mistyped, resolve

CODE = "ambiguous-call"
_LISTED = 3


def check(fact: UnresolvedCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call if all argument types are known and no viable overload is better than all others."""
    if not fact.viable or _is_harmless(fact) or newer_overload(fact, dialect) is not None:
        return
    types = ", ".join(f"`{spell(type_)}`" for type_ in _given(fact.arguments))
    nearest = sorted(fact.viable, key=lambda each: -_in_common(each, fact.arguments))[:_LISTED]
    listed = " and ".join(f"`{spell(each, fact.name)}`" for each in nearest)
    message = (
        f"the call of `{fact.name}` is ambiguous: the arguments ({types}) match several overloads equally well, "
        f"such as {listed}; cast an argument"
    )
    yield Finding(CODE, Severity.ERROR, message, fact.place, fixes=tuple(_fixes(fact)))


def _is_harmless(fact: UnresolvedCall) -> bool:
    """Whether the call is unambiguous for compilers that declare only generic overloads.

    Such compilers declare one overload with generic pointers instead of one for each named address space.
    """
    generic = {_without_spaces(each) for each in fact.candidates if _takes_generic(each)}
    left = tuple(
        each for each in fact.candidates if _takes_generic(each) or _without_spaces(each) not in generic
    )
    best = resolve(left, fact.arguments).best if generic and len(left) < len(fact.candidates) else None
    return best is not None and not is_mistyped(left[best], fact.arguments)


def _takes_generic(function: Function) -> bool:
    return any(
        isinstance(each, Pointer) and each.pointee.space is Space.GENERIC for each in function.parameters
    )


def _without_spaces(function: Function) -> tuple[Type, ...]:
    return tuple(
        pointer_to(each.pointee.with_space(None)) if isinstance(each, Pointer) else each
        for each in function.parameters
    )


def _fixes(fact: UnresolvedCall) -> Iterator[Fix]:
    """Yields the fix that converts the integer argument if all other arguments are floating-point."""
    given = _given(fact.arguments)
    for number, (argument, type_) in enumerate(zip(fact.arguments, given, strict=True)):
        others = given[:number] + given[number + 1 :]
        alone = all(isinstance(other, Scalar) and other.floating for other in others)
        place = argument.place
        if not isinstance(type_, Scalar) or type_.floating or not alone or place.last - place.first != 1:
            continue
        if argument.name:
            cast = ReplaceTokens(Place(place.first, place.first), "(float)")
            yield Fix(f"Cast `{argument.name}` to float", (cast,))
        elif argument.number is not None:
            text = f"{argument.number}.0f"
            yield Fix(f"Write `{text}`", (ReplaceTokens(place, text),), preferred=True)


def _given(arguments: tuple[Value, ...]) -> list[Type]:
    return [decayed(argument.type) for argument in arguments]


def _in_common(candidate: Function, arguments: tuple[Value, ...]) -> int:
    """Returns the number of parameters whose type is exactly that of the argument."""
    pairs = zip(candidate.parameters, _given(arguments), strict=False)
    return sum(parameter.unqualified is type_.unqualified for parameter, type_ in pairs)


RULES = (Rule(CODE, UnresolvedCall, check),)
