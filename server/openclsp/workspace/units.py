"""Units: what is analysed is never a file but a root document under one build configuration."""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from openclsp.dataclass import dataclass
from openclsp.language.device import DEFAULT_DEVICE
from openclsp.language.dialect import Dialect
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.compile_flags import FILE_NAME, find_compile_flags
from openclsp.workspace.configuration import BuildConfiguration, Configured, Layer, Origins, configure
from openclsp.workspace.confined_options import LEADS_OUT, confined, readable
from openclsp.workspace.discovery import is_cpp_for_opencl_file
from openclsp.workspace.evidence_search import EvidenceSearch
from openclsp.workspace.files import LOCAL_FILES, Documents, FileSystem
from openclsp.workspace.host_options.beside import told_beside
from openclsp.workspace.host_options.clangd_file import FILE_NAME as CLANGD_FILE_NAME
from openclsp.workspace.host_options.compile_commands import FILE_NAME as DATABASE_NAME
from openclsp.workspace.host_options.project import NO_HOST_OPTIONS, HostOptions, HostProjects, host_options
from openclsp.workspace.host_options.sources import Told
from openclsp.workspace.host_options.versions import HostVersions
from openclsp.workspace.language_evidence import Evidence
from openclsp.workspace.loader import IncludeLoader, Refusal
from openclsp.workspace.options import OptionProblem, Options
from openclsp.workspace.project_file import FILE_NAME as PROJECT_FILE_NAME
from openclsp.workspace.project_file import ProjectFile, find_project_file
from openclsp.workspace.project_headers import ProjectHeaders
from openclsp.workspace.read_permission import HOW_TO_ALLOW, ReadPermission
from openclsp.workspace.roots import misleading_links, project_root, unit_permission
from openclsp.workspace.scan import HOSTS, kind_of
from openclsp.workspace.user_configuration import NO_USER_CONFIGURATION, UserConfiguration
from openclsp.workspace.variants import Variant, chosen


@dataclass(frozen=True, slots=True)
class Unit:
    """A root document and its configuration.

    The reasons are told with every answer, the project's file says which answers are given: neither is part of
    the identity.
    """

    root: DocumentName
    configuration: BuildConfiguration
    origins: Origins = field(compare=False)
    project: ProjectFile | None = field(default=None, compare=False)
    variant: Variant | None = field(default=None, compare=False)
    """The way of building that was chosen, where there are several"""
    variants: tuple[Variant, ...] = field(default=(), compare=False)
    """All ways in which the root document is built, by `openclsp.toml` and the host's code"""
    subject: DocumentName = field(default="", compare=False)
    """The document that the unit was chosen for, where that is not its root but included by it"""
    other_dialects: tuple[Dialect, ...] = ()
    """Where the language version is unknown: all dialects that it may be beside the configuration's. Only what is wrong in
    each of them is reported."""

    @property
    def dialect_reason(self) -> str:
        """`OpenCL C 1.2, the default of OpenCL compilers; variant double, from openclsp.toml; as included by k.cl`."""
        dialect = f"{self.configuration.dialect.title}, {self.origins.dialect}"
        if self.other_dialects:
            dialect = f"OpenCL C, version unknown: {self.origins.dialect}"
        return "; ".join((dialect, *self.choices))

    @property
    def choices(self) -> tuple[str, ...]:
        """What was chosen of several possibilities: the variant, and through which file an included one is looked at."""
        variant = () if self.variant is None else (self.variant.told,)
        if not self.subject:
            return variant
        how = "joined in" if kind_of(self.root) in HOSTS else "included by"
        return (*variant, f"as {how} {os.path.basename(self.root)}")

    @property
    def excluded(self) -> bool:
        """Whether the project's file leaves out the document that the unit was chosen for."""
        return self.project is not None and self.project.excludes(self.subject or self.root)


