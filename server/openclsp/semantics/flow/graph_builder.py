"""Builds one function's flow graph by abstract execution: nodes and environment.

A local pointer variable whose address is not taken is tracked flow-sensitively, from assignment to
assignment. Everything else is memory, with one flow-insensitive set for each pointer of each object.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    EntityRef,
    Place,
)
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.address_taken import variables_with_address
from openclsp.semantics.flow.builder_state import (
    Base,
    Environment,
    Exact,
    Exits,
    Lvalue,
    SwitchState,
    is_open,
    may_carry,
)
from openclsp.semantics.flow.graph import (
    BASE,
    COPY,
    OBJECT,
    Atom,
    CallSite,
    Declared,
    Event,
    Flow,
    FunctionFlow,
    FunctionId,
    NodeInfo,
    ObjectId,
    Parameter,
    Path,
    Store,
)
from openclsp.semantics.flow.object_layout import (
    extended,
    may_hold,
    pointer_paths_of,
    shared_place,
    within,
)
from openclsp.semantics.flow.transfers import (
    BIT_OF_SPACE,
    IDENTITY,
    UNKNOWN,
    Transfer,
    conversion_to,
)
from openclsp.semantics.flow.value_numbers import ValueNumbers
from openclsp.semantics.types.type_model import (
    VOLATILE,
    BlockPointer,
    Pointer,
    Record,
    Scalar,
    Type,
)
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import kind

_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")


class Builder:
    """Builds the flow graph of one function or block literal."""

    def __init__(
        self,
        ctx: TypingContext,
        trace: dict[int, Value],
        id_: FunctionId,
        outer: Builder | None,
        *,
        as_if_generic: bool = False,
        carrying: bool = False,
    ) -> None:
        self.ctx, self.table, self.trace = ctx, ctx.table, trace
        self.id, self.outer = id_, outer
        self.as_if_generic: bool = outer.as_if_generic if outer is not None else as_if_generic
        """Whether pointers private only by default may point to any space"""
        self.carrying: bool = outer.carrying if outer is not None else carrying
        """Whether pointers are tracked through integers and other plain data"""
        self.carries = False
        """Whether the function converts integers to pointers or accesses pointers as plain data"""
        self.lvalues: dict[int, Lvalue] = {}
        """Lvalues by syntax node: of compound literals and, if `carrying`, of the expressions read"""
        self.nodes: list[list[Atom]] = []
        self.infos: list[NodeInfo] = []
        """Descriptions, parallel to `nodes`"""
        self.parameters: list[Parameter] = []
        self.stores: list[Store] = []
        self.calls: list[CallSite] = []
        self.events: list[Event] = []
        self.blocks: list[FunctionFlow] = []
        self.inner: list[Builder] = []
        """The builders of the block literals; on the outermost builder"""
        self.guard_depth: int = 0
        """Number of enclosing conditions that may guard a use: see `guards`"""
        self.left_under_guard = False
        """Whether some path has left the function under such a condition"""
        self.left_loop = False
        """Whether some path has left the innermost loop or switch early.

        It did so under such a condition, or continued the loop.
        """
        self.origins: dict[int, int] = {}
        """Provenance of the function's numbers, by the number of their entity"""
        self.environment: Environment | None = Environment({}, {})
        """None if the current point is unreachable"""
        self.numbers: ValueNumbers = outer.numbers if outer is not None else ValueNumbers()
        self.leaves: dict[Type, tuple[Path, ...] | None] = outer.leaves if outer is not None else {}
        """Cache of `object_parts.leaves_of`"""
        self.parts: dict[Base, tuple[Path, ...]] = {}
        """The pointers in each object whose parts are followed"""
        self.slots: dict[Exact, int] = {}
        """The slots of parts, from -1 downwards; `slot_parts` is the inverse"""
        self.slot_parts: list[Exact] = []
        self.contents: dict[ObjectId, dict[Path, Flow]] = {}
        """The pointers in each struct value that is in no variable, by their path with elements"""
        self.narrowed: dict[int, tuple[Flow, Transfer]] = {}
        """The value before the test, and the transfer of the test, for each node that a test created"""
        self.growing: set[int] = set()
        """The merge nodes of loops and labels, which get values after they are read"""
        self.chosen: dict[int, int] = {}
        """The value number of each conditional expression, by syntax node"""
        self.in_real_memory: set[ObjectId] = set()
        """The struct values whose pointers were also stored to memory"""
        self.own: set[int] = set()
        """The variables declared here, parameters included"""
        self.exits: list[Exits] = []
        self.switches: list[SwitchState] = []
        self._pointer_paths: dict[tuple[Type, bool], tuple[Path, ...]] = (
            outer._pointer_paths if outer is not None else {}
        )
        self.declared_last = 0
        """Index among all entities of the variable declared last"""
        self._in_order: list[Entity] = []
        self.unions: dict[object, dict[str, Path]] = {}
        """Paths of members in anonymous unions, by record"""
        self.labels: dict[str, dict[int, int]] = {}
        """The merge nodes of each label, by variable"""
        self.result_type: Type | None = None
        self.kernel = False
        taken = (outer.in_memory, outer.escaping) if outer is not None else variables_with_address(ctx, trace)
        self.in_memory: frozenset[int] = taken[0]
        """The scalar variables whose address is taken, which are therefore not tracked"""
        self.escaping: frozenset[int] = taken[1]
        """All variables whose address is taken, with structs and arrays"""
        self.values: dict[int, Flow] = {}
        """The value of each expression, by syntax node, for queries about a place"""
        self.names: dict[int, Flow] = {}
        """A variable's value at each use of its name, by token index; at an assignment, the new value"""
        self.kept_tokens: Container[int] = ()
        """Token indices at which the result keeps `names`; on the outermost builder"""
        self.result = self.node("result", "", Place(0, 0))
        self.results: dict[Path, int] = {}
        """The nodes of the pointers in a returned struct, by path"""

    def node(self, kind_: str, name: str, place: Place, flow: Flow = ()) -> int:
        """Creates a node; returns its number."""
        self.nodes.append(list(flow))
        self.infos.append(NodeInfo(kind_, name, place))
        return len(self.nodes) - 1

    def copy(self, node: int, place: Place, transfer: Transfer = IDENTITY, path: Path = ()) -> Flow:
        """Returns a copy of the value of a node, or of its part at `path`, with a transfer applied to it."""
        return (Atom(COPY, node, path, transfer, place),)

    def conversion_to(self, type_: Type, entity: Entity | None = None) -> Transfer:
        """Returns the transfer of a conversion to a type; `entity`, if given, is a variable of this type."""
        if self.as_if_generic and is_open(type_, entity):
            return IDENTITY
        return conversion_to(type_)

    def unknown(self, place: Place) -> Flow:
        """Returns a pointer value about which nothing is known."""
        return (Atom(BASE, UNKNOWN, None, IDENTITY, place),)

    def pointer_paths(self, type_: Type) -> tuple[Path, ...]:
        """Returns the paths to an object's pointers, and with `self.carrying` to data that may hold one."""
        return self.pointers_in(type_, data=self.carrying)

    def shared_members(self, record: Record) -> dict[str, Path]:
        """Returns the paths to those members of a struct that are in its anonymous unions, by name."""
        found = self.unions.get(record.identity)
        if found is None:
            members = self.ctx.members(record) or ()
            found = {each.name: shared_place(each) for each in members if each.union}
            self.unions[record.identity] = found
        return found

    def entity(self, ref: EntityRef) -> Entity | None:
        """Returns the entity if this item declares it, else None."""
        return self.ctx.entities.get(ref.number) if ref.item == self.ctx.item else None

    def pointers_in(self, type_: Type, *, data: bool = False) -> tuple[Path, ...]:
        """Returns the result of `pointer_paths_of`; cached, because each member access needs it."""
        found = self._pointer_paths.get((type_, data))
        if found is None:
            found = self._pointer_paths[type_, data] = pointer_paths_of(self.ctx, type_, data=data)
        return found

    def declared_in_order(self) -> list[Entity]:
        """Returns the item's entities in text order."""
        if len(self._in_order) != len(self.ctx.entities):
            self._in_order = list(self.ctx.entities.values())
        return self._in_order

    def is_tracked(self, entity: Entity) -> bool:
        """Whether a variable is tracked from assignment to assignment."""
        if (
            entity.kind not in (EntityKind.VARIABLE, EntityKind.PARAMETER)
            or entity.ref.number in self.in_memory
        ):
            return False
        if entity.kind is EntityKind.VARIABLE and entity.type.space is not Space.PRIVATE:
            return False
        if isinstance(entity.type, Pointer | BlockPointer):
            return True
        number = isinstance(entity.type, Scalar) and (may_carry(entity.type) or may_hold(entity.type))
        return self.carrying and number

    def has_value(self, entity: Entity) -> bool:
        """Whether a variable has value numbers, because only the function's own assignments change it."""
        number = entity.ref.number
        if number not in self.own or number in self.in_memory:
            return False
        if entity.kind is EntityKind.VARIABLE and entity.type.space is not Space.PRIVATE:
            return False
        return isinstance(entity.type, Pointer | Scalar) and not entity.type.qualifiers & VOLATILE

    def tracked_variables(self) -> list[int]:
        """Returns the variables of the function that are tracked from assignment to assignment, sorted."""
        return [number for number in sorted(self.own) if self.is_tracked(self.ctx.entities[number])]

    def described(self, number: int) -> tuple[str, Place]:
        """Returns a variable's name and the place of its declaration; for an object part, those of the object."""
        base: Base = number if number >= 0 else self.slot_parts[-number - 1][0]
        entity = self.ctx.entities.get(base) if isinstance(base, int) else None
        return ("", Place(0, 0)) if entity is None else (entity.name, entity.place)

    def read(self, number: int, place: Place) -> Flow:
        """Returns the value of a tracked variable of this function, or of a function around this block literal."""
        if number in self.own or self.outer is None:
            return self.environment.flows.get(number, ()) if self.environment is not None else ()
        for parameter in self.parameters:
            if parameter.captured and parameter.number == number:
                return self.copy(parameter.node, place)
        entity = self.ctx.entities[number]
        node = self.node("captured", entity.name, place)
        self.parameters.append(
            Parameter(
                node,
                entity.name,
                entity.place,
                self.conversion_to(entity.type, entity),
                (),
                number,
                captured=True,
            )
        )
        return self.copy(node, place)

    def assign(self, number: int, flow: Flow, name: str, place: Place, value: int = 0) -> Flow:
        """Assigns `flow` to the variable `number`; returns the value of the assignment as a flow.

        The variable gets the value number `value`, or a new value number if `value` is 0.
        """
        if self.environment is None:
            return ()
        self.environment.values[number] = value or self.numbers.fresh()
        if flow:
            node = self.node("variable", name, place, flow)
            self.infos[node] = self.infos[node]._replace(entity=number)
            flow = self.copy(node, place)
        self.environment.flows[number] = flow
        return flow

    def declare(self, number: int) -> None:
        """Declares a variable without a value.

        An integer gets the value `memory_access.nothing`, which contains no address. An empty flow would
        stand for an integer of unknown provenance.
        """
        self.own.add(number)
        if self.environment is not None:
            entity = self.ctx.entities[number]
            pointer = isinstance(entity.type, Pointer | BlockPointer)
            self.environment.flows[number] = () if pointer else (Atom(BASE, 0, None, IDENTITY, entity.place),)
            self.environment.values.pop(number, None)

    def object_at(self, type_: Type, ref: EntityRef, name: str, place: Place, what: str = "variable") -> Flow:
        """Returns the address of a declared object; `what` is its kind (see `ObjectId`)."""
        pointer_paths = self.pointer_paths(type_)
        if pointer_paths:
            made = ObjectId(what, ref, type_.space, pointer_paths, name)
            return (Atom(OBJECT, made, (), IDENTITY, place),)
        bit = BIT_OF_SPACE.get(type_.space) if type_.space is not None else None
        return (Atom(BASE, UNKNOWN if bit is None else bit, Declared(name, what, ref), IDENTITY, place),)

    def at_node(self, flow: Flow, place: Place) -> int:
        """Returns the number of a node with the value `flow`: the node that it copies, or else a new one."""
        if len(flow) == 1 and flow[0].kind == COPY and flow[0].transfer == IDENTITY and flow[0].b == ():
            number = flow[0].a
            assert isinstance(number, int)
            return number
        return self.node("temporary", "", place, flow)

    def moved(self, address: Flow, path: Path, place: Place) -> Flow:
        """Returns the address of the part at `path` of the object that `address` points to."""
        if not path:
            return address
        found: list[Atom] = []
        for atom in address:
            if atom.kind == OBJECT:
                made = atom.a
                assert isinstance(made, ObjectId) and isinstance(atom.b, tuple)
                found.append(atom._replace(b=within(made.pointer_paths, extended(atom.b, path))))
            elif atom.kind == COPY:
                assert isinstance(atom.b, tuple)
                found.append(atom._replace(b=extended(atom.b, path)))
            elif atom.kind == BASE:
                found.append(atom)
            else:
                node = self.node("temporary", "", place, (atom,))
                found += self.copy(node, place, path=path)
        return tuple(found)

    @property
    def certain(self) -> bool:
        """Whether the current point is executed whenever the function runs."""
        return not (self.guard_depth or self.left_under_guard or self.left_loop)

    def stop(self) -> None:
        """Makes the current point unreachable."""
        self.environment = None

    def leave(self, to: list[Environment] | None) -> None:
        """Jumps out of a loop or switch; `to` collects the environments of all jumps to this target."""
        self.left_loop = self.left_loop or self.guard_depth > 0
        if to is not None and self.environment is not None:
            to.append(self.environment)
        self.stop()

    def named(self, syntax_node: int) -> Entity | None:
        """Returns the variable of this item that an expression names, parenthesised or not, or None."""
        while syntax_node >= 0 and self.table.kind[syntax_node] == _PARENTHESES:
            syntax_node = next(iter(self.table.children(syntax_node)), -1)
        if syntax_node < 0 or self.table.kind[syntax_node] != _IDENTIFIER:
            return None
        value = self.trace.get(syntax_node)
        if value is None or value.origin is None or value.origin.level != 0:
            return None
        return self.entity(value.origin.entity)

    def feed(self, node: int, flow: Flow) -> None:
        """Adds a value to a node's set."""
        atoms = self.nodes[node]
        atoms += [atom for atom in flow if atom not in atoms and not (atom.kind == COPY and atom.a == node)]

    def _generic_variables(self) -> Iterator[tuple[int, str, Place]]:
        for number in self.tracked_variables():
            entity = self.ctx.entities[number]
            generic = isinstance(entity.type, Pointer) and entity.type.pointee.space is Space.GENERIC
            if generic and entity.kind is EntityKind.VARIABLE:
                yield number, entity.name, entity.place

    def finish(self, name: str, place: Place, kept_tokens: Container[int] = ()) -> FunctionFlow:
        """Returns the finished graph, including the values of names at the token indices in `kept_tokens`."""
        return FunctionFlow(
            self.id,
            name,
            self.kernel,
            tuple(self.parameters),
            tuple(map(tuple, self.nodes)),
            tuple(self.infos),
            self.result,
            tuple(self.stores),
            tuple(self.calls),
            tuple(self.events),
            place,
            tuple(self.results.items()),
            tuple(
                (token_index, flow) for token_index, flow in self.names.items() if token_index in kept_tokens
            ),
            tuple(self._generic_variables()),
            self.carries,
        )
