"""References in all files of a project, and the symbols of a project by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.left_out_names import find_left_out_occurrences
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role, SymbolId
from openclsp.ide.navigation.undeclared_names import (
    UnresolvedName,
    files_without_declaration,
    find_project_declarations,
    may_denote,
    unresolved_name_at,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.file_names import (
    DeclaredName,
    FileNames,
    decode_use,
)
from openclsp.workspace.name_index import ProjectNames

MAXIMUM_REFERENCES: Final = 20_000
"""The maximum number of references in one answer; those of the own program come first."""
MAXIMUM_PROJECT_SYMBOLS: Final = 512
"""The maximum number of symbols in one answer, the best matches first."""


def find_references(
    unit: TranslationUnit,
    document: str,
    offset: int,
    names: Callable[[], ProjectNames],
    units: Callable[[], Sequence[TranslationUnit]],
) -> list[Occurrence]:
    """Finds the occurrences in the project of the symbol at a byte of a document.

    The unit, and the units of other open documents (`units`), are analysed. In closed files that may include
    a declaration of the symbol, tokens with the same name count as occurrences. The index of names provides
    these tokens.
    """
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    if found is None:
        undeclared = unresolved_name_at(unit, document, offset)
        return [] if undeclared is None else _references_of_undeclared(undeclared, names())
    symbol = found.symbol
    occurrences = _all_occurrences(navigator, symbol)
    if symbol.is_local:
        return occurrences
    declared = [each for each in occurrences if each.role.declares]
    places = {(each.location.document, each.location.start): each for each in occurrences}
    known = set(unit.preprocessed.documents())
    for other in units():
        theirs = Navigator(other)
        same = next(
            (
                at.symbol
                for each in declared
                if (at := theirs.symbol_at(each.location.document, each.location.start)) is not None
            ),
            None,
        )
        for each in () if same is None else _all_occurrences(theirs, same):
            places.setdefault((each.location.document, each.location.start), each)
        known |= other.preprocessed.documents()
    found_places = list(places.values())
    documents = {each.location.document for each in declared or navigator.pasted_declarations(symbol)}
    word = symbol.name.encode()
    project = names()
    others = project.files_including(documents, known)
    if symbol.space is not NameSpace.MEMBER:
        others = chain(others, files_without_declaration(symbol.name, documents, project))
    for path, file in others:
        if path not in known:
            found_places += _uses_in(path, file, word, symbol)
            if len(found_places) > MAXIMUM_REFERENCES:
                break
    return found_places[:MAXIMUM_REFERENCES]


def _references_of_undeclared(found: UnresolvedName, project: ProjectNames) -> list[Occurrence]:
    """Returns the uses of a name that its program does not declare.

    The uses are in the files that declare the name, in the files that include these, and in files that use
    the name without a declaration.
    """
    symbol = SymbolId(NameSpace.TAG if found.is_tag else NameSpace.ORDINARY, found.name)
    documents = {each.location.document for each in find_project_declarations(found, project)}
    if not documents:
        return []
    files = {path: project.index.names_of(path, project.opened) for path in documents}
    files |= dict(project.files_including(documents))
    files |= dict(files_without_declaration(found.name, documents, project))
    word = found.name.encode()
    every = (
        each
        for path, file in files.items()
        if file is not None
        for each in _uses_in(path, file, word, symbol)
    )
    return list(islice(every, MAXIMUM_REFERENCES))


def _all_occurrences(navigator: Navigator, symbol: SymbolId) -> list[Occurrence]:
    occurrences = navigator.occurrences(symbol, with_invocations=True)
    return [*occurrences, *find_left_out_occurrences(navigator, symbol)]


def _uses_in(path: str, file: FileNames, word: bytes, symbol: SymbolId) -> Iterator[Occurrence]:
    declarations: dict[int, DeclaredName] | None = None
    for use in file.uses.get(word, ()):
        start, flags = decode_use(use)
        if not may_denote(flags, symbol.space):
            continue
        if declarations is None:
            declarations = {each.start: each for each in file.declared if each.name == symbol.name}
        location = Location(path, start, start + len(word))
        declaration = declarations.get(start)
        role = Role.READ
        if declaration is not None:
            role = Role.DEFINITION if declaration.is_definition else Role.DECLARATION
        yield Occurrence(location, role, location)


@dataclass(frozen=True, slots=True)
class ProjectSymbol:
    """A declaration at program scope in a file of the project."""

    path: str
    declared: DeclaredName
    names: FileNames


def find_project_symbols(names: ProjectNames, query: str) -> list[ProjectSymbol]:
    """Finds the declarations of a project whose names match a query, the best matches first.

    The letters of the query must occur in the name in this order; case is ignored. Among equal names,
    definitions come first.
    """
    wanted = query.strip().lower()
    found: list[tuple[int, int, str, int, str, ProjectSymbol]] = []
    for path, file in names.every_file():
        for each in file.declared:
            score = match_score(wanted, each.name)
            if score is not None:
                symbol = ProjectSymbol(path, each, file)
                found.append((score, len(each.name), each.name, not each.is_definition, path, symbol))
    found.sort(key=lambda each: each[:5])
    return [each[5] for each in found[:MAXIMUM_PROJECT_SYMBOLS]]


def match_score(query: str, name: str) -> int | None:
    """Returns the penalty for a name that matches a lower-case query; None if it does not match.

    The penalty is 0 if the query is the whole name. It rises in this order: the query is a prefix of the
    name, starts at the beginning of a word, is another substring, or has other letters between its own.
    """
    lower = name.lower()
    if lower == query:
        return 0
    if lower.startswith(query):
        return 1
    at = lower.find(query)
    if at >= 0:
        return 2 if not name[at - 1].isalpha() or (name[at].isupper() and name[at - 1].islower()) else 3
    position = gaps = 0
    for letter in query:
        following = lower.find(letter, position)
        if following < 0:
            return None
        gaps += following > position
        position = following + 1
    return 4 + gaps
