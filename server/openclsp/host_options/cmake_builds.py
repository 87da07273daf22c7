"""Collects the builds in CMake lists: commands whose arguments name a kernel file and build options."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.option_splitter import UNKNOWN_TEXT, FoundOption, filter_supported_options
from openclsp.host_options.symbolic_text import HostPlace, PathCondition
from openclsp.project.file_discovery import KERNEL_SUFFIXES

_SOURCES: Final = frozenset(("add_library", "add_executable", "target_sources", "add_custom_target"))
_VISIBILITY: Final = frozenset(("PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"))


@dataclass(slots=True)
class _CMakeTarget:
    sources: list[str] = field(default_factory=list)
    options: list[FoundOption] = field(default_factory=list)


class CMakeBuildCollector:
    """Collects builds of the kernel files `kernels` (absolute paths) in the project at the folder `root`."""

    def __init__(self, root: str, kernels: frozenset[str]) -> None:
        self._root, self._known = root, kernels
        self._by_base: dict[str, list[str]] = {}
        for path in kernels:
            self._by_base.setdefault(os.path.basename(path), []).append(path)
        self._builds: list[HostBuild] = []
        self._targets: dict[str, _CMakeTarget] = {}
        self._properties: dict[str, list[FoundOption]] = {}

    def __len__(self) -> int:
        return len(self._builds)

    def all_builds(self) -> tuple[HostBuild, ...]:
        """Returns all builds: those of commands, then those of targets, then those of source files."""
        for target in self._targets.values():
            self._add_target_build(target)
        for kernel, options in self._properties.items():
            how = "set_source_files_properties"
            self._builds.append(HostBuild(tuple(options), options[0].place, how, frozenset((kernel,))))
        return tuple(self._builds)

    def add_sources(self, name: str, values: Sequence[str], variables: Mapping[str, str]) -> None:
        """Records the source files of a target, if the command `name` adds sources."""
        if name in _SOURCES and values:
            target = self._targets.setdefault(values[0], _CMakeTarget())
            target.sources += [self.resolve_path(value, variables) for value in values[1:] if "." in value]

    def add_command(
        self,
        name: str,
        values: Sequence[str],
        variables: Mapping[str, str],
        place: HostPlace,
        conditions: PathCondition,
    ) -> None:
        """Records a build if the arguments of a command contain a kernel file and options other than `-I`."""
        for line in _command_lines(values) if name == "add_custom_command" else [list(values)]:
            kernels = {kernel for value in line for kernel in self._kernels(value, variables)}
            options = list(self._options(line, variables, place, conditions)) if kernels else []
            if any(option.text[:4] != "-I" for option in options):
                self._builds.append(HostBuild(tuple(options), place, name, frozenset(kernels)))

    def add_source_properties(
        self, values: Sequence[str], variables: Mapping[str, str], place: HostPlace, conditions: PathCondition
    ) -> None:
        """Records the options that `set_source_files_properties` sets for kernels."""
        at = values.index("PROPERTIES") if "PROPERTIES" in values else len(values)
        kernels = {kernel for value in values[:at] for kernel in self._kernels(value, variables)}
        found: list[FoundOption] = []
        for key, value in zip(values[at + 1 :: 2], values[at + 2 :: 2], strict=False):
            parts = [part for each in value.split(";") for part in each.split()]
            if key == "COMPILE_DEFINITIONS":
                found += [FoundOption(f"-D{part.removeprefix('-D')}", place, conditions) for part in parts]
            elif key in ("COMPILE_FLAGS", "COMPILE_OPTIONS"):
                found += self._options(parts, variables, place, conditions)
        for kernel in kernels if found else ():
            self._properties.setdefault(kernel, []).extend(found)

    def add_target_options(
        self,
        name: str,
        values: Sequence[str],
        variables: Mapping[str, str],
        place: HostPlace,
        conditions: PathCondition,
    ) -> None:
        """Records the options that a `target_…` command sets for a target."""
        target = self._targets.setdefault(values[0] if values else "", _CMakeTarget())
        plain = [value for value in values[1:] if value not in _VISIBILITY]
        if name == "target_compile_definitions":
            target.options += [
                FoundOption(f"-D{each.removeprefix('-D')}", place, conditions) for each in plain
            ]
        elif name == "target_compile_options":
            target.options += self._options(plain, variables, place, conditions)
        elif name == "target_include_directories":
            target.options += self._options([f"-I{each}" for each in plain], variables, place, conditions)

    def _add_target_build(self, target: _CMakeTarget) -> None:
        """Records a build of a target's kernels, if the target has no other sources.

        Otherwise its options may be meant for the other sources.
        """
        sources = [source for source in target.sources if UNKNOWN_TEXT not in source]
        kernels = [source for source in sources if source in self._known]
        if (
            kernels
            and len(kernels) == len(target.sources)
            and any(o.text[:2] != "-I" for o in target.options)
        ):
            place = target.options[0].place
            how = "target_compile_definitions"
            self._builds.append(HostBuild(tuple(target.options), place, how, frozenset(kernels)))

    def _options(
        self, values: Sequence[str], variables: Mapping[str, str], place: HostPlace, conditions: PathCondition
    ) -> Iterator[FoundOption]:
        parts = (part for value in values for part in (value.split() if " -" in value else [value]))
        for value in filter_supported_options(parts):
            option = next((each for each in ("-include ", "-I") if value.startswith(each)), "")
            if option and UNKNOWN_TEXT not in value:
                value = option + self.resolve_path(value[len(option) :], variables)
            yield FoundOption(value.replace('\\"', '"'), place, conditions)

    def _kernels(self, value: str, variables: Mapping[str, str]) -> Iterator[str]:
        for part in value.split(";"):
            if not part.lower().endswith(KERNEL_SUFFIXES) or part.startswith("-"):
                continue
            path = self.resolve_path(part, variables)
            if path in self._known:
                yield path
            elif UNKNOWN_TEXT in part:
                same_name = self._by_base.get(os.path.basename(part), [])
                yield from same_name if len(same_name) == 1 else ()

    def resolve_path(self, value: str, variables: Mapping[str, str]) -> str:
        """Returns the absolute path of a path that may be relative to the current source folder."""
        return os.path.normpath(os.path.join(variables.get("CMAKE_CURRENT_SOURCE_DIR", self._root), value))


def _command_lines(values: Sequence[str]) -> Iterator[list[str]]:
    """Yields the command lines in the arguments of `add_custom_command`."""
    line: list[str] | None = None
    for value in values:
        if value == "COMMAND":
            if line:
                yield line
            line = []
        elif value in (
            "DEPENDS",
            "COMMENT",
            "VERBATIM",
            "OUTPUT",
            "WORKING_DIRECTORY",
            "MAIN_DEPENDENCY",
            "BYPRODUCTS",
        ):
            if line:
                yield line
            line = None
        elif line is not None:
            line.append(value)
    if line:
        yield line
