"""Changes the address space of a declaration and of everything that depends on it.

The package `fixes` creates the edits and finds the dependent changes. Re-analysis confirms that the result
introduces no error and no warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.dependent_changes import add_dependent_changes, declared_once
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.fixes.edit_rendering import render_edit_plan
from openclsp.ide.fixes.fix_budget import BASE_TOKENS, LEAST, BudgetExhausted, FixBudget
from openclsp.ide.fixes.fix_checker import FixChecker
from openclsp.ide.fixes.fixes import MAXIMUM_ROUNDS, check_in_other_units
from openclsp.ide.fixes.shared_units import NO_OTHER_UNITS, UnitSource
from openclsp.ide.location_map import LocationMap
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.rules.finding import RemoveSpace, SetSpace
from openclsp.semantics.database.declared_functions import function_of
from openclsp.semantics.facts.entities import Entity, EntityKind, Origin
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Function, Pointer, Type
from openclsp.semantics.typing.token_meanings import word_meanings
from openclsp.source.checkpoint import Checkpoint, no_checkpoint

_SPACES: Final = (Space.GLOBAL, Space.LOCAL, Space.CONSTANT, Space.PRIVATE)
_NAME: Final = re.compile(rb"[A-Za-z_]\w*\Z", re.ASCII)
_QUALIFIERS: Final = frozenset(
    (*(word.encode() for word in QUALIFIERS), b"const", b"volatile", b"restrict", b"__restrict")
)
"""The words that can follow the name of a type."""
_KINDS: Final = frozenset((EntityKind.PARAMETER, EntityKind.VARIABLE, EntityKind.FUNCTION))


@dataclass(frozen=True, slots=True)
class _Target:
    """The level of a declaration whose address space can be changed: the pointee, or the object itself."""

    origin: Origin
    space: Space | None
    title: str
    """The title of the change, with `{}` for the name of the new address space."""


@dataclass(frozen=True, slots=True)
class SpaceChanges:
    """The other address spaces that a declaration can have, as checked edits.

    If there are none, `refusal` is the reason, as a sentence for the user. `refusal` is empty if no
    declaration was found whose address space could be changed.
    """

    offered: tuple[CheckedFix, ...]
    refusal: str = ""


def compute_space_changes(
    unit: TranslationUnit,
    document: str,
    offset: int,
    *,
    sharing: UnitSource = NO_OTHER_UNITS,
    thorough: bool = True,
    check: Checkpoint = no_checkpoint,
) -> SpaceChanges:
    """Computes the other address spaces that the declaration at a byte of a document can have.

    The byte is in the declared name, in a use of the name, or in the type before it. The budget for all
    changes together is `BASE_TOKENS` type-checked tokens with `thorough`, otherwise `LEAST`. Changes that
    exceed the budget are not offered. `sharing` finds the other units in which a change must introduce no
    fault. `check` is called between attempts.
    """
    checker = FixChecker(unit, header_bodies=True, both_sides=True)
    entity = _entity_at(checker.places, document, offset) or _used_entity(checker.places, document, offset)
    target = None if entity is None else next(_targets_of(entity), None)
    if entity is None or target is None:
        return SpaceChanges(())
    unknown = _unknown_specifier(checker.places, entity)
    if unknown:
        return SpaceChanges((), f"`{unknown}` before the type is unknown and may name an address space")
    tokens = BASE_TOKENS if thorough else LEAST
    work = FixBudget(tokens, FixBudget(tokens))
    found = []
    refusal = f"what depends on `{entity.name}` is valid for no other address space"
    for space in _SPACES:
        if space is target.space:
            continue
        try:
            changed = _change_space(checker, target, space, sharing, work, check)
        except BudgetExhausted:
            refusal = f"checking what depends on `{entity.name}` takes too long"
            break
        if changed is not None:
            found.append(changed)
    return SpaceChanges(tuple(found), "" if found else refusal)


def _change_space(
    checker: FixChecker,
    target: _Target,
    space: Space,
    sharing: UnitSource,
    work: FixBudget,
    check: Checkpoint,
) -> CheckedFix | None:
    """Returns the checked change of the target's address space to `space`; None if there is none.

    Adds dependent changes until the result introduces no fault. Raises BudgetExhausted.
    """
    places = checker.places
    change = declared_once(places, SetSpace(target.origin, space))
    first = plan = EditPlan(
        target.title.format(space.word), ((change.origin.entity.item, change),), edits_macros=True
    )
    for _ in range(MAXIMUM_ROUNDS):
        check()
        written = render_edit_plan(places, plan)
        faults = None if written is None else checker.evaluate_edits(written.edits, work)
        if written is None or faults is None:
            return None
        if not faults:
            title = plan.title if plan is first else f"{plan.title} and update dependent code"
            title += _describe_kernels(places, plan)
            fix = CheckedFix(title, preferred=False, edits=written.edits)
            checked = check_in_other_units(places, fix, plan, sharing, work, header_bodies=True)
            return None if checked is None else checked[0]
        extended = add_dependent_changes(places, plan, written, faults, copying=False)
        if extended is None:
            return None
        plan = extended
    return None


def _describe_kernels(places: LocationMap, plan: EditPlan) -> str:
    """Spells a note that names the kernels whose parameters change; empty if there are none.

    The host sets the arguments of these kernels and must be adapted.
    """
    symbols = [
        function_of(places.unit, change.origin.entity)
        for _, change in plan.changes
        if isinstance(change, SetSpace | RemoveSpace)
    ]
    kernels = dict.fromkeys(f"`{each.name}`" for each in symbols if each is not None and each.kernel)
    return f" (the host must set the arguments of {', '.join(kernels)} accordingly)" if kernels else ""


def _entity_at(places: LocationMap, document: str, offset: int) -> Entity | None:
    """Returns the declared entity whose name or type is at the offset or just before it."""
    for at in (offset, offset - 1):
        found = places.item_at(document, at) if at >= 0 else None
        if found is None:
            continue
        item, token_index = found
        around = (
            each
            for each in places.context(item.key).entities.values()
            if each.kind in _KINDS and each.name and each.whole.first <= token_index < each.place.last
        )
        # in a parameter list, the parameter and not the function
        innermost = min(around, key=lambda each: each.place.last - each.whole.first, default=None)
        if innermost is not None:
            return innermost
    return None


def _used_entity(places: LocationMap, document: str, offset: int) -> Entity | None:
    """Returns the declared variable or function that is used at the offset."""
    navigator = Navigator(places.unit)
    found = navigator.symbol_at(document, offset)
    if found is None or found.symbol.space is not NameSpace.ORDINARY:
        return None
    for each in navigator.declarations(found.symbol):
        entity = _entity_at(places, each.location.document, each.location.start)
        if entity is not None and entity.name == found.symbol.name:
            return entity
    return None


def _unknown_specifier(places: LocationMap, entity: Entity) -> str:
    """Returns a name before the type that is neither declared nor a keyword, as in `GLOBAL float *p`.

    Such a name is a macro from a missing header or from the host, and may denote an address space. Empty if
    there is none.
    """
    tokens = places.table(entity.ref.item).tokens[entity.whole.first : entity.place.first]
    known = word_meanings(places.unit.dialect)
    for one, other in pairwise(tokens):
        follows = _NAME.match(other) and other not in _QUALIFIERS
        if follows and _NAME.match(one) and one not in known:
            return one.decode("utf-8", "replace")
    return ""


def _targets_of(entity: Entity) -> Iterator[_Target]:
    type_: Type = entity.type
    name, pointer = entity.name, "Make `%s` point to `{}` memory"
    if isinstance(type_, Function):
        type_, pointer = type_.result, "Make `%s` return a pointer to `{}` memory"
    if isinstance(type_, Pointer):
        yield _Target(Origin(entity.ref, 1), type_.pointee.space, pointer % name)
    elif entity.kind is EntityKind.VARIABLE:
        yield _Target(Origin(entity.ref, 0), type_.space, f"Declare `{name}` in `{{}}` memory")
