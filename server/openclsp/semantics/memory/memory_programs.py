"""The memory effects of a function as a small program of steps.

The steps are derived once from the typed statements. The dataflow analysis of barriers (see `barriers`)
interprets them. If the effects of callees change, only the interpretation is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from openclsp.language.builtin_functions import (
    builtin_function,
    is_builtin_function_name,
    read_only_parameters,
)
from openclsp.language.spaces import Space, encloses
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.semantics.memory.memory_steps import (
    ANYTHING,
    BARRIERS,
    GLOBAL,
    IMAGE,
    LOCAL,
    NO_PROGRAM,
    NOTHING,
    Branch,
    CallStep,
    Fence,
    GenericAccess,
    Goto,
    Jump,
    Label,
    Loop,
    MemoryEffect,
    MemoryProgram,
    Step,
    Steps,
    Switch,
)
from openclsp.semantics.types.type_model import CONST, Array, Function, Opaque, Pointer, Type
from openclsp.semantics.types.type_structure import decayed, is_unknown
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

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
_IDENTIFIER, _BLOCK = kind("identifier"), kind("block_literal")
_PARENTHESES, _CAST = kind("parenthesized_expression"), kind("cast_expression")
_BINARY = kind("binary_expression")
_LVALUES = frozenset((_SUBSCRIPT, _POINTER, _MEMBER, _IDENTIFIER))
_IF, _SWITCH, _CASE = kind("if_statement"), kind("switch_statement"), kind("case_statement")
_FOR, _WHILE, _DO = kind("for_statement"), kind("while_statement"), kind("do_statement")
_RETURN, _BREAK, _CONTINUE = kind("return_statement"), kind("break_statement"), kind("continue_statement")
_COMPOUND = kind("compound_statement")
_GOTO, _LABELED = kind("goto_statement"), kind("labeled_statement")
_BODY, _CONDITION, _UPDATE_FIELD = FIELDS["body"], FIELDS["condition"], FIELDS["update"]
_INITIALIZER, _ALTERNATIVE = FIELDS["initializer"], FIELDS["alternative"]
_CONSEQUENCE, _LEFT, _ARGUMENT = FIELDS["consequence"], FIELDS["left"], FIELDS["argument"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_LABEL, _INDEX = FIELDS["label"], FIELDS["index"]

_NO_ACCESS = frozenset(("prefetch", "get_fence", "to_global", "to_local", "to_private", "printf"))
_IMAGE_QUERY, _IMAGE_READ = "get_image_", "read_image"
"""Prefixes of the functions that ask for an image's properties, and of those that only read the image"""
_FUNCTION_DEFINITION = kind("function_definition")


def program(ctx: TypingContext) -> MemoryProgram:
    """Derives the memory program of a typed item; `ctx.trace` must contain the values of its expressions."""
    if not ctx.table.kind or ctx.table.kind[0] != _FUNCTION_DEFINITION:
        return NO_PROGRAM
    reader = _StepReader(ctx)
    body = ctx.table.child(0, _BODY)
    steps = reader.read(body) if body >= 0 else ()
    own = ctx.program_symbols.get(ctx.item[1])
    direct_accesses = NOTHING
    calls: dict[tuple[str, MemoryEffect], None] = {}
    generic_accesses: dict[GenericAccess, None] = {}
    for step in _every(steps):
        if isinstance(step, MemoryEffect):
            direct_accesses |= step
        elif isinstance(step, GenericAccess):
            generic_accesses[step] = None
        else:
            calls[step.name, step.otherwise] = None
    kernel = own is not None and own.kernel
    return MemoryProgram(steps, direct_accesses, tuple(calls), tuple(generic_accesses), kernel, reader.fences)


def _every(steps: Steps) -> Iterator[MemoryEffect | GenericAccess | CallStep]:
    """Yields all accesses and calls in a memory program, in any branch."""
    for step in steps:
        if isinstance(step, MemoryEffect | GenericAccess | CallStep):
            yield step
        elif isinstance(step, Branch):
            yield from _every((*step.first, *step.second))
        elif isinstance(step, Loop):
            yield from _every((*step.condition, *step.body, *step.update))
        elif isinstance(step, Switch):
            for _, inner in step.parts:
                yield from _every(inner)


