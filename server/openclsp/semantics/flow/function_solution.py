"""Solves one function in terms of its parameters.

The result is its sets, its reads from the unit and its contributions to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, Protocol

from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    BLOCK,
    CELL,
    COPY,
    DATA,
    LOAD,
    OBJECT,
    RESULT,
    Atom,
    CallSite,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
    Path,
    Store,
)
from openclsp.semantics.flow.object_layout import extended, overlapping_pointers, within
from openclsp.semantics.flow.points_to_sets import (
    Block,
    Sets,
    SetSymbol,
    Target,
)
from openclsp.semantics.flow.transfers import BASIC, LOCAL, NAMED, NULL, SPACE_BITS, UNKNOWN

_DEFINITION = "function_definition"
Variable = tuple[Any, ...]
"""`("in", function, parameter)`, `("out", function)`, `("cell", object, path)`, `("data", space bit)`"""


class FunctionSolution(NamedTuple):
    """A solved function: its sets, its reads and its contributions.

    The sets, one for each node, are in terms of the parameters. `reads_for_result` are the reads made before
    contributions were computed.
    """

    flow: FunctionFlow
    sets: list[int]
    reads_for_result: frozenset[Variable]
    reads: frozenset[Variable]
    watched: frozenset[Variable]
    """Variables read only to publish what pointers hold.

    If one changes, the item is published again, but not re-solved.
    """
    contributions: dict[Variable, int]

    def below(self, ceiling: dict[Variable, int] | None) -> FunctionSolution:
        """Intersects the contributions with those in `ceiling`, if given."""
        if ceiling is None:
            return self
        limited = {each: bits & ceiling.get(each, 0) for each, bits in self.contributions.items()}
        return self._replace(contributions=limited)


class SolutionView(Protocol):
    """The interface of a solution to its solvers.

    It gives the shared sets and the other functions.
    """

    sets: Sets

    def value(self, variable: Variable, reached: bool) -> int:
        """Returns the set of a variable."""

    def substituted(self, function: FunctionId, bits: int, reached: bool) -> int:
        """Replaces the symbols of a function's set by the arguments passed to its parameters."""

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function of the unit calls the function."""

    def is_reached(self, function: FunctionId) -> bool:
        """Whether a kernel of the unit reaches the function."""

    def callees_of_call(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        """Yields the functions and blocks that a call runs."""

    def is_shared(self, key: ItemKey, name: str) -> bool:
        """Whether code outside the unit may call an item's function, or set its variable."""


