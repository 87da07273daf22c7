"""Resolves the arguments PATH… to documents, and keeps the user's spelling of the paths."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

from openclsp.cli.check_report import UncheckedFile
from openclsp.cli.command_error import CommandError
from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HOST_ENDINGS, STRING_ONLY_LANGUAGES, host_language_of_file
from openclsp.host_code.host_words import may_hold_kernel, may_use_kernel
from openclsp.host_code.kernels_outside_strings import defines_kernel_outside_strings
from openclsp.project.file_discovery import (
    KERNEL_SUFFIXES,
    discover_files,
    is_cpp_for_opencl_file,
    is_opencl_file,
)
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    MAXIMUM_FILE_SIZE,
    DocumentStore,
    FileKind,
    FileProblem,
    decode_file,
)
from openclsp.project.option_confinement import user_readable_folders
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions
from openclsp.project.project_roots import enclosing_project_roots, find_project_root
from openclsp.project.read_permission import HOW_TO_ALLOW, ReadPermission
from openclsp.source.document import Document
from openclsp.workspace.project_file import FILE_NAME, find_project_file
from openclsp.workspace.source_detection import has_source_file_name, looks_like_opencl
from openclsp.workspace.unit_preparation import COMMAND_LINE_SOURCE
from openclsp.workspace.user_configuration import read_user_configuration

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class CheckInput:
    """A document to check.

    - `path`: the path as given; the document's name is the absolute path
    - `is_opencl`: whether its file ending, the project file or `--language` marks it as OpenCL C; otherwise
      it is checked only if a kernel includes it
    - `is_named`: whether the user named the file itself, not a folder that contains it
    - `is_certain`: whether the user says that it is OpenCL C: by naming the file, or with `--language`
    - `program`: set if the document is a program in a string of the host file at `path`
    """

    path: str
    document: Document
    is_opencl: bool = True
    is_named: bool = True
    is_certain: bool = True
    program: ProgramDocument | None = None

    @property
    def file_name(self) -> str:
        """The absolute name of the file that contains the document."""
        return self.document.name if self.program is None else self.program.host.name


@dataclass(frozen=True, slots=True)
class CheckInputs:
    """All documents to check, sorted by path.

    - `notices`: lines for standard error
    - `not_checked`: the files that cannot be read
    - `truncated`: whether files were left out, because the folders contain more than MAXIMUM_FILES
    - `excluded`: the number of files in folders that openclsp.toml excludes; files that the user named are
      not excluded
    - `callers`: the host files that may name kernels and pass arguments to them
    - `paths`: the paths that the user gave
    - `named_like_host_code`: the files of folders that define kernels although their names are those of C or
      C++; they are checked only if a kernel includes them
    """

    inputs: tuple[CheckInput, ...]
    notices: tuple[str, ...] = ()
    not_checked: tuple[UncheckedFile, ...] = ()
    truncated: bool = False
    excluded: int = 0
    callers: tuple[CheckInput, ...] = ()
    paths: tuple[str, ...] = ()
    named_like_host_code: tuple[CheckInput, ...] = ()

    @property
    def named_folders(self) -> tuple[str, ...]:
        """The absolute paths of the folders that the user named."""
        return tuple(os.path.abspath(path) for path in self.paths if os.path.isdir(path))


def read_inputs(
    paths: Sequence[str],
    stdin_path: str | None,
    stdin: BinaryIO,
    readable_folders: Sequence[str] = (),
    *,
    any_is_opencl: bool = False,
    skips_missing: bool = False,
) -> CheckInputs:
    """Reads the files that `paths` denote; links may lead into `readable_folders`.

    - `any_is_opencl`: whether files are OpenCL C whatever their endings
    - `skips_missing`: whether paths that do not exist or that openclsp may not read are skipped

    Raises CommandError for such a path if `skips_missing` is false, or if no other path is left.
    """
    named = [path for path in paths if path != STANDARD_INPUT]
    if stdin_path is not None and len(named) == len(paths):
        raise CommandError("--stdin-path names standard input, which is read only if a path is '-'")
    # This is done before the existence of files is tested: the result must not reveal whether the target of a
    # link exists.
    unread: list[UncheckedFile] = []
    for path in named:
        problem = _link_problem(os.path.abspath(path), readable_folders)
        if problem and not skips_missing:
            raise CommandError(f"{path} {problem}")
        if problem:
            unread.append(UncheckedFile(path, problem))
    refused = {each.path for each in unread}
    named = [path for path in named if path not in refused]
    found = discover_files(named, endings=_project_endings(named), host_endings=HOST_ENDINGS)
    unread += [UncheckedFile(path, "does not exist") for path in found.missing]
    is_any_left = STANDARD_INPUT in paths or len(found.missing) < len(named)
    if unread and not (skips_missing and is_any_left):
        missing = ", ".join(found.missing)
        raise CommandError(
            f"{missing}: no such file or folder" if found.missing else f"{unread[0].path} {unread[0].reason}"
        )
    inputs: list[CheckInput] = []
    callers: list[CheckInput] = []
    named_like_host_code: list[CheckInput] = []
    notices = [f"{link}; it is not checked" for link in found.skipped_links]
    unread += [UncheckedFile(path, reason) for path, reason in found.refused]
    excluded = 0
    folders = ReadPermission.for_named_paths(
        (os.path.abspath(path) for path in named if os.path.isdir(path)), resolve=LOCAL_FILE_SYSTEM.resolve
    )
    for path in found.files:
        name = os.path.abspath(path)
        if path not in named and _is_excluded(name):
            excluded += 1
            continue
        document = read_named(path, readable_folders) if path in named else _read_discovered(path, folders)
        if isinstance(document, FileProblem):
            unread.append(UncheckedFile(path, document.reason))
        else:
            opencl = any_is_opencl or path not in named or has_opencl_name(name)
            given = CheckInput(path, document, opencl, path in named, any_is_opencl or path in named)
            inputs += _programs_or_file(given)
            callers += _callers(given)
    for path in found.host_files:
        if _is_excluded(os.path.abspath(path)):
            continue
        # A host file that cannot be read is not reported, because the run is about kernels.
        document = DocumentStore().read(os.path.abspath(path), folders)
        if not isinstance(document, FileProblem):
            given = CheckInput(path, document, is_named=False)
            programs = _programs_of(given)
            inputs += programs
            callers += _callers(given)
            language = host_language_of_file(document.name)
            if not programs and defines_kernel_outside_strings(document.text.data, language):
                named_like_host_code.append(given)
    if found.truncated:
        notices.append(f"there are more than {len(found.files)} kernels; the rest is not checked")
    if STANDARD_INPUT in paths:
        data = _standard_input(stdin)
        if isinstance(data, FileProblem):
            unread.append(UncheckedFile(stdin_path or data.path, data.reason))
        else:
            given = _named_input(stdin_path, data, any_is_opencl)
            inputs += _programs_or_file(given)
            callers += _callers(given)
    if not (inputs or callers or unread or excluded or named_like_host_code):
        suffixes = ", ".join(f"*{suffix}" for suffix in KERNEL_SUFFIXES)
        notices.append(f"no kernels ({suffixes}) in {', '.join(named)}")
    return CheckInputs(
        tuple(sorted(inputs, key=lambda each: each.path)),
        tuple(notices),
        tuple(unread),
        found.truncated,
        excluded,
        tuple(sorted(callers, key=lambda each: each.path)),
        tuple(named),
        tuple(named_like_host_code),
    )


def _callers(given: CheckInput) -> Sequence[CheckInput]:
    """Returns a tuple with the input if it is host code that may pass arguments to kernels; otherwise ().

    The file ending shows whether the input is host code. Certain words in the text show whether it may pass
    arguments.
    """
    if given.is_opencl and given.is_named and has_opencl_name(given.document.name):
        return ()
    language = host_language_of_file(given.document.name)
    has_calls = language is not None and language not in STRING_ONLY_LANGUAGES
    return (given,) if has_calls and may_use_kernel(given.document.text.data) else ()


def _programs_or_file(given: CheckInput) -> Sequence[CheckInput]:
    """Returns the programs in the strings of a host file.

    Returns the file itself if it contains no programs or is OpenCL C.
    """
    if given.is_opencl:
        return (given,)
    return _programs_of(given) or (given,)


def _programs_of(given: CheckInput) -> Sequence[CheckInput]:
    if not may_hold_kernel(given.document.text.data):
        return ()
    # Imported late: the grammars of the host languages take 10 ms to load.
    from openclsp.host_code.program_document import program_documents

    return [
        CheckInput(given.path, each.document, True, given.is_named, program=each)
        for each in program_documents(given.document)
    ]


def has_opencl_name(path: str) -> bool:
    """Whether the file ending is that of OpenCL C or C++ for OpenCL, or one that openclsp.toml adds."""
    if is_opencl_file(path) or is_cpp_for_opencl_file(path):
        return True
    project = find_project_file(path, find_project_root(path))
    return project is not None and bool(project.file_endings) and is_opencl_file(path, project.file_endings)


def read_named(path: str, readable_folders: Sequence[str] = ()) -> Document | FileProblem:
    """Reads a file that is named on the command line; a FileProblem if it cannot or must not be read."""
    name = os.path.abspath(path)
    problem = _link_problem(name, readable_folders)
    if problem:
        return FileProblem(path, problem)
    top = next(enclosing_project_roots(name), os.path.dirname(name))
    return DocumentStore().read(name, _read_permission(top, readable_folders))


def allowed_folders_of_run(options: BuildOptions) -> tuple[str, ...]:
    """Returns the folders outside projects that openclsp is permitted to read.

    The command line and the user's configuration name these folders.
    """
    layers = (
        read_user_configuration().layer,
        OptionLayer(COMMAND_LINE_SOURCE, options, written_by_user=True),
    )
    return tuple(user_readable_folders(layers))


def _link_problem(name: str, readable_folders: Sequence[str]) -> str:
    """Returns why a path on the command line is refused, as the end of a sentence; empty if it is accepted.

    Users may name any file. But a shell pattern such as `kernels/*.cl` may also match links that the
    repository contains. A link is therefore refused if it leads out of a project that contains it, or to a
    file that is not a source file. The result does not depend on whether the link's target exists. A link to
    a folder is accepted if no project contains the link.
    """
    projects = tuple(enclosing_project_roots(name))
    for folder in projects or (os.path.dirname(name),):
        permission = _read_permission(folder, readable_folders)
        located = LOCAL_FILE_SYSTEM.locate(name, permission)
        if located is None:
            if not projects and os.path.isdir(name):
                return ""
            return f"is a link that leads out of the project; {HOW_TO_ALLOW}"
        plain = os.path.join(LOCAL_FILE_SYSTEM.resolve(folder), os.path.relpath(name, folder))
        source = LOCAL_FILE_SYSTEM.kind(located) is not FileKind.FILE or has_source_file_name(located)
        if located != os.path.normpath(plain) and (permission.is_hidden(located) or not source):
            return "is a link to a file that is not named like a source file"
    return ""


def _read_permission(folder: str, readable_folders: Sequence[str]) -> ReadPermission:
    return ReadPermission.for_named_paths((folder, *readable_folders), resolve=LOCAL_FILE_SYSTEM.resolve)


def _read_discovered(path: str, folders: ReadPermission) -> Document | FileProblem:
    """Reads a file found in a folder.

    If only `file-endings` in openclsp.toml selects the file, it is refused unless it looks like OpenCL C.
    """
    document = DocumentStore().read(os.path.abspath(path), folders)
    if isinstance(document, FileProblem) or is_opencl_file(path) or is_cpp_for_opencl_file(path):
        return document
    if looks_like_opencl(document.text.data):
        return document
    return FileProblem(path, "does not look like OpenCL C")


def _project_endings(paths: Sequence[str]) -> tuple[str, ...]:
    """Returns the file endings that openclsp.toml adds, in the projects of the folders in `paths`."""
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            within = os.path.join(os.path.abspath(path), FILE_NAME)
            project = find_project_file(within, find_project_root(within))
            found.update(dict.fromkeys(() if project is None else project.file_endings))
    return tuple(found)


def _is_excluded(path: str) -> bool:
    project = find_project_file(path, find_project_root(path))
    return project is not None and project.excludes(path)


def _standard_input(stdin: BinaryIO) -> bytes | FileProblem:
    data = stdin.read(MAXIMUM_FILE_SIZE + 1)
    if len(data) > MAXIMUM_FILE_SIZE:
        return FileProblem(STANDARD_INPUT, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
    return decode_file(STANDARD_INPUT, data)


def _named_input(stdin_path: str | None, data: bytes, is_opencl: bool) -> CheckInput:
    """Returns standard input as the document `stdin_path`.

    The folder of `stdin_path` determines the includes and options.
    """
    path = STANDARD_INPUT if stdin_path is None else stdin_path
    name = os.path.abspath(path)
    return CheckInput(path, Document.of(name, data), is_opencl or stdin_path is None or has_opencl_name(name))
