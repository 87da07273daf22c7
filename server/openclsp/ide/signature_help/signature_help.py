"""Signature help: the signatures of the call at the cursor, the active one, and the active parameter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from openclsp.dataclass import dataclass
from openclsp.ide.completion.cursor_scope import CursorScope, compute_cursor_scope
from openclsp.ide.completion.unfinished_code import PLACEHOLDER
from openclsp.ide.cursor_line import (
    AFTER_ALL_ITEMS,
    CursorLine,
    code_before_cursor,
    find_cursor_line,
    item_at_cursor,
)
from openclsp.ide.doc_comments import doc_comment_of_function, doc_comment_of_macro
from openclsp.ide.location_map import LocationMap
from openclsp.ide.signature_help.call_at_cursor import CallAtCursor, find_call
from openclsp.ide.signature_help.vector_literals import literal_signatures
from openclsp.ide.signature_help.written_signatures import (
    CallSignature,
    builtin_signature,
    function_signature,
    macro_signature,
    untyped_signatures,
)
from openclsp.language.builtin_functions.descriptions import description
from openclsp.semantics.database.unit_inputs import ORDER
from openclsp.semantics.facts.entities import EntityKind, ItemKey
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import BlockPointer, Function, Pointer, Type
from openclsp.semantics.typing.conversions import rvalue
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.semantics.typing.overloads import costs_of_unfinished_call
from openclsp.semantics.typing.symbols import Symbol
from openclsp.source.macros import Macro
from openclsp.source.parser import FIELDS, kind

MAXIMUM_SIGNATURES = 100
"""The maximum number of signatures; the least likely are left out."""
_MAXIMUM_ALIASES = 8
"""The maximum number of object-like macros that are followed from a name to a function."""
_FOLLOWING_BYTES = 4096
"""The number of bytes after the cursor in which further arguments are counted."""

_CALL, _LITERAL, _ARGUMENTS = kind("call_expression"), kind("vector_literal"), FIELDS["arguments"]
_TYPE = kind("type_descriptor")
_ENDED_ARGUMENT = re.compile(rb"[\w)\]\"']\Z")
_COMMON_TYPES = frozenset(("float", "size_t", "event_t", "sampler_t", "void"))


@dataclass(frozen=True, slots=True)
class SignatureList:
    """The signatures of the called function.

    `active` is the index of the signature that the call most likely uses. `argument` is the number of the
    argument at the cursor, from 0; in a vector literal, the number of the element.
    """

    signatures: tuple[CallSignature, ...]
    active: int
    argument: int

    def parameter_of(self, signature: CallSignature) -> int:
        """Returns the index of the parameter to which the argument at the cursor belongs.

        If it belongs to none, the result is the number of parameters, which is no valid index.
        """
        count = len(signature.parameters)
        if signature.is_variadic and self.argument >= count:
            return max(count - 1, 0)
        return min(self.argument, count)


def compute_signature_help(
    unit: TranslationUnit, document: str, offset: int, kept_label: str = ""
) -> SignatureList | None:
    """Computes the signatures of the call at a byte offset of a document.

    `kept_label` is the label of the signature that is active in the editor. This signature stays active
    unless another one fits the arguments better. None outside of argument lists, and in comments, literals
    and inactive code.
    """
    found = find_cursor_line(unit, document, offset)
    if found is None or found.is_quiet or found.is_inactive or found.directive == "include":
        return None
    code = found.part.preprocessed.code.text.data
    call = find_call(code_before_cursor(found), code[offset : offset + _FOLLOWING_BYTES])
    if call is None:
        return None
    key, text = item_at_cursor(found)
    unit.database.set(ORDER, AFTER_ALL_ITEMS, 1 << 100)
    if _ENDED_ARGUMENT.search(text):
        # The comma separates the argument that ends at the cursor from the placeholder that will be appended.
        text += b","
    scope = compute_cursor_scope(unit, key, text) if found.directive is None else None
    if call.is_literal:
        return _help_for_literal(unit, scope, call)
    macro = _macro_named(found, call.name)
    places = LocationMap(unit)
    if macro is not None and macro.parameters is not None:
        signature = macro_signature(macro, doc_comment_of_macro(unit, macro))
        return SignatureList((signature,), 0, call.argument)
    name = _follow_aliases(found, call.name)
    callee = _Callee(unit, key, scope, name)
    arguments = _typed_arguments(scope, call)
    # the argument at the cursor, and those after it, need parameters
    expected = call.argument + call.following + (1 if call.argument or call.following else 0)
    arguments += [None] * (expected - len(arguments))
    return _rank_signatures(callee.signatures(places), arguments, call, kept_label)


def _help_for_literal(
    unit: TranslationUnit, scope: CursorScope | None, call: CallAtCursor
) -> SignatureList | None:
    typed = [value.type if value is not None else None for value in _typed_arguments(scope, call)]
    found = literal_signatures(unit.dialect, call.name)
    if not found:
        return None
    # more than one argument excludes the form with a single value
    active = 1 if call.argument or call.following else 0
    position = call.argument
    if active:
        position = sum(_element_count(each) for each in typed[: call.argument])
        position += max(call.argument - len(typed), 0)
    return SignatureList(found, active, position)


def _element_count(type_: Type | None) -> int:
    width = getattr(type_, "width", 1)
    return width if isinstance(width, int) else 1


def _macro_named(found: CursorLine, name: str) -> Macro | None:
    """Returns the macro with this name that is defined at the cursor; None if there is none."""
    source_map = found.part.preprocessed.source_map
    row_start = source_map.document.text.line_start(found.row)
    return source_map.history.macro_at(name.encode(), source_map.moves.original(row_start))


def _follow_aliases(found: CursorLine, name: str) -> str:
    """Follows object-like macros that expand to a single name; returns the final name."""
    for _ in range(_MAXIMUM_ALIASES):
        macro = _macro_named(found, name)
        if macro is None or macro.parameters is not None or len(macro.body) != 1 or not macro.words:
            return name
        name = macro.body[0][1].decode("utf-8", "replace")
    return name


@dataclass(frozen=True, slots=True)
class _Callee:
    """The name of the called function, with the scopes in which it may be declared."""

    unit: TranslationUnit
    key: ItemKey
    scope: CursorScope | None
    name: str

    def signatures(self, places: LocationMap) -> list[tuple[Function | None, CallSignature]]:
        """Returns the signatures, each with its type; the program's functions precede the built-in ones.

        The type is None for a built-in function whose arguments compilers check by special rules.
        """
        local = self._local_type()
        if local is not None:
            return [(local, function_signature(self.name, local, (), None))]
        found: list[tuple[Function | None, CallSignature]] = []
        declared = self._declared()
        for type_, symbol in declared.items():
            comment = doc_comment_of_function(places, self.name, type_, symbol.ref.item)
            found.append((type_, function_signature(self.name, type_, symbol.parameters, comment)))
        overloadable = all(each.overloadable for each in declared.values())
        if declared and not overloadable:
            return found
        about = description(self.name)
        for overload in overloads_of(self.name, self.unit.dialect):
            if overload not in declared:
                found.append((overload, builtin_signature(self.name, overload, about)))
        if not found:
            found += [(None, each) for each in untyped_signatures(self.name, self.unit.dialect, about)]
        return found

    def _local_type(self) -> Function | None:
        """Returns the function type of the local block or function pointer with this name; None if there is none."""
        for entity in reversed(self.scope.locals) if self.scope is not None else ():
            if entity.name == self.name:
                return _function_type(entity.type)
        return None

    def _declared(self) -> Mapping[Function, Symbol]:
        """Returns the program's functions with this name, by type.

        If none is declared before the cursor, these are the functions that are declared after it or, if there
        are none, the block or function pointer with this name.
        """
        found: dict[Function, Symbol] = {}
        own = self.scope.context.program_symbols.get(self.name) if self.scope is not None else None
        for symbol in (*((own,) if own is not None else ()), *self.unit.names(self.key).overloads(self.name)):
            if symbol.kind is EntityKind.FUNCTION and isinstance(symbol.type, Function):
                found.setdefault(symbol.type, symbol)
        if not found:
            for symbol in self.unit.names(AFTER_ALL_ITEMS).overloads(self.name):
                if isinstance(symbol.type, Function):
                    found.setdefault(symbol.type, symbol)
        if not found:
            variable = self.unit.names(self.key).symbol(self.name)
            type_ = _function_type(variable.type) if variable is not None else None
            if type_ is not None and variable is not None:
                found[type_] = variable
        # lookup finds the last declaration first; people read the list from the top
        return dict(reversed(found.items()))


def _function_type(type_: Type) -> Function | None:
    if isinstance(type_, BlockPointer):
        type_ = type_.function
    elif isinstance(type_, Pointer):
        type_ = type_.pointee
    return type_ if isinstance(type_, Function) else None


def _typed_arguments(scope: CursorScope | None, call: CallAtCursor) -> list[Value | None]:
    """Returns the values of the arguments up to the cursor; None for each value that is not known."""
    if scope is None:
        return []
    table, trace = scope.context.table, scope.context.trace or {}
    for node in _nodes_with_cursor(table):
        holder = node if table.kind[node] == _LITERAL else -1
        if table.kind[node] == _CALL:
            holder = table.child(node, _ARGUMENTS)
        if holder < 0 or not _holds_cursor(table, holder):
            continue
        children = [
            child
            for child in table.children(holder)
            if is_expression(table.kind[child]) and table.kind[child] != _TYPE
        ]
        values = [trace.get(child) for child in children if not _holds_cursor(table, child)]
        return [rvalue(value) if value is not None else None for value in values[: call.argument + 1]]
    return []


def _nodes_with_cursor(table: Table) -> Iterable[int]:
    """Yields the nodes that contain the cursor, innermost first."""
    return (node for node in range(len(table.kind) - 1, -1, -1) if _holds_cursor(table, node))


def _holds_cursor(table: Table, node: int) -> bool:
    return PLACEHOLDER.encode() in table.tokens[table.first[node] : table.last[node]]


def _rarity(type_: Function | None) -> int:
    """Scores how uncommon the parameter types are; 0 if all are common."""
    rare = 0
    for each in type_.parameters if type_ is not None else ():
        name = getattr(each.pointee if isinstance(each, Pointer) else each, "name", "")
        rare += 0 if name in _COMMON_TYPES else 1 if name in ("int", "uint") else 2
    return rare


def _rank_signatures(
    found: list[tuple[Function | None, CallSignature]],
    arguments: list[Value | None],
    call: CallAtCursor,
    kept_label: str,
) -> SignatureList | None:
    """Selects the best signatures, at most `MAXIMUM_SIGNATURES`, and chooses the active one.

    The signatures keep their order. Of equally good ones, the signature with the label `kept_label` is
    active. Returns None if `found` is empty.
    """
    if not found:
        return None
    types = [type_ for type_, _ in found if type_ is not None]
    costs = [(False, 0, 0)] * len(found)
    if len(types) == len(found):
        costs = costs_of_unfinished_call(types, arguments)
    order = sorted(range(len(found)), key=lambda number: (costs[number], _rarity(found[number][0])))
    # of equally good signatures, the one that the person has chosen stays
    active = next(
        (
            number
            for number in order
            if costs[number] == costs[order[0]] and found[number][1].label == kept_label
        ),
        order[0],
    )
    if len(found) > MAXIMUM_SIGNATURES:
        # the likely ones, in the order of declaration, which does not change from key to key
        kept = sorted({active, *order[: MAXIMUM_SIGNATURES - 1]})
        active, found = kept.index(active), [found[number] for number in kept]
    return SignatureList(tuple(signature for _, signature in found), active, call.argument)
