"""Explains errors about pointers that are private only by default (OpenCL C 6.7.8).

Without a generic address space, a pointee without a qualifier is private. For an error about a pointer with
such a pointee, the flow analysis computes the address spaces of all values that the program gives to the
pointer. The message names these spaces, and they determine the order of the fixes. Units without such an error
skip this analysis. While the analysis is postponed, the errors are published without the explanation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.rules.finding import ChainStep, Finding, Fix, SetSpace
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.rules.shared.pointer_wording import describe_private_default
from openclsp.semantics.facts.entities import ItemKey, Origin, Place
from openclsp.semantics.flow.default_private import (
    Chain,
    ReachingSpaces,
    default_private_solution,
    drop_solution,
    find_reaching,
    is_private_by_default,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache

MAXIMUM_POINTERS = 100
"""The maximum number of pointers of a unit that are explained."""
_MAXIMUM_STEPS = 6
"""The maximum number of steps of a chain that is shown with an error."""


class _ReachResult(NamedTuple):
    """The address spaces of the values that a pointer gets, as if it could point into any space.

    `spaces` also contains chains: the paths on which the addresses of objects flow to the pointer.
    `chain_steps` contains the steps of each chain; their places are those of the text for which the flow was
    solved.
    """

    spaces: ReachingSpaces
    chain_steps: tuple[tuple[ChainStep, ...], ...]


class _ExplainedItem:
    """The findings of an item, without and with explanations of errors about private pointees.

    - `pointees`: the pointees that the findings concern.
    - `reach_results`: the result of the flow analysis for each of these pointees, on which the explanations
      are based.
    - `all_results`: the unit's mapping from which `reach_results` was taken. The explanations are up to date
      as long as the unit has the same mapping.
    """

    __slots__ = ("all_results", "explained_findings", "findings", "pointees", "reach_results")

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = self.explained_findings = findings
        self.pointees = tuple([each for finding in findings for each in finding.default_private_pointees])
        self.reach_results: tuple[_ReachResult | None, ...] = ()
        self.all_results: dict[Origin, _ReachResult | None] | None = None


class _UnitExplanations:
    """The flow results for those pointers of a unit to which its findings refer."""

    def __init__(self) -> None:
        self.revision = -1
        self.reach_results: dict[Origin, _ReachResult | None] = {}
        """Replaced by each computation, never changed."""
        self.explained_items: dict[ItemKey, _ExplainedItem] = {}
        """All items with findings."""

    def replace_findings(self, found: Mapping[ItemKey, Sequence[Finding]]) -> None:
        """Replaces the findings of the items.

        An item keeps its explanations if its findings are the same object as before.
        """
        before = self.explained_items
        self.explained_items = {
            key: item
            if (item := before.get(key)) is not None and item.findings is each
            else _ExplainedItem(each)
            for key, each in found.items()
        }


_EXPLANATIONS: UnitCache[_UnitExplanations] = UnitCache("explanations")


def explain_findings(
    unit: TranslationUnit, *, header_bodies: bool = False, allow_stale_flow: bool = False
) -> Mapping[ItemKey, Sequence[Finding]]:
    """Returns the findings of each item that has any, with explanations of errors about private pointees.

    An error is explained if it is about a pointer whose pointee is private only by default.

    With `allow_stale_flow`, explanations and findings from the flow analysis may be those of an earlier text;
    the caller must soon call again without it. For `header_bodies`, see `update_unit_findings`. Returns the
    same objects as long as nothing changes.
    """
    found = update_unit_findings(unit, header_bodies=header_bodies, allow_stale_flow=allow_stale_flow)
    if unit.dialect.generic:
        return found
    explanations = unit.caches.get(_EXPLANATIONS)
    if explanations is None:
        if allow_stale_flow or not any(
            finding.default_private_pointees for each in found.values() for finding in each
        ):
            return found
        explanations = unit.caches.set(_EXPLANATIONS, _UnitExplanations())
    explanations.replace_findings(found)
    if not allow_stale_flow:
        pointees = {key: each.pointees for key, each in explanations.explained_items.items() if each.pointees}
        if not pointees:
            unit.caches.pop(_EXPLANATIONS)
            drop_solution(unit)
            return found
        _update_reach_results(unit, explanations, pointees)
    reach_results = explanations.reach_results
    explained: dict[ItemKey, Sequence[Finding]] = {}
    for key, item in explanations.explained_items.items():
        if item.pointees and item.all_results is not reach_results:
            _explain_item(unit, explanations, key, item)
        explained[key] = item.explained_findings
    return explained


def find_reaching_spaces(unit: TranslationUnit, pointee: Origin) -> ReachingSpaces | None:
    """Returns the address spaces of all values that flow into a pointer whose pointee is private by default.

    They are computed as if the pointer could point into any address space. Returns None if the pointee is not
    private by default, or if no finding of the unit is about such a pointee.
    """
    # The findings are up to date only if the diagnostics are. Most pointers that a hover asks about have a
    # written space, so that it need not compute them.
    if unit.dialect.generic or not is_private_by_default(unit, pointee):
        return None
    explain_findings(unit)
    explanations = unit.caches.get(_EXPLANATIONS)
    if explanations is None:
        return None
    # With the pointees of the findings, so that the next edit need not build other graphs again.
    pointees = (*explanations.reach_results, pointee)
    return find_reaching(unit, default_private_solution(unit, pointees), pointee)


def _update_reach_results(
    unit: TranslationUnit, explanations: _UnitExplanations, pointees: Mapping[ItemKey, Sequence[Origin]]
) -> None:
    order = sorted(pointees, key=lambda key: unit.by_key[key].order)
    wanted = dict.fromkeys(origin for key in order for origin in pointees[key])
    pointers = list(wanted)[:MAXIMUM_POINTERS]
    if explanations.revision == unit.revision and explanations.reach_results.keys() == set(pointers):
        return
    solution = default_private_solution(unit, pointers)
    reached: dict[Origin, _ReachResult | None] = {}
    for origin in pointers:
        unit.database.checkpoint()
        found = find_reaching(unit, solution, origin)
        if found is not None and not _is_worth_reporting(found):
            found = None
        chain_steps = () if found is None else tuple(tuple(_chain_steps(unit, each)) for each in found.chains)
        reached[origin] = None if found is None else _ReachResult(found, chain_steps)
    explanations.reach_results = reached
    explanations.revision = unit.revision


def _chain_steps(unit: TranslationUnit, chain: Chain) -> Iterator[ChainStep]:
    """Yields the steps of a chain from the object to the pointer.

    Of a long chain, these are the first steps and the last one.
    """
    steps = chain.steps
    for step in steps if len(steps) <= _MAXIMUM_STEPS else (*steps[: _MAXIMUM_STEPS - 1], steps[-1]):
        key = step.function[0] if step.declared is None else step.declared.item
        if key in unit.by_key:
            at = step.place if step.declared is None else step.declared
            yield ChainStep(key, unit.by_key[key].digest, at, f"{chain.space.word}: {step.what}")


def _explain_item(
    unit: TranslationUnit, explanations: _UnitExplanations, key: ItemKey, item: _ExplainedItem
) -> None:
    """Explains an item's findings, unless the flow results for its pointees are unchanged."""
    results = tuple([explanations.reach_results.get(origin) for origin in item.pointees])
    if item.all_results is None or item.reach_results != results:
        item.explained_findings = tuple(
            [
                _explain_finding(unit, explanations, key, finding)
                if finding.default_private_pointees
                else finding
                for finding in item.findings
            ]
        )
    item.reach_results, item.all_results = results, explanations.reach_results


