"""Dataflow analysis of memory accesses between barriers (OpenCL C 6.15.8).

The analysis interprets a function's memory program (see `memory_steps`) and determines which memory each fence has
to order. It computes three properties of each point:

- *may*: the memory that may have been accessed on some path since a barrier last fenced it. Memory not in the
  set has certainly not been accessed. The flow analysis determines which memory an access through a generic
  pointer reaches; unknown calls and pointers may access all memory.
- *seen*: the memory that, on some path, is certainly accessed since the last barrier.
- *followed*: whether memory may be accessed afterwards. A fence before the end of a kernel is not followed,
  and so no access depends on the order that it establishes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from openclsp.semantics.database.query_database import Input, Query
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.calls import BarrierFence
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.flow import transfers
from openclsp.semantics.flow.flow_queries import POINTS_TO
from openclsp.semantics.memory.memory_steps import (
    ANYTHING,
    GLOBAL,
    IMAGE,
    LOCAL,
    NOTHING,
    WORK_GROUP_BARRIERS,
    Branch,
    CallStep,
    Fence,
    GenericAccess,
    Goto,
    Jump,
    Label,
    Loop,
    MemoryEffect,
    MemoryProgram,
    Steps,
    Switch,
)
from openclsp.semantics.translation_unit import TranslationUnit

_DEFINITION = "function_definition"


def definition_of(unit: TranslationUnit, name: str) -> ItemKey | None:
    """Returns the item that defines the function `name`, if there is exactly one."""
    declarers = unit.database.read(DECLARERS, name)
    if not declarers:
        return None
    found = [key for _, key in declarers if key[0] == _DEFINITION and key[1] == name]
    return found[0] if len(found) == 1 else None


def _memory(
    unit: TranslationUnit, key: ItemKey, generic_accesses: Iterable[GenericAccess]
) -> dict[GenericAccess, MemoryEffect]:
    """Maps each access through a generic pointer to the effect that the pointer's points-to set implies."""
    held = unit.database.read(POINTS_TO, key).functions
    known = dict(held[0].accesses) if held and (held[0].reached or not held[0].called) else {}
    return {
        each: _through(known.get(each.place, transfers.UNKNOWN), each.written) for each in generic_accesses
    }


def _asked(unit: TranslationUnit, key: ItemKey) -> dict[Place, int]:
    """Maps generic pointers, given by their places in the code, to the flags that `get_fence` returns for them.

    Only pointers that certainly point into local memory, or certainly into global memory, are included.
    """
    held = unit.database.read(POINTS_TO, key).functions
    if not held or (held[0].called and not held[0].reached):
        return {}
    flags = {transfers.LOCAL: LOCAL, transfers.GLOBAL: GLOBAL}
    return {place: flags[bits] for place, bits in held[0].accesses if bits in flags}


def _through(bits: int, written: bool) -> MemoryEffect:
    """Returns the effect of a read or write through a pointer with the points-to set `bits`."""
    if bits & transfers.UNKNOWN:
        return ANYTHING
    may = (LOCAL if bits & transfers.LOCAL else 0) | (GLOBAL if bits & transfers.GLOBAL else 0)
    certain = may if bits & ~transfers.NULL in (transfers.LOCAL, transfers.GLOBAL) else 0
    return MemoryEffect(may, certain, certain if written else 0)


