"""Finds the kernels that a name in a host file may refer to.

They are defined in strings of the host file, in files that the host file names, or elsewhere in the project.
A file is read when a name is looked up. Its kernels are cached until its size or modification time changes.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from openclsp.dataclass import dataclass
from openclsp.host_code.program_names import host_of_program
from openclsp.host_options.kernel_file_names import KERNEL_FILE_NAME, extract_kernel_functions
from openclsp.host_options.kernel_names import KernelFileIndex
from openclsp.ide.feature_results import Location
from openclsp.ide.host_contract.kernel_signature import (
    KernelParameter,
    KernelSignature,
    ParameterKind,
    common_signature,
    near_names,
)
from openclsp.ide.host_contract.parameter_types import TypeReader
from openclsp.ide.host_contract.signature_reading import generates_kernels, read_signatures
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem, FileSystem
from openclsp.project.project_scan import (
    FileDataCache,
    ProjectScan,
    ScannedFile,
    ScannedFileKind,
    classify_file_name,
)
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.comments import without_comments
from openclsp.source.document import Document, DocumentName
from openclsp.source.word_search import find_word

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument

_OPENCL_KINDS: Final = (ScannedFileKind.KERNEL, ScannedFileKind.OPENCL_HEADER, ScannedFileKind.HEADER)
_HOST_KINDS: Final = (ScannedFileKind.C, ScannedFileKind.CPP, ScannedFileKind.PYTHON)
_OTHER_SOURCES: Final = re.compile(
    rb"(?:With|From)Binary|WithIL(?:KHR|\b)|WithBuiltInKernels|Binaries\b|[Bb]inary_|\.(?:spv|spirv|clbin|aocx)\b"
    rb"|\bProgram\s*\([\w\s.]{1,80},\s*(?:\[|\w*[dD]ev)"
    rb"|[xX]cl[bB]in|XCLBIN|\bxrt::|(?<![:\w])Program\(\s*[\w.]+\s*,\s*(?:\[[^\]\n]{0,200}\]|[\w.]+)\s*,(?!\s*\w+\s*=)"
)
"""Words of host code that builds programs from something other than OpenCL C text

`Program(context, devices, binaries)` of pyopencl and of the C++ bindings takes binaries.
"""
_INTERMEDIATE: Final = re.compile(rb"WithIL(?:KHR|\b)")
"""A word of host code that builds programs from intermediate code

