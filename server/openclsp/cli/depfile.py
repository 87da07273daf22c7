"""`check --depfile`: writes the files that a check read, as a rule for Make and Ninja."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from openclsp.cli.user_files import write_user_file
from openclsp.host_options.clangd_file import FILE_NAME as CLANGD_NAME
from openclsp.host_options.compile_commands import FILE_NAME as DATABASE_NAME
from openclsp.project.project_roots import find_nearest_enclosing_file
from openclsp.source.document import DocumentName
from openclsp.workspace.compile_flags import FILE_NAME as COMPILE_FLAGS_NAME
from openclsp.workspace.project_file import FILE_NAME as PROJECT_FILE_NAME

_SUFFIX = ".d"


def option_files_of(name: DocumentName, root: str) -> Iterator[str]:
    """Yields the files with build options that apply to a document, such as openclsp.toml and `.clangd`.

    `root` is the root of its project.
    """
    for file_name in (PROJECT_FILE_NAME, COMPILE_FLAGS_NAME, CLANGD_NAME, DATABASE_NAME):
        found = find_nearest_enclosing_file(name, root, file_name)
        if found is not None:
            yield found


def write_depfile(path: str, dependencies: Iterable[str]) -> None:
    """Writes the rule to the file `path`, such as `check.stamp.d`; raises CommandError.

    The target of the rule is the path without `.d`, such as `check.stamp`.
    """
    target = path.removesuffix(_SUFFIX) if path.endswith(_SUFFIX) else path
    # A rule cannot contain file names with line ends.
    names = [os.path.relpath(each) if _is_below(each) else each for each in sorted(set(dependencies))]
    lines = [f"{_escape(target)}:", *(f"  {_escape(name)}" for name in names if "\n" not in name)]
    write_user_file(path, (" \\\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))


def _is_below(path: str) -> bool:
    return path.startswith(os.path.join(os.getcwd(), ""))


def _escape(name: str) -> str:
    """Escapes a file name for a Make rule, as GCC does."""
    return name.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