def _explain_finding(
    unit: TranslationUnit, explanations: _UnitExplanations, key: ItemKey, finding: Finding
) -> Finding:
    """Returns the finding with a message that names the address spaces of its pointer's values.

    These address spaces also determine the order of the fixes.
    """
    chain: dict[ChainStep, None] = {}
    explanation = ""
    fixes = tuple(finding.fixes)
    for origin in dict.fromkeys(finding.default_private_pointees):
        reached = explanations.reach_results.get(origin)
        if reached is None:
            continue
        found = reached.spaces
        title = unit.dialect.title
        explanation += f"; {found.name} points into private because no address space is specified ({title}), {_describe_spaces(found)}"
        for each, steps in zip(found.chains, reached.chain_steps, strict=True):
            if not _is_at_place(each, key, finding.place):
                chain.update(dict.fromkeys(steps))
        fixes = _order_fixes(fixes, origin, found)
    if not explanation:
        return finding
    message = finding.message.removesuffix(describe_private_default(unit.dialect)) + explanation
    return replace(finding, message=message, fixes=fixes, chain=tuple(chain))


def _is_at_place(chain: Chain, key: ItemKey, place: Place) -> bool:
    """Whether a chain only repeats what its finding already shows.

    The finding is at `place` in the item `key`. A chain repeats it if the chain has at most two steps, and the
    last step contains this place.
    """
    last = chain.steps[-1]
    return (
        len(chain.steps) <= 2
        and last.function[0] == key
        and last.place.first <= place.first
        and place.last <= last.place.last
    )


