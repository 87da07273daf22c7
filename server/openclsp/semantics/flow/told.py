"""What the flow of an item tells the rules: facts about pointers of which all that reaches them is known.

Where anything is not known there is no fact. So it is with what callers pass to a function that is called, but that no
kernel reaches: others may call it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.entities import EntityRef, Origin, Place
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.reaching import (
    AddressQuestion,
    EmptyUse,
    EnqueuedCapture,
    PointerStore,
    ReachedCast,
    ReachedComparison,
    ReachedDeclaration,
    Reaching,
    ReturnedAddress,
)
from openclsp.semantics.flow.graph import (
    BASE,
    BLOCK,
    COPY,
    OBJECT,
    RESULT,
    Atom,
    CallSite,
    Declared,
    Event,
    EventKind,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
)
from openclsp.semantics.flow.queries import HeldByFunction
from openclsp.semantics.flow.transfers import (
    BIT_OF_SPACE,
    NULL,
    PRIVATE,
    SPACE_BITS,
    SPACE_OF_BIT,
    TO_GENERIC,
    UNKNOWN,
    table_of,
)

Callees = Callable[[EntityRef], tuple[FunctionFlow, ...]]
"""The definitions of the function that an entity declares."""

_LOOK_AT_NOTHING = frozenset(
    ("enqueue_kernel", "enqueue_marker", "get_fence", "prefetch", "printf", "wait_group_events")
)
"""The built-in functions that do nothing with a null pointer, or may be given one for an empty list."""
_MAXIMUM_DEPTH = 8
"""Through how many calls a returned address is followed."""


def flow_facts(
    flows: tuple[FunctionFlow, ...], held: tuple[HeldByFunction, ...], callees: Callees
) -> Iterator[Fact]:
    """What is to be told of an item's function and blocks. `held` is what the solution says they hold."""
    summaries = _Summaries(callees)
    for function, values in zip(flows, held, strict=False):
        if not _fits(function, values):
            continue
        yield from _returned(function, summaries)
        if values.called and not values.reached:
            continue
        for event, bits in zip(function.events, values.events, strict=True):
            yield from _of_event(function, event, *bits, reached=values.reached)
        for store, (address, value) in zip(function.stores, values.stores, strict=True):
            if not (address | value) & UNKNOWN:
                stored, target = (
                    _reaching(function, store.value, value),
                    _reaching(function, store.address, address),
                )
                yield PointerStore(store.name, stored, target, store.place)
        yield from _declared(function, values)
        yield from _variables(function, values)
    yield from _enqueued(flows, held)


def _is_shown(function: FunctionFlow, flow: Flow) -> bool:
    """Whether the function itself shows where a value comes from: not another function's generic result or argument, nor
    memory."""
    generic = {each.node for each in function.parameters if each.captured or each.transfer == TO_GENERIC}
    return all(
        atom.a not in generic if atom.kind == COPY else atom.kind in (BASE, OBJECT)
        for atom in _ends(function, flow, set())
    )


def _variables(function: FunctionFlow, values: HeldByFunction) -> Iterator[Fact]:
    """The generic variables of a function that a kernel reaches, with all that is ever assigned to them, where the function
    itself shows that."""
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
        if not bits & UNKNOWN and _is_shown(function, tuple(flows[number])):
            origin = Origin(EntityRef(function.id[0], number), 1)
            yield ReachedDeclaration(name, function.name, False, origin, _reaching(function, (), bits), place)


def _fits(function: FunctionFlow, values: HeldByFunction) -> bool:
    """Whether the values are of this flow, as far as can be seen: the solution may be of a moment ago, and will follow."""
    lengths = len(values.events), len(values.stores), len(values.parameters), len(values.nodes)
    parts = function.events, function.stores, function.parameters, function.nodes
    return lengths == tuple(map(len, parts))


