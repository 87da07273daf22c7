"""The points-to sets of a function's values, with symbols for what its parameters point to.

A parameter is represented by a symbol, and so are the values reached through it, up to a number of steps.
Each call substitutes its own arguments for the symbols in the set of the function's result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.flow.graph import (
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
)
from openclsp.semantics.flow.object_layout import extended, overlapping_pointers, within
from openclsp.semantics.flow.pipes import WrittenPipes
from openclsp.semantics.flow.points_to_sets import Block, Sets, SetSymbol, Target
from openclsp.semantics.flow.transfers import BASIC, IDENTITY, NULL, SPACE_BITS, UNKNOWN

_DEFINITION = "function_definition"
Variable = tuple[Any, ...]
"""A flow variable: a points-to set that functions read and contribute to.

It is `("in", function, parameter)`, `("out", function, path)` for the result, `("effects", function)`,
`("cell", object, leaf)` for a pointer in memory, or `("data", space bit)` for all other memory of a space.
"""


class SolutionView(Protocol):
    """The solution as the solver of one function sees it: the shared sets, and the other functions."""

    sets: Sets
    pipes: WrittenPipes

    def value(self, variable: Variable, reached: bool) -> int:
        """Returns the points-to set of a flow variable, as a bit set.

        With `reached`, this is the set for functions that a kernel reaches; otherwise the set for all others.
        """

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function of the unit calls the function."""

    def is_reached(self, function: FunctionId) -> bool:
        """Whether a kernel of the unit reaches the function."""

    def callees_of_call(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        """Yields the functions and block literals that a call runs."""

    def is_shared(self, key: ItemKey, name: str) -> bool:
        """Whether code outside the unit may call an item's function, or set its variable."""


class ValueSets:
    """The points-to sets of the values of one function."""

    def __init__(self, solution: SolutionView, flow: FunctionFlow) -> None:
        self.solution, self.flow, self.numbering = solution, flow, solution.sets
        self.reads: set[Variable] = set()
        self.reached = solution.is_reached(flow.id)
        self.from_outside = is_called_from_outside(solution, flow)
        self.symbolic = not flow.id[1]
        """Whether symbols represent what is reached from a parameter; each call substitutes its arguments.

        True for a function, whose calls name it; False for a block.
        """
        self._concrete: dict[SetSymbol, int] = {}
        """Cache of what symbols stand for; flow variables do not change while one function is solved"""
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

    def value(self, flow: Flow) -> int:
        """Returns the points-to set of a value; symbols stand for what the parameters point to."""
        bits = 0
        for atom in flow:
            bits |= self._atom(atom)
        return bits

    def substituted(self, flow: Flow) -> int:
        """Returns the points-to set of a value, with the arguments of all calls in place of its symbols."""
        return self.concrete_bits(self.value(flow))

    def concrete_bits(self, bits: int) -> int:
        """Returns the points-to set `bits`, with the arguments of all calls in place of its symbols."""
        symbols = bits & self.numbering.symbols
        if not symbols:
            return bits
        result = bits & ~symbols
        for set_member in self.numbering.listed(symbols):
            assert isinstance(set_member, SetSymbol)
            found = self._concrete.get(set_member)
            if found is None:
                passed = self._read(("in", self.flow.id, set_member.parameter))
                found = self._concrete[set_member] = self.instantiated(set_member, passed)
            result |= found
        return result

    def instantiated(self, symbol: SetSymbol, given: int) -> int:
        """Returns the points-to set of a symbol if the points-to set `given` is passed for its parameter."""
        for step in symbol.steps:
            given = self.numbering.applied(step.transfer, given)
            given = self._loaded(given, step.path) if step.loads else self._moved(given, step.path)
        return self.numbering.applied(symbol.transfer, given)

    def argument(self, call: CallSite, callee: FunctionFlow, parameter: int) -> int:
        """Returns the value that a call passes for a parameter.

        If the call has no such argument or the parameter is captured, returns the union for all calls.
        """
        # The result of a function that has just lost a parameter may contain it until the function is solved.
        known = parameter < min(len(call.arguments), len(callee.parameters))
        if known and not callee.parameters[parameter].captured:
            return self.value(call.arguments[parameter])
        return self._read(("in", callee.id, parameter))

    def variables_loaded(self, symbol: SetSymbol, given: int) -> tuple[Variable, ...]:
        """Returns the flow variables that the last step of a symbol loads.

        `given` is the set that is passed for the symbol's parameter.
        """
        before, last = symbol._replace(steps=symbol.steps[:-1], transfer=IDENTITY), symbol.steps[-1]
        address = self.numbering.applied(last.transfer, self.instantiated(before, given))
        return self._part_of(self.concrete_bits(address), last.path)

    def without_transfer(self, atom: Atom) -> int:
        """Returns the points-to set of an atom's source; the atom's transfer function is not applied."""
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
            bits = self._result(self.flow.calls[atom.a], atom.b or ())
        return bits

    def _moved(self, bits: int, path: Path) -> int:
        """Returns the addresses of member `path` of the objects to which the set `bits` points."""
        result = bits & (BASIC & ~NULL) | bits & self.numbering.kept
        bits, behind = self._stepped(bits, path, loads=False)
        result |= behind
        concrete = self.concrete_bits(bits)
        result |= concrete & (BASIC & ~NULL)
        for set_member in self.numbering.listed(concrete):
            if isinstance(set_member, Target):
                part = within(set_member.object.pointer_paths, extended(set_member.path, path))
                result |= self.numbering.number(Target(set_member.object, part))
        return result

    def _stepped(self, bits: int, path: Path, *, loads: bool) -> tuple[int, int]:
        """Extends each symbol in a set by one step: a load or a member access.

        Returns the rest of the set, and the new symbols. A symbol that already has the maximum number of
        steps stays in the rest; the caller replaces it by the arguments of all calls.
        """
        found = 0
        if self.symbolic:
            for set_member in self.numbering.listed(bits & self.numbering.symbols):
                assert isinstance(set_member, SetSymbol)
                further = self.numbering.behind(set_member, path, loads=loads)
                if further:
                    bits &= ~self.numbering.number(set_member)
                    found |= further
        return bits, found

    def _cells(self, made: ObjectId, path: Path) -> int:
        bits = UNKNOWN if self._is_open(made) else 0
        for variable in _cells_of(made, path):
            bits |= self._read(variable)
        return bits

    def variables_of(self, atom: Atom, *, closed: bool = False) -> tuple[Variable, ...]:
        """Returns the flow variables that a load reads.

        With `closed`, flow variables at addresses that callers pass are omitted, unless all are of this kind.
        """
        if atom.kind == DATA:
            return (("data", atom.a),)
        if atom.kind == CELL:
            assert isinstance(atom.a, ObjectId) and isinstance(atom.b, tuple)
            return _cells_of(atom.a, atom.b)
        own = self._part_of(self.sets[atom.a], atom.b) if closed else ()
        return own or self._part_of(self.concrete_bits(self.sets[atom.a]), atom.b)

    def _part_of(self, address: int, path: Path) -> tuple[Variable, ...]:
        found: list[Variable] = [("data", space) for space in SPACE_BITS if address & space]
        for set_member in self.numbering.listed(address):
            if isinstance(set_member, Target):
                found += _cells_of(set_member.object, extended(set_member.path, path))
        return tuple(found)

    def _loaded(self, pointers: int, path: Path) -> int:
        pointers, bits = self._stepped(pointers, path, loads=True)
        concrete = self.concrete_bits(pointers)
        if concrete & (BASIC & ~NULL):
            bits |= UNKNOWN
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

    def _result(self, call: CallSite, path: Path) -> int:
        """Returns the result of a call: the callees' summaries with the call's own arguments substituted.

        If the callee returns a struct, `path` leads to a pointer in it.
        """
        through = self.concrete_bits(self.value(call.through)) if call.through else 0
        callees = list(self._callees_of_call(call, through))
        if not callees and not call.through:
            return UNKNOWN
        bits = through & UNKNOWN
        for callee in callees:
            returned = self._read(("out", callee.id, path))
            bits |= returned & ~self.numbering.symbols
            for set_member in self.numbering.listed(returned & self.numbering.symbols):
                assert isinstance(set_member, SetSymbol)
                bits |= self.instantiated(set_member, self.argument(call, callee, set_member.parameter))
        return bits

    def callees(self, call: CallSite) -> Iterable[FunctionFlow]:
        """Returns the functions and block literals that a call may run."""
        return self._callees_of_call(call, self.substituted(call.through) if call.through else 0)

    def _callees_of_call(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        return self.solution.callees_of_call(call, through)


def is_called_from_outside(unit: SolutionView, flow: FunctionFlow) -> bool:
    """Whether code outside the unit, such as the host, may call a function.

    This is so for a kernel, for a function that the unit does not call, and for a function that is shared with
    other units (see `shared_symbols`).
    """
    if flow.kernel or not unit.is_called(flow.id):
        return True
    return not flow.id[1] and unit.is_shared(flow.id[0], flow.name)


def _cells_of(made: ObjectId, path: Path) -> tuple[Variable, ...]:
    """Returns the flow variables of the pointers that an access to a part of an object may touch."""
    return tuple(
        ("cell", made, pointer_path)
        for pointer_path in overlapping_pointers(made.pointer_paths, within(made.pointer_paths, path))
    )
