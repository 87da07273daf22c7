"""Runs a kernel as one work-item does, and records how it accesses local memory between barriers.

The work-group is small, and the ids of the work-item are known numbers; the scalar arguments of the kernel
are symbols. If the condition of a branch is unknown, both sides are run, but their accesses are not recorded.
While the condition of a loop is known, the loop runs until it is false, up to a limit; any other loop runs at
most twice. Calls of the program's functions are run with their arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.spaces import Space
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Entity, EntityRef, Place
from openclsp.semantics.memory.memory_steps import BARRIERS, LOCAL, WORK_GROUP_BARRIERS
from openclsp.semantics.memory.symbolic_integers import ONE, ZERO, Integer, apply_operator, symbol
from openclsp.semantics.memory.work_item_accesses import Address, LocalAccessKind, WorkItemTrace
from openclsp.semantics.memory.work_item_expressions import (
    ExpressionRun,
    Frame,
    Known,
    TooManyStepsError,
)
from openclsp.semantics.types.operand_types import is_integer
from openclsp.semantics.types.type_model import Array, Pointer, Vector
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_COMPOUND, _DECLARATION = kind("compound_statement"), kind("declaration")
_INIT_DECLARATOR, _IDENTIFIER = kind("init_declarator"), kind("identifier")
_IF, _ELSE = kind("if_statement"), kind("else_clause")
_FOR, _WHILE, _DO = kind("for_statement"), kind("while_statement"), kind("do_statement")
_SWITCH, _CASE = kind("switch_statement"), kind("case_statement")
_RETURN, _BREAK, _CONTINUE = kind("return_statement"), kind("break_statement"), kind("continue_statement")
_GOTO, _LABELED = kind("goto_statement"), kind("labeled_statement")
_CALL, _ASSIGNMENT, _UPDATE = (
    kind("call_expression"),
    kind("assignment_expression"),
    kind("update_expression"),
)
_INITIALISER_LIST = kind("initializer_list")
_BODY, _CONDITION, _UPDATE_FIELD = FIELDS["body"], FIELDS["condition"], FIELDS["update"]
_INITIALIZER, _ALTERNATIVE = FIELDS["initializer"], FIELDS["alternative"]
_CONSEQUENCE, _VALUE, _DECLARATOR = FIELDS["consequence"], FIELDS["value"], FIELDS["declarator"]
_FUNCTION, _ARGUMENTS, _ARGUMENT = FIELDS["function"], FIELDS["arguments"], FIELDS["argument"]
_LEFT = FIELDS["left"]
_MAXIMUM_DEPTH = 8
_MAXIMUM_ITERATIONS = (16, 8)
"""The limits of iterations of an outermost and of an inner loop, if the condition is known each time."""
_ITERATIONS_OF_UNKNOWN_LOOPS = 2
_ATOMICS = ("atomic_", "atom_")
_COPIES = frozenset(("async_work_group_copy", "async_work_group_strided_copy"))
_LOCAL_IDS = frozenset(("get_local_id", "get_global_id"))
_SAME_FOR_FIRST_GROUP = frozenset(("get_group_id", "get_global_offset"))
_GROUP_SIZES = frozenset(("get_local_size", "get_enqueued_local_size"))
_SIZES = frozenset(("get_global_size", "get_num_groups"))


class _End(IntEnum):
    """How a statement ends: normally, or by leaving the iteration, the loop or switch, or the function."""

    NEXT = 0
    CONTINUE = 1
    BREAK = 2
    RETURN = 3


class WorkItemRun(ExpressionRun):
    """The run of a kernel by one work-item; `defined` finds the only definition of a function by name."""

    def __init__(
        self,
        kernel: TypingContext,
        ids: Sequence[int],
        sizes: Sequence[int],
        defined: Callable[[str], TypingContext | None],
    ) -> None:
        super().__init__(Frame(kernel, None))
        self._ids, self._sizes, self._defined = ids, sizes, defined
        self._barriers: list[Place] = []
        self._dimensions: dict[str, set[int]] = {name: set() for name in _LOCAL_IDS}
        self._calls: list[str] = [kernel.item[1]]
        self._loops = 0
        self._returned: list[Known] = []
        self._copies: list[tuple[Address, LocalAccessKind, int, Known]] = []
        """The asynchronous copies before the next `wait_group_events`, with nodes and numbers of elements."""

    def run(self) -> WorkItemTrace | None:
        """Runs the kernel and returns its trace; None if a limit is exceeded."""
        for entity in _parameters(self.frame.ctx):
            self.frame.variables[entity.ref] = _argument_of_host(entity)
        try:
            self._body(self.frame.ctx)
        except (TooManyStepsError, RecursionError):
            return None
        # a work-group may have one work-item in a dimension of which only the global id is read
        ids = self._dimensions["get_local_id"] or {0} & self._dimensions["get_global_id"]
        return WorkItemTrace(tuple(self.accesses), tuple(self._barriers), frozenset(ids))

    def _body(self, ctx: TypingContext) -> _End:
        if _GOTO in ctx.table.kind or _LABELED in ctx.table.kind:
            raise TooManyStepsError
        hidden = self.hidden
        end = self._execute(ctx.table.child(0, _BODY))
        self.hidden = hidden
        return end

    def _execute(self, node: int) -> _End:
        """Runs a statement and returns how it ends."""
        if node < 0:
            return _End.NEXT
        number = self.frame.ctx.table.kind[node]
        handler = _STATEMENTS.get(number)
        if handler is not None:
            return handler(self, node)
        self.evaluate(node)
        return _End.NEXT

    def _sequence(self, node: int) -> _End:
        for child in self.frame.ctx.table.children(node):
            end = self._execute(child)
            if end is not _End.NEXT:
                return end
        return _End.NEXT

    def _declare(self, node: int) -> _End:
        table, frame = self.frame.ctx.table, self.frame
        for child in table.children(node):
            if table.kind[child] != _INIT_DECLARATOR:
                continue
            given = table.child(child, _VALUE)
            value = self.evaluate(given)
            declarator = table.child(child, _DECLARATOR)
            entity = next(
                (
                    frame.declared[token]
                    for token in range(table.first[declarator], table.last[declarator])
                    if token in frame.declared
                ),
                None,
            )
            if entity is not None and entity.type.space is not Space.LOCAL:
                known = table.kind[given] != _INITIALISER_LIST and entity.ref not in frame.shared
                plain = isinstance(entity.type, Pointer) or (
                    is_integer(entity.type) and not isinstance(entity.type, Vector)
                )
                frame.variables[entity.ref] = value if known and plain else None
        return _End.NEXT

    def _if(self, node: int) -> _End:
        table = self.frame.ctx.table
        chosen = self.condition(table.child(node, _CONDITION))
        first, second = table.child(node, _CONSEQUENCE), table.child(node, _ALTERNATIVE)
        if chosen is not None:
            return self._execute(first if chosen else second)
        return self._either((first, second))

    def _either(self, statements: Sequence[int]) -> _End:
        """Runs alternative statements, each from the same state, because it is unknown which one is executed.

        If one of them ends with a jump, it is also unknown whether the code after them is executed.
        """
        before = dict(self.frame.variables)
        after: list[Mapping[EntityRef, Known]] = []
        leaves = False
        for each in statements:
            self.frame.variables = dict(before)
            self.hidden += 1
            leaves |= self._execute(each) is not _End.NEXT
            self.hidden -= 1
            after.append(self.frame.variables)
        names = {name for each in after for name in each}
        self.frame.variables = {
            name: after[0].get(name) if len({each.get(name) for each in after}) == 1 else None
            for name in names
        }
        # until the end of the loop or function, which restores the count
        self.hidden += leaves
        return _End.NEXT

    def _loop(self, node: int) -> _End:
        table = self.frame.ctx.table
        condition, body = table.child(node, _CONDITION), table.child(node, _BODY)
        update, late = table.child(node, _UPDATE_FIELD), table.kind[node] == _DO
        self._execute(table.child(node, _INITIALIZER))
        if _calls_atomic(self.frame.ctx, condition):
            # a lock: what follows is ordered by it
            self._order_accesses()
        hidden, limit = self.hidden, _MAXIMUM_ITERATIONS[min(self._loops, 1)]
        interval = self.interval
        self._loops += 1
        count, ended, end = 0, False, _End.NEXT
        while not ended and count < limit:
            self.depends_on_symbol = False
            holds: bool | None = True
            if not late or count:
                holds = self.condition(condition)
            if holds is False:
                ended = True
                break
            if self.depends_on_symbol or condition < 0:
                limit = min(limit, _ITERATIONS_OF_UNKNOWN_LOOPS)
            self.hidden = hidden + (holds is None)
            end = self._execute(body)
            self.hidden = hidden + (holds is None)
            ended = end >= _End.BREAK
            if not ended:
                self._execute(update)
            count += 1
            self.hidden = hidden
        self._loops -= 1
        if not ended:
            self._forget_assigned(node)
        if not ended and limit > _ITERATIONS_OF_UNKNOWN_LOOPS and self.interval != interval:
            # barriers in the further iterations are between those that were run and what follows
            self._order_accesses()
        return _End.RETURN if end is _End.RETURN else _End.NEXT

    def _forget_assigned(self, around: int) -> None:
        """Forgets the values of the variables that the statement at `around` assigns."""
        table, frame = self.frame.ctx.table, self.frame
        for node in range(around, table.skip[around]):
            if table.kind[node] in (_ASSIGNMENT, _UPDATE):
                target = table.child(node, _LEFT if table.kind[node] == _ASSIGNMENT else _ARGUMENT)
                value = frame.trace.get(target)
                if value is not None and value.origin is not None:
                    frame.variables[value.origin.entity] = None

    def _switch(self, node: int) -> _End:
        table = self.frame.ctx.table
        self.condition(table.child(node, _CONDITION))
        body = table.child(node, _BODY)
        hidden = self.hidden
        self.hidden += 1
        block = body >= 0 and table.kind[body] == _COMPOUND
        for child in table.children(body) if block else (body,):
            self._execute(child)
        self._forget_assigned(node)
        self.hidden = hidden + (_RETURN in table.kind[body : table.skip[body]])
        return _End.NEXT

    def _return(self, node: int) -> _End:
        value: Known = None
        for child in self.frame.ctx.table.children(node):
            value = self.evaluate(child)
        self._returned.append(value if not self.hidden else None)
        return _End.RETURN

    def call(self, node: int) -> Known:
        """Runs a call of a built-in function or of a function of the program, and returns its result."""
        table, frame = self.frame.ctx.table, self.frame
        function, arguments = table.child(node, _FUNCTION), table.child(node, _ARGUMENTS)
        name = table.text(function) if table.kind[function] == _IDENTIFIER else ""
        nodes = list(table.children(arguments)) if arguments >= 0 else []
        given = [self.evaluate(each) for each in nodes]
        if name in BARRIERS:
            self._pass_fence(name, nodes, node)
            return None
        if not name or not is_builtin_function_name(name):
            return self._call_defined(name, given, node)
        if name.startswith(_ATOMICS) and given:
            type_ = frame.trace.get(nodes[0])
            pointee = type_.type.pointee if type_ is not None and isinstance(type_.type, Pointer) else None
            # atomic built-in functions take volatile pointers, and change nothing by that
            self.record(
                given[0],
                LocalAccessKind.ATOMIC,
                node,
                None if pointee is None else pointee.with_qualifiers(0),
            )
            return None
        if name in _COPIES:
            for number, access in ((0, LocalAccessKind.COPY_TO), (1, LocalAccessKind.COPY_FROM)):
                address = given[number] if number < len(given) else None
                if isinstance(address, Address) and all(each == ZERO for each in address.path):
                    count = given[2] if len(given) > 2 else None
                    self._copies.append((address, access, node, count))
                    self.record(address, access, node, value=count)
            return None
        if name == "wait_group_events":
            self._copies.clear()
            self._order_accesses()
            return None
        return self._query(name, given)

    def _query(self, name: str, given: Sequence[Known]) -> Known:
        """Returns the result of a built-in function with the arguments `given`, in the first work-group."""
        dimension = (
            given[0].constant if given and isinstance(given[0], Integer) and not given[0].terms else -1
        )
        if name in _LOCAL_IDS:
            self._dimensions[name].add(dimension)
            return Integer(self._ids[dimension]) if 0 <= dimension < len(self._ids) else None
        if name in _GROUP_SIZES:
            return Integer(self._sizes[dimension]) if 0 <= dimension < len(self._sizes) else None
        if name in _SAME_FOR_FIRST_GROUP:
            return ZERO
        if name in _SIZES:
            return symbol(name, dimension)
        numbers = [each for each in given if isinstance(each, Integer)]
        if len(numbers) != len(given):
            return None
        if name in ("mul24", "mad24") and len(numbers) == (2 if name == "mul24" else 3):
            product = apply_operator("*", numbers[0], numbers[1])
            return product if name == "mul24" else apply_operator("+", product, numbers[2])
        if name in ("min", "max") and len(numbers) == 2:
            less = apply_operator("<", numbers[0], numbers[1])
            if less is not None:
                return numbers[0] if (less == ONE) == (name == "min") else numbers[1]
        return None

    def _call_defined(self, name: str, given: Sequence[Known], node: int) -> Known:
        """Returns the result of a call; a call that cannot be run is a step that may order accesses."""
        ctx = None
        if name not in self._calls and len(self._calls) < _MAXIMUM_DEPTH:
            ctx = self._defined(name)
        parameters = () if ctx is None else _parameters(ctx)
        if ctx is None or len(parameters) != len(given):
            self._order_accesses()
            return None
        around, loops, returned = self.frame, self._loops, self._returned
        self.frame = Frame(ctx, around.call or around.ctx.place(node))
        self._loops, self._returned = min(loops, 1), []
        for entity, value in zip(parameters, given, strict=True):
            self.frame.variables[entity.ref] = None if entity.ref in self.frame.shared else value
        self._calls.append(name)
        self._body(ctx)
        self._calls.pop()
        result = self._returned[0] if len(self._returned) == 1 else None
        self.frame, self._loops, self._returned = around, loops, returned
        return result

    def _pass_fence(self, name: str, nodes: Sequence[int], node: int) -> None:
        """Handles a call of the barrier or fence `name` at `node`, with the arguments `nodes`."""
        frame = self.frame
        flags = frame.trace.get(nodes[0]) if nodes else None
        number = None if flags is None else flags.number
        orders = number is None or bool(number & LOCAL)
        if name in WORK_GROUP_BARRIERS:
            self._barriers.append(frame.call or frame.ctx.place(node))
            if orders:
                self.interval = self.interval[0] + 1, 0
                self._continue_copies()
        else:
            self._order_accesses()

    def _order_accesses(self) -> None:
        """Records a step that may order the accesses before it against those after it, like a barrier."""
        self.interval = self.interval[0], self.interval[1] + 1
        self._continue_copies()

    def _continue_copies(self) -> None:
        for address, access, node, count in self._copies:
            self.record(address, access, node, value=count)


def _parameters(ctx: TypingContext) -> tuple[Entity, ...]:
    """Returns the parameters of a function definition."""
    for fact in ctx.facts:
        if isinstance(fact, FunctionDeclaration) and fact.definition and fact.entity.name == ctx.item[1]:
            return fact.parameters
    return ()


def _argument_of_host(parameter: Entity) -> Known:
    """Returns a parameter's initial value: an address in local memory, a symbol for an integer, or None."""
    type_ = parameter.type
    if isinstance(type_, Pointer) and not isinstance(type_.pointee, Array):
        return Address(parameter.ref, (ZERO,)) if type_.pointee.space is Space.LOCAL else None
    if is_integer(type_) and not isinstance(type_, Vector):
        return symbol("argument", parameter.ref)
    return None


def _calls_atomic(ctx: TypingContext, condition: int) -> bool:
    """Whether a condition calls an atomic function."""
    table = ctx.table
    return any(
        table.kind[node] == _CALL and table.token(table.first[node]).startswith(_ATOMICS)
        for node in (range(condition, table.skip[condition]) if condition >= 0 else ())
    )


_STATEMENTS: Mapping[int, Callable[[WorkItemRun, int], _End]] = {
    _COMPOUND: WorkItemRun._sequence,
    _ELSE: WorkItemRun._sequence,
    _CASE: WorkItemRun._sequence,
    _DECLARATION: WorkItemRun._declare,
    _IF: WorkItemRun._if,
    _FOR: WorkItemRun._loop,
    _WHILE: WorkItemRun._loop,
    _DO: WorkItemRun._loop,
    _SWITCH: WorkItemRun._switch,
    _RETURN: WorkItemRun._return,
    _BREAK: lambda run, node: _End.BREAK,
    _CONTINUE: lambda run, node: _End.CONTINUE,
}