def _of_event(
    function: FunctionFlow, event: Event, value: int, other: int, *, reached: bool
) -> Iterator[Fact]:
    if (value | other) & UNKNOWN:
        return
    if event.kind in (EventKind.DEREFERENCE, EventKind.BUILTIN):
        used = event.kind == EventKind.DEREFERENCE or event.name not in _LOOK_AT_NOTHING
        certain = bool(value) or (reached and not _is_narrowed(function, event.value))
        if used and certain and not value & ~NULL:
            yield EmptyUse(bool(value), event.name if event.kind == EventKind.BUILTIN else "", event.place)
        return
    reaching = _reaching(function, event.value, value)
    if event.kind in (EventKind.CAST, EventKind.INTEGER):
        integer = event.kind == EventKind.INTEGER
        yield ReachedCast(reaching, SPACE_OF_BIT[event.target], event.place, integer)
    elif event.kind == EventKind.ADDRESS_FUNCTION:
        tested = _is_narrowed(function, event.value)
        yield AddressQuestion(event.name, reaching, SPACE_OF_BIT[event.target], event.place, tested)
    elif event.kind == EventKind.COMPARISON:
        yield ReachedComparison(event.name, reaching, _reaching(function, event.other, other), event.place)


def _is_narrowed(function: FunctionFlow, flow: Flow) -> bool:
    """Whether a test has taken away what the pointer held: then it is the test that is certain."""
    seen: set[int] = set()
    for _ in _ends(function, flow, seen):
        pass
    return any(function.infos[node].kind == "narrowed" for node in seen)


def _reaching(function: FunctionFlow, flow: Flow, bits: int) -> Reaching:
    spaces = tuple(SPACE_OF_BIT[bit] for bit in SPACE_BITS if bits & bit)
    sources = tuple(dict.fromkeys(_sources(function, flow)))
    return Reaching(spaces, bool(bits & NULL), sources)


def _ends(function: FunctionFlow, flow: Flow, seen: set[int], only: int = 0) -> Iterator[Atom]:
    """Where a value comes from, through the function's nodes: all that is no copy, and the parameters. `seen` takes the
    nodes; with `only`, a basic bit, those ways alone on which it is kept."""
    todo = list(reversed(flow))
    while todo:
        atom = todo.pop()
        if only and not table_of(atom.transfer)[only] & only:
            continue
        if atom.kind != COPY or not isinstance(atom.a, int):
            yield atom
        elif atom.a not in seen:
            seen.add(atom.a)
            inner = function.nodes[atom.a]
            if inner:
                todo += reversed(inner)
            else:
                yield atom


def _sources(function: FunctionFlow, flow: Flow) -> Iterator[tuple[Space, Origin, str]]:
    """The objects that the function itself names, and that a value may point to."""
    for atom in _ends(function, flow, set()):
        found = _object(atom)
        if found is not None:
            yield found


def _object(atom: Atom) -> tuple[Space, Origin, str] | None:
    """The object whose address an atom is, or the parameter that points to it."""
    if atom.kind == BASE and isinstance(atom.b, Declared) and atom.b.ref is not None:
        space = SPACE_OF_BIT.get(atom.a) if isinstance(atom.a, int) else None
        level = 1 if atom.b.what.endswith("parameter") else 0
        return None if space is None else (space, Origin(atom.b.ref, level), atom.b.name)
    if atom.kind == OBJECT and isinstance(atom.a, ObjectId) and isinstance(atom.a.owner, EntityRef):
        space = atom.a.space
        return None if space not in BIT_OF_SPACE else (space, Origin(atom.a.owner, 0), atom.a.name)
    return None


def _declared(function: FunctionFlow, values: HeldByFunction) -> Iterator[Fact]:
    """The generic parameters of a function that is called, and that a kernel reaches."""
    item, block = function.id
    if function.kernel or block or not values.reached:
        return
    for parameter, bits in zip(function.parameters, values.parameters, strict=True):
        if parameter.transfer == TO_GENERIC and not bits & UNKNOWN:
            origin = Origin(EntityRef(item, parameter.number), 1)
            reaching = _reaching(function, (), bits)
            yield ReachedDeclaration(parameter.name, function.name, True, origin, reaching, parameter.place)


