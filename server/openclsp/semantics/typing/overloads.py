"""Overload resolution for OpenCL C: selects the function that a call means.

The specification only says that built-in functions are overloaded. For calls without an exact match, this
follows clang's extension `overloadable`, which ranks implicit conversions as C++ does (C++17 16.3.3) and adds
the pointer conversions that C allows. A candidate is better than another if none of its conversions is worse
and at least one is better; a call resolves to the candidate that is better than all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space, encloses
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.known_types import (
    DOUBLE,
    FLOAT,
    INT,
    canonical,
)
from openclsp.semantics.types.type_model import (
    Enum,
    Function,
    Opaque,
    Pointer,
    Scalar,
    Type,
    Unknown,
    Vector,
    Void,
    pointer_to,
)
from openclsp.semantics.types.type_structure import decayed, levels


class Rank(IntEnum):
    """Conversion ranks, best first."""

    EXACT = 0
    QUALIFIED = 1
    PROMOTION = 2
    CONVERSION = 3
    SPLAT = 4
    FROM_VOID = 5
    INCOMPATIBLE = 6


class Argument(NamedTuple):
    """The properties of an argument that overload resolution depends on.

    - `null`: whether it is a null pointer constant.
    - `constant`: whether it is an integer constant expression.
    - `zero`: whether it is an integer constant expression with the value 0.
    """

    type: Type
    null: bool
    constant: bool
    zero: bool


class _Match(NamedTuple):
    """The conversion of an argument to its parameter; `certain` is false if something unknown affects it."""

    rank: Rank
    target: Type
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of overload resolution.

    - `best`: the index of the selected candidate; None if no candidate is viable, if the call is ambiguous,
      or if something unknown may affect the selection.
    - `viable`: the candidates that accept the arguments, or might accept them if something unknown allows it.
    - `certain`: whether nothing unknown was involved, so that a call without a viable candidate is an error.
    """

    best: int | None
    viable: tuple[int, ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A candidate that is not viable only because of the address spaces of pointer arguments.

    - `wrong`: the indices, from 0, of these arguments.
    - `spaces`: in the same order, the address space that the candidate requires for each of them.
    """

    candidate: Function
    wrong: tuple[int, ...]
    spaces: tuple[Space, ...]


def resolve(candidates: tuple[Function, ...], arguments: Sequence[Value]) -> Resolution:
    """Selects the best candidate for a call with these arguments."""
    return _resolve_candidates(candidates, tuple(_argument_of(value) for value in arguments))


def canonical_parameters(signature: Function) -> tuple[Type, ...]:
    """Returns the parameter types with aliases replaced: `uint` for `cl_mem_fence_flags`."""
    return tuple(canonical(each) if isinstance(each, Scalar) else each for each in signature.parameters)


def is_mistyped(candidate: Function, arguments: Sequence[Value]) -> bool:
    """Whether an argument and its parameter are pointers to different types other than `void`.

    Overload resolution accepts such an argument, but it violates C99 6.5.16.1p1.
    """
    for value, parameter in zip(arguments, candidate.parameters, strict=False):
        source = decayed(value.type)
        if value.null or not isinstance(source, Pointer) or not isinstance(parameter, Pointer):
            continue
        given, wanted = source.pointee.unqualified, parameter.pointee.unqualified
        if not _is_same_type(given, wanted) and not isinstance(given, Void) and not isinstance(wanted, Void):
            return True
    return False


def near_misses(candidates: tuple[Function, ...], arguments: Sequence[Value]) -> tuple[NearMiss, ...]:
    """Returns the candidates that are not viable only because of the address spaces of pointer arguments.

    Only the candidates with the fewest such arguments are returned; among these, only those with the best
    conversions.
    """
    return _near_misses(candidates, tuple(_argument_of(value) for value in arguments))


@lru_cache(maxsize=256)
def _near_misses(candidates: tuple[Function, ...], arguments: tuple[Argument, ...]) -> tuple[NearMiss, ...]:
    """Returns the candidates that match if pointer arguments get the address spaces of the parameters."""
    found: list[tuple[tuple[int, int], NearMiss]] = []
    for candidate in candidates:
        moved: list[Argument] = []
        wrong: dict[int, Space] = {}
        for number, (argument, parameter) in enumerate(zip(arguments, candidate.parameters, strict=False)):
            space = _refused_space(argument, parameter)
            if space is not None and isinstance(argument.type, Pointer):
                wrong[number] = space
                argument = argument._replace(type=pointer_to(argument.type.pointee.with_space(space)))
            moved.append(argument)
        matches = _match_arguments(candidate, (*moved, *arguments[len(moved) :])) if wrong else None
        if matches is not None and all(match.rank is not Rank.INCOMPATIBLE for match in matches):
            cost = len(wrong), sum(match.rank for match in matches)
            found.append((cost, NearMiss(candidate, tuple(wrong), tuple(wrong.values()))))
    least = min((cost for cost, _ in found), default=None)
    return tuple(miss for cost, miss in found if cost == least)


def _refused_space(argument: Argument, parameter: Type) -> Space | None:
    """Returns the pointee space of the parameter if it does not enclose that of the argument; else None."""
    source = argument.type
    if argument.null or not isinstance(source, Pointer) or not isinstance(parameter, Pointer):
        return None
    given, wanted = source.pointee.space, parameter.pointee.space
    if given is None or wanted is None or encloses(wanted, given):
        return None
    return wanted


def _argument_of(value: Value) -> Argument:
    type_ = decayed(value.type)
    constant = value.number is not None
    return Argument(type_, value.null, constant, value.number == 0)


@lru_cache(maxsize=4096)
def _resolve_candidates(candidates: tuple[Function, ...], arguments: tuple[Argument, ...]) -> Resolution:
    """Returns the viable candidates, and the one that is better than all others."""
    certain = not any(_is_unknown(argument.type) for argument in arguments)
    viable: list[tuple[int, list[_Match]]] = []
    for number, candidate in enumerate(candidates):
        matches = _match_arguments(candidate, arguments)
        if matches is not None:
            viable.append((number, matches))
            certain = certain and all(match.certain for match in matches)
    numbers = tuple(number for number, _ in viable)
    if not certain:
        best = numbers[0] if len(numbers) == 1 and len(candidates) == 1 else None
        return Resolution(best, numbers, False)
    for number, matches in viable:
        if all(other is matches or _is_better(matches, other) for _, other in viable):
            return Resolution(number, numbers, True)
    return Resolution(None, numbers, True)


def _match_arguments(candidate: Function, arguments: tuple[Argument, ...]) -> list[_Match] | None:
    """Returns the conversions of all arguments; None if the candidate is not viable."""
    parameters = candidate.parameters
    if len(arguments) < len(parameters) or (len(arguments) > len(parameters) and not candidate.variadic):
        return None
    found = []
    for argument, parameter in zip(arguments, parameters, strict=False):
        match = _match_argument(argument, parameter)
        if match is None:
            return None
        found.append(match)
    return found


def _match_argument(argument: Argument, parameter: Type) -> _Match | None:
    """Returns the conversion of one argument to a parameter; None if there is none."""
    source, target = argument.type, parameter.unqualified
    if _is_unknown(source) or _is_unknown(target):
        # whatever an unknown type is, a pointer to it keeps its space
        disjoint = not argument.null and _are_disjoint(source, target)
        return None if disjoint else _Match(Rank.CONVERSION, target, False)
    if _is_same_type(source, target):
        return _Match(Rank.EXACT, target)
    if isinstance(target, Scalar | Enum):
        rank = _arithmetic_rank(source, target)
        return None if rank is None else _Match(rank, target)
    if isinstance(target, Vector):
        return _Match(Rank.SPLAT, target) if isinstance(source, Scalar | Enum) else None
    if isinstance(target, Pointer):
        return _match_pointer(argument, source, target)
    if isinstance(target, Opaque) and isinstance(source, Scalar) and not source.floating:
        return _match_opaque(argument, target)
    return None


def _are_disjoint(source: Type, target: Type) -> bool:
    """Whether both are pointers, and the known space of the source is not enclosed by that of the target."""
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return False
    given, wanted = source.pointee.space, target.pointee.space
    return (
        given is not None
        and wanted is not None
        and Space.UNKNOWN not in (given, wanted)
        and not encloses(wanted, given)
    )


def _is_same_type(source: Type, target: Type) -> bool:
    """Whether two unqualified types are the same, with aliases resolved."""
    if source is target:
        return True
    if isinstance(source, Scalar) and isinstance(target, Scalar):
        return canonical(source) is canonical(target)
    if isinstance(source, Vector) and isinstance(target, Vector):
        return source.width == target.width and canonical(source.element) is canonical(target.element)
    if isinstance(source, Opaque) and isinstance(target, Opaque):
        same = source.name == target.name
        return same and (source.access or "read_only") == (target.access or "read_only")
    return False


def _arithmetic_rank(source: Type, target: Scalar | Enum) -> Rank | None:
    """Returns the rank of a conversion to an arithmetic type; None if there is none."""
    if isinstance(source, Pointer):
        is_bool = isinstance(target, Scalar) and canonical(target).name == "bool"
        return Rank.CONVERSION if is_bool else None
    if not isinstance(source, Scalar | Enum):
        return None
    if isinstance(target, Enum):
        return Rank.CONVERSION
    to = canonical(target)
    if isinstance(source, Enum):
        return Rank.PROMOTION if to is INT else Rank.CONVERSION
    narrow = canonical(source)
    if to is INT and not narrow.floating and narrow.rank < INT.rank:
        return Rank.PROMOTION
    return Rank.PROMOTION if narrow is FLOAT and to is DOUBLE else Rank.CONVERSION


def _match_opaque(argument: Argument, target: Opaque) -> _Match | None:
    """Returns the conversion of an argument to an opaque type (OpenCL C 6.15.11.3, 6.15.15.1), or None.

    An event or queue takes 0, a sampler an integer constant.
    """
    if target.category in ("event", "queue"):
        if argument.constant:
            return _Match(Rank.EXACT, target) if argument.zero else None
        return _Match(Rank.CONVERSION, target, False)
    if target.category == "sampler":
        return _Match(Rank.CONVERSION, target, argument.constant)
    return None


def _match_pointer(argument: Argument, source: Type, target: Pointer) -> _Match | None:
    """Returns the conversion of an argument of type `source` to the pointer `target`.

    A null pointer constant converts to any pointer. For other arguments, None if `source` is no pointer or if
    its space is not enclosed by that of `target`.
    """
    if argument.null:
        return _Match(Rank.CONVERSION, target)
    if not isinstance(source, Pointer):
        return None
    given, wanted = source.pointee, target.pointee
    if given.space is None or wanted.space is None:
        return _Match(Rank.CONVERSION, target, False)
    if not encloses(wanted.space, given.space):
        return None
    certain = Space.UNKNOWN not in (given.space, wanted.space)
    kept = not given.qualifiers & ~wanted.qualifiers
    if _is_same_type(given.unqualified, wanted.unqualified):
        if given.qualifiers == wanted.qualifiers and given.space is wanted.space:
            return _Match(Rank.EXACT, target, certain)
        return _Match(Rank.QUALIFIED if kept else Rank.INCOMPATIBLE, target, certain)
    if isinstance(wanted, Void):
        return _Match(Rank.CONVERSION if kept else Rank.INCOMPATIBLE, target, certain)
    if isinstance(given, Void):
        return _Match(Rank.FROM_VOID if kept else Rank.INCOMPATIBLE, target, certain)
    # inner spaces of nested pointers may make the conversion invalid, which another rule reports
    certain = certain and not isinstance(wanted, Pointer)
    return _Match(Rank.INCOMPATIBLE, target, certain)


def _is_better(matches: list[_Match], others: list[_Match]) -> bool:
    """Whether the first candidate is better than the second.

    A conversion that is only tolerated by C is worse than any other: a candidate that avoids such a
    conversion for some argument is better, whatever the ranks of the other conversions.
    """
    refused = [match.rank is Rank.INCOMPATIBLE for match in matches]
    refused_by_other = [match.rank is Rank.INCOMPATIBLE for match in others]
    if refused != refused_by_other:
        return all(bad <= worse for bad, worse in zip(refused, refused_by_other, strict=True))
    better = False
    for match, other in zip(matches, others, strict=False):
        order = _compare_matches(match, other)
        if order > 0:
            return False
        better = better or order < 0
    return better


def _compare_matches(match: _Match, other: _Match) -> int:
    """Compares two conversions: negative if `match` is better, positive if `other` is, 0 if neither is."""
    if match.rank != other.rank:
        return match.rank - other.rank
    if match.rank not in (Rank.QUALIFIED, Rank.CONVERSION):
        return 0
    first, second = match.target, other.target
    if not isinstance(first, Pointer) or not isinstance(second, Pointer):
        return 0
    if first.pointee.unqualified is not second.pointee.unqualified:
        return 0
    return _more_qualified(first.pointee, second.pointee) - _more_qualified(second.pointee, first.pointee)


def _more_qualified(type_: Type, other: Type) -> bool:
    """Whether `type_` is at least as qualified as `other`, and not the same type.

    That is, it has all qualifiers of `other`, and its space encloses the space of `other`.
    """
    if type_ is other or type_.space is None or other.space is None:
        return False
    return encloses(type_.space, other.space) and not other.qualifiers & ~type_.qualifiers


def _is_unknown(type_: Type) -> bool:
    return any(isinstance(level, Unknown) or level.space is Space.UNKNOWN for level in levels(type_))


UnfinishedCallCost = tuple[bool, int, int]


def costs_of_unfinished_call(
    candidates: Sequence[Function], arguments: Sequence[Value | None]
) -> list[UnfinishedCallCost]:
    """Rates candidates for a call whose arguments are not all written; the least cost is best.

    A candidate is better if it has a parameter for every argument, if more arguments can be converted to
    their parameters, and if these conversions rank better. An argument that is None or has an
    unknown type does not affect the order.
    """
    given = [_argument_of(value) if value is not None else None for value in arguments]
    return [_cost_of_unfinished_call(candidate, given) for candidate in candidates]


def _cost_of_unfinished_call(candidate: Function, arguments: Sequence[Argument | None]) -> UnfinishedCallCost:
    refused = ranks = 0
    for argument, parameter in zip(arguments, candidate.parameters, strict=False):
        if argument is None or _is_unknown(argument.type):
            continue
        match = _match_argument(argument, parameter)
        if match is None or match.rank is Rank.INCOMPATIBLE:
            refused += 1
        else:
            ranks += match.rank
    missing = len(arguments) > len(candidate.parameters) and not candidate.variadic
    return missing, refused, ranks
