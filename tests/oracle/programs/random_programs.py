"""Random programs: many objects in many spaces, and statements that combine them, one per line."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .program import SPELLED, Program

_SPACES = tuple(SPELLED.values())
_BASES = ("int", "float", "T", "U", "int4", "char")

_TYPES = """\
typedef struct T {{ int a; float b[4]; {0}int *p; {1}float *q[2]; int4 v; }} T;
typedef struct U {{ T t; {2}T *next; {3}struct U *up; {4}int *{5}*pp; }} U;
typedef {6}int *int_pointer;
typedef float floats[4];
typedef {7}float *float_pointer;
constant int c_int = 1;
constant float c_floats[4] = {{ 1 }};
constant int4 c_vector = (int4)(1);
constant T c_t = {{ 1 }};
{5}int *constant c_p = 0;
{2}float *constant c_q[2] = {{ 0, 0 }};
{4}U *{1}*constant c_u = 0;
#define SPACE {7}
#define POINTER(space, base) space base *
typedef union V {{ int a; {3}int *p; {6}float *f; }} V;
"""


@dataclass(frozen=True, slots=True)
class _Function:
    """A declared helper: its parameters and result are pointers to these types."""

    name: str
    takes: tuple[str, ...]
    gives: str


class _Writer:
    """Writes one program, determined by the seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._pointers: dict[str, list[str]] = {base: [] for base in _BASES}
        self._doubles: dict[str, list[str]] = {base: [] for base in _BASES}
        self._objects: dict[str, list[str]] = {base: [] for base in _BASES}
        self._arrays: dict[str, list[str]] = {base: [] for base in _BASES}
        self._functions: list[_Function] = []
        self._count = 0

    def program(self) -> str:
        """Returns the whole text."""
        pick = self._chance.choice
        lines = [_TYPES.format(*(pick(_SPACES) for _ in range(8))).rstrip()]
        lines += [self._prototype(number) for number in range(4)]
        kernel = self._chance.random() < 0.5
        lines.append(self._head(kernel))
        lines += [f"    {line}" for line in self._locals(kernel)]
        lines += [f"    {self._statement()}" for _ in range(30)]
        lines.append("}")
        # the second function sees the first one's neighbours, not its variables
        for known in (self._pointers, self._doubles, self._objects, self._arrays):
            known.update((base, []) for base in _BASES)
        lines.append(self._helper())
        return "\n".join([*lines, ""])

    def _space(self) -> str:
        return self._chance.choice(_SPACES)

    def _name(self) -> str:
        self._count += 1
        return f"x{self._count}"

    def _prototype(self, number: int) -> str:
        takes = tuple(self._chance.choice(_BASES) for _ in range(self._chance.randint(1, 2)))
        function = _Function(f"h{number}", takes, self._chance.choice(_BASES))
        self._functions.append(function)
        parameters = ", ".join(f"{self._qualifier()}{self._space()}{base} *" for base in takes)
        return f"{self._space()}{function.gives} *{function.name}({parameters});"

    def _helper(self) -> str:
        """Returns a function definition with one parameter of each base type, one of which it returns."""
        gives = self._chance.choice(_BASES)
        parameters = ["int n"]
        for base in _BASES:
            form = self._chance.choice(("*{0}", "{0}[4]", "*const {0}", "*restrict {0}"))
            parameters.append(f"{self._qualifier()}{self._space()}{base} {form.format('y_' + base)}")
            self._pointers[base].append(f"y_{base}")
            self._objects[base].append(f"y_{base}[0]")
            self._arrays[base].append(f"y_{base}")
            self._doubles[base].append(f"(&y_{base})")
        lines = [f"{self._space()}{gives} *k({', '.join(parameters)}) {{"]
        lines += [f"    {self._statement()}" for _ in range(6)]
        lines.append(f"    if (n) return {self._pointer(gives, 3)};")
        lines.append(f"    return {self._pointer(gives, 2)};")
        return "\n".join([*lines, "}"])

    def _qualifier(self) -> str:
        return self._chance.choice(("", "", "", "const ", "volatile "))

    def _head(self, kernel: bool) -> str:
        """Returns the function's head; a kernel's parameters point to named spaces."""
        spaces = [space for space in _SPACES if not kernel or space in ("global ", "local ", "constant ")]
        parameters = ["int n"]
        for number in range(8):
            base = self._chance.choice(_BASES)
            parameters.append(f"{self._chance.choice(spaces)}{base} *a{number}")
            self._pointers[base].append(f"a{number}")
        self._objects["int"] += ["n", "c_int"]
        self._arrays["float"].append("c_floats")
        self._objects["int4"].append("c_vector")
        self._objects["T"].append("c_t")
        self._pointers["int"].append("c_p")
        self._pointers["float"] += ["c_q[1]", "*c_q"]
        self._doubles["U"].append("c_u")
        return f"{'kernel ' if kernel else ''}void f({', '.join(parameters)}) {{"

    def _locals(self, kernel: bool) -> Iterator[str]:
        own = ("", "private ", "local ") if kernel else ("", "private ")
        for base in _BASES:
            name = self._name()
            self._objects[base].append(name)
            yield f"{self._chance.choice(own)}{base} {name};"
            name = self._name()
            self._arrays[base].append(name)
            yield f"{self._chance.choice(own)}{base} {name}[4];"
            name = self._name()
            self._pointers[base].append(name)
            yield f"{self._space()}{base} *{name};"
            name = self._name()
            self._doubles[base].append(name)
            yield f"{self._space()}{base} *{self._space()}*{name};"
        yield f"{self._space()}int *xa[2][2];"
        yield f"{self._qualifier()}{self._space()}float *const xc;"
        yield f"const {self._space()}int4 *xv;"
        yield f"{self._space()}int (*xr)[4];"
        yield f"{self._space()}char *{self._space()}*{self._space()}*xt;"
        yield f"{self._chance.choice(own)}V xu;"
        yield "int_pointer ip2;"
        self._pointers["int"] += ["xa[1][0]", "*xa[n]", "*xr", "xr[1]", "xu.p", "ip2"]
        self._pointers["float"] += ["xc", "xu.f"]
        self._pointers["int4"].append("xv")
        self._pointers["char"].append("**xt")
        self._doubles["char"].append("*xt")
        self._doubles["int"] += ["xa[1]", "*xa"]
        self._objects["int"] += ["xu.a", "c_vector.x", "(*xv).s1", "xr[0][1]"]
        yield "int_pointer ip;"
        yield f"{self._chance.choice(own)}floats fs;"
        yield "float_pointer fp;"
        self._pointers["int"].append("ip")
        self._pointers["float"].append("fp")
        self._arrays["float"].append("fs")

    def _integer(self, depth: int) -> str:
        return self._chance.choice(("n", "1", "0", "n + 1", f"{self._pointer('int', depth - 1)}[n]"))

    def _pointer(self, base: str, depth: int) -> str:
        """Returns an expression whose value is probably a pointer to the base type."""
        choose = self._chance.random()
        if depth <= 0 or choose < 0.25:
            return self._chance.choice([*self._pointers[base], *self._arrays[base]])
        simple = depth - 1
        made: list[Callable[[], str]] = [
            lambda: f"(&{self._object(base, simple)})",
            lambda: f"({self._pointer(base, simple)} + {self._integer(simple)})",
            lambda: f"(&{self._pointer(base, simple)}[n])",
            lambda: f"(({self._qualifier()}{self._space()}{base} *){self._pointer(base, simple)})",
            lambda: f"(({self._space()}{base} *)({self._space()}void *){self._pointer(base, simple)})",
            lambda: f"(n ? {self._pointer(base, simple)} : {self._pointer(base, simple)})",
            lambda: f"(n ? {self._pointer(base, simple)} : 0)",
            lambda: f"({self._integer(simple)}, {self._pointer(base, simple)})",
            lambda: f"(*{self._chance.choice(self._doubles[base])})",
            lambda: f"{self._chance.choice(self._doubles[base])}[1]",
            lambda: self._call(base, simple),
            lambda: self._member(base, simple),
            lambda: f"({self._pointer(base, simple)})",
            lambda: self._chance.choice(("0", "NULL", "(void *)0")),
            lambda: f"(({self._space()}{base} *)(uintptr_t){self._pointer(base, simple)})",
            lambda: f"((SPACE {base} *){self._pointer(base, simple)})",
            lambda: f"((POINTER({self._space()}, {base})){self._pointer(base, simple)})",
            lambda: f"({{ {self._space()}{base} *z = {self._pointer(base, simple)}; z; }})",
            lambda: f"({self._pointer(base, simple)} ?: {self._pointer(base, simple)})",
            lambda: f"(&*{self._pointer(base, simple)})",
            lambda: f"({self._chance.choice(self._pointers[base])} = {self._pointer(base, simple)})",
            lambda: '"text"' if base == "char" else f"({self._pointer(base, simple)} - n)",
        ]
        return self._chance.choice(made)()

    def _object(self, base: str, depth: int) -> str:
        """Returns an lvalue of the base type."""
        made: list[Callable[[], str]] = [
            lambda: self._chance.choice(self._objects[base]),
            lambda: f"{self._chance.choice(self._arrays[base])}[{self._integer(0)}]",
            lambda: f"(*{self._chance.choice(self._pointers[base])})",
            lambda: f"{self._chance.choice(self._pointers[base])}[n]",
        ]
        if base == "int":
            made.append(lambda: f"{self._record('T', depth)}a")
        if base == "float":
            made.append(lambda: f"{self._record('T', depth)}b[1]")
        if base == "T":
            made.append(lambda: f"{self._record('U', depth)}t")
        if base == "int4":
            made.append(lambda: f"{self._record('T', depth)}v")
        return self._chance.choice(made)()

    def _record(self, base: str, depth: int) -> str:
        """Returns a struct followed by the operator that accesses a member."""
        if self._chance.random() < 0.4 or depth <= 0:
            return f"{self._chance.choice(self._objects[base])}."
        if base == "T" and self._chance.random() < 0.4:
            return f"{self._record('U', depth - 1)}t."
        return f"({self._pointer(base, depth - 1)})->"

    def _member(self, base: str, depth: int) -> str:
        members = {
            "int": [("T", "p"), ("U", "pp[0]"), ("U", "t.p")],
            "float": [("T", "q[0]"), ("T", "b"), ("U", "t.q[1]")],
            "T": [("U", "next")],
            "U": [("U", "up"), ("U", "up->up")],
        }
        if base not in members:
            return self._pointer(base, depth)
        record, member = self._chance.choice(members[base])
        return f"{self._record(record, depth)}{member}"

    def _call(self, base: str, depth: int) -> str:
        fitting = [function for function in self._functions if function.gives == base]
        if not fitting:
            return self._pointer(base, depth)
        function = self._chance.choice(fitting)
        arguments = ", ".join(self._pointer(takes, depth) for takes in function.takes)
        return f"{function.name}({arguments})"

    def _statement(self) -> str:
        base = self._chance.choice(_BASES)
        target = self._chance.choice(self._pointers[base])
        value = self._pointer(base, 3)
        name = self._name()
        made: list[Callable[[], str]] = [
            lambda: f"{self._qualifier()}{self._space()}{base} *{name} = {value};",
            lambda: f"{target} = {value};",
            lambda: f"n = {target} {self._chance.choice(('==', '!=', '<', '>='))} {value};",
            lambda: f"n = {value} - {self._pointer(base, 1)};",
            lambda: f"{self._space()}void *{name} = {value};",
            lambda: f"{self._space()}{base} *{name}[2] = {{ {value}, {self._pointer(base, 1)} }};",
            lambda: f"{self._object(base, 2)} = {self._object(base, 2)};",
            lambda: f"{self._chance.choice(self._doubles[base])} = &{target};",
            lambda: (
                f"{self._chance.choice(self._doubles[base])} = {self._chance.choice(self._doubles[base])};"
            ),
            lambda: f"*{self._chance.choice(self._doubles[base])} = {value};",
            lambda: f"{self._chance.choice(self._functions).name}({value});",
            lambda: f"{self._call(base, 2)};",
            lambda: (
                f"T {name} = {{ .p = {self._pointer('int', 2)}, .q = {{ {self._pointer('float', 1)} }} }};"
            ),
            lambda: f"U {name} = {{ .t.p = {self._pointer('int', 2)}, .next = {self._pointer('T', 2)} }};",
            lambda: f"{self._record('U', 2)}next = {self._pointer('T', 2)};",
            lambda: f"{self._record('T', 2)}p = {self._pointer('int', 2)};",
            lambda: f"n = sizeof({value});",
            lambda: f"if ({value}) n++;",
            lambda: f"__typeof__({target}) {name} = {value};",
            lambda: f"{self._space()}{base} (*{name})[4] = &{self._chance.choice(self._arrays[base])};",
            lambda: f"for ({self._space()}{base} *{name} = {value}; {name} != {target}; {name}++) n++;",
            lambda: f"{{ {self._space()}{base} *{name} = {value}; }}",
            lambda: f"{target} += n;",
            lambda: f"{self._object('int', 2)} += {self._object('int', 2)};",
            lambda: f"{self._object('int', 2)}++;",
            lambda: f"{self._object('int4', 2)}.xy = (int2)(1, 2);",
            lambda: f"SPACE {base} *{name} = {value};",
            lambda: f"POINTER({self._space()}, {base}) {name} = {value};",
            lambda: f"while ({target} != {value}) n--;",
            lambda: f"switch (n) {{ case 1: {target} = {value}; break; default: ; }}",
            lambda: f"T {name} = (T){{ .p = {self._pointer('int', 2)} }};",
            lambda: f"xt = {self._chance.choice(('xt', '&*xt', 'xt + 1', '(void *)xt'))};",
            lambda: f"xu.p = {self._pointer('int', 2)};",
            lambda: f"V {name} = {{ .f = {self._pointer('float', 2)} }};",
            lambda: f"{self._space()}{base} *const *{name} = &{target};",
            lambda: f"const {self._space()}{base} {name}[] = {{ {self._object(base, 1)} }};",
            lambda: (
                f"(void)({self._space()}{base} *{self._space()}*){self._chance.choice(self._doubles[base])};"
            ),
        ]
        return self._chance.choice(made)()


def random_programs(count: int, seed: int) -> Iterator[Program]:
    """Yields this number of programs; another seed gives others."""
    for number in range(seed, seed + count):
        yield Program(f"random-{number}", _Writer(number).program())
