"""Exact values of variables, ignoring path conditions, by statement order, branch and caller.

For programs whose pointers never go through memory. A function is solved separately for each combination of argument
sets, to a fixed point. A variable's value derives from single values of other variables, so the union over the
combinations contains exactly what some path through calls and returns can produce. A condition narrows the variable
that it tests (`if (to_local(p))`), and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import program as p

Spaces = frozenset[str]
State = dict[str, Spaces]
_NOTHING: Spaces = frozenset()
_NULL: Spaces = frozenset((p.NULL,))


def exact_spaces(program: p.Program) -> dict[int, Spaces]:
    """Returns the names of spaces, and `null`, for each use on a path from a kernel."""
    solver = _Solver(program)
    while solver.grew:
        solver.grew = False
        for name, given in list(solver.contexts):
            solver.run(name, given)
    return solver.uses


@dataclass(slots=True)
class _Frame:
    """The state of the function that is being solved: results, and the environments at jump targets."""

    result: Spaces = _NOTHING
    labels: dict[str, State] = field(default_factory=dict)
    breaks: list[list[State]] = field(default_factory=list)
    continues: list[list[State]] = field(default_factory=list)
    grew: bool = False


class _Solver:
    def __init__(self, program: p.Program) -> None:
        self.functions = {each.name: each for each in program.functions}
        self.uses: dict[int, Spaces] = {}
        self.results: dict[tuple[str, tuple[Spaces, ...]], Spaces] = {}
        self.contexts = {
            (
                each.name,
                tuple(frozenset((v.type.space,)) for v in each.parameters if isinstance(v.type, p.Pointer)),
            )
            for each in program.functions
            if each.kernel
        }
        self.grew = True
        self.frame = _Frame()

    def run(self, name: str, given: tuple[Spaces, ...]) -> None:
        function = self.functions[name]
        frame = self.frame = _Frame()
        while True:
            frame.grew = False
            start = {each.name: held for each, held in zip(function.parameters, given, strict=True)}
            self.body(function.body, start)
            if not frame.grew:
                break
        if self.results.get((name, given)) != frame.result:
            self.results[name, given] = frame.result
            self.grew = True

    # --- statements; a state is None where nothing comes

    def body(self, statements: Iterable[p.Statement], state: State | None) -> State | None:
        for each in statements:
            state = self.label(each.name, state) if isinstance(each, p.Label) else state
            state = None if state is None else self.statement(each, state)
        return state

    def label(self, name: str, state: State | None) -> State | None:
        return _joined(state, self.frame.labels.get(name))

    def statement(self, each: p.Statement, state: State) -> State | None:
        if isinstance(each, p.Declare):
            held = _NOTHING if each.value is None else self.value(each.value, state)
            return {**state, each.variable.name: held}
        if isinstance(each, p.Assign):
            assert isinstance(each.place, p.Variable)
            return {**state, each.place.name: self.value(each.value, state)}
        if isinstance(each, p.Evaluate):
            self.value(each.value, state)
        elif isinstance(each, p.If):
            true, false = self.condition(each.condition, state)
            return _joined(self.body(each.then, true), self.body(each.otherwise, false))
        elif isinstance(each, p.Loop):
            return self.loop(each, state)
        elif isinstance(each, p.Switch):
            return self.switch(each, state)
        elif isinstance(each, p.Return):
            if each.value is not None:
                self.frame.result |= self.value(each.value, state)
            return None
        elif isinstance(each, p.Jump):
            true, false = (state, None) if each.condition is None else self.condition(each.condition, state)
            self.jump(each.how, true)
            return false
        return state

    def jump(self, how: str, state: State) -> None:
        if how == "break":
            self.frame.breaks[-1].append(state)
        elif how == "continue":
            self.frame.continues[-1].append(state)
        else:
            name = how.partition(" ")[2]
            before = self.frame.labels.get(name)
            after = _joined(before, state)
            if after != before and after is not None:
                self.frame.labels[name] = after
                self.frame.grew = True

    def loop(self, each: p.Loop, state: State) -> State | None:
        entry: State | None = state
        while True:
            self.frame.breaks.append([])
            self.frame.continues.append([])
            if each.kind == "do":
                end = _joined(self.body(each.body, entry), *self.frame.continues.pop())
                true, false = (None, None) if end is None else self.condition(each.condition, end)
                back = true
            else:
                assert entry is not None
                true, false = self.condition(each.condition, entry)
                back = _joined(self.body(each.body, true), *self.frame.continues.pop())
            after = _joined(false, *self.frame.breaks.pop())
            grown = _joined(entry, back)
            if grown == entry:
                return after
            entry = grown

    def switch(self, each: p.Switch, state: State) -> State | None:
        self.frame.breaks.append([])
        falling: State | None = None
        for body, stops in each.cases:
            falling = self.body(body, _joined(falling, state))
            if stops and falling is not None:
                self.frame.breaks[-1].append(falling)
                falling = None
        return _joined(falling, None if each.default else state, *self.frame.breaks.pop())

    # --- conditions and values

    def condition(self, condition: p.Condition, state: State) -> tuple[State, State]:
        """Returns the states in which the condition is true and in which it is false."""
        if isinstance(condition, p.Both):
            true, false = self.condition(condition.first, state)
            then_true, then_false = self.condition(condition.second, false if condition.either else true)
            if condition.either:
                return _union(true, then_true), then_false
            return then_true, _union(false, then_false)
        if isinstance(condition, (p.Opaque, p.Steady)):
            return state, state
        self.value(condition.operand, state)
        asked, wanted = condition.operand, frozenset(p.NAMED)
        if isinstance(asked, p.ToSpace):
            asked, wanted = asked.operand, frozenset((asked.space,))
        if not (isinstance(asked, p.Load) and isinstance(asked.place, p.Variable)):
            return state, state
        name = asked.place.name
        held = state.get(name, _NOTHING)
        states = ({**state, name: held & wanted}, {**state, name: held - wanted})
        return (states[1], states[0]) if condition.negated else states

    def value(self, value: p.Expression, state: State) -> Spaces:
        if isinstance(value, p.Load):
            assert isinstance(value.place, p.Variable)
            held = state.get(value.place.name, _NOTHING)
            if value.use is not None:
                self.uses[value.use] = self.uses.get(value.use, _NOTHING) | held
            return held
        if isinstance(value, p.AddressOf):
            return frozenset((value.space,))
        if isinstance(value, p.Cast):
            held = self.value(value.operand, state)
            named = isinstance(value.type, p.Pointer) and value.type.space
            return held & {named, p.NULL} if named and named != p.GENERIC else held
        if isinstance(value, p.ToSpace):
            held = self.value(value.operand, state)
            return held if held <= {value.space} else (held & {value.space}) | _NULL
        if isinstance(value, p.Choice):
            true, false = self.condition(value.condition, state)
            return self.value(value.first, true) | self.value(value.second, false)
        if isinstance(value, p.Call):
            context = value.function, tuple(self.value(each, state) for each in value.arguments)
            if context not in self.contexts:
                self.contexts.add(context)
                self.grew = True
            return self.results.get(context, _NOTHING)
        if isinstance(value, p.Null):
            return _NULL
        assert isinstance(value, p.Offset)
        return self.value(value.operand, state)


def _joined(*states: State | None) -> State | None:
    there = [each for each in states if each is not None]
    joined = there[0] if there else None
    for each in there[1:]:
        assert joined is not None
        joined = _union(joined, each)
    return joined


def _union(first: State, second: State) -> State:
    return {name: first.get(name, _NOTHING) | second.get(name, _NOTHING) for name in {*first, *second}}
