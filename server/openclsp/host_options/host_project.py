"""Kernel options from a project's host code and build files."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Protocol

from openclsp.dataclass import dataclass
from openclsp.host_code.program_names import host_of_program
from openclsp.host_options.host_build import (
    HostBuild,
    drop_uninformative_builds,
    intersect_builds,
    split_by_conditions,
)
from openclsp.host_options.host_language_versions import (
    STANDARD_OPTION,
    HostLanguageVersions,
    find_host_language_versions,
    matching_standards,
)
from openclsp.host_options.host_option_conversion import HostOptionConverter, UnappliedHostOption
from openclsp.host_options.missing_submodules import find_missing_submodule, versions_of_missing_submodule
from openclsp.host_options.option_splitter import UNKNOWN_TEXT, FoundOption
from openclsp.host_options.possible_names import DeferredNames
from openclsp.host_options.unfollowed_standards import StandardLiteral, find_versions_of_unfollowed_options
from openclsp.project.build_variants import BuildVariant
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileSystem
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT
from openclsp.project.option_layers import OptionLayer
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_scan import HOST_CODE_KINDS, ProjectScan, ScannedFileKind, classify_file_name
from openclsp.project.read_permission import ReadPermission
from openclsp.source.other_files import NamesElsewhere

if TYPE_CHECKING:
    from openclsp.host_options.host_build_index import HostBuildIndex

MAXIMUM_VARIANTS = 24
"""Maximum number of builds of one kernel that become variants."""


_C_KINDS: Final = frozenset((ScannedFileKind.HEADER, ScannedFileKind.C, ScannedFileKind.CPP))
_OTHER_LANGUAGES: Final[Mapping[ScannedFileKind | None, frozenset[ScannedFileKind]]] = {
    kind: HOST_CODE_KINDS - (_C_KINDS if kind in _C_KINDS else {kind}) for kind in HOST_CODE_KINDS
}
"""For a kind of host file, the kinds of host files whose builds do not concern its strings"""


@dataclass(frozen=True, slots=True)
class HostProject:
    """A scanned project with the builds in its host code and build files.

    - `builds`: the builds of each kernel file.
    - `builds_of_unknown_kernels`: the builds that name no kernel.
    - `builds_in_host`: for each host file, the builds in it whose kernel files are unknown or only guessed.
      These may build the programs in its strings.
    - `possible_names`: the names that OpenCL files define at program scope, and the macros and headers that
      host code may define. Each has the path of the only file that defines it, or SEVERAL_FILES.
    - `unfollowed_standards`: the language versions, by host file, that host code may pass to unknown kernels.
    - `missing_submodule`: the path of a submodule that is not checked out, if the host code that is present builds
      no programs.
    """

    scan: ProjectScan
    builds: Mapping[str, tuple[HostBuild, ...]] = field(default_factory=dict)
    builds_of_unknown_kernels: tuple[HostBuild, ...] = ()
    builds_in_host: Mapping[str, tuple[HostBuild, ...]] = field(default_factory=dict)
    possible_names: NamesElsewhere = field(default_factory=dict[str, str])
    unfollowed_standards: Mapping[str, tuple[StandardLiteral, ...]] = field(default_factory=dict)
    missing_submodule: str = ""
    _cached_options: dict[tuple[str, str | None, ReadPermission, bool], HostOptionsOfKernel] = field(
        default_factory=dict, compare=False, repr=False
    )

    def builds_of_kernel(self, kernel: str) -> tuple[HostBuild, ...]:
        """Returns the builds of a kernel file, or of a program in a host file, by its absolute path.

        If none is known, returns the builds of unknown kernels. Those in another host language do not build a
        program in the strings of a host file.
        """
        program = host_of_program(kernel)
        if program is None:
            return self.builds.get(kernel, self.builds_of_unknown_kernels)
        found = self.builds_in_host.get(program[0])
        if found is not None:
            return found
        others = _OTHER_LANGUAGES.get(_kind(program[0]), frozenset())
        return tuple(each for each in self.builds_of_unknown_kernels if _kind(each.place.path) not in others)


def _kind(path: str) -> ScannedFileKind | None:
    return classify_file_name(os.path.basename(path))


def collect_host_builds(
    index: HostBuildIndex,
    scan: ProjectScan,
    kernel: str | None = None,
    check: Callable[[], None] = lambda: None,
    *,
    defer_names: bool = False,
) -> HostProject:
    """Collects the builds of a scanned project.

    With `kernel`, a kernel file's path, only builds that may be for this file are collected, which is faster. `index` caches the
    data of files. `check` is called repeatedly and may raise to cancel. With `defer_names`, `possible_names`
    is computed when a name is first needed, without `check`.
    """
    builds: dict[str, list[HostBuild]] = {}
    others = []
    in_host: dict[str, list[HostBuild]] = {}
    # Below a folder that nobody calls a project, a build that names no kernel may belong to another project.
    is_project = scan.is_project
    found = index.find_builds(scan, kernel, check)
    for build in found:
        alternatives = split_by_conditions(build) if build.kernels else (build,)
        for path in build.kernels:
            builds.setdefault(path, []).extend(alternatives)
        if not build.kernels and is_project and not build.builds_host_string:
            others.append(build)
        if not build.kernels or not build.names_kernels:
            in_host.setdefault(build.place.path, []).append(build)
    names: NamesElsewhere = {}
    if is_project and defer_names:
        names = DeferredNames(
            lambda name: index.possible_name(scan, name, lambda: None),
            lambda: index.possible_names(scan, lambda: None),
        )
    elif is_project:
        names = index.possible_names(scan, check)
    telling = {path: drop_uninformative_builds(each) for path, each in builds.items()}
    of_strings = {path: drop_uninformative_builds(each) for path, each in in_host.items()}
    unfollowed = index.unfollowed_standards(scan, found, check) if is_project else {}
    is_built_here = not is_project or bool(found) or index.builds_programs(scan, check)
    missing = "" if is_built_here else find_missing_submodule(scan, index.files)
    return HostProject(scan, telling, tuple(others), of_strings, names, unfollowed, missing)


@dataclass(frozen=True, slots=True)
class HostOptionsOfKernel:
    """The options from host code, or from RUN lines, for one kernel file.

    - `layers`: the options to apply, in the order in which they are passed.
    - `unapplied`: options that are not applied, because only some paths or builds pass them, or because the
      host computes them.
    - `problems`: messages about invalid options, and about paths that openclsp is not permitted to read.
    - `variants`: one variant for each build, if there are several builds with different options. `layers`
      then contains the options of the selected variant, or those that all builds share.
    - `names_defined_elsewhere`: `HostProject.possible_names`.
    - `may_define_any_name`: whether the host computes the name of a macro that it defines.
    - `guesses_version`: whether no build that certainly builds this kernel sets a language version. A version
      in `layers` is then a guess.
    """

    layers: tuple[OptionLayer, ...] = ()
    unapplied: tuple[UnappliedHostOption, ...] = ()
    problems: tuple[str, ...] = ()
    variants: tuple[BuildVariant, ...] = ()
    names_defined_elsewhere: NamesElsewhere = field(default_factory=dict[str, str])
    may_define_any_name: bool = False
    guesses_version: bool = False
    versions: HostLanguageVersions | None = None
    """The language versions that the host may select, if that is not certain"""

    @property
    def possible_macros(self) -> tuple[tuple[str, str], ...]:
        """The macros that unapplied options define, each with an explanation for the user."""
        return tuple(
            (
                each.name,
                f"the host may define `{each.name}`: `{each.text}` in {each.where}, {each.reason}",
            )
            for each in self.unapplied
            if each.name
        )


NO_HOST_OPTIONS = HostOptionsOfKernel()


class HostProjectProvider(Protocol):
    """Supplies the `HostProject` of a folder, once its host code has been analysed."""

    def of(self, root: str, kernel: str) -> HostProject | None:
        """Returns the project at the folder `root`, for a kernel file; None until it has been analysed."""
        ...

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders | None:
        """Returns the headers of the project at `root`; None until the project has been scanned."""
        ...


def select_host_options(
    project: HostProject,
    kernel: str,
    variant: str | None = None,
    permission: ReadPermission | None = None,
    files: FileSystem = LOCAL_FILE_SYSTEM,
    *,
    first: bool = True,
) -> HostOptionsOfKernel:
    """Selects the options for a kernel file.

    These are the options of the variant `variant`. If there is no such variant, `first` selects those of the
    first variant; without `first`, they are those that all builds share. Folders outside `permission`
    (default: that of the project) are refused.
    """
    permission = permission or project.scan.permission
    key = kernel, variant, permission, first
    if key not in project._cached_options:
        project._cached_options[key] = _compute_host_options(
            project, kernel, variant, permission, files, first
        )
    return project._cached_options[key]


def _compute_host_options(
    project: HostProject,
    kernel: str,
    variant: str | None,
    permission: ReadPermission,
    files: FileSystem,
    first: bool,
) -> HostOptionsOfKernel:
    builds = project.builds_of_kernel(kernel)
    converter = HostOptionConverter(project.scan.root, kernel, permission, files)
    selected, chosen = _select_builds(builds, converter, variant, first)
    versions = (
        selected.versions
        or find_versions_of_unfollowed_options(
            project.unfollowed_standards, chosen, kernel, permission, files, converter.format_place
        )
        or versions_of_missing_submodule(project.missing_submodule)
    )
    return replace(selected, versions=versions)


def select_run_options(
    builds: Sequence[HostBuild],
    kernel: str,
    root: str,
    variant: str | None,
    permission: ReadPermission,
    files: FileSystem = LOCAL_FILE_SYSTEM,
    *,
    first: bool = True,
) -> HostOptionsOfKernel:
    """Selects the options for a kernel file from the builds in its RUN lines, as `select_host_options` does.

    `root` is the project's folder. Invalid options are not reported, because tests of compilers
    pass them on purpose.
    """
    converter = HostOptionConverter(root, kernel, permission, files, "RUN line ")
    selected = _select_builds(builds, converter, variant, first)[0]
    refused = tuple(each for each in selected.problems if each.endswith(LEADS_OUT_OF_PROJECT))
    return replace(selected, problems=refused)


def _select_builds(
    builds: Sequence[HostBuild], converter: HostOptionConverter, variant: str | None, first: bool
) -> tuple[HostOptionsOfKernel, Sequence[HostBuild]]:
    """Returns the options of the variant `variant`, see `select_host_options`, and the builds that pass them."""
    by_name = _name_variants(builds, converter)
    if variant not in by_name and first:
        variant = next(iter(by_name), None)
    chosen = builds if variant is None or variant not in by_name else (by_name[variant],)
    agreed = intersect_builds(chosen)
    converter.receivers = {
        _complete_standard_option(found).text: build.receiver
        for build in chosen
        for found in build.found_options
    }
    certain = [_complete_standard_option(option) for option in agreed.shared_by_all]
    converter.record_include_folders(certain)
    layers = [layer for option in certain if (layer := converter.make_layer(option)) is not None]
    computed = [option for option in certain if UNKNOWN_TEXT in option.text and not option.macro_name]
    open_ = tuple(
        converter.make_unapplied_option(option, _reason_not_applied(option, len(chosen)))
        for option in (*computed, *agreed.only_in_some)
    )
    variants = tuple(
        BuildVariant(name, build.parsed_options, f"from {converter.format_place(build.place)}")
        for name, build in by_name.items()
    )
    selected = HostOptionsOfKernel(
        tuple(layers),
        open_,
        tuple(dict.fromkeys(converter.problems)),
        variants,
        may_define_any_name=any(
            option.text.startswith(f"-D{UNKNOWN_TEXT}") for build in chosen for option in build.found_options
        ),
        guesses_version=not any(_sets_version_of(build, converter.kernel) for build in chosen),
        versions=find_host_language_versions(chosen, lambda option: converter.format_place(option.place)),
    )
    return selected, chosen


def _sets_version_of(build: HostBuild, kernel: str) -> bool:
    """Whether a build sets a language version, and certainly builds the kernel.

    If the kernel is a program in a host file, every build in that file counts as certain.
    """
    program = host_of_program(kernel)
    certain = (
        build.names_kernels and kernel in build.kernels if program is None else build.place.path == program[0]
    )
    return certain and any(option.key == STANDARD_OPTION for option in build.found_options)


def _complete_standard_option(option: FoundOption) -> FoundOption:
    """Completes a `-cl-std` option that has an unknown part, if only one version matches."""
    if option.key != STANDARD_OPTION or UNKNOWN_TEXT not in option.text:
        return option
    fitting = matching_standards(option.text)
    return replace(option, text=f"{STANDARD_OPTION}={fitting[0]}") if len(fitting) == 1 else option


def _name_variants(builds: Sequence[HostBuild], converter: HostOptionConverter) -> dict[str, HostBuild]:
    """Names the builds that differ in their unconditional options; returns a mapping from names to builds.

    The name of a build consists of options that distinguish the build. The result is empty if all builds
    agree, if there are more than MAXIMUM_VARIANTS, or if it is uncertain whether some build builds this
    kernel.
    """
    distinct: dict[frozenset[str], HostBuild] = {}
    for build in builds:
        distinct.setdefault(frozenset(option.text for option in build.unconditional_options), build)
    if (
        len(distinct) < 2
        or len(distinct) > MAXIMUM_VARIANTS
        or not all(build.names_kernels for build in builds)
    ):
        return {}
    shared = frozenset.intersection(*distinct)
    named: dict[str, HostBuild] = {}
    for build in distinct.values():
        own = [option for option in build.unconditional_options if option.text not in shared]
        words = [option.display_text.removeprefix("-D").removeprefix("-") for option in own]
        alone = next(
            (word for word, option in zip(words, own, strict=True) if _is_only(option, distinct)), None
        )
        name = alone or " ".join(words[:3]) or converter.format_place(build.place)
        named[name if name not in named else f"{name} ({converter.format_place(build.place)})"] = build
    return named


def _is_only(option: FoundOption, distinct: Mapping[frozenset[str], HostBuild]) -> bool:
    """Whether all parts of the option are known and only one build passes it.

    Each key of `distinct` contains the texts of one build's options.
    """
    return UNKNOWN_TEXT not in option.text and sum(option.text in texts for texts in distinct) == 1


def _reason_not_applied(option: FoundOption, builds: int) -> str:
    if UNKNOWN_TEXT in option.text and not option.macro_name:
        return "the host computes it"
    return "only under a condition" if option.path_condition or builds == 1 else "only in some of the builds"
