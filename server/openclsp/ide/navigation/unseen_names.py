"""Decides whether a new name is unused in a program, so that a rename cannot capture other names."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from openclsp.ide.navigation.macro_names import macros_around
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, SymbolId
from openclsp.source.expansion import Expansion
from openclsp.source.macros import Macro
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.word_search import find_word, word_starts


def is_unseen_name(
    navigator: Navigator, symbols: Collection[SymbolId], new: str, places: Collection[tuple[str, int]]
) -> bool:
    """Whether replacing the names of these symbols at `places` by `new` is certainly a consistent renaming.

    The edited program then need not be analysed. Three conditions must hold: `new` occurs nowhere in the
    scope of the symbols; it is known what every token with the old name in this scope denotes; and no macro
    forms another name from the old one. A place is a document and a byte.
    """
    word = new.encode()
    every = list(navigator.unit.preprocessed.with_included())
    if any(each.source_map.history.has_macro(word) for each in every):
        return False
    if not all(symbol.is_local for symbol in symbols) and any(
        find_word(text, word) >= 0 for each in every for text in (each.text, each.document.text.data)
    ):
        return False
    if any(each.space is NameSpace.MACRO and _is_pasted_call(every, each) for each in symbols):
        return False
    return all(_is_complete(navigator, each, word) for each in symbols) and not _are_pasted(every, places)


def _are_pasted(units: Iterable[Preprocessed], places: Collection[tuple[str, int]]) -> bool:
    """Whether one of the places is in the arguments of a macro with `##`."""
    by_name: dict[str, Preprocessed] = {each.document.name: each for each in units}
    pasting: dict[Macro, bool] = {}
    for document, start in places:
        preprocessed = by_name.get(document)
        for macro in () if preprocessed is None else macros_around(preprocessed, start):
            if macro not in pasting:
                pasting[macro] = macro.pastes
            if pasting[macro]:
                return True
    return False


def _is_pasted_call(units: Iterable[Preprocessed], symbol: SymbolId) -> bool:
    """Whether a call of the macro `symbol` is in the expansion of another macro that uses `##`.

    In such a call, `##` may have formed the macro's name.
    """
    word = symbol.name.encode()
    for unit in units:
        for row in unit.source_map.rows:
            for segment in () if row is None else row.segments:
                origin, is_named = segment.origin, False
                while isinstance(origin, Expansion):
                    if is_named and origin.macro.pastes:
                        return True
                    is_named |= origin.macro.name == word
                    origin = origin.parent
    return False


def _is_complete(navigator: Navigator, symbol: SymbolId, new: bytes) -> bool:
    if symbol.space is NameSpace.MACRO:
        return True
    old = symbol.name.encode()
    for item in navigator.enclosing_items(symbol):
        text = item.group.part.preprocessed.text
        start, end = item.start, item.start + item.length
        if find_word(text, new, start, end) >= 0:
            return False
        known = len(navigator.item_names(item.key).by_name.get(symbol.name, ()))
        # comments and literals contain the word as well
        if len(list(word_starts(text, old, start, end))) != known:
            tokens = navigator.unit.table(item.key).tokens
            if tokens.count(old) != known:
                return False
    return True
