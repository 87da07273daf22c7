"""Edits of `#include` directives that become necessary when files are moved.

After the edits, each directive includes the same file as before the moves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.file_renames.file_moves import FileMoves
from openclsp.ide.structure.text_structure import read_structure
from openclsp.project.project_headers import ProjectHeaders
from openclsp.source.document import Document, DocumentName

_INCLUDES: Final = frozenset((b"include", b"include_next", b"import"))
_OPERAND: Final = re.compile(rb"""\#[ \t]*[a-z_]+[ \t]*(?P<name>"[^"\r\n]+"|<[^>\r\n]+>)""")


@dataclass(frozen=True, slots=True)
class IncludeSearch:
    """The information by which an includer's directives are resolved before and after the moves.

    - `target`: returns the document that a header name includes before the moves; None if there is none. The
      second argument is whether the name is in angle brackets.
    - `quote_folders`: the include folders that are searched only for quoted names.
    - `folders`: the include folders that are searched for all names.
    - `is_file`: whether a path is a file before the moves.
    - `headers_after`: the project's headers after the moves. A header name that is found in no folder selects
      the header whose path ends with it.
    """

    target: Callable[[str, bool], DocumentName | None]
    quote_folders: tuple[str, ...]
    folders: tuple[str, ...]
    is_file: Callable[[str], bool]
    headers_after: ProjectHeaders | None


def compute_include_edits(includer: Document, moves: FileMoves, search: IncludeSearch) -> list[TextEdit]:
    """Computes the edits of a document's `#include` directives, also of those in inactive branches.

    The document itself can be one of the moved files. A directive is edited only if it would otherwise
    include another file or none. A directive whose name comes from a macro is not edited.
    """
    place = moves.new_path(includer.name)
    after = _SearchAfterMoves(moves, search, place)
    data, edits = includer.text.data, []
    for directive in read_structure(data).directives:
        operand = (
            _OPERAND.match(data, directive.start, directive.end) if directive.name in _INCLUDES else None
        )
        if operand is None:
            continue
        written = operand["name"]
        angled, name = written.startswith(b"<"), os.fsdecode(written[1:-1])
        target = search.target(name, angled)
        if target is None:
            continue
        new = after.spell(name, angled, moves.new_path(target))
        if new is not None and new != (name, angled):
            quoted = f"<{new[0]}>" if new[1] else f'"{new[0]}"'
            edits.append(TextEdit(Location(includer.name, *operand.span("name")), quoted))
    return edits


@dataclass(frozen=True, slots=True)
class _SearchAfterMoves:
    """Resolves header names in the includer after the moves; `place` is the includer's new path."""

    moves: FileMoves
    search: IncludeSearch
    place: DocumentName

    def spell(self, name: str, angled: bool, target: DocumentName) -> tuple[str, bool] | None:
        """Returns a name that includes `target` after the moves, and whether it is in angle brackets.

        None if no name does. The following names are tried in this order:
        - the present name;
        - the path from the includer's folder, if the present name is such a path;
        - the end of the target's path, with as many components as the present name;
        - the path from an include folder;
        - the path from the includer's folder, in quotation marks.
        If the present name was found in the includer's folder or in an include folder, the new name must be
        found in one of these, too. Compilers then find the header without knowledge of the project.
        """
        in_folders = self._is_in_folders(name, angled)
        for candidate in self._candidates(name, angled, target):
            if self._resolve(*candidate, in_folders) == target:
                return candidate
        return None

    def _is_in_folders(self, name: str, angled: bool) -> bool:
        """Whether, before the moves, the includer's folder or an include folder contains the named file."""
        old_place = self.moves.old_path(self.place) or self.place
        own = () if angled else (os.path.dirname(old_place), *self.search.quote_folders)
        paths = (os.path.normpath(os.path.join(folder, name)) for folder in (*own, *self.search.folders))
        return any(map(self.search.is_file, paths))

    def _candidates(self, name: str, angled: bool, target: DocumentName) -> Iterator[tuple[str, bool]]:
        yield name, angled
        parts = target.split(os.sep)
        dots = "./" if name.startswith("./") else ""
        relative = _relative(target, os.path.dirname(self.place))
        old_place = self.moves.old_path(self.place) or self.place
        was_relative = not angled and self.search.is_file(
            os.path.normpath(os.path.join(os.path.dirname(old_place), name))
        )
        # A path upwards is preferred only where one was written before.
        if was_relative and (name.startswith("../") or not relative.startswith("../")):
            yield (relative if relative.startswith("../") else dots + relative), angled
        yield "/".join(parts[-len([each for each in name.split("/") if each not in (".", "..")]) :]), angled
        for folder in self.search.folders:
            if target.startswith(folder.rstrip(os.sep) + os.sep):
                yield _relative(target, folder), angled
        yield relative, False

    def _resolve(self, name: str, angled: bool, in_folders: bool) -> DocumentName | None:
        own = () if angled else (os.path.dirname(self.place), *self.search.quote_folders)
        for folder in (*own, *self.search.folders):
            path = os.path.normpath(os.path.join(folder, name))
            if self._is_file(path):
                return path
        headers = None if in_folders else self.search.headers_after
        found = () if headers is None else headers.find_candidates(name, angled, self.place)
        if len(found) == 1:
            return found[0]
        relative = os.path.normpath(os.path.join(os.path.dirname(self.place), name))
        return relative if angled and not found and self._is_file(relative) else None

    def _is_file(self, path: str) -> bool:
        old = self.moves.old_path(path)
        return old is not None and self.search.is_file(old)


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")
