"""Call graph of a unit, and reachability from its kernels.

The graph is computed from the calls alone, before any points-to set is known. A block literal counts as
called by the function that contains it. Updates are incremental: a new call propagates from its caller; a
removed call re-checks the functions that were reachable through it.
"""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.flow.graph import FunctionId

_NOBODY: frozenset[FunctionId] = frozenset()


class FlowCallGraph:
    """The call graph of a unit.

    Its roots are the kernels, and the initialisers, which run before them.
    """

    def __init__(self) -> None:
        self._callees: dict[FunctionId, frozenset[FunctionId]] = {}
        self._callers: dict[FunctionId, set[FunctionId]] = {}
        self._roots: set[FunctionId] = set()
        self.reached: set[FunctionId] = set()
        self.changed: set[FunctionId] = set()
        """The functions whose state has changed since the set was cleared.

        They became, or ceased to be, reached or called. The consumer clears the set.
        """
        self.has_lost_calls = False
        """Whether a call was removed since the consumer last reset this to False."""

    def is_called(self, function: FunctionId) -> bool:
        """Whether another function calls `function`."""
        return bool(self._callers.get(function, _NOBODY))

    def set_callees(self, function: FunctionId, callees: Iterable[FunctionId], *, root: bool) -> None:
        """Sets a function's callees and whether it is a root."""
        now = frozenset(callees) - {function}
        before = self._callees.get(function, _NOBODY)
        was_root = function in self._roots
        if now == before and root == was_root:
            return
        self._callees[function] = now
        for callee in now - before:
            callers = self._callers.setdefault(callee, set())
            if not callers:
                self.changed.add(callee)
            callers.add(function)
        gone = before - now
        if gone:
            self.has_lost_calls = True
        for callee in gone:
            self._callers[callee].discard(function)
            if not self._callers[callee]:
                self.changed.add(callee)
        if root:
            self._roots.add(function)
        else:
            self._roots.discard(function)
        self._recompute_reachability([*gone, *([function] if was_root and not root else ())])
        if root or function in self.reached:
            self._reach([function, *now])

    def drop(self, function: FunctionId) -> None:
        """Removes a function."""
        self.set_callees(function, (), root=False)
        self._callees.pop(function, None)
        self._recompute_reachability([function])

    def callees_of(self, functions: Iterable[FunctionId]) -> set[FunctionId]:
        """Returns these functions and all functions that they call, directly or not."""
        found: set[FunctionId] = set()
        todo = list(functions)
        while todo:
            function = todo.pop()
            if function not in found:
                found.add(function)
                todo += self._callees.get(function, ())
        return found

    def _reach(self, functions: Iterable[FunctionId]) -> None:
        todo = [each for each in functions if each not in self.reached]
        while todo:
            function = todo.pop()
            if function not in self.reached:
                self.reached.add(function)
                self.changed.add(function)
                todo += self._callees.get(function, ())

    def _recompute_reachability(self, functions: Iterable[FunctionId]) -> None:
        """Re-checks functions that may no longer be reachable, and the functions reached through them."""
        possibly_unreached: set[FunctionId] = set()
        todo = [each for each in functions if each in self.reached]
        while todo:
            function = todo.pop()
            if function not in possibly_unreached:
                possibly_unreached.add(function)
                todo += (each for each in self._callees.get(function, ()) if each in self.reached)
        self.reached -= possibly_unreached
        changed, self.changed = self.changed, set()
        self._reach(
            each
            for each in possibly_unreached
            if (each in self._roots and each in self._callees)
            or any(caller in self.reached for caller in self._callers.get(each, ()))
        )
        # functions still reached on another path have not changed
        self.changed = changed | (possibly_unreached - self.reached)