@dataclass(frozen=True, slots=True)
class PlannedUnit:
    """A unit with what may be read for it, and what was found on the way.

    `notes` are consequences of switches; `problems` are options that could not be used, each with the file or
    place that it stands in; `refused` are lines about paths in the project's options that may not be read; `cpp_for_opencl` says
    that the document is C++ for OpenCL, `other_language` that it is in another language than OpenCL C: neither is analysed.
    `evidence` is there where the text alone says which language version it is written for. `layers` are all options
    with where they come from, the last of which counts; `host` is what the project's own files say of the kernel.
    """

    unit: Unit
    permission: ReadPermission
    notes: tuple[str, ...] = ()
    problems: tuple[OptionProblem, ...] = ()
    cpp_for_opencl: bool = False
    other_language: bool = False
    compile_flags: str | None = None
    refused: tuple[str, ...] = ()
    evidence: Evidence | None = field(default=None, compare=False)
    layers: tuple[Layer, ...] = field(default=(), compare=False)
    host: HostOptions = field(default=NO_HOST_OPTIONS, compare=False)
    headers: ProjectHeaders | None = field(default=None, compare=False)
    """The project's files that an include may name, where they are known"""

    @property
    def analysed(self) -> bool:
        """Whether the unit is analysed."""
        return not (self.cpp_for_opencl or self.other_language)

    @property
    def advice(self) -> tuple[str, ...]:
        """A sentence for a person whose project's options lead out of it."""
        told = (*self.refused, *self.host.problems)
        how = f"{HOW_TO_ALLOW[:1].upper()}{HOW_TO_ALLOW[1:]}; see SECURITY.md"
        return (how,) if any(each.endswith(LEADS_OUT) for each in told) else ()

    def loader(self, documents: Documents) -> IncludeLoader:
        """The loader for this unit's includes."""
        return IncludeLoader(self.unit.configuration, self.permission, documents, self.headers)


ROOT_FILES = (FILE_NAME, PROJECT_FILE_NAME, DATABASE_NAME, CLANGD_FILE_NAME)
"""Files with options, by their names"""
ON_THE_COMMAND_LINE = "on the command line"
IN_CLIENT_SETTINGS = "in the client's settings"


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is known of a unit before its root's text is looked at: all that files and options say. Edits leave it as it is.

    `needs_text` is whether the text decides on the language version: no option says it.
    """

    root: DocumentName
    layers: tuple[Layer, ...]
    configured: Configured
    permission: ReadPermission
    host: HostOptions
    problems: tuple[OptionProblem, ...]
    compile_flags: str | None
    refused: tuple[str, ...]
    project: ProjectFile | None
    variant: Variant | None
    variants: tuple[Variant, ...]
    subject: DocumentName
    cpp_for_opencl: bool
    needs_text: bool
    files: FileSystem
    headers: ProjectHeaders | None

    def evidence(
        self,
        document: Document,
        opened: Mapping[DocumentName, Document] | None = None,
        search: EvidenceSearch | None = None,
        beside: object = None,
    ) -> Evidence | None:
        """The evidence of its language version in the root's text and in what it includes from `opened` documents and
        files; None also where it would not count. `search` knows what it found before, and `beside` is equal for as long as
        the folders, the files and all documents but the root are the same."""
        if not self.needs_text:
            return None
        configuration = self.configured.configuration
        documents = Documents(self.files, opened or {})
        loader = IncludeLoader(configuration, self.permission, documents, self.headers)
        return (search or EvidenceSearch()).find(document, configuration, loader, beside)

    def planned(self, evidence: Evidence | None, document: Document | None) -> PlannedUnit:
        """The unit, with the evidence that `document`, the root's text, shows."""
        layers, configured = self.layers, self.configured
        before = configured.configuration
        others: tuple[Dialect, ...] = ()
        given = any(each.options.standard is not None for each in self.host.layers)
        if self.needs_text and self.host.versions is not None and not given:
            configured, others = self._of_unknown_version(self.host.versions, evidence)
            evidence = None
        elif evidence is not None and document is not None:
            if not given:
                layers = (_layer_of(evidence, document), *layers)
                configured = configure(layers, before.device)
            else:
                configured = _beside_host(configured, evidence, document)
                evidence = None
        return PlannedUnit(
            Unit(
                self.root,
                configured.configuration,
                replace(configured.origins, perhaps=self.host.perhaps, elsewhere=self.host.elsewhere),
                self.project,
                self.variant,
                self.variants,
                self.subject,
                others,
            ),
            self.permission,
            configured.notes,
            (*self.problems, *configured.problems),
            self.cpp_for_opencl,
            compile_flags=self.compile_flags,
            refused=self.refused,
            evidence=evidence,
            layers=layers,
            host=self.host,
            headers=self.headers,
        )

    def _of_unknown_version(
        self, versions: HostVersions, evidence: Evidence | None
    ) -> tuple[Configured, tuple[Dialect, ...]]:
        """The unit in one of the versions that the host may choose, and the dialects of the others. Where the text shows
        that it is written for a newer version, older ones are none that the host chooses."""
        standards = versions.standards
        if evidence is not None:
            standards = tuple(each for each in standards if each >= evidence.standard) or standards
        first = _DEFAULT_STANDARD if _DEFAULT_STANDARD in standards else standards[0]
        # the most unlike come first: most of what is wrong in one version alone is then known at once
        rest = sorted(set(standards) - {first}, key=_SEARCHED.index)
        made = [self._as_version(standard, versions.reason) for standard in (first, *rest)]
        return made[0], tuple(each.configuration.dialect for each in made[1:])

    def _as_version(self, standard: str, reason: str) -> Configured:
        before = self.configured.configuration
        layer = Layer("in host code", Options(standard=standard), reason)
        return configure((layer, *self.layers), before.device)