def _is_worth_reporting(found: ReachingSpaces) -> bool:
    """Whether the message should name the spaces.

    False if no address space is known, or if private is the only known one and the pointer may also get
    unknown values.
    """
    return bool(found.spaces) and not (found.unknown and found.spaces == (Space.PRIVATE,))


def _describe_spaces(found: ReachingSpaces) -> str:
    """Describes the spaces of a pointer's values: ``but only global reaches it (`a` of kernel `k`)``."""
    chains = {each.space: f" ({_describe_chain_start(each)})" for each in found.chains}
    if len(found.spaces) == 1:
        (space,) = found.spaces
        only, more = ("", ", perhaps among others") if found.unknown else ("only ", "")
        link = "and" if space is Space.PRIVATE else "but"
        return f"{link} {only}{space.word} reaches it{chains.get(space, '')}{more}"
    said = [space.word + chains.get(space, "") for space in found.spaces]
    more = ", perhaps among others" if found.unknown else ""
    return f"but {', '.join(said[:-1])} and {said[-1]} reach it{more}"


def _describe_chain_start(chain: Chain) -> str:
    """Describes the start of a chain: an object or parameter, and its function."""
    first = chain.steps[0]
    if not first.name:
        return first.what
    if not chain.function or (first.declared is not None and first.declared.item != first.function[0]):
        return f"`{first.name}`"
    return f"`{first.name}` of {'kernel ' if chain.kernel else ''}`{chain.function}`"


def _order_fixes(fixes: tuple[Fix, ...], pointee: Origin, found: ReachingSpaces) -> tuple[Fix, ...]:
    """Orders the fixes of an error about a pointee by the address spaces of the values that its pointer gets.

    If all values point into one space, the fixes that declare the pointee in this space come first and are
    preferred; the fixes that declare it in another space are removed. If the values point into several
    spaces, no fix that declares the pointee in a space is preferred. A fix that changes another pointer is
    not preferred if it declares a space into which no value points.
    """
    # The only known space may be one of several: that is no reason to change the order.
    if found.unknown and len(found.spaces) == 1:
        return fixes
    only = found.spaces[0] if len(found.spaces) == 1 else None
    first: list[Fix] = []
    rest: list[Fix] = []
    for fix in fixes:
        written = {
            change.space
            for change in fix.changes
            if isinstance(change, SetSpace) and change.origin == pointee
        }
        elsewhere = any(
            isinstance(change, SetSpace) and change.origin != pointee and change.space not in found.spaces
            for change in fix.changes
        )
        if written and only is not None and written != {only} and not found.unknown:
            continue
        if written and only is not None:
            first.append(replace(fix, preferred=True))
        elif written or elsewhere:
            rest.append(replace(fix, preferred=False))
        else:
            rest.append(fix)
    return (*first, *rest)
