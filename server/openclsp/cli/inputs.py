"""What PATH… means: the documents to be checked, under the names that the person gave them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import BinaryIO

from openclsp.cli.failure import CannotRun
from openclsp.dataclass import dataclass
from openclsp.source.document import Document
from openclsp.workspace.discovery import KERNEL_SUFFIXES, discover
from openclsp.workspace.files import LOCAL_FILES, MAXIMUM_FILE_SIZE, FileProblem
from openclsp.workspace.project_file import FILE_NAME, find_project_file
from openclsp.workspace.roots import project_root

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Input:
    """One document; `path` as given, the document's name absolute."""

    path: str
    document: Document


@dataclass(frozen=True, slots=True)
class Inputs:
    """All documents, sorted by path. `notices` are lines to be told; `unread` says that a file found in a folder could
    not be read, so that not everything asked for is checked. `excluded` counts the files of folders that openclsp.toml
    leaves out; a file that is named itself is read all the same."""

    inputs: tuple[Input, ...]
    notices: tuple[str, ...] = ()
    unread: bool = False
    excluded: int = 0


def read_inputs(paths: Sequence[str], stdin_path: str | None, stdin: BinaryIO) -> Inputs:
    """Reads what `paths` mean. Raises CannotRun where one of them does not exist or cannot be read."""
    named = [path for path in paths if path != STANDARD_INPUT]
    if stdin_path is not None and len(named) == len(paths):
        raise CannotRun("--stdin-path is the name of standard input, which is read for the path '-' alone")
    found = discover(named, endings=_endings(named))
    if found.missing:
        missing = ", ".join(found.missing)
        raise CannotRun(f"{missing}: no such file or folder")
    inputs: list[Input] = []
    notices: list[str] = []
    excluded = 0
    for path in found.files:
        if path not in named and _is_excluded(os.path.abspath(path)):
            excluded += 1
            continue
        data = LOCAL_FILES.read(os.path.abspath(path))
        if not isinstance(data, FileProblem):
            inputs.append(Input(path, Document.of(os.path.abspath(path), data)))
        elif path in named:
            raise CannotRun(f"{path} {data.reason}")
        else:
            notices.append(f"{path} {data.reason}; it is not checked")
    unread = bool(notices)
    if found.truncated:
        notices.append(f"there are more than {len(found.files)} kernels: the rest is not checked")
        unread = True
    if len(named) < len(paths):
        inputs.append(read_standard_input(stdin_path, stdin))
    if not inputs and not unread and not excluded:
        suffixes = ", ".join(f"*{suffix}" for suffix in KERNEL_SUFFIXES)
        notices.append(f"no kernels ({suffixes}) in {', '.join(named)}")
    return Inputs(tuple(sorted(inputs, key=lambda each: each.path)), tuple(notices), unread, excluded)


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


def read_standard_input(stdin_path: str | None, stdin: BinaryIO) -> Input:
    """Standard input as the document `stdin_path`, which says where its includes and options are looked for."""
    data = stdin.read(MAXIMUM_FILE_SIZE + 1)
    if len(data) > MAXIMUM_FILE_SIZE:
        raise CannotRun(f"standard input is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
    path = STANDARD_INPUT if stdin_path is None else stdin_path
    return Input(path, Document.of(os.path.abspath(path), data))
