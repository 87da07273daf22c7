"""What typing one item works with: its table, the names in sight, and the lists that it fills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Protocol

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.semantics.entities import Entity, EntityKind, EntityRef, ItemKey, Origin, Place, place_of
from openclsp.semantics.facts.calls import BlockLiteral, DeferredCall
from openclsp.semantics.facts.constructs import Construct
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.sizes import Layout, Slots, layout_of
from openclsp.semantics.table import Table
from openclsp.semantics.types import UNKNOWN, Array, Record, Type, is_unknown

_HOLE = "$"
"""Stands in the names that `source.templates` makes of inserted values, and in those of templates like `$name`"""


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name stands for. No position in it: an edit elsewhere in the declaring item leaves it equal.

    `alignment` is what the attributes of a typedef ask for, in bytes: 0 for nothing, None where it is not known. `number` is the value of an enumerator, or of a constant variable where it is known. `constancy` is that of
    reading the variable, `target` that of reading through it. Parameter i of a function is entity `ref.number + 1 + i`.
    """

    name: str
    kind: EntityKind
    type: Type
    ref: EntityRef
    scope: Scope
    constancy: Constancy = Constancy.NOT_CONSTANT
    number: int | None = None
    overloadable: bool = False
    uncertain: bool = False
    """Whether a word that is not known stands at a declaration of the function: it may make it overloadable."""
    kernel: bool = False
    defined: bool = False
    parameters: tuple[str, ...] = ()
    automatic: bool = False
    """A parameter, or a variable of a function that is not static: a block captures it (OpenCL C 6.14)."""
    alignment: int | None = 0
    target: Constancy = Constancy.UNKNOWN


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct or union; its type has no space of its own, it lies where its object lies."""

    name: str
    type: Type
    ref: EntityRef
    anonymous: bool = False
    """Whether it is a member of a member without a name, struct or union"""
    union: int = 0
    """The anonymous union in which it shares its place with others, told from others of the record; 0 is none"""


Members = tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Exports:
    """What an item declares at program scope: ordinary names, tags, and the members of its structs and unions."""

    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    tags: Mapping[str, Type] = field(default_factory=dict)
    members: Mapping[object, Members] = field(default_factory=dict)


class Names(Protocol):
    """The program-scope names in sight of an item: each answer is the last declaration before it."""

    def symbol(self, name: str) -> Symbol | None:
        """The ordinary identifier `name`."""

    def shape(self, name: str) -> Symbol | None:
        """The function `name` without its parameters, if it is declared and not overloadable."""

    def overloads(self, name: str) -> tuple[Symbol, ...]:
        """Every declaration of the function `name` before the item, the last one first."""

    def tag(self, tag: str) -> Type | None:
        """The struct, union or enum called `tag`."""

    def members(self, record: Record) -> Members | None:
        """The members of a struct or union defined at program scope; None where it is incomplete or not known."""

    def slots(self, record: Record) -> Slots | None:
        """How the members of a struct or union lie in it, found as `members` are."""

    def may_be_elsewhere(self, name: str) -> bool:
        """Whether something that is not known here may declare or define `name`: a header that cannot be had, or a
        branch that a guess leaves out."""

    def is_switched_on(self, extension: str) -> bool:
        """Whether a pragma before the item switches the extension on, or one that is not known here may."""

    def enables(self, extension: str) -> bool:
        """Whether a pragma that is seen before the item switches the extension on."""

    def doubted_leaves(self) -> tuple[tuple[int, int], ...]:
        """The leaves of the item, first and last, that a condition lets through which a missing header may decide."""

    def is_declared_later(self, name: str) -> bool:
        """Whether an item behind this one declares the name."""

    def is_itself(self, name: str) -> bool:
        """Whether the name is a macro that stands for itself, since its value is not known."""

    def vocabulary(self) -> frozenset[str]:
        """The names that the unit gives to types and macros, wherever in it."""


@dataclass(slots=True)
class FunctionFrame:
    """The function or block literal around: its result type, its name, whether it is a kernel, or may be one.

    A block literal has `block` set: `floor` is the number of scopes that are open around it, `captures` collects what
    it reads of them, at their first use. Its `result` is None where none is written; then `returned` collects what it
    returns, and where.
    """

    name: str
    result: Type | None
    ref: EntityRef
    kernel: bool
    block: bool = False
    floor: int = 0
    captures: dict[EntityRef, Value] = field(default_factory=dict)
    returned: list[tuple[Type, Place]] = field(default_factory=list)


class Mark:
    """A statement that was typed: its row, and how much there was of everything before it, and behind it."""

    __slots__ = (
        "bindings",
        "bindings_end",
        "deferred",
        "deferred_end",
        "facts",
        "facts_end",
        "follows_macro",
        "number",
        "number_end",
        "row",
        "unknown",
        "unknown_end",
    )

    def __init__(self, row: int, follows_macro: bool) -> None:
        self.row, self.follows_macro = row, follows_macro
        self.facts = self.deferred = self.number = self.bindings = self.unknown = 0
        self.facts_end = self.deferred_end = self.number_end = self.bindings_end = self.unknown_end = 0


class Log:
    """How an item was typed, for typing it again from one of its statements on: see `retyping`.

    `bindings` are the symbols that were bound, and 1 and -1 where a scope was opened and closed. `faults` and `end` are how
    many facts there were before the head, and behind the body; `frame` is the function's. `again` is how often in a row only
    a part was typed again.
    """

    __slots__ = ("again", "bindings", "end", "faults", "frame", "marks", "tagged")

    def __init__(self) -> None:
        self.bindings: list[Symbol | int] = []
        self.marks: list[Mark] = []
        self.frame: FunctionFrame | None = None
        self.faults = self.end = self.again = 0
        self.tagged = False
        """Whether a tag was declared in a scope of the item's own"""

    def begin(self, ctx: Context, row: int, follows_macro: bool) -> Mark:
        """A statement is going to be typed."""
        mark = Mark(row, follows_macro)
        mark.facts, mark.number, mark.bindings = len(ctx.facts), ctx.next_number, len(self.bindings)
        mark.deferred, mark.unknown = len(ctx.deferred or ()), ctx.unknown_names
        self.marks.append(mark)
        return mark

    def finish(self, ctx: Context, mark: Mark) -> None:
        """It has been typed."""
        mark.facts_end, mark.number_end, mark.bindings_end = (
            len(ctx.facts),
            ctx.next_number,
            len(self.bindings),
        )
        mark.deferred_end, mark.unknown_end = len(ctx.deferred or ()), ctx.unknown_names


