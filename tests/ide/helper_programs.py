"""Random programs of helpers that pass pointers on, for the tests of fixes across functions."""

from __future__ import annotations

from random import Random

_SPACES = ("", "", "", "global ", "local ", "constant ", "private ")


def helper_program(random: Random) -> str:
    """Generates functions with pointers into any space, perhaps with prototypes and typedefs, and a kernel that calls them."""
    lines = []
    pointer_types = ["%sint *"] * 7 + ["%sconst int *"]
    if random.random() < 0.3:
        lines.append(f"typedef {random.choice(_SPACES)}int *ptr_t;")
        pointer_types.append("ptr_t ")
    helpers = [_signature(random, number, pointer_types) for number in range(random.randint(1, 4))]
    declared = random.random() < 0.4
    if declared:
        lines += [f"{result}{name}({_parameters(types)});" for name, types, result in helpers]
    for number, (name, types, result) in enumerate(helpers):
        callable_ = helpers if declared else helpers[:number]
        lines.append(f"{result}{name}({_parameters(types)}) {{")
        lines += _body(random, len(types), result, callable_)
        lines.append("}")
    lines.append("kernel void k(global int *g, local int *l, constant int *c, int n) {")
    lines.append("    int x[4];")
    for number in range(random.randint(1, 4)):
        name, types, result = random.choice(helpers)
        call = f"{name}({', '.join(random.choice(['g', 'l', 'x', 'c', 'g + n']) for _ in types)});"
        taken = (
            f"{random.choice(_SPACES)}int *r{number} = " if "*" in result and random.random() < 0.7 else ""
        )
        lines.append(f"    {taken}{call}")
    return "\n".join([*lines, "}", ""])


_Helper = tuple[str, list[str], str]


def _signature(random: Random, number: int, pointer_types: list[str]) -> _Helper:
    types = []
    for _ in range(random.randint(1, 2)):
        written = random.choice(pointer_types)
        types.append(written % random.choice(_SPACES) if "%" in written else written)
    result = random.choice(["void ", "void ", "int *", f"{random.choice(_SPACES)}int *"])
    return f"helper{number}", types, result


def _parameters(types: list[str]) -> str:
    return ", ".join(f"{type_}p{number}" for number, type_ in enumerate(types))


def _body(random: Random, parameters: int, result: str, callable_: list[_Helper]) -> list[str]:
    names = [f"p{number}" for number in range(parameters)]
    lines = []
    for number in range(random.randint(0, 3)):
        chance = random.random()
        space, other = random.choice(_SPACES), random.choice(_SPACES)
        if chance < 0.4:
            cast = f"({other}int *)" if chance < 0.1 else ""
            lines.append(f"    {space}int *v{number} = {cast}{random.choice(names)};")
            names.append(f"v{number}")
        elif chance < 0.8 and callable_:
            name, types, _ = random.choice(callable_)
            lines.append(f"    {name}({', '.join(random.choice(names) for _ in types)});")
        elif chance < 0.9:
            lines.append(f"    {random.choice(names)}[0] += 1;")
        else:
            a, b, c, d = (random.choice(names) for _ in range(4))
            lines.append(f"    if ({a} == {b}) {c} = {d};")
    if "*" in result:
        lines.append(f"    return {random.choice(names)};")
    return lines
