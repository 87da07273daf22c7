"""Finds names in skipped text: inactive branches, and macro arguments that are not expanded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.macro_names import RawName, is_unused_argument, names_macro, raw_name_at
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role, SymbolId
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.word_search import word_starts
from openclsp.workspace.file_names import decode_use, extract_file_names

_TAG_WORDS: Final = (b"struct", b"union", b"enum")
_MAXIMUM_ROWS_BETWEEN: Final = 8
"""The maximum number of rows between a function and an inactive branch with another head of it."""
_NAMELESS_DIRECTIVES: Final = (
    b"if",
    b"elif",
    b"ifdef",
    b"ifndef",
    b"undef",
    b"include",
    b"import",
    b"line",
    b"error",
    b"warning",
    b"pragma",
)
"""Directives in which a word denotes a macro or nothing"""


def find_left_out_occurrences(navigator: Navigator, symbol: SymbolId) -> Iterator[Occurrence]:
    """Yields the occurrences of a symbol's name in skipped text that can denote the symbol.

    Skipped text declares nothing. A name denotes a symbol if its spelling is equal and the surrounding code
    does not hide the symbol, for example by a local variable of the same name. Members are not searched for,
    because the type of the object is unknown. Macros are not searched for either, because `macro_occurrences`
    finds them in inactive branches too.
    """
    if symbol.space in (NameSpace.MEMBER, NameSpace.MACRO):
        return
    seen: set[str] = set()
    for part in navigator.unit.parts():
        preprocessed = part.preprocessed
        document = preprocessed.document
        if document.name in seen:
            continue
        seen.add(document.name)
        for start in _spellings(navigator, preprocessed, symbol):
            name = raw_name_at(preprocessed, start)
            if name is None or name.start != start or not _may_denote(name, symbol.space):
                continue
            if name.macro is not None and names_macro(preprocessed, name):
                continue
            if _is_in_scope(navigator, part, start, symbol):
                location = Location(document.name, start, name.end)
                yield Occurrence(location, Role.READ, location)


def _spellings(navigator: Navigator, preprocessed: Preprocessed, symbol: SymbolId) -> Iterator[int]:
    """Yields the bytes at which skipped text contains the name of a symbol.

    For a symbol that is not local, the search omits functions in inactive branches that declare the name
    themselves. The name index omits such functions in the same way.
    """
    text, word = preprocessed.document.text, symbol.name.encode()
    for first, last in preprocessed.inactive:
        begin, end = text.line_start(first), text.line_start(last)
        found = list(word_starts(text.data, word, begin, end))
        if found and not symbol.is_local:
            uses = extract_file_names(text.data[begin:end]).uses.get(word, ())
            shared = {begin + decode_use(each)[0] for each in uses}
            found = [start for start in found if start in shared]
        yield from found
    for begin, end in _ranges_of_uses(navigator, preprocessed, symbol):
        for start in word_starts(text.data, word, begin, end):
            if is_unused_argument(preprocessed, start, word):
                yield start


def _ranges_of_uses(
    navigator: Navigator, preprocessed: Preprocessed, symbol: SymbolId
) -> Iterator[tuple[int, int]]:
    """Yields the byte ranges of a document in which active code can use a symbol.

    For a local symbol, this is its function. With 900 uses of the same name in 5,000 lines, this saves 1.7 of
    2 ms.
    """
    text = preprocessed.document.text
    if not symbol.is_local:
        yield 0, len(text.data)
        return
    for item in navigator.enclosing_items(symbol):
        own = item.group.part.preprocessed
        if own.document.name != preprocessed.document.name:
            continue
        lines, rows = own.source_map.lines, own.source_map.rows
        last = lines.find(item.start + item.length)
        # the arguments of a macro continue on further rows, and its expansion is in the first one
        while last + 1 < len(rows) and (mapped := rows[last + 1]) is not None and mapped.home:
            last += 1
        yield text.line_start(lines.find(item.start)), text.line_end(last)


def _may_denote(name: RawName, space: NameSpace) -> bool:
    if name.is_parameter or name.is_definition or name.directive in _NAMELESS_DIRECTIVES:
        return False
    before = name.tokens[name.index - 1][1] if name.index else b""
    after = name.tokens[name.index + 1][1] if name.index + 1 < len(name.tokens) else b""
    if space is NameSpace.LABEL:
        return before == b"goto" or (after == b":" and before in (b"", b";", b"{", b"}"))
    if space is NameSpace.TAG:
        return before in _TAG_WORDS
    return before not in (b".", b"->", b"goto", *_TAG_WORDS)


def _is_in_scope(navigator: Navigator, part: UnitPart, start: int, symbol: SymbolId) -> bool:
    """Whether a name in skipped text can denote a symbol, according to the scopes of the surrounding item."""
    document = part.preprocessed.document
    around = _item_around(part, document.text.line_of(start))
    if around is None:
        return not symbol.is_local
    if symbol.space is not NameSpace.ORDINARY:
        return not symbol.is_local or around.key == symbol.enclosing_item
    nearest = navigator.use_in_scope(around, symbol.name, start)
    return not symbol.is_local if nearest is None else nearest.symbol == symbol


def _item_around(part: UnitPart, row: int) -> Item | None:
    """Returns the item that contains line `row`; None if there is none.

    An inactive branch directly before a function belongs to it if the branch contains another head of the
    function. An example is the first branch in `#ifdef A`, `void f(int x)`, `#else`, `void f(long x)`, `#endif`,
    `{ … }`, if `A` is not defined.
    """
    lines = part.preprocessed.source_map.lines
    before = bisect_right(part.groups, lines.start(row), key=lambda group: group.start) - 1
    for group in part.groups[max(before, 0) : before + 3]:
        for item in group.items:
            if row <= lines.find(item.start + item.length):
                first = lines.find(item.start)
                return item if row >= first or _is_alternative(part.preprocessed, row, first) else None
    return None


def _is_alternative(preprocessed: Preprocessed, row: int, first: int) -> bool:
    """Whether the inactive branch around line `row` contains another head of the function in line `first`."""
    text = preprocessed.document.text
    begin, end = next((each for each in preprocessed.inactive if each[0] <= row < each[1]), (row, row))
    branch = text.data[text.line_start(begin) : text.line_start(end)]
    return (
        end <= first <= end + _MAXIMUM_ROWS_BETWEEN
        and b"}" not in branch
        and b";" not in branch
        and all(text.line(each).lstrip()[:1] in (b"", b"#") for each in range(end, first))
    )