class Context:
    """The state of typing one item. Filled in one pass; nothing in it outlives the pass but the facts."""

    __slots__ = (
        "_scopes",
        "block_literals",
        "blocks",
        "deferred",
        "dialect",
        "doubted",
        "endianness",
        "entities",
        "facts",
        "frames",
        "halves",
        "item",
        "local_members",
        "log",
        "misread",
        "names",
        "next_number",
        "records",
        "slots",
        "table",
        "tags",
        "trace",
        "unknown_names",
    )

    def __init__(self, table: Table, item: ItemKey, dialect: Dialect, names: Names) -> None:
        self.table, self.item, self.dialect, self.names = table, item, dialect, names
        self.doubted = names.doubted_leaves()
        """What these leaves declare is unknown outside of the declaration."""
        self.facts: list[Fact] = []
        self.entities: dict[int, Entity] = {}
        self.next_number = 0
        self.frames: list[FunctionFrame] = []
        self.local_members: dict[object, Members] = {}
        self.slots: dict[object, Slots] = {}
        """How the members of the item's own structs and unions lie in them."""
        self.endianness: dict[EntityRef, str] = {}
        self.records = 0
        self.blocks = 0
        """How many compound statements of the innermost function are open: 1 in its outermost one."""
        self.block_literals: dict[EntityRef, BlockLiteral] = {}
        """What is known of each block literal, and so of each variable that is initialised with one."""
        self._scopes: list[dict[str, Symbol]] = [{}]
        self.tags: list[dict[str, Type]] = [{}]
        self.unknown_names = 0
        """How often a value or function is used that nothing accounts for: the host may supply it, and other text too."""
        self.halves: dict[int, Value] = {}
        """The expressions that designate an object of type half, or are a literal of it, by row."""
        self.deferred: list[DeferredCall] | None = None
        """Where wanted, the calls whose arguments are left to be judged later."""
        self.trace: dict[int, Value] | None = None
        """Where wanted, the value of every expression by its row: for hovers."""
        self.misread: dict[int, bool] = {}
        """The leaves of names that do not stand for what the parser took them for; whether they are types'."""
        self.log: Log | None = None
        """Where wanted, how the item was typed."""

    def emit(self, fact: Fact) -> None:
        """Add a fact."""
        self.facts.append(fact)

    def tell_restricted(self, construct: Construct, extension: str) -> None:
        """Add the fact of a construct that the language lacks, unless clang's extension that has it is switched on."""
        if not self.names.enables(extension):
            self.facts.append(construct)

    def reserve(self, count: int) -> int:
        """Take `count` entity numbers in a row; the first of them."""
        number = self.next_number
        self.next_number += count
        return number

    def ref(self, number: int) -> EntityRef:
        """The entity of this item with that number."""
        return EntityRef(self.item, number)

    def place(self, row: int) -> Place:
        """The leaves of a row."""
        table = self.table
        return place_of(table.first[row], table.last[row])

    def open_scope(self) -> None:
        """Enter a block or a parameter list."""
        self._scopes.append({})
        self.tags.append({})
        if self.log is not None:
            self.log.bindings.append(1)

    def close_scope(self) -> None:
        """Leave it."""
        self._scopes.pop()
        tags = self.tags.pop()
        if self.log is not None:
            self.log.bindings.append(-1)
            if tags:
                self.log.tagged = True

    @property
    def depth(self) -> int:
        """How many scopes are open: 0 at program scope, 1 in a parameter list or a function's outermost block …"""
        return len(self._scopes) - 1

    @property
    def scope(self) -> Scope:
        """Where a declaration stands now."""
        if not self.frames:
            return Scope.PROGRAM
        frame = self.frames[-1]
        if frame.block and self.frames[0].block:
            return Scope.BLOCK
        if not frame.kernel:
            return Scope.FUNCTION
        if self.blocks > 1:
            return Scope.KERNEL_INNER
        return Scope.BLOCK if frame.block else Scope.KERNEL

    @property
    def program_symbols(self) -> dict[str, Symbol]:
        """What the item itself declares at program scope."""
        return self._scopes[0]

    def is_doubted(self, place: Place) -> bool:
        """Whether a missing header may decide what stands at a place."""
        return any(first < place.last and place.first <= last for first, last in self.doubted)

    def bind_at(self, symbol: Symbol, place: Place) -> None:
        """Let the name stand for what is declared at this place."""
        self.bind(doubted_symbol(symbol) if self.doubted and self.is_doubted(place) else symbol)

    def bind(self, symbol: Symbol) -> None:
        """Let the name stand for this in the innermost scope."""
        if symbol.name:
            if _HOLE in symbol.name:
                # a template's value (`$name`): what it is put in for is another thing each time
                symbol = doubted_symbol(symbol)
            self._scopes[-1][symbol.name] = symbol
            if self.log is not None:
                self.log.bindings.append(symbol)

    def take_up(self, bindings: Iterable[Symbol | int]) -> None:
        """Open and close scopes and bind symbols as a log says."""
        for each in bindings:
            if isinstance(each, Symbol):
                self.bind(each)
            elif each > 0:
                self.open_scope()
            else:
                self.close_scope()

    def bind_parameter(self, parameter: Entity) -> None:
        """Let a parameter's name stand for it in the innermost scope."""
        kind, scope = EntityKind.PARAMETER, Scope.PARAMETER
        symbol = Symbol(parameter.name, kind, parameter.type, parameter.ref, scope, automatic=True)
        self.bind_at(symbol, parameter.place)

    def bound_here(self, name: str) -> Symbol | None:
        """What the name stands for in the innermost scope itself, or at program scope before the item."""
        found = self._scopes[-1].get(name)
        return self.names.symbol(name) if found is None and len(self._scopes) == 1 else found

    def find_outside(self, name: str) -> Symbol | None:
        """What the name stands for at program scope, whatever it stands for here."""
        found = self._scopes[0].get(name)
        return self.names.symbol(name) if found is None else found

    def find(self, name: str) -> Symbol | None:
        """What the name stands for here; None where it is not known."""
        for scope in reversed(self._scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return self.names.symbol(name)

    def find_callee(self, name: str) -> Symbol | None:
        """What the name stands for here if it is a function of another item, without its parameters; else None."""
        return None if any(name in scope for scope in self._scopes) else self.names.shape(name)

    def captured_by(self, symbol: Symbol) -> tuple[FunctionFrame, ...]:
        """The block literals around that capture the variable: those inside of which it is not declared."""
        if not symbol.automatic or not self.frames[-1:] or not self.frames[-1].block:
            return ()
        if is_unknown(symbol.type) or symbol.type.space is Space.UNKNOWN:
            # a word that is not known here may make it static
            return ()
        depth = next(
            (at for at in range(len(self._scopes) - 1, 0, -1) if self._scopes[at].get(symbol.name) is symbol),
            len(self._scopes),
        )
        return tuple(frame for frame in self.frames if frame.block and depth < frame.floor)

    def share_literal(self, variable: EntityRef, initialiser: Origin | None) -> None:
        """Let a block variable stand for the literal that it is initialised with."""
        found = self.block_literals.get(initialiser.entity) if initialiser is not None else None
        if found is not None:
            self.block_literals[variable] = found

    @property
    def open_scopes(self) -> int:
        """How many scopes are open, the program's included."""
        return len(self._scopes)

    def find_tag(self, tag: str) -> Type | None:
        """The struct, union or enum that a tag stands for here."""
        for scope in reversed(self.tags):
            found = scope.get(tag)
            if found is not None:
                return found
        return self.names.tag(tag)

    def members(self, record: Record) -> Members | None:
        """The members of a struct or union, by the unqualified type's identity."""
        found = self.local_members.get(record.identity)
        return found if found is not None else self.names.members(record)

    def layout(self, type_: Type) -> Layout | None:
        """How an object of the type lies in memory; None where that is not known here."""
        return layout_of(type_, self._slots_of, self.dialect.address_bits)

    def _slots_of(self, record: Record) -> Slots | None:
        found = self.slots.get(record.identity)
        return found if found is not None else self.names.slots(record)


def doubted_symbol(symbol: Symbol) -> Symbol:
    """The symbol of which only the name and its kind are known."""
    return Symbol(
        symbol.name,
        symbol.kind,
        UNKNOWN,
        symbol.ref,
        symbol.scope,
        Constancy.UNKNOWN,
        automatic=symbol.automatic,
        alignment=None,
    )


def member_named(members: Iterable[Member], name: str) -> Member | None:
    """The member of that name."""
    for member in members:
        if member.name == name:
            return member
    return None


def in_object(member: Type, container: Type) -> Type:
    """The type of a member as an lvalue: it takes its object's space and qualifiers (C99 6.5.2.3p3)."""
    type_ = member.with_space(container.space) if container.space is not None else member
    return type_.with_qualifiers(type_.qualifiers | container.qualifiers) if container.qualifiers else type_


def deeper(origin: Origin | None, by: int) -> Origin | None:
    """The origin `by` levels further down (or up, if negative) the pointers."""
    return Origin(origin.entity, origin.level + by) if origin is not None else None


def moved(held: tuple[int, Origin, str] | None, by: int) -> tuple[int, Origin, str] | None:
    """A member's holder after the value became its address (1) or was dereferenced (-1)."""
    if held is None or held[0] + by < 0:
        return None
    return held[0] + by, held[1], held[2]


def element_type(type_: Type) -> Type:
    """What an array is made of, through all its dimensions."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_