class _Interpreter:
    """Abstract interpretation of a memory program; `state` is None in unreachable code."""

    def __init__(
        self,
        called: Mapping[str, MemoryEffect],
        generic_accesses: Mapping[GenericAccess, MemoryEffect],
        asked: Mapping[Place, int],
        entry: MemoryEffect,
    ) -> None:
        self.called, self.generic_accesses, self.asked = called, generic_accesses, asked
        self.entry = entry
        self.state: MemoryEffect | None = entry
        self.labels: dict[str, MemoryEffect] = {}
        self.fences: dict[Place, tuple[Fence, int, MemoryEffect]] = {}
        self.numbers: dict[Place, int] = {}
        """The bit of each fence in `passed`."""
        self.followed = 0
        """The fences after which memory may be accessed, as bits."""
        self.breaks: list[list[MemoryEffect]] = []
        self.continues: list[list[MemoryEffect]] = []

    def add_access(self, access: MemoryEffect) -> None:
        if self.state is not None:
            if access.may:
                self.followed |= self.state.passed
            self.state |= access

    def join(self, *states: MemoryEffect | None) -> None:
        known = [each for each in states if each is not None]
        self.state = known[0] if known else None
        for each in known[1:]:
            self.state = each if self.state is None else self.state | each

    def run_all(self, steps: Steps) -> None:
        """Runs the steps to a fixpoint over backward jumps. States at labels can only grow, so this
        terminates.
        """
        before: dict[str, MemoryEffect] | None = None
        while before != self.labels:
            before, self.state = dict(self.labels), self.entry
            self.run(steps)

    def run(self, steps: Steps) -> None:
        """Interprets steps in order; branches are joined by union."""
        for step in steps:
            if isinstance(step, MemoryEffect):
                self.add_access(step)
            elif isinstance(step, GenericAccess):
                self.add_access(self.generic_accesses.get(step, ANYTHING))
            elif isinstance(step, Label):
                self.join(self.state, self.labels.get(step.name))
            elif isinstance(step, Goto):
                if self.state is not None:
                    self.labels[step.name] = self.labels.get(step.name, NOTHING) | self.state
                self.state = None
            elif isinstance(step, CallStep):
                self._call(step)
            elif isinstance(step, Branch):
                before = self.state
                self.run(step.first)
                after, self.state = self.state, before
                self.run(step.second)
                self.join(after, self.state)
            elif isinstance(step, Loop):
                self._loop(step)
            elif isinstance(step, Switch):
                self._switch(step)
            else:
                self._leave(step)

    def _call(self, step: CallStep) -> None:
        """Applies a call: the effect of the called function, or of a barrier with its flags."""
        defined = self.called.get(step.name)
        if defined is not None:
            self.add_access(defined)
        elif step.fence is None:
            self.add_access(step.otherwise)
        elif self.state is not None:
            flags = self._flags(step.fence)
            bit = self.numbers.setdefault(step.fence.place, 1 << len(self.numbers))
            if flags is not None:
                before = self.fences.get(step.fence.place)
                state = self.state if before is None else before[2] | self.state
                self.fences[step.fence.place] = step.fence, flags, state
            passed = self.state.passed | bit
            if step.fence.name in WORK_GROUP_BARRIERS:
                self.state = MemoryEffect(self.state.may & ~(flags or 0), passed=passed)
            else:
                self.state = self.state._replace(passed=passed)

    def _flags(self, fence: Fence) -> int | None:
        """Returns the flags of a fence, including results of `get_fence`; None if any of them is unknown."""
        flags = fence.flags
        for place in fence.asked:
            more = self.asked.get(place)
            flags = None if flags is None or more is None else flags | more
        return flags

    def _loop(self, step: Loop) -> None:
        """Applies a loop: joins the states of all its exits."""
        entry = self.state
        left: list[MemoryEffect | None] = []
        # the body only adds and removes fixed sets of bits: the second iteration reaches the fixpoint
        for _ in range(2):
            self.state = entry
            left = []
            if not step.late:
                self.run(step.condition)
                left.append(self.state)
            self.breaks.append([])
            self.continues.append([])
            self.run(step.body)
            self.join(self.state, *self.continues.pop())
            self.run(step.update)
            if step.late:
                self.run(step.condition)
                left.append(self.state)
            left += self.breaks.pop()
            again = self.state
            self.join(entry, again)
            entry = self.state
        self.join(*left)

    def _switch(self, step: Switch) -> None:
        """Applies a switch: a case is entered from the head of the switch, or from the case before it."""
        entry = self.state
        self.breaks.append([])
        # not `self.state = None`: mypy would take it for None after `run` too, and mypyc asserts that
        self.join()
        for case, steps in step.parts:
            if case:
                self.join(entry, self.state)
            self.run(steps)
        self.join(entry, self.state, *self.breaks.pop())

    def _leave(self, step: Jump) -> None:
        """Ends the path; before that, saves its state for the target of a `break` or `continue`."""
        around = {Jump.BREAK: self.breaks, Jump.CONTINUE: self.continues}.get(step)
        if around and self.state is not None:
            around[-1].append(self.state)
        self.state = None


