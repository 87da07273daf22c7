"""Finds the declarations of names that the program uses but does not declare, in other files of the project.

A host often concatenates files before it builds them, so that one file uses names of another one that
it does not include. Usually it is unknown which files the host concatenates; therefore all files of a folder
count as parts of one program.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.definitions import Destinations
from openclsp.ide.navigation.macro_names import is_inactive, raw_name_at
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role
from openclsp.ide.navigation.token_places import documents_of
from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.language.builtin_types import predeclared_constants
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.token_meanings import word_meanings
from openclsp.workspace.file_names import DIRECTIVE, MEMBER, TAG, DeclaredKind, FileNames, decode_use
from openclsp.workspace.name_index import ProjectNames

_MAXIMUM_DECLARATIONS: Final = 64
"""The maximum number of declarations to which an undeclared name leads."""
_TAG_WORDS: Final = (b"struct", b"union", b"enum")
_TAGGED: Final = (DeclaredKind.STRUCT, DeclaredKind.ENUM)


@dataclass(frozen=True, slots=True)
class UnresolvedName:
    """A name in active code that its program does not declare. `is_tag` is whether it is a tag."""

    name: str
    location: Location
    is_tag: bool


def is_built_in(unit: TranslationUnit, name: str) -> bool:
    """Whether a name is built into OpenCL C."""
    return (
        name.encode() in word_meanings(unit.dialect)
        or is_builtin_function_name(name)
        or name in predeclared_constants(unit.dialect)
    )


def unresolved_name_at(unit: TranslationUnit, document: str, offset: int) -> UnresolvedName | None:
    """Returns the undeclared name at a byte of a document, or just before it.

    None for members and labels, and in comments, literals, directives and inactive branches.
    """
    for each in documents_of(unit, document):
        found = raw_name_at(each, offset)
        if found is None or found.directive or is_inactive(each, offset):
            continue
        name = found.name.decode("utf-8", "replace")
        before = found.tokens[found.index - 1][1] if found.index else b""
        is_other = before in (b".", b"->", b"goto") or is_built_in(unit, name)
        if is_other or Navigator(unit).symbol_at(document, offset) is not None:
            return None
        return UnresolvedName(name, Location(document, found.start, found.end), before in _TAG_WORDS)
    return None


def find_project_declarations(found: UnresolvedName, names: ProjectNames) -> list[Occurrence]:
    """Finds the declarations of a name that its program does not declare.

    They are those in the folder of the document that uses the name or, if there are none, those in the whole
    project. If some of them are definitions, only the definitions are returned.
    """
    folder = os.path.dirname(found.location.document)
    near: list[Occurrence] = []
    far: list[Occurrence] = []
    word = found.name.encode()
    for path, file in names.every_file():
        if word not in file.uses:
            continue
        some = near if os.path.dirname(path) == folder else far
        for each in file.declared:
            if each.name == found.name and (each.kind in _TAGGED) == found.is_tag:
                location = Location(path, each.start, each.start + len(word))
                role = Role.DEFINITION if each.is_definition else Role.DECLARATION
                some.append(Occurrence(location, role, location))
    every = near or far
    return ([each for each in every if each.role is Role.DEFINITION] or every)[:_MAXIMUM_DECLARATIONS]


def files_without_declaration(
    name: str, declaring: Collection[str], names: ProjectNames
) -> Iterator[tuple[str, FileNames]]:
    """Yields the files that use a name without declaring it, in the folders of the declaring files.

    If another file in these folders also declares the name, no file is yielded, because the uses may denote
    either declaration.
    """
    found = _without_declaration(name, declaring, names)
    if not found.rival:
        yield from found.files


@dataclass(frozen=True, slots=True)
class _Undeclared:
    """The files that use a name although neither they nor the files that they include declare it.

    `rival` is another file that declares the name; empty if there is none.
    """

    files: tuple[tuple[str, FileNames], ...]
    rival: str


def _without_declaration(name: str, declaring: Collection[str], names: ProjectNames) -> _Undeclared:
    folders = {os.path.dirname(each) for each in declaring}
    word = name.encode()
    graph = names.graph
    known = {*declaring, *graph.all_includers(declaring)}
    known.update(each for path in declaring for each in graph.transitive_includes(path))

    def is_other(path: str) -> bool:
        return path not in known and os.path.dirname(path) in folders

    others = {path: file for path, file in names.every_file(is_other) if word in file.uses}
    rival = min((path for path, file in others.items() if _declares(file, name)), default="")
    found: list[tuple[str, FileNames]] = []
    for path, file in sorted(others.items()):
        included = (names.index.names_of(each, names.opened) for each in graph.transitive_includes(path))
        if not any(each is not None and _declares(each, name) for each in (file, *included)):
            found.append((path, file))
    return _Undeclared(tuple(found), rival)


def may_denote(flags: int, space: NameSpace) -> bool:
    """Whether a use with these flags in the name index can denote a symbol in the name space `space`."""
    if space is NameSpace.MACRO:
        return True
    if flags & DIRECTIVE:
        return space is not NameSpace.LABEL
    if space is NameSpace.MEMBER:
        return bool(flags & MEMBER)
    if space is NameSpace.TAG:
        return bool(flags & TAG)
    return not flags & (MEMBER | TAG)


def find_destinations_elsewhere(
    unit: TranslationUnit, document: str, offset: int, names: Callable[[], ProjectNames]
) -> Destinations | None:
    """Finds where other files of the project declare the name at a byte of a document.

    None if the program of the document declares the name, or if no file of the project does.
    """
    found = unresolved_name_at(unit, document, offset)
    if found is None:
        return None
    places = find_project_declarations(found, names())
    return Destinations(found.location, tuple(places)) if places else None


@dataclass(frozen=True, slots=True)
class UndeclaredUses:
    """The uses of a symbol in files that do not declare it.

    - `places`: the bytes at which each file uses the symbol; empty if `rival` is set
    - `left`: one of the files with uses that may denote the declaration in `rival`; empty without `rival`
    - `rival`: another file that declares the name, so that the uses are ambiguous; empty if there is none
    """

    places: Mapping[str, tuple[int, ...]]
    left: str = ""
    rival: str = ""


def find_undeclared_uses(
    unit: TranslationUnit, document: str, offset: int, new: str, names: Callable[[], ProjectNames]
) -> UndeclaredUses | str:
    """Finds the uses of the symbol at a byte of a document in files that do not declare it.

    Returns a message if one of these files also uses the new name.
    """
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    if found is None or found.symbol.enclosing_item is not None or found.symbol.space is NameSpace.LABEL:
        return UndeclaredUses({})
    symbol = found.symbol
    declaring = {each.location.document for each in navigator.declarations(symbol)}
    undeclared = _without_declaration(symbol.name, declaring, names())
    places: dict[str, tuple[int, ...]] = {}
    for path, file in undeclared.files:
        uses = map(decode_use, file.uses[symbol.name.encode()])
        starts = tuple(start for start, flags in uses if may_denote(flags, symbol.space))
        if starts and undeclared.rival:
            return UndeclaredUses({}, path, undeclared.rival)
        if starts and new.encode() in file.uses:
            return f"`{new}` occurs in `{path}`, which uses `{symbol.name}` of this file"
        if starts:
            places[path] = starts
    return UndeclaredUses(places)


def _declares(file: FileNames, name: str) -> bool:
    return any(each.name == name for each in file.declared)
