"""Kernel options from a project's host code and build files, computed by one scan of the project."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

from openclsp.dataclass import dataclass
from openclsp.workspace.configuration import Layer
from openclsp.workspace.confined_options import LEADS_OUT
from openclsp.workspace.files import LOCAL_FILES, FileKind, FileSystem
from openclsp.workspace.host_options.build import HostBuild, common, expanded, options_of
from openclsp.workspace.host_options.reading import HOLE, Found
from openclsp.workspace.host_options.values import Place
from openclsp.workspace.host_options.versions import STANDARD, HostVersions, host_versions, permitted
from openclsp.workspace.options import Options
from openclsp.workspace.project_headers import ProjectHeaders
from openclsp.workspace.read_permission import ReadPermission, is_inside
from openclsp.workspace.roots import folders_upwards, is_marked
from openclsp.workspace.scan import Scan
from openclsp.workspace.variants import Variant

if TYPE_CHECKING:
    from openclsp.workspace.host_options.index import HostIndex

MAXIMUM_VARIANTS = 24
"""Maximum number of builds of one kernel that become variants."""


@dataclass(frozen=True, slots=True)
class HostProject:
    """A scanned project and the builds in its host code and build files.

    `builds` is keyed by kernel file; `others` are the builds whose kernels are unknown. `names` are the
    macros and types that the OpenCL files define, the macros that host code may define, and the headers that
    it names.
    """

    scan: Scan
    builds: Mapping[str, tuple[HostBuild, ...]] = field(default_factory=dict)
    others: tuple[HostBuild, ...] = ()
    names: frozenset[str] = frozenset()
    _told: dict[tuple[str, str | None, ReadPermission, bool], HostOptions] = field(
        default_factory=dict, compare=False, repr=False
    )

    def of(self, kernel: str) -> tuple[HostBuild, ...]:
        """Returns the builds of a kernel file (absolute path), or those of unknown kernels if it has none."""
        found = self.builds.get(kernel)
        return self.others if found is None else found


def look_over(
    index: HostIndex, scan: Scan, kernel: str | None = None, check: Callable[[], None] = lambda: None
) -> HostProject:
    """Collects the builds of a scanned project.

    If only the options of one `kernel` are needed, pass it: this is faster. `index` caches extracted data.
    `check` is called repeatedly and may raise to cancel.
    """
    builds: dict[str, list[HostBuild]] = {}
    others = []
    # Below a folder without a root marker, a build that names no kernel may belong to another project.
    marked = is_marked(scan.root, index.files)
    for build in index.builds(scan, kernel, check):
        ways = expanded(build) if build.kernels else (build,)
        for path in build.kernels:
            builds.setdefault(path, []).extend(ways)
        if not build.kernels and marked:
            others.append(build)
    names = index.names(scan, check) if marked else frozenset()
    telling = {path: _telling(each) for path, each in builds.items()}
    return HostProject(scan, telling, tuple(others), names)


def _telling(builds: Sequence[HostBuild]) -> tuple[HostBuild, ...]:
    """Drops the builds without any known option if calls of other functions have known options.

    Such a trace to another API is more often a build of something else than a build of this kernel without
    options.
    """
    unknown = [bool(each.found) and all(option.text == HOLE for option in each.found) for each in builds]
    known = {each.how for each, nothing in zip(builds, unknown, strict=True) if not nothing}
    return tuple(
        each
        for each, nothing in zip(builds, unknown, strict=True)
        if not (nothing and known and each.how not in known)
    )


@dataclass(frozen=True, slots=True)
class HostOption:
    """An option that is not applied: its text, place, receiving function and the reason.

    `name` is the macro that it defines, `where` its place for messages, `line` is from 1.
    """

    text: str
    name: str
    where: str
    path: str
    line: int
    how: str
    unused: str


@dataclass(frozen=True, slots=True)
class HostOptions:
    """The options from host code for one kernel file.

    `layers` are the options to apply, in the order in which they are passed. `open` are options that are not
    certain to be passed, and so not applied. `problems` are messages about refused paths. If there are
    several builds with different options, `variants` holds one variant for each, and `layers` are those of
    the selected variant, or those that all builds share. `elsewhere` are names that OpenCL files of the
    project define.
    """

    layers: tuple[Layer, ...] = ()
    open: tuple[HostOption, ...] = ()
    problems: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    versions: HostVersions | None = None
    """The language versions that the host may select, if that is not certain"""

    @property
    def perhaps(self) -> tuple[tuple[str, str], ...]:
        """The macros among the options that are not applied, each with an explanation."""
        return tuple(
            (
                each.name,
                f"the host may define `{each.name}`: `{each.text}` in {each.where}, {each.unused}",
            )
            for each in self.open
            if each.name
        )


NO_HOST_OPTIONS = HostOptions()


class HostProjects(Protocol):
    """Provides the analysed projects."""

    def of(self, root: str, kernel: str) -> HostProject | None:
        """Returns the project at the folder `root` for this kernel; None until it has been analysed."""
        ...

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders | None:
        """Returns the headers of a project; None until its scan has finished."""
        ...


def host_options(
    project: HostProject,
    kernel: str,
    variant: str | None = None,
    permission: ReadPermission | None = None,
    files: FileSystem = LOCAL_FILES,
    *,
    first: bool = True,
) -> HostOptions:
    """Selects the options for a kernel file.

    They are those of the variant `variant`, else of the first variant if `first`, else those that all builds
    share. Folders outside `permission` (by default, the project's) are refused.
    """
    permission = permission or project.scan.permission
    key = kernel, variant, permission, first
    if key not in project._told:
        project._told[key] = _host_options(project, kernel, variant, permission, files, first)
    return project._told[key]


def _host_options(
    project: HostProject,
    kernel: str,
    variant: str | None,
    permission: ReadPermission,
    files: FileSystem,
    first: bool,
) -> HostOptions:
    builds = project.of(kernel)
    teller = _Teller(project.scan.root, kernel, permission, files)
    by_name = _variants(builds, teller)
    if variant not in by_name and first:
        variant = next(iter(by_name), None)
    chosen = builds if variant is None or variant not in by_name else (by_name[variant],)
    agreed = common(chosen)
    teller.hows = {_completed(found).text: build.how for build in chosen for found in build.found}
    certain = [_completed(option) for option in agreed.certain]
    teller.take_folders(certain)
    layers = [layer for option in certain if (layer := teller.layer(option)) is not None]
    computed = [option for option in certain if HOLE in option.text and not option.name]
    open_ = tuple(
        teller.shown(option, _why_open(option, len(chosen))) for option in (*computed, *agreed.open)
    )
    versions = host_versions(chosen, lambda option: teller.where(option.place))
    variants = tuple(
        Variant(name, build.options, f"from {teller.where(build.place)}") for name, build in by_name.items()
    )
    return HostOptions(
        tuple(layers), open_, tuple(dict.fromkeys(teller.problems)), variants, versions=versions
    )


def _completed(option: Found) -> Found:
    """Completes a `-cl-std` option with an unknown part if only one version matches it."""
    if option.key != STANDARD or HOLE not in option.text:
        return option
    fitting = permitted(option.text)
    return replace(option, text=f"{STANDARD}={fitting[0]}") if len(fitting) == 1 else option


def _variants(builds: Sequence[HostBuild], teller: _Teller) -> dict[str, HostBuild]:
    """Names the builds that differ in their certain options.

    A name consists of options that distinguish the build. The result is empty if all builds agree, if there
    are too many, or if it is uncertain whether they build this kernel.
    """
    distinct: dict[frozenset[str], HostBuild] = {}
    for build in builds:
        distinct.setdefault(frozenset(option.text for option in build.certain), build)
    if len(distinct) < 2 or len(distinct) > MAXIMUM_VARIANTS or not all(build.sure for build in builds):
        return {}
    shared = frozenset.intersection(*distinct)
    named: dict[str, HostBuild] = {}
    for build in distinct.values():
        own = [option for option in build.certain if option.text not in shared]
        words = [option.written.removeprefix("-D").removeprefix("-") for option in own]
        alone = next(
            (word for word, option in zip(words, own, strict=True) if _is_only(option, distinct)), None
        )
        name = alone or " ".join(words[:3]) or teller.where(build.place)
        named[name if name not in named else f"{name} ({teller.where(build.place)})"] = build
    return named


def _is_only(option: Found, distinct: Mapping[frozenset[str], HostBuild]) -> bool:
    """Whether exactly one build has the option with this text."""
    return HOLE not in option.text and sum(option.text in texts for texts in distinct) == 1


def _why_open(option: Found, builds: int) -> str:
    if HOLE in option.text and not option.name:
        return "the host computes it"
    return "only under a condition" if option.path or builds == 1 else "only in some of the builds"


class _Teller:
    """Converts found options to layers and messages, for one project and kernel."""

    def __init__(self, root: str, kernel: str, permission: ReadPermission, files: FileSystem) -> None:
        self.root, self.kernel, self.permission, self.files = root, kernel, permission, files
        self.problems: list[str] = []
        self.hows: dict[str, str] = {}
        self.searched: tuple[str, ...] = ()
        """The include folders of the build"""

    def take_folders(self, certain: Sequence[Found]) -> None:
        """Records the include folders, because compilers also search the files of `-include` there."""
        searched: list[str] = []
        for each in certain:
            options = options_of((each,), None).options
            searched += self.folders(each, "-I", options.include_folders)
            searched += self.folders(each, "-isystem ", options.system_folders)
            searched += self.folders(each, "-iquote ", options.quote_folders)
        self.searched = tuple(searched)

    def layer(self, option: Found) -> Layer | None:
        read = options_of((option,), None)
        where = self.where(option.place)
        self.problems += [f"{where}: {problem.message}" for _, problem in read.problems]
        options = read.options
        if options.include_folders:
            options = Options(include_folders=self.folders(option, "-I", options.include_folders))
        elif options.system_folders:
            options = Options(system_folders=self.folders(option, "-isystem ", options.system_folders))
        elif options.quote_folders:
            options = Options(quote_folders=self.folders(option, "-iquote ", options.quote_folders))
        elif options.forced_includes:
            options = Options(forced_includes=self.forced(option, options.forced_includes))
        if options == Options():
            return None
        how = self.hows.get(option.text, "")
        return Layer(
            f"in {where}",
            options,
            path=option.place.path,
            line=option.place.line,
            how=how,
            written=option.written,
        )

    def folders(self, option: Found, name: str, written: Sequence[str]) -> tuple[str, ...]:
        """Returns the folders that an include option of the host may mean."""
        found = []
        for folder in written:
            found += self.places(option, name, folder, FileKind.FOLDER)
        return tuple(dict.fromkeys(found))

    def forced(self, option: Found, written: Sequence[str]) -> tuple[str, ...]:
        """Returns the files that `-include` options of the host may mean, the nearest one for each."""
        found = []
        for name in written:
            beside = self.places(option, "-include ", name, FileKind.FILE)
            found += (beside or self._searched_for(name))[:1]
        return tuple(found)

    def _searched_for(self, name: str) -> list[str]:
        paths = (os.path.normpath(os.path.join(folder, name)) for folder in self.searched)
        located = ((path, self.files.locate(path, self.permission)) for path in paths)
        return [
            path for path, there in located if there is not None and self.files.kind(there) is FileKind.FILE
        ]

    def places(self, option: Found, name: str, written: str, kind: FileKind) -> list[str]:
        """Resolves a relative path of the host, whose working folder is unknown.

        Candidates are relative to the kernel's folder and the folders around it, to the host file's folder,
        and to the root. If all of them are outside the permission, a problem is recorded, whether the path
        exists or not; `name` is its option.
        """
        beside = os.path.dirname(self.kernel)
        around = [folder for folder in folders_upwards(beside) if is_inside(folder, self.root)]
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
            self.problems.append(f"{self.where(option.place)}: {name}{written} {LEADS_OUT}")
        return found

    def shown(self, option: Found, unused: str) -> HostOption:
        how = self.hows.get(option.text, "")
        return HostOption(
            option.written,
            option.name,
            self.where(option.place),
            option.place.path,
            option.place.line,
            how,
            unused,
        )

    def where(self, place: Place) -> str:
        """Formats a place: `src/host.cpp:12`."""
        return f"{self.relative(place.path)}:{place.line}"

    def relative(self, path: str) -> str:
        return os.path.relpath(path, self.root) if is_inside(path, self.root) else path
