"""Changes the address space of a declaration and of everything that depends on it.

Fixes use the same changes and the same search for dependent changes. Re-analysis confirms that the result
introduces no error and no warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.dependent_changes import add_dependent_changes, declared_once
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.fixes.edit_rendering import render_edit_plan
from openclsp.ide.fixes.fix_budget import LEAST, BudgetExhausted, FixBudget
from openclsp.ide.fixes.fix_checker import FixChecker
from openclsp.ide.fixes.fixes import MAXIMUM_ROUNDS, check_in_other_units
from openclsp.ide.fixes.shared_units import NO_OTHER_UNITS, UnitSource
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import Space
from openclsp.rules.finding import RemoveSpace, SetSpace
from openclsp.semantics.database.declared_functions import function_of
from openclsp.semantics.facts.entities import Entity, EntityKind, Origin
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Function, Pointer, Type

_SPACES: Final = (Space.GLOBAL, Space.LOCAL, Space.CONSTANT, Space.PRIVATE)
_KINDS: Final = frozenset((EntityKind.PARAMETER, EntityKind.VARIABLE, EntityKind.FUNCTION))


@dataclass(frozen=True, slots=True)
class _Target:
    """The level of a declaration whose address space can be changed: the pointee, or the object itself."""

    origin: Origin
    space: Space | None
    title: str
    """The title of the change, with `{}` for the name of the new address space."""


def compute_space_changes(
    unit: TranslationUnit, document: str, offset: int, *, sharing: UnitSource = NO_OTHER_UNITS
) -> list[CheckedFix]:
    """The other address spaces that the declaration named at a byte of a document can have, as checked edits.

    The budget for all changes together is `LEAST` tokens whose types are computed; changes beyond that are
    left out.
    """
    checker = FixChecker(unit, header_bodies=True, both_sides=True)
    target = _target_at(checker.places, document, offset)
    if target is None:
        return []
    work = FixBudget(LEAST, FixBudget(LEAST))
    found = []
    for space in _SPACES:
        if space is target.space:
            continue
        try:
            changed = _change_space(checker, target, space, sharing, work)
        except BudgetExhausted:
            break
        if changed is not None:
            found.append(changed)
    return found


def _change_space(
    checker: FixChecker, target: _Target, space: Space, sharing: UnitSource, work: FixBudget
) -> CheckedFix | None:
    """Adds dependent changes until the whole introduces no fault; None if that fails. Raises
    BudgetExhausted."""
    places = checker.places
    change = declared_once(places, SetSpace(target.origin, space))
    first = plan = EditPlan(target.title.format(space.word), ((change.origin.entity.item, change),))
    for _ in range(MAXIMUM_ROUNDS):
        written = render_edit_plan(places, plan)
        faults = None if written is None else checker.evaluate_edits(written.edits, work)
        if written is None or faults is None:
            return None
        if not faults:
            title = plan.title if plan is first else f"{plan.title} and update dependent code"
            title += _describe_kernels(places, plan)
            fix = CheckedFix(title, preferred=False, edits=written.edits)
            return check_in_other_units(places, fix, plan, sharing, work, header_bodies=True)
        extended = add_dependent_changes(places, plan, written, faults, copying=False)
        if extended is None:
            return None
        plan = extended
    return None


def _describe_kernels(places: LocationMap, plan: EditPlan) -> str:
    """A note that names the kernels whose parameters change, because the host sets their arguments."""
    symbols = [
        function_of(places.unit, change.origin.entity)
        for _, change in plan.changes
        if isinstance(change, SetSpace | RemoveSpace)
    ]
    kernels = dict.fromkeys(f"`{each.name}`" for each in symbols if each is not None and each.kernel)
    return f" (the host must set the arguments of {', '.join(kernels)} accordingly)" if kernels else ""


def _target_at(places: LocationMap, document: str, offset: int) -> _Target | None:
    """The declaration named at the offset or just before it; None if its address space cannot change."""
    for at in (offset, offset - 1):
        found = places.item_at(document, at) if at >= 0 else None
        if found is None:
            continue
        item, token_index = found
        for entity in places.context(item.key).entities.values():
            named = entity.place.first <= token_index < entity.place.last
            if named and entity.kind in _KINDS and entity.name:
                return next(_targets_of(entity), None)
    return None


def _targets_of(entity: Entity) -> Iterator[_Target]:
    type_: Type = entity.type
    name, pointer = entity.name, "Make `%s` point to `{}` memory"
    if isinstance(type_, Function):
        type_, pointer = type_.result, "Make `%s` return a pointer to `{}` memory"
    if isinstance(type_, Pointer):
        yield _Target(Origin(entity.ref, 1), type_.pointee.space, pointer % name)
    elif entity.kind is EntityKind.VARIABLE:
        yield _Target(Origin(entity.ref, 0), type_.space, f"Declare `{name}` in `{{}}` memory")
