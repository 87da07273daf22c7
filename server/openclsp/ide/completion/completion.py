"""Completion: the names valid at the cursor, determined from the text before it.

Names are filtered by the typed prefix before anything else is computed. The signature and description of a
built-in function are computed only if the client resolves the item (`resolve_completion`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.ide.completion.cursor_scope import CursorScope, compute_cursor_scope
from openclsp.ide.completion.predefined_names import DIRECTIVES, NameKind, predefined_names_of
from openclsp.ide.completion.unfinished_code import PLACEHOLDER, is_in_comment_or_literal
from openclsp.language.builtin_functions.descriptions import description
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS, ORDER
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.items.fragment import Fragment
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import Pointer, Record, Type, Vector, spell, vector
from openclsp.semantics.types.type_structure import decayed
from openclsp.source.preprocessed import Preprocessed

MAXIMUM_CANDIDATES = 100
"""The maximum number of candidates; if there are more, the list is marked as incomplete."""

_WORD = re.compile(rb"(?<!\w)[A-Za-z_]\w*\Z")
_NUMBER = re.compile(rb"(?<![\w.])\.?[0-9][\w.]*\Z")
_MEMBER = re.compile(rb"(\.|->)\s*\Z")
_DIRECTIVE = re.compile(rb"\s*#\s*(\w*)")
_CONDITIONS = (b"if", b"elif", b"ifdef", b"ifndef", b"undef")
_AFTER_ALL_ITEMS: ItemKey = ("", "", 0)
_LETTERS = "xyzw"


@dataclass(frozen=True, slots=True)
class CompletionCandidate:
    """A completion candidate.

    `detail` is its declaration if that is already known. `is_resolvable` is whether `resolve_completion` adds
    information. `needs_arrow` is whether the `.` before the cursor must be replaced by `->`.
    """

    name: str
    kind: NameKind
    detail: str = ""
    is_resolvable: bool = False
    needs_arrow: bool = False


@dataclass(frozen=True, slots=True)
class CompletionList:
    """The candidates, best first, for the word that starts at byte `start`.

    `incomplete` if there are more.
    """

    candidates: tuple[CompletionCandidate, ...]
    start: int
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class CompletionDetails:
    """The resolved details of a candidate: its declaration and documentation."""

    detail: str
    text: str = ""


def compute_completions(unit: TranslationUnit, document: str, offset: int) -> CompletionList:
    """Computes the completions at a byte offset of a document; none in comments, literals and numbers."""
    nothing = CompletionList((), offset)
    fragment = next((f for f in unit.fragments() if f.preprocessed.document.name == document), None)
    if fragment is None:
        return nothing
    preprocessed = fragment.preprocessed
    text, code = preprocessed.document.text, preprocessed.code.text
    row = text.line_of(offset)
    row_start = text.line_start(row)
    line = code.data[row_start:offset]
    mapped = preprocessed.source_map.rows[row] if row < len(preprocessed.source_map.rows) else None
    opened = mapped is not None and mapped.comment
    # `code` is the text that is preprocessed. If it differs from the document before the cursor on this line,
    # the offset cannot be used in it.
    if line != text.data[row_start:offset] or _NUMBER.search(line):
        return nothing
    if is_in_comment_or_literal(code.line(row), offset - row_start, opened):
        return nothing
    typed = _WORD.search(line)
    word = typed[0].decode() if typed is not None else ""
    start = offset - len(word)
    before = line[: len(line) - len(word)]
    directive = _DIRECTIVE.match(line)
    member = _MEMBER.search(before)
    # a sentinel item after all others: from it, every declaration at program scope is visible
    unit.engine.set(ORDER, _AFTER_ALL_ITEMS, 1 << 100)
    wanted = _PrefixFilter.of(word)
    found: Iterable[CompletionCandidate]
    if directive is not None and not opened:
        found = _directive_candidates(unit, preprocessed, directive[1], directive.end() == len(line), wanted)
    elif mapped is not None and mapped.blank:
        found = (
            ()
            if member is not None
            else _program_scope_candidates(unit, preprocessed, _AFTER_ALL_ITEMS, wanted)
        )
    else:
        key, seen = _scope_at_cursor(unit, fragment, row, before)
        if member is not None:
            found = (
                ()
                if seen is None
                else wanted.filter_candidates(_member_candidates(seen, arrow=member[1] == b"->"))
            )
        else:
            near = wanted.filter_candidates((*_local_candidates(seen), *_own_candidates(seen)))
            found = (*near, *_program_scope_candidates(unit, preprocessed, key, wanted))
    return _rank_candidates(found, word, start)


class _PrefixFilter(NamedTuple):
    """The filter for the typed prefix.

    A name matches if it contains the typed letters in order and starts with the first one. Without a prefix,
    all names match that do not start with an underscore.
    """

    initial: str
    matches: Callable[[str], bool]

    @staticmethod
    def of(word: str) -> _PrefixFilter:
        if not word:
            return _PrefixFilter("", lambda name: not name.startswith("_"))
        letters = word.lower()
        return _PrefixFilter(letters[0], lambda name: _has_in_order(name.lower(), letters))

    def filter_candidates(self, candidates: Iterable[CompletionCandidate]) -> Iterator[CompletionCandidate]:
        return (each for each in candidates if self.matches(each.name))


def _has_in_order(name: str, letters: str) -> bool:
    """Whether a name starts with the first of these letters and contains the others after it, in order."""
    if not name.startswith(letters[0]):
        return False
    rest = iter(name)
    return all(letter in rest for letter in letters)


def _directive_candidates(
    unit: TranslationUnit, preprocessed: Preprocessed, name: bytes, naming: bool, wanted: _PrefixFilter
) -> Iterable[CompletionCandidate]:
    if naming:
        return wanted.filter_candidates(CompletionCandidate(word, NameKind.KEYWORD) for word in DIRECTIVES)
    if name in _CONDITIONS:
        defined = CompletionCandidate("defined", NameKind.KEYWORD)
        return (*wanted.filter_candidates((defined,)), *_macro_candidates(preprocessed, wanted))
    return (
        _program_scope_candidates(unit, preprocessed, _AFTER_ALL_ITEMS, wanted) if name == b"define" else ()
    )


def _scope_at_cursor(
    unit: TranslationUnit, fragment: Fragment, row: int, before: bytes
) -> tuple[ItemKey, CursorScope | None]:
    """Returns the item at the cursor and the scope at the cursor.

    The scope is computed from the macro-expanded text of the lines before the cursor's line and the line
    itself as written.
    """
    row_start = fragment.preprocessed.source_map.lines.start(row)
    groups = fragment.groups
    at = max(bisect_right(groups, row_start + len(before), key=lambda group: group.start) - 1, 0)
    key, start = _AFTER_ALL_ITEMS, row_start
    if groups:
        start = min(groups[at].start, row_start)
        inside = [item for item in groups[at].items if item.start <= row_start + len(before)]
        following = (item.key for group in groups[at + 1 :] for item in group.items)
        key = inside[-1].key if inside else next(following, _AFTER_ALL_ITEMS)
    text = fragment.preprocessed.text[start:row_start] + before
    return key, compute_cursor_scope(unit, key, text)


def _local_candidates(seen: CursorScope | None) -> Iterator[CompletionCandidate]:
    """Local names, the last declared first: among equal names, lookup finds that one."""
    for entity in reversed(seen.locals) if seen is not None else ():
        yield CompletionCandidate(entity.name, _kind(entity), spell(entity.type, entity.name))


def _own_candidates(seen: CursorScope | None) -> Iterator[CompletionCandidate]:
    """Names that the item at the cursor declares at program scope: a function is in scope in its own body."""
    for name, symbol in seen.context.program_symbols.items() if seen is not None else ():
        if name != PLACEHOLDER:
            kind = NameKind.FUNCTION if symbol.kind is EntityKind.FUNCTION else NameKind.VARIABLE
            yield CompletionCandidate(name, kind, spell(symbol.type, name))


def _kind(entity: Entity) -> NameKind:
    return {
        EntityKind.PARAMETER: NameKind.PARAMETER,
        EntityKind.TYPEDEF: NameKind.TYPE,
        EntityKind.ENUMERATOR: NameKind.CONSTANT,
    }.get(entity.kind, NameKind.VARIABLE)


def _member_candidates(seen: CursorScope, *, arrow: bool) -> Iterator[CompletionCandidate]:
    base = decayed(seen.operand_type) if seen.operand_type is not None else None
    pointed = isinstance(base, Pointer)
    container: Type | None = base.pointee if isinstance(base, Pointer) else base
    if arrow and not pointed:
        return
    amend = pointed and not arrow
    if isinstance(container, Record):
        for each in seen.context.members(container) or ():
            yield CompletionCandidate(
                each.name, NameKind.MEMBER, spell(each.type, each.name), needs_arrow=amend
            )
    elif isinstance(container, Vector):
        for name, width in _components(container.width):
            type_ = container.element if width == 1 else vector(container.element, width)
            yield CompletionCandidate(name, NameKind.MEMBER, spell(type_, name), needs_arrow=amend)


def _components(width: int) -> Iterator[tuple[str, int]]:
    """The components of a vector and its halves, each with its number of elements (OpenCL C 6.3.7)."""
    yield from ((letter, 1) for letter in _LETTERS[:width])
    half = 2 if width == 3 else width // 2
    yield from ((name, half) for name in ("lo", "hi", "even", "odd"))
    yield from ((f"s{number:x}", 1) for number in range(width))


def _program_scope_candidates(
    unit: TranslationUnit, preprocessed: Preprocessed, key: ItemKey, wanted: _PrefixFilter
) -> Iterator[CompletionCandidate]:
    """Names declared at program scope before the item, in order, then macros, then keywords and built-ins."""
    order = unit.engine.read(ORDER, key)
    declared = []
    for name in filter(wanted.matches, unit.declared_names()):
        declarers = unit.engine.read(DECLARERS, name)
        if declarers and declarers[0][0] < order and " " not in name:
            declared.append((declarers[0][0], name, declarers[0][1]))
    for _, name, declarer in sorted(declared):
        yield CompletionCandidate(name, _declared_kind(declarer), is_resolvable=True)
    yield from _macro_candidates(preprocessed, wanted)
    words = predefined_names_of(unit.dialect)
    for initial in (wanted.initial,) if wanted.initial else words:
        for word in words.get(initial, ()):
            if wanted.matches(word.name):
                yield CompletionCandidate(word.name, word.kind, is_resolvable=word.kind is NameKind.FUNCTION)


def _macro_candidates(preprocessed: Preprocessed, wanted: _PrefixFilter) -> Iterator[CompletionCandidate]:
    initial = wanted.initial.encode()
    for name in sorted(preprocessed.macros):
        if name[:1].lower() == initial or not initial:
            word = name.decode("utf-8", "replace")
            if wanted.matches(word):
                yield CompletionCandidate(word, NameKind.MACRO)


def _declared_kind(key: ItemKey) -> NameKind:
    if key[0] == "type_definition":
        return NameKind.TYPE
    return NameKind.FUNCTION if key[0] == "function_definition" else NameKind.VARIABLE


def _rank_candidates(found: Iterable[CompletionCandidate], word: str, start: int) -> CompletionList:
    """Removes duplicates and ranks the names.

    Names that start with the word come first; otherwise the given order is kept.
    """
    once: dict[str, CompletionCandidate] = {}
    for each in found:
        once.setdefault(each.name, each)
    folded = word.lower()

    def distance(each: CompletionCandidate) -> int:
        if each.name.startswith(word):
            return 0
        return 1 if each.name.lower().startswith(folded) else 2

    best = sorted(once.values(), key=distance)
    return CompletionList(tuple(best[:MAXIMUM_CANDIDATES]), start, len(best) > MAXIMUM_CANDIDATES)


def resolve_completion(unit: TranslationUnit, name: str) -> CompletionDetails | None:
    """Resolves a completion item.

    Returns the declaration of the name, or a built-in function's signature and description. The declaration
    is the last one of the program. None if the name is unknown.
    """
    declarers: tuple[tuple[int, ItemKey], ...] = unit.engine.read(DECLARERS, name)
    for _, key in reversed(declarers):
        symbol = unit.engine.get(EXPORTS, key).symbols.get(name)
        if symbol is not None:
            return CompletionDetails(spell(symbol.type, name))
    overloads = overloads_of(name, unit.dialect)
    text = description(name)
    if not overloads:
        return CompletionDetails("", text) if text else None
    more = f" (+{len(overloads) - 1} overloads)" if len(overloads) > 1 else ""
    return CompletionDetails(spell(overloads[0], name) + more, text)
