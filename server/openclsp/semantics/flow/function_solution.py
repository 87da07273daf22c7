"""Solves one function in terms of its parameters.

The result consists of the points-to sets of the function's nodes, the flow variables that the function reads
(see `value_sets.Variable`), and its contributions to flow variables.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from openclsp.semantics.flow.graph import ANYWHERE, CallSite, FunctionFlow, Path, Store
from openclsp.semantics.flow.object_layout import overlapping_pointers, within
from openclsp.semantics.flow.pipes import PIPE
from openclsp.semantics.flow.points_to_sets import Effect, SetSymbol, Target
from openclsp.semantics.flow.transfers import LOCAL, NAMED, SPACE_BITS, UNKNOWN
from openclsp.semantics.flow.value_sets import ValueSets, Variable


class FunctionSolution(NamedTuple):
    """A solved function: its points-to sets, and the flow variables that it reads and contributes to.

    There is one set for each node, in terms of the parameters. `reads_for_result` contains the flow variables
    on which the function's result and effects depend. `reads` contains these, and those on which the
    function's other contributions depend.
    """

    flow: FunctionFlow
    sets: list[int]
    reads_for_result: frozenset[Variable]
    reads: frozenset[Variable]
    watched: frozenset[Variable]
    """Flow variables read only to publish the points-to sets of uses, stores and names.

    If one changes, the item is published again, but not re-solved.
    """
    contributions: dict[Variable, int]

    def below(self, ceiling: dict[Variable, int] | None) -> FunctionSolution:
        """Returns the solution with the contributions limited to the sets in `ceiling`, by flow variable.

        A contribution to a flow variable that is not in `ceiling` becomes empty. If `ceiling` is None,
        nothing is limited.
        """
        if ceiling is None:
            return self
        limited = {each: bits & ceiling.get(each, 0) for each, bits in self.contributions.items()}
        return self._replace(contributions=limited)


class Solver(ValueSets):
    """Solves one function, or answers queries about its values."""

    def run(self) -> FunctionSolution:
        """Solves the function: iterates over its nodes until a fixpoint. The sets only grow."""
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
        effects = self._effects() if self.symbolic else 0
        for_result = frozenset(self.reads)
        contributions = self._contributions()
        contributions["effects", self.flow.id] = effects
        reads = frozenset(self.reads)
        self._read_published()
        return FunctionSolution(
            self.flow, sets, for_result, reads, frozenset(self.reads - reads), contributions
        )

    def _read_published(self) -> None:
        """Reads the flow variables on which only the published points-to sets depend.

        These are the points-to sets of uses, stores and names.
        """
        for event in self.flow.events:
            self.substituted(event.value)
            self.substituted(event.other)
        for store in self.flow.stores:
            self.substituted(store.value)
            self.substituted(store.copied)
        for _, flow in self.flow.names:
            self.substituted(flow)

    def copied_to(self, store: Store, variable: Variable) -> tuple[Variable | None, ...]:
        """Returns the flow variables from which `store`, which copies memory, contributes to `variable`.

        None among them stands for unknown contents.
        """
        pairs = self._copied(self.substituted(store.address), self.substituted(store.copied))
        return tuple(source for target, source in pairs if target == variable)

    def parts_of(self, address: int, path: Path) -> tuple[Variable, ...]:
        """Returns the flow variables of the part at `path` of the objects to which the set `address` points.

        Symbols in the set, which stand for what callers pass, are ignored.
        """
        return self._part_of(address, path)

    def _contributions(self) -> dict[Variable, int]:
        given: dict[Variable, int] = {("out", self.flow.id, ()): self.sets[self.flow.result]}
        for path, node in self.flow.results:
            given["out", self.flow.id, path] = self.sets[node]
        for store in self.flow.stores:
            # An empty value contributes too: dependencies are taken from the edges, whatever bits flow along
            # them.
            if store.copied:
                address = self.substituted(store.address)
                for variable, source in self._copied(address, self.substituted(store.copied)):
                    bits = UNKNOWN if source is None else self._read(source)
                    given[variable] = given.get(variable, 0) | bits
            else:
                self._put(given, self.value(store.address), store.path, self.value(store.value))
        for call in self.flow.calls:
            self._call(given, call)
        return given

    def _effects(self) -> int:
        """Returns, as a set of `Effect`s, the stores of one parameter's value through another parameter.

        Each caller makes these stores with its own arguments.
        """
        stores = [
            (self.value(store.address), store.path, self.value(store.value))
            for store in self.flow.stores
            if not store.copied
        ]
        for call in self.flow.calls:
            if call.callee is not None:
                for callee in self._callees_of_call(call, 0):
                    stores += self._effects_of(call, callee)
        found = 0
        for address, path, value in stores:
            for target in self.numbering.listed(address & self.numbering.symbols):
                for source in self.numbering.listed(value & self.numbering.symbols):
                    assert isinstance(target, SetSymbol) and isinstance(source, SetSymbol)
                    found |= self.numbering.number(Effect(target, path, source))
        return found

    def _effects_of(self, call: CallSite, callee: FunctionFlow) -> Iterator[tuple[int, Path, int]]:
        """Yields the address, path and value of each store of a callee, with a call's arguments inserted."""
        for effect in self.effects_in(callee):
            address, value = self.instantiated_effect(call, callee, effect)
            yield address, effect.path, value

    def effects_in(self, callee: FunctionFlow) -> Iterator[Effect]:
        """Yields the callee's stores of one parameter's value through another parameter.

        Each caller makes these stores with its own arguments.
        """
        for effect in self.numbering.listed(self._read(("effects", callee.id))):
            assert isinstance(effect, Effect)
            yield effect

    def instantiated_effect(self, call: CallSite, callee: FunctionFlow, effect: Effect) -> tuple[int, int]:
        """Returns the address and the value of a callee's store, with a call's arguments substituted."""
        address = self.argument(call, callee, effect.address.parameter)
        value = self.argument(call, callee, effect.value.parameter)
        return self.instantiated(effect.address, address), self.instantiated(effect.value, value)

    def _put(self, given: dict[Variable, int], address: int, path: Path, value: int) -> None:
        """Adds the contributions of a store to `given`.

        A store of one parameter's value through another parameter is not added: `_effects` returns it.
        """
        to, what = address & self.numbering.symbols, value & self.numbering.symbols
        if not self.symbolic or not to or not what:
            self._store(given, self.concrete_bits(address), path, self.concrete_bits(value))
            return
        self._store(given, self.concrete_bits(to), path, value & ~what)
        self._store(given, address & ~to, path, self.concrete_bits(value))

    def _copied(self, address: int, copied: int) -> Iterator[tuple[Variable, Variable | None]]:
        """Yields the (target, source) flow variables of a copy of memory, for each pair of objects.

        The source None stands for unknown contents.
        """
        targets, sources = self._parts(address), self._parts(copied)
        for target, place in targets:
            for source, other in sources:
                if place is not None and place.keys() == (other or {}).keys():
                    yield from ((variable, (other or {})[part_path]) for part_path, variable in place.items())
                else:
                    yield from product(target, source)
            if copied & NAMED or self._may_read_pipe_of_others(copied):
                yield from ((variable, None) for variable in target)

    def _may_read_pipe_of_others(self, copied: int) -> bool:
        """Whether the source of a copy may be a pipe to which no function of the unit writes."""
        return any(
            isinstance(each, Target)
            and each.object.kind == PIPE
            and each.object.owner not in self.solution.pipes.types
            for each in self.numbering.listed(copied)
        )

    def _parts(self, address: int) -> list[tuple[tuple[Variable, ...], dict[Path, Variable] | None]]:
        """Returns the contents of the objects that an address points to.

        Each object's contents are given twice: as a tuple of flow variables, and as a dictionary from paths
        relative to the address to these flow variables. The dictionary is None if the addressed part of the
        object is unknown.
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
        """Stores an unknown value in all memory reachable from an address, as an unknown function may."""
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
            for address, path, value in self._effects_of(call, callee):
                self._put(given, address, path, value)
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
