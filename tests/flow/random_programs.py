"""Random programs: helpers and kernels that pass generic pointers in all ways that the language has."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import program as p

_S0, _S1, _U0, _S2 = p.Record("S0"), p.Record("S1"), p.Record("U0"), p.Record("S2")
_TO_POINTER = p.Pointer(p.GENERIC, p.POINTER)
_TO_S0, _TO_S1 = p.Pointer(p.GENERIC, _S0), p.Pointer(p.GENERIC, _S1)
_UNTYPED = p.Pointer(p.GENERIC, p.VOID)
_NAMED = {space: p.Pointer(space, p.INT) for space in p.NAMED}

RECORDS = (
    p.RecordType("S0", False, (("a", p.POINTER), ("b", p.POINTER))),
    p.RecordType(
        "S1",
        False,
        (("in", _S0), ("c", p.Array(p.POINTER, 2)), ("next", _TO_S1), ("q", _TO_POINTER), ("i", p.INT)),
    ),
    p.RecordType("U0", True, (("p", p.POINTER), ("bits", p.CARRIER))),
    p.RecordType("S2", False, (("w", p.CARRIER), ("p", p.POINTER), ("v", p.Array(p.CARRIER, 2)))),
)

_SINKS = (
    "sum += *{};",
    "*{} = sum;",
    "sum += {}[n & 3];",
    "sum += vload2(0, {}).x;",
    "vstore2((int2)(sum), 0, {});",
    "sum += ({} == 0);",
    "(void){};",
    "(*{})++;",
)
_RARER_SINKS = (*_SINKS, 'printf("%p", {});', "sum += {}[0] + 1;", "sum -= *({} + 0);")
_RARER_STEPS = ("(sum++, {})", "&*{}", "(&{}[0])", "({{ sum++; {}; }})", "(int *)(const int *){}")
_OF_CARRIERS = ("({} + 4)", "({} & ~(ulong)3)", "({} | 0)", "(ulong)(uintptr_t){}", "(ulong)(long){}")
_ADVANCES = ("{} += 1", "{} -= n & 1", "{}++", "--{}")
_STEPS = ("{} + 1", "1 + {}", "&{}[1]", "{} - 1", "{} + (n & 1)")


@dataclass(frozen=True, slots=True)
class Profile:
    """The parts of the language that the programs use.

    `memory`: pointers to pointers, records, arrays of pointers; otherwise only variables. `asks`: conditions such as
    `to_local(p)`. `carriers`: integers and byte copies that carry a pointer. `blocks`: blocks, otherwise `goto`.
    `forms`: assignments within expressions, compound assignments, early returns, a helper that copies objects, integers
    in memory.
    """

    memory: bool = False
    asks: bool = False
    carriers: bool = False
    blocks: bool = False
    forms: bool = False


PROFILES = {
    "variables": Profile(),
    "asking": Profile(asks=True),
    "memory": Profile(memory=True),
    "words": Profile(memory=True, asks=True, carriers=True),
    "closures": Profile(memory=True, asks=True, blocks=True),
    "forms": Profile(memory=True, asks=True, carriers=True, forms=True),
    "all": Profile(memory=True, asks=True, carriers=True, blocks=True, forms=True),
}


def random_program(seed: int, profile: str) -> p.Program:
    """Returns the program of that seed; each read of a generic pointer is a use."""
    return _Maker(random.Random(f"{profile} {seed}"), PROFILES[profile]).program(f"{profile}-{seed}")


class _Maker:
    def __init__(self, chance: random.Random, profile: Profile) -> None:
        self.chance = chance
        self.profile = profile
        self.uses = 0
        self.numbers = 0
        self.signatures: list[p.Function] = []
        self.globals: list[p.Variable] = []
        self.callable: list[p.Function] = []
        self.scopes: list[list[p.Variable]] = []
        self.constant: set[str] = set()
        self.shared: dict[str, str] = {}
        self.blocks: list[p.DeclareBlock] = []
        self.loops = 0
        self.in_block = False
        self.result: p.Type = p.VOID
        self.budget = 0

    # --- programs and functions

    def program(self, name: str) -> p.Program:
        given = self.global_variables()
        self.globals = [each.variable for each in given]
        types = [p.POINTER]
        if self.profile.memory:
            types += [p.POINTER, _TO_POINTER, _TO_S0, _TO_S1, _S0]
            types += [p.CARRIER] * self.profile.carriers
        for number in range(self.chance.randint(1, 4)):
            parameters = tuple(
                p.Variable(f"a{at}", self.chance.choice(types)) for at in range(self.chance.randint(1, 3))
            )
            result = self.chance.choice([p.VOID, p.POINTER, p.POINTER, *types])
            self.signatures.append(p.Function(f"f{number}", result, parameters, ()))
        for number in range(self.chance.randint(1, 2)):
            spaces = self.chance.choices(["global", "local"], k=self.chance.randint(1, 3))
            arguments = tuple(p.Variable(f"{space[0]}{at}", _NAMED[space]) for at, space in enumerate(spaces))
            self.signatures.append(p.Function(f"k{number}", p.VOID, arguments, (), kernel=True))
        functions = tuple(replace(each, body=self.body(each)) for each in self.signatures)
        return p.Program(name, RECORDS if self.profile.memory else (), given, functions)

    def global_variables(self) -> tuple[p.Global, ...]:
        numbers = p.Variable("gv", p.Array(p.INT, 4))
        made = [p.Global(numbers)]
        if self.profile.memory:
            at_numbers = p.AddressOf(numbers, "global")
            made += self.chance.sample(
                [
                    p.Global(p.Variable("gp", p.POINTER)),
                    p.Global(p.Variable("gq", p.POINTER), at_numbers),
                    p.Global(p.Variable("ga", p.Array(p.POINTER, 2))),
                    p.Global(p.Variable("gs", _S0)),
                    p.Global(p.Variable("gt", _S1)),
                    p.Global(p.Variable("gg", _NAMED["global"]), at_numbers),
                ],
                self.chance.randint(0, 3),
            )
        return tuple(made)

    def body(self, function: p.Function) -> tuple[p.Statement, ...]:
        self.numbers = self.loops = 0
        self.scopes = [list(function.parameters)]
        self.shared, self.blocks, self.constant = {}, [], set()
        self.result = function.result
        self.budget = self.chance.randint(4, 14)
        helpers = [each for each in self.signatures if not each.kernel]
        before = len(helpers) if function.kernel else helpers.index(function) + 1
        self.callable = helpers if function.kernel else helpers[before:]
        made: list[p.Statement] = []
        if function.kernel and self.chance.random() < 0.7:
            made.append(self.declare_shared(p.Array(p.INT, 4)))
            if self.profile.memory and self.chance.random() < 0.3:
                made.append(self.declare_shared(self.chance.choice([p.POINTER, _S0, p.Array(p.POINTER, 2)])))
        made.append(self.declare(p.INT, None))
        made += [self.declare_some() for _ in range(self.chance.randint(1, 4))]
        while self.budget > 0:
            made += self.statements(1, top=True)
        if not function.kernel and self.chance.random() < 0.4:
            made.append(self.recursion(helpers[:before]))
        for variable in self.visible():
            if variable.type == p.POINTER and self.chance.random() < 0.6:
                made.append(self.sink(self.load(variable)))
        if function.result != p.VOID:
            made.append(p.Return(self.expression(function.result, 2)))
        return tuple(made)

    def recursion(self, functions: list[p.Function]) -> p.Statement:
        """Calls this function or an earlier one, rarely enough for the program to end."""
        again = self.chance.choice(functions)
        call = self.call(again, 2)
        place = None if again.result == p.VOID else self.place(again.result, writable=True)
        return p.If(self.opaque(), (p.Evaluate("{};", call) if place is None else p.Assign(place, call),))

    def declare_shared(self, type_: p.Type) -> p.Declare:
        declared = self.declare(type_, None)
        self.shared[declared.variable.name] = "local"
        return replace(declared, space="local")

    def declare(self, type_: p.Type, value: p.Expression | None) -> p.Declare:
        self.numbers += 1
        variable = p.Variable(f"v{self.numbers}", type_)
        self.scopes[-1].append(variable)
        return p.Declare(variable, value)

    def visible(self) -> list[p.Variable]:
        return [each for scope in self.scopes for each in scope] + self.globals

    # --- statements

    def declare_some(self) -> p.Declare:
        types: list[p.Type] = [p.POINTER] * 4 + [_NAMED[self.chance.choice(p.NAMED)]]
        if self.profile.memory:
            types += [_TO_POINTER, _TO_POINTER, p.Array(p.POINTER, 2), _S0, _S1, _TO_S0, _TO_S1, _U0]
            types += [p.Pointer("private", p.POINTER), p.Array(_S0, 2)]
            types += [p.CARRIER] * self.profile.carriers
            types += [_S2, _S2, p.Array(p.CARRIER, 2), p.Pointer(p.GENERIC, _S2)] * self.profile.forms
        type_ = self.chance.choice(types)
        if isinstance(type_, p.Pointer) or type_ == p.CARRIER:
            value = self.expression(type_, 3) if self.chance.random() < 0.9 else None
        else:
            value = self.initial(type_, 2) if self.chance.random() < 0.7 else None
        declared = self.declare(type_, value)
        if self.profile.asks and type_ == p.POINTER and value is not None and self.chance.random() < 0.15:
            self.constant.add(declared.variable.name)
            return replace(declared, constant=True)
        return declared

    def initial(self, type_: p.Type, depth: int) -> p.Expression:
        if isinstance(type_, p.Record) and self.chance.random() < 0.3:
            place = self.place(type_)
            if place is not None:
                return p.Load(place)
        return p.Compound(type_, self.values(type_, depth))

    def values(self, type_: p.Type, depth: int) -> p.Values:
        if isinstance(type_, p.Array):
            count = self.chance.randint(1, type_.size)
            parts: list[tuple[str | int, p.Type]] = [(number, type_.element) for number in range(count)]
        else:
            assert isinstance(type_, p.Record)
            record = next(each for each in RECORDS if each.tag == type_.tag)
            members = [(n, t) for n, t in record.members if t != p.INT]
            parts = list(
                members[:1]
                if record.union
                else self.chance.sample(members, self.chance.randint(1, len(members)))
            )
        return tuple(
            (at, self.initial(t, depth) if isinstance(t, (p.Array, p.Record)) else self.expression(t, depth))
            for at, t in parts
        )

    def statements(self, depth: int, top: bool = False) -> list[p.Statement]:
        self.budget -= 1
        kinds: list[Callable[[], list[p.Statement]]] = [self.assignments] * 6
        kinds += [lambda: [self.declare_some()]] * 2 + [
            lambda: [self.sink(self.expression(p.POINTER, 2))]
        ] * 2
        kinds += [self.calls] * 2
        if depth < 4:
            kinds += [lambda: self.branches(depth)] * 3 + [
                lambda: self.loop(depth),
                lambda: self.switch(depth),
            ]
        if self.loops and not self.in_block:
            kinds.append(lambda: [p.Jump(self.chance.choice(["break", "continue"]), self.condition(1))])
        if self.profile.carriers:
            kinds.append(self.copies)
        if self.profile.forms:
            kinds += [self.assigned, self.advance, lambda: self.asked_while_assigned(depth), self.early]
        if self.profile.blocks and not self.in_block:
            kinds.append(self.block)
        if top and not self.in_block and not self.blocks and not self.profile.blocks:
            kinds.append(lambda: self.jump(depth))
        return self.chance.choice(kinds)()

    def nested(self, depth: int) -> tuple[p.Statement, ...]:
        self.scopes.append([])
        blocks = len(self.blocks)
        made = [each for _ in range(self.chance.randint(1, 3)) for each in self.statements(depth + 1)]
        self.scopes.pop()
        del self.blocks[blocks:]
        return tuple(made)

    def assignments(self) -> list[p.Statement]:
        types: list[p.Type] = [p.POINTER] * 5 + [_NAMED[self.chance.choice(p.NAMED)]]
        if self.profile.memory:
            types += [_TO_POINTER, _S0, _TO_S0, _TO_S1, _S1]
            types += [p.CARRIER] * self.profile.carriers
        type_ = self.chance.choice(types)
        place = self.place(type_, writable=True)
        if place is None:
            return []
        if isinstance(type_, p.Record):
            source = self.place(type_)
            return [] if source is None else [p.Assign(place, p.Load(source))]
        return [p.Assign(place, self.expression(type_, 3))]

    def calls(self) -> list[p.Statement]:
        if not self.callable:
            return []
        return [p.Evaluate("{};", self.call(self.chance.choice(self.callable), 2))]

    def branches(self, depth: int) -> list[p.Statement]:
        condition = self.condition(2)
        otherwise = self.nested(depth) if self.chance.random() < 0.5 else ()
        return [p.If(condition, self.nested(depth), otherwise)]

    def loop(self, depth: int) -> list[p.Statement]:
        self.loops += 1
        body = self.nested(depth)
        self.loops -= 1
        condition = self.condition(1)
        kind = self.chance.choice(["for", "while", "do"])
        if not isinstance(condition, p.Opaque):
            condition = p.Both(condition, self.opaque(), False)
        return [p.Loop(kind, condition, body)]

    def switch(self, depth: int) -> list[p.Statement]:
        loops, self.loops = self.loops, 0
        cases = tuple(
            (self.nested(depth), self.chance.random() < 0.6) for _ in range(self.chance.randint(1, 3))
        )
        self.loops = loops
        return [p.Switch(self.chance.randrange(31), cases, self.chance.random() < 0.5)]

    def assigned(self) -> list[p.Statement]:
        """Makes an assignment within another one, or within a use."""
        inner = self.assignment_value()
        variables = [
            each for each in self.visible() if each.type == p.POINTER and each.name not in self.constant
        ]
        if inner is None:
            return []
        if not variables or self.chance.random() < 0.5:
            return [p.Evaluate(self.chance.choice(_SINKS), inner)]
        return [p.Assign(self.chance.choice(variables), inner)]

    def assignment_value(self) -> p.AssignValue | None:
        place = self.place(p.POINTER, writable=True)
        return None if place is None else p.AssignValue(place, self.expression(p.POINTER, 2))

    def asked_while_assigned(self, depth: int) -> list[p.Statement]:
        inner = self.assignment_value()
        if inner is None or depth > 3:
            return []
        condition = p.NotNull(inner, self.chance.random() < 0.3)
        return [p.If(condition, self.nested(depth), self.nested(depth) if self.chance.random() < 0.4 else ())]

    def advance(self) -> list[p.Statement]:
        place = self.place(p.POINTER, writable=True)
        return [] if place is None else [p.Advance(self.chance.choice(_ADVANCES), place)]

    def early(self) -> list[p.Statement]:
        if self.in_block:
            return []
        value = None if self.result == p.VOID else self.expression(self.result, 2)
        return [p.If(self.condition(1), (p.Return(value),))]

    def jump(self, depth: int) -> list[p.Statement]:
        self.numbers += 1
        name = f"there{self.numbers}"
        between = [each for _ in range(self.chance.randint(1, 3)) for each in self.statements(depth + 1)]
        leap = p.Jump(f"goto {name}", self.opaque())
        if self.chance.random() < 0.5:
            return [leap, *between, p.Label(name)]
        return [p.Label(name), *between, leap]

    def copies(self) -> list[p.Statement]:
        type_ = self.chance.choice([_S0, _S0, _S1, _U0, p.POINTER, *[_S2] * self.profile.forms])
        to, source = self.place(type_, writable=True), self.place(type_)
        if to is None or source is None or self.is_captured(source):
            return []
        forms = ["word", "byte", "vector"] if type_ == _S0 else ["word", "byte"]
        forms += ["helper", "builtin"] * self.profile.forms
        return [p.CopyBytes(self.chance.choice(forms), type_, self.address(to), self.address(source))]

    def is_captured(self, place: p.Place) -> bool:
        """Whether a place is in a variable that the block captures, whose address cannot be taken."""
        while isinstance(place, (p.Member, p.Element)):
            place = place.base
        return self.in_block and isinstance(place, p.Variable) and place.name in self.constant

    def block(self) -> list[p.Statement]:
        self.numbers += 1
        name = f"b{self.numbers}"
        may = [
            each
            for each in self.visible()
            if each not in self.globals
            and each.name not in self.shared
            and each.type in (p.POINTER, _S0, _TO_POINTER)
        ]
        captured = tuple(self.chance.sample(may, min(len(may), self.chance.randint(0, 2))))
        parameters = tuple(p.Variable(f"{name}a{at}", p.POINTER) for at in range(self.chance.randint(0, 2)))
        result = self.chance.choice([p.VOID, p.POINTER])
        outside, blocks, loops = self.scopes, self.blocks, self.loops
        constant = self.constant
        self.scopes, self.blocks, self.loops, self.in_block = [[*captured, *parameters]], [], 0, True
        self.constant = {each.name for each in captured}
        body = [each for _ in range(self.chance.randint(1, 3)) for each in self.statements(3)]
        if result == p.POINTER:
            body.append(p.Return(self.typed(self.expression(p.POINTER, 1), p.POINTER)))
        self.scopes, self.blocks, self.loops, self.in_block = outside, blocks, loops, False
        self.constant = constant
        made = p.DeclareBlock(name, parameters, result, self.really(captured, body), tuple(body))
        self.blocks.append(made)
        return [made, *([p.Evaluate("{};", self.block_call(made, 2))] if self.chance.random() < 0.7 else [])]

    def really(self, captured: tuple[p.Variable, ...], body: list[p.Statement]) -> tuple[p.Variable, ...]:
        text = repr(body)
        return tuple(each for each in captured if repr(each) in text)

    def sink(self, value: p.Expression) -> p.Evaluate:
        form = self.chance.choice(_RARER_SINKS if self.profile.forms else _SINKS)
        named = not (isinstance(value, p.Load) and value.use is not None)
        return p.Evaluate(form, p.Cast(p.POINTER, value) if named else value)

    # --- conditions

    def opaque(self) -> p.Opaque:
        return p.Opaque(self.chance.randrange(31))

    def condition(self, depth: int) -> p.Condition:
        if not self.profile.asks or self.chance.random() < 0.5:
            return self.opaque()
        if self.chance.random() < 0.25:
            return p.Steady(self.chance.randrange(4), self.chance.random() < 0.4)
        if depth and self.chance.random() < 0.2:
            return p.Both(self.condition(0), self.condition(0), self.chance.random() < 0.5)
        kept = self.read(_NAMED[self.chance.choice(p.NAMED)]) if self.chance.random() < 0.3 else None
        if kept is not None:
            # the result of a question that was kept, or a pointer that has one space
            return p.NotNull(kept, self.chance.random() < 0.4)
        value: p.Expression = self.read(p.POINTER) or p.Cast(p.POINTER, p.Null())
        if self.chance.random() < 0.7:
            value = p.ToSpace(self.chance.choice(p.NAMED), value)
        return p.NotNull(value, self.chance.random() < 0.3)

    # --- places

    def place(self, type_: p.Type, writable: bool = False) -> p.Place | None:
        """Returns a place of that type that can be reached from a variable, with its loads numbered."""
        found: list[p.Place] = []
        for variable in self.visible():
            if writable and variable.name in self.constant and variable.type == type_:
                continue
            frozen = writable and variable.name in self.constant
            self.grow(variable, type_, 4, found, frozen)
        weights = [3 if isinstance(each, p.Variable) else 1 for each in found]
        return self.numbered(self.chance.choices(found, weights)[0]) if found else None

    def grow(self, place: p.Place, type_: p.Type, depth: int, found: list[p.Place], frozen: bool) -> None:
        kept = place.type
        if kept == type_ and not frozen:
            found.append(place)
        if depth == 0:
            return
        if isinstance(kept, p.Array) and kept.element != p.INT:
            for number in (None, *range(kept.size * self.profile.asks)):
                self.grow(p.Element(place, kept.element, number), type_, depth - 1, found, frozen)
        elif isinstance(kept, p.Record):
            record = next(each for each in RECORDS if each.tag == kept.tag)
            for name, member in record.members:
                self.grow(p.Member(place, name, member), type_, depth - 1, found, frozen)
        elif isinstance(kept, p.Pointer) and isinstance(kept.pointee, (p.Pointer, p.Record)):
            reached = p.Dereference(p.Load(place), kept.pointee)
            self.grow(reached, type_, depth - 1, found, False)

    def numbered(self, place: p.Place) -> p.Place:
        if isinstance(place, (p.Member, p.Element)):
            return replace(place, base=self.numbered(place.base))
        if isinstance(place, p.Dereference):
            assert isinstance(place.pointer, p.Load)
            return replace(place, pointer=self.load(self.numbered(place.pointer.place)))
        return place

    def load(self, place: p.Place) -> p.Load:
        if isinstance(place.type, p.Pointer) and place.type.space == p.GENERIC:
            self.uses += 1
            return p.Load(place, self.uses - 1)
        return p.Load(place)

    def space(self, place: p.Place) -> str:
        if isinstance(place, (p.Member, p.Element)):
            return self.space(place.base)
        if isinstance(place, p.Dereference):
            assert isinstance(place.pointer, p.Load) and isinstance(place.pointer.place.type, p.Pointer)
            return place.pointer.place.type.space
        if isinstance(place, p.Variable):
            if place.name in self.shared:
                return "local"
            return "global" if place in self.globals else "private"
        return "private"

    def address(self, place: p.Place) -> p.Expression:
        return p.AddressOf(place, self.space(place))

    # --- expressions

    def read(self, type_: p.Type) -> p.Expression | None:
        place = self.place(type_)
        return None if place is None else self.load(place)

    def expression(self, type_: p.Type, depth: int) -> p.Expression:
        """Returns a value that can be assigned to that type; more than a load or an address only if `depth` remains."""
        if type_ == p.CARRIER:
            found = self.read(type_) if self.chance.random() < 0.5 else None
            value = found or p.Cast(p.CARRIER, self.expression(p.POINTER, depth - 1))
            if self.profile.forms and self.chance.random() < 0.3:
                return p.Offset(self.chance.choice(_OF_CARRIERS), value)
            return value
        if isinstance(type_, p.Record):
            return p.Load(self.place(type_) or p.Literal(self.number(), type_, self.values(type_, 0)))
        assert isinstance(type_, p.Pointer)
        if depth > 0 and self.chance.random() < 0.4:
            return self.compound(type_, depth - 1)
        if self.chance.random() < 0.5:
            found = self.read(type_)
            if found is not None:
                return found
        return self.source(type_, depth)

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def source(self, type_: p.Pointer, depth: int) -> p.Expression:
        """Returns an expression that creates a pointer: an object's address, a pointer into a named space, or null."""
        if type_.pointee == p.INT:
            spaces = p.NAMED if type_.space == p.GENERIC else (type_.space,)
            ways = [self.read(_NAMED[space]) for space in spaces]
            ways += [
                self.address(each)
                for each in self.visible()
                if each.type in (p.INT, p.Array(p.INT, 4))
                and each.name not in self.constant
                and self.space(each) in spaces
            ]
        else:
            kept = self.place(type_.pointee)
            fits = kept is not None and type_.space in (p.GENERIC, self.space(kept))
            constant = isinstance(kept, p.Variable) and kept.name in self.constant
            ways = (
                [self.address(kept)]
                if kept is not None and fits and not constant and not self.in_block
                else []
            )
            if (
                isinstance(type_.pointee, p.Record)
                and type_.space == p.GENERIC
                and depth > 0
                and not self.in_block
            ):
                literal = p.Literal(self.number(), type_.pointee, self.values(type_.pointee, 0))
                ways.append(p.AddressOf(literal, "private"))
        found = [each for each in ways if each is not None]
        if not found or self.chance.random() < 0.06:
            return p.Null()
        return self.chance.choice(found)

    def compound(self, type_: p.Pointer, depth: int) -> p.Expression:
        generic = p.Pointer(p.GENERIC, type_.pointee)
        if type_.space != p.GENERIC:
            inner = self.typed(self.expression(generic, depth), generic)
            return p.Cast(type_, inner) if self.chance.random() < 0.5 else p.ToSpace(type_.space, inner)
        ways: list[Callable[[], p.Expression]] = [
            lambda: p.Choice(
                self.condition(1),
                self.typed(self.expression(type_, depth), type_),
                self.typed(self.expression(type_, depth), type_),
            )
        ]
        helpers = [each for each in self.callable if each.result == type_]
        if helpers:
            ways += [lambda: self.call(self.chance.choice(helpers), depth)] * 2
        if type_ == p.POINTER:
            steps = (*_STEPS, *_RARER_STEPS) if self.profile.forms else _STEPS
            ways.append(
                lambda: p.Offset(self.chance.choice(steps), self.typed(self.expression(type_, depth), type_))
            )
            ways.append(lambda: self.expression(_NAMED[self.chance.choice(p.NAMED)], depth))
            ways.append(lambda: p.Cast(type_, p.Cast(_UNTYPED, self.expression(type_, depth))))
            if self.profile.carriers and self.profile.memory:
                ways.append(lambda: p.Cast(type_, self.expression(p.CARRIER, depth)))
            returning = [each for each in self.blocks if each.result == p.POINTER]
            if returning:
                ways.append(lambda: self.block_call(self.chance.choice(returning), depth))
        return self.chance.choice(ways)()

    def typed(self, value: p.Expression, type_: p.Pointer) -> p.Expression:
        """Returns the value with exactly that type, cast if it has another type or none."""
        return value if isinstance(value, p.Load) and value.use is not None else p.Cast(type_, value)

    def call(self, function: p.Function, depth: int) -> p.Call:
        arguments = tuple(self.expression(each.type, depth - 1) for each in function.parameters)
        return p.Call(function.name, arguments)

    def block_call(self, block: p.DeclareBlock, depth: int) -> p.BlockCall:
        return p.BlockCall(
            block.name, tuple(self.expression(each.type, depth - 1) for each in block.parameters)
        )
