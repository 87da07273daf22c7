"""Operands of random expressions: types and their names, variables, pointers, components of vectors."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
BASES = (*INTEGERS, "float")
WIDTHS = (2, 3, 4, 8, 16)
SIZES = {
    "char": 1,
    "uchar": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "long": 8,
    "ulong": 8,
    "float": 4,
}
_OF_SIZE = {1: "char", 2: "short", 4: "int", 8: "long"}
_LITERALS = (
    "0", "1", "2", "7u", "0x1F", "017", "0b101", "1L", "2UL", "0xffu", "'a'", "'\\n'", "'\\x41'", "'\\101'", "'\\''",
    "E_ONE", "E_TWO", "THREE", "sizeof(int)", "true", "(-1)", "0xFFFFFFFFu", "1lu", "CHAR_BIT", "INT_MAX", "__LINE__",
)  # fmt: skip
_FLOATS = (
    "1.0f", "1.f", ".5f", "5.0F", "1e3f", "1E-3F", "0x1p-3f", "0x1.8p1F", "0x.8p0f", "1e+3f", "2.0f", "M_PI_F", "FLT_MAX",
    "(1.0f)", "INFINITY", "HALF",
)  # fmt: skip


class ValueType(NamedTuple):
    """A scalar (`width` 1) or vector type."""

    base: str
    width: int = 1

    @property
    def name(self) -> str:
        return self.base + (str(self.width) if self.width > 1 else "")

    @property
    def is_integer(self) -> bool:
        return self.base != "float"

    @property
    def comparison(self) -> ValueType:
        """The type of a comparison of two such operands."""
        return ValueType(_OF_SIZE[SIZES[self.base]] if self.width > 1 else "int", self.width)


INT, FLOAT = ValueType("int"), ValueType("float")
TYPES = tuple(ValueType(base, width) for base in BASES for width in (1, *WIDTHS))


class OperandWriter:
    """Writes operands from the variables of a program's preamble.

    `variables` are names by type; `pointers` and `arrays` are of objects of that type. The preamble declares an alias
    `T_t` of each type `T`.
    """

    def expression(self, type_: ValueType, depth: int) -> str:
        """An expression without a comma operator outside of parentheses; `depth` bounds its nesting."""
        raise NotImplementedError

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.variables: dict[ValueType, list[str]] = {}
        self.pointers: dict[ValueType, list[str]] = {}
        self.arrays: dict[ValueType, list[str]] = {}

    def pick(self, choices: Sequence[str]) -> str:
        return self.chance.choice(choices)

    def type(self) -> ValueType:
        """A random type, mostly one of the frequent ones."""
        return self.chance.choice(
            (INT, INT, FLOAT, ValueType("uint"), ValueType("float", 4), ValueType("int", 4), *TYPES)
        )

    def spelled(self, type_: ValueType, *, plain: bool = False) -> str:
        """A type name for the type."""
        written = [type_.name, type_.name, f"{type_.name}_t", f"{type_.name}_t"]
        if not plain:
            written += [f"const {type_.name}_t", f"{type_.name} const", f"VEC({type_.base}, {type_.width})"]
            if type_.width == 1 and type_.base.startswith("u"):
                written += [f"unsigned {type_.base[1:]}", f"{type_.base[1:]} unsigned"]
            if type_ in self.variables:
                written.append(f"__typeof__({self.variables[type_][0]})")
        if type_.width == 1:
            written = [each for each in written if "VEC" not in each]
        return self.pick(written)

    def object(self, type_: ValueType, depth: int) -> str:
        """An lvalue of the type."""
        made: list[Callable[[], str]] = [lambda: self.pick(self.variables.get(type_, ["undefined"]))] * 2
        if type_ in self.pointers:
            made += [
                lambda: f"*{self.pointer(type_, depth - 1)}",
                lambda: f"{self.pointer(type_, depth - 1)}[{self.index(depth)}]",
                lambda: f"(*{self.pointer(type_, depth - 1)})",
                lambda: f"{self.pick(self.arrays[type_])}[{self.index(depth)}]",
                lambda: f"({self.pick(self.arrays[type_])})[{self.index(depth)}]",
                lambda: f"(&{self.pick(self.arrays[type_])})[0][{self.index(depth)}]",
                lambda: f"(*&{self.pick(self.arrays[type_])})[{self.index(0)}]",
            ]
        if type_.width == 1 and depth > 0:
            wide = ValueType(type_.base, self.chance.choice(WIDTHS))
            if wide in self.variables:
                made.append(lambda: f"{self.postfixed(wide)}{self.component(wide.width)}")
                made.append(lambda: f"{self.postfixed(wide)}[{self.chance.randrange(wide.width)}]")
        return self.chance.choice(made)()

    def postfixed(self, type_: ValueType) -> str:
        """A primary or postfix expression that is an object of the type."""
        return self.pick(
            [
                *self.variables[type_],
                f"({self.variables[type_][0]})",
                f"{self.pick(self.arrays[type_])}[{self.index(0)}]",
                f"(*{self.pick(self.pointers[type_])})",
                f"{self.pick(self.pointers[type_])}[1]",
            ]
            if type_ in self.arrays
            else self.variables.get(type_, ["undefined"])
        )

    def index(self, depth: int) -> str:
        return self.pick(("0", "1", "i", "n & 3", "i++", "E_ONE", self.expression(INT, min(depth - 1, 1))))

    def component(self, width: int) -> str:
        """The accessor of one component."""
        number = self.chance.randrange(width)
        forms = [f".s{number:x}", f".s{number:X}"]
        if width <= 4:
            forms += [f".{'xyzw'[number]}"] * 2
        if width in (2, 4, 8, 16) and width == 2:
            forms += [".lo", ".hi", ".even", ".odd"]
        return self.pick(forms)

    def swizzle(self, source: int, width: int) -> str:
        """An accessor that takes `width` of `source` components, some perhaps twice."""
        numbers = [self.chance.randrange(source) for _ in range(width)]
        if source <= 4 and self.chance.random() < 0.5:
            return "." + "".join("xyzw"[number] for number in numbers)
        if source == 2 * width and self.chance.random() < 0.5:
            return self.pick((".lo", ".hi", ".even", ".odd"))
        return self.pick((".s", ".S")) + "".join(f"{number:x}" for number in numbers)

    def pointer(self, type_: ValueType, depth: int) -> str:
        """A primary or postfix expression, mostly parenthesised, that points to an object of the type."""
        names = [*self.pointers[type_], *self.arrays[type_]]
        if depth <= 0:
            return self.pick(names)
        name = self.pick(self.pointers[type_])
        alias = self.spelled(type_, plain=True)
        return self.pick(
            [
                *names,
                f"({self.pick(names)} + {self.index(depth)})",
                f"(&{name}[{self.index(depth)}])",
                f"({name} ? {name} : {name})",
                f"({self.index(0)}, {name})",
                f"(&{self.variables[type_][0]})",
                f"((private {alias} *)({self.variables[type_][0]} ? {name} : 0))",
                f"((private {alias} *){name})",
                f"((__private {alias}*)({name}))",
                f"((POINTER({alias})){name})",
                f"(({alias} private *)(private void *)({name} + 1))",
                f"(({alias}[]){{ {self.expression(type_, 0)}, {self.expression(type_, 0)} }})",
                f"((private {type_.name}_t *)&({self.variables[type_][0]}))",
            ]
        )

    def leaf(self, type_: ValueType) -> str:
        if type_.width == 1 and self.chance.random() < 0.4:
            return self.pick(_LITERALS if type_.is_integer else _FLOATS)
        if type_ in self.variables:
            return self.pick(
                [*self.variables[type_], f"{self.pick(self.pointers[type_])}[0]"]
                if type_ in self.pointers
                else self.variables[type_]
            )
        return (
            f"({self.spelled(type_, plain=True)})({self.leaf(ValueType(type_.base))})"
            if type_.width > 1
            else "1"
        )

    def same_size(self, type_: ValueType) -> str:
        """Another type with the size of this one."""
        size = SIZES[type_.base]
        return self.spelled(
            ValueType(self.pick([each for each in BASES if SIZES[each] == size]), type_.width), plain=True
        )

    def counted(self, type_: ValueType) -> str:
        """A postfix expression that may be incremented."""
        if type_.width == 1 and self.chance.random() < 0.3:
            return self.pick(
                (
                    "record.a",
                    "record_pointer->inner.b",
                    "(*record_pointer).list[1]",
                    "(n)",
                    "int4_v.x",
                    "(*ip)",
                    "ip[i]",
                )
            )
        return self.postfixed(type_)

    def chain(self, type_: ValueType, signs: str) -> str:
        """Unary expressions joined by operators of several precedences, without parentheses around them."""
        made = [f"{self.pick(('', '', '-', '+ ', '~'))}{self.leaf(type_)}" for _ in range(4)]
        for number in range(1, len(made)):
            made[number] = f" {self.pick(signs)} {made[number]}"
        return "".join(made)

    def scalar(self) -> ValueType:
        return ValueType(self.pick(BASES))

    def name(self, type_: ValueType) -> str:
        return self.variables[type_][0]
