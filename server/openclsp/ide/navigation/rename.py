"""Renames a symbol in all programs that share its declaration, unless that would change their meaning."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.left_out_names import find_left_out_occurrences
from openclsp.ide.navigation.macro_names import definitions_in, raw_name_at
from openclsp.ide.navigation.resolution import FoundSymbol, Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role, SymbolId
from openclsp.ide.navigation.token_places import documents_of
from openclsp.ide.navigation.undeclared_names import is_built_in
from openclsp.ide.navigation.unseen_names import is_unseen_name
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.token_meanings import word_meanings
from openclsp.source.lexer import words
from openclsp.source.text import Text

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_MAXIMUM_NAME: Final = 1_000
"""The maximum length of a new name."""

_MAXIMUM_JOINED_SYMBOLS: Final = 64
"""The maximum number of symbols that are renamed together."""

_FORMED: Final = "a macro forms the name `{}` with `##`, or a build option holds it"

Places = dict[str, tuple[int, ...]]
"""By document, the bytes at which the name begins, in ascending order."""


@dataclass(frozen=True, slots=True)
class RenameRefusal:
    """The reason why a name cannot be renamed, as a sentence for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class RenameableName:
    """A name that can be renamed, and the location of the occurrence under the cursor."""

    name: str
    location: Location


@dataclass(frozen=True, slots=True)
class RenameEdits:
    """The places in all documents at which the name `old` is to be replaced by `new`."""

    old: str
    new: str
    places: Places


def prepare_rename(
    unit: TranslationUnit, document: str, offset: int, is_ours: Callable[[str], bool]
) -> RenameableName | RenameRefusal:
    """Returns the name at a byte of a document, or the reason why it cannot be renamed.

    `is_ours` returns whether a document belongs to the project.
    """
    navigator = Navigator(unit)
    found = _renameable(navigator, document, offset, is_ours)
    return found if isinstance(found, RenameRefusal) else RenameableName(found.symbol.name, found.location)


def _renameable(
    navigator: Navigator, document: str, offset: int, is_ours: Callable[[str], bool]
) -> FoundSymbol | RenameRefusal:
    unit = navigator.unit
    found = navigator.symbol_at(document, offset)
    if found is None:
        return RenameRefusal(_describe_no_symbol(unit, document, offset))
    name = found.symbol.name
    if found.symbol.space is NameSpace.MACRO:
        if found.macro is not None and found.macro.document is None and not found.macro.unsettled:
            return RenameRefusal(f"`{name}` is defined by a build option or by the compiler")
        if not navigator.declarations(found.symbol):
            return RenameRefusal(f"`{name}` is not defined in a file: the host may define it")
        return found
    declared = navigator.declarations(found.symbol)
    if not declared:
        pasted = navigator.has_pasted_use(found.symbol)
        reason = _FORMED.format(name) if pasted else f"the declaration of `{name}` has no place in a file"
        return RenameRefusal(reason)
    outside = next((each for each in declared if not is_ours(each.location.document)), None)
    if outside is not None:
        return RenameRefusal(f"`{name}` is declared in `{outside.location.document}`, outside of the project")
    return found


def _describe_no_symbol(unit: TranslationUnit, document: str, offset: int) -> str:
    for each in documents_of(unit, document):
        name = raw_name_at(each, offset)
        if name is not None:
            text = name.name.decode("utf-8", "replace")
            if is_built_in(unit, text):
                return f"`{text}` is part of OpenCL C"
            return f"the declaration of `{text}` is unknown"
    return "there is no name here"


def compute_rename(
    unit: TranslationUnit,
    document: str,
    offset: int,
    new: str,
    is_ours: Callable[[str], bool],
    other_units: Callable[[SymbolId, Sequence[str]], Sequence[TranslationUnit] | RenameRefusal],
) -> RenameEdits | RenameRefusal:
    """Computes the places to edit so that the name at a byte of a document becomes `new`.

    `is_ours` returns whether a document belongs to the project. `other_units` returns the other programs that
    include a document in which the symbol is declared. Unless `is_unseen_name` shows that the new name is
    safe, a program is analysed again with the edits: every edited occurrence must denote the renamed symbol,
    and no other occurrence may denote it.
    """
    navigator = Navigator(unit)
    found = _renameable(navigator, document, offset, is_ours)
    if isinstance(found, RenameRefusal):
        return found
    old = found.symbol.name
    fault = _name_fault(unit, found.symbol, new)
    if fault:
        return RenameRefusal(fault)
    if new == old:
        return RenameEdits(old, new, {})
    declared = navigator.declarations(found.symbol)
    units = [unit]
    if not found.symbol.is_local:
        others = other_units(found.symbol, sorted({each.location.document for each in declared}))
        if isinstance(others, RenameRefusal):
            return others
        units += others
    edited: list[tuple[Navigator, SymbolId, set[tuple[str, int]]]] = []
    every: set[tuple[str, int]] = set()
    for each in units:
        own = navigator if each is unit else Navigator(each)
        symbol = found.symbol if each is unit else _same_symbol(own, declared)
        if symbol is None:
            continue
        group = _joined_symbols(own, symbol)
        if isinstance(group, RenameRefusal):
            return group
        places = _places(group)
        if not _are_spelled(each, places, old.encode()):
            is_template = "$" in old
            why = (
                "is completed by a template"
                if is_template
                else "continues on the next line, after a backslash"
            )
            return RenameRefusal(f"`{old}` {why}")
        every |= places
        if not is_unseen_name(own, group.keys(), new, places):
            edited.append((own, symbol, places))
    outside = next((name for name, _ in sorted(every) if not is_ours(name)), None)
    if outside is not None:
        return RenameRefusal(f"`{old}` is used in `{outside}`, outside of the project")
    edits = RenameEdits(old, new, _by_document(every))
    for own, symbol, places in edited:
        conflict = _conflict(own, symbol, places, edits)
        if conflict:
            return RenameRefusal(conflict)
    return edits


