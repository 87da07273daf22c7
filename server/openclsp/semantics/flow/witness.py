"""Witness paths: the shortest steps from an object's address to a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityRef, ItemKey, Place
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
    Declared,
    Flow,
    FunctionFlow,
    FunctionId,
    ObjectId,
)
from openclsp.semantics.flow.points_to_sets import SetSymbol
from openclsp.semantics.flow.transfers import BASIC_BITS, LOCAL, SPACE_BITS, UNKNOWN, table_of
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.flow.value_sets import Variable

_MAXIMUM = 20_000
"""Maximum number of states that a search visits"""


class WitnessStep(NamedTuple):
    """One step of a witness path.

    `function` contains the step. `declared`: the entity whose declaration the step refers to; `place` may be
    in another item. `name`: the object or pointer of the step, or empty.
    """

    function: FunctionId
    place: Place
    what: str
    declared: EntityRef | None = None
    name: str = ""


class _State(NamedTuple):
    """A search state: a value, and the bit whose origin is searched for.

    The value is one of `function`. `closed`: the value originates within the function, not from its
    parameters.
    """

    function: FunctionId
    kind: str
    number: int
    part: int
    bit: int
    closed: bool


class _BackwardEdge(NamedTuple):
    """An edge backwards in the search.

    `state` is the next state; None if the path begins here. `step` is set if it is worth showing.
    """

    state: _State | None
    step: WitnessStep | None


def witness(
    solution: Solution, function: FunctionId, flow: Flow, bit: int, order: Callable[[ItemKey], int]
) -> tuple[WitnessStep, ...] | None:
    """Returns the shortest path that brings a basic bit into a value.

    The path begins with the object. Of equally short paths, the first in text order. None if there is no
    path.
    """
    return _Search(solution, order, flow).run(_State(function, "asked", 0, 0, bit, False))


class _Search:
    def __init__(self, solution: Solution, order: Callable[[ItemKey], int], value: Flow) -> None:
        self.solution, self.order, self.value = solution, order, value
        self.solvers: dict[FunctionId, Solver] = {}
        self.variables: dict[Variable, int] = {}
        """The variables from which a copy was made, numbered"""

    def run(self, start: _State) -> tuple[WitnessStep, ...] | None:
        """Dijkstra's algorithm backwards from the value; only visible steps have a cost."""
        numbers = count()
        todo: list[tuple[int, int, _State | None, tuple[WitnessStep, ...]]] = [(0, next(numbers), start, ())]
        seen: set[_State] = set()
        while todo and len(seen) < _MAXIMUM:
            _, _, state, steps = heappop(todo)
            if state is None:
                return steps
            if state in seen:
                continue
            seen.add(state)
            for edge in self.back(state):
                if edge.state is None or edge.state not in seen:
                    longer = steps if edge.step is None else (edge.step, *steps)
                    heappush(todo, (len(longer), next(numbers), edge.state, longer))
        return None

    def solver(self, function: FunctionId) -> Solver:
        found = self.solvers.get(function)
        if found is None:
            found = self.solvers[function] = self.solution.solver(function)
        return found

    def flow(self, state: _State) -> Flow:
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

    def back(self, state: _State) -> Iterator[_BackwardEdge]:
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

    def from_outside(self, state: _State, solver: Solver, base: Flow) -> Iterator[_BackwardEdge]:
        """Ends the path at a parameter passed from outside.

        The parameter itself was the last step.
        """
        for atom in base:
            if self.holds(solver, solver.without_transfer(atom), state.bit, closed=False):
                yield _BackwardEdge(None, None)

    def from_atom(self, state: _State, solver: Solver, atom: Atom) -> Iterator[_BackwardEdge]:
        table = table_of(atom.transfer)
        for bit in BASIC_BITS:
            if table[bit] & state.bit:
                if bit == UNKNOWN and state.bit != UNKNOWN:
                    if self.holds(solver, solver.without_transfer(atom), UNKNOWN, state.closed):
                        word = _WORDS[state.bit]
                        yield _BackwardEdge(
                            None,
                            WitnessStep(
                                state.function,
                                atom.place,
                                f"converted to {word} from a pointer of unknown origin",
                            ),
                        )
                    continue
                yield from self.from_source(state._replace(bit=bit), solver, atom)

    def from_source(self, state: _State, solver: Solver, atom: Atom) -> Iterator[_BackwardEdge]:
        if not self.holds(solver, solver.without_transfer(atom), state.bit, state.closed):
            return
        kind = atom.kind
        if kind == COPY:
            if atom.b:
                # a part of an object is found only in the arguments of all callers
                state = state._replace(closed=False)
            assert isinstance(atom.a, int)
            info = self.solution.functions[state.function].infos[atom.a]
            step = None
            if info.kind in _SAID:
                said = _SAID[info.kind].format(info.name)
                kernel = info.kind == "parameter" and self.solution.functions[state.function].kernel
                step = WitnessStep(
                    state.function, info.place, f"kernel {said}" if kernel else said, name=info.name
                )
            yield _BackwardEdge(state._replace(kind="node", number=atom.a, part=0), step)
        elif kind in (BASE, OBJECT, BLOCK):
            yield _BackwardEdge(None, self.beginning(state, atom))
        elif kind in (CELL, DATA, LOAD):
            yield from self.from_memory(state, solver, atom)
        else:
            yield from self.from_result(state, solver, atom)

    def beginning(self, state: _State, atom: Atom) -> WitnessStep:
        declared = atom.b if atom.kind == BASE else None
        if isinstance(declared, Declared):
            word = _WORDS.get(state.bit, "")
            said = f"{declared.what} `{declared.name}`" if declared.ref is not None else "a string literal"
            if declared.what == "variable":
                said = f"`{declared.name}` is in {word} memory"
            name = declared.name if declared.ref is not None else ""
            return WitnessStep(state.function, atom.place, said, declared.ref, name)
        if isinstance(atom.a, ObjectId):
            made = atom.a
            ref = made.owner if isinstance(made.owner, EntityRef) else None
            word = _WORDS.get(state.bit, "")
            if made.kind == "host":
                return WitnessStep(state.function, atom.place, f"an argument that points into {word} memory")
            name = made.name if made.kind != "literal" else ""
            return WitnessStep(state.function, atom.place, f"`{made.name}` is in {word} memory", ref, name)
        return WitnessStep(state.function, atom.place, _OF_NOTHING.get(state.bit, "a block"))

    def from_callers(self, function: FunctionFlow, number: int, bit: int) -> Iterator[_BackwardEdge]:
        transfer = function.parameters[number].transfer
        table = table_of(transfer)
        for caller in self.contributors(("in", function.id, number), function.id):
            solver = self.solver(caller)
            flow = self.solution.functions[caller]
            for index, call in enumerate(flow.calls):
                if (
                    call.enqueued
                    and bit == LOCAL
                    and any(callee.id == function.id for callee in solver.callees(call))
                ):
                    yield _BackwardEdge(
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
                            yield _BackwardEdge(None, WitnessStep(caller, place, said))
                        else:
                            state = _State(caller, "argument", index, number, each, False)
                            yield _BackwardEdge(state, WitnessStep(caller, place, said))

    def contributors(self, variable: Variable, reader: FunctionId | None) -> list[FunctionId]:
        """Returns the contributors to a variable visible to the reader, in text order."""
        given = self.solution.contributors.get(variable, {})
        if reader is not None and self.solution.is_reached(reader):
            given = {each: bits for each, bits in given.items() if self.solution.is_reached(each)}
        return sorted(given, key=lambda each: (self.order(each[0]), each[1]))

    def from_memory(self, state: _State, solver: Solver, atom: Atom) -> Iterator[_BackwardEdge]:
        if state.bit == UNKNOWN:
            yield _BackwardEdge(
                None, WitnessStep(state.function, atom.place, "loaded from memory with unknown contents")
            )
        for variable in solver.variables_of(atom):
            yield from self.from_variable(state, variable)

    def from_variable(self, state: _State, variable: Variable) -> Iterator[_BackwardEdge]:
        """Yields the stores to one part of memory."""
        for contributor in self.contributors(variable, state.function):
            stores = self.solution.functions[contributor].stores
            other = self.solver(contributor)
            for index, store in enumerate(stores):
                if store.copied:
                    for source in other.copied_to(store, variable):
                        yield from self.from_copy(state, contributor, store.place, source)
                    continue
                held = self.solution.sets.basic(other.substituted(store.value))
                if held & state.bit and variable in other.stored_to(store):
                    said = f"stored in `{store.name}`" if store.name else "stored"
                    inner = _State(contributor, "store", index, 0, state.bit, False)
                    yield _BackwardEdge(inner, WitnessStep(contributor, store.place, said))

    def from_copy(
        self, state: _State, contributor: FunctionId, place: Place, source: Variable | None
    ) -> Iterator[_BackwardEdge]:
        """Yields the source of a copy; None is unknown memory."""
        step = WitnessStep(contributor, place, "copied")
        if source is None:
            if state.bit == UNKNOWN:
                yield _BackwardEdge(None, step)
            return
        held = self.solution.value(source, self.solution.is_reached(contributor))
        if self.solution.sets.basic(held) & state.bit:
            number = self.variables.setdefault(source, len(self.variables))
            yield _BackwardEdge(_State(contributor, "memory", number, 0, state.bit, False), step)

    def from_result(self, state: _State, solver: Solver, atom: Atom) -> Iterator[_BackwardEdge]:
        solution = self.solution
        number = atom.a
        assert isinstance(number, int)
        call = solution.functions[state.function].calls[number]
        callees = list(solver.callees(call))
        if not callees and state.bit == UNKNOWN:
            yield _BackwardEdge(
                None, WitnessStep(state.function, call.place, f"`{call.name}` is not known here")
            )
        for callee in callees:
            returned = solution.value(("out", callee.id, atom.b or ()), solver.reached)
            if solution.sets.basic(returned & ~solution.sets.symbols) & state.bit:
                node = dict(callee.results).get(atom.b, callee.result)
                inner = _State(callee.id, "node", node, 0, state.bit, True)
                yield _BackwardEdge(
                    inner, WitnessStep(state.function, call.place, f"result of `{call.name}`")
                )
            for set_member in solution.sets.listed(returned & solution.sets.symbols):
                assert isinstance(set_member, SetSymbol)
                parameter = set_member.parameter
                if set_member.steps and set_member.steps[-1].loads:
                    yield from self.from_content(state, solver, call, callee, set_member)
                    continue
                if parameter >= len(call.arguments) or callee.parameters[parameter].captured:
                    yield from self._captured(state, callee, parameter)
                    continue
                given = solver.value(call.arguments[parameter])
                table = table_of(set_member.transfer)
                for bit in BASIC_BITS:
                    if table[bit] & state.bit and self.holds(solver, given, bit, state.closed):
                        argument = _State(state.function, "argument", number, parameter, bit, state.closed)
                        said = f"returned by `{call.name}`"
                        yield _BackwardEdge(
                            None if bit == UNKNOWN != state.bit else argument,
                            WitnessStep(state.function, call.place, said),
                        )

    def from_content(
        self, state: _State, solver: Solver, call: CallSite, callee: FunctionFlow, symbol: SetSymbol
    ) -> Iterator[_BackwardEdge]:
        """Yields the memory that a call reads through a pointer argument, and whose contents it returns."""
        step = WitnessStep(state.function, call.place, f"returned by `{call.name}`")
        given = solver.argument(call, callee, symbol.parameter)
        table = table_of(symbol.transfer)
        for variable in solver.variables_loaded(symbol, given):
            held = self.solution.sets.basic(self.solution.value(variable, solver.reached))
            for bit in BASIC_BITS:
                if table[bit] & state.bit and held & bit:
                    number = self.variables.setdefault(variable, len(self.variables))
                    memory = _State(state.function, "memory", number, 0, bit, False)
                    yield _BackwardEdge(None if bit == UNKNOWN != state.bit else memory, step)

    def _captured(self, state: _State, callee: FunctionFlow, parameter: int) -> Iterator[_BackwardEdge]:
        if parameter < len(callee.parameters):
            yield from self.from_callers(callee, parameter, state.bit)


_WORDS = dict(zip(SPACE_BITS, ("global", "local", "private", "constant"), strict=True))
_OF_NOTHING = {16: "null", UNKNOWN: "its origin is unknown"}
_SAID = {
    "parameter": "parameter `{}`",
    "variable": "`{}`",
    "captured": "`{}`, captured",
    "returned": "returned",
}
