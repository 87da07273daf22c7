"""Witness paths: the shortest sequences of steps from an object's address to a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.flow.function_solution import Solver
from openclsp.semantics.flow.graph import (
    BASE,
    BLOCK,
    CELL,
    COPY,
    DATA,
    LOAD,
    OBJECT,
    Atom,
    CallSite,
    Flow,
    FunctionFlow,
    FunctionId,
    Path,
)
from openclsp.semantics.flow.points_to_sets import SetSymbol
from openclsp.semantics.flow.transfers import BASIC_BITS, LOCAL, UNKNOWN, table_of
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.flow.value_sets import Variable
from openclsp.semantics.flow.witness_paths import every_path, shortest_path
from openclsp.semantics.flow.witness_steps import (
    WORDS,
    BackwardEdge,
    SearchState,
    StepSource,
    WitnessStep,
    first_step,
)


def witness(
    solution: Solution, function: FunctionId, flow: Flow, bit: int, order: Callable[[ItemKey], int]
) -> tuple[WitnessStep, ...] | None:
    """Returns the shortest path that brings a bit (of a space, null or unknown) into a value.

    The path begins at the object. Of equally short paths, it is the first in text order. None if there is no
    path.
    """
    return shortest_path(
        _Search(solution, order, flow).back, SearchState(function, "asked", 0, 0, bit, False)
    )


def witnesses(
    solution: Solution,
    function: FunctionId,
    flow: Flow,
    bit: int,
    order: Callable[[ItemKey], int],
    maximum: int,
) -> tuple[list[tuple[WitnessStep, ...]], bool]:
    """Returns the paths that bring a bit (of a space, null or unknown) into a value, the shortest first.

    At most `maximum` paths are returned. The second result is true if there are no other paths. No path goes
    through a value twice.
    """
    search = _Search(solution, order, flow)
    return every_path(search.back, SearchState(function, "asked", 0, 0, bit, False), maximum)


class _Search:
    def __init__(self, solution: Solution, order: Callable[[ItemKey], int], value: Flow) -> None:
        self.solution, self.order, self.value = solution, order, value
        self.steps = StepSource(solution, order)
        self.variables: dict[Variable, int] = {}
        """The flow variables from which a copy was made, numbered"""
        self._addressed: dict[
            tuple[FunctionId, int, Path, Variable], Sequence[tuple[bool, tuple[WitnessStep, ...]]]
        ] = {}
        self._contents: dict[
            tuple[FunctionId, int, int, FunctionId, SetSymbol], Sequence[SearchState | None]
        ] = {}
        # Many calls store to the same parts, and read the same: without these caches, a search took 3 s in a
        # program of seven functions.

    def solver(self, function: FunctionId) -> Solver:
        return self.steps.solver(function)

    def flow(self, state: SearchState) -> Flow:
        if state.kind == "asked":
            return self.value
        function = self.solution.functions[state.function]
        if state.kind == "node":
            return function.nodes[state.number]
        if state.kind == "argument":
            return function.calls[state.number].arguments[state.part]
        return function.stores[state.number].value

    def holds(self, solver: Solver, bits: int, bit: int, closed: bool) -> bool:
        plain = bits & ~self.solution.sets.symbols if closed else solver.concrete_bits(bits)
        return bool(self.solution.sets.basic(plain) & bit)

    def back(self, state: SearchState) -> Iterator[BackwardEdge]:
        function = self.solution.functions[state.function]
        solver = self.solver(state.function)
        if state.kind == "memory":
            yield from self.from_variable(state, tuple(self.variables)[state.number])
            return
        if state.kind == "node" and not state.closed:
            for number, parameter in enumerate(function.parameters):
                if parameter.node == state.number:
                    yield from self.from_callers(function, number, state.bit)
                    if solver.from_outside:
                        yield from self.from_outside(state, solver, parameter.base)
        for atom in self.flow(state):
            yield from self.from_atom(state, solver, atom)

    def from_outside(self, state: SearchState, solver: Solver, base: Flow) -> Iterator[BackwardEdge]:
        """Yields an edge to the beginning of the path if code outside the unit may pass the value.

        `base` is the value that this code passes for the parameter at which the search has arrived. The edge
        has no step, because the parameter is a step already.
        """
        for atom in base:
            if self.holds(solver, solver.without_transfer(atom), state.bit, closed=False):
                yield BackwardEdge.to(None)

    def from_atom(self, state: SearchState, solver: Solver, atom: Atom) -> Iterator[BackwardEdge]:
        table = table_of(atom.transfer)
        for bit in BASIC_BITS:
            if table[bit] & state.bit:
                if bit == UNKNOWN and state.bit != UNKNOWN:
                    if self.holds(solver, solver.without_transfer(atom), UNKNOWN, state.closed):
                        word = WORDS[state.bit]
                        yield BackwardEdge.to(
                            None,
                            WitnessStep(
                                state.function,
                                atom.place,
                                f"converted to {word} from a pointer of unknown origin",
                            ),
                        )
                    continue
                yield from self.from_source(state._replace(bit=bit), solver, atom)

    def from_source(self, state: SearchState, solver: Solver, atom: Atom) -> Iterator[BackwardEdge]:
        if not self.holds(solver, solver.without_transfer(atom), state.bit, state.closed):
            return
        kind = atom.kind
        if kind == COPY:
            assert isinstance(atom.a, int)
            if atom.b and not self.holds(solver, solver.sets[atom.a], state.bit, state.closed):
                # a part of an object that is too far from a parameter is found in the arguments of all callers
                state = state._replace(closed=False)
            info = self.solution.functions[state.function].infos[atom.a]
            steps: tuple[WitnessStep, ...] = ()
            if info.kind in _SAID:
                said = _SAID[info.kind].format(info.name)
                kernel = info.kind == "parameter" and self.solution.functions[state.function].kernel
                said = f"kernel {said}" if kernel else said
                steps = (WitnessStep(state.function, info.place, said, name=info.name),)
            yield BackwardEdge.to(state._replace(kind="node", number=atom.a, part=0), *steps)
        elif kind in (BASE, OBJECT, BLOCK):
            yield BackwardEdge.to(None, first_step(state.function, state.bit, atom))
        elif kind in (CELL, DATA, LOAD):
            yield from self.from_memory(state, solver, atom)
        else:
            yield from self.from_result(state, solver, atom)

    def from_callers(self, function: FunctionFlow, number: int, bit: int) -> Iterator[BackwardEdge]:
        transfer = function.parameters[number].transfer
        table = table_of(transfer)
        for caller in self.steps.contributors(("in", function.id, number), function.id):
            solver = self.solver(caller)
            flow = self.solution.functions[caller]
            for index, call in enumerate(flow.calls):
                if (
                    call.enqueued
                    and bit == LOCAL
                    and any(callee.id == function.id for callee in solver.callees(call))
                ):
                    yield BackwardEdge.to(
                        None, WitnessStep(caller, call.place, f"local memory that `{call.name}` provides")
                    )
                if number >= len(call.arguments) or all(
                    callee.id != function.id for callee in solver.callees(call)
                ):
                    continue
                captured = function.parameters[number].captured
                if captured != (call.block is not None):
                    continue
                held = solver.substituted(call.arguments[number])
                for each in BASIC_BITS:
                    if table[each] & bit and self.solution.sets.basic(held) & each:
                        place = call.argument_places[number]
                        said = "captured by the block" if captured else f"argument of `{call.name}`"
                        if each == UNKNOWN and bit != UNKNOWN:
                            yield BackwardEdge.to(None, WitnessStep(caller, place, said))
                        else:
                            state = SearchState(caller, "argument", index, number, each, False)
                            yield BackwardEdge.to(state, WitnessStep(caller, place, said))

    def from_memory(self, state: SearchState, solver: Solver, atom: Atom) -> Iterator[BackwardEdge]:
        if state.bit == UNKNOWN:
            yield BackwardEdge.to(
                None, WitnessStep(state.function, atom.place, "loaded from memory with unknown contents")
            )
        for variable in solver.variables_of(atom, closed=state.closed):
            yield from self.from_variable(state, variable)

    def from_variable(self, state: SearchState, variable: Variable) -> Iterator[BackwardEdge]:
        """Yields edges to the values that are stored or copied to the memory that `variable` stands for.

        This memory is one pointer of an object, such as a member, or all data of an address space.
        """
        for contributor in self.steps.contributors(variable, state.function):
            function = self.solution.functions[contributor]
            other = self.solver(contributor)
            for index, store in enumerate(function.stores):
                if store.copied:
                    for source in other.copied_to(store, variable):
                        yield from self.from_copy(state, contributor, store.place, source)
                    continue
                said = f"stored in `{store.name}`" if store.name else "stored"
                step = WitnessStep(contributor, store.place, said)
                value = other.value(store.value)
                for closed, passed in self.addressed(
                    contributor, other.value(store.address), store.path, variable
                ):
                    if self.holds(other, value, state.bit, closed):
                        inner = SearchState(contributor, "store", index, 0, state.bit, closed)
                        yield BackwardEdge.to(inner, *passed, step)
            for number, call in enumerate(function.calls):
                yield from self.from_effects(state, variable, contributor, number, call)

    def addressed(
        self, function: FunctionId, address: int, path: Path, variable: Variable
    ) -> Sequence[tuple[bool, tuple[WitnessStep, ...]]]:
        """Returns how a store gets the address of the memory `variable`: at most one pair (`closed`, steps).

        The store is in `function`, to the part at `path` of what the set `address` points to. The result is

        - empty, if the store does not reach `variable`;
        - (False, no steps), if the address does not come from a caller. The stored value may come from
          anywhere.
        - (True, the calls that pass the address), if callers pass the address. The stored value must then
          come from the function itself: `from_effects` handles stores whose value a call passes too. For a
          block, the first element is False.
        """
        key = function, address, path, variable
        found = self._addressed.get(key)
        if found is None:
            found = self._addressed[key] = tuple(self._find_addressed(function, address, path, variable))
        return found

    def _find_addressed(
        self, function: FunctionId, address: int, path: Path, variable: Variable
    ) -> Iterator[tuple[bool, tuple[WitnessStep, ...]]]:
        solver, symbols = self.solver(function), self.solution.sets.symbols
        if variable in solver.parts_of(address & ~symbols, path):
            yield False, ()
        elif variable in solver.parts_of(solver.concrete_bits(address), path):
            passed = self.steps.passed_address(function, address, path, variable)
            yield solver.symbolic, passed

    def from_effects(
        self, state: SearchState, variable: Variable, caller: FunctionId, number: int, call: CallSite
    ) -> Iterator[BackwardEdge]:
        """Yields edges for the stores to `variable` that a callee makes through an argument of `call`.

        `number` is the index of the call in the caller.
        """
        solver = self.solver(caller)
        for callee, effect, address, value in self.steps.effects_of(caller, call):
            for closed, passed in self.addressed(caller, address, effect.path, variable):
                if not self.holds(solver, value, state.bit, closed):
                    continue
                inside = self.steps.steps_of_effect(callee, effect) or ()
                steps = (*passed, *self.steps.passing_steps(caller, call, effect, variable), *inside)
                if effect.value.steps and effect.value.steps[-1].loads:
                    yield from self.from_content(
                        state._replace(function=caller), solver, call, callee, effect.value, steps
                    )
                    continue
                table = table_of(effect.value.transfer)
                given = solver.value(call.arguments[effect.value.parameter])
                for bit in BASIC_BITS:
                    if table[bit] & state.bit and self.holds(solver, given, bit, closed):
                        parameter = effect.value.parameter
                        argument = SearchState(caller, "argument", number, parameter, bit, closed)
                        yield BackwardEdge.to(None if bit == UNKNOWN != state.bit else argument, *steps)

    def from_copy(
        self, state: SearchState, contributor: FunctionId, place: Place, source: Variable | None
    ) -> Iterator[BackwardEdge]:
        """Yields the edge to the source of a copy; the source None is unknown memory."""
        step = WitnessStep(contributor, place, "copied")
        if source is None:
            if state.bit == UNKNOWN:
                yield BackwardEdge.to(None, step)
            return
        held = self.solution.value(source, self.solution.is_reached(contributor))
        if self.solution.sets.basic(held) & state.bit:
            number = self.variables.setdefault(source, len(self.variables))
            yield BackwardEdge.to(SearchState(contributor, "memory", number, 0, state.bit, False), step)

    def from_result(self, state: SearchState, solver: Solver, atom: Atom) -> Iterator[BackwardEdge]:
        solution = self.solution
        number = atom.a
        assert isinstance(number, int)
        call = solution.functions[state.function].calls[number]
        callees = list(solver.callees(call))
        if not callees and state.bit == UNKNOWN:
            yield BackwardEdge.to(
                None, WitnessStep(state.function, call.place, f"`{call.name}` is not known here")
            )
        for callee in callees:
            returned = solution.value(("out", callee.id, atom.b or ()), solver.reached)
            if solution.sets.basic(returned & ~solution.sets.symbols) & state.bit:
                node = dict(callee.results).get(atom.b, callee.result)
                inner = SearchState(callee.id, "node", node, 0, state.bit, True)
                yield BackwardEdge.to(
                    inner, WitnessStep(state.function, call.place, f"result of `{call.name}`")
                )
            for set_member in solution.sets.listed(returned & solution.sets.symbols):
                assert isinstance(set_member, SetSymbol)
                parameter = set_member.parameter
                if set_member.steps and set_member.steps[-1].loads:
                    step = WitnessStep(state.function, call.place, f"returned by `{call.name}`")
                    yield from self.from_content(state, solver, call, callee, set_member, (step,))
                    continue
                if parameter >= len(call.arguments) or callee.parameters[parameter].captured:
                    yield from self._captured(state, callee, parameter)
                    continue
                given = solver.value(call.arguments[parameter])
                table = table_of(set_member.transfer)
                for bit in BASIC_BITS:
                    if table[bit] & state.bit and self.holds(solver, given, bit, state.closed):
                        argument = SearchState(
                            state.function, "argument", number, parameter, bit, state.closed
                        )
                        said = f"returned by `{call.name}`"
                        yield BackwardEdge.to(
                            None if bit == UNKNOWN != state.bit else argument,
                            WitnessStep(state.function, call.place, said),
                        )

    def from_content(
        self,
        state: SearchState,
        solver: Solver,
        call: CallSite,
        callee: FunctionFlow,
        symbol: SetSymbol,
        steps: tuple[WitnessStep, ...],
    ) -> Iterator[BackwardEdge]:
        """Yields edges to the memory that a callee reads through a pointer argument."""
        key = state.function, state.bit, id(call), callee.id, symbol
        found = self._contents.get(key)
        if found is None:
            found = self._contents[key] = tuple(self._find_contents(state, solver, call, callee, symbol))
        for memory in found:
            yield BackwardEdge.to(memory, *steps)

    def _find_contents(
        self, state: SearchState, solver: Solver, call: CallSite, callee: FunctionFlow, symbol: SetSymbol
    ) -> Iterator[SearchState | None]:
        given = solver.argument(call, callee, symbol.parameter)
        table = table_of(symbol.transfer)
        for variable in solver.variables_loaded(symbol, given):
            held = self.solution.sets.basic(self.solution.value(variable, solver.reached))
            for bit in BASIC_BITS:
                if table[bit] & state.bit and held & bit:
                    number = self.variables.setdefault(variable, len(self.variables))
                    memory = SearchState(state.function, "memory", number, 0, bit, False)
                    yield None if bit == UNKNOWN != state.bit else memory

    def _captured(self, state: SearchState, callee: FunctionFlow, parameter: int) -> Iterator[BackwardEdge]:
        if parameter < len(callee.parameters):
            yield from self.from_callers(callee, parameter, state.bit)


_SAID = {
    "parameter": "parameter `{}`",
    "variable": "`{}`",
    "captured": "`{}`, captured",
    "returned": "returned",
}
