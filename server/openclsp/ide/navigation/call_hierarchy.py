"""Call hierarchy: the functions that call a function, and those that it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.location_map import LocationMap
from openclsp.ide.navigation.item_uses import SymbolUse
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, Role, SymbolId
from openclsp.semantics.facts.entities import EntityKind, Place
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.file_names import MEMBER, TAG, DeclaredKind, DeclaredName, FileNames, decode_use
from openclsp.workspace.name_index import ProjectNames

MAXIMUM_CALLERS: Final = 1_000
"""The maximum number of functions in one answer."""
_FUNCTIONS: Final = (DeclaredKind.FUNCTION, DeclaredKind.KERNEL)


@dataclass(frozen=True, slots=True)
class CallableFunction:
    """A function in a call hierarchy, with two ranges: that of its name, and that of its definition.

    Without a definition, the second range is that of the first declaration.
    """

    name: str
    whole: Location
    selection: Location
    is_kernel: bool


@dataclass(frozen=True, slots=True)
class FunctionCalls:
    """A calling or called function, with the locations of the calls in the caller's document."""

    function: CallableFunction
    calls: tuple[Location, ...]


def function_at(unit: TranslationUnit, document: str, offset: int) -> CallableFunction | None:
    """Returns the function of the program that is named at a byte of a document; None if there is none."""
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    return None if found is None else _function(navigator, found.symbol)


def _function(navigator: Navigator, symbol: SymbolId) -> CallableFunction | None:
    """Returns the function that a symbol denotes: its definition, or else its first declaration."""
    if symbol.space is not NameSpace.ORDINARY or symbol.is_local:
        return None
    best: tuple[Item, SymbolUse] | None = None
    for item, use in navigator.declaring_uses(symbol):
        if use.kind is EntityKind.FUNCTION and (best is None or use.role is Role.DEFINITION):
            best = item, use
            if use.role is Role.DEFINITION:
                break
    return None if best is None else _entry(navigator, *best)


def _entry(navigator: Navigator, item: Item, use: SymbolUse) -> CallableFunction:
    places = LocationMap(navigator.unit)
    name = places.location(item.key, Place(use.token_index, use.token_index + 1))
    tokens = navigator.unit.table(item.key).tokens
    whole = name
    if use.role is Role.DEFINITION:
        found = places.location(item.key, Place(0, len(tokens)))
        if found.document == name.document and found.start <= name.start and found.end >= name.end:
            whole = found
    head = tokens[: use.token_index]
    return CallableFunction(use.symbol.name, whole, name, b"kernel" in head or b"__kernel" in head)


def find_callees(unit: TranslationUnit, name: str) -> list[FunctionCalls]:
    """Finds the functions of the program that a function calls, in the order of their first calls."""
    navigator = Navigator(unit)
    places = LocationMap(unit)
    found: dict[SymbolId, list[Location]] = {}
    for item, definition in navigator.declaring_uses(SymbolId(NameSpace.ORDINARY, name)):
        if definition.role is not Role.DEFINITION or definition.kind is not EntityKind.FUNCTION:
            continue
        for use in navigator.uses(item.key):
            if use.kind is EntityKind.FUNCTION and not use.role.declares:
                place = places.location(item.key, Place(use.token_index, use.token_index + 1))
                found.setdefault(use.symbol, []).append(place)
    called = ((_function(navigator, symbol), calls) for symbol, calls in found.items())
    return [FunctionCalls(each, tuple(dict.fromkeys(calls))) for each, calls in called if each is not None]


def find_callers(
    unit: TranslationUnit,
    name: str,
    units: Callable[[], Sequence[TranslationUnit]],
    names: Callable[[], ProjectNames],
) -> list[FunctionCalls]:
    """Finds the callers of a function: in the unit, in open documents, and in other files.

    `units` returns the units of the open documents, and `names` the index of names. Other files are searched
    if they include a declaration of the function. There, each use of an ordinary identifier with this `name`
    counts as a call, and the caller is the function whose definition begins last before the use.
    """
    symbol = SymbolId(NameSpace.ORDINARY, name)
    found: dict[tuple[str, int], FunctionCalls] = {}
    navigator = Navigator(unit)
    declared = {each.location.document for each in navigator.declarations(symbol)}
    known: set[str] = set()
    for each in (unit, *units()):
        known |= each.preprocessed.documents()
        for caller in _callers_in(each, symbol, declared):
            found.setdefault((caller.function.selection.document, caller.function.selection.start), caller)
    for path, file in names().files_including(declared, known):
        for caller in _callers_by_tokens(path, file, name):
            found[path, caller.function.selection.start] = caller
        if len(found) >= MAXIMUM_CALLERS:
            break
    return list(found.values())[:MAXIMUM_CALLERS]


def _callers_in(unit: TranslationUnit, symbol: SymbolId, declared: set[str]) -> Iterator[FunctionCalls]:
    if declared.isdisjoint(unit.preprocessed.documents()):
        return
    navigator = Navigator(unit)
    places = LocationMap(unit)
    by_item: dict[tuple[str, str, int], tuple[Item, list[Location]]] = {}
    for item, use in navigator.item_uses(symbol):
        if not use.role.declares:
            place = places.location(item.key, Place(use.token_index, use.token_index + 1))
            by_item.setdefault(item.key, (item, []))[1].append(place)
    for item, calls in by_item.values():
        own = next(
            (
                use
                for use in navigator.uses(item.key)
                if use.role is Role.DEFINITION and use.kind is EntityKind.FUNCTION
            ),
            None,
        )
        if own is not None:
            yield FunctionCalls(_entry(navigator, item, own), tuple(dict.fromkeys(calls)))


def _callers_by_tokens(path: str, file: FileNames, name: str) -> Iterator[FunctionCalls]:
    functions = [each for each in file.declared if each.kind in _FUNCTIONS and each.is_definition]
    declared = {each.start for each in file.declared}
    calls: dict[int, tuple[DeclaredName, list[Location]]] = {}
    for use in file.uses.get(name.encode(), ()):
        start, flags = decode_use(use)
        if flags & (MEMBER | TAG) or start in declared:
            continue
        caller = next((each for each in reversed(functions) if each.start < start), None)
        if caller is not None:
            place = Location(path, start, start + len(name.encode()))
            calls.setdefault(caller.start, (caller, []))[1].append(place)
    for caller, places in calls.values():
        selection = Location(path, caller.start, caller.start + len(caller.name.encode()))
        function = CallableFunction(caller.name, selection, selection, caller.kind is DeclaredKind.KERNEL)
        yield FunctionCalls(function, tuple(places))
