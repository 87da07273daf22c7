"""Local symbols declared in code that depends on a missing header; outside of it they are unknown."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.typing.symbols import Symbol, uncertain_symbol


class RangeSymbols:
    """The local symbols that were declared in doubtful token ranges of one item and are still known.

    If the code in such a range is compiled at all, its declarations are compiled too. After the range,
    another branch may have declared the names differently.
    """

    __slots__ = ("_ranges", "_symbols")

    def __init__(self, ranges: tuple[tuple[int, int], ...]) -> None:
        self._ranges = ranges
        self._symbols: list[tuple[int, dict[str, Symbol], Symbol]] = []

    def last_of(self, place: Place) -> int | None:
        """Returns the last token of the innermost range that overlaps a place; None if there is none."""
        return min(
            (last for first, last in self._ranges if first < place.last and place.first <= last), default=None
        )

    def add(self, symbol: Symbol, place: Place, scope: dict[str, Symbol]) -> None:
        """Registers a symbol that was bound in `scope`, if a doubtful range contains its declaration."""
        last = self.last_of(place)
        if last is not None:
            self._symbols.append((last, scope, symbol))

    def leave(self, token_index: int) -> None:
        """Replaces each symbol by an unknown one if its range ends before a token."""
        for each in [each for each in self._symbols if each[0] < token_index]:
            self._symbols.remove(each)
            _, scope, symbol = each
            if scope.get(symbol.name) is symbol:
                scope[symbol.name] = uncertain_symbol(symbol)
