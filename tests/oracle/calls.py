"""Compares overload resolution with clang on random calls of built-in functions.

    python -m tests.oracle.calls [--dialect NAME]… [--count N] [--seed N]

Each call is assigned to a struct, so that clang's error states its type, that no function matches, or that the call is
ambiguous.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from openclsp.language.builtin_functions import builtin_names
from openclsp.language.builtin_types import BUILTIN_TYPES, TypeCategory
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect
from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.known_types import (
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    canonical,
    named,
)
from openclsp.semantics.types.type_model import (
    CONST,
    Function,
    Opaque,
    Scalar,
    Type,
    Vector,
    opaque,
    pointer_to,
    spell,
)
from openclsp.semantics.typing.overloads import resolve

from ..language.clang import QUIETLY, clang_command
from . import clang

NO_MATCH, AMBIGUOUS, CHOSEN = "no match", "ambiguous", "one, and refuses an argument"
_NOWHERE = Place(0, 0)
_POINTEES = ("char", "uchar", "int", "uint", "float", "double", "half4", "float4", "int2", "ulong", "void")
_NO_OPERANDS = ("bool", "half")
"""No function has a parameter of type bool; clang takes no operand of type half, nor a pointer to one where overloads are
compared, without a pragma."""
_IMAGES = ("image1d_t", "image2d_t", "image2d_array_t", "image3d_t", "image2d_depth_t")
_LITERALS = {
    "0": Value(INT, _NOWHERE, null=True, number=0),
    "1": Value(INT, _NOWHERE, number=1),
    "2u": Value(UINT, _NOWHERE, number=2),
    "1.0f": Value(FLOAT, _NOWHERE),
}
_VECTOR = re.compile(r"(.*) __attribute__\(\(ext_vector_type\((\d+)\)\)\)")
_ERROR = re.compile(r"<stdin>:(?P<line>\d+):\d+: error: (?P<message>.*)")
_TYPE = re.compile(r"assigning to '[^']*' from incompatible type '([^']*)'")


@dataclass(frozen=True, slots=True)
class Call:
    """A call as text, and openclsp's result: a type, NO_MATCH or AMBIGUOUS."""

    text: str
    mine: str

    def agrees(self, said: str) -> bool:
        """Whether clang's answer agrees. If clang selected an overload but rejected an argument, it states no type."""
        return said == self.mine or (said == CHOSEN and self.mine not in (NO_MATCH, AMBIGUOUS))


def arguments(dialect: Dialect) -> dict[str, tuple[str, Value]]:
    """Returns the operands: by their text, the declaration (empty for a literal) and the value."""
    found: dict[str, tuple[str, Value]] = {text: ("", value) for text, value in _LITERALS.items()}
    # a double only from OpenCL C 1.2 on: the program has no pragma
    found["1.0"] = "", Value(DOUBLE if dialect.version >= 120 else FLOAT, _NOWHERE)

    def add(type_: Type) -> None:
        name = f"a{len(found)}"
        found[name] = (spell(type_, name), Value(type_, _NOWHERE))

    numbers = (TypeCategory.SCALAR, TypeCategory.VECTOR)
    for name, built_in in BUILTIN_TYPES.items():
        type_ = named(name, dialect)
        if (
            built_in.category in numbers
            and built_in.canonical == name
            and name not in _NO_OPERANDS
            and type_ is not None
        ):
            add(type_)
    spaces = ["private", "global", "local", "constant", *(["generic"] if dialect.generic else [])]
    for space in spaces:
        for pointee in _POINTEES:
            for bits in (0, CONST):
                type_ = named(pointee, dialect)
                if type_ is not None:
                    add(pointer_to(type_.with_qualifiers(bits).with_space(QUALIFIERS[space])))
    for name in _IMAGES:
        image = named(name, dialect)
        if isinstance(image, Opaque):
            accesses = ["read_only", "write_only", *(["read_write"] if dialect.read_write_images else [])]
            for access in accesses:
                add(opaque(image.name, image.category, access))
    for name in ("sampler_t", "event_t"):
        type_ = named(name, dialect)
        if type_ is not None:
            add(type_)
    return found


