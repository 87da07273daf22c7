"""A pointer argument into an address space for which the function has no overload (OpenCL C 6.15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, FixChange, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import (
    create_cast_fix,
    default_private_pointees,
    describe_private_default,
    pointee_space,
    related_source_declaration,
    suggest_space_change,
)
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Array, Function, Pointer, pointer_to, spell
from openclsp.semantics.types.type_structure import decayed
from openclsp.semantics.typing.overloads import NearMiss, near_misses

CODE = "overload-space"
_ORDER = (Space.GLOBAL, Space.LOCAL, Space.PRIVATE, Space.CONSTANT)
_HELD = "generic (global, local or private)"


def check(fact: UnresolvedCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports a call that would match an overload if its pointers pointed into other spaces."""
    near = () if fact.viable else near_misses(fact.candidates, fact.arguments)
    if not near:
        return
    numbers = sorted({number for miss in near for number in miss.wrong})
    wrong = [fact.arguments[number] for number in numbers]
    if len({miss.wrong for miss in near}) == 1 and _are_independent([miss.candidate for miss in near]):
        message = "; ".join(_independent_message(fact, near, number, dialect) for number in numbers)
        place = wrong[0].place
    else:
        message = _joint_message(fact, near)
        place = Place(wrong[0].place.first, wrong[-1].place.last)
    related = [
        note
        for argument in wrong
        if (space := pointee_space(argument.type)) is not None
        for note in related_source_declaration(argument, space)
    ]
    fixes = tuple(_fixes(fact, near))
    pointees = ((each.space_source(1)[0], pointee_space(each.type)) for each in wrong)
    yield Finding(
        CODE,
        Severity.ERROR,
        message,
        place,
        tuple(dict.fromkeys(related)),
        fixes,
        default_private_pointees(dialect, *pointees),
    )


def _independent_message(
    fact: UnresolvedCall, near: Sequence[NearMiss], number: int, dialect: Dialect
) -> str:
    """Returns the message for an argument whose space is wrong, whatever the spaces of the others are.

    `number` is the argument's index, from 0.
    """
    argument = fact.arguments[number]
    taken = {miss.spaces[miss.wrong.index(number)] for miss in near if number in miss.wrong}
    space = pointee_space(argument.type)
    assert space is not None
    origin, _ = argument.space_source(1)
    default = space is Space.PRIVATE and not dialect.generic and origin is not None and origin.level > 0
    return (
        f"{_called(argument)} is `{spell(decayed(argument.type))}`: argument {number + 1} of `{fact.name}` must point into "
        f"{_words(taken)}, not {space.word}" + (describe_private_default(dialect) if default else "")
    )


def _called(argument: Value) -> str:
    origin, name = argument.space_source(1)
    if origin is None or not name:
        return "this"
    return f"`&{name}`" if origin.level == 0 and not isinstance(argument.type, Array) else f"`{name}`"


def _joint_message(fact: UnresolvedCall, near: Sequence[NearMiss]) -> str:
    """Returns the message for pointer arguments whose allowed spaces depend on each other."""
    pointers = [
        number for number, each in enumerate(near[0].candidate.parameters) if isinstance(each, Pointer)
    ]
    given = ", ".join(f"`{spell(decayed(fact.arguments[number].type))}`" for number in pointers)
    listed = " and ".join(_combinations([miss.candidate for miss in near], pointers))
    return f"`{fact.name}` does not take ({given}): its overloads take pointers into {listed}"


def _word(space: Space | None) -> str:
    return Space.UNKNOWN.word if space is None else space.word


def _words(spaces: set[Space]) -> str:
    """Returns the spaces in words; if generic is one of them, omits the spaces that it includes."""
    if Space.GENERIC in spaces:
        rest = spaces & {Space.CONSTANT}
        return " or ".join([_HELD, *(space.word for space in rest)])
    more = sorted(space for space in spaces if space not in _ORDER)
    *others, last = [space.word for space in (*_ORDER, *more) if space in spaces]
    return f"{', '.join(others)} or {last}" if others else last


