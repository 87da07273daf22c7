"""A call of an overloaded built-in function that matches no overload (OpenCL C 6.15)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.types.type_model import Function, Pointer, Type, spell
from openclsp.semantics.types.type_structure import decayed
from openclsp.semantics.typing.newer_overloads import newer_overload
from openclsp.semantics.typing.overloads import near_misses

CODE = "no-matching-overload"
_LISTED = 4


def check(fact: UnresolvedCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call that matches no overload, whatever spaces its pointer arguments point into.

    Nothing is reported if the type of an argument is unknown.
    """
    if fact.viable or near_misses(fact.candidates, fact.arguments):
        return
    if newer_overload(fact, dialect) is not None:
        return  # unavailable-builtin reports it
    given = [decayed(argument.type) for argument in fact.arguments]
    counts = {len(candidate.parameters) for candidate in fact.candidates}
    if len(given) not in counts and not any(candidate.variadic for candidate in fact.candidates):
        takes = " or ".join(str(count) for count in sorted(counts))
        message = f"`{fact.name}` takes {takes} arguments, not {len(given)}"
    else:
        types = ", ".join(f"`{spell(type_)}`" for type_ in given)
        message = f"no overload of `{fact.name}` takes ({types}){_reason(fact, given)}"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


def _reason(fact: UnresolvedCall, given: list[Type]) -> str:
    """Returns the second half of the message: the reason why no overload matches.

    The reason names the spaces into which a wrong pointer argument must point. If there is no such argument,
    it lists the overloads that fit best.
    """
    candidates = [each for each in fact.candidates if len(each.parameters) == len(given)]
    for number, type_ in enumerate(given):
        if not isinstance(type_, Pointer) or type_.pointee.space is None:
            continue
        spaces = {
            parameter.pointee.space
            for each in candidates
            if isinstance(parameter := each.parameters[number], Pointer)
            and parameter.pointee.space is not None
        }
        if spaces and not any(encloses(space, type_.pointee.space) for space in spaces):
            return f": argument {number + 1} must point into {_words(spaces)}, not {type_.pointee.space.word}"
    nearest = sorted(candidates, key=lambda each: -_in_common(each, given))[:_LISTED]
    listed = "; ".join(f"`{spell(each, fact.name)}`" for each in nearest)
    return f"; its {len(fact.candidates)} overloads include {listed}"


def _words(spaces: set[Space]) -> str:
    *others, last = [space.word for space in sorted(spaces)]
    return f"{', '.join(others)} or {last}" if others else last


def _in_common(candidate: Function, given: list[Type]) -> int:
    """Returns the number of parameters with exactly the argument's type."""
    pairs = zip(candidate.parameters, given, strict=True)
    return sum(parameter.unqualified is type_.unqualified for parameter, type_ in pairs)


RULES = (Rule(CODE, UnresolvedCall, check),)
