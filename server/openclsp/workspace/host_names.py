"""The names of kernels in a project's host code, cached by the size and modification time of each file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.kernel_mentions import HostKernelNames, KernelName, find_host_kernels
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem, FileSystem
from openclsp.project.project_scan import FileDataCache, ProjectScan, ScannedFile, ScannedFileKind
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission
from openclsp.source.text import Text

_LANGUAGES: Final = {
    ScannedFileKind.HEADER: HostLanguage.CPP,
    ScannedFileKind.C: HostLanguage.C,
    ScannedFileKind.CPP: HostLanguage.CPP,
    ScannedFileKind.PYTHON: HostLanguage.PYTHON,
}


def _extract(file: ScannedFile, data: bytes) -> HostKernelNames:
    return find_host_kernels(data, _LANGUAGES[file.kind])


@dataclass(slots=True)
class HostNameIndex:
    """The names of kernels in one project's host files. Not thread-safe.

    `update` sets the files of the project; `advance` reads the files that are new or have changed.
    """

    files: FileSystem = LOCAL_FILE_SYSTEM
    _scan: ProjectScan | None = None
    _cache: FileDataCache[HostKernelNames] = field(default_factory=lambda: FileDataCache(_extract))
    _known: dict[str, HostKernelNames] = field(default_factory=dict)
    _pending: list[ScannedFile] = field(default_factory=list)
    _opened: dict[str, tuple[Text, HostKernelNames]] = field(default_factory=dict)

    def update(self, scan: ProjectScan) -> None:
        """Sets the files of the project; does nothing if they are unchanged."""
        if scan is self._scan:
            return
        self._scan = scan
        self._pending = [each for each in reversed(scan.files) if each.kind in _LANGUAGES]
        paths = frozenset(each.path for each in self._pending)
        self._cache.retain_only(paths)
        self._known = {path: each for path, each in self._known.items() if path in paths}

    @property
    def is_complete(self) -> bool:
        """Whether all files have been read."""
        return not self._pending

    def advance(self, seconds: float, check: Callable[[], None]) -> None:
        """Reads remaining files for at most `seconds`. `check` is called after each file and may raise."""
        deadline = time.perf_counter() + seconds
        while self._pending:
            file = self._pending[-1]
            found = self._cache.data_of_file(file, self._permission, self.files)
            if not isinstance(found, FileProblem) and (found.mentioned or found.defined):
                self._known[file.path] = found
            else:
                self._known.pop(file.path, None)
            self._pending.pop()
            check()
            if time.perf_counter() > deadline:
                return

    def every_file(
        self, opened: Mapping[str, tuple[Text, HostLanguage]]
    ) -> Iterator[tuple[str, HostKernelNames]]:
        """Yields the path and the kernel names of each host file that has any, in order of the paths.

        `opened` has the texts of open host files; they take precedence over the files on disk.
        """
        self._opened = {path: each for path, each in self._opened.items() if path in opened}
        for path in sorted({*self._known, *opened}):
            text = opened.get(path)
            yield path, self._known[path] if text is None else self._of_open_file(path, *text)

    def _of_open_file(self, path: str, text: Text, language: HostLanguage) -> HostKernelNames:
        kept = self._opened.get(path)
        if kept is None or kept[0] is not text:
            kept = self._opened[path] = text, find_host_kernels(text.data, language)
        return kept[1]

    @property
    def _permission(self) -> ReadPermission:
        return NO_READ_PERMISSION if self._scan is None else self._scan.permission


@dataclass(frozen=True, slots=True)
class HostNames:
    """The names of kernels in a project's host code at one moment, on disk and in open documents."""

    index: HostNameIndex
    opened: Mapping[str, tuple[Text, HostLanguage]]

    def mentions_of(self, name: str) -> Iterator[tuple[str, KernelName]]:
        """Yields the occurrences of `name` as a kernel's name in host code, with their files."""
        for path, file in self.index.every_file(self.opened):
            for each in file.mentioned:
                if each.name == name:
                    yield path, each

    def files_that_mention(self, names: frozenset[str]) -> Iterator[str]:
        """Yields the host files that mention a kernel with any of these names."""
        for path, file in self.index.every_file(self.opened):
            if any(each.name in names for each in file.mentioned):
                yield path

    def definitions_of(self, name: str) -> Iterator[tuple[str, KernelName]]:
        """Yields the kernels called `name` that are defined in strings, with their host files."""
        for path, file in self.index.every_file(self.opened):
            for each in file.defined:
                if each.name == name:
                    yield path, each
