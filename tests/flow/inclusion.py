"""Inclusion-based points-to analysis by brute force: field-sensitive, flow- and context-insensitive.

Each assignment in functions that a kernel reaches is the constraint "the left side holds at least what the right side
holds" (Andersen's analysis). All constraints are evaluated repeatedly until no set grows. No answer of the flow
analysis about memory may be larger than this.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from . import program as p


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a pointer: an object and the path of members in it (`[]` for any element, `|` for a union)."""

    object: str
    path: tuple[str, ...]
    space: str


Held = frozenset["Target | None"]
"""What a pointer may hold; None is null."""
_NOTHING: Held = frozenset()
_NULL: Held = frozenset((None,))
_Ways = tuple[tuple[str, ...], ...]
"""The paths to the pointers in an object."""


def spaces_by_inclusion(program: p.Program) -> dict[int, frozenset[str]]:
    """Returns the names of spaces, and `null`, that each use may observe, except uses that no kernel reaches."""
    solver = _Solver(program)
    solver.solve()
    return {
        use: frozenset(p.NULL if each is None else each.space for each in held)
        for use, held in solver.uses.items()
    }


class _Solver:
    def __init__(self, program: p.Program) -> None:
        self.program = program
        self.functions = {each.name: each for each in program.functions}
        self.globals = {each.variable.name for each in program.globals}
        self.cells: dict[tuple[str, tuple[str, ...]], Held] = {}
        self.results: dict[str, Held] = {}
        self.uses: dict[int, Held] = {}
        self.spaces: dict[tuple[str, str], str] = {}
        self.scope: list[tuple[str, frozenset[str] | None]] = []
        self.copied: tuple[set[tuple[Target, _Ways]], set[tuple[Target, _Ways]]] = set(), set()
        self.grew = True
        self.reached: list[str] = []
        self.called: set[str] = set()

    def solve(self) -> None:
        self.reached = [name for name, each in self.functions.items() if each.kernel]
        while self.grew:
            self.grew = False
            self.scope = [("", None)]
            for each in self.program.globals:
                initial = p.Compound(each.variable.type, ()) if each.value is None else each.value
                if each.value is not None or self.leaves(each.variable.type):
                    self.store_value(
                        [Target("::" + each.variable.name, (), "global")], each.variable.type, initial
                    )
            for name in list(self.reached):
                function = self.functions[name]
                self.scope = [(name, None)]
                if function.kernel:
                    for parameter in function.parameters:
                        assert isinstance(parameter.type, p.Pointer)
                        buffer = Target("buffer " + parameter.type.space, (), parameter.type.space)
                        self.store(self.variable(parameter), (), frozenset((buffer,)))
                self.run(function.body)

    # --- places

    def variable(self, variable: p.Variable) -> Target:
        for scope, own in reversed(self.scope):
            if own is None or variable.name in own:
                if variable.name in self.globals and own is None:
                    return Target("::" + variable.name, (), "global")
                key = (scope, variable.name)
                return Target(f"{scope}.{variable.name}", (), self.spaces.get(key, "private"))
        raise AssertionError(variable.name)

    def places(self, place: p.Place) -> list[Target]:
        if isinstance(place, p.Variable):
            return [self.variable(place)]
        if isinstance(place, p.Member):
            kept = place.base.type
            assert isinstance(kept, p.Record)
            name = "|" if self.program.record(kept.tag).union else place.name
            return [_into(each, name) for each in self.places(place.base)]
        if isinstance(place, p.Dereference):
            return [each for each in self.value(place.pointer) if each is not None]
        if isinstance(place, p.Literal):
            target = Target(f"{self.scope[-1][0]}.literal {place.number}", (), "private")
            self.store_value([target], place.type, p.Compound(place.type, place.values))
            return [target]
        return [_into(each, "[]") for each in self.places(place.base)]

    def leaves(self, type_: p.Type) -> list[tuple[str, ...]]:
        """Returns the paths in a type that hold pointers."""
        if isinstance(type_, p.Array):
            return [("[]", *rest) for rest in self.leaves(type_.element)]
        if isinstance(type_, p.Record):
            record = self.program.record(type_.tag)
            if record.union:
                return [("|",)]
            return [(name, *rest) for name, member in record.members for rest in self.leaves(member)]
        return [()] if isinstance(type_, p.Pointer) or type_ == p.CARRIER else []

    def store(self, target: Target, path: tuple[str, ...], held: Held) -> None:
        key = (target.object, target.path + path)
        before = self.cells.get(key, _NOTHING)
        if not held <= before:
            self.cells[key] = before | held
            self.grew = True

    def store_value(self, targets: Iterable[Target], type_: p.Type, value: p.Expression) -> None:
        """Applies an assignment or initialisation of a place, including whole records."""
        targets = list(targets)
        if isinstance(value, p.Compound):
            given = dict(value.values)
            for target in targets:
                for at, part in given.items():
                    inner, name = self.part(type_, at)
                    self.store_value([_into(target, name)], inner, part)
                for path in self.left_out(type_, set(given)):
                    self.store(target, path, _NULL)
            return
        if isinstance(type_, (p.Record, p.Array)):
            if isinstance(value, p.Load):
                sources = self.places(value.place)
            else:
                self.value(value)
                sources = (
                    [Target(f"result of {value.function}", (), "private")]
                    if isinstance(value, p.Call)
                    else []
                )
            for target in targets:
                for path in self.leaves(type_):
                    for source in sources:
                        self.store(
                            target, path, self.cells.get((source.object, source.path + path), _NOTHING)
                        )
            return
        held = self.value(value)
        for target in targets:
            self.store(target, (), held)

    def left_out(self, type_: p.Type, given: set[str | int]) -> list[tuple[str, ...]]:
        """Returns the paths that become null because an initialiser omits them."""
        if isinstance(type_, p.Array):
            return [] if len(given) == type_.size else self.leaves(type_)
        if isinstance(type_, p.Record) and self.program.record(type_.tag).union and given:
            return []
        return [path for path in self.leaves(type_) if not path or path[0] not in given]

    def null_base(self, place: p.Place) -> Held:
        """Returns null if the place is reached through a null pointer: its address is that pointer's (C99 6.5.3.2)."""
        while isinstance(place, (p.Member, p.Element)):
            place = place.base
        return self.value(place.pointer) & _NULL if isinstance(place, p.Dereference) else _NOTHING

    def part(self, type_: p.Type, at: str | int) -> tuple[p.Type, str]:
        if isinstance(type_, p.Array):
            return type_.element, "[]"
        assert isinstance(type_, p.Record) and isinstance(at, str)
        record = self.program.record(type_.tag)
        return dict(record.members)[at], "|" if record.union else at

    # --- values

    def value(self, value: p.Expression) -> Held:
        if isinstance(value, p.Load):
            held = self.load(self.places(value.place))
            if value.use is not None and (len(self.scope) == 1 or self.scope[-1][0] in self.called):
                self.uses[value.use] = held
            return held
        if isinstance(value, p.AddressOf):
            decays = isinstance(value.place.type, p.Array)
            found = frozenset(_into(each, "[]") if decays else each for each in self.places(value.place))
            return found | self.null_base(value.place)
        if isinstance(value, p.Cast):
            held = self.value(value.operand)
            if isinstance(value.type, p.Pointer) and value.type.space != p.GENERIC:
                return frozenset(each for each in held if each is None or each.space == value.type.space)
            return held
        if isinstance(value, p.ToSpace):
            held = self.value(value.operand)
            return _NULL | {each for each in held if each is not None and each.space == value.space}
        if isinstance(value, p.Choice):
            self.condition(value.condition)
            return self.value(value.first) | self.value(value.second)
        if isinstance(value, p.Call):
            return self.call(self.functions[value.function], value.arguments)
        if isinstance(value, p.BlockCall):
            scope = f"{self.scope[-1][0]}^{value.block}"
            if scope not in self.called:
                self.called.add(scope)
                self.grew = True
            for number, argument in enumerate(value.arguments):
                self.store(Target(f"{scope}.{number}", (), "private"), (), self.value(argument))
            return self.results.get(scope, _NOTHING)
        if isinstance(value, p.Null):
            return _NULL
        if isinstance(value, p.Offset):
            return self.value(value.operand)
        if isinstance(value, p.AssignValue):
            held = self.value(value.value)
            for target in self.places(value.place):
                self.store(target, (), held)
            return held
        raise AssertionError(value)

    def load(self, places: Iterable[Target]) -> Held:
        held = _NOTHING
        for each in places:
            held |= self.cells.get((each.object, each.path), _NOTHING)
        return held

    def call(self, function: p.Function, arguments: tuple[p.Expression, ...]) -> Held:
        if function.name not in self.reached:
            self.reached.append(function.name)
            self.grew = True
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            target = Target(f"{function.name}.{parameter.name}", (), "private")
            self.store_value([target], parameter.type, argument)
        return self.results.get(function.name, _NOTHING)

    def condition(self, condition: p.Condition) -> None:
        if isinstance(condition, p.NotNull):
            self.value(condition.operand)
        elif isinstance(condition, p.Both):
            self.condition(condition.first)
            self.condition(condition.second)

    # --- statements

    def run(self, statements: Iterable[p.Statement]) -> None:
        for each in statements:
            self.statement(each)

    def statement(self, each: p.Statement) -> None:
        if isinstance(each, p.Declare):
            self.spaces[self.scope[-1][0], each.variable.name] = each.space
            if each.value is not None:
                self.store_value([self.variable(each.variable)], each.variable.type, each.value)
        elif isinstance(each, p.Assign):
            self.store_value(self.places(each.place), each.place.type, each.value)
        elif isinstance(each, p.Evaluate):
            self.value(each.value)
        elif isinstance(each, p.Advance):
            self.places(each.place)
        elif isinstance(each, (p.If, p.Loop, p.Jump)):
            if each.condition is not None:
                self.condition(each.condition)
        elif isinstance(each, p.Return) and each.value is not None:
            self.give_back(each.value)
        elif isinstance(each, p.DeclareBlock):
            self.block(each)
        elif isinstance(each, p.CopyBytes):
            ways = tuple(self.leaves(each.type))
            sources = {(source, ways) for source in self.value(each.source) if source is not None}
            targets = {(target, ways) for target in self.value(each.to) if target is not None}
            if each.form == "helper":
                # the helper has one set of what it copies from, and one of what it copies to
                self.copied[0].update(sources)
                self.copied[1].update(targets)
                sources, targets = self.copied
            for source, inner in sources:
                for target, outer in targets:
                    self.copy_bytes(source, inner, target, outer)
        for body in p.bodies(each):
            self.run(body)

    def copy_bytes(self, source: Target, inner: _Ways, target: Target, outer: _Ways) -> None:
        """Copies each pointer to its own place; if the objects have different types, each pointer to every place."""
        for path in outer:
            for other in (path,) if inner == outer else inner:
                self.store(target, path, self.load([replace(source, path=source.path + other)]))

    def give_back(self, value: p.Expression) -> None:
        scope = self.scope[-1][0]
        result = self.functions[scope].result if scope in self.functions else p.POINTER
        if isinstance(result, p.Record):
            self.store_value([Target(f"result of {scope}", (), "private")], result, value)
            return
        held = self.value(value)
        before = self.results.get(scope, _NOTHING)
        if not held <= before:
            self.results[scope] = before | held
            self.grew = True

    def block(self, block: p.DeclareBlock) -> None:
        """Adds a block that may run; only uses in blocks that are called count."""
        scope = f"{self.scope[-1][0]}^{block.name}"
        for variable in block.captured:
            inner = Target(f"{scope}.{variable.name}", (), "private")
            self.store_value([inner], variable.type, p.Load(variable))
        for number, parameter in enumerate(block.parameters):
            given = self.cells.get((f"{scope}.{number}", ()), _NOTHING)
            self.store(Target(f"{scope}.{parameter.name}", (), "private"), (), given)
        own = {each.name for each in (*block.captured, *block.parameters)}
        own |= {each.variable.name for each in p.inside(block.body) if isinstance(each, p.Declare)}
        self.scope.append((scope, frozenset(own)))
        self.run(block.body)
        self.scope.pop()


def _into(target: Target, name: str) -> Target:
    return Target(target.object, (*target.path, name), target.space)