_DEFAULT_STANDARD = "CL1.2"
_SEARCHED = ("CL2.0", "CL3.0", "CL1.0", "CL1.2", "CL1.1")


def plan_unit(
    root: DocumentName,
    *,
    client: Options | None = None,
    command_line: Options | None = None,
    workspace_folders: Sequence[str] = (),
    files: FileSystem = LOCAL_FILES,
    document: Document | None = None,
    opened: Mapping[DocumentName, Document] | None = None,
    search: EvidenceSearch | None = None,
    variant: str | None = None,
    subject: DocumentName = "",
    hosts: HostProjects | None = None,
    user: UserConfiguration = NO_USER_CONFIGURATION,
) -> PlannedUnit:
    """The unit of the document `root`, see `prepare_unit`. Where no option has a language version, it is that of which
    `document`, the root's text, shows evidence: see `Preparation.evidence`."""
    preparation = prepare_unit(
        root,
        client=client,
        command_line=command_line,
        workspace_folders=workspace_folders,
        files=files,
        variant=variant,
        subject=subject,
        hosts=hosts,
        user=user,
    )
    evidence = None if document is None else preparation.evidence(document, opened, search)
    return preparation.planned(evidence, document)


def prepare_unit(
    root: DocumentName,
    *,
    client: Options | None = None,
    command_line: Options | None = None,
    workspace_folders: Sequence[str] = (),
    files: FileSystem = LOCAL_FILES,
    variant: str | None = None,
    subject: DocumentName = "",
    hosts: HostProjects | None = None,
    user: UserConfiguration = NO_USER_CONFIGURATION,
) -> Preparation:
    """What is known of the unit of the document `root`: an absolute path, or the URI of a document that is no file.

    Options of the client give way to those of the nearest `compile_flags.txt`, these to the nearest
    `openclsp.toml`, and all to the command line: what is said closest to the file, or by hand, counts. `variant` names
    the way of building that is wanted where there are several; what it says is laid over `openclsp.toml`. `subject` is a
    document that the root includes and that the unit is wanted for. `hosts` knows what the project's host code passes, to
    which all else is nearer; only what the text shows of its language version gives way to that. `user` is the person's own
    configuration. What the client, the command line and the person's configuration name may be read; what files of the
    project name, only within that and the project.
    """
    layers = [] if client is None else [Layer(IN_CLIENT_SETTINGS, client, of_person=True)]
    of_person = [user.layer, *layers]
    if command_line is not None:
        of_person.append(Layer(ON_THE_COMMAND_LINE, command_line, of_person=True))
    named_files = [file for layer in of_person for file in layer.options.forced_includes]
    permission = unit_permission(root, workspace_folders, readable(of_person), named_files, files)
    problems: tuple[OptionProblem, ...] = ()
    flags = project = None
    top = ""
    if os.path.isabs(root):
        top = project_root(root, workspace_folders, files)
        flags, project = find_compile_flags(root, top, files), find_project_file(root, top, files)
    if flags is not None:
        layers.append(Layer(f"in {FILE_NAME}", flags.options))
        problems = flags.problems
    if project is not None:
        source = f"in {PROJECT_FILE_NAME}"
        layers.append(Layer(source, project.options, f"from {PROJECT_FILE_NAME}"))
    variants = () if project is None else tuple(each for each in project.variants if each.is_for(root))
    default = variant if variant is not None or project is None else project.variant
    host, beside = NO_HOST_OPTIONS, Told()
    if hosts is not None and os.path.isabs(root) and (project is None or project.host_options):
        beside = told_beside(root, top, files)
        found = None if beside.complete else hosts.of(top, root)
        if found is not None:
            host = replace(
                host_options(found, root, default, permission, files, first=not variants),
                elsewhere=found.names,
            )
    host = replace(host, layers=(*host.layers, *beside.layers), problems=(*beside.problems, *host.problems))
    built = chosen((*variants, *host.variants), variant, None if project is None else project.variant)
    if built in variants and built is not None:
        source = f"in variant {built.name}"
        layers.append(Layer(source, built.options, f"from variant {built.name} in {PROJECT_FILE_NAME}"))
    if command_line is not None:
        layers.append(of_person[-1])
    said = any(each.options.standard is not None for each in layers)
    links = tuple(misleading_links(root, top, ROOT_FILES, files)) if top else ()
    inside = confined([user.layer, *host.layers, *layers], permission, files)
    configured = configure(inside.layers, DEFAULT_DEVICE if project is None else project.device)
    cpp_for_opencl = configured.cpp_for_opencl or is_cpp_for_opencl_file(root)
    loader = IncludeLoader(configured.configuration, permission, Documents(files))
    forced = zip(configured.configuration.forced_includes, loader.forced(), strict=True)
    missing = tuple(
        f"-include {path}: {found.reason}" for path, found in forced if isinstance(found, Refusal)
    )
    return Preparation(
        root,
        inside.layers,
        configured,
        permission,
        host,
        problems,
        None if flags is None else flags.path,
        (*user.problems, *links, *inside.refused, *missing),
        project,
        built,
        (*variants, *host.variants),
        subject,
        cpp_for_opencl,
        not said and not cpp_for_opencl,
        files,
        hosts.headers_of(top, root) if hosts is not None and os.path.isabs(root) else None,
    )


def _layer_of(evidence: Evidence, document: Document) -> Layer:
    """The version that evidence asks for, below all that options say."""
    return Layer("in the text", Options(standard=evidence.standard), _reason(evidence, document))


def _reason(evidence: Evidence, document: Document) -> str:
    where = "" if evidence.document == document.name else f" of {os.path.basename(evidence.document)}"
    return evidence.reason(where)


def _beside_host(configured: Configured, evidence: Evidence, document: Document) -> Configured:
    """The host's version counts; where the text seems to be written for a newer one, both are told."""
    if evidence.version <= configured.configuration.dialect.version:
        return configured
    although = _reason(evidence, document).replace("because", "although", 1)
    origins = replace(configured.origins, dialect=f"{configured.origins.dialect}, {although}")
    return replace(configured, origins=origins)