def spaces_in_words(overloads: Sequence[Function]) -> str:
    """Describes the spaces of the overloads' pointers: `argument 2 points into global or local`.

    Empty if the overloads take no pointers or differ in which arguments are pointers."""
    places = {
        tuple(number for number, each in enumerate(overload.parameters) if isinstance(each, Pointer))
        for overload in overloads
    }
    if len(places) != 1:
        return ""
    numbers = places.pop()
    if not numbers:
        return ""
    if not _are_independent(overloads):
        return f"pointers into {' and '.join(_combinations(overloads, numbers))}"
    each = (
        (
            number,
            {space for each in overloads if (space := pointee_space(each.parameters[number])) is not None},
        )
        for number in numbers
    )
    return ", ".join(f"argument {number + 1} points into {_words(spaces)}" for number, spaces in each)


def _combinations(overloads: Sequence[Function], numbers: Sequence[int]) -> list[str]:
    found = dict.fromkeys(
        "(" + ", ".join(_word(pointee_space(overload.parameters[number])) for number in numbers) + ")"
        for overload in overloads
    )
    return list(found)


def _are_independent(overloads: Sequence[Function]) -> bool:
    """Whether the space of each pointer can be chosen independently of the spaces of the other pointers."""
    pointers = [
        tuple(pointee_space(each) for each in overload.parameters if isinstance(each, Pointer))
        for overload in overloads
    ]
    combinations = 1
    for spaces in zip(*pointers, strict=True):
        combinations *= len(set(spaces))
    return combinations == len(set(pointers))


def _fixes(fact: UnresolvedCall, near: Sequence[NearMiss]) -> Iterator[Fix]:
    """Yields fixes that each correct all wrong arguments: first by their declarations, then by casts."""
    choices = list(dict.fromkeys(choice for miss in near for choice in _space_choices(miss)))
    for choice in choices:
        moved = [_declared(fact.arguments[number], space) for number, space in choice]
        fixes = [fix for fix in moved if fix is not None]
        if len(fixes) == len(choice):
            yield _joined(fixes, preferred=len(choices) == 1)
    for choice in choices:
        casts = [_cast(fact.arguments[number], space) for number, space in choice]
        if None not in casts:
            yield _joined([fix for fix in casts if fix is not None], preferred=False)


def _space_choices(miss: NearMiss) -> Iterator[tuple[tuple[int, Space], ...]]:
    """Yields choices of spaces that fit this overload, each as pairs of argument number and space.

    If the overload takes generic pointers, any named space fits.
    """
    named = [Space.GLOBAL, Space.LOCAL, Space.PRIVATE]
    if Space.GENERIC in miss.spaces:
        for each in named:
            yield tuple(
                (number, each if space is Space.GENERIC else space)
                for number, space in zip(miss.wrong, miss.spaces, strict=True)
            )
        return
    yield tuple(zip(miss.wrong, miss.spaces, strict=True))


def _declared(argument: Value, space: Space) -> Fix | None:
    return next(suggest_space_change(*argument.space_source(1), space, "the value"), None)


def _cast(argument: Value, space: Space) -> Fix | None:
    """Creates the fix that casts the argument; None unless it is a generic pointer (OpenCL C 6.7.9)."""
    type_ = decayed(argument.type)
    if not isinstance(type_, Pointer) or type_.pointee.space is not Space.GENERIC or space is Space.CONSTANT:
        return None
    return create_cast_fix(argument, pointer_to(type_.pointee.with_space(space)))


def _joined(fixes: Sequence[Fix], *, preferred: bool) -> Fix:
    title = ", and ".join(
        fix.title if not index else fix.title[0].lower() + fix.title[1:] for index, fix in enumerate(fixes)
    )
    changes: list[FixChange] = [change for fix in fixes for change in fix.changes]
    return Fix(title, tuple(dict.fromkeys(changes)), preferred)


RULES = (Rule(CODE, UnresolvedCall, check),)
