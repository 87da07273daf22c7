"""Interprocedural solution of a unit's flow: the points-to sets of parameters, memory and pointers.

Within a function, sets are expressed in terms of its parameters (*symbols*). A function's summary is the set
of its result, in which a symbol stands for a parameter and the transfer applied to it. Each call substitutes
its own arguments, so that results are context-sensitive. Arguments passed to a parameter, and the contents of
memory, are *flow variables*: sets of the unit, each the union of the contributions of functions.

A worklist solves changed functions, and the readers of each flow variable that changed, until a fixpoint. If
a function withdraws a contribution, the withdrawal is propagated before anything new is added. Bits withdrawn
from a cycle of calls or memory could sustain themselves, so the whole strongly connected component restarts
from empty sets.

Invariants:
- The sets are the least fixpoint, as they are in a fresh solution.
- A function that a kernel of the unit reaches reads only the contributions of such functions; any other
  function reads the contributions of all functions.
- An edit re-solves the changed functions and the readers of changed flow variables only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.flow.dependency_cycles import fed_by, is_circular, strongly_connected_component
from openclsp.semantics.flow.flow_call_graph import FlowCallGraph
from openclsp.semantics.flow.function_solution import FunctionSolution, Solver
from openclsp.semantics.flow.graph import CallSite, FunctionFlow, FunctionId
from openclsp.semantics.flow.pipes import WrittenPipes
from openclsp.semantics.flow.points_to_sets import Block, Sets
from openclsp.semantics.flow.value_sets import Variable

_TURNS = 16
"""Average number of solver runs per function that forces a restart.

From there on, a restart is cheaper than continuing the update. Around a cycle whose edges depend on the withdrawn
bits, each withdrawal can cause another one.
"""

Resolve = Callable[[EntityRef], "tuple[ItemKey, ...]"]
"""The items that define the function that an entity declares"""
Load = Callable[[ItemKey], "tuple[FunctionFlow, ...]"]
Shared = Callable[[ItemKey, str], "tuple[bool, bool]"]
"""Whether an item's function or variable is shared, and whether it is an entry point: see `shared_symbols`."""


