"""What PATH… means: the documents to be checked, under the names that the person gave them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import BinaryIO

from openclsp.cli.failure import CannotRun
from openclsp.cli.report import NotChecked
from openclsp.dataclass import dataclass
from openclsp.source.document import Document
from openclsp.workspace.discovery import (
    KERNEL_SUFFIXES,
    discover,
    is_cpp_for_opencl_file,
    is_opencl_file,
)
from openclsp.workspace.files import LOCAL_FILES, MAXIMUM_FILE_SIZE, FileProblem, text_of_file
from openclsp.workspace.project_file import FILE_NAME, find_project_file
from openclsp.workspace.roots import project_root

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One document; `path` as given, the document's name absolute. `opencl` is whether its name, the project's file or
    `--language` says that it is OpenCL C; otherwise it is checked only where a kernel includes it."""

    path: str
    document: Document
    opencl: bool = True


@dataclass(frozen=True, slots=True)
class Inputs:
    """All documents, sorted by path. `notices` are lines for standard error; `not_checked` are the files that cannot be
    read; `truncated` is whether a folder holds more files than are read. `excluded` counts the files of folders that
    openclsp.toml leaves out; a file that is named itself is read all the same."""

    inputs: tuple[Input, ...]
    notices: tuple[str, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    truncated: bool = False
    excluded: int = 0


def read_inputs(
    paths: Sequence[str], stdin_path: str | None, stdin: BinaryIO, *, any_is_opencl: bool = False
) -> Inputs:
    """Reads the files that `paths` mean; with `any_is_opencl`, all of them are OpenCL C. Raises CannotRun where one of the
    paths does not exist."""
    named = [path for path in paths if path != STANDARD_INPUT]
    if stdin_path is not None and len(named) == len(paths):
        raise CannotRun("--stdin-path is the name of standard input, which is read for the path '-' alone")
    found = discover(named, endings=_endings(named))
    if found.missing:
        missing = ", ".join(found.missing)
        raise CannotRun(f"{missing}: no such file or folder")
    inputs: list[Input] = []
    notices: list[str] = []
    unread: list[NotChecked] = []
    excluded = 0
    for path in found.files:
        name = os.path.abspath(path)
        if path not in named and _is_excluded(name):
            excluded += 1
            continue
        data = LOCAL_FILES.read(name)
        if isinstance(data, FileProblem):
            unread.append(NotChecked(path, data.reason))
        else:
            opencl = any_is_opencl or path not in named or has_opencl_name(name)
            inputs.append(Input(path, Document.of(name, data), opencl))
    if found.truncated:
        notices.append(f"there are more than {len(found.files)} kernels: the rest is not checked")
    if len(named) < len(paths):
        data = _standard_input(stdin)
        if isinstance(data, FileProblem):
            unread.append(NotChecked(stdin_path or data.path, data.reason))
        else:
            inputs.append(_named_input(stdin_path, data, any_is_opencl))
    if not inputs and not unread and not excluded:
        suffixes = ", ".join(f"*{suffix}" for suffix in KERNEL_SUFFIXES)
        notices.append(f"no kernels ({suffixes}) in {', '.join(named)}")
    return Inputs(
        tuple(sorted(inputs, key=lambda each: each.path)),
        tuple(notices),
        tuple(unread),
        found.truncated,
        excluded,
    )


def has_opencl_name(path: str) -> bool:
    """Whether the ending of the file's name says that it is OpenCL C, or C++ for OpenCL; openclsp.toml may add endings."""
    if is_opencl_file(path) or is_cpp_for_opencl_file(path):
        return True
    project = find_project_file(path, project_root(path))
    return project is not None and bool(project.file_endings) and is_opencl_file(path, project.file_endings)


def _endings(paths: Sequence[str]) -> tuple[str, ...]:
    """The endings of file names that openclsp.toml adds in the projects that the folders among the paths belong to."""
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            within = os.path.join(os.path.abspath(path), FILE_NAME)
            project = find_project_file(within, project_root(within))
            found.update(dict.fromkeys(() if project is None else project.file_endings))
    return tuple(found)


def _is_excluded(path: str) -> bool:
    project = find_project_file(path, project_root(path))
    return project is not None and project.excludes(path)


def _standard_input(stdin: BinaryIO) -> bytes | FileProblem:
    data = stdin.read(MAXIMUM_FILE_SIZE + 1)
    if len(data) > MAXIMUM_FILE_SIZE:
        return FileProblem(STANDARD_INPUT, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
    return text_of_file(STANDARD_INPUT, data)


def _named_input(stdin_path: str | None, data: bytes, is_opencl: bool) -> Input:
    """Standard input as the document `stdin_path`, which says where its includes and options are looked for."""
    path = STANDARD_INPUT if stdin_path is None else stdin_path
    name = os.path.abspath(path)
    return Input(path, Document.of(name, data), is_opencl or stdin_path is None or has_opencl_name(name))
