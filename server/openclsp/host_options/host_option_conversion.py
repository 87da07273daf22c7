"""Converts options that were found in host code to option layers and messages."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from openclsp.dataclass import dataclass
from openclsp.host_options.host_build import parse_found_options
from openclsp.host_options.option_splitter import FoundOption
from openclsp.host_options.symbolic_text import HostPlace
from openclsp.project.file_system import FileKind, FileSystem
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT
from openclsp.project.option_layers import OptionLayer
from openclsp.project.option_parser import BuildOptions
from openclsp.project.project_roots import enclosing_folders
from openclsp.project.read_permission import ReadPermission, is_inside


@dataclass(frozen=True, slots=True)
class UnappliedHostOption:
    """An option that is not applied, with the reason.

    - `name`: the macro that the option defines, or empty.
    - `where`: the option's place in messages.
    - `line`: the line from 1; 0 if it is unknown.
    - `receiver`: the function or command that the option is passed to.
    """

    text: str
    name: str
    where: str
    path: str
    line: int
    receiver: str
    reason: str


class HostOptionConverter:
    """Converts options found in host code to layers and messages, for one kernel.

    `place_kind` precedes each place in messages, such as `RUN line `; it is empty for host code.
    """

    def __init__(
        self, root: str, kernel: str, permission: ReadPermission, files: FileSystem, place_kind: str = ""
    ) -> None:
        self.root, self.kernel, self.permission, self.files = root, kernel, permission, files
        self.place_kind = place_kind
        self.problems: list[str] = []
        self.receivers: dict[str, str] = {}
        self.include_folders: tuple[str, ...] = ()
        """The include folders of the build"""

    def record_include_folders(self, certain: Sequence[FoundOption]) -> None:
        """Records the include folders that the options `certain` name.

        Compilers search these folders for the files of `-include` too.
        """
        searched: list[str] = []
        for each in certain:
            options = parse_found_options((each,), None).options
            searched += self.resolve_folders(each, "-I", options.include_folders)
            searched += self.resolve_folders(each, "-isystem ", options.system_folders)
            searched += self.resolve_folders(each, "-iquote ", options.quote_folders)
        self.include_folders = tuple(searched)

    def make_layer(self, option: FoundOption) -> OptionLayer | None:
        read = parse_found_options((option,), None)
        where = self.format_place(option.place)
        self.problems += [f"{where}: {problem.message}" for _, problem in read.problems]
        options = read.options
        if options.include_folders:
            options = BuildOptions(
                include_folders=self.resolve_folders(option, "-I", options.include_folders)
            )
        elif options.system_folders:
            options = BuildOptions(
                system_folders=self.resolve_folders(option, "-isystem ", options.system_folders)
            )
        elif options.quote_folders:
            options = BuildOptions(
                quote_folders=self.resolve_folders(option, "-iquote ", options.quote_folders)
            )
        elif options.forced_includes:
            options = self.resolve_forced_includes(option, options.forced_includes)
        if options == BuildOptions():
            return None
        how = self.receivers.get(option.text, "")
        return OptionLayer(
            f"in {where}",
            options,
            path=option.place.path,
            line=option.place.line,
            receiver=how,
            option_text=option.display_text,
        )

    def resolve_folders(self, option: FoundOption, name: str, written: Sequence[str]) -> tuple[str, ...]:
        """Returns the existing folders that the paths `written` in an include option may denote.

        `name` is the option's name in messages, such as `-I`.
        """
        found = []
        for folder in written:
            found += self.resolve_relative_path(option, name, folder, FileKind.FOLDER)
        return tuple(dict.fromkeys(found))

    def resolve_forced_includes(self, option: FoundOption, written: Sequence[str]) -> BuildOptions:
        """Returns options with the existing file that each of the `-include` paths `written` most likely denotes.

        A path that denotes no existing file may denote one that the host generates or installs.
        """
        found: list[str] = []
        unread: list[str] = []
        for name in written:
            beside = self.resolve_relative_path(option, "-include ", name, FileKind.FILE)
            denoted = (beside or self._find_in_include_folders(name))[:1]
            found += denoted
            unread += [] if denoted else [name]
        return BuildOptions(forced_includes=tuple(found), unread_includes=tuple(unread))

    def _find_in_include_folders(self, name: str) -> list[str]:
        paths = (os.path.normpath(os.path.join(folder, name)) for folder in self.include_folders)
        located = ((path, self.files.locate(path, self.permission)) for path in paths)
        return [
            path for path, there in located if there is not None and self.files.kind(there) is FileKind.FILE
        ]

    def resolve_relative_path(
        self, option: FoundOption, name: str, written: str, kind: FileKind
    ) -> list[str]:
        """Returns the existing paths that a relative path in an option may denote.

        The working folder of the host is unknown. Candidates are relative to the kernel's folder and its
        parents, to the host file's folder, and to the project's root. If reading is permitted for none
        of them, a problem is recorded for the option `name`, whether or not the path exists.
        """
        beside = os.path.dirname(self.kernel)
        around = [folder for folder in enclosing_folders(beside) if is_inside(folder, self.root)]
        plain = os.path.normpath(written) != "."
        found: list[str] = []
        outside: list[bool] = []
        for base in (beside, *(around if plain else ()), os.path.dirname(option.place.path), self.root):
            path = os.path.normpath(os.path.join(base, written))
            located = self.files.locate(path, self.permission)
            outside.append(located is None)
            if located is not None and self.files.kind(located) is kind:
                found.append(path)
        if all(outside):
            self.problems.append(f"{self.format_place(option.place)}: {name}{written} {LEADS_OUT_OF_PROJECT}")
        return found

    def make_unapplied_option(self, option: FoundOption, unused: str) -> UnappliedHostOption:
        how = self.receivers.get(option.text, "")
        return UnappliedHostOption(
            option.display_text,
            option.macro_name,
            self.format_place(option.place),
            option.place.path,
            option.place.line,
            how,
            unused,
        )

    def format_place(self, place: HostPlace) -> str:
        """Formats a place as in `src/host.cpp:12`, or without the line if it is unknown."""
        path = self.path_from_root(place.path)
        return f"{self.place_kind}{path}:{place.line}" if place.line else path

    def path_from_root(self, path: str) -> str:
        return os.path.relpath(path, self.root) if is_inside(path, self.root) else path
