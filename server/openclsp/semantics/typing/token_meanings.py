"""The meaning of each token of an item, for semantic highlighting.

A meaning states what a token denotes, and in which memory its object is. It is an integer: a kind, and a bit
for each modifier. Meanings are derived from the values of expressions and the entities of a typed item, and
do not depend on the item's position.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from openclsp.language.builtin_functions import named_in
from openclsp.language.builtin_types import BUILTIN_TYPES, builtin_type, predeclared_constants
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import keywords
from openclsp.language.spaces import QUALIFIERS, Space
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import CONST, Array, BlockPointer, Function, Pointer, Type
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.semantic_token_legend import MODIFIERS
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

NONE, COMMENT, KEYWORD, NUMBER, STRING, MACRO, TYPE, STRUCT, ENUM, ENUMERATOR, FUNCTION, PARAMETER = range(12)
VARIABLE, MEMBER, LABEL = range(12, 15)
KIND_MASK: Final = 15

_BITS = {word: 16 << number for number, word in enumerate(MODIFIERS)}
DECLARATION, DEFINITION, READONLY = _BITS["declaration"], _BITS["definition"], _BITS["readonly"]
STATIC, BUILT_IN, KERNEL = _BITS["static"], _BITS["defaultLibrary"], _BITS["kernel"]
DISABLED: Final = _BITS["disabled"]
SPACES: Mapping[Space, int] = {
    **{space: _BITS[space.word] for space in dict.fromkeys(QUALIFIERS.values())},
    Space.GLOBAL_DEVICE: _BITS["global"],
    Space.GLOBAL_HOST: _BITS["global"],
}
"""The modifier of each address space; unknown spaces, and those that have only a number, have none."""
_ALL_SPACES = sum(set(SPACES.values()))

_OF_ENTITY = {
    EntityKind.VARIABLE: VARIABLE,
    EntityKind.PARAMETER: PARAMETER,
    EntityKind.MEMBER: MEMBER,
    EntityKind.TYPEDEF: TYPE,
    EntityKind.FUNCTION: FUNCTION,
    EntityKind.ENUMERATOR: ENUMERATOR,
    EntityKind.BLOCK: VARIABLE,
}
_OBJECTS = frozenset((VARIABLE, PARAMETER, MEMBER))
_TAGS = {kind("struct_specifier"): STRUCT, kind("union_specifier"): STRUCT, kind("enum_specifier"): ENUM}
_IDENTIFIER, _TYPE_NAME, _LABEL = kind("identifier"), kind("type_identifier"), kind("statement_identifier")
_FIELD_EXPRESSION, _DESIGNATOR = kind("field_expression"), kind("field_designator")
_ADDRESS_OF = kind("pointer_expression")
_LITERALS = {
    kind("number_literal"): NUMBER,
    kind("string_literal"): STRING,
    kind("char_literal"): STRING,
    kind("system_lib_string"): STRING,
}
_READ = frozenset(
    (
        _IDENTIFIER,
        _TYPE_NAME,
        _LABEL,
        _FIELD_EXPRESSION,
        _DESIGNATOR,
        _ADDRESS_OF,
        *_LITERALS,
        *_TAGS,
    )
)
_NAME, _BODY, _ARGUMENT = FIELDS["name"], FIELDS["body"], FIELDS["argument"]
_TYPE_WORDS = frozenset(("signed", "unsigned", "__signed", "__int128", "__fp16", "_Float16", "__bf16"))


@lru_cache(maxsize=16)
def word_meanings(dialect: Dialect) -> Mapping[bytes, int]:
    """Returns the meanings of words independent of context: keywords and built-in types of a dialect."""
    found = {word: KEYWORD for word in keywords(dialect)}
    found.update((word, KEYWORD | SPACES[space]) for word, space in QUALIFIERS.items())
    types = (word for word in BUILTIN_TYPES if builtin_type(word, dialect) is not None)
    found.update((word, TYPE | BUILT_IN) for word in (*types, *_TYPE_WORDS))
    return {word.encode(): meaning for word, meaning in found.items()}


@lru_cache(maxsize=16)
def _built_in_functions(dialect: Dialect) -> frozenset[str]:
    return named_in(dialect)


def compute_token_meanings(ctx: TypingContext) -> array[int]:
    """Returns the meaning of each token of a typed item; 0 for a token without a meaning.

    `ctx.trace` must contain the values of the item's expressions.
    """
    words = word_meanings(ctx.dialect)
    table = ctx.table
    found = array("H", [words.get(token_index, 0) for token_index in table.tokens])
    declared = {
        entity.place.first: entity
        for entity in ctx.entities.values()
        if entity.kind in _OF_ENTITY and entity.name
    }
    _Reader(ctx, found, declared).read()
    for token_index, entity in declared.items():
        if token_index < len(found) and table.token(token_index) == entity.name:
            found[token_index] = _declaration_meaning(ctx, entity)
    return found


_GENERIC = SPACES[Space.GENERIC]


def generic_tokens(found: Sequence[int]) -> frozenset[int]:
    """Returns the indices of tokens that denote a generic pointer, or an object accessed through one.

    `found` lists the meaning of each token.
    """
    return frozenset(token_index for token_index, meaning in enumerate(found) if meaning & _GENERIC)


def memory_of(type_: Type) -> Space | None:
    """Returns the address space shown for an object of this type; None if none is shown.

    For a pointer, this is the space of the pointee; for an array, that of the elements; for any other object,
    its own space. If this own space is private, it is not shown, because all ordinary variables in functions
    are private.
    """
    if isinstance(type_, Pointer):
        return type_.pointee.space
    if isinstance(type_, Array):
        return type_.space
    if isinstance(type_, Function | BlockPointer) or type_.space is Space.PRIVATE:
        return None
    return type_.space


def _modifier_bits(type_: Type) -> int:
    space = memory_of(type_)
    found = 0 if space is None else SPACES.get(space, 0)
    constant = type_.qualifiers & CONST or type_.space is Space.CONSTANT
    return found | READONLY if constant and not isinstance(type_, Function) else found


def _declaration_meaning(ctx: TypingContext, entity: Entity) -> int:
    """Returns the meaning of an entity's name in its declaration, as a kind combined with modifier bits."""
    meaning = _OF_ENTITY[entity.kind]
    table = ctx.table
    if meaning == TYPE or meaning == ENUMERATOR:
        return meaning | DECLARATION | (READONLY if meaning == ENUMERATOR else 0)
    found = meaning | DECLARATION | _modifier_bits(entity.type)
    if meaning == MEMBER:
        return found
    specifiers = [table.token(token_index) for token_index in range(entity.whole.first, entity.place.first)]
    if meaning == FUNCTION:
        found |= KERNEL if "kernel" in specifiers or "__kernel" in specifiers else 0
        body = table.child(0, _BODY)
        return found | DEFINITION if body >= 0 and entity.place.first < table.first[body] else found
    if "static" in specifiers and entity.ref.item[0] == "function_definition":
        found |= STATIC
    return found if "extern" in specifiers else found | DEFINITION


