"""A program with known answers under construction: what all shapes of programs are built with."""

from __future__ import annotations

import random
from collections.abc import Sequence

from . import program as p

_SINKS = ("sum += *{};", "*{} = sum;", "sum += {}[n & 3];", "(*{})++;")
_ON_THE_WAY = ("{} + 1", "&{}[1]", "1 + {}", "{} - 1")


class Shape:
    """A program under construction: kernels and helpers, and each use with the spaces that it must show."""

    def __init__(self, seed: int, name: str) -> None:
        self.chance = random.Random(f"{name} {seed}")
        self.name = f"{name}-{seed}"
        self.known: dict[int, frozenset[str]] = {}
        self.functions: list[p.Function] = []
        self.globals: list[p.Global] = [p.Global(p.Variable("gv", p.Array(p.INT, 4)))]
        self.records: list[p.RecordType] = []
        self.numbers = 0

    def done(self) -> p.Program:
        return p.Program(
            self.name, tuple(self.records), tuple(self.globals), tuple(self.functions), self.known
        )

    def space(self) -> str:
        return self.chance.choice(p.NAMED)

    def spaces(self, count: int) -> list[str]:
        return [self.space() for _ in range(count)]

    def opaque(self) -> p.Opaque:
        return p.Opaque(self.chance.randrange(31))

    def source(self, space: str) -> p.Expression:
        """A pointer into that space, in a kernel."""
        ways: dict[str, list[p.Expression]] = {
            "global": [p.Load(_argument("global")), p.AddressOf(self.globals[0].variable, "global")],
            "local": [
                p.Load(_argument("local")),
                p.AddressOf(p.Variable("shared", p.Array(p.INT, 4)), "local"),
            ],
            "private": [
                p.AddressOf(p.Variable("own", p.Array(p.INT, 4)), "private"),
                p.AddressOf(p.Variable("x", p.INT), "private"),
            ],
        }
        found = self.chance.choice(ways[space])
        if self.chance.random() < 0.2:
            found = p.Offset(self.chance.choice(_ON_THE_WAY), p.Cast(p.POINTER, found))
        return found

    def load(self, place: p.Place, *spaces: str) -> p.Load:
        """The value of a generic pointer itself, known to hold just these."""
        number = len(self.known)
        self.known[number] = frozenset(spaces)
        return p.Load(place, number)

    def take(self, place: p.Place, *spaces: str) -> p.Expression:
        """The value of a generic pointer, known to hold just these; sometimes with arithmetic or a cast around."""
        load = self.load(place, *spaces)
        way = self.chance.random()
        if place.type == p.POINTER and way < 0.15:
            return p.Offset(self.chance.choice(_ON_THE_WAY), load)
        if place.type == p.POINTER and way < 0.25:
            return p.Cast(p.POINTER, p.Cast(p.Pointer(p.GENERIC, p.VOID), load))
        return load

    def asked(self, space: str, place: p.Place, *spaces: str, negated: bool = False) -> p.Condition:
        """Returns `to_space(place)` as a condition."""
        number = len(self.known)
        self.known[number] = frozenset(spaces)
        return p.NotNull(p.ToSpace(space, p.Load(place, number)), negated)

    def use(self, place: p.Place, *spaces: str) -> p.Statement:
        return p.Evaluate(self.chance.choice(_SINKS), self.take(place, *spaces))

    def name_of(self, stem: str) -> str:
        self.numbers += 1
        return f"{stem}{self.numbers}"

    def variable(self, type_: p.Type = p.POINTER) -> p.Variable:
        return p.Variable(self.name_of("v"), type_)

    def helper(
        self, body: Sequence[p.Statement], *given: p.Variable, result: p.Type = p.VOID, name: str = ""
    ) -> str:
        name = name or self.name_of("f")
        self.functions.append(p.Function(name, result, given, tuple(body)))
        return name

    def kernel(self, *body: p.Statement) -> None:
        start = (
            p.Declare(p.Variable("shared", p.Array(p.INT, 4)), None, "local"),
            p.Declare(p.Variable("own", p.Array(p.INT, 4)), None),
            p.Declare(p.Variable("x", p.INT), None),
        )
        arguments = (_argument("global"), _argument("local"))
        self.functions.append(p.Function(self.name_of("k"), p.VOID, arguments, (*start, *body), kernel=True))


def _argument(space: str) -> p.Variable:
    return p.Variable(space[0], p.Pointer(space, p.INT))