def calls(dialect: Dialect, count: int, seed: int) -> list[Call]:
    """Returns this number of calls of random functions and overloads, most of whose arguments match the overload."""
    choose = random.Random(seed)
    operands = arguments(dialect)
    by_type: dict[Type, list[str]] = {}
    for text, (_, value) in operands.items():
        by_type.setdefault(_plain(value.type), []).append(text)
    texts = list(operands)
    names = sorted(name for name in builtin_names(dialect) if len(overloads_of(name, dialect)) > 1)
    names = [name for name in names if not name.startswith(("convert_", "intel_", "amd_"))]
    made = []
    for _ in range(count):
        name = choose.choice(names)
        candidates = overloads_of(name, dialect)
        wanted = choose.choice(candidates)
        given = [
            choose.choice(by_type.get(_plain(parameter), texts))
            if choose.random() < 0.6
            else choose.choice(_alike(parameter, operands))
            for parameter in wanted.parameters
        ]
        if choose.random() < 0.03 and given:
            given.pop()
        text = f"{name}({', '.join(given)})"
        made.append(Call(text, _resolved(candidates, [operands[each][1] for each in given])))
    return made


def _plain(type_: Type) -> Type:
    return canonical(type_) if isinstance(type_, Scalar) else type_


def _alike(parameter: Type, operands: dict[str, tuple[str, Value]]) -> list[str]:
    """The operands that are pointers if the parameter is one, or numbers if it is a number."""
    numbers = Scalar | Vector
    kinds = numbers if isinstance(parameter, numbers) else type(parameter)
    found = [text for text, (_, value) in operands.items() if isinstance(value.type, kinds)]
    return found or list(operands)


def _resolved(candidates: tuple[Function, ...], values: Sequence[Value]) -> str:
    resolution = resolve(candidates, values)
    if resolution.best is not None:
        return _result(candidates[resolution.best].result)
    return AMBIGUOUS if resolution.viable else NO_MATCH


def _result(type_: Type) -> str:
    return canonical(type_).name if isinstance(type_, Scalar) else spell(type_)


def program(dialect: Dialect, tried: Sequence[Call]) -> str:
    """Returns a program with the calls, one per line from line 2 on."""
    declared = ", ".join(text for text, _ in arguments(dialect).values() if text)
    lines = [f"    x = {call.text};" for call in tried]
    return f"void k({declared}) {{ struct {{ int m; }} x;\n" + "\n".join(lines) + "\n}\n"


def verdicts(dialect: Dialect, tried: Sequence[Call]) -> list[str]:
    """Returns clang's answer for each call: its type, NO_MATCH or AMBIGUOUS, or another error message."""
    by_line: dict[int, str] = {}
    # by its header: `-fdeclare-opencl-builtins` leaves a few overloads out, of atomics and of reads of one level
    command = [word for word in clang_command(dialect) if word != "-fdeclare-opencl-builtins"]
    run = subprocess.run(
        [*command, *QUIETLY, "-w", "-fsyntax-only", "-"],
        input=program(dialect, tried),
        capture_output=True,
        text=True,
        check=False,
    )
    for line in run.stderr.splitlines():
        error = _ERROR.match(line)
        if error is None:
            continue
        number, said = int(error["line"]), error["message"]
        match = _TYPE.match(said)
        if match:
            said = _aliased(match[1])
        elif "no matching function" in said:
            said = NO_MATCH
        elif "is ambiguous" in said:
            said = AMBIGUOUS
        elif said.startswith(("incompatible pointer types", "incompatible integer to pointer")):
            said = CHOSEN
        by_line.setdefault(number, said)
    return [by_line.get(number + 2, "nothing") for number in range(len(tried))]


def _aliased(type_: str) -> str:
    """Returns OpenCL C's name of the type, without clang's explanation in brackets."""
    name = type_.partition(" (aka")[0]
    vector = _VECTOR.fullmatch(name)
    element, width = vector.groups() if vector else (name, "")
    element = element.removeprefix("__")
    element = re.sub(r"unsigned (\w+)", r"u\1", element)
    found = BUILTIN_TYPES.get(element)
    return (found.canonical if found is not None else element) + width


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--dialect", action="append", choices=[dialect.name for dialect in REFERENCE_DIALECTS]
    )
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if reason := clang.reason_to_skip():
        print(f"skipped: {reason}")
        return 0
    wrong = 0
    for name in options.dialect or [dialect.name for dialect in REFERENCE_DIALECTS]:
        dialect = Dialect.of(name)
        tried = calls(dialect, options.count, options.seed)
        here = 0
        for call, said in zip(tried, verdicts(dialect, tried), strict=True):
            if not call.agrees(said):
                here += 1
                print(f"{name}: {call.text}: openclsp says {call.mine}, clang {said}")
        print(f"{name}: {len(tried)} calls, {here} differ")
        wrong += here
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