class _StepReader:
    """Translates the syntax nodes of a function into the steps of its memory program (`memory_steps`)."""

    def __init__(self, ctx: TypingContext) -> None:
        self.ctx, self.table = ctx, ctx.table
        self.trace: dict[int, Value] = ctx.trace or {}
        self.fences = False
        self._steps: list[Step] = []

    def read(self, *nodes: int) -> Steps:
        """Translates syntax nodes to steps of the memory program, in order."""
        around, self._steps = self._steps, []
        for node in nodes:
            self._run(node)
        found, self._steps = tuple(self._steps), around
        return found

    def _add(self, step: Step) -> None:
        steps = self._steps
        if isinstance(step, MemoryEffect) and (
            step == NOTHING or (steps and isinstance(steps[-1], MemoryEffect))
        ):
            if step != NOTHING:
                steps[-1] = cast(MemoryEffect, steps[-1]) | step
        else:
            steps.append(step)

    def _add_branches(self, step: Step, *branches: Steps) -> None:
        """Adds a branching step; if its branches only access memory, merges their effects instead."""
        if all(len(branch) == 1 and isinstance(branch[0], MemoryEffect) for branch in branches if branch):
            for branch in branches:
                for each in branch:
                    self._add(each)
        else:
            self._steps.append(step)

    def _run(self, node: int) -> None:
        """Appends the steps of a statement or expression."""
        if node < 0:
            return
        number = self.table.kind[node]
        handler = _STATEMENTS.get(number)
        if handler is not None:
            handler(self, node)
        elif number == _BLOCK or has_unevaluated_operands(self.table, node):
            # a block is executed when it is called
            pass
        elif number == _CALL:
            self._call(node)
        else:
            if number == _CASE:
                # a case label nested in another statement of the switch (Duff's device): the effects on the
                # path from the switch are not modelled, so anything may have been accessed
                self._add(ANYTHING)
            if number in _LVALUES:
                self._add(self._accessed(node))
            elif number in (_ASSIGNMENT, _UPDATE):
                left = self._inner(self.table.child(node, _LEFT if number == _ASSIGNMENT else _ARGUMENT))
                target = self._accessed(left)
                if isinstance(target, MemoryEffect):
                    self._add(target._replace(written=target.seen))
                else:
                    self._add(target._replace(written=True))
            self._children(node)

    def _children(self, node: int) -> None:
        taken = self.table.kind[node] == _POINTER and self.table.token(self.table.first[node]) == "&"
        for child in self.table.children(node):
            inner = self._inner(child)
            if taken and self.table.kind[inner] in (_SUBSCRIPT, _MEMBER, _IDENTIFIER, _POINTER):
                # `&` accesses nothing but what the evaluation of its operand's subexpressions does
                self._children(inner)
            else:
                self._run(child)

    def _inner(self, node: int) -> int:
        while node >= 0 and self.table.kind[node] == _PARENTHESES:
            node = next(iter(self.table.children(node)), -1)
        return node

    def _accessed(self, node: int) -> MemoryEffect | GenericAccess:
        """Returns the effect of an access to the object that an lvalue designates."""
        value = self.trace.get(node)
        if node < 0 or self.table.kind[node] not in _LVALUES:
            return NOTHING
        if value is None and self.table.kind[node] == _IDENTIFIER:
            # the name in a declarator
            return NOTHING
        if value is None or is_unknown(value.type):
            return ANYTHING
        if not value.lvalue or isinstance(value.type, Array | Function):
            return NOTHING
        if value.type.space is Space.GENERIC:
            pointer = self._pointer(node)
            return ANYTHING if pointer < 0 else GenericAccess(self.ctx.place(pointer))
        return _in_space(value.type.space)

    def _pointer(self, node: int) -> int:
        """Returns the node of the pointer through which `node` designates an object; -1 if there is none."""
        table = self.table
        while node >= 0:
            node = self._inner(node)
            number = table.kind[node] if node >= 0 else -1
            inner = table.child(node, _ARGUMENT) if number in (_SUBSCRIPT, _POINTER, _MEMBER) else -1
            if number == _POINTER:
                return inner if table.token(table.first[node]) == "*" else -1
            if number == _MEMBER and table.token(table.last[inner]) == "->":
                return inner
            if number == _SUBSCRIPT:
                base = self._type(inner)
                if isinstance(base, Pointer):
                    return inner
                if not isinstance(base, Array):
                    index = table.child(node, _INDEX)
                    return index if isinstance(self._type(index), Pointer) else -1
            node = inner
        return -1

    def _type(self, node: int) -> Type | None:
        value = self.trace.get(node)
        return None if value is None else value.type

    def _call(self, node: int) -> None:
        """Appends the steps of the arguments, then that of the call."""
        # arguments are evaluated before the call; a built-in function accesses what its pointer and image
        # arguments refer to, an unknown function anything
        table = self.table
        function, arguments = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
        name = table.text(function) if function >= 0 and table.kind[function] == _IDENTIFIER else ""
        given = list(table.children(arguments)) if arguments >= 0 else []
        for each in given:
            self._run(each)
        if name in BARRIERS and given and builtin_function(name, self.ctx.dialect) is not None:
            self.fences = True
            asked: list[Place] = []
            number = self._flags(given[0], asked)
            fence = Fence(name, number, self.ctx.place(given[0]), tuple(asked))
            self._steps.append(CallStep(name, NOTHING, fence))
            return
        otherwise = NOTHING
        if not name or not is_builtin_function_name(name):
            otherwise = ANYTHING
        elif name == "wait_group_events":
            otherwise = MemoryEffect(LOCAL | GLOBAL, LOCAL | GLOBAL, LOCAL | GLOBAL)
        elif name not in _NO_ACCESS and not name.startswith(_IMAGE_QUERY):
            read_only = read_only_parameters(name, self.ctx.dialect)
            for index, each in enumerate(given):
                type_ = self._type(each)
                pointer = None if type_ is None else decayed(type_)
                if isinstance(pointer, Pointer) and pointer.pointee.space is Space.GENERIC:
                    written = not pointer.pointee.qualifiers & CONST and index not in read_only
                    self._add(GenericAccess(self.ctx.place(each), written))
                else:
                    effect = ANYTHING if type_ is None else _through(type_)
                    reads = index in read_only or name.startswith(_IMAGE_READ)
                    otherwise |= effect._replace(written=0) if reads else effect
        self._steps.append(CallStep(name, otherwise))

    def _flags(self, node: int, asked: list[Place]) -> int | None:
        """Returns the flags of a fence, without those for generic pointers; None if a flag is unknown.

        `get_fence(p)` is the flag for the memory that `p` points to (OpenCL C 6.15.11). If `p` is a generic
        pointer, its place is added to `asked`, and the call contributes no flag to the result.
        """
        table = self.table
        value = self.trace.get(node)
        if value is not None and value.number is not None:
            return value.number
        number = table.kind[node]
        children = list(table.children(node))
        if number in (_PARENTHESES, _CAST) and children:
            return self._flags(children[-1], asked)
        if number == _BINARY and len(children) == 2 and table.token(table.last[children[0]]) == "|":
            first, second = (self._flags(each, asked) for each in children)
            return None if first is None or second is None else first | second
        function, arguments = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
        if function < 0 or arguments < 0 or table.text(function) != "get_fence":
            return None
        pointer = next(iter(table.children(arguments)), -1)
        type_ = self._type(pointer) if pointer >= 0 else None
        if not isinstance(type_, Pointer):
            return None
        if type_.pointee.space is Space.GENERIC:
            asked.append(self.ctx.place(pointer))
            return 0
        return {Space.LOCAL: LOCAL, Space.GLOBAL: GLOBAL}.get(type_.pointee.space or Space.PRIVATE)

    def _if(self, node: int) -> None:
        table = self.table
        self._run(table.child(node, _CONDITION))
        first = self.read(table.child(node, _CONSEQUENCE))
        second = self.read(table.child(node, _ALTERNATIVE))
        self._add_branches(Branch(first, second), first, second)

    def _loop(self, node: int) -> None:
        table = self.table
        self._run(table.child(node, _INITIALIZER))
        condition, update, body = (
            self.read(table.child(node, field)) for field in (_CONDITION, _UPDATE_FIELD, _BODY)
        )
        loop = Loop(condition, body, update, table.kind[node] == _DO)
        self._add_branches(loop, condition, body, update)

    def _switch(self, node: int) -> None:
        table = self.table
        self._run(table.child(node, _CONDITION))
        body = table.child(node, _BODY)
        statements = table.children(body) if body >= 0 and table.kind[body] == _COMPOUND else (body,)
        parts = tuple(
            (True, self.read(*table.children(child)))
            if table.kind[child] == _CASE
            else (_CASE in table.kind[child : table.skip[child]], self.read(child))
            for child in statements
            if child >= 0
        )
        self._steps.append(Switch(parts))

    def _goto(self, node: int) -> None:
        label = self.table.child(node, _LABEL)
        self._steps.append(Goto(self.table.text(label) if label >= 0 else ""))

    def _labeled(self, node: int) -> None:
        label = self.table.child(node, _LABEL)
        if label >= 0:
            self._steps.append(Label(self.table.text(label)))
        for child in self.table.children(node):
            if child != label:
                self._run(child)

    def _return(self, node: int) -> None:
        self._children(node)
        self._steps.append(Jump.RETURN)

    def _break(self, node: int) -> None:
        self._steps.append(Jump.BREAK)

    def _continue(self, node: int) -> None:
        self._steps.append(Jump.CONTINUE)


