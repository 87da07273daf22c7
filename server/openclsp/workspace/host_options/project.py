"""What a project's host code tells of its kernels: one value, made by a look over the whole project."""

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
"""Builds of one kernel that are told apart."""


@dataclass(frozen=True, slots=True)
class HostProject:
    """A project's files and the builds that its host code shows. `builds` are by kernel file; `others` are for no kernel
    that could be told. `names` are the macros and types that its OpenCL files define, the macros that its host code gives, and
    the headers that it names."""

    scan: Scan
    builds: Mapping[str, tuple[HostBuild, ...]] = field(default_factory=dict)
    others: tuple[HostBuild, ...] = ()
    names: frozenset[str] = frozenset()
    _told: dict[tuple[str, str | None, ReadPermission, bool], HostOptions] = field(
        default_factory=dict, compare=False, repr=False
    )

    def of(self, kernel: str) -> tuple[HostBuild, ...]:
        """The builds of the kernel file at an absolute path, those of no certain kernel where it has none of its own."""
        found = self.builds.get(kernel)
        return self.others if found is None else found


def look_over(
    index: HostIndex, scan: Scan, kernel: str | None = None, check: Callable[[], None] = lambda: None
) -> HostProject:
    """What the host code of a project says, whose files are those of `scan`; of one `kernel` alone where only its options
    are wanted, which costs less.

    `index` keeps what was read for the next time; `check` is called now and then and may raise.
    """
    builds: dict[str, list[HostBuild]] = {}
    others = []
    # in a folder that nothing marks as a project, what names no kernel may have nothing to do with it
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
    """The builds without those of which no option is known, where calls of other functions tell some: what is found on the way
    to another interface is more often no build of this kernel than one without options."""
    unknown = [bool(each.found) and all(option.text == HOLE for option in each.found) for each in builds]
    known = {each.how for each, nothing in zip(builds, unknown, strict=True) if not nothing}
    return tuple(
        each
        for each, nothing in zip(builds, unknown, strict=True)
        if not (nothing and known and each.how not in known)
    )


@dataclass(frozen=True, slots=True)
class HostOption:
    """An option that does not count: where it is written, the call that it is passed to, why it does not count. `name` is
    the macro that it defines, `where` its place for a person to read."""

    text: str
    name: str
    where: str
    path: str
    line: int
    how: str
    unused: str


@dataclass(frozen=True, slots=True)
class HostOptions:
    """What the host code says of one kernel file: layers of options in their order, `open` options that do not count for
    it is not certain that they are given, and refusals.

    `variants` are the ways in which it is built where there are several, and `layers` those of one of them or what all
    have in common. `elsewhere` are the names that OpenCL files of the project define.
    """

    layers: tuple[Layer, ...] = ()
    open: tuple[HostOption, ...] = ()
    problems: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    versions: HostVersions | None = None
    """The language versions that the host may choose, where it is not certain which it does"""

    @property
    def perhaps(self) -> tuple[tuple[str, str], ...]:
        """The macros among what does not count, each with a sentence for a person."""
        return tuple(
            (
                each.name,
                f"`{each.name}` may be given by the host: `{each.text}` in {each.where}, {each.unused}",
            )
            for each in self.open
            if each.name
        )


NO_HOST_OPTIONS = HostOptions()


class HostProjects(Protocol):
    """Where what is known of projects comes from."""

    def of(self, root: str, kernel: str) -> HostProject | None:
        """The project at the folder `root`, for this kernel; None while nothing is known of it."""
        ...

    def headers_of(self, root: str, kernel: str) -> ProjectHeaders | None:
        """The headers of a project; None until its scan has finished."""
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
    """The options of a kernel file, whose folders are those that may be read (by default those of the project): those of the variant of that name, else of the `first` if that is wanted, else what
    all its builds agree on."""
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
    """The option with its value where only one version fits the part of it that is known."""
    if option.key != STANDARD or HOLE not in option.text:
        return option
    fitting = permitted(option.text)
    return replace(option, text=f"{STANDARD}={fitting[0]}") if len(fitting) == 1 else option


def _variants(builds: Sequence[HostBuild], teller: _Teller) -> dict[str, HostBuild]:
    """The builds that differ in what is certain of them, by a name that says in what; none where only one does, or where
    it is not sure that they are of this kernel."""
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
    """Whether just one of the builds has the option, as it is."""
    return HOLE not in option.text and sum(option.text in texts for texts in distinct) == 1


def _why_open(option: Found, builds: int) -> str:
    if HOLE in option.text and not option.name:
        return "the host computes it"
    return "only under a condition" if option.path or builds == 1 else "only in some of the builds"


class _Teller:
    """Words and layers for options, in one project and for one kernel."""

    def __init__(self, root: str, kernel: str, permission: ReadPermission, files: FileSystem) -> None:
        self.root, self.kernel, self.permission, self.files = root, kernel, permission, files
        self.problems: list[str] = []
        self.hows: dict[str, str] = {}
        self.searched: tuple[str, ...] = ()
        """The include folders of the build"""

    def take_folders(self, certain: Sequence[Found]) -> None:
        """Notes the include folders, in which compilers look for the files of `-include` too."""
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
        """The folders that a host may mean with an option of that name."""
        found = []
        for folder in written:
            found += self.places(option, name, folder, FileKind.FOLDER)
        return tuple(dict.fromkeys(found))

    def forced(self, option: Found, written: Sequence[str]) -> tuple[str, ...]:
        """The files of `-include` that a host may mean, the nearest of each."""
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
        """What a relative path of a host may mean, which runs in no folder that is known: below the kernel's folder or those
        around it, below its own, below the project's.

        A path that is in none of these places but outside is named, be it there or not; `name` is its option's.
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
        """`src/host.cpp:12`."""
        return f"{self.relative(place.path)}:{place.line}"

    def relative(self, path: str) -> str:
        return os.path.relpath(path, self.root) if is_inside(path, self.root) else path