Unlike a binary, intermediate code is rarely a cached build of a text in the same file.
"""
_PYTHON_COMMENT: Final = re.compile(rb"#[^\r\n]*")
_MAXIMUM_FILE_NAMES: Final = 200
"""The maximum number of kernel file names in one host file that are resolved"""


@dataclass(frozen=True, slots=True)
class FileKernels:
    """The kernels that the text of a file defines.

    `other_names` contains the names of further kernels, about which nothing else is known. `generates` is
    whether a macro or a template may form the names of further kernels.
    """

    signatures: tuple[KernelSignature, ...] = ()
    other_names: frozenset[str] = frozenset()
    generates: bool = False


_NO_KERNELS: Final = FileKernels()


def kernels_of_text(document: Document) -> FileKernels:
    """Reads the kernels of a text in OpenCL C."""
    return _read_kernels(document.name, document.text.data)


# The texts before and after a fix are read for each file that calls their kernels.
@lru_cache(maxsize=4)
def _read_kernels(name: DocumentName, data: bytes) -> FileKernels:
    if b"kernel" not in data:
        return _NO_KERNELS
    return FileKernels(tuple(read_signatures(Document.of(name, data))), generates=generates_kernels(data))


class ProjectKernels:
    """The kernels of the files of one project; not thread-safe."""

    def __init__(self, files: FileSystem = LOCAL_FILE_SYSTEM) -> None:
        self.files = files
        self.opened: Mapping[DocumentName, Document] = {}
        self._scan: ProjectScan | None = None
        self._cache: FileDataCache[FileKernels] = FileDataCache(_kernels_of_file)
        self._by_path: dict[str, ScannedFile] = {}
        self._unsaved: list[DocumentName] = []
        """Open documents of OpenCL C that the scan has not found, because they were never saved"""
        self.index = KernelFileIndex(())

    def update(self, scan: ProjectScan | None, opened: Mapping[DocumentName, Document]) -> None:
        """Sets the files of the project and the open documents, which take precedence over files."""
        self.opened = opened
        if scan is not None:
            self._unsaved = [path for path in opened if self._is_unsaved_kernel(path, scan)]
        if scan is None or scan is self._scan:
            return
        self._scan = scan
        kept = [*scan.files_of_kinds(*_OPENCL_KINDS), *scan.files_of_kinds(*_HOST_KINDS)]
        self._by_path = {each.path: each for each in kept}
        self.index = KernelFileIndex(each.path for each in scan.files_of_kinds(ScannedFileKind.KERNEL))
        self._cache.retain_only(frozenset(self._by_path))

    @staticmethod
    def _is_unsaved_kernel(path: DocumentName, scan: ProjectScan) -> bool:
        return (
            classify_file_name(os.path.basename(path)) is ScannedFileKind.KERNEL
            and path.startswith(os.path.join(scan.root, ""))
            and host_of_program(path) is None
        )

    @property
    def is_complete(self) -> bool:
        """Whether all files of the project are known."""
        return self._scan is not None and not self._scan.reached_limit

    def of_file(self, path: str) -> FileKernels:
        """Returns the kernels of a file; an open file is read from the editor."""
        file = self._by_path.get(path)
        if file is None and path in self._unsaved and path in self.opened:
            return kernels_of_text(self.opened[path])
        if file is None or self._scan is None:
            return _NO_KERNELS
        document = self.opened.get(path)
        if document is not None:
            return _kernels_of_data(file, document.text.data)
        found = self._cache.data_of_file(file, self._scan.permission, self.files)
        return _NO_KERNELS if isinstance(found, FileProblem) else found

    def belongs_to_other_host(self, path: str, mention: str, host: str) -> bool:
        """Whether a kernel file that a host names without its folder is that of a host in another folder.

        Each example of a collection has a folder with a host file and a kernel file. If one of them lacks its
        kernel file, the file of this name in another example's folder has another kernel.
        """
        folder, other = os.path.join(os.path.dirname(path), ""), os.path.join(os.path.dirname(host), "")
        if folder.startswith(other) or other.startswith(folder):
            return False
        if os.path.basename(folder[:-1]) in re.split(r"[/\\]", mention)[:-1]:
            return False
        base = os.path.basename(path).encode()
        for each in self._by_path.values():
            if each.kind in _HOST_KINDS and os.path.join(os.path.dirname(each.path), "") == folder:
                document = self.document(each.path)
                if document is not None and find_word(document.text.data, base) >= 0:
                    return True
        return False

    def every_file(self, checkpoint: Checkpoint = no_checkpoint) -> Iterator[tuple[str, FileKernels]]:
        """Yields all files with their kernels; `checkpoint` is called before each."""
        for path in dict.fromkeys((*self._by_path, *self._unsaved)):
            checkpoint()
            yield path, self.of_file(path)

    def document(self, path: str) -> Document | None:
        """Returns the open document of that name, or else the file; None if it cannot be read."""
        found = self.opened.get(path)
        if found is not None or self._scan is None:
            return found
        data = self.files.read(path, self._scan.permission)
        return None if isinstance(data, FileProblem) else Document.of(path, data)


class KernelResolver:
    """Resolves the names of kernels in one host file to kernels."""

    def __init__(
        self,
        host: Document,
        programs: Sequence[ProgramDocument],
        project: ProjectKernels,
        types: TypeReader,
        checkpoint: Checkpoint = no_checkpoint,
    ) -> None:
        self._host, self._project, self._types, self._checkpoint = host, project, types, checkpoint
        self._programs = programs
        self._own = [kernels_of_text(each.document) for each in programs]
        self._builds_other_sources = _OTHER_SOURCES.search(host.text.data) is not None
        """Whether the host file may build programs from binaries or intermediate code"""
        self._names_file_of_other_host = False
        self._named_files, self._names_unknown_file = self._files_named()
        self._known: dict[str, tuple[KernelSignature, ...]] = {}

    def signature(self, name: str) -> KernelSignature | None:
        """Combines the result of `definitions` into one signature; None if that is empty."""
        return common_signature(self.definitions(name))

    def definitions(self, name: str) -> tuple[KernelSignature, ...]:
        """Returns the kernels that a name in the host file may refer to.

        They are those in the host file's own strings; if there are none, those in the files that it names; if
        there are none, those in the whole project. The whole project is not searched if a macro, a binary or
        an unknown file may define the kernel; the result is then empty. It is also empty if intermediate code
        may define a kernel of the host file's own strings.
        """
        if name not in self._known:
            self._known[name] = tuple(self._find(name))
        return self._known[name]

    def _find(self, name: str) -> list[KernelSignature]:
        own = [
            self._in_host(program, self._refined(program.document, each))
            for program, kernels in zip(self._programs, self._own, strict=True)
            for each in kernels.signatures
            if each.name == name
        ]
        if own:
            return [] if _INTERMEDIATE.search(self._host.text.data) is not None else own
        named = [(path, self._project.of_file(path)) for path in self._named_files]
        found = self._defined_in(name, named)
        if found:
            return found
        if any(kernels.generates for _, kernels in named) or any(each.generates for each in self._own):
            return []
        if not self._project.is_complete or self._builds_other_sources or self._names_file_of_other_host:
            return []
        everywhere = list(self._project.every_file(self._checkpoint))
        if any(name in kernels.other_names for path, kernels in everywhere if path != self._host.name):
            return []
        return self._defined_in(name, everywhere)

    def _defined_in(self, name: str, files: Iterable[tuple[str, FileKernels]]) -> list[KernelSignature]:
        found = []
        for path, kernels in files:
            for each in kernels.signatures:
                if each.name == name:
                    found.append(self._refined_of_file(path, each))
        return found

    def _refined_of_file(self, path: str, signature: KernelSignature) -> KernelSignature:
        if not _needs_types(signature):
            return signature
        document = self._project.document(path)
        return signature if document is None else self._refined(document, signature)

    def _refined(self, document: Document, signature: KernelSignature) -> KernelSignature:
        """Returns a signature, completed with the kinds and sizes of types that are not built in."""
        return self._types.refined(document, signature) if _needs_types(signature) else signature

    def _in_host(self, program: ProgramDocument, signature: KernelSignature) -> KernelSignature:
        """Translates the locations of a signature from a program in a string to the host file.

        The parameters are unknown if the text of one of them is not written in the host file.
        """
        parameters = signature.parameters
        if parameters is not None and any(not self._is_written(program, each) for each in parameters):
            parameters = None
        return replace(
            signature,
            location=self._host_location(program, signature.location),
            parameters=None
            if parameters is None
            else tuple(
                replace(each, location=self._host_location(program, each.location)) for each in parameters
            ),
        )

    @staticmethod
    def _is_written(program: ProgramDocument, parameter: KernelParameter) -> bool:
        return program.is_written(parameter.location.start, parameter.location.end)

    def _host_location(self, program: ProgramDocument, location: Location) -> Location:
        return Location(self._host.name, *program.host_range(location.start, location.end))

    def _files_named(self) -> tuple[tuple[str, ...], bool]:
        """Returns the kernel files that the host file names, and whether it may name others.

        Other files are those that the project does not contain, those of a host in another folder, and those
        beyond `_MAXIMUM_FILE_NAMES`.
        """
        data = self._host.text.data
        if self._builds_other_sources:
            # a comment may name the kernels that a binary was compiled from, at some time
            data = (
                _PYTHON_COMMENT.sub(b"", data) if self._host.name.endswith(".py") else without_comments(data)
            )
        text = data.decode("utf-8", "replace")
        names = dict.fromkeys(match[0] for match in KERNEL_FILE_NAME.finditer(text))
        found: dict[str, None] = {}
        missing = len(names) > _MAXIMUM_FILE_NAMES
        for name in list(names)[:_MAXIMUM_FILE_NAMES]:
            files = sorted(self._project.index.files_of_name(name, self._host.name))
            own = [
                path for path in files if not self._project.belongs_to_other_host(path, name, self._host.name)
            ]
            self._names_file_of_other_host = self._names_file_of_other_host or len(own) < len(files)
            files = own
            missing = missing or not files
            found.update(dict.fromkeys(files))
        return tuple(found), missing

    def near(self, name: str) -> tuple[str, ...]:
        """Returns the names of kernels for which `name` may be a misspelling.

        Empty if a kernel called `name` may exist. Also empty if the host file may build programs that are
        neither in its own strings nor in known files that it names.
        """
        named = [self._project.of_file(path) for path in self._named_files]
        sources = (*self._own, *named)
        known = [each.name for kernels in sources for each in kernels.signatures]
        if not known or any(each.generates for each in sources):
            return ()
        if named and (self._names_unknown_file or not self._project.is_complete):
            return ()
        if self._builds_other_sources or not all(map(_is_closed, self._programs)):
            return ()
        near = near_names(name, known)
        if not near or self._is_written_elsewhere(name):
            return ()
        return near

    def _is_written_elsewhere(self, name: str) -> bool:
        """Whether OpenCL C text in the project or in the host file's strings contains the name as a word."""
        word = name.encode()
        if any(find_word(each.document.text.data, word) >= 0 for each in self._programs):
            return True
        for path, kernels in self._project.every_file(self._checkpoint):
            if kernels is _NO_KERNELS or path == self._host.name:
                continue
            if name in kernels.other_names:
                return True
            document = self._project.document(path) if kernels.signatures or kernels.generates else None
            if document is not None and find_word(document.text.data, word) >= 0:
                return True
        return False


def _is_closed(program: ProgramDocument) -> bool:
    """Whether all of a program's text is known."""
    return not program.program.value.has_holes and not program.program.is_fragment


def _needs_types(signature: KernelSignature) -> bool:
    return any(
        each.kind is ParameterKind.UNKNOWN and bool(each.type_name) for each in signature.parameters or ()
    )


def _kernels_of_file(file: ScannedFile, data: bytes) -> FileKernels:
    return _kernels_of_data(file, data)


def _kernels_of_data(file: ScannedFile, data: bytes) -> FileKernels:
    if b"kernel" not in data:
        return _NO_KERNELS
    if file.kind in _HOST_KINDS:
        names = extract_kernel_functions(data)
        return FileKernels(other_names=names) if names else _NO_KERNELS
    if file.kind is ScannedFileKind.HEADER and os.path.basename(file.path).startswith("cl"):
        # The headers of OpenCL itself mention kernels only in comments.
        return _NO_KERNELS
    return kernels_of_text(Document.of(file.path, data))