class Solution:
    """The flow of one unit.

    Mutable, owned by one thread. `replace` records changed items, `settle` solves them.
    """

    def __init__(
        self, load: Load, resolve: Resolve, shared: Shared = lambda key, name: (False, False)
    ) -> None:
        self._load, self._resolve, self._is_shared = load, resolve, shared
        self._shared: dict[str, dict[ItemKey, tuple[bool, bool]]] = {}
        """Cached answers of `shared`, by name"""
        self.functions: dict[FunctionId, FunctionFlow] = {}
        self.work: dict[FunctionId, FunctionSolution] = {}
        self.of_item: dict[ItemKey, tuple[FunctionFlow, ...]] = {}
        self.carriers: set[ItemKey] = set()
        """The items that require pointers to be tracked through plain data"""
        self.pipes = WrittenPipes()
        self.contributors: dict[Variable, dict[FunctionId, int]] = {}
        """The contributions to each flow variable, by function"""
        self._values: dict[Variable, tuple[int, int]] = {}
        """Each flow variable's union of the contributions by reached functions, and by all functions"""
        self.readers: dict[Variable, set[FunctionId]] = {}
        """The functions to re-solve if a flow variable changes"""
        self._watchers: dict[Variable, set[FunctionId]] = {}
        """The functions whose published sets depend on a flow variable, although their solution does not"""
        self._queue: dict[FunctionId, None] = {}
        """The worklist, in order"""
        self._edited: dict[FunctionId, None] = {}
        """The functions whose contributions may change although the flow variables that they read do not"""
        self._ceilings: dict[FunctionId, dict[Variable, int]] = {}
        """Bounds on the contributions of edited functions, while withdrawals are propagated.

        A bound is the function's former contribution, so that no new contribution keeps bits alive that are about
        to be withdrawn.
        """
        self._written: dict[FunctionId, None] = {}
        """The functions whose calls must be read again"""
        self._named: dict[FunctionId, frozenset[str]] = {}
        """The names that each function calls; `_naming` is the inverse"""
        self._naming: dict[str, set[FunctionId]] = {}
        self.reach = FlowCallGraph()
        self.certain = FlowCallGraph()
        """Reachability by the calls that happen whenever their function runs"""
        self.defined: set[ItemKey] = set()
        """The definitions present when names were last resolved"""
        self.declared: dict[ItemKey, tuple[str, ...]] = {}
        """The names of each declaration at that time"""
        self.surroundings: tuple[object, ...] = ()
        """Other inputs of `shared` at that time"""
        self.sets = Sets()
        self.solved: Counter[str] = Counter()
        """Number of times each function was solved, by the name of its item; for tests"""
        self.changed: set[ItemKey] = set()
        """The items whose sets may have changed since the consumer last cleared the set"""

    # --- the functions of the unit

    def replace(self, key: ItemKey, flows: tuple[FunctionFlow, ...]) -> None:
        """Replaces an item's graphs; `flows` is empty for a removed item."""
        before = self.of_item.get(key, ())
        if before == flows:
            return
        now = {flow.id for flow in flows}
        for flow in before:
            if flow.id not in now:
                self._drop(flow.id)
        for flow in flows:
            self.functions[flow.id] = flow
            self._edited[flow.id] = None
            self._written[flow.id] = None
            self._queue[flow.id] = None
        self.changed.add(key)
        if any(flow.carries for flow in flows):
            self.carriers.add(key)
        else:
            self.carriers.discard(key)
        if flows:
            self.of_item[key] = flows
        else:
            self.of_item.pop(key, None)
        if self.pipes.note(key, flows):
            self.restart()

    def redefined(self, name: str) -> None:
        """Schedules the callers of `name`; to be called when the definitions of that name have changed."""
        callers = dict.fromkeys(self._naming.get(name, ()))
        self._written.update(callers)
        self._edited.update(callers)
        self._queue.update(callers)

    def _drop(self, function: FunctionId) -> None:
        self.functions.pop(function, None)
        for todo in (self._queue, self._written, self._edited, self._ceilings):
            todo.pop(function, None)
        self.reach.drop(function)
        self.certain.drop(function)
        for name in self._named.pop(function, ()):
            self._naming[name].discard(function)
        work = self.work.pop(function, None)
        if work is None:
            return
        for variable in work.reads:
            self.readers[variable].discard(function)
        for variable in work.watched:
            self._watchers[variable].discard(function)
        for variable in work.contributions:
            self.contributors.get(variable, {}).pop(function, None)
            self._withdraw(variable)

    # --- sharing with other texts

    def is_shared(self, key: ItemKey, name: str) -> bool:
        """Whether code outside the unit may call an item's function, or set its variable."""
        return self._sharing(key, name)[0]

    def _sharing(self, key: ItemKey, name: str) -> tuple[bool, bool]:
        known = self._shared.setdefault(name, {})
        if key not in known:
            known[key] = self._is_shared(key, name)
        return known[key]

    def redeclared(self, names: Iterable[str] | None = None) -> None:
        """Recomputes which symbols other units may access, for names with changed declarations (None: all names)."""
        changed = False
        for name in list(self._shared) if names is None else names:
            known = self._shared.get(name, {})
            for key, before in list(known.items()):
                known[key] = self._is_shared(key, name)
                changed = changed or known[key] != before
                if known[key][1] != before[1]:
                    self._written.update(dict.fromkeys(flow.id for flow in self.of_item.get(key, ())))
        if changed:
            # rare: a prototype or an `extern` was added or removed
            self.restart()

    def settle(self, checkpoint: Callable[[], None] = lambda: None) -> None:
        """Solves until a fixpoint. If `checkpoint` raises, the remaining work stays in the worklist."""
        left = _TURNS * (len(self.functions) + 1)
        # a removed function may leave others unreached and uncalled, although no call must be read again
        while self._queue or self._written or self._ceilings or self.reach.changed:
            checkpoint()
            if self._written or self.reach.changed:
                self._read_calls()
                continue
            if not self._queue:
                # all withdrawals have been propagated: solve the edited functions again, now without bounds
                self._queue.update(dict.fromkeys(each for each in self._ceilings if each in self.functions))
                self._ceilings.clear()
                continue
            function = next(iter(self._queue))
            del self._queue[function]
            flow = self.functions.get(function)
            if flow is not None:
                self._solve(flow)
            left -= 1
            if not left:
                self.restart()

    def restart(self) -> None:
        """Restarts from empty sets. This always terminates, because the sets then only grow."""
        for kept in (
            self.work,
            self.contributors,
            self.readers,
            self._watchers,
            self._values,
            self._ceilings,
            self._edited,
        ):
            kept.clear()
        self._queue.update(dict.fromkeys(self.functions))

    def _read_calls(self) -> None:
        """Reads the calls of changed functions, and updates reachability.

        This may load functions of headers.
        """
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
            begins = flow.kernel or self._sharing(function[0], function[0][1])[1]
            begins = begins and not function[1]
            self.reach.set_callees(function, callees, root=begins)
            certain = (each.id for call in flow.calls if call.certain for each in self.definitions(call))
            self.certain.set_callees(function, certain, root=begins)
            del self._written[function]
        self._queue.update(dict.fromkeys(each for each in self.reach.changed if each in self.functions))
        self._edited.update(dict.fromkeys(each for each in self.reach.changed if each in self.functions))
        self.reach.changed.clear()
        self.changed.update(each[0] for each in self.certain.changed if each in self.functions)
        self.certain.changed.clear()

    # --- flow variables

    def value(self, variable: Variable, reached: bool) -> int:
        """Returns the points-to set of a flow variable, as a bit set.

        With `reached`, this is the set for functions that a kernel reaches; otherwise the set for all other
        functions.
        """
        return self._values.get(variable, (0, 0))[0 if reached else 1]

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function of the unit calls the function; always True for a block."""
        return bool(function[1]) or self.reach.is_called(function)

    def solver(self, function: FunctionId) -> Solver:
        """Returns a solver for queries about a function's values; it has the sets of the solution."""
        made = Solver(self, self.functions[function])
        made.sets = self.work[function].sets
        return made

    def is_reached(self, function: FunctionId) -> bool:
        """Whether a kernel of the unit reaches the function."""
        return function in self.reach.reached

    def _update(self, variable: Variable) -> None:
        """Recomputes the union of a flow variable's contributions; if it changed, schedules its readers.

        If bits were removed, cycles of dependent flow variables could keep these bits alive, although nothing
        outside the cycle contributes them any more. Such cycles are emptied.
        """
        todo = [variable]
        while todo:
            changed = todo.pop()
            some = every = 0
            for function, bits in self.contributors.get(changed, {}).items():
                every |= bits
                if function in self.reach.reached:
                    some |= bits
            before = self._values.get(changed, (0, 0))
            if (some, every) == before:
                continue
            self._values[changed] = some, every
            self._schedule_readers(changed)
            if (before[0] & ~some) | (before[1] & ~every):
                for each in dict.fromkeys(fed_by(self, changed)):
                    if self._values.get(each, (0, 0))[1] and is_circular(self, each):
                        todo += self._emptied_cycle(each)

    def _schedule_readers(self, variable: Variable) -> None:
        """Schedules the readers of a changed flow variable; marks items whose published sets depend on it."""
        self._queue.update(dict.fromkeys(self.readers.get(variable, ())))
        self.changed.update(function[0] for function in self._watchers.get(variable, ()))
        if variable[0] == "in":
            self.changed.add(variable[1][0])

    def _withdraw(self, variable: Variable) -> None:
        """Updates a flow variable that may have lost bits; if it is in a cycle, empties the whole cycle first."""
        if not is_circular(self, variable):
            self._update(variable)
            return
        for each in self._emptied_cycle(variable):
            self._update(each)

    def _emptied_cycle(self, variable: Variable) -> set[Variable]:
        """Empties and returns the flow variables in the cycle of `variable`; schedules their contributors."""
        cycle = strongly_connected_component(self, variable)
        for each in cycle:
            for function in self.contributors.pop(each, {}):
                self._queue[function] = None
                work = self.work.get(function)
                if work is not None:
                    work.contributions.pop(each, None)
        return cycle

    def is_certain(self, function: FunctionId) -> bool:
        """Whether all paths of some kernel of the unit run the function."""
        return function in self.certain.reached

    # --- one function

    def _solve(self, flow: FunctionFlow) -> None:
        """Solves one function; updates the flow variables to which it contributes, and their readers."""
        self.solved[flow.id[0][1]] += 1
        self.changed.add(flow.id[0])
        before = self.work.get(flow.id)
        edited = flow.id in self._edited and before is not None
        self._edited.pop(flow.id, None)
        old = before.contributions if before is not None else {}
        work = Solver(self, flow).run()
        # An edit that both withdraws and adds is done in two steps: first with the old contributions as a
        # bound, then again, from `settle`, without one.
        if edited and _takes_back(old, work.contributions) and _takes_back(work.contributions, old):
            self._ceilings[flow.id] = dict(old)
        work = work.below(self._ceilings.get(flow.id))
        self.work[flow.id] = work
        for variable in before.reads - work.reads if before is not None else ():
            self.readers[variable].discard(flow.id)
        for variable in work.reads if before is None else work.reads - before.reads:
            self.readers.setdefault(variable, set()).add(flow.id)
        for variable in before.watched - work.watched if before is not None else ():
            self._watchers[variable].discard(flow.id)
        for variable in work.watched:
            self._watchers.setdefault(variable, set()).add(flow.id)
        variables = tuple(dict.fromkeys((*old, *work.contributions)))
        had = {variable: self.contributors.get(variable, {}).get(flow.id, 0) for variable in variables}
        for variable in variables:
            given = self.contributors.setdefault(variable, {})
            if variable in work.contributions:
                given[flow.id] = work.contributions[variable]
            else:
                given.pop(flow.id, None)
        bits_now = dict(work.contributions)
        for variable in variables:
            bits = bits_now.get(variable, 0)
            # an edited function's contributions, old or new, may depend on its own former ones through a
            # cycle
            if edited or had[variable] & ~bits:
                self._withdraw(variable)
            elif had[variable] != bits:
                self._update(variable)

    def definitions(self, call: CallSite) -> tuple[FunctionFlow, ...]:
        """Returns the functions that a call names, loading their graphs if necessary."""
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

    def callees_of_call(self, call: CallSite, through: int) -> Iterable[FunctionFlow]:
        """Yields the functions and block literals that a call runs.

        `through` is the points-to set of the callee expression.
        """
        yield from self.definitions(call)
        for set_member in self.sets.listed(through):
            if isinstance(set_member, Block) and set_member.id in self.functions:
                yield self.functions[set_member.id]


def _takes_back(before: Mapping[Variable, int], now: Mapping[Variable, int]) -> bool:
    """Whether a bit that `before` contributed is missing in `now`."""
    return any(bits & ~now.get(variable, 0) for variable, bits in before.items())
