"""Uses of storage-only types that require an extension.

Without an extension, half is a storage-only type (OpenCL C 6.3.1.1): it cannot be the type of a variable,
parameter or result, and operators cannot read or write it. In OpenCL C 1.0, types of less than 32 bits cannot
be written through a pointer without an extension. Vectors of half are not reported, since compilers do not
reject them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from openclsp.semantics.facts.constructs import UnknownName
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, KernelRecord, TypeName
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.expressions import Access, AccessKind, HalfStorage, HalfUse, NarrowStore
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.extension_states import is_on_at
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.known_types import (
    CHAR,
    HALF,
    SHORT,
    UCHAR,
    USHORT,
    canonical,
)
from openclsp.semantics.types.type_model import (
    Array,
    Scalar,
    Type,
    vector,
)
from openclsp.semantics.typing.calls import BUILTIN_AS_TYPE
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_EXTENSION = "cl_khr_fp16"
_BYTE_STORES = "cl_khr_byte_addressable_store"
_NARROW = frozenset((CHAR, UCHAR, SHORT, USHORT, vector(CHAR, 2), vector(UCHAR, 2)))
_LEFT = FIELDS["left"]
_ARGUMENTS = kind("argument_list")
_PARENTHESES = (kind("parenthesized_expression"), kind("extension_expression"))
_LITERAL = kind("number_literal")
_ASSIGNMENT, _UPDATE = kind("assignment_expression"), kind("update_expression")
_ADDRESS, _SIZES = (
    kind("pointer_expression"),
    (kind("sizeof_expression"), kind("alignof_expression"), kind("typeof_specifier")),
)


def emit_narrow_stores(ctx: TypingContext) -> None:
    """In OpenCL C 1.0, emits a fact for every write of less than 32 bits through a pointer.

    No fact is emitted where the extension that allows such writes is enabled (OpenCL C 1.0, 6.8.k). Later
    versions allow them all. To be called after the item was typed.
    """
    if ctx.dialect.version > 100:
        return
    found = [
        NarrowStore(fact.value)
        for fact in ctx.facts
        if isinstance(fact, Access) and fact.kind is AccessKind.WRITE and _is_narrow_pointee(fact.value)
    ]
    if found:
        states = ctx.names.extension_states(_BYTE_STORES)
        for store in found:
            if not is_on_at(states, store.value.place.first):
                ctx.emit(store)


def _is_narrow_pointee(value: Value) -> bool:
    type_ = value.type.unqualified
    narrow = (canonical(type_) if isinstance(type_, Scalar) else type_) in _NARROW
    return narrow and value.origin is not None and value.origin.level > 0


def emit_half_storage(ctx: TypingContext) -> None:
    """Emits a fact for every use of half that requires the extension.

    To be called after the item was typed.
    """
    found = [*_declared_halves(ctx), *_accessed_halves(ctx)]
    if found and ctx.dialect.half:
        states = ctx.names.extension_states(_EXTENSION)
        found = [fact for fact in found if not is_on_at(states, fact.place.first)]
    if not found:
        return
    if ctx.unknown_names or any(isinstance(fact, UnknownName) for fact in ctx.facts):
        # host code that supplies unknown names may supply the pragma too
        return
    for fact in found:
        ctx.emit(fact)


def _declared_halves(ctx: TypingContext) -> Iterator[HalfStorage]:
    for fact in ctx.facts:
        # a table lookup, since this runs for every typed item and most facts are of other kinds
        handler = _HANDLERS.get(type(fact))
        if handler is not None:
            yield from handler(fact)


def _of_declaration(fact: Declaration) -> Iterator[HalfStorage]:
    use = _USES.get(fact.entity.kind)
    if use is not None and _is_half(fact.entity.type):
        yield HalfStorage(use, fact.entity.place if fact.entity.name else fact.entity.whole, fact.entity)


def _of_record(fact: KernelRecord) -> Iterator[HalfStorage]:
    if any(_is_half(type_) for _, type_, _ in fact.members):
        yield HalfStorage(HalfUse.KERNEL_RECORD, fact.parameter.place, fact.parameter)


def _of_function(fact: FunctionDeclaration) -> Iterator[HalfStorage]:
    if _is_half(fact.result):
        yield HalfStorage(HalfUse.RESULT, fact.entity.place, fact.entity)


def _of_type_name(fact: TypeName) -> Iterator[HalfStorage]:
    if fact.entity.kind is EntityKind.CAST and _is_half(fact.entity.type):
        yield HalfStorage(HalfUse.CAST, fact.entity.place)


def _of_access(fact: Access) -> Iterator[HalfStorage]:
    """Yields a fact for a write to a half object, except by `++` and `--`, which compilers accept."""
    if fact.kind is AccessKind.WRITE and fact.operator not in ("++", "--") and _is_half(fact.value.type):
        yield HalfStorage(HalfUse.WRITE, fact.value.place, value=fact.value)


_USES = {EntityKind.VARIABLE: HalfUse.VARIABLE, EntityKind.PARAMETER: HalfUse.PARAMETER}
_HANDLERS: Mapping[type[Any], Callable[[Any], Iterator[HalfStorage]]] = {
    Declaration: _of_declaration,
    KernelRecord: _of_record,
    FunctionDeclaration: _of_function,
    TypeName: _of_type_name,
    Access: _of_access,
}


def _is_half(type_: Type) -> bool:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_.unqualified is HALF


def _accessed_halves(ctx: TypingContext) -> Iterator[HalfStorage]:
    """Yields facts about half literals and reads of half objects.

    The operand of `&` or `sizeof` and the target of an assignment are not read.
    """
    for node, value in ctx.half_values.items():
        if ctx.table.kind[node] == _LITERAL:
            yield HalfStorage(HalfUse.LITERAL, value.place)
        elif _is_read(ctx, node):
            yield HalfStorage(HalfUse.READ, value.place, value=value)


def _is_read(ctx: TypingContext, node: int) -> bool:
    """Whether the enclosing expression uses the value of a half object."""
    table = ctx.table
    around = _parent(table, node)
    number = table.kind[around] if around >= 0 else -1
    if number == _ARGUMENTS:
        # a reinterpretation only copies the bits
        return table.token(table.first[_parent(table, around)]) != BUILTIN_AS_TYPE
    if number in _PARENTHESES or number in _SIZES or number == _UPDATE:
        # a parenthesised expression is recorded as a node of its own
        return False
    if number == _ADDRESS:
        return table.token(table.first[around]) != "&"
    return number != _ASSIGNMENT or table.field[node] != _LEFT


def _parent(table: Table, node: int) -> int:
    """Returns the parent of a node; -1 for the outermost node."""
    around = node - 1
    while around >= 0 and table.skip[around] <= node:
        around -= 1
    return around
