"""A kernel's pointer parameter that does not point into a named space of the host's (OpenCL C 6.7, 6.11.a)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, Related, SetSpace, Severity
from openclsp.rules.mismatches import without_star
from openclsp.rules.qualifiers import origin_of, place_of, where_changed
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Entity, Reason
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.types import Function, Opaque, Pointer, Type, is_unknown

CODE = "kernel-argument-space"

ALLOWED = (Space.GLOBAL, Space.LOCAL, Space.CONSTANT)


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Each level that the kernel can reach through the pointer must be global, local or constant."""
    if not fact.kernel:
        return
    for parameter in fact.parameters:
        wrong = tuple(misplaced_levels(parameter))
        if wrong:
            yield _finding(parameter, wrong)


def pointees(parameter: Entity) -> Iterator[tuple[int, Type]]:
    """The levels behind the parameter, from 1, with their types, as far as pointer follows on pointer."""
    type_: Type = parameter.type
    level = 0
    while isinstance(type_, Pointer) and level + 1 < len(parameter.levels):
        type_, level = type_.pointee, level + 1
        if isinstance(type_, Function):
            return
        yield level, type_


def misplaced_levels(parameter: Entity) -> Iterator[int]:
    """The levels that are in no space, or not in one that the host can give; nothing behind an unknown one."""
    for number, type_ in pointees(parameter):
        level = parameter.levels[number]
        undecided = level.reason is Reason.KERNEL_NO_DEFAULT
        if isinstance(type_, Opaque) and type_.category in ("image", "sampler", "pipe"):
            return
        if level.space is Space.UNKNOWN and not undecided:
            return
        if undecided or not (level.space in ALLOWED or level.space.is_vendors):
            yield number
        if is_unknown(type_):
            return


def _finding(parameter: Entity, wrong: tuple[int, ...]) -> Finding:
    first = wrong[0]
    level = parameter.levels[first]
    what = f"kernel parameter `{parameter.name}`" if parameter.name else "a kernel parameter"
    if first > 1:
        what = f"a pointer behind {what}"
    message = f"{what} must point into global, local or constant memory"
    if level.written or level.reason is Reason.TYPEDEF:
        message += f"; here it points into {level.space.word}"
    else:
        message += ": there is no default, write the space"
    related: tuple[Related, ...] = ()
    if level.via is not None:
        related = (Related(level.via, "the pointer comes from this typedef"),)
    return Finding(
        CODE, Severity.ERROR, message, place_of(parameter, first), related, tuple(_fixes(parameter, wrong))
    )


def _fixes(parameter: Entity, wrong: tuple[int, ...]) -> Iterator[Fix]:
    """A pointer to a pointer may have one `*` too many: no space is clearly right for it."""
    nested = len(tuple(pointees(parameter))) > 1 and len(parameter.levels) > 2
    if nested and parameter.name:
        yield without_star(parameter.ref, parameter.name)
    for space in ALLOWED:
        yield Fix(
            f"Point `{parameter.name}` into {space.word} memory{where_changed(parameter, wrong[0])}",
            tuple(SetSpace(origin_of(parameter, level), space) for level in wrong),
            preferred=space is Space.GLOBAL and not nested,
        )


RULES = (Rule(CODE, FunctionDeclaration, check),)
