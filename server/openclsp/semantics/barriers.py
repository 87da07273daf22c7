"""Which memory is touched between the barriers of a function: what a fence has to order (OpenCL C 6.15.8).

The function is followed along its statements. For each place the *may* set holds the memory that may have been touched
since a barrier last fenced it, on some way to that place; so what is not in it has certainly not been touched. What calls
and generic pointers do that is not known puts everything in. *Seen* is what the text itself shows since the last barrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from openclsp.language.builtin_functions import in_any_dialect
from openclsp.language.spaces import Space, encloses
from openclsp.semantics.context import Context
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.facts import BarrierFence, Value
from openclsp.semantics.translation_unit import CONTENT, DECLARERS, TranslationUnit
from openclsp.semantics.types import CONST, Array, Function, Opaque, Pointer, Type, decayed, is_unknown
from openclsp.source.tree import FIELDS, kind

LOCAL, GLOBAL, IMAGE = 1, 2, 4
"""Memory, by the values that CLK_LOCAL_MEM_FENCE and its like have."""
ALL = LOCAL | GLOBAL | IMAGE
BARRIERS = frozenset(("barrier", "work_group_barrier"))

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
_JUMPS = frozenset((kind("goto_statement"), kind("labeled_statement")))
_BODY, _CONDITION, _UPDATE_FIELD = FIELDS["body"], FIELDS["condition"], FIELDS["update"]
_INITIALIZER, _ALTERNATIVE = FIELDS["initializer"], FIELDS["alternative"]
_CONSEQUENCE, _LEFT, _ARGUMENT = FIELDS["consequence"], FIELDS["left"], FIELDS["argument"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]

_TOUCH_NOTHING = frozenset(("prefetch", "get_fence", "to_global", "to_local", "to_private", "printf"))
_DEFINITION = "function_definition"


class Touched(NamedTuple):
    """`may` have been touched, was `seen` to be touched, was `written`: memory as bits."""

    may: int = 0
    seen: int = 0
    written: int = 0

    def __or__(self, other: object) -> Touched:
        assert isinstance(other, Touched)
        return Touched(self.may | other.may, self.seen | other.seen, self.written | other.written)


_NOTHING, _ANYTHING = Touched(), Touched(ALL)


class _Walk:
    """One way through a function's statements; `state` is None where no way leads."""

    def __init__(self, unit: TranslationUnit, ctx: Context, entry: Touched) -> None:
        self.unit, self.ctx, self.table = unit, ctx, ctx.table
        self.trace: dict[int, Value] = ctx.trace or {}
        self.state: Touched | None = entry
        self.fences: dict[int, tuple[int, Touched]] = {}
        self.breaks: list[list[Touched]] = []
        self.continues: list[list[Touched]] = []
        self.jumps = False

    def touch(self, touched: Touched) -> None:
        if self.state is not None:
            self.state |= touched

    def join(self, *states: Touched | None) -> None:
        known = [each for each in states if each is not None]
        self.state = known[0] if known else None
        for each in known[1:]:
            self.touch(each)

    def run(self, row: int) -> None:
        """A statement, or anything else that has statements and expressions in it."""
        if row < 0:
            return
        number = self.table.kind[row]
        handler = _STATEMENTS.get(number)
        if handler is not None:
            handler(self, row)
        elif number == _CALL:
            self._call(row)
        elif number in (_BLOCK, _SIZEOF):
            # a block runs when it is called, and an operand of sizeof never
            pass
        else:
            self.jumps = self.jumps or number in _JUMPS
            if number in _LVALUES:
                self.touch(self._accessed(row))
            elif number in (_ASSIGNMENT, _UPDATE):
                target = self._accessed(
                    self._inner(self.table.child(row, _LEFT if number == _ASSIGNMENT else _ARGUMENT))
                )
                self.touch(target._replace(written=target.seen))
            self.children(row)

    def children(self, row: int) -> None:
        taken = self.table.kind[row] == _POINTER and self.table.leaf(self.table.first[row]) == "&"
        for child in self.table.children(row):
            inner = self._inner(child)
            if taken and self.table.kind[inner] in (_SUBSCRIPT, _MEMBER, _IDENTIFIER, _POINTER):
                # an address is taken, nothing is touched but by what leads there
                self.children(inner)
            else:
                self.run(child)

    def _inner(self, row: int) -> int:
        while row >= 0 and self.table.kind[row] == _PARENTHESES:
            row = next(iter(self.table.children(row)), -1)
        return row

    def _accessed(self, row: int) -> Touched:
        """The memory in which the object lies that the expression designates."""
        value = self.trace.get(row)
        if row < 0 or self.table.kind[row] not in _LVALUES:
            return _NOTHING
        if value is None and self.table.kind[row] == _IDENTIFIER:
            # the name of what is declared
            return _NOTHING
        if value is None or is_unknown(value.type):
            return _ANYTHING
        if not value.lvalue or isinstance(value.type, Array | Function):
            return _NOTHING
        return _in_space(value.type.space)

    def _call(self, row: int) -> None:
        table = self.table
        function, arguments = table.child(row, _FUNCTION), table.child(row, _ARGUMENTS)
        name = table.text(function) if function >= 0 and table.kind[function] == _IDENTIFIER else ""
        given = list(table.children(arguments)) if arguments >= 0 else []
        for each in given:
            self.run(each)
        defined = definition_of(self.unit, name) if name else None
        if defined is not None:
            self.touch(self.unit.engine.get(TOUCHED, defined))
        elif not name or not in_any_dialect(name):
            self.touch(_ANYTHING)
        elif name in BARRIERS and given:
            self._barrier(row, self.trace.get(given[0]))
        elif name == "wait_group_events":
            self.touch(Touched(LOCAL | GLOBAL, LOCAL | GLOBAL, LOCAL | GLOBAL))
        elif name not in _TOUCH_NOTHING:
            for each in given:
                value = self.trace.get(each)
                self.touch(_ANYTHING if value is None else _through(value.type))

    def _barrier(self, row: int, flags: Value | None) -> None:
        if self.state is None:
            return
        number = flags.number if flags is not None else None
        if number is not None:
            _, before = self.fences.get(row, (number, _NOTHING))
            self.fences[row] = number, before | self.state
        self.state = Touched(self.state.may & ~(number or 0))

    def _if(self, row: int) -> None:
        table = self.table
        self.run(table.child(row, _CONDITION))
        before = self.state
        self.run(table.child(row, _CONSEQUENCE))
        after, self.state = self.state, before
        self.run(table.child(row, _ALTERNATIVE))
        self.join(after, self.state)

    def _loop(self, row: int) -> None:
        table = self.table
        condition, update, body = (table.child(row, field) for field in (_CONDITION, _UPDATE_FIELD, _BODY))
        self.run(table.child(row, _INITIALIZER))
        entry = self.state
        left: list[Touched | None] = []
        # sets of bits that only grow: the second turn has all that any turn can bring
        for _ in range(2):
            self.state = entry
            left = []
            if table.kind[row] != _DO:
                self.run(condition)
                left.append(self.state)
            self.breaks.append([])
            self.continues.append([])
            self.run(body)
            self.join(self.state, *self.continues.pop())
            self.run(update)
            if table.kind[row] == _DO:
                self.run(condition)
                left.append(self.state)
            left += self.breaks.pop()
            again = self.state
            self.join(entry, again)
            entry = self.state
        self.join(*left)

    def _switch(self, row: int) -> None:
        table = self.table
        self.run(table.child(row, _CONDITION))
        entry = self.state
        self.breaks.append([])
        self.state = None
        body = table.child(row, _BODY)
        for child in table.children(body) if body >= 0 else ():
            if table.kind[child] == _CASE:
                self.join(entry, self.state)
            self.run(child)
        self.join(entry, self.state, *self.breaks.pop())

    def _return(self, row: int) -> None:
        self.children(row)
        self.state = None

    def _break(self, row: int) -> None:
        if self.breaks and self.state is not None:
            self.breaks[-1].append(self.state)
        self.state = None

    def _continue(self, row: int) -> None:
        if self.continues and self.state is not None:
            self.continues[-1].append(self.state)
        self.state = None


