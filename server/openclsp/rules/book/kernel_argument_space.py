"""A pointer parameter of a kernel that points into a space that the host cannot pass (OpenCL C 6.7, 6.11.a)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_mismatches import create_star_removal_fix
from openclsp.rules.shared.qualifiers import fixable_origin, qualifier_place, typedef_title_suffix
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Entity, Reason
from openclsp.semantics.types.type_model import Function, Opaque, Pointer, Type
from openclsp.semantics.types.type_structure import is_unknown

CODE = "kernel-argument-space"

ALLOWED = (Space.GLOBAL, Space.LOCAL, Space.CONSTANT)


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports each parameter with a pointee, at any level, that is not in global, local or constant memory."""
    if not fact.kernel:
        return
    for parameter in fact.parameters:
        wrong = tuple(misplaced_levels(parameter))
        if wrong and not _has_qualifier_of_pointee(parameter):
            yield _finding(parameter, wrong)


def _has_qualifier_of_pointee(parameter: Entity) -> bool:
    """Whether the pointee's address space is written for the pointer: `float *local p`.

    This is one fault, which `parameter-space` reports.
    """
    own, *others = parameter.levels
    return len(others) == 1 and own.space in ALLOWED and others[0].reason is Reason.KERNEL_NO_DEFAULT


def pointees(parameter: Entity) -> Iterator[tuple[int, Type]]:
    """Yields the number and type of each pointee of the parameter: for `int **p`, `1, int *` and `2, int`."""
    type_: Type = parameter.type
    level = 0
    while isinstance(type_, Pointer) and level + 1 < len(parameter.levels):
        type_, level = type_.pointee, level + 1
        if isinstance(type_, Function):
            return
        yield level, type_


def misplaced_levels(parameter: Entity) -> Iterator[int]:
    """Yields the number of each pointee that is not in global, local, constant or a vendor's memory.

    `pointees` defines the numbers. Stops at a pointee whose type or address space is unknown.
    """
    for number, type_ in pointees(parameter):
        level = parameter.levels[number]
        undecided = level.reason is Reason.KERNEL_NO_DEFAULT
        if isinstance(type_, Opaque) and type_.category in ("image", "sampler", "pipe"):
            return
        if level.space is Space.UNKNOWN and not undecided:
            return
        if undecided or not (level.space in ALLOWED or level.space.is_vendor_extension):
            yield number
        if is_unknown(type_):
            return


def _finding(parameter: Entity, wrong: tuple[int, ...]) -> Finding:
    first = wrong[0]
    level = parameter.levels[first]
    what = f"kernel parameter `{parameter.name}`" if parameter.name else "a kernel parameter"
    if first > 1:
        what = f"a pointer reached through {what}"
    message = f"{what} must point into global, local or constant memory"
    if level.written or level.reason is Reason.TYPEDEF:
        message += f"; here it points into {level.space.word}"
    else:
        message += ": there is no default address space"
    related: tuple[RelatedDeclaration, ...] = ()
    if level.via is not None:
        related = (RelatedDeclaration(level.via, "this typedef declares the pointer"),)
    return Finding(
        CODE,
        Severity.ERROR,
        message,
        qualifier_place(parameter, first),
        related,
        tuple(_fixes(parameter, wrong)),
    )


def _fixes(parameter: Entity, wrong: tuple[int, ...]) -> Iterator[Fix]:
    """Yields one fix for each address space into which a pointer from the host can point.

    `wrong` contains the numbers of the pointees in other address spaces; each fix changes all of them. For a
    pointer to a pointer, a fix that removes one `*` comes first, and no fix is preferred.
    """
    nested = len(tuple(pointees(parameter))) > 1 and len(parameter.levels) > 2
    if nested and parameter.name:
        yield create_star_removal_fix(parameter.ref, parameter.name)
    for space in ALLOWED:
        yield Fix(
            f"Point `{parameter.name}` into {space.word} memory{typedef_title_suffix(parameter, wrong[0])}",
            tuple(SetSpace(fixable_origin(parameter, level), space) for level in wrong),
            preferred=space is Space.GLOBAL and not nested,
        )


RULES = (Rule(CODE, FunctionDeclaration, check),)
