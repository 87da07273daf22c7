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

from collections.abc import Callable, Iterable

from openclsp.semantics.entities import EntityRef, ItemKey
from openclsp.semantics.flow.circles import circle_of, is_circular
from openclsp.semantics.flow.graph import CallSite, FunctionFlow, FunctionId
from openclsp.semantics.flow.reach import Reach
from openclsp.semantics.flow.sets import Block, Sets, Symbol
from openclsp.semantics.flow.solving import Solver, Variable, Work

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
        self.readers: dict[Variable, set[FunctionId]] = {}
        self._queue: dict[FunctionId, None] = {}
        self._written: dict[FunctionId, None] = {}
        """The functions whose calls are to be read again."""
        self._named: dict[FunctionId, frozenset[str]] = {}
        self._naming: dict[str, set[FunctionId]] = {}
        self.reach = Reach()
        self.defined: set[ItemKey] = set()
        """The definitions that there were when names were last looked up."""
        self.sets = Sets()
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
            self._written[flow.id] = None
            self._queue[flow.id] = None
        self.changed.add(key)
        if flows:
            self.of_item[key] = flows
        else:
            self.of_item.pop(key, None)

    def redefined(self, name: str) -> None:
        """What a name means has changed: those who call it are to be looked at again."""
        callers = dict.fromkeys(self._naming.get(name, ()))
        self._written.update(callers)
        self._queue.update(callers)

    def _drop(self, function: FunctionId) -> None:
        self.functions.pop(function, None)
        self._queue.pop(function, None)
        self._written.pop(function, None)
        self.reach.drop(function)
        for name in self._named.pop(function, ()):
            self._naming[name].discard(function)
        work = self.work.pop(function, None)
        if work is None:
            return
        for variable in work.reads:
            self.readers[variable].discard(function)
        for variable in work.contributions:
            self._contribute(variable, function, 0)

    def settle(self, checkpoint: Callable[[], None] = lambda: None) -> None:
        """Work out what is to be worked out, until nothing changes. `checkpoint` may raise; then the rest waits."""
        while self._queue or self._written:
            checkpoint()
            if self._written:
                self._read_calls()
                continue
            function = next(iter(self._queue))
            del self._queue[function]
            flow = self.functions.get(function)
            if flow is not None:
                self._solve(flow)

    def _read_calls(self) -> None:
        """Read who calls whom, which makes functions of headers come in, and tells who is reached."""
        while self._written:
            function = next(iter(self._written))
            flow = self.functions[function]
            callees = [callee.id for call in flow.calls for callee in self.definitions(call)]
            names = {call.callee.item[1] for call in flow.calls if call.callee is not None}
            for name in self._named.get(function, frozenset()) - names:
                self._naming[name].discard(function)
            for name in names:
                self._naming.setdefault(name, set()).add(function)
            self._named[function] = frozenset(names)
            if not function[1]:
                callees += (each.id for each in self.of_item.get(function[0], ())[1:])
            self.reach.take(function, callees, root=flow.kernel and not function[1])
            del self._written[function]
        for function in self.reach.changed:
            if function not in self.functions:
                continue
            self._queue[function] = None
            work = self.work.get(function)
            for variable in list(work.contributions) if work is not None else ():
                if is_circular(self, variable):
                    self._start_again(variable)
                else:
                    self._update(variable)
        self.reach.changed.clear()

    # --- variables

    def value(self, variable: Variable, reached: bool) -> int:
        """The set of a variable, as functions see it that a kernel reaches, or as all others do."""
        return self._values.get(variable, (0, 0))[0 if reached else 1]

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function of the unit calls the function; of a block that is not asked."""
        return bool(function[1]) or self.reach.is_called(function)

    def solver(self, function: FunctionId) -> Solver:
        """A worked out function, to ask for the sets of its values."""
        made = Solver(self, self.functions[function])
        made.sets = self.work[function].sets
        return made

    def is_reached(self, function: FunctionId) -> bool:
        """Whether a kernel of the unit reaches the function."""
        return function in self.reach.reached

    def _contribute(self, variable: Variable, function: FunctionId, bits: int) -> None:
        """A function contributes this now; 0 where it contributes nothing any more."""
        given = self.contributors.setdefault(variable, {})
        before = given.pop(function, 0)
        if bits:
            given[function] = bits
        if before & ~bits and is_circular(self, variable):
            self._start_again(variable)
        else:
            self._update(variable)

    def _update(self, variable: Variable) -> None:
        """Make the union again; if it is another one, its readers are to be worked out again."""
        some = every = 0
        for function, bits in self.contributors.get(variable, {}).items():
            every |= bits
            if function in self.reach.reached:
                some |= bits
        if (some, every) != self._values.get(variable, (0, 0)):
            self._values[variable] = some, every
            self._tell(variable)

    def _tell(self, variable: Variable) -> None:
        """The variable has become another one."""
        self._queue.update(dict.fromkeys(self.readers.get(variable, ())))
        if variable[0] == "in":
            self.changed.add(variable[1][0])

    def _start_again(self, variable: Variable) -> None:
        """Empty the variables of a circle: what held them up may have been they themselves."""
        for each in circle_of(self, variable):
            for function in self.contributors.pop(each, {}):
                self._queue[function] = None
                work = self.work.get(function)
                if work is not None:
                    work.contributions.pop(each, None)
            self._values.pop(each, None)
            self._tell(each)

    def concrete(self, function: FunctionId, bits: int, reached: bool) -> int:
        """A set of a function with what is passed to its parameters in their place."""
        symbols = bits & self.sets.symbols
        if not symbols:
            return bits
        result = bits & ~self.sets.symbols
        for thing in self.sets.listed(symbols):
            assert isinstance(thing, Symbol)
            passed = self.value(("in", function, thing.parameter), reached)
            result |= self.sets.applied(thing.transfer, passed)
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
                self.readers[variable].discard(flow.id)
        for variable in work.reads if before is None else work.reads - before.reads:
            self.readers.setdefault(variable, set()).add(flow.id)
        if before is None:
            for variable, bits in work.contributions.items():
                self._contribute(variable, flow.id, bits)
            return
        for variable in (*work.contributions, *(before.contributions.keys() - work.contributions.keys())):
            if variable in before.contributions and variable not in work.contributions:
                self._contribute(variable, flow.id, 0)
            # what was emptied meanwhile rests on what it was
            elif variable in work.contributions:
                bits = work.contributions[variable]
                if before.contributions.get(variable) != bits:
                    self._contribute(variable, flow.id, bits)
        if before.flow is not flow:
            # what it says now may rest on what it said before
            for variable in list(work.contributions):
                if variable in work.contributions and is_circular(self, variable):
                    self._start_again(variable)

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
        for thing in self.sets.listed(through):
            if isinstance(thing, Block) and thing.id in self.functions:
                yield self.functions[thing.id]