def _enqueued(flows: tuple[FunctionFlow, ...], held: tuple[HeldByFunction, ...]) -> Iterator[Fact]:
    """What the blocks of an item have captured that are enqueued in it."""
    enqueued: set[FunctionId] = set()
    for function in flows:
        for call in function.calls:
            if call.enqueued:
                enqueued.update(_blocks(function, call.through))
    for function, values in zip(flows, held, strict=False):
        if function.id not in enqueued or not _fits(function, values):
            continue
        for parameter, bits in zip(function.parameters, values.parameters, strict=True):
            if parameter.captured and parameter.transfer == TO_GENERIC and not bits & UNKNOWN:
                origin = Origin(EntityRef(function.id[0], parameter.number), 0)
                reaching = _reaching(function, (), bits)
                place = function.infos[parameter.node].place
                yield EnqueuedCapture(parameter.name, reaching, origin, place)


def _blocks(function: FunctionFlow, flow: Flow) -> Iterator[FunctionId]:
    for atom in _ends(function, flow, set()):
        if atom.kind == BLOCK:
            yield atom.a


# --- addresses of a function's own variables that it returns


def _returned(function: FunctionFlow, summaries: _Summaries) -> Iterator[ReturnedAddress]:
    if function.id[1]:
        return
    for event in function.events:
        if event.kind != EventKind.RETURN:
            continue
        # the expression between `return` and the semicolon
        place = Place(event.place.first + 1, max(event.place.last - 1, event.place.first + 2))
        found = dict.fromkeys(_own_variables(function, event.value, summaries))
        for name, ref, helpers in found:
            yield ReturnedAddress(name, Origin(ref, 0), helpers, place)


def _own_variables(
    function: FunctionFlow, flow: Flow, summaries: _Summaries
) -> Iterator[tuple[str, EntityRef, tuple[str, ...]]]:
    """The function's own variables in private memory to which a value certainly points on one of its ways, each with the
    calls through which it comes back."""
    todo: list[tuple[Flow, tuple[str, ...]]] = [(flow, ())]
    called: set[int] = set()
    while todo:
        value, helpers = todo.pop()
        for atom in _ends(function, value, set(), PRIVATE):
            if atom.kind == RESULT and isinstance(atom.a, int):
                if atom.a not in called:
                    called.add(atom.a)
                    call = function.calls[atom.a]
                    todo += ((given, (*helpers, call.name)) for given in summaries.handed_back(call))
                continue
            found = _object(atom)
            own = found is not None and found[0] is Space.PRIVATE and found[1].level == 0
            if found is not None and own and found[1].entity.item == function.id[0]:
                yield found[2], found[1].entity, helpers


class _Summaries:
    """Which of its parameters each function returns. One that calls itself on the way counts as returning none there."""

    def __init__(self, callees: Callees) -> None:
        self._callees = callees
        self._known: dict[FunctionId, frozenset[int]] = {}
        self._depth = 0

    def handed_back(self, call: CallSite) -> Iterator[Flow]:
        """The arguments of a call that may come back as its result."""
        for callee in self._callees(call.callee) if call.callee is not None else ():
            for number in sorted(self._returned(callee)):
                if number < len(call.arguments):
                    yield call.arguments[number]

    def _returned(self, function: FunctionFlow) -> frozenset[int]:
        if function.id in self._known or self._depth == _MAXIMUM_DEPTH:
            return self._known.get(function.id, frozenset())
        self._known[function.id] = frozenset()
        self._depth += 1
        numbers = {parameter.node: number for number, parameter in enumerate(function.parameters)}
        found: set[int] = set()
        todo: list[Flow] = [function.nodes[function.result]]
        called: set[int] = set()
        while todo:
            for atom in _ends(function, todo.pop(), set(), PRIVATE):
                if atom.kind == COPY and atom.a in numbers:
                    found.add(numbers[atom.a])
                elif atom.kind == RESULT and isinstance(atom.a, int) and atom.a not in called:
                    called.add(atom.a)
                    todo += self.handed_back(function.calls[atom.a])
        self._depth -= 1
        self._known[function.id] = frozenset(found)
        return self._known[function.id]
