"""Definition, declaration, type definition, implementation, references and highlights at a position."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.includes import IncludeLink, included_at
from openclsp.ide.navigation.item_uses import SymbolUse
from openclsp.ide.navigation.resolution import FoundSymbol, Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role, SymbolId
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.facts.entities import EntityKind, ItemKey, Place
from openclsp.semantics.items.item import Item, byte_range
from openclsp.semantics.translation_unit import TranslationUnit


class Destination(Enum):
    """The kind of destination that a navigation request asks for."""

    DEFINITION = "definition"
    DECLARATION = "declaration"
    TYPE_DEFINITION = "type definition"
    IMPLEMENTATION = "implementation"


@dataclass(frozen=True, slots=True)
class Destinations:
    """The destinations of a name.

    `origin` is the location of the name, or of the path in an include directive.
    """

    origin: Location
    places: tuple[Occurrence, ...]
    symbol: SymbolId | None = None


def find_destinations(
    unit: TranslationUnit, document: str, offset: int, wanted: Destination
) -> Destinations | None:
    """Finds where the name at a byte of a document is declared or defined; None if there is no such name.

    `wanted` is the kind of destination. If the name is itself in a definition, a request for the definition
    returns the declarations, if there are any. The destination of an include directive is the included
    document.
    """
    directive = included_at(unit, document, offset)
    if directive is not None:
        return None if wanted is Destination.TYPE_DEFINITION else _included(directive)
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    if found is None:
        return None
    if wanted is Destination.TYPE_DEFINITION:
        places = _type_definitions(navigator, found)
    else:
        places = _declarations(navigator, found, wanted)
        if not places and found.macro is not None:
            # `#include M2S(INCLUDE_PATH/inc_types.h)`, where build options define the macros
            directive = included_at(unit, document, offset, at_macros=True)
            if directive is not None:
                return _included(directive)
    return Destinations(found.location, tuple(places), found.symbol)


def _included(directive: IncludeLink) -> Destinations:
    """Returns the start of the included document as the destination."""
    start = Location(directive.target, 0, 0)
    return Destinations(directive.location, (Occurrence(start, Role.DEFINITION, start),))


def _declarations(navigator: Navigator, found: FoundSymbol, wanted: Destination) -> list[Occurrence]:
    if found.macro is not None:
        return _macro_definition(navigator, found)
    every = _of_overload(navigator, found, navigator.declarations(found.symbol))
    every = every or navigator.pasted_declarations(found.symbol)
    defined = [each for each in every if each.role is Role.DEFINITION]
    declared = [each for each in every if each.role is Role.DECLARATION]
    if wanted is Destination.IMPLEMENTATION:
        return defined
    if wanted is Destination.DECLARATION:
        return declared or defined
    if declared and any(each.location == found.location for each in defined):
        return declared
    return defined or declared


def _macro_definition(navigator: Navigator, found: FoundSymbol) -> list[Occurrence]:
    """Returns the macro definition that is in effect where the symbol was found.

    Empty if a build option defines the macro. If it is not known which definition is in effect, all
    definitions are returned.
    """
    span = None if found.macro is None else navigator.places.definition(found.macro)
    if found.macro is not None and found.macro.unsettled:
        return [each for each in navigator.declarations(found.symbol) if each.role is Role.DEFINITION]
    if span is None or found.macro is None:
        return []
    name = Location(span.document, span.start, span.start + len(found.macro.name))
    return [Occurrence(name, Role.DEFINITION, Location(span.document, span.start, span.end))]


def _of_overload(navigator: Navigator, found: FoundSymbol, every: list[Occurrence]) -> list[Occurrence]:
    """Selects from `every` the declarations of the overload that a call resolves to.

    If the overload is not known, or there is only one, all of them are returned.
    """
    target = None if found.use is None else found.use.target
    if target is None or sum(each.role is Role.DEFINITION for each in every) + len(every) < 3:
        return every
    name = found.symbol.name

    def type_in(key: ItemKey) -> object:
        symbol = navigator.unit.database.get(EXPORTS, key).symbols.get(name)
        return None if symbol is None else symbol.type

    if target.item not in navigator.unit.by_key:
        return every
    wanted = type_in(target.item)
    keys = {item.key for item, _ in navigator.declaring_uses(found.symbol) if type_in(item.key) is wanted}
    return navigator.declarations_in(found.symbol, keys) or every


def _type_definitions(navigator: Navigator, found: FoundSymbol) -> list[Occurrence]:
    """Returns the definitions, or else the declarations, of the type in a symbol's declaration."""
    symbol = found.symbol
    if symbol.space is NameSpace.TAG:
        return _defining(navigator, symbol)
    if symbol.space not in (NameSpace.ORDINARY, NameSpace.MEMBER):
        return []
    for item, use in navigator.declaring_uses(symbol):
        if use.kind is EntityKind.TYPEDEF:
            return _defining(navigator, symbol)
        named = _type_name(navigator.uses(item.key), use)
        if named is not None:
            return _defining(navigator, named)
        anonymous = _anonymous_type(navigator, item, use)
        if anonymous is not None:
            return [anonymous]
    return []


def _defining(navigator: Navigator, symbol: SymbolId) -> list[Occurrence]:
    every = navigator.declarations(symbol)
    return [each for each in every if each.role is Role.DEFINITION] or every


def _type_name(uses: tuple[SymbolUse, ...], declared: SymbolUse) -> SymbolId | None:
    """Returns the typedef or tag in the specifiers of a declaration.

    For an enumerator, this is the tag of its type.
    """
    for use in uses:
        is_enumeration = (
            use.symbol.space is NameSpace.TAG
            and use.role is Role.DEFINITION
            and use.first < declared.token_index < use.last
        )
        if is_enumeration and declared.symbol.space is not NameSpace.MEMBER:
            return use.symbol
        inside = declared.first <= use.token_index < declared.token_index
        is_type = use.symbol.space is NameSpace.TAG or use.kind is EntityKind.TYPEDEF
        if inside and is_type:
            return use.symbol
    return None


def _anonymous_type(navigator: Navigator, item: Item, use: SymbolUse) -> Occurrence | None:
    """Finds the keyword of a struct, union or enum without a tag in the specifiers of a declaration."""
    table = navigator.unit.table(item.key)
    for token_index in range(use.first, min(use.token_index, len(table.tokens))):
        if table.tokens[token_index] in (b"struct", b"union", b"enum"):
            start, end = byte_range(item, Place(token_index, token_index + 1))
            location = navigator.places.place(item.group.part.preprocessed.source_map, start, end)
            return None if location is None else Occurrence(location, Role.DEFINITION, location)
    return None


def find_occurrences(
    unit: TranslationUnit, document: str, offset: int, *, only_here: bool = False
) -> tuple[SymbolId, list[Occurrence]] | None:
    """Finds the occurrences of the symbol at a byte of a document; None if there is no symbol.

    They are those in the unit or, with `only_here`, in this document. The name of a macro that expands to the
    symbol counts as an occurrence.
    """
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    if found is None:
        return None
    return found.symbol, navigator.occurrences(
        found.symbol, document if only_here else "", with_invocations=True
    )
