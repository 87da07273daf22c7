"""Prints a program as OpenCL C, with the position of each use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from . import program as p

_ASKED = (("{}", "!{}"), ("{} != 0", "{} == 0"), ("NULL != {}", "0 == {}"), ("!!{}", "!(bool){}"))
"""Ways to ask whether a pointer is not null, and whether it is."""
_COPY_OBJECT = """\
void copy_object(void *to, const void *from, ulong n) {
  char *d = to;
  const char *s = from;
  for (ulong i = 0; i < n; i++) d[i] = s[i];
}"""
MARK = re.compile("\x01(\\d+)\x02")
"""The mark of a use in a printed text, with the number of the use"""


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a generic pointer's value is read. `offset` is in bytes from 0; `line` and `column` are from 1.

    `form` describes the place that holds the pointer: variable, member, element or pointee.
    """

    number: int
    offset: int
    line: int
    column: int
    form: str


@dataclass(frozen=True, slots=True)
class Printed:
    """The text of a program, and its uses by number."""

    text: str
    uses: dict[int, Use]

    @property
    def count(self) -> int:
        """The highest number of a use, plus one."""
        return max(self.uses, default=-1) + 1


def printed(program: p.Program) -> Printed:
    """Prints the program in OpenCL C."""
    marked = OpenCL(program).text()
    forms = {int(m[1]): _form(marked, m.end()) for m in MARK.finditer(marked)}
    uses: dict[int, Use] = {}
    text, line, column = "", 1, 1
    for number, part in enumerate(MARK.split(marked)):
        if number % 2:
            uses[int(part)] = Use(int(part), len(text), line, column, forms[int(part)])
            continue
        text += part
        line += part.count("\n")
        column = len(part) - part.rfind("\n") if "\n" in part else column + len(part)
    return Printed(text, uses)


def _form(marked: str, end: int) -> str:
    if marked[end] == "*":
        return "pointee"
    if marked[end] == "[":
        return "element"
    return "member" if marked[:end].rpartition("\x01")[0].endswith((".", "->")) else "variable"


def shown(name: str) -> str:
    """Returns a variable's name in the text: a suffix after an apostrophe only distinguishes equal names."""
    return name.partition("'")[0]


def type_text(type_: p.Type) -> str:
    """Spells a type that needs no declarator around its name."""
    if isinstance(type_, p.Record):
        return ("union " if type_.tag.startswith("U") else "struct ") + type_.tag
    if isinstance(type_, p.Pointer):
        space = "" if type_.space == p.GENERIC else type_.space + " "
        inner = type_text(type_.pointee)
        if isinstance(type_.pointee, p.Pointer):
            return f"{inner}{space}*"
        return f"{space}{inner} *"
    assert isinstance(type_, p.Plain)
    return type_.name


def declared(type_: p.Type, name: str) -> str:
    """Spells the declaration `type name`."""
    if isinstance(type_, p.Array):
        return declared(type_.element, f"{name}[{type_.size}]")
    text = type_text(type_)
    return text + name if text.endswith("*") else f"{text} {name}"


def declared_in(space: str, type_: p.Type, name: str) -> str:
    """Spells the declaration of a function's variable in `space`; after a `*`, the qualifier applies to the pointer itself."""
    if space == "private":
        return declared(type_, name)
    kept = type_.element if isinstance(type_, p.Array) else type_
    if isinstance(kept, p.Pointer):
        return declared(type_, f"{space} {name}")
    return f"{space} {declared(type_, name)}"