class _Reader:
    """Computes the meanings of the names and literals of an item."""

    def __init__(self, ctx: TypingContext, found: array[int], declared: Mapping[int, Entity]) -> None:
        self.ctx, self.table, self.found, self.declared = ctx, ctx.table, found, declared
        self.names = {entity.name: entity for entity in declared.values()}
        self.static = {
            entity.ref.number for entity in declared.values() if _declaration_meaning(ctx, entity) & STATIC
        }
        self._addressed: dict[int, int] = {}
        self._vocabulary: frozenset[str] | None = None

    def read(self) -> None:
        """Processes the nodes in preorder, so that a node comes after the nodes that contain it."""
        table, found = self.table, self.found
        for node, number in enumerate(table.kind):
            if number not in _READ:
                continue
            if number in _LITERALS:
                for token_index in range(table.first[node], table.last[node]):
                    found[token_index] = _LITERALS[number]
            elif number in _TAGS:
                self._set_tag_meaning(node, _TAGS[number])
            elif number == _FIELD_EXPRESSION:
                self._set_member_meaning(node)
            elif number == _ADDRESS_OF:
                self._note_address_of(node)
            elif number == _DESIGNATOR:
                found[table.last[node] - 1] = MEMBER
            elif number == _LABEL:
                found[table.first[node]] = LABEL
            elif table.first[node] not in self.declared:
                self._set_name_meaning(node, number)

    def _set_name_meaning(self, node: int, number: int) -> None:
        token_index = self.table.first[node]
        if self.found[token_index]:
            # a tag, or a keyword
            return
        name = self.table.text(node)
        value = (self.ctx.trace or {}).get(node)
        meaning = self._type_name(name) if number == _TYPE_NAME else self._use_meaning(name, value)
        self.found[token_index] = self._with_own_space(node, meaning)

    def _use_meaning(self, name: str, value: Value | None) -> int:
        """Returns the meaning of an identifier in an expression."""
        ctx = self.ctx
        if value is not None and value.origin is not None:
            ref = value.origin.entity
            if ref.item != ctx.item:
                symbol = ctx.names.symbol(name)
                return (
                    self._unknown_meaning(name)
                    if symbol is None
                    else self._entity_meaning(symbol.kind, value.type, symbol)
                )
            entity = ctx.entities.get(ref.number)
            if entity is not None and entity.name == name:
                static = STATIC if ref.number in self.static else 0
                return self._entity_meaning(entity.kind, value.type, None) | static
        if value is None and name in self.names:
            entity = self.names[name]
            return self._entity_meaning(entity.kind, entity.type, None)
        if name in predeclared_constants(ctx.dialect):
            return ENUMERATOR | READONLY | BUILT_IN
        symbol = ctx.names.result_signature(name) or ctx.names.symbol(name)
        if symbol is not None:
            return self._entity_meaning(symbol.kind, symbol.type, symbol)
        if name in _built_in_functions(ctx.dialect):
            return FUNCTION | BUILT_IN
        return self._unknown_meaning(name)

    def _entity_meaning(self, what: EntityKind, type_: Type, symbol: Symbol | None) -> int:
        meaning = _OF_ENTITY.get(what, NONE)
        if meaning == ENUMERATOR:
            return meaning | READONLY
        if meaning == FUNCTION:
            if symbol is not None:
                return meaning | KERNEL if symbol.kernel else meaning
            own = self.names.get(self.ctx.item[1])
            return FUNCTION if own is None else FUNCTION | (_declaration_meaning(self.ctx, own) & KERNEL)
        if meaning not in _OBJECTS:
            return meaning
        return meaning | _modifier_bits(type_)

    def _unknown_meaning(self, name: str) -> int:
        """Returns the meaning of an undeclared name: MACRO for the name of a typedef or macro, else NONE."""
        if self._vocabulary is None:
            self._vocabulary = self.ctx.names.vocabulary()
        return MACRO if name in self._vocabulary else NONE

    def _type_name(self, name: str) -> int:
        local = self.names.get(name)
        if local is not None and local.kind is EntityKind.TYPEDEF:
            return TYPE
        symbol = self.ctx.names.symbol(name)
        return TYPE if symbol is not None and symbol.kind is EntityKind.TYPEDEF else NONE

    def _set_tag_meaning(self, node: int, meaning: int) -> None:
        name = self.table.child(node, _NAME)
        if name >= 0:
            defined = DECLARATION | DEFINITION if self.table.child(node, _BODY) >= 0 else 0
            self.found[self.table.first[name]] = meaning | defined

    def _set_member_meaning(self, node: int) -> None:
        value = (self.ctx.trace or {}).get(node)
        if value is not None and not is_unknown(value.type):
            self.found[self.table.last[node] - 1] = self._with_own_space(
                node, MEMBER | _modifier_bits(value.type)
            )

    def _note_address_of(self, node: int) -> None:
        """For an expression `&x`, records that `x` is shown with the address space of the object `x` itself.

        Without `&`, the colour of a pointer shows the space of its pointee, and a plain private object has no colour.
        """
        operand = self.table.child(node, _ARGUMENT)
        if operand < 0 or self.table.token(self.table.first[node]) != "&":
            return
        value = (self.ctx.trace or {}).get(operand)
        if value is not None and value.lvalue and value.type.space is not None:
            self._addressed[operand] = SPACES.get(value.type.space, 0)

    def _with_own_space(self, node: int, meaning: int) -> int:
        """Returns the meaning of a name or member.

        If its address is taken, the meaning has the address space of the object itself.
        """
        space = self._addressed.get(node)
        return meaning if space is None else meaning & ~_ALL_SPACES | space
