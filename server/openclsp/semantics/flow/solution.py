"""The flow of a whole unit: what reaches each parameter, each piece of memory, and so each pointer.

Within a function everything is said in terms of its own parameters (*symbols*), so that what a call returns is what its
own arguments gave it: the summary of a function is the set of its result, in which a symbol stands for a parameter and
what became of it. What is passed to a parameter, and what lies in memory, are sets of the unit, of which each function
contributes its part; the set is the union. Such a shared set is a *variable* here.

An edit takes the contributions of the functions that it changed away and works out new ones. A variable that grows, or
shrinks, makes those who read it be worked out again, until nothing changes. A set that shrinks could still be held up by
itself, around a circle of calls or of memory: so the variables of such a circle start again from nothing.

Invariants:
- The sets are the least that satisfy all functions: those of a solution made afresh.
- A function that a kernel of the unit reaches sees only what such functions pass; any other sees all.
- What is worked out again after an edit are the changed functions, and those who read a variable that became another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

from openclsp.semantics.entities import EntityRef, ItemKey
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
from openclsp.semantics.flow.layout import extended, touched, within
from openclsp.semantics.flow.transfers import (
    BASIC,
    BIT_OF_SPACE,
    IDENTITY,
    LOCAL,
    NULL,
    SPACE_BITS,
    UNKNOWN,
    Transfer,
    compose,
    table_of,
)

Variable = tuple[object, ...]
"""`("in", function, parameter)`, `("out", function)`, `("cell", object, leaf)`, `("data", space bit)`, `("name", name)`;
`("reached", function)`, which holds something where another function calls it."""

_SHIFT = 6


class Symbol(NamedTuple):
    """A parameter of the function at hand, and what became of it."""

    parameter: int
    transfer: Transfer


class Target(NamedTuple):
    """A part of an object that holds pointers."""

    object: ObjectId
    path: Path


class Block(NamedTuple):
    id: FunctionId


class Work(NamedTuple):
    """A function as it stands: the set of each node, in terms of its parameters; what it read and what it contributes."""

    sets: list[int]
    reads: frozenset[Variable]
    contributions: dict[Variable, int]
    reached: bool


Resolve = Callable[[EntityRef], "tuple[ItemKey, ...]"]
"""The items that define the function that an entity declares."""
Load = Callable[[ItemKey], "tuple[FunctionFlow, ...]"]


class Solution:
    """The flow of one unit. Mutable, owned by one thread; brought up to date by `replace` and `settle`."""

    def __init__(self, load: Load, resolve: Resolve) -> None:
        self._load, self._resolve = load, resolve
        self.functions: dict[FunctionId, FunctionFlow] = {}
        self.work: dict[FunctionId, Work] = {}
        self.of_item: dict[ItemKey, tuple[FunctionFlow, ...]] = {}
        self.contributors: dict[Variable, dict[FunctionId, int]] = {}
        self._values: dict[Variable, tuple[int, int]] = {}
        self._readers: dict[Variable, set[FunctionId]] = {}
        self._queue: dict[FunctionId, None] = {}
        self.things: list[Symbol | Target | Block] = []
        self._numbers: dict[object, int] = {}
        self._in_space = dict.fromkeys(SPACE_BITS, 0)
        self.symbols = 0
        self._kept = 0
        self.solved = 0
        """How many functions were worked out, ever: what the tests count."""
        self.changed: set[ItemKey] = set()
        """The items whose sets may have become others since the one who follows them last cleared the set."""

    # --- the functions of the unit

    def replace(self, key: ItemKey, flows: tuple[FunctionFlow, ...]) -> None:
        """Take an item's functions as they are now; none where it went."""
        before = self.of_item.get(key, ())
        if before == flows:
            return
        now = {flow.id for flow in flows}
        for flow in before:
            if flow.id not in now:
                self._drop(flow.id)
        for flow in flows:
            self.functions[flow.id] = flow
            self._queue[flow.id] = None
        self.changed.add(key)
        if flows:
            self.of_item[key] = flows
        else:
            self.of_item.pop(key, None)

    def redefined(self, name: str) -> None:
        """What a name means may have changed: those who call it are to be looked at again."""
        self._queue.update(dict.fromkeys(self._readers.get(("name", name), ())))

    def _drop(self, function: FunctionId) -> None:
        self.functions.pop(function, None)
        self._queue.pop(function, None)
        work = self.work.pop(function, None)
        if work is None:
            return
        for variable in work.reads:
            self._readers[variable].discard(function)
        for variable in work.contributions:
            self._contribute(variable, function, None)

    def settle(self, checkpoint: Callable[[], None] = lambda: None) -> None:
        """Work out what is to be worked out, until nothing changes. `checkpoint` may raise; then the rest waits."""
        while self._queue:
            checkpoint()
            function = next(iter(self._queue))
            del self._queue[function]
            flow = self.functions.get(function)
            if flow is not None:
                self._solve(flow)

    # --- variables

    def value(self, variable: Variable, reached: bool) -> int:
        """The set of a variable, as functions see it that a kernel reaches, or as all others do."""
        return self._values.get(variable, (0, 0))[0 if reached else 1]

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function of the unit calls the function."""
        return bool(self.value(("reached", function), False))

    def solver(self, function: FunctionId) -> Solver:
        """A worked out function, to ask for the sets of its values."""
        made = Solver(self, self.functions[function])
        made.sets = self.work[function].sets
        return made

    def is_reached(self, function: FunctionId) -> bool:
        """Whether a kernel of the unit reaches the function."""
        work = self.work.get(function)
        return work is not None and work.reached

    def _contribute(self, variable: Variable, function: FunctionId, bits: int | None) -> None:
        given = self.contributors.setdefault(variable, {})
        if bits is None:
            given.pop(function, None)
        else:
            given[function] = bits
        self._update(variable)

    def _update(self, variable: Variable) -> None:
        """Make the union again; if it is another one, its readers are to be worked out again."""
        some = every = 0
        for function, bits in self.contributors.get(variable, {}).items():
            every |= bits
            work = self.work.get(function)
            if work is not None and work.reached:
                some |= bits
        old = self._values.get(variable, (0, 0))
        if (some, every) == old:
            return
        if (old[0] & ~some or old[1] & ~every) and self._start_again(variable):
            return
        self._values[variable] = some, every
        self._note(variable)
        self._queue.update(dict.fromkeys(self._readers.get(variable, ())))

    def _note(self, variable: Variable) -> None:
        """The sets of a function are kept in terms of its parameters: what they stand for may have become another."""
        if variable[0] in ("in", "reached"):
            key, _ = cast("FunctionId", variable[1])
            self.changed.add(key)

    def _start_again(self, variable: Variable) -> bool:
        """Empty the variables that hang on this one and on which it hangs itself; whether there are any."""
        forward: set[Variable] = set()
        todo = [variable]
        circular = False
        while todo:
            for function in self._readers.get(todo.pop(), ()):
                work = self.work.get(function)
                for each in work.contributions if work is not None else ():
                    circular = circular or each == variable
                    if each not in forward:
                        forward.add(each)
                        todo.append(each)
        if not circular:
            return False
        circle: set[Variable] = {variable}
        todo = [variable]
        while todo:
            for function in self.contributors.get(todo.pop(), {}):
                work = self.work.get(function)
                for each in work.reads if work is not None else ():
                    if each in forward and each not in circle:
                        circle.add(each)
                        todo.append(each)
        for each in circle:
            for function in self.contributors.pop(each, {}):
                self._queue[function] = None
                work = self.work.get(function)
                if work is not None:
                    work.contributions.pop(each, None)
            self._values.pop(each, None)
            self._note(each)
            self._queue.update(dict.fromkeys(self._readers.get(each, ())))
        return True

    # --- sets

    def number(self, thing: Symbol | Target | Block) -> int:
        """The bit of a thing that is told apart."""
        bit = self._numbers.get(thing)
        if bit is None:
            bit = self._numbers[thing] = 1 << len(self.things) + _SHIFT
            self.things.append(thing)
            if isinstance(thing, Symbol):
                self.symbols |= bit
            elif isinstance(thing, Block):
                self._kept |= bit
            else:
                space = BIT_OF_SPACE.get(thing.object.space) if thing.object.space is not None else None
                if space is None:
                    self._kept |= bit
                else:
                    self._in_space[space] |= bit
        return bit

    def listed(self, bits: int) -> Iterator[Symbol | Target | Block]:
        """The things that are told apart in a set."""
        bits >>= _SHIFT
        while bits:
            low = bits & -bits
            yield self.things[low.bit_length() - 1]
            bits ^= low

    def basic(self, bits: int) -> int:
        """A set as basic bits: an object is data of its space."""
        found = bits & BASIC
        if bits > BASIC:
            for space, objects in self._in_space.items():
                if bits & objects:
                    found |= space
        return found

    def applied(self, transfer: Transfer, bits: int) -> int:
        """What becomes of a set."""
        if transfer == IDENTITY or not bits:
            return bits
        table = table_of(transfer)
        result = table[bits & BASIC]
        if bits > BASIC:
            result |= bits & self._kept
            for space, objects in self._in_space.items():
                if bits & objects:
                    image = table[space]
                    if image & space:
                        result |= bits & objects
                    result |= image & ~space
            if bits & self.symbols:
                for thing in self.listed(bits & self.symbols):
                    assert isinstance(thing, Symbol)
                    result |= self.number(Symbol(thing.parameter, compose(transfer, thing.transfer)))
        return result

    def concrete(self, function: FunctionId, bits: int, reached: bool) -> int:
        """A set of a function with what is passed to its parameters in their place."""
        symbols = bits & self.symbols
        if not symbols:
            return bits
        result = bits & ~self.symbols
        for thing in self.listed(symbols):
            assert isinstance(thing, Symbol)
            passed = self.value(("in", function, thing.parameter), reached)
            result |= self.applied(thing.transfer, passed)
        return result

    # --- one function

    def _solve(self, flow: FunctionFlow) -> None:
        self.solved += 1
        self.changed.add(flow.id[0])
        before = self.work.get(flow.id)
        work = Solver(self, flow).run()
        self.work[flow.id] = work
        if before is not None:
            for variable in before.reads - work.reads:
                self._readers[variable].discard(flow.id)
        for variable in work.reads if before is None else work.reads - before.reads:
            self._readers.setdefault(variable, set()).add(flow.id)
        again = before is None or before.reached != work.reached
        for variable, bits in dict(work.contributions).items():
            if variable not in work.contributions:
                # emptied meanwhile: what is given here rests on what it was
                continue
            if again or before is None or before.contributions.get(variable) != bits:
                self._contribute(variable, flow.id, bits)
        for variable in before.contributions if before is not None else ():
            if variable not in work.contributions:
                self._contribute(variable, flow.id, None)

    def definitions(self, call: CallSite) -> tuple[FunctionFlow, ...]:
        """The functions that a call names, whose flow is read now if it was not before."""
        if call.block is not None:
            found = self.functions.get(call.block)
            return () if found is None else (found,)
        if call.callee is None:
            return ()
        defined: list[FunctionFlow] = []
        for key in self._resolve(call.callee):
            if key not in self.of_item:
                self.replace(key, self._load(key))
            defined += self.of_item.get(key, ())[:1]
        return tuple(defined)

    def passed(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        """The functions and blocks that a call runs; `through` is the set of what is called."""
        yield from self.definitions(call)
        for thing in self.listed(through):
            if isinstance(thing, Block) and thing.id in self.functions:
                yield self.functions[thing.id]


class Solver:
    """One function being worked out."""

    def __init__(self, solution: Solution, flow: FunctionFlow) -> None:
        self.solution, self.flow = solution, flow
        self.reads: set[Variable] = set()
        self.reached = True
        called = self._read(("reached", flow.id), False)
        self.reached = flow.kernel or bool(self._read(("reached", flow.id), True))
        self.sets = [0] * len(flow.nodes)
        for number, parameter in enumerate(flow.parameters):
            bits = solution.number(Symbol(number, parameter.transfer))
            if flow.kernel or not called:
                for atom in parameter.base:
                    bits |= self._atom(atom)
            self.sets[parameter.node] = bits

    def _read(self, variable: Variable, reached: bool | None = None) -> int:
        self.reads.add(variable)
        return self.solution.value(variable, self.reached if reached is None else reached)

    def run(self) -> Work:
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
        contributions = self._contributions()
        return Work(sets, frozenset(self.reads), contributions, self.reached)

    def value(self, flow: Flow) -> int:
        """What a value may hold, in terms of the parameters."""
        bits = 0
        for atom in flow:
            bits |= self._atom(atom)
        return bits

    def concrete(self, flow: Flow) -> int:
        """What a value may hold."""
        return self.concrete_bits(self.value(flow))

    def concrete_bits(self, bits: int) -> int:
        """A set with what is passed to the parameters in their place."""
        symbols = bits & self.solution.symbols
        for thing in self.solution.listed(symbols):
            assert isinstance(thing, Symbol)
            self.reads.add(("in", self.flow.id, thing.parameter))
        return self.solution.concrete(self.flow.id, bits, self.reached)

    def without_transfer(self, atom: Atom) -> int:
        """What an atom takes from its source."""
        return self._source(atom)

    def _atom(self, atom: Atom) -> int:
        return self.solution.applied(atom.transfer, self._source(atom))

    def _source(self, atom: Atom) -> int:
        bits: int
        solution, kind = self.solution, atom.kind
        if kind == COPY:
            bits = self.sets[atom.a]
            if atom.b:
                bits = self._moved(bits, atom.b)
        elif kind == BASE:
            bits = atom.a
        elif kind == OBJECT:
            bits = solution.number(Target(atom.a, atom.b))
        elif kind == BLOCK:
            bits = solution.number(Block(atom.a))
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
        """The addresses of a part of what these point to. Of a parameter it is not told apart which; the whole is looked
        up."""
        result = bits & (BASIC & ~NULL) | bits & self.solution._kept
        concrete = self.concrete_bits(bits)
        result |= concrete & (BASIC & ~NULL)
        for thing in self.solution.listed(concrete):
            if isinstance(thing, Target):
                part = within(thing.object.leaves, extended(thing.path, path))
                result |= self.solution.number(Target(thing.object, part))
        return result

    def _cells(self, made: ObjectId, path: Path) -> int:
        bits = UNKNOWN if made.kind == "host" else 0
        for variable in _cells_of(made, path):
            bits |= self._read(variable)
        return bits

    def variables_of(self, atom: Atom) -> tuple[Variable, ...]:
        """The shared sets from which a value is read that comes from memory."""
        if atom.kind == DATA:
            return (("data", atom.a),)
        if atom.kind == CELL:
            assert isinstance(atom.a, ObjectId) and isinstance(atom.b, tuple)
            return _cells_of(atom.a, atom.b)
        return self._part_of(self.concrete_bits(self.sets[atom.a]), atom.b)

    def stored_to(self, store: Store) -> tuple[Variable, ...]:
        """The shared sets to which a store contributes."""
        return self._part_of(self.concrete(store.address), store.path)

    def _part_of(self, address: int, path: Path) -> tuple[Variable, ...]:
        found: list[Variable] = [("data", space) for space in SPACE_BITS if address & space]
        for thing in self.solution.listed(address):
            if isinstance(thing, Target):
                found += _cells_of(thing.object, extended(thing.path, path))
        return tuple(found)

    def _loaded(self, pointers: int, path: Path) -> int:
        concrete = self.concrete_bits(pointers)
        bits = UNKNOWN if concrete & (BASIC & ~NULL) else 0
        for variable in self._part_of(concrete, path):
            bits |= self._read(variable)
        if any(
            isinstance(each, Target) and each.object.kind == "host" for each in self.solution.listed(concrete)
        ):
            bits |= UNKNOWN
        return bits

    def _result(self, call: CallSite) -> int:
        solution = self.solution
        through = self.concrete_bits(self.value(call.through)) if call.through else 0
        callees = list(self._passed(call, through))
        if not callees or through & UNKNOWN:
            return UNKNOWN
        bits = 0
        for callee in callees:
            returned = self._read(("out", callee.id))
            bits |= returned & ~solution.symbols
            for thing in solution.listed(returned & solution.symbols):
                assert isinstance(thing, Symbol)
                if thing.parameter < len(call.arguments) and not callee.parameters[thing.parameter].captured:
                    given = self.value(call.arguments[thing.parameter])
                else:
                    given = self._read(("in", callee.id, thing.parameter))
                bits |= solution.applied(thing.transfer, given)
        return bits

    def callees(self, call: CallSite) -> Iterable[FunctionFlow]:
        """The functions and blocks that a call may run."""
        return self._passed(call, self.concrete(call.through) if call.through else 0)

    def _passed(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        if call.callee is not None:
            self.reads.add(("name", call.callee.item[1]))
        return self.solution.passed(call, through)

    def _contributions(self) -> dict[Variable, int]:
        given: dict[Variable, int] = {("out", self.flow.id): self.sets[self.flow.result]}
        for store in self.flow.stores:
            value = self.concrete(store.value)
            if value:
                self._store(given, self.concrete(store.address), store.path, value)
        for call in self.flow.calls:
            self._call(given, call)
        return given

    def _store(self, given: dict[Variable, int], address: int, path: Path, value: int) -> None:
        for variable in self._part_of(address, path):
            given[variable] = given.get(variable, 0) | value

    def _call(self, given: dict[Variable, int], call: CallSite) -> None:
        through = self.concrete_bits(self.value(call.through)) if call.through else 0
        callees = list(self._passed(call, through))
        for callee in callees:
            if call.block is None and callee.id != self.flow.id:
                given[("reached", callee.id)] = 1
            for number, parameter in enumerate(callee.parameters):
                variable = ("in", callee.id, number)
                if call.enqueued:
                    passed = LOCAL if not parameter.captured else 0
                elif parameter.captured and call.block is None:
                    passed = 0
                else:
                    passed = self.concrete(call.arguments[number]) if number < len(call.arguments) else 0
                if passed:
                    given[variable] = given.get(variable, 0) | passed
        if not callees and not call.through:
            for argument in call.arguments:
                self._store(given, self.concrete(argument), (ANYWHERE,), UNKNOWN)


def _cells_of(made: ObjectId, path: Path) -> tuple[Variable, ...]:
    """The pointers of an object that an access to a part of it may touch."""
    return tuple(("cell", made, leaf) for leaf in touched(made.leaves, within(made.leaves, path)))