def _name_fault(unit: TranslationUnit, symbol: SymbolId, new: str) -> str:
    """Returns the reason why a text cannot be the new name of a symbol; empty if it can."""
    if _IDENTIFIER.match(new) is None or len(new) > _MAXIMUM_NAME:
        return f"`{new[:80]}` is not an identifier"
    shares_scope = symbol.enclosing_item is None and symbol.space is not NameSpace.TAG
    if new.encode() in word_meanings(unit.dialect) or (shares_scope and is_built_in(unit, new)):
        return f"`{new}` is part of OpenCL C"
    if new == "defined":
        return "`defined` is an operator of the preprocessor"
    return ""


def _same_symbol(navigator: Navigator, declared: Iterable[Occurrence]) -> SymbolId | None:
    """Returns the symbol of the navigator's unit that corresponds to a symbol of another unit.

    `declared` contains the declarations in the other unit. The result is the symbol at the first of these
    places where the navigator finds one; None if it finds none.
    """
    for each in declared:
        found = navigator.symbol_at(each.location.document, each.location.start)
        if found is not None:
            return found.symbol
    return None


def _by_document(places: Iterable[tuple[str, int]]) -> Places:
    found: dict[str, list[int]] = {}
    for document, start in sorted(places):
        found.setdefault(document, []).append(start)
    return {document: tuple(starts) for document, starts in found.items()}


def _joined_symbols(
    navigator: Navigator, symbol: SymbolId
) -> dict[SymbolId, list[Occurrence]] | RenameRefusal:
    """Returns the symbols that must be renamed together, with their occurrences; or the reason for a refusal.

    Symbols must be renamed together if a name at one place denotes all of them. This can be a name in the
    body of a macro that defines functions, because each expansion declares other symbols. It can also be a
    name in a header that is included several times.
    """
    bodies = _Bodies(navigator)
    found: dict[SymbolId, list[Occurrence]] = {}
    if symbol.space is NameSpace.MACRO:
        return {symbol: navigator.occurrences(symbol)}
    known, waiting = {symbol}, [symbol]
    seen: set[tuple[str, int]] = set()
    while waiting:
        each = waiting.pop()
        if navigator.has_pasted_use(each):
            return RenameRefusal(_FORMED.format(each.name))
        found[each] = [*navigator.occurrences(each), *find_left_out_occurrences(navigator, each)]
        places = [(at.location.document, at.location.start) for at in found[each]]
        for place in places:
            if place in seen:
                continue
            seen.add(place)
            new = set(bodies.meanings_at(*place)) - known
            known |= new
            waiting += new
            # a macro may be defined again only by the same text (C99 6.10.3)
            for start in bodies.repetitions(*place):
                if (place[0], start) not in seen:
                    location = Location(place[0], start, start + len(each.name.encode()))
                    found[each].append(Occurrence(location, Role.READ, location))
                    places.append((place[0], start))
        if len(known) > _MAXIMUM_JOINED_SYMBOLS:
            return RenameRefusal(f"a macro uses `{each.name}` for too many different symbols")
    return found


