"""Local symbols declared in code that depends on a missing header; after this code they are unknown."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.typing.symbols import Symbol, uncertain_symbol


class RangeSymbols:
    """The known local symbols whose declarations depend on a missing header.

    Such a declaration is in a token range that depends on the header. Within this range, the symbol is known,
    because the code there is compiled only together with the declaration. After the range, it is unknown:
    another branch may have declared the name differently.
    """

    __slots__ = ("_ranges", "_symbols")

    def __init__(self, ranges: tuple[tuple[int, int], ...]) -> None:
        self._ranges = ranges
        self._symbols: list[tuple[int, dict[str, Symbol], Symbol]] = []

    def last_of(self, place: Place) -> int | None:
        """Returns the last token of the innermost header-dependent range that overlaps `place`, or None."""
        return min(
            (last for first, last in self._ranges if first < place.last and place.first <= last), default=None
        )

    def add(self, symbol: Symbol, place: Place, scope: dict[str, Symbol]) -> None:
        """Registers a symbol bound in `scope`, if its declaration at `place` overlaps a header-dependent range."""
        last = self.last_of(place)
        if last is not None:
            self._symbols.append((last, scope, symbol))

    def leave(self, token_index: int) -> None:
        """Replaces the symbols whose ranges end before the token by unknown ones, which stay in scope."""
        for each in [each for each in self._symbols if each[0] < token_index]:
            self._symbols.remove(each)
            _, scope, symbol = each
            if scope.get(symbol.name) is symbol:
                scope[symbol.name] = uncertain_symbol(symbol)
