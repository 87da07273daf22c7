"""Compares sizes and alignments of random structures with clang, for both address widths.

    python -m tests.oracle.sizes [--count N] [--seed N] [--standard CL2.0]

Each of the N programs has about fifty structures and unions: packed, aligned, nested and anonymous ones, vectors of
three elements, enumerations, arrays of arrays, pointers into every space, typedefs, bit-fields, `#pragma pack`.
Differences are printed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.sizes import Layout
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.units import UnitConfig

from ..language.clang import run_clang
from ..semantics.units import ROOT, Headers

TYPES = (
    "bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double",
    "long long", "unsigned long long",
    "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "char2", "uchar3", "short4", "int3", "uint8", "long16",
    "float3", "float4", "double2", "double3", "half3", "half16",
)  # fmt: skip
_POINTERS = (
    "global int *",
    "local char *",
    "constant double3 *",
    "private long *",
    "void *",
    "global int **",
)
_BIT_FIELDS = ("char", "uchar", "short", "int", "uint", "ulong")
_NARROWING = ("__attribute__((packed))", "__attribute__((__packed__))", "__attribute__((packed, aligned(2)))")
_WIDENING = ("aligned({})", "__aligned__({})")
_STRUCTURES = 50
_TARGETS = {32: "spir-unknown-unknown", 64: "spir64-unknown-unknown"}


def program(seed: int) -> tuple[str, list[str]]:
    """Returns declarations of structures, and the names of the types to measure."""
    maker = _Maker(random.Random(seed))
    for number in range(_STRUCTURES):
        maker.declare(number)
    return maker.text, maker.measured


class _Maker:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.text = "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\n"
        self.known = [*TYPES, *_POINTERS]
        self.measured: list[str] = []
        self.aligned: list[str] = []
        """Typedefs that ask for an alignment: clang takes no arrays of them."""

    def declare(self, number: int) -> None:
        chance = self.chance
        if chance.random() < 0.15:
            size = chance.choice(("1", "2", "4", "8", "16"))
            pushed = f"push, {size}", f"push, name{number % 3}, {size}"
            popped = "pop", "pop", f"pop, name{number % 3}"
            self.text += f"#pragma pack({chance.choice((*pushed, *popped, size, ''))})\n"
        kind = chance.choice(("structure",) * 6 + ("enumeration", "typedef"))
        if kind == "enumeration":
            name = f"enum e{number}"
            self.text += f"{name} {{ E{number} = {chance.choice((0, -1, 200))}, F{number} }};\n"
        elif kind == "typedef":
            name = f"t{number}"
            bounds = self.bounds()
            if chance.random() < 0.3:
                renamed = chance.choice((*TYPES, *_POINTERS, *self.aligned))
                asked = f" __attribute__((aligned({chance.choice((1, 2, 8, 32))})))" * (chance.random() < 0.8)
                self.text += f"typedef {renamed} {name}{asked};\n"
                self.aligned.append(name)
                return
            if not bounds and chance.random() < 0.4:
                self.text += f"typedef struct {self.attribute(0.4)}{{ {self.members(3, 0)} }}{self.attribute(0.3)} {name};\n"
            else:
                self.text += f"typedef {chance.choice(self.known)} {name}{bounds};\n"
        else:
            name = f"{self.keyword()} s{number}"
            before, behind = (self.attribute(0.15), self.attribute(0.25))
            keyword, tag = name.split()
            self.text += f"{keyword} {before}{tag} {{ {self.members(6, 0)} }}{behind and ' ' + behind};\n"
        self.known.append(name)
        self.measured += [name, f"{name}[{chance.randint(1, 3)}]"][: chance.choice((1, 1, 2))]

    def keyword(self) -> str:
        return self.chance.choice(("struct", "struct", "struct", "union"))

    def bounds(self) -> str:
        return "".join(
            f"[{self.chance.randint(1, 4)}]" for _ in range(self.chance.choice((0, 0, 0, 0, 1, 1, 2, 3)))
        )

    def attribute(self, often: float) -> str:
        """Returns an attribute of a structure or member, or nothing; `often` is its probability."""
        if self.chance.random() >= often:
            return ""
        if self.chance.random() < 0.5:
            return self.chance.choice(_NARROWING) + " "
        width = self.chance.choice(("1", "2", "4", "8", "16", "64", "sizeof(long)", "4 * 2", "1 << 3"))
        return f"__attribute__(({self.chance.choice(_WIDENING).format(width)})) "

    def members(self, most: int, depth: int) -> str:
        return " ".join(
            self.member(f"m{depth}_{number}", depth) for number in range(self.chance.randint(1, most))
        )

    def member(self, name: str, depth: int) -> str:
        chance = self.chance
        if depth < 2 and chance.random() < 0.12:
            inner = self.members(3, depth + 1).replace(" m", f" {name}m")
            named = chance.random() < 0.5
            return f"{self.keyword()} {self.attribute(0.2)}{{ {inner} }}{' ' + name + self.bounds() if named else ''};"
        if chance.random() < 0.08:
            width = chance.randint(0, 8)
            declarator = f"{name}: {width}" if width and chance.random() < 0.8 else f": {width}"
            attribute = self.attribute(0.15) if declarator.startswith("m") else ""
            return f"{chance.choice(_BIT_FIELDS)} {declarator} {attribute};"
        # few structures in structures in structures: on 32 bits those of gigabytes are refused
        type_ = chance.choice(self.known if chance.random() < 0.3 else (*TYPES, *_POINTERS))
        if chance.random() < 0.1:
            type_ = f"{self.attribute(1)}{type_}"
        if self.aligned and chance.random() < 0.15:
            return f"{chance.choice(self.aligned)} {name} {self.attribute(0.15)};"
        second = f", {name}b{self.bounds()}" if chance.random() < 0.1 and "*" not in type_ else ""
        attribute = self.attribute(0.15)
        return f"{type_} {name}{self.bounds()}{attribute and ' ' + attribute.strip()}{second};"


def layouts(text: str, types: Sequence[str], dialect: Dialect) -> list[Layout | None]:
    """Returns the layouts that the analysis computes for the types, which are named in a function of the program."""
    uses = "".join(f"    sizeof({each});\n" for each in types)
    unit = UnitConfig(ROOT, BuildConfiguration(dialect), ConfigurationOrigins("chosen by the test"))
    data = f"{text}void probe(void) {{\n{uses}}}\n".encode()
    translation_unit = TranslationUnit(unit, Document.of(ROOT, data), Headers({}))
    key = next(item.key for item in translation_unit.items if item.name == "probe")
    ctx = translation_unit.typed(key, bodies=True, trace=True)
    assert ctx.trace is not None
    measured = [value.measured for _, value in sorted(ctx.trace.items()) if value.measured is not None]
    assert len(measured) == len(types)
    return [ctx.layout(each) for each in measured]


def refused(text: str, types: Sequence[str], found: Sequence[Layout | None], dialect: Dialect) -> list[str]:
    """Returns clang's errors about these layouts."""
    lines = [
        f'_Static_assert(sizeof({type_}) == {layout.size} && _Alignof({type_}) == {layout.alignment}, "{type_}");'
        for type_, layout in zip(types, found, strict=True)
        if layout is not None
    ]
    options = "-triple", _TARGETS[dialect.address_bits], "-fsyntax-only", "-w", "-ferror-limit", "0"
    said = run_clang(dialect, text + "\n".join(lines), *options)
    return [line for line in said.stderr.splitlines() if "error" in line or "note: expression" in line]


def differences(seed: int, dialect: Dialect) -> Iterator[str]:
    """Yields the differences between the analysis and clang for a program, including sizes that the analysis does not know."""
    text, types = program(seed)
    found = layouts(text, types, dialect)
    for type_, layout in zip(types, found, strict=True):
        if layout is None:
            yield f"{type_}: no size is known"
    yield from refused(text, types, found, dialect)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--standard", default="CL2.0")
    options = parser.parse_args()
    wrong = measured = 0
    for seed in range(options.seed, options.seed + options.count):
        measured += 2 * len(program(seed)[1])
        for bits in _TARGETS:
            dialect = replace(Dialect.of(options.standard), address_bits=bits)
            for line in differences(seed, dialect):
                wrong += 1
                print(f"seed {seed}, {bits} bits: {line}", flush=True)
    print(f"{measured} sizes and alignments of {2 * options.count} programs, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
