"""The memory effects of a function as a small program of steps.

They are derived once from its typed statements. The dataflow analysis of barriers (see `barriers`) interprets
the steps; if the effects of callees change, it runs again without typing anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, cast

from openclsp.language.builtin_functions import builtin_function, in_any_dialect
from openclsp.language.spaces import Space, encloses
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import CONST, Array, Function, Opaque, Pointer, Type, decayed, is_unknown
from openclsp.source.tree import FIELDS, kind

LOCAL, GLOBAL, IMAGE = 1, 2, 4
"""Kinds of memory as bits, with the values of CLK_LOCAL_MEM_FENCE and its like."""
ALL = LOCAL | GLOBAL | IMAGE
FENCING = frozenset(("barrier", "work_group_barrier"))
"""Barriers that make accesses to fenced memory visible to the whole work-group."""
BARRIERS = FENCING | {"sub_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence"}
"""All barriers and fences, including those for a sub-group or a single work-item."""

_CALL, _ASSIGNMENT, _UPDATE = (
    kind("call_expression"),
    kind("assignment_expression"),
    kind("update_expression"),
)
_SUBSCRIPT, _POINTER, _MEMBER = (
    kind("subscript_expression"),
    kind("pointer_expression"),
    kind("field_expression"),
)
_IDENTIFIER, _BLOCK, _SIZEOF = kind("identifier"), kind("block_literal"), kind("sizeof_expression")
_PARENTHESES = kind("parenthesized_expression")
_LVALUES = frozenset((_SUBSCRIPT, _POINTER, _MEMBER, _IDENTIFIER))
_IF, _SWITCH, _CASE = kind("if_statement"), kind("switch_statement"), kind("case_statement")
_FOR, _WHILE, _DO = kind("for_statement"), kind("while_statement"), kind("do_statement")
_RETURN, _BREAK, _CONTINUE = kind("return_statement"), kind("break_statement"), kind("continue_statement")
_GOTO, _LABELED = kind("goto_statement"), kind("labeled_statement")
_BODY, _CONDITION, _UPDATE_FIELD = FIELDS["body"], FIELDS["condition"], FIELDS["update"]
_INITIALIZER, _ALTERNATIVE = FIELDS["initializer"], FIELDS["alternative"]
_CONSEQUENCE, _LEFT, _ARGUMENT = FIELDS["consequence"], FIELDS["left"], FIELDS["argument"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_LABEL, _INDEX = FIELDS["label"], FIELDS["index"]

_TOUCHNOTHING = frozenset(("prefetch", "get_fence", "to_global", "to_local", "to_private", "printf"))
_FUNCTION_DEFINITION = kind("function_definition")


class Touched(NamedTuple):
    """A memory effect, as bits per kind of memory.

    `may` holds memory that may be accessed, `seen` that certainly accessed, `written` that certainly written.
    `passed` has a bit for each fence that may have been passed.
    """

    may: int = 0
    seen: int = 0
    written: int = 0
    passed: int = 0

    def __or__(self, other: object) -> Touched:
        assert isinstance(other, Touched)
        return Touched(
            self.may | other.may,
            self.seen | other.seen,
            self.written | other.written,
            self.passed | other.passed,
        )


NOTHING, ANYTHING = Touched(), Touched(ALL)


class Reached(NamedTuple):
    """An access through the generic pointer at a place; the flow analysis determines the memory."""

    place: Place
    written: bool = False


class Fence(NamedTuple):
    """A call of a barrier: its flags (None if unknown) and their place."""

    name: str
    flags: int | None
    place: Place


class Called(NamedTuple):
    """A call. A function that the program does not define has the effect `otherwise`, or is a barrier."""

    name: str
    otherwise: Touched
    fence: Fence | None = None


class Choice(NamedTuple):
    """A branch: exactly one of two sequences is executed."""

    first: Steps
    second: Steps


class Loop(NamedTuple):
    """A loop; `late` if the condition is evaluated after the body (`do`)."""

    condition: Steps
    body: Steps
    update: Steps
    late: bool


class Switch(NamedTuple):
    """The statements of a switch in order; True for those with a case label."""

    parts: tuple[tuple[bool, Steps], ...]


class Label(NamedTuple):
    """The target of jumps."""

    name: str


class Goto(NamedTuple):
    """A jump to a label."""

    name: str


class Leave(Enum):
    """The end of a path, or a jump within an enclosing statement."""

    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"


Step = Touched | Reached | Called | Choice | Loop | Switch | Label | Goto | Leave
Steps = tuple[Step, ...]


class Program(NamedTuple):
    """The memory effects of a function in execution order.

    `touched` and `reached` are the direct accesses anywhere in it. `calls` holds its callees, each with the
    effect to assume if it is not a function of the program.
    """

    steps: Steps = ()
    touched: Touched = NOTHING
    calls: tuple[tuple[str, Touched], ...] = ()
    reached: tuple[Reached, ...] = ()
    kernel: bool = False
    fences: bool = False
    """Whether it may call a barrier directly."""


NO_PROGRAM = Program()


def program(ctx: Context) -> Program:
    """Derives the program of an item that was typed with a trace."""
    if not ctx.table.kind or ctx.table.kind[0] != _FUNCTION_DEFINITION:
        return NO_PROGRAM
    reader = _Reader(ctx)
    body = ctx.table.child(0, _BODY)
    steps = reader.read(body) if body >= 0 else ()
    own = ctx.program_symbols.get(ctx.item[1])
    touched = NOTHING
    calls: dict[tuple[str, Touched], None] = {}
    reached: dict[Reached, None] = {}
    for step in _every(steps):
        if isinstance(step, Touched):
            touched |= step
        elif isinstance(step, Reached):
            reached[step] = None
        else:
            calls[step.name, step.otherwise] = None
    kernel = own is not None and own.kernel
    return Program(steps, touched, tuple(calls), tuple(reached), kernel, reader.fences)


def _every(steps: Steps) -> Iterator[Touched | Reached | Called]:
    """All accesses and calls in a program, in any branch."""
    for step in steps:
        if isinstance(step, Touched | Reached | Called):
            yield step
        elif isinstance(step, Choice):
            yield from _every((*step.first, *step.second))
        elif isinstance(step, Loop):
            yield from _every((*step.condition, *step.body, *step.update))
        elif isinstance(step, Switch):
            for _, inner in step.parts:
                yield from _every(inner)


class _Reader:
    """Translates the rows of a function into steps."""

    def __init__(self, ctx: Context) -> None:
        self.ctx, self.table = ctx, ctx.table
        self.trace: dict[int, Value] = ctx.trace or {}
        self.fences = False
        self._steps: list[Step] = []

    def read(self, *rows: int) -> Steps:
        """The steps of some rows in sequence."""
        around, self._steps = self._steps, []
        for row in rows:
            self._run(row)
        found, self._steps = tuple(self._steps), around
        return found

    def _add(self, step: Step) -> None:
        steps = self._steps
        if isinstance(step, Touched) and (step == NOTHING or (steps and isinstance(steps[-1], Touched))):
            if step != NOTHING:
                steps[-1] = cast(Touched, steps[-1]) | step
        else:
            steps.append(step)

    def _add_ways(self, step: Step, *ways: Steps) -> None:
        """Adds a branching step; if its branches only access memory, merges their effects instead."""
        if all(len(way) == 1 and isinstance(way[0], Touched) for way in ways if way):
            for way in ways:
                for each in way:
                    self._add(each)
        else:
            self._steps.append(step)

    def _run(self, row: int) -> None:
        """Appends the steps of a statement or expression."""
        if row < 0:
            return
        number = self.table.kind[row]
        handler = _STATEMENTS.get(number)
        if handler is not None:
            handler(self, row)
        elif number == _CALL:
            self._call(row)
        elif number in (_BLOCK, _SIZEOF):
            # a block is executed when it is called, and an operand of sizeof never
            pass
        else:
            if number == _CASE:
                # a case label nested in another statement of the switch (Duff's device): the effects on the
                # path from the switch are not modelled, so anything may have been accessed
                self._add(ANYTHING)
            if number in _LVALUES:
                self._add(self._accessed(row))
            elif number in (_ASSIGNMENT, _UPDATE):
                left = self._inner(self.table.child(row, _LEFT if number == _ASSIGNMENT else _ARGUMENT))
                target = self._accessed(left)
                if isinstance(target, Touched):
                    self._add(target._replace(written=target.seen))
                else:
                    self._add(target._replace(written=True))
            self._children(row)

    def _children(self, row: int) -> None:
        taken = self.table.kind[row] == _POINTER and self.table.leaf(self.table.first[row]) == "&"
        for child in self.table.children(row):
            inner = self._inner(child)
            if taken and self.table.kind[inner] in (_SUBSCRIPT, _MEMBER, _IDENTIFIER, _POINTER):
                # `&` accesses nothing but what the evaluation of its operand's subexpressions does
                self._children(inner)
            else:
                self._run(child)

    def _inner(self, row: int) -> int:
        while row >= 0 and self.table.kind[row] == _PARENTHESES:
            row = next(iter(self.table.children(row)), -1)
        return row

    def _accessed(self, row: int) -> Touched | Reached:
        """The memory of the object that an lvalue designates."""
        value = self.trace.get(row)
        if row < 0 or self.table.kind[row] not in _LVALUES:
            return NOTHING
        if value is None and self.table.kind[row] == _IDENTIFIER:
            # the name in a declarator
            return NOTHING
        if value is None or is_unknown(value.type):
            return ANYTHING
        if not value.lvalue or isinstance(value.type, Array | Function):
            return NOTHING
        if value.type.space is Space.GENERIC:
            pointer = self._pointer(row)
            return ANYTHING if pointer < 0 else Reached(self.ctx.place(pointer))
        return _in_space(value.type.space)

    def _pointer(self, row: int) -> int:
        """The row of the pointer through which an object is designated; -1 if there is none."""
        table = self.table
        while row >= 0:
            row = self._inner(row)
            number = table.kind[row] if row >= 0 else -1
            inner = table.child(row, _ARGUMENT) if number in (_SUBSCRIPT, _POINTER, _MEMBER) else -1
            if number == _POINTER:
                return inner if table.leaf(table.first[row]) == "*" else -1
            if number == _MEMBER and table.leaf(table.last[inner]) == "->":
                return inner
            if number == _SUBSCRIPT:
                base = self._type(inner)
                if isinstance(base, Pointer):
                    return inner
                if not isinstance(base, Array):
                    index = table.child(row, _INDEX)
                    return index if isinstance(self._type(index), Pointer) else -1
            row = inner
        return -1

    def _type(self, row: int) -> Type | None:
        value = self.trace.get(row)
        return None if value is None else value.type

    def _call(self, row: int) -> None:
        """Appends the arguments' steps and the call."""
        # arguments are evaluated before the call; a built-in function accesses what its pointer and image
        # arguments refer to, an unknown function anything
        table = self.table
        function, arguments = table.child(row, _FUNCTION), table.child(row, _ARGUMENTS)
        name = table.text(function) if function >= 0 and table.kind[function] == _IDENTIFIER else ""
        given = list(table.children(arguments)) if arguments >= 0 else []
        for each in given:
            self._run(each)
        if name in BARRIERS and given and builtin_function(name, self.ctx.dialect) is not None:
            self.fences = True
            flags = self.trace.get(given[0])
            number = None if flags is None else flags.number
            self._steps.append(Called(name, NOTHING, Fence(name, number, self.ctx.place(given[0]))))
            return
        otherwise = NOTHING
        if not name or not in_any_dialect(name):
            otherwise = ANYTHING
        elif name == "wait_group_events":
            otherwise = Touched(LOCAL | GLOBAL, LOCAL | GLOBAL, LOCAL | GLOBAL)
        elif name not in _TOUCHNOTHING:
            for each in given:
                type_ = self._type(each)
                pointer = None if type_ is None else decayed(type_)
                if isinstance(pointer, Pointer) and pointer.pointee.space is Space.GENERIC:
                    written = not pointer.pointee.qualifiers & CONST
                    self._add(Reached(self.ctx.place(each), written))
                else:
                    otherwise |= ANYTHING if type_ is None else _through(type_)
        self._steps.append(Called(name, otherwise))

    def _if(self, row: int) -> None:
        table = self.table
        self._run(table.child(row, _CONDITION))
        first = self.read(table.child(row, _CONSEQUENCE))
        second = self.read(table.child(row, _ALTERNATIVE))
        self._add_ways(Choice(first, second), first, second)

    def _loop(self, row: int) -> None:
        table = self.table
        self._run(table.child(row, _INITIALIZER))
        condition, update, body = (
            self.read(table.child(row, field)) for field in (_CONDITION, _UPDATE_FIELD, _BODY)
        )
        loop = Loop(condition, body, update, table.kind[row] == _DO)
        self._add_ways(loop, condition, body, update)

    def _switch(self, row: int) -> None:
        table = self.table
        self._run(table.child(row, _CONDITION))
        body = table.child(row, _BODY)
        parts = tuple(
            (True, self.read(*table.children(child)))
            if table.kind[child] == _CASE
            else (False, self.read(child))
            for child in (table.children(body) if body >= 0 else ())
        )
        self._steps.append(Switch(parts))

    def _goto(self, row: int) -> None:
        label = self.table.child(row, _LABEL)
        self._steps.append(Goto(self.table.text(label) if label >= 0 else ""))

    def _labeled(self, row: int) -> None:
        label = self.table.child(row, _LABEL)
        if label >= 0:
            self._steps.append(Label(self.table.text(label)))
        for child in self.table.children(row):
            if child != label:
                self._run(child)

    def _return(self, row: int) -> None:
        self._children(row)
        self._steps.append(Leave.RETURN)

    def _break(self, row: int) -> None:
        self._steps.append(Leave.BREAK)

    def _continue(self, row: int) -> None:
        self._steps.append(Leave.CONTINUE)