_STATEMENTS = {
    _IF: _Walk._if,
    _FOR: _Walk._loop,
    _WHILE: _Walk._loop,
    _DO: _Walk._loop,
    _SWITCH: _Walk._switch,
    _RETURN: _Walk._return,
    _BREAK: _Walk._break,
    _CONTINUE: _Walk._continue,
}


def _in_space(space: Space | None) -> Touched:
    if space in (Space.PRIVATE, Space.CONSTANT, None):
        return _NOTHING
    if space is Space.LOCAL:
        return Touched(LOCAL, LOCAL)
    if space is not Space.UNKNOWN and encloses(Space.GLOBAL, space):
        return Touched(GLOBAL, GLOBAL)
    return _ANYTHING


def _through(type_: Type) -> Touched:
    """What a built-in function touches that is given a value of this type."""
    if is_unknown(type_):
        return _ANYTHING
    if isinstance(type_, Opaque) and type_.category == "image":
        return Touched(IMAGE, IMAGE, 0 if type_.access == "read_only" else IMAGE)
    pointer = decayed(type_)
    if not isinstance(pointer, Pointer):
        return _NOTHING
    found = _in_space(pointer.pointee.space)
    return found if pointer.pointee.qualifiers & CONST else found._replace(written=found.seen)


def definition_of(unit: TranslationUnit, name: str) -> ItemKey | None:
    """The item that defines the function, if exactly one does."""
    found = [key for _, key in unit.engine.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
    return found[0] if len(found) == 1 else None


def _walked(unit: TranslationUnit, key: ItemKey, entry: Touched | None) -> _Walk | None:
    """The function after its body was followed; without `entry`, from what its callers may have touched."""
    if key[0] != _DEFINITION or not unit.engine.read(CONTENT, key):
        return None
    ctx = unit.typed(key, bodies=True, trace=True, deferring=True)
    own = ctx.program_symbols.get(key[1])
    if entry is None:
        entry = _NOTHING if own is not None and own.kernel else _ANYTHING
    walk = _Walk(unit, ctx, entry)
    body = ctx.table.child(0, _BODY)
    if body >= 0:
        walk.run(body)
    return walk


def _touched(unit: TranslationUnit, key: ItemKey) -> Touched:
    """What a call of the function touches; a barrier in it is left out of account."""
    if not unit.engine.read(CONTENT, key):
        return _ANYTHING
    ctx = unit.typed(key, bodies=True, trace=True, deferring=True)
    walk = _Every(unit, ctx, _NOTHING)
    walk.run(max(ctx.table.child(0, _BODY), 0))
    return walk.all


class _Every(_Walk):
    """Everything that is touched anywhere in a function."""

    def __init__(self, unit: TranslationUnit, ctx: Context, entry: Touched) -> None:
        super().__init__(unit, ctx, entry)
        self.all = entry

    def touch(self, touched: Touched) -> None:
        self.all |= touched


TOUCHED: Query[ItemKey, Touched] = Query("touched", _touched, _ANYTHING)


def _fences(unit: TranslationUnit, key: ItemKey) -> tuple[BarrierFence, ...]:
    walk = _walked(unit, key, None)
    return () if walk is None or walk.jumps else tuple(_facts(walk))


def _facts(walk: _Walk) -> Iterator[BarrierFence]:
    table = walk.table
    for row, (flags, state) in walk.fences.items():
        arguments = table.child(row, _ARGUMENTS)
        flag = next(iter(table.children(arguments)))
        yield BarrierFence(
            table.text(table.child(row, _FUNCTION)),
            _words(flags),
            _words(state.may),
            _words(state.seen),
            _words(state.written),
            walk.ctx.place(flag),
        )


def _words(bits: int) -> frozenset[str]:
    return frozenset(
        word for bit, word in ((LOCAL, "local"), (GLOBAL, "global"), (IMAGE, "image")) if bits & bit
    )


FENCES: Query[ItemKey, tuple[BarrierFence, ...]] = Query("fences", _fences, ())
"""The barriers of a function, with what was touched before each."""
