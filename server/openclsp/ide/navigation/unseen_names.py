"""Decides whether a new name occurs nowhere in a program, so that no renamed name can be captured."""

from __future__ import annotations

from collections.abc import Collection

from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, SymbolId
from openclsp.source.word_search import find_word, word_starts


def is_unseen_name(navigator: Navigator, symbols: Collection[SymbolId], new: str) -> bool:
    """Whether replacing the name of these symbols by `new` is a consistent substitution.

    It is if `new` occurs nowhere where the symbols can be used, and if every token with the old name there is
    known to denote one of these symbols or another one. The edited program need not be analysed then.
    """
    word = new.encode()
    every = list(navigator.unit.preprocessed.units())
    if any(each.source_map.history.has_macro(word) for each in every):
        return False
    if not all(symbol.is_local for symbol in symbols) and any(
        find_word(text, word) >= 0 for each in every for text in (each.text, each.document.text.data)
    ):
        return False
    return all(_is_complete(navigator, each, word) for each in symbols)


def _is_complete(navigator: Navigator, symbol: SymbolId, new: bytes) -> bool:
    if symbol.space is NameSpace.MACRO:
        return True
    old = symbol.name.encode()
    for item in navigator.enclosing_items(symbol):
        text = item.group.fragment.preprocessed.text
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