_STATEMENTS = {
    _IF: _Reader._if,
    _FOR: _Reader._loop,
    _WHILE: _Reader._loop,
    _DO: _Reader._loop,
    _SWITCH: _Reader._switch,
    _GOTO: _Reader._goto,
    _LABELED: _Reader._labeled,
    _RETURN: _Reader._return,
    _BREAK: _Reader._break,
    _CONTINUE: _Reader._continue,
}


def _in_space(space: Space | None) -> Touched:
    if space in (Space.PRIVATE, Space.CONSTANT, None):
        return NOTHING
    if space is Space.LOCAL:
        return Touched(LOCAL, LOCAL)
    if space is not Space.UNKNOWN and encloses(Space.GLOBAL, space):
        return Touched(GLOBAL, GLOBAL)
    return ANYTHING


def _through(type_: Type) -> Touched:
    """The effect of a built-in function through an argument of this type."""
    if is_unknown(type_):
        return ANYTHING
    if isinstance(type_, Opaque) and type_.category == "image":
        return Touched(IMAGE, IMAGE, 0 if type_.access == "read_only" else IMAGE)
    pointer = decayed(type_)
    if not isinstance(pointer, Pointer):
        return NOTHING
    found = _in_space(pointer.pointee.space)
    return found if pointer.pointee.qualifiers & CONST else found._replace(written=found.seen)
