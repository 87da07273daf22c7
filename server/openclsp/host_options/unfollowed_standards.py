"""The language versions of build options that cannot be traced from host code to a kernel.

A host may pass `-cl-std=CL2.0` to its own functions, which compute the name of the kernel file. It is then
unknown which kernels are built with the option. The kernels for which the host file seems to be written may
be among them.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from openclsp.host_code.program_names import host_of_program
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_language_versions import (
    DEFAULT_STANDARD,
    STANDARD_OPTION,
    STANDARDS,
    HostLanguageVersions,
)
from openclsp.host_options.kernel_file_names import extract_kernel_functions, kernel_file_stem
from openclsp.host_options.symbolic_text import HostPlace
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.read_permission import ReadPermission

_LITERAL: Final = re.compile(rb"""["'`][ ]?(?:-[^"'`\n]{0,200} )?-cl-std=(CL\d\.\d)[ "'`]""")
"""A string that consists of options"""
_OPTION: Final = STANDARD_OPTION.encode()


class StandardLiteral(NamedTuple):
    """A language version (`CL2.0`) in an option that a string of a host file contains. `line` is from 1."""

    line: int
    standard: str


def extract_standard_literals(data: bytes) -> tuple[StandardLiteral, ...]:
    """Returns the language versions in the options that the strings of a host file contain."""
    if _OPTION not in data:
        return ()
    return tuple(
        StandardLiteral(data.count(b"\n", 0, match.start()) + 1, standard)
        for match in _LITERAL.finditer(data)
        if (standard := match[1].decode()) in STANDARDS
    )


def find_unfollowed_standards(
    literals: Mapping[str, Sequence[StandardLiteral]], builds: Iterable[HostBuild]
) -> dict[str, tuple[StandardLiteral, ...]]:
    """Returns, by host file, those of `literals` that no known build passes."""
    followed = {
        option.place for build in builds for option in build.found_options if option.key == STANDARD_OPTION
    }
    unfollowed = {
        path: tuple(each for each in found if HostPlace(path, each.line) not in followed)
        for path, found in literals.items()
    }
    return {path: found for path, found in unfollowed.items() if found}


def find_versions_of_unfollowed_options(
    unfollowed: Mapping[str, Sequence[StandardLiteral]],
    builds: Sequence[HostBuild],
    kernel: str,
    permission: ReadPermission,
    files: FileSystem,
    where: Callable[[HostPlace], str],
) -> HostLanguageVersions | None:
    """Returns the language versions in which a kernel may be built, if strings of host files suggest several.

    These are the default version and the versions in `unfollowed` of the host files that seem to be written
    for the kernel.

    - `unfollowed`: the result of `find_unfollowed_standards`.
    - `builds`: the known builds of the kernel.
    - `kernel`: the absolute path of a kernel file, or the name of a program in a host file.
    - `where`: formats a place for messages.

    Returns None if a known build selects the version, or if these host files name no version except the
    default.
    """
    if any(option.key == STANDARD_OPTION for build in builds for option in build.found_options):
        return None
    possible = {DEFAULT_STANDARD}
    reason = ""
    for path, each in _literals_for(unfollowed, kernel, permission, files):
        if each.standard not in possible:
            possible.add(each.standard)
            place = where(HostPlace(path, each.line))
            reason = reason or f"the host may pass {STANDARD_OPTION}={each.standard} ({place})"
    if not reason:
        return None
    return HostLanguageVersions(tuple(each for each in STANDARDS if each in possible), reason)


def _literals_for(
    unfollowed: Mapping[str, Sequence[StandardLiteral]],
    kernel: str,
    permission: ReadPermission,
    files: FileSystem,
) -> Iterator[tuple[str, StandardLiteral]]:
    """Yields the literals of the host files that seem to be written for a kernel, each with the file's path.

    If `kernel` is a program in a host file, only that host file counts. If it is a kernel file, these are the
    host files with the same name but another extension, and those that name one of its kernels in a string.
    """
    program = host_of_program(kernel)
    if program is not None:
        yield from ((program[0], each) for each in unfollowed.get(program[0], ()))
        return
    stem = kernel_file_stem(os.path.basename(kernel))
    text = files.read(kernel, permission) if unfollowed else b""
    functions = frozenset() if isinstance(text, FileProblem) else extract_kernel_functions(text)
    quoted = [b'"%s"' % name.encode() for name in functions]
    for path, literals in unfollowed.items():
        concerns = os.path.splitext(os.path.basename(path))[0] == stem
        if not concerns:
            data = files.read(path, permission)
            concerns = not isinstance(data, FileProblem) and any(name in data for name in quoted)
        if concerns:
            yield from ((path, each) for each in literals)
