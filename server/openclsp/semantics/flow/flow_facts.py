"""Facts for the rules from the points-to sets of an item.

There is a fact about a pointer only if its points-to set is completely known. If a function is called, but
not from any kernel of the unit, code outside the unit may call it with unknown pointers. Such a function has
only facts about returned addresses.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef, Origin
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.points_to import (
    AddressSpaceTest,
    EnqueuedCapture,
    GenericCast,
    PointerStore,
    ReachedComparison,
    ReachedDeclaration,
    ReachedObject,
    ReachingSpacesFact,
    UnreachedPointerUse,
)
from openclsp.semantics.flow.certain_origins import Callees, Sources
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    BLOCK,
    CELL,
    COPY,
    OBJECT,
    Atom,
    Event,
    EventKind,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
)
from openclsp.semantics.flow.origins import object_of, origins
from openclsp.semantics.flow.points_to_values import FunctionPointsTo
from openclsp.semantics.flow.returned_addresses import returned_addresses
from openclsp.semantics.flow.transfers import (
    NULL,
    SPACE_BITS,
    SPACE_OF_BIT,
    TO_GENERIC,
    UNKNOWN,
)

_ACCEPT_NULL = frozenset(
    ("enqueue_kernel", "enqueue_marker", "get_fence", "prefetch", "printf", "wait_group_events")
)
"""Built-in functions that accept null pointers.

