"""An index of the names that a project's OpenCL files declare and use.

The names of each file are cached by the file's size and modification time.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem, FileSystem
from openclsp.project.project_scan import MAXIMUM_FILE_SIZE, ScannedFile
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission
from openclsp.source.text import Text
from openclsp.workspace.edited_file_names import EditedFileNames
from openclsp.workspace.file_names import FileNames, extract_file_names
from openclsp.workspace.include_graph import IncludeGraph

MAXIMUM_INDEXED_FILES: Final = 50_000
"""The maximum number of files in the index of a project; those nearest to its root come first."""
_MAXIMUM_OPEN: Final = 256
"""The maximum number of open documents whose names are cached."""


class _SliceEnded(Exception):
    """Raised to end a time slice; the files read so far stay in the index."""


@dataclass(slots=True)
class NameIndex:
    """The names that the files of one project declare and use. Not thread-safe.

    `update` sets the list of files; `advance` reads the files that are new or have changed.
    """

    files: FileSystem = LOCAL_FILE_SYSTEM
    _wanted: Mapping[str, ScannedFile] = field(default_factory=dict)
    _permission: ReadPermission = NO_READ_PERMISSION
    _known: dict[str, tuple[ScannedFile, FileNames | None]] = field(default_factory=dict)
    _pending: list[str] = field(default_factory=list)
    _open: dict[str, tuple[Text, FileNames, EditedFileNames]] = field(default_factory=dict)
    _words: dict[bytes, bytes] = field(default_factory=dict)

    def update(self, wanted: Mapping[str, ScannedFile], permission: ReadPermission) -> None:
        """Sets the files of the project; does nothing if they are unchanged."""
        if wanted is self._wanted:
            return
        self._wanted, self._permission = wanted, permission
        kept = list(wanted)[:MAXIMUM_INDEXED_FILES]
        self._known = {path: self._known[path] for path in kept if path in self._known}
        self._pending = [
            path for path in reversed(kept) if path not in self._known or self._known[path][0] != wanted[path]
        ]

    @property
    def left_out(self) -> int:
        """The number of files beyond the first MAXIMUM_INDEXED_FILES, which are not indexed."""
        return max(len(self._wanted) - MAXIMUM_INDEXED_FILES, 0)

    @property
    def is_complete(self) -> bool:
        """Whether all files have been read."""
        return not self._pending

    def advance(self, check: Callable[[], None]) -> None:
        """Reads the remaining files. `check` is called after each and may raise; earlier results are kept."""
        while self._pending:
            path = self._pending[-1]
            file = self._wanted[path]
            data = self.files.read(path, self._permission) if file.readable else None
            readable = data is not None and not isinstance(data, FileProblem)
            self._known[path] = file, self._extract(data) if readable and isinstance(data, bytes) else None
            self._pending.pop()
            check()

    def advance_for(self, seconds: float, check: Callable[[], None]) -> None:
        """Reads remaining files for at most `seconds`, but at least one file."""
        deadline = time.perf_counter() + seconds

        def check_time() -> None:
            check()
            if time.perf_counter() > deadline:
                raise _SliceEnded

        with suppress(_SliceEnded):
            self.advance(check_time)

    def _extract(self, data: bytes) -> FileNames:
        found = extract_file_names(data)
        # Most names occur in many files, so all files share one copy of each name.
        share = self._words.setdefault
        uses: dict[bytes, array[int]] = {share(name, name): places for name, places in found.uses.items()}
        return FileNames(found.declared, uses, found.lines, found.is_ascii, found.size)

    def names_of(self, path: str, opened: Mapping[str, Text]) -> FileNames | None:
        """Returns the names in a file, in its current text if it is open; None if they are not known."""
        text = opened.get(path)
        if text is None:
            known = self._known.get(path)
            return None if known is None else known[1]
        if len(text.data) > MAXIMUM_FILE_SIZE:
            return None
        kept = self._open.get(path)
        if kept is None or kept[0] is not text:
            if len(self._open) >= _MAXIMUM_OPEN:
                self._open.clear()
            edited = EditedFileNames() if kept is None else kept[2]
            kept = self._open[path] = text, edited.extract(text.data), edited
        return kept[1]

    def every_file(
        self, opened: Mapping[str, Text], wanted: Callable[[str], bool] = lambda _path: True
    ) -> Iterator[tuple[str, FileNames]]:
        """Yields each path for which `wanted` is true, and the names that the file declares and uses.

        For an open document, these are the names in its current text.
        """
        for path in (*self._known, *(each for each in opened if each not in self._known)):
            names = self.names_of(path, opened) if wanted(path) else None
            if names is not None:
                yield path, names


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """The names of a project at one moment: those of files on disk and of open documents.

    Extracting the names of an open document again after each edit takes time. A caller that knows the names
    from its own analysis therefore passes the document in `leave_out`.
    """

    graph: IncludeGraph
    index: NameIndex
    opened: Mapping[str, Text]

    def files_including(
        self, documents: Iterable[str], leave_out: Collection[str] = ()
    ) -> Iterator[tuple[str, FileNames]]:
        """Yields the path and `FileNames` of each file that may include any of `documents`, sorted by path.

        A file may include a document directly or through other files. The files in `leave_out` are omitted.
        """
        for path in sorted(self.graph.all_includers(documents).difference(leave_out)):
            names = self.index.names_of(path, self.opened)
            if names is not None:
                yield path, names

    def every_file(
        self, wanted: Callable[[str], bool] = lambda _path: True
    ) -> Iterator[tuple[str, FileNames]]:
        """Yields the path and `FileNames` of each file whose path satisfies `wanted`."""
        return self.index.every_file(self.opened, wanted)