class OpenCL:
    """Prints one program; a mark precedes the token at which each use is queried."""

    def __init__(self, program: p.Program) -> None:
        self.program = program

    def text(self) -> str:
        """The whole translation unit, with marks."""
        parts = [self.record(each) for each in self.program.records]
        parts += [self.global_variable(each) for each in self.program.globals]
        parts += [self.signature(each) + ";" for each in self.program.functions if not each.kernel]
        functions = [self.function(each) for each in self.program.functions]
        parts += self.helpers()
        return "\n".join([*parts, *functions]) + "\n"

    def helpers(self) -> list[str]:
        """The functions that the program calls and that are not among its own."""
        functions = [self.function(each) for each in self.program.functions]
        return [_COPY_OBJECT] if any("copy_object(" in each for each in functions) else []

    def record(self, record: p.RecordType) -> str:
        word = "union" if record.union else "struct"
        members = " ".join(declared(type_, name) + ";" for name, type_ in record.members)
        return f"{word} {record.tag} {{ {members} }};"

    def global_variable(self, each: p.Global) -> str:
        declaration = declared(each.variable.type, each.variable.name)
        return f"{declaration};" if each.value is None else f"{declaration} = {self.value(each.value)};"

    def signature(self, function: p.Function) -> str:
        parameters = [declared(each.type, shown(each.name)) for each in function.parameters]
        text = f"{declared(function.result, function.name)}({', '.join([*parameters, 'int n'])})"
        return "kernel " + text if function.kernel else text

    def function(self, function: p.Function) -> str:
        return f"{self.signature(function)} {{\n  int sum = 0;\n{self.body(function.body, 1)}}}"

    def body(self, statements: Iterable[p.Statement], depth: int) -> str:
        return "".join(self.statement(each, depth) for each in statements)

    def braced(self, statements: Iterable[p.Statement], depth: int) -> str:
        return "{\n" + self.body(statements, depth + 1) + "  " * depth + "}"

    def statement(self, each: p.Statement, depth: int) -> str:
        pad = "  " * depth
        if isinstance(each, p.Declare):
            name = shown(each.variable.name)
            declaration = pad + declared_in(
                each.space, each.variable.type, f"const {name}" * each.constant or name
            )
            return (
                f"{declaration};\n" if each.value is None else f"{declaration} = {self.value(each.value)};\n"
            )
        if isinstance(each, p.Assign):
            return f"{pad}{self.place(each.place)} = {self.value(each.value)};\n"
        if isinstance(each, p.Advance):
            return f"{pad}{each.form.format(self.place(each.place))};\n"
        if isinstance(each, p.Evaluate):
            return f"{pad}{each.form.format(self.tight(each.value))}\n"
        if isinstance(each, p.If):
            text = f"{pad}if ({self.condition(each.condition)}) {self.braced(each.then, depth)}"
            return text + (f" else {self.braced(each.otherwise, depth)}" if each.otherwise else "") + "\n"
        if isinstance(each, p.Loop):
            return self.loop(each, depth)
        if isinstance(each, p.Switch):
            return self.switch(each, depth)
        if isinstance(each, p.Return):
            return f"{pad}return;\n" if each.value is None else f"{pad}return {self.value(each.value)};\n"
        if isinstance(each, p.Jump):
            guard = "" if each.condition is None else f"if ({self.condition(each.condition)}) "
            return f"{pad}{guard}{each.how};\n"
        if isinstance(each, p.Label):
            return f"{each.name}:;\n"
        if isinstance(each, p.DeclareBlock):
            return self.declare_block(each, depth)
        return self.copy_bytes(each, pad)

    def loop(self, each: p.Loop, depth: int) -> str:
        pad, condition, body = "  " * depth, self.condition(each.condition), self.braced(each.body, depth)
        if each.kind == "for":
            return f"{pad}for (int i = 0; i < 3 && ({condition}); i++) {body}\n"
        if each.kind == "while":
            return f"{pad}while ({condition}) {body}\n"
        return f"{pad}do {body} while ({condition});\n"

    def switch(self, each: p.Switch, depth: int) -> str:
        text = "  " * depth + f"switch ({self.choice(each.number, len(each.cases) + 1)}) {{\n"
        for number, (body, stops) in enumerate(each.cases):
            last = each.default and number == len(each.cases) - 1
            text += "  " * depth + ("default:" if last else f"case {number}:") + " {\n"
            text += self.body(body, depth + 1) + "  " * depth + "}" + (" break;" if stops else "") + "\n"
        return text + "  " * depth + "}\n"

    def choice(self, number: int, among: int) -> str:
        return f"(n >> {number % 31}) % {among}"

    def declare_block(self, each: p.DeclareBlock, depth: int) -> str:
        shown_parameters = ", ".join(declared(v.type, shown(v.name)) for v in each.parameters)
        types = ", ".join(type_text(v.type) for v in each.parameters) or "void"
        head = f"{type_text(each.result)} (^{each.name})({types}) = ^({shown_parameters or 'void'})"
        pad = "  " * depth
        return f"{pad}{head} {{\n{pad}  int sum = 0;\n{self.body(each.body, depth + 1)}{pad}}};\n"

    def copy_bytes(self, each: p.CopyBytes, pad: str) -> str:
        if each.form == "helper":
            return f"{pad}copy_object({self.value(each.to)}, {self.value(each.source)}, sizeof({type_text(each.type)}));\n"
        to, source, size = self.value(each.to), self.value(each.source), f"sizeof({type_text(each.type)})"
        if each.form == "builtin":
            return f"{pad}__builtin_memcpy({to}, {source}, {size});\n"
        if each.form == "vector":
            return f"{pad}vstore2(vload2(0, (ulong *)({source})), 0, (ulong *)({to}));\n"
        word = "ulong" if each.form == "word" else "char"
        return (
            f"{pad}for (int i = 0; i < {size} / sizeof({word}); i++)"
            f" (({word} *)({to}))[i] = (({word} *)({source}))[i];\n"
        )

    def place(self, place: p.Place, use: int | None = None) -> str:
        mark = "" if use is None else f"\x01{use}\x02"
        if isinstance(place, p.Variable):
            return mark + shown(place.name)
        if isinstance(place, p.Member):
            if isinstance(place.base, p.Dereference):
                return f"{self.tight(place.base.pointer)}->{mark}{place.name}"
            return f"{self.place(place.base)}.{mark}{place.name}"
        if isinstance(place, p.Dereference):
            return f"({mark}*{self.tight(place.pointer)})"
        if isinstance(place, p.Literal):
            return f"(({type_text(place.type)}){self.braces(place.type, place.values)})"
        return f"{self.place(place.base)}{mark}[{self.index(place)}]"

    def index(self, element: p.Element) -> str:
        kept = element.base.type
        assert isinstance(kept, p.Array)
        return f"n & {kept.size - 1}" if element.number is None else str(element.number)

    def tight(self, value: p.Expression) -> str:
        text = self.value(value)
        return text if isinstance(value, p.Load) else f"({text})"

    def braces(self, type_: p.Type, values: p.Values) -> str:
        """Returns initial values in braces, each with its designator."""
        if not values:
            return "{ 0 }"
        parts = (f".{at} = {self.value(v)}" if isinstance(at, str) else self.value(v) for at, v in values)
        return "{ " + ", ".join(parts) + " }"

    def value(self, value: p.Expression) -> str:
        if isinstance(value, p.Load):
            return self.place(value.place, value.use)
        if isinstance(value, p.AddressOf):
            decays = isinstance(value.place.type, p.Array)
            return self.place(value.place) if decays else f"&{self.place(value.place)}"
        if isinstance(value, p.Cast):
            return f"({type_text(value.type)}){self.tight(value.operand)}"
        if isinstance(value, p.ToSpace):
            return f"to_{value.space}({self.value(value.operand)})"
        if isinstance(value, p.Choice):
            branches = f"{self.tight(value.first)} : {self.tight(value.second)}"
            return f"({self.condition(value.condition)} ? {branches})"
        if isinstance(value, p.Call):
            return f"{value.function}({self.arguments(value.arguments)})"
        if isinstance(value, p.BlockCall):
            return f"{value.block}({', '.join(map(self.value, value.arguments))})"
        if isinstance(value, p.Null):
            return "0"
        if isinstance(value, p.Offset):
            return value.form.format(self.tight(value.operand))
        if isinstance(value, p.AssignValue):
            return f"({self.place(value.place)} = {self.value(value.value)})"
        return self.braces(value.type, value.values)

    def arguments(self, values: Sequence[p.Expression]) -> str:
        return ", ".join([*map(self.value, values), "n"])

    def condition(self, condition: p.Condition) -> str:
        if isinstance(condition, p.Opaque):
            # read from memory: another read may give another answer
            return f"gv[n & 3] >> {condition.number % 31} & 1"
        if isinstance(condition, p.Steady):
            return f"(n >> {condition.number % 31} & 1) {'==' if condition.negated else '!='} 0"
        if isinstance(condition, p.NotNull):
            text = self.tight(condition.operand)
            yes, no = _ASKED[len(text) % len(_ASKED)]
            return (no if condition.negated else yes).format(text)
        sign = "||" if condition.either else "&&"
        return f"({self.condition(condition.first)}) {sign} ({self.condition(condition.second)})"
