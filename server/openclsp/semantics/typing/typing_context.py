"""The mutable state of typing one item: its table, visible names and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.semantics.facts.calls import BlockLiteral, DeferredCall
from openclsp.semantics.facts.constructs import Construct
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.facts.entities import Entity, EntityKind, EntityRef, ItemKey, Origin, Place, place_of
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.sizes import Layout, Slots, layout_of
from openclsp.semantics.types.type_model import Enum, Record, Type
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.range_symbols import RangeSymbols
from openclsp.semantics.typing.symbols import Members, Names, Symbol, uncertain_symbol

_HOLE = "$"
"""A character in placeholder names: of `source.templates` for inserted values, and `$name` in templates."""


@dataclass(slots=True)
class FunctionFrame:
    """The function or block literal whose body is being typed; `kernel` is true if it may be a kernel.

    For a block literal, `block` is true, `floor` is the number of scopes open around it, and `captures` maps
    the outer variables that it reads to their values at the first use. If no result type is written, `result`
    is None, and `returned` lists the types and places of the return statements.
    """

    name: str
    result: Type | None
    ref: EntityRef
    kernel: bool
    block: bool = False
    floor: int = 0
    captures: dict[EntityRef, Value] = field(default_factory=dict)
    returned: list[tuple[Type, Place]] = field(default_factory=list)


class StatementMark:
    """A typed statement: its node, and the lengths of all result lists before and after it."""

    __slots__ = (
        "bindings",
        "bindings_end",
        "deferred",
        "deferred_end",
        "facts",
        "facts_end",
        "follows_macro",
        "node",
        "number",
        "number_end",
        "unknown",
        "unknown_end",
    )

    def __init__(self, node: int, follows_macro: bool) -> None:
        self.node, self.follows_macro = node, follows_macro
        self.facts = self.deferred = self.number = self.bindings = self.unknown = 0
        self.facts_end = self.deferred_end = self.number_end = self.bindings_end = self.unknown_end = 0


class TypingLog:
    """The record that lets typing resume at one of an item's statements: see `incremental_typing`.

    - `bindings`: the bound symbols, with 1 for each opened scope and -1 for each closed one.
    - `faults`: the number of facts about syntax, which precede the facts of the function's head.
    - `end`: the number of facts up to the end of the body.
    - `frame`, `incremental_passes`: the body's frame; the number of consecutive incremental passes.
    """

    __slots__ = ("bindings", "end", "faults", "frame", "incremental_passes", "marks", "tagged")

    def __init__(self) -> None:
        self.bindings: list[Symbol | int] = []
        self.marks: list[StatementMark] = []
        self.frame: FunctionFrame | None = None
        self.faults = self.end = self.incremental_passes = 0
        self.tagged = False
        """Whether a tag was declared in an inner scope of the item."""

    def begin(self, ctx: TypingContext, node: int, follows_macro: bool) -> StatementMark:
        """Records the state before a statement is typed; returns the mark that `finish` completes.

        `follows_macro` means that a macro without a semicolon precedes the statement.
        """
        mark = StatementMark(node, follows_macro)
        mark.facts, mark.number, mark.bindings = len(ctx.facts), ctx.next_number, len(self.bindings)
        mark.deferred, mark.unknown = len(ctx.deferred or ()), ctx.unknown_names
        self.marks.append(mark)
        return mark

    def finish(self, ctx: TypingContext, mark: StatementMark) -> None:
        """Records the state after a statement was typed."""
        mark.facts_end, mark.number_end, mark.bindings_end = (
            len(ctx.facts),
            ctx.next_number,
            len(self.bindings),
        )
        mark.deferred_end, mark.unknown_end = len(ctx.deferred or ()), ctx.unknown_names


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """The declaration that a used name denotes: an entity, or the type that a tag names.

    `tag` is the identity of a struct, union or enum; None for an entity.
    """

    kind: EntityKind
    ref: EntityRef | None
    tag: object = None


class TypingContext:
    """The state of typing one item, filled in one pass."""

    __slots__ = (
        "_scopes",
        "block_literals",
        "blocks",
        "deferred",
        "dialect",
        "endianness",
        "entities",
        "facts",
        "frames",
        "half_values",
        "item",
        "local_members",
        "log",
        "misparsed_names",
        "names",
        "next_number",
        "open_records",
        "range_symbols",
        "records",
        "slots",
        "table",
        "tags",
        "trace",
        "uncertain",
        "undeclared",
        "unevaluated",
        "unknown_names",
        "uses",
        "vector_literals",
    )

    def __init__(self, table: Table, item: ItemKey, dialect: Dialect, names: Names) -> None:
        self.table, self.item, self.dialect, self.names = table, item, dialect, names
        self.uncertain = names.uncertain_tokens()
        """Token ranges whose declarations are unknown to the code outside of them."""
        self.range_symbols = RangeSymbols(self.uncertain)
        self.facts: list[Fact] = []
        self.entities: dict[int, Entity] = {}
        self.next_number = self.records = self.unevaluated = 0
        self.blocks = 0  # the nesting depth of compound statements in the innermost function: 1 in its body
        self.frames: list[FunctionFrame] = []
        self.local_members: dict[object, Members] = {}
        self.slots: dict[object, Slots] = {}
        """The memory layouts of the item's own structs and unions."""
        self.endianness: dict[EntityRef, str] = {}  # the byte order of an entity's pointee: host or device
        self.block_literals: dict[EntityRef, BlockLiteral] = {}
        """The facts about each block literal, and each variable initialised with one."""
        self._scopes: list[dict[str, Symbol]] = [{}]
        self.tags: list[dict[str, Type]] = [{}]
        self.open_records: list[object] = []
        """The identities of the structs and unions whose members are being read."""
        self.unknown_names = 0
        """The number of uses of undeclared names, which the host may define."""
        self.undeclared: dict[int, bool] = {}
        """The uses of undeclared names, by node, with whether they are called."""
        self.half_values: dict[int, Value] = {}
        """The expressions, by node, that are lvalues of type half or half literals."""
        self.deferred: list[DeferredCall] | None = None
        """If requested, the calls whose arguments are checked later."""
        self.trace: dict[int, Value] | None = None
        """If requested, the value of every expression by its node."""
        self.misparsed_names: dict[int, NameClass] = {}
        """Token indices of names that the parser misclassified, with their correct classes."""
        self.vector_literals: dict[int, Entity] = {}  # of casts that the grammar misread, by operand
        self.log: TypingLog | None = None
        """If requested, the record that incremental typing needs."""
        self.uses: dict[int, NamedTarget] | None = None
        """If requested, what each used name denotes, by token index."""

    def emit(self, fact: Fact) -> None:
        """Adds a fact."""
        self.facts.append(fact)

    def emit_restricted(self, construct: Construct, extension: str) -> None:
        """Adds the fact `construct`, unless a pragma enables the clang extension that allows it."""
        if not self.names.enables(extension):
            self.facts.append(construct)

    def reserve(self, count: int) -> int:
        """Reserves `count` consecutive entity numbers and returns the first."""
        number = self.next_number
        self.next_number += count
        return number

    def ref(self, number: int) -> EntityRef:
        """Returns the reference to the entity of this item with the number `number`."""
        return EntityRef(self.item, number)

    def place(self, node: int) -> Place:
        """Returns the token range of a node."""
        table = self.table
        return place_of(table.first[node], table.last[node])

    def open_scope(self) -> None:
        """Enters a block or a parameter list."""
        self._scopes.append({})
        self.tags.append({})
        if self.log is not None:
            self.log.bindings.append(1)

    def close_scope(self) -> None:
        """Leaves the innermost scope."""
        self._scopes.pop()
        tags = self.tags.pop()
        if self.log is not None:
            self.log.bindings.append(-1)
            if tags:
                self.log.tagged = True

    @property
    def depth(self) -> int:
        """The number of open scopes: 0 at program scope, 1 in a parameter list or a function's body …"""
        return len(self._scopes) - 1

    @property
    def scope(self) -> Scope:
        """The kind of scope at the current position."""
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
        """The symbols that the item itself declares at program scope."""
        return self._scopes[0]

    def is_uncertain(self, place: Place) -> bool:
        """Whether the code at a place depends on a missing header."""
        return self.range_symbols.last_of(place) is not None

    def bind_at(self, symbol: Symbol, place: Place) -> None:
        """Binds a symbol that is declared at `place`, where the code may depend on a missing header.

        If it does, a symbol at program scope is unknown; a local one is unknown after the end of this code.
        """
        if not self.uncertain or not self.is_uncertain(place):
            self.bind(symbol)
        elif self.depth == 0:
            self.bind(uncertain_symbol(symbol))
        else:
            self.bind(symbol)
            self.range_symbols.add(symbol, place, self._scopes[-1])

    def bind(self, symbol: Symbol) -> None:
        """Binds a symbol in the innermost scope."""
        if symbol.name:
            if _HOLE in symbol.name:
                # a template placeholder (`$name`) is replaced by a different value each time
                symbol = uncertain_symbol(symbol)
            self._scopes[-1][symbol.name] = symbol
            if self.log is not None:
                self.log.bindings.append(symbol)

    def replay(self, bindings: Iterable[Symbol | int]) -> None:
        """Replays scopes and bindings from a log."""
        for each in bindings:
            if isinstance(each, Symbol):
                self.bind(each)
            elif each > 0:
                self.open_scope()
            else:
                self.close_scope()

    def bind_parameter(self, parameter: Entity) -> None:
        """Binds a parameter in the innermost scope."""
        kind, scope = EntityKind.PARAMETER, Scope.PARAMETER
        symbol = Symbol(parameter.name, kind, parameter.type, parameter.ref, scope, automatic=True)
        self.bind_at(symbol, parameter.place)

    def bound_here(self, name: str) -> Symbol | None:
        """Returns the binding of the name in the innermost scope, which may be program scope."""
        found = self._scopes[-1].get(name)
        return self.names.symbol(name) if found is None and len(self._scopes) == 1 else found

    def find_outside(self, name: str) -> Symbol | None:
        """Returns the binding of the name at program scope, even if it is hidden."""
        found = self._scopes[0].get(name)
        return self.names.symbol(name) if found is None else found

    def find(self, name: str) -> Symbol | None:
        """Returns the symbol that a name denotes at the current position; None if it is not declared."""
        for scope in reversed(self._scopes):
            found = scope.get(name)
            if found is not None:
                return found
        return self.names.symbol(name)

    def find_callee(self, name: str) -> Symbol | None:
        """Returns the function of another item that `name` denotes, without its parameters; else None."""
        return None if any(name in scope for scope in self._scopes) else self.names.result_signature(name)

    def captured_by(self, symbol: Symbol) -> tuple[FunctionFrame, ...]:
        """Returns the enclosing block literals that capture the variable.

        These are the blocks that contain the use but not the declaration, unless the use is not evaluated.
        """
        if self.unevaluated or not symbol.automatic or not self.frames[-1:] or not self.frames[-1].block:
            return ()
        if is_unknown(symbol.type) or symbol.type.space is Space.UNKNOWN:
            # an unknown specifier may make the variable static
            return ()
        depth = next(
            (at for at in range(len(self._scopes) - 1, 0, -1) if self._scopes[at].get(symbol.name) is symbol),
            len(self._scopes),
        )
        return tuple(frame for frame in self.frames if frame.block and depth < frame.floor)

    def note_use(self, token_index: int, symbol: Symbol) -> None:
        """Records what the name at a token denotes, if uses are requested."""
        if self.uses is not None:
            self.uses[token_index] = NamedTarget(symbol.kind, symbol.ref)

    def note_member(self, token_index: int, member: EntityRef) -> None:
        """Records the member that the name at a token denotes, if uses are requested."""
        if self.uses is not None:
            self.uses[token_index] = NamedTarget(EntityKind.MEMBER, member)

    def note_tag(self, token_index: int, type_: Type) -> None:
        """Records the type that the tag at a token names, if uses are requested."""
        if self.uses is not None and isinstance(type_, Record | Enum):
            self.uses[token_index] = NamedTarget(EntityKind.TYPE_NAME, None, type_.identity)

    def share_literal(self, variable: EntityRef, initialiser: Origin | None) -> None:
        """If a variable is initialised with a block literal, records this literal for the variable."""
        found = self.block_literals.get(initialiser.entity) if initialiser is not None else None
        if found is not None:
            self.block_literals[variable] = found

    @property
    def open_scopes(self) -> int:
        """The number of open scopes, including program scope."""
        return len(self._scopes)

    def find_tag(self, tag: str) -> Type | None:
        """Returns the struct, union or enum that a tag denotes here; None if the tag is not declared."""
        for scope in reversed(self.tags):
            found = scope.get(tag)
            if found is not None:
                return found
        return self.names.tag(tag)

    def members(self, record: Record) -> Members | None:
        """Returns the members of a struct or union; None if incomplete or unknown here."""
        found = self.local_members.get(record.identity)
        return found if found is not None else self.names.members(record)

    def layout(self, type_: Type) -> Layout | None:
        """Returns the memory layout of an object of the type; None if unknown here."""
        return layout_of(type_, self.find_slots, self.dialect.address_bits)

    def find_slots(self, record: Record) -> Slots | None:
        """Returns the members of a struct or union for its layout; None if incomplete or unknown here."""
        found = self.slots.get(record.identity)
        return found if found is not None else self.names.slots(record)


def deeper(origin: Origin | None, by: int) -> Origin | None:
    """Returns the origin moved down by `by` pointer levels (up, if negative); None for None."""
    return Origin(origin.entity, origin.level + by) if origin is not None else None


def moved(held: tuple[int, Origin, str] | None, by: int) -> tuple[int, Origin, str] | None:
    """Returns `Value.held` for `&v` (`by` is 1) or `*v` (`by` is -1); `held` is that of `v`."""
    if held is None or held[0] + by < 0:
        return None
    return held[0] + by, held[1], held[2]
