"""The symbols that the names in an item denote, computed by a query for each item.

After an edit, only the names in the edited item are resolved again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.ide.navigation.symbols import NameSpace, Role, SymbolId
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT
from openclsp.semantics.facts.declarations import Redeclaration, TagRedeclaration
from openclsp.semantics.facts.entities import Entity, EntityKind, EntityRef, ItemKey
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.typing_context import NamedTarget, TypingContext
from openclsp.source.parser import FIELDS, kind

_MAXIMUM_TOKENS = 200_000
"""The maximum number of tokens of a document whose names are resolved before a request: 10,000 lines have so many."""
_DECLARED = frozenset(
    (
        EntityKind.VARIABLE,
        EntityKind.PARAMETER,
        EntityKind.MEMBER,
        EntityKind.TYPEDEF,
        EntityKind.FUNCTION,
        EntityKind.ENUMERATOR,
    )
)
_IDENTIFIER, _TYPE_NAME, _LABEL = kind("identifier"), kind("type_identifier"), kind("statement_identifier")
_TAGGED = frozenset(kind(f"{word}_specifier") for word in ("struct", "union", "enum"))
_TRANSPARENT = frozenset((kind("parenthesized_expression"), kind("extension_expression")))
_FIELD_EXPRESSION, _LABELLED = kind("field_expression"), kind("labeled_statement")
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_NAME, _BODY, _LEFT, _ARGUMENT = FIELDS["name"], FIELDS["body"], FIELDS["left"], FIELDS["argument"]
_FIELD = FIELDS["field"]


@dataclass(frozen=True, slots=True)
class SymbolUse:
    """A name in an item: its token, its symbol and its role.

    `first` and `last` (exclusive) are the tokens of the declaration that contains the name; for a use, the
    token of the name itself.
    """

    token_index: int
    symbol: SymbolId
    role: Role
    first: int
    last: int
    target: EntityRef | None = None
    """The declaration that a use of a name refers to"""
    kind: EntityKind | None = None
    """The kind of the declaration; None for tags and labels, and for names that were not typed"""


@dataclass(frozen=True, slots=True)
class ItemUses:
    """The uses of names in an item: `every` in token order, `by_name` grouped by name.

    `repeated` contains the names that the item declares again in the same scope, or in the same struct or
    union, once for each repetition.
    """

    every: tuple[SymbolUse, ...] = ()
    by_name: Mapping[str, tuple[SymbolUse, ...]] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()


def _compute_uses(unit: TranslationUnit, key: ItemKey) -> ItemUses:
    if not unit.database.read(CONTENT, key):
        return _NO_USES
    typed = unit.typed(key, bodies=True, uses=True)
    every = tuple(_Reader(typed).read())
    by_name: dict[str, tuple[SymbolUse, ...]] = {}
    for use in every:
        by_name[use.symbol.name] = (*by_name.get(use.symbol.name, ()), use)
    return ItemUses(every, by_name, tuple(_repeated_names(typed)))


def _repeated_names(typed: TypingContext) -> Iterator[str]:
    for fact in typed.facts:
        if isinstance(fact, Redeclaration):
            yield fact.entity.name
        elif isinstance(fact, TagRedeclaration):
            yield fact.tag.rpartition(" ")[2]
    for members in typed.local_members.values():
        known: set[str] = set()
        for each in members:
            if each.name and each.name in known:
                yield each.name
            known.add(each.name)


_NO_USES = ItemUses()
ITEM_USES: Query[ItemKey, ItemUses] = Query("name uses", _compute_uses, _NO_USES)


def use_before(names: ItemUses, tokens: Sequence[bytes], name: str, end: int) -> SymbolUse | None:
    """Returns the last use of an identifier before token `end` whose declaration is in scope at `end`.

    Only ordinary identifiers are considered. If there is no such use, this is the first use of the identifier
    in the item; None if the item does not use it.
    """
    uses = [use for use in names.by_name.get(name, ()) if use.symbol.space is NameSpace.ORDINARY]
    declared = {use.symbol: use.token_index for use in reversed(uses) if use.role.declares}
    for use in reversed(uses):
        start = declared.get(use.symbol, use.token_index)
        if use.token_index < end and _is_open(tokens[start:end]):
            return use
    return uses[0] if uses else None


def _is_open(tokens: Sequence[bytes]) -> bool:
    """Whether every block that is open before these tokens is still open after them."""
    depth = 0
    for token in tokens:
        depth += (token == b"{") - (token == b"}")
        if depth < 0:
            return False
    return True


def resolve_names(unit: TranslationUnit, document: str, seconds: float, limit: int = _MAXIMUM_TOKENS) -> bool:
    """Resolves the names in a document's items in advance; returns False if `seconds` were not enough.

    Without this, the first request for the uses of a name would type-check every function that contains the
    name: 0.4 s of CPU in a file of 5,000 lines. Only names in the first `limit` tokens are resolved.
    """
    deadline = time.perf_counter() + seconds
    tokens = 0
    for part in unit.parts():
        if part.preprocessed.document.name != document:
            continue
        for group in part.groups:
            for item in group.items:
                tokens += len(item.token_index_starts)
                if tokens > limit:
                    return True
                unit.database.get(ITEM_USES, item.key)
            if time.perf_counter() > deadline:
                return False
    return True


class _Reader:
    """Resolves the names in a type-checked item to symbols."""

    def __init__(self, ctx: TypingContext) -> None:
        self._ctx, self._table = ctx, ctx.table
        self._exported = {
            symbol.ref.number for symbol in ctx.program_symbols.values() if symbol.ref.item == ctx.item
        }
        self._parents = _parents(ctx.table)
        self._found: dict[int, SymbolUse] = {}
        self._entities: dict[str, list[Entity]] = {}

    def read(self) -> Iterator[SymbolUse]:
        """Yields the uses of names in the item, in token order."""
        for entity in self._ctx.entities.values():
            if entity.kind in _DECLARED and entity.name:
                self._add_declaration(entity)
        for node, number in enumerate(self._table.kind):
            if number in _TAGGED:
                self._add_tag(node)
            elif number == _LABEL:
                self._add_label(node)
        for token_index, target in (self._ctx.uses or {}).items():
            if token_index not in self._found and target.ref is not None:
                self._found[token_index] = SymbolUse(
                    token_index,
                    self._symbol_of(token_index, target),
                    Role.READ,
                    token_index,
                    token_index + 1,
                    target.ref,
                    target.kind,
                )
                self._add_implicit_declaration(token_index, target)
        self._add_unresolved()
        written = self._written_tokens()
        for _, use in sorted(self._found.items()):
            if use.role is Role.READ and use.token_index in written:
                yield SymbolUse(
                    use.token_index, use.symbol, Role.WRITE, use.first, use.last, use.target, use.kind
                )
            else:
                yield use

    def _add(
        self,
        token_index: int,
        symbol: SymbolId,
        role: Role = Role.READ,
        kind: EntityKind | None = None,
    ) -> None:
        self._found[token_index] = SymbolUse(
            token_index, symbol, role, token_index, token_index + 1, kind=kind
        )

    def _add_declaration(self, entity: Entity) -> None:
        token_index, whole = entity.place.first, entity.whole
        if self._table.token(token_index) == entity.name:
            self._entities.setdefault(entity.name, []).append(entity)
            role = Role.DEFINITION if self._is_definition(entity) else Role.DECLARATION
            self._found[token_index] = SymbolUse(
                token_index,
                self._symbol_of_entity(entity),
                role,
                whole.first,
                whole.last,
                entity.ref,
                entity.kind,
            )

    def _add_implicit_declaration(self, use: int, target: NamedTarget) -> None:
        """Adds the declaration of a parameter without a type (`global *p`), whose entity has no name."""
        ref = target.ref
        if ref is None or ref.item != self._ctx.item or target.kind is not EntityKind.PARAMETER:
            return
        entity = self._ctx.entities.get(ref.number)
        if entity is None or entity.name:
            return
        for token_index in range(entity.place.first, entity.place.last):
            if token_index not in self._found and self._table.token(token_index) == self._table.token(use):
                self._found[token_index] = SymbolUse(
                    token_index,
                    self._symbol_of(use, target),
                    Role.DEFINITION,
                    entity.whole.first,
                    entity.whole.last,
                    ref,
                    entity.kind,
                )

    def _is_definition(self, entity: Entity) -> bool:
        table = self._table
        if entity.kind is EntityKind.FUNCTION:
            body = table.child(0, _BODY)
            return body >= 0 and entity.place.first < table.first[body] and entity.ref.item == self._ctx.item
        if entity.kind is EntityKind.VARIABLE:
            specifiers = table.tokens[entity.whole.first : entity.place.first]
            return b"extern" not in specifiers or b"=" in table.tokens[entity.place.last : entity.whole.last]
        return True

    def _symbol_of_entity(self, entity: Entity) -> SymbolId:
        if entity.kind is EntityKind.MEMBER:
            return SymbolId(NameSpace.MEMBER, entity.name, entity.ref)
        is_exported = entity.kind is EntityKind.FUNCTION or entity.ref.number in self._exported
        return SymbolId(NameSpace.ORDINARY, entity.name, None if is_exported else entity.ref)

    def _symbol_of(self, token_index: int, target: NamedTarget) -> SymbolId:
        """Returns the symbol of an entity, which this or another item declares."""
        name, ref = self._table.token(token_index), target.ref
        if target.kind is EntityKind.MEMBER:
            return SymbolId(NameSpace.MEMBER, name, ref)
        is_local = (
            ref is not None
            and ref.item == self._ctx.item
            and ref.number not in self._exported
            and target.kind is not EntityKind.FUNCTION
        )
        return SymbolId(NameSpace.ORDINARY, name, ref if is_local else None)

    def _add_tag(self, node: int) -> None:
        table = self._table
        name = table.child(node, _NAME)
        if name < 0:
            return
        token_index = table.first[name]
        target = (self._ctx.uses or {}).get(token_index)
        identity = target.tag if target is not None else None
        symbol = SymbolId(NameSpace.TAG, table.text(name))
        # at program scope the identity is the keyword and the tag
        if isinstance(identity, tuple) and isinstance(identity[0], tuple):
            symbol = SymbolId(NameSpace.TAG, symbol.name, None, identity[0], identity[1])
        if table.child(node, _BODY) >= 0:
            self._found[token_index] = SymbolUse(
                token_index, symbol, Role.DEFINITION, table.first[node], table.last[node]
            )
        else:
            parent = self._parents[node]
            alone = node == 0 or (
                table.first[parent] == table.first[node] and self._declares_only_tag(parent)
            )
            self._add(token_index, symbol, Role.DECLARATION if alone else Role.READ)

    def _declares_only_tag(self, node: int) -> bool:
        """Whether a declaration consists of a tag only, such as `struct S;`."""
        return (
            self._table.last[node] - self._table.first[node] == 3
            and self._table.token(self._table.last[node] - 1) == ";"
        )

    def _add_label(self, node: int) -> None:
        parent = self._parents[node]
        defined = parent >= 0 and self._table.kind[parent] == _LABELLED
        symbol = SymbolId(NameSpace.LABEL, self._table.text(node), None, self._ctx.item)
        self._add(self._table.first[node], symbol, Role.DEFINITION if defined else Role.READ)

    def _add_unresolved(self) -> None:
        """Resolves, by their spelling, names that were not type-checked, such as those in a syntax error."""
        for node, number in enumerate(self._table.kind):
            token_index = self._table.first[node]
            if number in (_IDENTIFIER, _TYPE_NAME) and token_index not in self._found:
                self._guess(self._table.text(node), token_index)

    def _guess(self, name: str, token_index: int) -> None:
        own = [
            entity
            for entity in self._entities.get(name, ())
            if entity.place.first < token_index and entity.kind is not EntityKind.MEMBER
        ]
        if own:
            self._add(token_index, self._symbol_of_entity(own[-1]), kind=own[-1].kind)
            return
        found: Symbol | None = self._ctx.names.symbol(name)
        if found is not None:
            self._add(token_index, SymbolId(NameSpace.ORDINARY, name), kind=found.kind)

    def _written_tokens(self) -> set[int]:
        """Returns the tokens of names that are assigned to, incremented or decremented."""
        table, found = self._table, set()
        for node, number in enumerate(table.kind):
            if number == _ASSIGNMENT:
                target = table.child(node, _LEFT)
            elif number == _UPDATE:
                target = table.child(node, _ARGUMENT)
            else:
                continue
            while target >= 0:
                if table.kind[target] in _TRANSPARENT:
                    target = target + 1 if table.skip[target] > target + 1 else -1
                elif table.kind[target] == _FIELD_EXPRESSION:
                    field = table.child(target, _FIELD)
                    token_index = table.first[field] if field >= 0 else -1
                    if token_index in self._found or table.token(token_index - 1) != ".":
                        found.add(token_index)
                        break
                    # components of a vector are part of the variable
                    target = table.child(target, _ARGUMENT)
                else:
                    found.add(table.first[target] if table.kind[target] == _IDENTIFIER else -1)
                    break
        return found


def _parents(table: Table) -> list[int]:
    """Returns the parent of each node; -1 for the root."""
    found: list[int] = []
    open_nodes: list[int] = []
    for node, end in enumerate(table.skip):
        while open_nodes and table.skip[open_nodes[-1]] <= node:
            open_nodes.pop()
        found.append(open_nodes[-1] if open_nodes else -1)
        if end > node + 1:
            open_nodes.append(node)
    return found