_STATEMENTS = {
    _IF: _StepReader._if,
    _FOR: _StepReader._loop,
    _WHILE: _StepReader._loop,
    _DO: _StepReader._loop,
    _SWITCH: _StepReader._switch,
    _GOTO: _StepReader._goto,
    _LABELED: _StepReader._labeled,
    _RETURN: _StepReader._return,
    _BREAK: _StepReader._break,
    _CONTINUE: _StepReader._continue,
}


def _in_space(space: Space | None) -> MemoryEffect:
    if space in (Space.PRIVATE, Space.CONSTANT, None):
        return NOTHING
    if space is Space.LOCAL:
        return MemoryEffect(LOCAL, LOCAL)
    if space is not Space.UNKNOWN and encloses(Space.GLOBAL, space):
        return MemoryEffect(GLOBAL, GLOBAL)
    return ANYTHING


def _through(type_: Type) -> MemoryEffect:
    """Returns the effect of a built-in function on the memory to which an argument of this type points."""
    if is_unknown(type_):
        return ANYTHING
    if isinstance(type_, Opaque) and type_.category == "image":
        return MemoryEffect(IMAGE, IMAGE, 0 if type_.access == "read_only" else IMAGE)
    pointer = decayed(type_)
    if not isinstance(pointer, Pointer):
        return NOTHING
    found = _in_space(pointer.pointee.space)
    return found if pointer.pointee.qualifiers & CONST else found._replace(written=found.seen)