class _Bodies:
    """The definitions of macros in the documents of a unit."""

    def __init__(self, navigator: Navigator) -> None:
        self._navigator = navigator
        self._lines: dict[str, list[tuple[int, int]]] = {}
        self._by_text: dict[str, dict[bytes, list[int]]] = {}

    def meanings_at(self, document: str, start: int) -> Iterator[SymbolId]:
        """Yields the symbols that the name at a place denotes.

        A name in a macro's body, or in a header that is included repeatedly, can denote several symbols.
        """
        every = documents_of(self._navigator.unit, document)
        if self._definition_around(document, start) is not None:
            for preprocessed in every:
                name = raw_name_at(preprocessed, start)
                if name is not None and name.is_in_body:
                    yield from (use.symbol for use in self._navigator.meanings_of_body(document, name))
                    return
        if len(every) > 1:
            yield from self._navigator.symbols_at(document, start)

    def repetitions(self, document: str, start: int) -> Iterator[int]:
        """Yields the offsets that correspond to `start` in repetitions of a macro definition.

        These are the document's other macro definitions with the same text as the one around `start`. Yields
        nothing if `start` is not in a macro definition.
        """
        line = self._definition_around(document, start)
        if line is None:
            return
        data = self._data(document)
        if document not in self._by_text:
            by_text = self._by_text[document] = {}
            for first, last in self._lines[document]:
                by_text.setdefault(data[first:last].strip(), []).append(_first_mark(data, first))
        begin = _first_mark(data, line[0])
        for other in self._by_text[document][data[line[0] : line[1]].strip()]:
            if other != begin:
                yield other + start - begin

    def _definition_around(self, document: str, start: int) -> tuple[int, int] | None:
        if document not in self._lines:
            self._lines[document] = list(definitions_in(self._data(document)))
        lines = self._lines[document]
        line = bisect_right(lines, (start, start)) - 1
        return lines[line] if line >= 0 and start < lines[line][1] else None

    def _data(self, document: str) -> bytes:
        every = documents_of(self._navigator.unit, document)
        return every[0].document.text.data if every else b""


def _first_mark(data: bytes, start: int) -> int:
    """Returns the offset of a directive's `#`: the first byte from `start` on that is no white space."""
    while data[start : start + 1].isspace():
        start += 1
    return start


def _places(occurrences: Mapping[SymbolId, Iterable[Occurrence]]) -> set[tuple[str, int]]:
    """Returns the places of the occurrences, each as a document and a byte offset."""
    return {(each.location.document, each.location.start) for some in occurrences.values() for each in some}


def _are_spelled(unit: TranslationUnit, places: Collection[tuple[str, int]], name: bytes) -> bool:
    """Whether the documents spell the name at all places without a line continuation inside the name."""
    texts = {document: unit.document_named(document) for document, _ in places}
    return all(
        read is None or read.text.data.startswith(name, start)
        for read, start in ((texts[document], start) for document, start in places)
    )


def edited_text(text: Text, edits: RenameEdits, document: str) -> Text:
    """Returns the text of a document after the edits."""
    pieces: list[bytes] = []
    done = 0
    for start in edits.places.get(document, ()):
        pieces += [text.data[done:start], edits.new.encode()]
        done = start + len(edits.old.encode())
    pieces.append(text.data[done:])
    return Text.of(b"".join(pieces))


def _conflict(before: Navigator, symbol: SymbolId, places: set[tuple[str, int]], edits: RenameEdits) -> str:
    """Returns the reason why the edited program would have another meaning; empty if there is none.

    `before` resolves the names of the program without the edits.
    """
    unit = before.unit
    texts: dict[str, Text] = {}
    for name in edits.places:
        document = unit.document_named(name) if name in unit.preprocessed.documents() else None
        if document is not None:
            texts[name] = edited_text(document.text, edits, name)
    clashes = before.repeated_declarations(edits.old) + before.repeated_declarations(edits.new)
    moved = {(name, _moved(edits, name, start)) for name, start in places}
    words_before = [words(each.text) for each in unit.preprocessed.with_included()]
    # The unit itself is edited: a new unit would type every function, this one types those with the name.
    with unit.with_edits(texts):
        navigator = Navigator(unit)
        at_places = (navigator.symbol_at(name, start) for name, start in sorted(moved))
        found = next((each for each in at_places if each is not None), None)
        if found is None or found.symbol.space is not symbol.space:
            return f"`{edits.new}` already denotes something else"
        group = _joined_symbols(navigator, found.symbol)
        after = set() if isinstance(group, RenameRefusal) else _places(group)
        if after != moved:
            return f"`{edits.new}` already denotes something else where `{edits.old}` is used or declared"
        words_after = [words(each.text) for each in unit.preprocessed.with_included()]
        if not _are_same_words(words_before, words_after, edits):
            return f"a macro forms another name from `{edits.old}`"
        if navigator.repeated_declarations(edits.new) > clashes:
            return f"`{edits.new}` is already declared in the same scope"
    return ""


def _are_same_words(before: list[list[bytes]], after: list[list[bytes]], edits: RenameEdits) -> bool:
    """Whether the words of the texts before and after the edits differ only in the renamed name."""
    change = edits.old.encode(), edits.new.encode()
    return [len(each) for each in before] == [len(each) for each in after] and all(
        one == other or (one, other) == change
        for some, others in zip(before, after, strict=True)
        for one, other in zip(some, others, strict=True)
    )


def _moved(edits: RenameEdits, document: str, start: int) -> int:
    """Returns the offset of an edited name in the text after all edits."""
    before = bisect_left(edits.places.get(document, ()), start)
    return start + before * (len(edits.new.encode()) - len(edits.old.encode()))
