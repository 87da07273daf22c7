"""Kernels in host code: the mentions of a kernel, the kernels that a name refers to, and renaming."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.program_names import host_of_program
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.resolution import Navigator
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role, SymbolId
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.file_names import DeclaredKind
from openclsp.workspace.host_names import HostNames
from openclsp.workspace.name_index import ProjectNames

MAXIMUM_KERNELS: Final = 64
"""The maximum number of kernels to which one name in host code leads"""


@dataclass(frozen=True, slots=True)
class HostRename:
    """The result of renaming a kernel in host code.

    `places` contains, by document, the bytes at which names to be replaced begin. `left` contains the
    locations that are not changed because they may refer to another kernel.
    """

    places: Mapping[str, tuple[int, ...]]
    left: tuple[Location, ...]


def kernel_at(unit: TranslationUnit, document: str, offset: int) -> tuple[str, frozenset[str]] | None:
    """Returns the name of the kernel at a byte of a document, and the documents that declare the kernel.

    None if no kernel is named there.
    """
    navigator = Navigator(unit)
    found = navigator.symbol_at(document, offset)
    if found is None or not _is_kernel(navigator, found.symbol):
        return None
    declared = navigator.declarations(found.symbol)
    return found.symbol.name, frozenset(each.location.document for each in declared)


def _is_kernel(navigator: Navigator, symbol: SymbolId) -> bool:
    if symbol.space is not NameSpace.ORDINARY or symbol.enclosing_item is not None:
        return False
    for item, _ in navigator.declaring_uses(symbol):
        known = navigator.unit.database.get(EXPORTS, item.key).symbols.get(symbol.name)
        if known is not None and known.kernel:
            return True
    return False


def find_host_references(name: str, declaring: Collection[str], names: HostNames) -> list[Occurrence]:
    """Finds the locations in host code that name a kernel which the documents `declaring` declare.

    A host file whose own strings define another kernel of this name is skipped, because it refers to its own
    kernel.
    """
    hosts = _host_files(declaring)
    others = {path for path, _ in names.definitions_of(name)} - hosts
    found = []
    for path, mention in names.mentions_of(name):
        if path not in others:
            location = Location(path, mention.start, mention.end)
            found.append(Occurrence(location, Role.READ, location))
    return found


def find_kernels(
    name: str, host: str, names: ProjectNames, host_names: HostNames, built: Collection[str]
) -> list[Location]:
    """Finds the kernels that a name in the host file `host` may refer to.

    Returns the locations of their names. They are the kernels in the file's own strings; if there are none,
    those in the files `built`, which the host file builds; if there are none, those in the whole project. A
    kernel in a string of an open host file is located in the document of its program.
    """
    every = dict.fromkeys(_kernels(name, names, host_names))
    own = [each for each in every if host in (each.document, *_host_files((each.document,)))]
    built_here = [each for each in every if each.document in built]
    return (own or built_here or list(every))[:MAXIMUM_KERNELS]


def _kernels(
    name: str, names: ProjectNames, host_names: HostNames, leave_out: Collection[str] = ()
) -> Iterator[Location]:
    """Yields the locations of all kernels in the project with this name.

    Kernels in the documents `leave_out` are omitted.
    """
    skipped = _host_files(names.opened).union(leave_out)
    length = len(name.encode())
    declared: list[Location] = []
    for path, file in names.every_file(lambda path: path not in skipped):
        for each in file.declared:
            if each.name == name and each.kind is DeclaredKind.KERNEL:
                place = Location(path, each.start, each.start + length)
                if each.is_definition:
                    yield place
                else:
                    declared.append(place)
    for path, defined in host_names.definitions_of(name):
        if path not in skipped:
            yield Location(path, defined.start, defined.end)
    yield from declared


def host_places_to_rename(
    name: str, declaring: Collection[str], names: ProjectNames, host_names: HostNames
) -> HostRename:
    """Finds the places in host code to change when a kernel is renamed.

    The documents `declaring` declare the kernel. A place is changed if it is an argument of a call that
    creates a kernel, and can refer to no other kernel. In a host file whose strings define kernels of this
    name, the renamed kernel must be the only one of them. In other host files, it must be the only kernel of
    this name in the project.
    """
    renamed = frozenset(declaring) | _host_files(declaring)
    kernels = [each.document for each in _kernels(name, names, host_names, renamed)]
    is_only_one = renamed.issuperset(kernels)
    per_file: dict[str, int] = {}
    for path, _ in host_names.definitions_of(name):
        per_file[path] = per_file.get(path, 0) + 1
    places: dict[str, tuple[int, ...]] = {}
    left: list[Location] = []
    for path, mention in host_names.mentions_of(name):
        if path in per_file and path not in renamed:
            continue
        is_own = path in per_file
        is_clear = per_file[path] == 1 if is_own else is_only_one
        if mention.is_certain and is_clear:
            places[path] = (*places.get(path, ()), mention.start)
        else:
            left.append(Location(path, mention.start, mention.end))
    return HostRename(places, tuple(left))


def _host_files(documents: Collection[str]) -> frozenset[str]:
    """Returns the host files that contain the programs among these documents."""
    found = (host_of_program(each) for each in documents)
    return frozenset(each[0] for each in found if each is not None)
