"""The language versions of build options that cannot be traced from host code to a kernel.

A host may pass `-cl-std=CL2.0` to its own functions, which compute the name of the kernel file. It is then
unknown which kernels are built with the option. The kernels for which the host file seems to be written may
be among them, and those that the host builds with options that are not known completely.
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
from openclsp.host_options.option_splitter import UNKNOWN_TEXT
from openclsp.host_options.symbolic_text import HostPlace
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.read_permission import ReadPermission

_LITERAL: Final = re.compile(
    rb"""["'`][ ]?(?:-[^"'`\n]{0,200} )?-cl-std=(?P<value>[\w.]{0,8})(?:(?P<hole>[%${#(])|(?P<end>["'`])|[ ])"""
)
"""A string that consists of options, up to the value of the language version, or to text that the host inserts"""
_OPTION: Final = STANDARD_OPTION.encode()
_QUOTES: Final = (b'"', b"'", b"`")
_CLOSE_LINES: Final = 16
"""The maximum number of lines between an option and the name of the kernel file that may be built with it"""
_BEFORE_FILE_NAME: Final = (*_QUOTES, b"/", b"\\")


class StandardLiteral(NamedTuple):
    """The language versions that an option in a string of a host file may select. `line` is from 1.

    There are several (`CL1.0`, `CL1.1`, `CL1.2`) if the host computes the version or a part of it.
    """

    line: int
    standards: tuple[str, ...]


def extract_standard_literals(data: bytes) -> tuple[StandardLiteral, ...]:
    """Returns the language versions in the options that the strings of a host file contain."""
    if _OPTION not in data:
        return ()
    return tuple(
        StandardLiteral(data.count(b"\n", 0, match.start()) + 1, standards)
        for match in _LITERAL.finditer(data)
        if (standards := _standards_of(match))
    )


def _standards_of(literal: re.Match[bytes]) -> tuple[str, ...]:
    value = literal["value"].decode("utf-8", "replace")
    if literal["hole"] is None and (value in STANDARDS or literal["end"] is None):
        return tuple(each for each in STANDARDS if each == value)
    # A host appends the rest to a string that ends within the version.
    return tuple(each for each in STANDARDS if each.startswith(value))


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
    for path, each in _literals_for(unfollowed, builds, kernel, permission, files):
        if not possible.issuperset(each.standards):
            possible.update(each.standards)
            place = where(HostPlace(path, each.line))
            value = f"={each.standards[0]}" if len(each.standards) == 1 else " with a computed value"
            reason = reason or f"the host may pass {STANDARD_OPTION}{value} ({place})"
    if not reason:
        return None
    return HostLanguageVersions(tuple(each for each in STANDARDS if each in possible), reason)


def _literals_for(
    unfollowed: Mapping[str, Sequence[StandardLiteral]],
    builds: Sequence[HostBuild],
    kernel: str,
    permission: ReadPermission,
    files: FileSystem,
) -> Iterator[tuple[str, StandardLiteral]]:
    """Yields the literals of the host files that seem to be written for a kernel, each with the file's path.

    If `kernel` is a program in a host file, only that host file counts. If it is a kernel file, these are the
    host files with the same name but another extension, and those that name one of its kernels in a string.
    If the options of the kernel's builds are not known completely, these are also the host files with such a
    build, and the files that they include or import. If that is so, or if no build names the kernel, literals close to
    the name of the kernel file also count, except in tests.
    """
    program = host_of_program(kernel)
    if program is not None:
        yield from ((program[0], each) for each in unfollowed.get(program[0], ()))
        return
    base = os.path.basename(kernel)
    stem = kernel_file_stem(base)
    text = files.read(kernel, permission) if unfollowed else b""
    functions = frozenset() if isinstance(text, FileProblem) else extract_kernel_functions(text)
    names = [b'"%s"' % name.encode() for name in functions]
    known = [build for build in builds if build.names_kernels]
    incomplete = frozenset(build.place.path for build in known if _has_unknown_options(build))
    for path, literals in unfollowed.items():
        if (
            path in incomplete
            or os.path.splitext(os.path.basename(path))[0] == stem
            or _contains(path, names, permission, files)
            or any(_contains(builder, _imports_of(path), permission, files) for builder in incomplete)
        ):
            yield from ((path, each) for each in literals)
        elif (incomplete or not known) and not _is_named_like_test(path):
            lines = _lines_with_file_name(path, base, permission, files)
            close = (
                each for each in literals if any(abs(each.line - line) <= _CLOSE_LINES for line in lines)
            )
            yield from ((path, each) for each in close)


def _has_unknown_options(build: HostBuild) -> bool:
    """Whether the whole text of one of a build's options is unknown, so that it may select a language version."""
    return any(option.text == UNKNOWN_TEXT for option in build.found_options)


def _imports_of(path: str) -> list[bytes]:
    """Returns the texts with which a host file in the same language may include or import the file `path`."""
    base = os.path.basename(path).encode("utf-8", "surrogateescape")
    stem = os.path.splitext(base)[0]
    return [base + b'"', base + b">", b"import " + stem, b"from " + stem, b"from ." + stem]


def _is_named_like_test(path: str) -> bool:
    """Whether a host file is named like a test; a test may write the kernel file that it names."""
    stem = os.path.splitext(os.path.basename(path))[0].lower()
    return stem.startswith("test_") or stem.endswith(("_test", "_tests"))


def _lines_with_file_name(path: str, base: str, permission: ReadPermission, files: FileSystem) -> list[int]:
    """Returns the lines, from 1, in which the strings of a host file end with the file name `base`."""
    data = files.read(path, permission)
    name = base.encode("utf-8", "surrogateescape")
    if isinstance(data, FileProblem) or name not in data:
        return []
    texts = [before + name + after for before in _BEFORE_FILE_NAME for after in _QUOTES]
    return [number for number, line in enumerate(data.split(b"\n"), 1) if any(text in line for text in texts)]


def _contains(path: str, texts: Sequence[bytes], permission: ReadPermission, files: FileSystem) -> bool:
    data = files.read(path, permission)
    return not isinstance(data, FileProblem) and any(text in data for text in texts)
