"""Addresses of a function's own variables that it returns: directly, in a struct, out of its own memory, and through helpers
that hand back what they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.entities import EntityRef, Origin, Place
from openclsp.semantics.facts.reaching import ReturnedAddress
from openclsp.semantics.flow.ends import ends, object_of
from openclsp.semantics.flow.graph import (
    BASE,
    CELL,
    COPY,
    LOAD,
    OBJECT,
    RESULT,
    Atom,
    CallSite,
    EventKind,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
    Path,
    Store,
)
from openclsp.semantics.flow.layout import extended, touched, within
from openclsp.semantics.flow.transfers import NULL, PRIVATE

Callees = Callable[[EntityRef], tuple[FunctionFlow, ...]]
"""The definitions of the function that an entity declares."""
_MAXIMUM_DEPTH = 8
"""Through how many calls a returned address is followed."""


def returned_addresses(function: FunctionFlow, summaries: Summaries) -> Iterator[ReturnedAddress]:
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
    function: FunctionFlow, flow: Flow, summaries: Summaries
) -> Iterator[tuple[str, EntityRef, tuple[str, ...]]]:
    """The function's own variables in private memory to which a value certainly points on one of its ways, each with the
    calls through which it comes back."""
    todo: list[tuple[Flow, tuple[str, ...]]] = [(flow, ())]
    called: set[int] = set()
    while todo:
        value, helpers = todo.pop()
        for atom in ends(function, value, set(), PRIVATE):
            if atom.kind == RESULT and isinstance(atom.a, int):
                if atom.a not in called:
                    called.add(atom.a)
                    call = function.calls[atom.a]
                    todo += ((given, (*helpers, call.name)) for given in summaries.handed_back(call))
                continue
            for name, ref in _own_variable(function, atom) or _in_memory(function, atom):
                yield name, ref, helpers


def _own_variable(function: FunctionFlow, atom: Atom) -> tuple[tuple[str, EntityRef], ...]:
    """The function's own variable in private memory whose address an atom is."""
    found = object_of(atom)
    if found is None or found[0] is not Space.PRIVATE or found[1].level != 0:
        return ()
    ref = found[1].entity
    return ((found[2], ref),) if ref.item == function.id[0] else ()


def _in_memory(
    function: FunctionFlow, atom: Atom, seen: frozenset[Atom] = frozenset()
) -> tuple[tuple[str, EntityRef], ...]:
    """The function's own variables to which a pointer in its own memory points, where it points to no others."""
    found: dict[tuple[str, EntityRef], None] = {}
    for made, path in _own_cells(function, atom):
        for store in function.stores:
            if not _may_store(function, store, made, path):
                continue
            for value in (*ends(function, store.value, set()), *ends(function, store.copied, set())):
                if store.copied or value in seen:
                    return ()
                if value.kind == BASE and value.a == NULL:
                    continue
                inner = _own_variable(function, value) or _in_memory(function, value, seen | {value})
                if not inner:
                    return ()
                found.update(dict.fromkeys(inner))
    return tuple(found)


def _own_cells(function: FunctionFlow, atom: Atom) -> list[tuple[ObjectId, Path]]:
    """The parts of the function's own objects from which an atom is read; none where there may be others."""
    if atom.kind == CELL:
        read = [(atom.a, atom.b)]
    elif atom.kind == LOAD:
        read = [
            (each.a, extended(each.b, atom.b)) if each.kind == OBJECT else (None, ())
            for each in ends(function, function.nodes[atom.a], set())
        ]
    else:
        return []
    own = all(
        isinstance(made, ObjectId) and made.space is Space.PRIVATE and made.kind in ("variable", "literal")
        for made, _ in read
    )
    return [(made, path) for made, path in read if isinstance(made, ObjectId)] if own else []


def _may_store(function: FunctionFlow, store: Store, made: ObjectId, path: Path) -> bool:
    """Whether the function shows that it stores to that part of the object."""
    wanted = touched(made.leaves, within(made.leaves, path))
    return any(
        atom.kind == OBJECT
        and atom.a == made
        and not set(wanted).isdisjoint(
            touched(made.leaves, within(made.leaves, extended(atom.b, store.path)))
        )
        for atom in ends(function, store.address, set())
    )


class Summaries:
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
            for atom in ends(function, todo.pop(), set(), PRIVATE):
                if atom.kind == COPY and atom.a in numbers:
                    found.add(numbers[atom.a])
                elif atom.kind == RESULT and isinstance(atom.a, int) and atom.a not in called:
                    called.add(atom.a)
                    todo += self.handed_back(function.calls[atom.a])
        self._depth -= 1
        self._known[function.id] = frozenset(found)
        return self._known[function.id]
