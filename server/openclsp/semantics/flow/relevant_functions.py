"""Slices a unit: finds the functions that can affect the pointers of given functions.

The relevant functions are found by names and types, without flow graphs, so that functions that only compute
(hashes, transforms, printing) need no graph. A caller of a relevant function is relevant, because it passes
arguments. A callee is relevant if pointers may come back from it: as its result, or through a pointer to
memory that contains pointers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.semantics.database.declared_functions import DEFINITION, declarations
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    BlockPointer,
    Function,
    Pointer,
    Record,
    Type,
    Void,
)
from openclsp.semantics.typing.symbols import Names

_MAXIMUM_DEPTH = 8


def relevant_functions(unit: TranslationUnit, names: Iterable[str]) -> set[ItemKey]:
    """Returns the definitions of these functions, of their transitive callers, and of relevant callees.

    A callee is relevant if pointers may come back from it, as its result or through a pointer argument.
    """
    callers: dict[str, list[str]] = {}
    for item in unit.items:
        for name in item.summary.calls:
            callers.setdefault(name, []).append(item.key[1])
    found: set[str] = set()
    todo = [*names]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += callers.get(name, ())
    definitions: dict[str, list[ItemKey]] = {}
    called: dict[str, set[str]] = {}
    for item in unit.items:
        if item.key[0] == DEFINITION:
            definitions.setdefault(item.key[1], []).append(item.key)
            called.setdefault(item.key[1], set()).update(item.summary.calls)
    todo = [*found]
    # many functions call the same ones
    judged = set(found)
    while todo:
        for name in called.get(todo.pop(), ()):
            if name in judged:
                continue
            judged.add(name)
            if name in definitions and unit.database.get(_GIVES_BACK, name):
                found.add(name)
                todo.append(name)
    return {key for name in found for key in definitions.get(name, ())}


def _gives_back(unit: TranslationUnit, name: str) -> bool:
    """Whether a function may return a pointer or write one through a parameter, according to its types."""
    for symbol in declarations(unit, name):
        if isinstance(symbol.type, Function):
            names = unit.names(symbol.ref.item)
            if any(_holds_pointers(type_, names) for type_ in _written_by(symbol.type)):
                return True
    return False


_GIVES_BACK: Query[str, bool] = Query("gives pointers back", _gives_back, False)
"""A query, because an edit changes few types of functions, and a hover may ask about all functions right after it."""


def _written_by(function: Function) -> Iterator[Type]:
    """Yields the types that a function may write: its result, and the pointees of its parameters."""
    if not isinstance(function.result, Void):
        yield function.result
    for parameter in function.parameters:
        if isinstance(parameter, BlockPointer):
            yield parameter
        elif isinstance(parameter, Pointer) and not parameter.pointee.qualifiers & CONST:
            yield parameter.pointee


def _holds_pointers(type_: Type, names: Names, depth: int = 0) -> bool:
    """Whether an object of this type may hold pointers.

    True for `void`, because a `void *` may point to an object of any type.
    """
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Record):
        members = names.members(type_) if depth < _MAXIMUM_DEPTH else None
        return members is None or any(_holds_pointers(each.type, names, depth + 1) for each in members)
    return isinstance(type_, Pointer | BlockPointer | Void)