They do not access a null pointer, or treat it as an empty list.
"""
_COMPILER_PREFIX = "__builtin_"
"""Prefix of compiler built-ins; whether they access memory is not known"""


def flow_facts(
    flows: tuple[FunctionFlow, ...], held: tuple[FunctionPointsTo, ...], callees: Callees
) -> Iterator[Fact]:
    """Yields the facts about an item's function and block literals.

    `held` contains the points-to sets of `flows`, in the same order. `callees` maps the entity of a called
    function to the function's graphs.
    """
    sources = Sources(callees)
    for function, values in zip(flows, held, strict=False):
        if not _fits(function, values):
            continue
        yield from returned_addresses(function, sources)
        if values.called and not values.reached:
            continue
        for event, bits in zip(function.events, values.events, strict=True):
            yield from _of_event(function, event, *bits, values)
        for store, (address, value) in zip(function.stores, values.stores, strict=True):
            if not (address | value) & UNKNOWN:
                stored, target = (
                    _reaching_spaces(function, store.value, value),
                    _reaching_spaces(function, store.address, address),
                )
                yield PointerStore(store.name, stored, target, store.place)
        yield from _declared(function, values)
        yield from _variables(function, values)
    yield from _enqueued(flows, held)


def _is_determined_locally(function: FunctionFlow, flow: Flow) -> bool:
    """Whether the function itself determines where a value comes from.

    False if the value is a generic parameter, another function's result, or a load from memory.
    """
    generic = {each.node for each in function.parameters if each.captured or each.transfer == TO_GENERIC}
    return all(
        atom.a not in generic if atom.kind == COPY else atom.kind in (BASE, OBJECT)
        for atom in origins(function, flow, set())
    )


def _variables(function: FunctionFlow, values: FunctionPointsTo) -> Iterator[Fact]:
    """Yields a fact for each generic pointer variable of a function, with the spaces that it may point into.

    There are no facts if no kernel calls the function, not even indirectly. Variables whose values come from
    other functions or from memory are not included.
    """
    if not values.reached:
        return
    assigned: dict[int, int] = {}
    flows: dict[int, list[Atom]] = {}
    for info, flow, bits in zip(function.infos, function.nodes, values.nodes, strict=True):
        if info.entity >= 0:
            assigned[info.entity] = assigned.get(info.entity, 0) | bits
            flows.setdefault(info.entity, []).extend(flow)
    for number, name, place in function.variables:
        bits = assigned.get(number, UNKNOWN)
        if not bits & UNKNOWN and _is_determined_locally(function, tuple(flows[number])):
            origin = Origin(EntityRef(function.id[0], number), 1)
            yield ReachedDeclaration(
                name, function.name, False, origin, _reaching_spaces(function, (), bits), place
            )


def _fits(function: FunctionFlow, values: FunctionPointsTo) -> bool:
    """Whether the numbers of events, stores, parameters and nodes in `values` are those of a graph.

    They may differ, because the solution may be that of an earlier text.
    """
    lengths = len(values.events), len(values.stores), len(values.parameters), len(values.nodes)
    parts = function.events, function.stores, function.parameters, function.nodes
    return lengths == tuple(map(len, parts))


def _of_event(
    function: FunctionFlow, event: Event, value: int, other: int, values: FunctionPointsTo
) -> Iterator[Fact]:
    if (value | other) & UNKNOWN:
        return
    if event.kind in (EventKind.DEREFERENCE, EventKind.BUILTIN):
        if not value & ~NULL and _is_certain_use(function, event, value, values):
            null = bool(value) or _flowed_through(function, event.value, "null")
            yield UnreachedPointerUse(
                null, event.name if event.kind == EventKind.BUILTIN else "", event.place
            )
        if event.kind == EventKind.BUILTIN and not event.target:
            yield ReachedObject(event.name, _reaching_spaces(function, event.value, value), event.place)
        return
    reaching = _reaching_spaces(function, event.value, value)
    if event.kind in (EventKind.CAST, EventKind.INTEGER):
        integer = event.kind == EventKind.INTEGER
        yield GenericCast(reaching, SPACE_OF_BIT[event.target], event.place, integer)
    elif event.kind == EventKind.ADDRESS_FUNCTION:
        tested = _is_narrowed(function, event.value)
        yield AddressSpaceTest(event.name, reaching, SPACE_OF_BIT[event.target], event.place, tested)
    elif event.kind == EventKind.COMPARISON:
        yield ReachedComparison(
            event.name, reaching, _reaching_spaces(function, event.other, other), event.place
        )


def _is_certain_use(function: FunctionFlow, event: Event, value: int, values: FunctionPointsTo) -> bool:
    """Whether an access through a pointer that points to no object certainly happens.

    `event` is the access. `value` is the pointer's points-to set, which is empty or contains only null. The
    first case that applies decides:

    - False for a call of a built-in function that accepts null.
    - False for an empty set if no kernel calls the function, directly or indirectly.
    - False for an empty set if a test has narrowed the pointer.
    - True if the pointer was tested and found to be null: `if (!p) *p = 0;`.
    - True if the access happens whenever the function runs, and the value of the pointer is determined
      within the function.
    - True if the access happens whenever the function runs, and some kernel always runs the function.
    - False otherwise.
    """
    if event.kind == EventKind.BUILTIN and (
        event.name in _ACCEPT_NULL or event.name.startswith(_COMPILER_PREFIX)
    ):
        return False
    if not value and (not values.reached or _is_narrowed(function, event.value)):
        return False
    if event.value and all(
        atom.kind == COPY and function.infos[atom.a].kind == "null" for atom in event.value
    ):
        return True
    return event.certain and (values.certain or _is_determined_locally(function, event.value))


def _is_narrowed(function: FunctionFlow, flow: Flow) -> bool:
    """Whether a test has narrowed the pointer `flow`, or a pointer from which it was copied.

    A test that found the pointer to be null does not count.
    """
    return _flowed_through(function, flow, "narrowed")


def _flowed_through(function: FunctionFlow, flow: Flow, kind: str) -> bool:
    """Whether the value flowed through a node of that kind."""
    seen: set[int] = set()
    for _ in origins(function, flow, seen):
        pass
    return any(function.infos[node].kind == kind for node in seen)


def _reaching_spaces(function: FunctionFlow, flow: Flow, bits: int) -> ReachingSpacesFact:
    spaces = tuple(SPACE_OF_BIT[bit] for bit in SPACE_BITS if bits & bit)
    sources = tuple(dict.fromkeys(_sources(function, flow)))
    return ReachingSpacesFact(spaces, bool(bits & NULL), sources)


def _sources(function: FunctionFlow, flow: Flow) -> Iterator[tuple[Space, Origin, str]]:
    """Yields the objects to which a value may point, if the function itself takes their addresses.

    Each object is given as its space, origin and name.
    """
    for atom in origins(function, flow, set()):
        found = object_of(atom)
        if found is not None:
            yield found


def _declared(function: FunctionFlow, values: FunctionPointsTo) -> Iterator[Fact]:
    """Yields a fact for each generic parameter of a function that a kernel calls, perhaps indirectly."""
    item, block = function.id
    if function.kernel or block or not values.reached:
        return
    for parameter, bits in zip(function.parameters, values.parameters, strict=True):
        if parameter.transfer == TO_GENERIC and not bits & UNKNOWN:
            origin = Origin(EntityRef(item, parameter.number), 1)
            reaching = _reaching_spaces(function, (), bits)
            yield ReachedDeclaration(parameter.name, function.name, True, origin, reaching, parameter.place)


def _enqueued(flows: tuple[FunctionFlow, ...], held: tuple[FunctionPointsTo, ...]) -> Iterator[Fact]:
    """Yields a fact for each pointer that an enqueued block of the item captures."""
    enqueued: set[FunctionId] = set()
    for function in flows:
        for call in function.calls:
            if call.enqueued:
                enqueued.update(_blocks(function, call.through))
    said: set[tuple[int, int]] = set()
    # inner blocks come first: what one captures, its enclosing blocks capture for it
    for function, values in zip(flows, held, strict=False):
        if function.id not in enqueued or not _fits(function, values):
            continue
        for parameter, bits in zip(function.parameters, values.parameters, strict=True):
            if parameter.captured and parameter.transfer == TO_GENERIC and not bits & UNKNOWN:
                place = function.infos[parameter.node].place
                if any(
                    number == parameter.number and place.first <= token_index < place.last
                    for number, token_index in said
                ):
                    continue
                said.add((parameter.number, place.first))
                origin = Origin(EntityRef(function.id[0], parameter.number), 0)
                yield EnqueuedCapture(parameter.name, _reaching_spaces(function, (), bits), origin, place)
        yield from _captured_members(function, values, flows)


def _captured_members(
    block: FunctionFlow, values: FunctionPointsTo, flows: tuple[FunctionFlow, ...]
) -> Iterator[EnqueuedCapture]:
    """Yields a fact for each pointer in a captured struct or array that an enqueued block dereferences.

    A struct or array counts as captured if it is a private object of the item and code outside the block
    stores to it.
    """
    for event, (bits, _) in zip(block.events, values.events, strict=True):
        if event.kind != EventKind.DEREFERENCE or bits & UNKNOWN:
            continue
        for atom in origins(block, event.value, set()):
            made = atom.a
            if atom.kind != CELL or not isinstance(made, ObjectId) or not isinstance(made.owner, EntityRef):
                continue
            around = any(
                each.kind == OBJECT and each.a == made
                for flow in flows
                if flow.id != block.id
                for store in flow.stores
                for each in store.address
            )
            if made.owner.item == block.id[0] and made.space is Space.PRIVATE and around:
                members = (member for member in atom.b if member != ANYWHERE)
                name = ".".join((made.name, *members))
                yield EnqueuedCapture(
                    name, _reaching_spaces(block, (), bits), Origin(made.owner, 0), event.place
                )


def _blocks(function: FunctionFlow, flow: Flow) -> Iterator[FunctionId]:
    for atom in origins(function, flow, set()):
        if atom.kind == BLOCK:
            yield atom.a