class CalleeEffects(NamedTuple):
    """The effects of the functions that an item calls.

    `names` are all callees; `defined` has the effects of those that the program defines.
    """

    names: frozenset[str] = frozenset()
    defined: Mapping[str, MemoryEffect] = {}


CALLEE_EFFECTS: Input[ItemKey, CalleeEffects] = Input("callee effects", CalleeEffects(), published=True)
"""The effects of the callees of each item with barriers, when last computed."""


class MemoryQueries:
    """Queries about the effects of calls and about the accesses before barriers.

    `program` is the query for a function's memory program.
    """

    def __init__(self, program: Query[ItemKey, MemoryProgram]) -> None:
        self.program = program
        self.direct_accesses: Query[ItemKey, MemoryEffect] = Query(
            "direct accesses", self._call_effect, ANYTHING
        )
        """The effect of a call of the function, disregarding barriers in it."""
        self.fences: Query[ItemKey, tuple[BarrierFence, ...]] = Query("fences", self._fences, ())
        """A function's barriers with the accesses before each; empty until its callees' effects are known."""

    def compute_callee_effects(self, unit: TranslationUnit, keys: Iterable[ItemKey]) -> None:
        """Computes the effects of the callees of these items; findings about barriers depend on them."""
        known = {key: self._known(unit, unit.database.get(self.program, key)) for key in keys}
        for key, each in known.items():
            unit.database.set(CALLEE_EFFECTS, key, each)

    def _known(self, unit: TranslationUnit, found: MemoryProgram) -> CalleeEffects:
        names = frozenset(name for name, _ in found.calls)
        inside = {}
        for name in names:
            defined = definition_of(unit, name) if name else None
            if defined is not None:
                inside[name] = unit.database.get(self.direct_accesses, defined)
        return CalleeEffects(names, inside)

    def _call_effect(self, unit: TranslationUnit, key: ItemKey) -> MemoryEffect:
        found = unit.database.get(self.program, key)
        inside = self._known(unit, found).defined
        direct_accesses = found.direct_accesses
        for own in _memory(unit, key, found.generic_accesses).values():
            direct_accesses |= own
        may, seen, written, _ = direct_accesses
        for name, otherwise in found.calls:
            each = inside.get(name, otherwise)
            may, seen, written = may | each.may, seen | each.seen, written | each.written
        return MemoryEffect(may, seen, written)

    def _fences(self, unit: TranslationUnit, key: ItemKey) -> tuple[BarrierFence, ...]:
        """Returns a fact for each barrier of one function: what it fences, and which accesses may precede it.

        At the start of a kernel, no memory has been accessed; at the start of any other function, all memory
        may have been.
        """
        known = unit.database.read(CALLEE_EFFECTS, key)
        if not known.names:
            return ()
        found = unit.database.get(self.program, key)
        if not found.fences or not known.names.issuperset(name for name, _ in found.calls):
            return ()
        generic_accesses = _memory(unit, key, found.generic_accesses)
        entry = NOTHING if found.kernel else ANYTHING
        walk = _Interpreter(known.defined, generic_accesses, _asked(unit, key), entry)
        walk.run_all(found.steps)
        return tuple(
            BarrierFence(
                fence.name,
                _words(flags),
                _words(state.may),
                _words(state.seen),
                _words(state.written),
                bool(walk.followed & walk.numbers[fence.place]),
                fence.place,
            )
            for fence, flags, state in walk.fences.values()
        )


def _words(bits: int) -> frozenset[str]:
    return frozenset(
        word for bit, word in ((LOCAL, "local"), (GLOBAL, "global"), (IMAGE, "image")) if bits & bit
    )
