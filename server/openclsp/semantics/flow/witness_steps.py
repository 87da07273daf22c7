"""The states of the search for a witness path, and the steps of the path.

A step is, for example, the declaration of an object, a call that passes an address, or a store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityRef, ItemKey, Place
from openclsp.semantics.flow.function_solution import Solver
from openclsp.semantics.flow.graph import (
    BASE,
    Atom,
    CallSite,
    Declared,
    FunctionFlow,
    FunctionId,
    ObjectId,
    Path,
)
from openclsp.semantics.flow.points_to_sets import Effect
from openclsp.semantics.flow.transfers import NULL, SPACE_BITS, UNKNOWN
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.flow.value_sets import Variable

WORDS = dict(zip(SPACE_BITS, ("global", "local", "private", "constant"), strict=True))
_OF_NOTHING = {NULL: "null", UNKNOWN: "its origin is unknown"}
_MAXIMUM_DEPTH = 24
"""Maximum number of calls between the function that knows an object and the one that stores to it"""


class WitnessStep(NamedTuple):
    """One step of a witness path.

    - `function`: the function that contains the step
    - `declared`: the entity whose declaration the step refers to; `place` may then be in another item
    - `name`: the object or pointer of the step, or empty
    """

    function: FunctionId
    place: Place
    what: str
    declared: EntityRef | None = None
    name: str = ""


class SearchState(NamedTuple):
    """A state of the search: a value, and the bit whose origin is searched for.

    `kind`, `number` and `part` identify the value in `function`. `closed` means that the value originates
    within the function, not from its parameters.
    """

    function: FunctionId
    kind: str
    number: int
    part: int
    bit: int
    closed: bool


class BackwardEdge(NamedTuple):
    """An edge of the backward search.

    `state` is the next state; None if the path begins here. `steps` are the steps that the path shows for
    this edge, in the order of the path.
    """

    state: SearchState | None
    steps: tuple[WitnessStep, ...]

    @staticmethod
    def to(state: SearchState | None, *steps: WitnessStep) -> BackwardEdge:
        """Returns an edge that shows these steps; `state` is None at the beginning of the path."""
        return BackwardEdge(state, steps)


def first_step(function: FunctionId, bit: int, atom: Atom) -> WitnessStep:
    """Returns the step at which a path begins: an object, a string, a block or null."""
    word = WORDS.get(bit, "")
    declared = atom.b if atom.kind == BASE else None
    if isinstance(declared, Declared):
        said = f"{declared.what} `{declared.name}`" if declared.ref is not None else "a string literal"
        if declared.what == "variable":
            said = f"`{declared.name}` is in {word} memory"
        name = declared.name if declared.ref is not None else ""
        return WitnessStep(function, atom.place, said, declared.ref, name)
    if isinstance(atom.a, ObjectId):
        made = atom.a
        if made.kind == "host":
            return WitnessStep(function, atom.place, f"an argument that points into {word} memory")
        ref = made.owner if isinstance(made.owner, EntityRef) else None
        name = made.name if made.kind != "literal" else ""
        return WitnessStep(function, atom.place, f"`{made.name}` is in {word} memory", ref, name)
    return WitnessStep(function, atom.place, _OF_NOTHING.get(bit, "a block"))


class StepSource:
    """Creates the steps of a search from the solution, its solvers and the contributors to flow variables."""

    def __init__(self, solution: Solution, order: Callable[[ItemKey], int]) -> None:
        self.solution, self.order = solution, order
        self._solvers: dict[FunctionId, Solver] = {}
        self._effects: dict[int, Sequence[tuple[FunctionFlow, Effect, int, int]]] = {}
        """The effects of each call, by the `id` of the call, which the solution keeps"""

    def solver(self, function: FunctionId) -> Solver:
        """Returns the solver of a function; creates it at the first call."""
        found = self._solvers.get(function)
        if found is None:
            found = self._solvers[function] = self.solution.solver(function)
        return found

    def contributors(self, variable: Variable, reader: FunctionId | None) -> list[FunctionId]:
        """Returns the functions that contribute to a flow variable, in text order.

        If a kernel reaches `reader`, contributors that no kernel reaches are omitted.
        """
        given = self.solution.contributors.get(variable, {})
        if reader is not None and self.solution.is_reached(reader):
            given = {each: bits for each, bits in given.items() if self.solution.is_reached(each)}
        return sorted(given, key=lambda each: (self.order(each[0]), each[1]))

    def calls_of(self, function: FunctionFlow, caller: FunctionId) -> Iterator[CallSite]:
        """Yields the calls that `caller` makes to `function`, except enqueued ones."""
        solver = self.solver(caller)
        for call in self.solution.functions[caller].calls:
            if not call.enqueued and any(callee.id == function.id for callee in solver.callees(call)):
                yield call

    # --- addresses that callers pass

    def passed_address(
        self, function: FunctionId, address: int, path: Path, variable: Variable
    ) -> tuple[WitnessStep, ...]:
        """Returns the calls that pass an object's address to a function, the outermost call first.

        `variable` is the flow variable of the object. `address` is a set; its symbols are the function's
        parameters from which the address comes. Empty if no calls pass such an address.
        """
        symbols = self.solution.sets.symbols
        todo: list[tuple[FunctionId, int, tuple[WitnessStep, ...]]] = [(function, address & symbols, ())]
        seen: set[tuple[FunctionId, int]] = set()
        for reader, wanted, steps in todo:
            if (reader, wanted) in seen or len(steps) >= _MAXIMUM_DEPTH:
                continue
            seen.add((reader, wanted))
            for caller, given, step in self._passed(reader, wanted, path, variable):
                solver = self.solver(caller)
                if not solver.symbolic or variable in solver.parts_of(given & ~symbols, path):
                    return (step, *steps)
                todo.append((caller, given & symbols, (step, *steps)))
        return ()

    def _passed(
        self, function: FunctionId, address: int, path: Path, variable: Variable
    ) -> Iterator[tuple[FunctionId, int, WitnessStep]]:
        """Yields each call that passes the address of an object to a function.

        `variable` is the flow variable of the object. Each result is the caller, the address in terms of the
        caller's parameters, and the step.
        """
        called = self.solution.functions[function]
        for symbol in self.solution.sets.symbols_in(address):
            number = symbol.parameter
            for caller in self.contributors(("in", function, number), function):
                solver = self.solver(caller)
                for call in self.calls_of(called, caller):
                    captured = called.parameters[number].captured
                    if number >= len(call.arguments) or captured != (call.block is not None):
                        continue
                    given = solver.instantiated(symbol, solver.value(call.arguments[number]))
                    if variable in solver.parts_of(solver.concrete_bits(given), path):
                        yield caller, given, self.address_step(caller, call, number, variable)

    def address_step(
        self, caller: FunctionId, call: CallSite, number: int, variable: Variable
    ) -> WitnessStep:
        """Returns the step at which a call passes the address of an object.

        `variable` is the flow variable of the object, and `number` the index of the argument.
        """
        name = variable[1].name if variable[0] == "cell" else ""
        what = f"address of `{name}`" if name else "address"
        return WitnessStep(caller, call.argument_places[number], f"{what} passed to `{call.name}`", name=name)

    # --- stores that callees make with the arguments of a call

    def steps_of_effect(
        self, function: FunctionFlow, effect: Effect, depth: int = 0
    ) -> tuple[WitnessStep, ...] | None:
        """Returns the steps by which a function stores one parameter's value through another parameter.

        None if no store of the function or of a callee has this effect.
        """
        if depth > _MAXIMUM_DEPTH:
            return None
        solver, sets = self.solver(function.id), self.solution.sets
        address, value = sets.number(effect.address), sets.number(effect.value)
        parameter = function.parameters[effect.value.parameter]
        start = WitnessStep(
            function.id, parameter.place, f"parameter `{parameter.name}`", name=parameter.name
        )
        for store in function.stores:
            if store.copied or store.path != effect.path:
                continue
            if solver.value(store.address) & address and solver.value(store.value) & value:
                said = f"stored in `{store.name}`" if store.name else "stored"
                return start, WitnessStep(function.id, store.place, said)
        for call in function.calls:
            for callee, inner, to, what in self.effects_of(function.id, call):
                if inner.path != effect.path or not (to & address and what & value):
                    continue
                steps = self.steps_of_effect(callee, inner, depth + 1)
                if steps is not None:
                    return start, *self.passing_steps(function.id, call, inner), *steps
        return None

    def effects_of(
        self, caller: FunctionId, call: CallSite
    ) -> Sequence[tuple[FunctionFlow, Effect, int, int]]:
        """Returns the stores that callees make with the arguments of a call.

        Each result is the callee, the store, its address and its value.
        """
        found = self._effects.get(id(call))
        if found is None:
            found = self._effects[id(call)] = tuple(self._find_effects(caller, call))
        return found

    def _find_effects(
        self, caller: FunctionId, call: CallSite
    ) -> Iterator[tuple[FunctionFlow, Effect, int, int]]:
        if call.enqueued or call.block is not None:
            return
        solver = self.solver(caller)
        for callee in solver.callees(call):
            for effect in solver.effects_in(callee):
                to, what = effect.address.parameter, effect.value.parameter
                if max(to, what) < len(call.arguments):
                    yield callee, effect, *solver.instantiated_effect(call, callee, effect)

    def passing_steps(
        self, caller: FunctionId, call: CallSite, effect: Effect, variable: Variable = ("",)
    ) -> tuple[WitnessStep, ...]:
        """Returns the steps at which a call passes the stored value and the target's address of `effect`.

        `effect` is a store by the callee, and `variable` the memory that it changes, if known.
        """
        places = call.argument_places
        value = WitnessStep(caller, places[effect.value.parameter], f"argument of `{call.name}`")
        return value, self.address_step(caller, call, effect.address.parameter, variable)