class Solver:
    """Solves one function, or answers queries about its values."""

    def __init__(self, solution: SolutionView, flow: FunctionFlow) -> None:
        self.solution, self.flow, self.numbering = solution, flow, solution.sets
        self.reads: set[Variable] = set()
        self.reached = solution.is_reached(flow.id)
        self.from_outside = is_called_from_outside(solution, flow)
        self.sets = [0] * len(flow.nodes)
        for number, parameter in enumerate(flow.parameters):
            bits = self.numbering.number(SetSymbol(number, parameter.transfer))
            if self.from_outside:
                for atom in parameter.base:
                    bits |= self._atom(atom)
            self.sets[parameter.node] = bits

    def _read(self, variable: Variable, reached: bool | None = None) -> int:
        self.reads.add(variable)
        return self.solution.value(variable, self.reached if reached is None else reached)

    def run(self) -> FunctionSolution:
        """Iterates over the nodes until a fixpoint; the sets only grow."""
        nodes, sets = self.flow.nodes, self.sets
        todo = [number for number, flow in enumerate(nodes) if flow]
        moving = True
        while moving:
            moving = False
            for number in todo:
                bits = sets[number]
                for atom in nodes[number]:
                    bits |= self._atom(atom)
                if bits != sets[number]:
                    sets[number] = bits
                    moving = True
        for_result = frozenset(self.reads)
        contributions = self._contributions()
        reads = frozenset(self.reads)
        self._read_published()
        return FunctionSolution(
            self.flow, sets, for_result, reads, frozenset(self.reads - reads), contributions
        )

    def _read_published(self) -> None:
        """Reads the variables needed only to publish what the function's pointers hold."""
        for event in self.flow.events:
            self.substituted(event.value)
            self.substituted(event.other)
        for store in self.flow.stores:
            self.substituted(store.value)
            self.substituted(store.copied)
        for _, flow in self.flow.names:
            self.substituted(flow)

    def value(self, flow: Flow) -> int:
        """Returns the set of a value in terms of the parameters."""
        bits = 0
        for atom in flow:
            bits |= self._atom(atom)
        return bits

    def substituted(self, flow: Flow) -> int:
        """Returns the set of a value, with arguments in place of parameters."""
        return self.concrete_bits(self.value(flow))

    def concrete_bits(self, bits: int) -> int:
        """Replaces the symbols of a set by the arguments passed to the parameters."""
        symbols = bits & self.numbering.symbols
        for set_member in self.numbering.listed(symbols):
            assert isinstance(set_member, SetSymbol)
            self.reads.add(("in", self.flow.id, set_member.parameter))
        return self.solution.substituted(self.flow.id, bits, self.reached)

    def without_transfer(self, atom: Atom) -> int:
        """Returns the set of an atom's source, before its transfer."""
        return self._source(atom)

    def _atom(self, atom: Atom) -> int:
        return self.numbering.applied(atom.transfer, self._source(atom))

    def _source(self, atom: Atom) -> int:
        bits: int
        kind = atom.kind
        if kind == COPY:
            bits = self.sets[atom.a]
            if atom.b:
                bits = self._moved(bits, atom.b)
        elif kind == BASE:
            bits = atom.a
        elif kind == OBJECT:
            bits = self.numbering.number(Target(atom.a, atom.b))
        elif kind == BLOCK:
            bits = self.numbering.number(Block(atom.a))
        elif kind == CELL:
            bits = self._cells(atom.a, atom.b)
        elif kind == LOAD:
            bits = self._loaded(self.sets[atom.a], atom.b)
        elif kind == DATA:
            bits = UNKNOWN | self._read(("data", atom.a))
        else:
            assert kind == RESULT
            bits = self._result(self.flow.calls[atom.a])
        return bits

    def _moved(self, bits: int, path: Path) -> int:
        """Returns the addresses of member `path` of the objects in the set `bits`.

        The objects of a parameter's symbol are unknown, so those of all its arguments are used instead.
        """
        result = bits & (BASIC & ~NULL) | bits & self.numbering.kept
        concrete = self.concrete_bits(bits)
        result |= concrete & (BASIC & ~NULL)
        for set_member in self.numbering.listed(concrete):
            if isinstance(set_member, Target):
                part = within(set_member.object.pointer_paths, extended(set_member.path, path))
                result |= self.numbering.number(Target(set_member.object, part))
        return result

    def _cells(self, made: ObjectId, path: Path) -> int:
        bits = UNKNOWN if self._is_open(made) else 0
        for variable in _cells_of(made, path):
            bits |= self._read(variable)
        return bits

    def variables_of(self, atom: Atom) -> tuple[Variable, ...]:
        """Returns the variables that a load reads."""
        if atom.kind == DATA:
            return (("data", atom.a),)
        if atom.kind == CELL:
            assert isinstance(atom.a, ObjectId) and isinstance(atom.b, tuple)
            return _cells_of(atom.a, atom.b)
        return self._part_of(self.concrete_bits(self.sets[atom.a]), atom.b)

    def copied_to(self, store: Store, variable: Variable) -> tuple[Variable | None, ...]:
        """Returns the variables from which a copy contributes to one; None for unknown contents."""
        pairs = self._copied(self.substituted(store.address), self.substituted(store.copied))
        return tuple(source for target, source in pairs if target == variable)

    def stored_to(self, store: Store) -> tuple[Variable, ...]:
        """Returns the variables to which a store contributes."""
        return self._part_of(self.substituted(store.address), store.path)

    def _part_of(self, address: int, path: Path) -> tuple[Variable, ...]:
        found: list[Variable] = [("data", space) for space in SPACE_BITS if address & space]
        for set_member in self.numbering.listed(address):
            if isinstance(set_member, Target):
                found += _cells_of(set_member.object, extended(set_member.path, path))
        return tuple(found)

    def _loaded(self, pointers: int, path: Path) -> int:
        concrete = self.concrete_bits(pointers)
        bits = UNKNOWN if concrete & (BASIC & ~NULL) else 0
        for variable in self._part_of(concrete, path):
            bits |= self._read(variable)
        if any(
            isinstance(each, Target) and self._is_open(each.object)
            for each in self.numbering.listed(concrete)
        ):
            bits |= UNKNOWN
        return bits

    def _is_open(self, made: ObjectId) -> bool:
        """Whether code outside the unit may have stored anything in an object."""
        owner = made.owner
        if made.kind != "variable" or not isinstance(owner, EntityRef) or owner.item[0] == _DEFINITION:
            return made.kind == "host"
        return self.solution.is_shared(owner.item, made.name)

    def _result(self, call: CallSite) -> int:
        """Returns the result of a call: the callees' summaries with the call's own arguments substituted."""
        through = self.concrete_bits(self.value(call.through)) if call.through else 0
        callees = list(self._callees_of_call(call, through))
        if not callees and not call.through:
            return UNKNOWN
        bits = through & UNKNOWN
        for callee in callees:
            returned = self._read(("out", callee.id))
            bits |= returned & ~self.numbering.symbols
            for set_member in self.numbering.listed(returned & self.numbering.symbols):
                assert isinstance(set_member, SetSymbol)
                if (
                    set_member.parameter < len(call.arguments)
                    and not callee.parameters[set_member.parameter].captured
                ):
                    given = self.value(call.arguments[set_member.parameter])
                else:
                    given = self._read(("in", callee.id, set_member.parameter))
                bits |= self.numbering.applied(set_member.transfer, given)
        return bits

    def callees(self, call: CallSite) -> Iterable[FunctionFlow]:
        """Returns the functions and blocks that a call may run."""
        return self._callees_of_call(call, self.substituted(call.through) if call.through else 0)

    def _callees_of_call(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        return self.solution.callees_of_call(call, through)

    def _contributions(self) -> dict[Variable, int]:
        given: dict[Variable, int] = {("out", self.flow.id): self.sets[self.flow.result]}
        for store in self.flow.stores:
            # An empty value contributes too: dependencies are taken from the edges, whatever bits flow along
            # them.
            address = self.substituted(store.address)
            if store.copied:
                for variable, source in self._copied(address, self.substituted(store.copied)):
                    bits = UNKNOWN if source is None else self._read(source)
                    given[variable] = given.get(variable, 0) | bits
            else:
                self._store(given, address, store.path, self.substituted(store.value))
        for call in self.flow.calls:
            self._call(given, call)
        return given

    def _copied(self, address: int, copied: int) -> Iterator[tuple[Variable, Variable | None]]:
        """Yields (target, source) variables of a copy, object by object; the source None is unknown."""
        targets, sources = self._parts(address), self._parts(copied)
        for target, place in targets:
            for source, other in sources:
                if place is not None and place.keys() == (other or {}).keys():
                    yield from ((variable, (other or {})[part_path]) for part_path, variable in place.items())
                else:
                    yield from product(target, source)
            if copied & NAMED:
                yield from ((variable, None) for variable in target)

    def _parts(self, address: int) -> list[tuple[tuple[Variable, ...], dict[Path, Variable] | None]]:
        """Returns the contents of the objects that an address points to.

        For each object, as a tuple and by path. The dictionary is relative to the address; None if the part
        of the object is unknown.
        """
        found: list[tuple[tuple[Variable, ...], dict[Path, Variable] | None]] = [
            ((("data", space),), None) for space in SPACE_BITS if address & space
        ]
        for set_member in self.numbering.listed(address):
            if isinstance(set_member, Target):
                pointer_paths = overlapping_pointers(
                    set_member.object.pointer_paths, within(set_member.object.pointer_paths, set_member.path)
                )
                cells = tuple(("cell", set_member.object, pointer_path) for pointer_path in pointer_paths)
                known = (
                    set_member.path[-1:] != (ANYWHERE,) or set_member.path in set_member.object.pointer_paths
                )
                by_path = {
                    pointer_path[len(set_member.path) :]: cell
                    for pointer_path, cell in zip(pointer_paths, cells, strict=True)
                }
                found.append((cells, by_path if known else None))
        return found

    def _store(self, given: dict[Variable, int], address: int, path: Path, value: int) -> None:
        for variable in self._part_of(address, path):
            given[variable] = given.get(variable, 0) | value

    def _store_anything(self, given: dict[Variable, int], address: int) -> None:
        """Stores unknown in all memory reachable from an address, as an unknown function may."""
        seen = 0
        while address & ~seen:
            new, seen = address & ~seen, address | seen
            for variable in self._part_of(new, (ANYWHERE,)):
                address |= self._read(variable)
                given[variable] = given.get(variable, 0) | UNKNOWN

    def _call(self, given: dict[Variable, int], call: CallSite) -> None:
        through = self.concrete_bits(self.value(call.through)) if call.through else 0
        callees = list(self._callees_of_call(call, through))
        for callee in callees:
            for number, parameter in enumerate(callee.parameters):
                variable = ("in", callee.id, number)
                if call.enqueued:
                    if not parameter.captured:
                        given[variable] = given.get(variable, 0) | LOCAL
                elif number < len(call.arguments) and parameter.captured == (call.block is not None):
                    argument = call.arguments[number]
                    if argument:
                        given[variable] = given.get(variable, 0) | self.substituted(argument)
        if not callees and not call.through:
            for argument in call.arguments:
                self._store_anything(given, self.substituted(argument))


def is_called_from_outside(unit: SolutionView, flow: FunctionFlow) -> bool:
    """Whether a function is called from outside the unit.

    The host or other programs may then pass more to its parameters than the unit's calls do.
    """
    if flow.kernel or not unit.is_called(flow.id):
        return True
    return not flow.id[1] and unit.is_shared(flow.id[0], flow.name)


def _cells_of(made: ObjectId, path: Path) -> tuple[Variable, ...]:
    """Returns the pointers that an access to a part may touch."""
    return tuple(
        ("cell", made, pointer_path)
        for pointer_path in overlapping_pointers(made.pointer_paths, within(made.pointer_paths, path))
    )
