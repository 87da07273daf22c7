"""Prints a program as C for the CPU, in which each use reports the address space that it observes.

Macros remove the qualifiers, and each object is in a section or arena of its address space. What the language leaves
undefined gives a *poisoned* pointer, which no use reports: an uninitialised pointer, one that is loaded through null, a
cast to a named space in which the object is not. A private object lives until the run ends, so that a dangling pointer
still refers to its former object.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import program as p
from .printing import OpenCL, declared, shown, type_text

_SECTIONS = {"global": "IN_GLOBAL", "local": "IN_LOCAL"}
_BUFFERS = {"global": "global_buffer", "local": "local_buffer"}


class Host(OpenCL):
    """Prints one of the programs in a C file; `number` makes its names unique."""

    def __init__(self, program: p.Program, number: int) -> None:
        super().__init__(program)
        self.prefix = f"P{number}_"
        self.number = number
        self.globals = {each.variable.name for each in program.globals}
        self.captured: dict[str, str] = {}

    def text(self) -> str:
        """Returns the program as C, with a function `P<number>_run` that launches the kernels one after another."""
        parts = [f"#define {each.tag} {self.prefix}{each.tag}" for each in self.program.records]
        parts += [self.record(each) for each in self.program.records]
        parts += [self.stored(each.variable, "IN_GLOBAL") for each in self.program.globals]
        parts += [self.signature(each) + ";" for each in self.program.functions]
        parts += [self.function(each) for each in self.program.functions]
        parts += [self.run()]
        return "\n".join(parts) + "\n" + "".join(f"#undef {each.tag}\n" for each in self.program.records)

    def name(self, variable: p.Variable) -> str:
        if variable.name in self.globals:
            return self.prefix + variable.name
        return variable.name.replace("'", "_") + "_"

    def stored(self, variable: p.Variable, where: str) -> str:
        return f"static {declared(p.Array(variable.type, 1), self.name(variable))} {where};"

    def run(self) -> str:
        resets = "".join(
            f"  memset({self.name(each.variable)}, 0, sizeof *{self.name(each.variable)});\n"
            + ("" if each.value is None else f"  {self.initialise(each.variable, each.value)}\n")
            for each in self.program.globals
        )
        kernels = [each for each in self.program.functions if each.kernel]
        launches = "".join(
            f"    case {number}: {self.prefix}{each.name}({', '.join([*map(self.buffer, each.parameters), '0'])});"
            " break;\n"
            for number, each in enumerate(kernels)
        )
        return (
            f"static void {self.prefix}run(void) {{\n{resets}"
            f"  for (int launch = 0; launch < {2 * len(kernels)}; launch++)\n"
            f"    switch (chance() % {len(kernels)}) {{\n{launches}    }}\n}}"
        )

    def buffer(self, parameter: p.Variable) -> str:
        assert isinstance(parameter.type, p.Pointer)
        return f"(void *){_BUFFERS[parameter.type.space]}"

    def initialise(self, variable: p.Variable, value: p.Expression) -> str:
        name = self.name(variable)
        if isinstance(value, p.Compound):
            return f"{{ {declared(variable.type, 'made')} = {self.value(value)}; memcpy({name}, &made, sizeof made); }}"
        return f"*{name} = {self.value(value)};"

    def signature(self, function: p.Function) -> str:
        parameters = [declared(each.type, shown(each.name) + "_given") for each in function.parameters]
        name = self.prefix + function.name
        return f"static {declared(function.result, name)}({', '.join([*parameters, 'int n'])})"

    def function(self, function: p.Function) -> str:
        taken = "".join(self.take(each) for each in function.parameters)
        return (
            f"{self.signature(function)} {{\n  step();\n{taken}{self.hoisted(function.body)}"
            f"{self.body(function.body, 1)}}}"
        )

    def take(self, parameter: p.Variable) -> str:
        name = self.name(parameter)
        return f"  PRIVATE({type_text(parameter.type)}, {name}); *{name} = {shown(parameter.name)}_given;\n"

    def hoisted(self, statements: Sequence[p.Statement]) -> str:
        """Returns the declarations of the objects of a body, before its statements."""
        text = ""
        for declaration in _declarations(statements):
            name = self.name(declaration.variable)
            if declaration.space == "local":
                text += f"  {self.stored(declaration.variable, 'IN_LOCAL')} poison({name}, sizeof {name});\n"
            else:
                text += f"  PRIVATE(typeof({declared(declaration.variable.type, '')}), {name});\n"
        for literal in _literals(statements):
            text += f"  PRIVATE({type_text(literal.type)}, literal{literal.number});\n"
        return text

    def statement(self, each: p.Statement, depth: int) -> str:
        pad = "  " * depth
        if isinstance(each, p.Declare):
            if each.value is None:
                # each time it is reached, the value becomes indeterminate (C99 6.2.4)
                name = self.name(each.variable)
                return "" if each.space == "local" else f"{pad}poison({name}, sizeof *{name});\n"
            return f"{pad}{self.initialise(each.variable, each.value)}\n"
        if isinstance(each, p.Evaluate):
            return f"{pad}{self.value(each.value)};\n"
        if isinstance(each, p.Advance):
            return f"{pad}(void){self.place(each.place)};\n"
        if isinstance(each, p.Label):
            return f"{each.name}: step();\n"
        return super().statement(each, depth)

    def loop(self, each: p.Loop, depth: int) -> str:
        condition = f"step(), {self.condition(each.condition)}"
        pad, body = "  " * depth, self.braced(each.body, depth)
        if each.kind == "do":
            return f"{pad}do {body} while ({condition});\n"
        return f"{pad}while ({condition}) {body}\n"

    def choice(self, number: int, among: int) -> str:
        return f"chance() % {among}"

    def declare_block(self, each: p.DeclareBlock, depth: int) -> str:
        pad, copies, outside = "  " * depth, "", dict(self.captured)
        inside = dict(outside)
        for variable in each.captured:
            copy = f"{each.name}_{variable.name.replace(chr(39), '_')}"
            copies += f"{pad}PRIVATE({type_text(variable.type)}, {copy}); *{copy} = {self.place(variable)};\n"
            inside[variable.name] = copy
        self.captured = inside
        given = ", ".join(declared(v.type, shown(v.name) + "_given") for v in each.parameters) or "void"
        types = ", ".join(type_text(v.type) for v in each.parameters) or "void"
        taken = "".join(map(self.take, each.parameters))
        body = taken + self.hoisted(each.body) + self.body(each.body, depth + 1)
        self.captured = outside
        head = f"{type_text(each.result)} (^{each.name})({types}) = ^({given})"
        return f"{copies}{pad}{head} {{\n step();\n{body}{pad}}};\n"

    def copy_bytes(self, each: p.CopyBytes, pad: str) -> str:
        size = "16" if each.form == "vector" else f"sizeof({type_text(each.type)})"
        return f"{pad}memmove(REAL({self.value(each.to)}), REAL({self.value(each.source)}), {size});\n"

    def place(self, place: p.Place, use: int | None = None) -> str:
        text = self._place(place)
        return text if use is None else f"SEE({use}, {text})"

    def _place(self, place: p.Place) -> str:
        if isinstance(place, p.Variable):
            return f"(*{self.captured.get(place.name) or self.name(place)})"
        if isinstance(place, p.Member):
            return f"{self.place(place.base)}.{place.name}"
        if isinstance(place, p.Dereference):
            return f"(*REAL({self.value(place.pointer)}))"
        if isinstance(place, p.Literal):
            kept = f"literal{place.number}"
            return (
                f"(*({{ {type_text(place.type)} made = {self.braces(place.type, place.values)};"
                f" *{kept} = made; {kept}; }}))"
            )
        return f"{self.place(place.base)}[{self.index(place)}]"

    def index(self, element: p.Element) -> str:
        kept = element.base.type
        assert isinstance(kept, p.Array)
        return f"chance() % {kept.size}" if element.number is None else str(element.number)

    def value(self, value: p.Expression) -> str:
        if isinstance(value, p.ToSpace):
            return f"TO({value.space}, {self.value(value.operand)})"
        if isinstance(value, p.Call):
            return self.prefix + super().value(value)
        if isinstance(value, p.Offset):
            return self.value(value.operand)
        if isinstance(value, p.AssignValue):
            return f"({self.place(value.place)} = ({self.value(value.value)}))"
        if isinstance(value, p.Cast):
            cast = f"({type_text(value.type)})({self.value(value.operand)})"
            named = isinstance(value.type, p.Pointer) and value.type.space != p.GENERIC
            return (
                f"ONLY({value.type.space}, {cast})" if named and isinstance(value.type, p.Pointer) else cast
            )
        if isinstance(value, p.Choice):
            branches = f"({self.value(value.first)}) : ({self.value(value.second)})"
            return f"(({self.condition(value.condition)}) ? {branches})"
        return super().value(value)

    def arguments(self, values: Sequence[p.Expression]) -> str:
        return ", ".join([*map(self.value, values), "0"])

    def condition(self, condition: p.Condition) -> str:
        if isinstance(condition, p.Opaque):
            return "chance() & 1"
        if isinstance(condition, p.Steady):
            return f"(steady >> {condition.number % 31} & 1) {'==' if condition.negated else '!='} 0"
        if isinstance(condition, p.NotNull):
            return f"({self.value(condition.operand)}) {'==' if condition.negated else '!='} 0"
        return super().condition(condition)


def _declarations(statements: Iterable[p.Statement]) -> list[p.Declare]:
    return [each for each in p.inside(statements) if isinstance(each, p.Declare)]


def _literals(statements: Iterable[p.Statement]) -> list[p.Literal]:
    found: dict[int, p.Literal] = {}
    waiting: list[object] = [each for each in p.inside(statements) if not isinstance(each, p.DeclareBlock)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, p.Literal):
            found[each.number] = each
        if isinstance(each, tuple):
            waiting.extend(each)
        elif hasattr(each, "__slots__"):
            waiting.extend(getattr(each, name) for name in each.__slots__)
    return [found[number] for number in sorted(found)]
