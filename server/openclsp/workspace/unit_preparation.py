"""Plans units: collects the options of a root document from all sources, and merges them."""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.host_options.clangd_file import FILE_NAME as CLANGD_FILE_NAME
from openclsp.host_options.compile_commands import FILE_NAME as DATABASE_NAME
from openclsp.host_options.host_language_versions import HostLanguageVersions
from openclsp.host_options.host_project import (
    NO_HOST_OPTIONS,
    HostOptionsOfKernel,
    HostProjectProvider,
)
from openclsp.host_options.run_lines import RunLine, find_run_lines
from openclsp.language.device import DEFAULT_DEVICE
from openclsp.language.dialect import Dialect
from openclsp.project.build_variants import BuildVariant, select_variant
from openclsp.project.file_discovery import is_cpp_for_opencl_file
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileSystem
from openclsp.project.option_confinement import (
    confine_option_layers,
    user_readable_folders,
)
from openclsp.project.option_layers import ConfigurationResult, OptionLayer, merge_option_layers
from openclsp.project.option_parser import BuildOptionProblem, BuildOptions, parse_build_options
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_roots import describe_ignored_links, find_project_root, read_permission_of_unit
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.assumed_macros import AssumedMacro
from openclsp.workspace.compile_flags import FILE_NAME, find_compile_flags
from openclsp.workspace.evidence_search import NO_EVIDENCE, EvidenceSearch, TextEvidence
from openclsp.workspace.found_options import collect_found_options
from openclsp.workspace.include_loader import IncludeLoader, Refusal
from openclsp.workspace.language_evidence import LanguageEvidence
from openclsp.workspace.project_file import FILE_NAME as PROJECT_FILE_NAME
from openclsp.workspace.project_file import ProjectConfiguration, find_project_file
from openclsp.workspace.units import PlannedUnit, UnitConfig
from openclsp.workspace.user_configuration import NO_USER_CONFIGURATION, UserConfiguration

OPTION_FILE_NAMES = (FILE_NAME, PROJECT_FILE_NAME, DATABASE_NAME, CLANGD_FILE_NAME)
"""Names of the files that contain options"""
COMMAND_LINE_SOURCE = "on the command line"
CLIENT_SETTINGS_SOURCE = "in the client's settings"


@dataclass(frozen=True, slots=True)
class UnitPreparation:
    """Everything that files and options determine about a unit, before the root's code is inspected.

    An edit of the root does not change this object, unless it changes RUN lines. If `needs_text` is true, no
    option sets the language version, and the root's text determines it. The text may also show that the host
    defines a macro.
    """

    root: DocumentName
    layers: tuple[OptionLayer, ...]
    configured: ConfigurationResult
    permission: ReadPermission
    host_options: HostOptionsOfKernel
    problems: tuple[BuildOptionProblem, ...]
    compile_flags: str | None
    refused: tuple[str, ...]
    project: ProjectConfiguration | None
    variant: BuildVariant | None
    variants: tuple[BuildVariant, ...]
    subject: DocumentName
    cpp_for_opencl: bool
    needs_text: bool
    files: FileSystem
    headers: ProjectHeaders | None

    def find_evidence(
        self,
        document: Document,
        opened: Mapping[DocumentName, Document] | None = None,
        search: EvidenceSearch | None = None,
        loader_key: object = None,
    ) -> TextEvidence:
        """Searches the root's text and its includes for evidence of the language version and of macros.

        Included texts are those of `opened` documents, or else of files. Evidence that would have no effect is
        not searched. `search` caches earlier results. `loader_key` is a key that compares equal while the
        folders, the files and all documents except the root are the same.
        """
        if self.cpp_for_opencl:
            return NO_EVIDENCE
        configuration = self.configured.configuration
        documents = DocumentStore(self.files, opened or {})
        loader = IncludeLoader(configuration, self.permission, documents, self.headers)
        return (search or EvidenceSearch()).find_evidence(
            document, configuration, loader, loader_key, with_version=self.needs_text
        )

    def plan_with_evidence(self, found: TextEvidence, document: Document | None) -> PlannedUnit:
        """Creates the unit of the root `document`; `found` is the result of `find_evidence` for it."""
        if not found.macros:
            return self._plan_with_version(found.version, document)
        made = tuple(_make_macro_layer(macro) for macro in found.macros)
        layers = (*made, *self.layers)
        configured = merge_option_layers(layers, self.configured.configuration.device)
        planned = replace(self, layers=layers, configured=configured)._plan_with_version(
            found.version, document
        )
        assumed = tuple(f"`{macro.name}` is taken as defined, {macro.reason}" for macro in found.macros)
        return replace(planned, unit_config=replace(planned.unit_config, assumptions=assumed))

    def _plan_with_version(self, evidence: LanguageEvidence | None, document: Document | None) -> PlannedUnit:
        """Creates the unit of the root `document` with the language version that `evidence` requires, if any."""
        layers, configured = self.layers, self.configured
        before = configured.configuration
        others: tuple[Dialect, ...] = ()
        given = any(each.options.standard is not None for each in self.host_options.layers)
        if self.needs_text and self.host_options.versions is not None and not given:
            configured, others = self._configure_unknown_version(self.host_options.versions, evidence)
            evidence = None
        elif evidence is not None and document is not None:
            guessed = self.host_options.guesses_version and evidence.version > before.dialect.version
            if not given or guessed:
                layer = _make_evidence_layer(evidence, document)
                layers = (*layers, layer) if given else (layer, *layers)
                configured = merge_option_layers(layers, before.device)
            else:
                configured = _mention_evidence(configured, evidence, document)
                evidence = None
        return PlannedUnit(
            UnitConfig(
                self.root,
                configured.configuration,
                replace(
                    configured.origins,
                    possible_macros=self.host_options.possible_macros,
                    names_defined_elsewhere=self.host_options.names_defined_elsewhere,
                ),
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
            host_options=self.host_options,
            headers=self.headers,
        )

    def _configure_unknown_version(
        self, versions: HostLanguageVersions, evidence: LanguageEvidence | None
    ) -> tuple[ConfigurationResult, tuple[Dialect, ...]]:
        """Creates the configuration for one of the versions that the host may select: 1.2 if possible.

        Also returns the dialects of the other versions. If the text contains evidence for a newer version,
        older versions are excluded.
        """
        standards = versions.standards
        if evidence is not None:
            standards = tuple(each for each in standards if each >= evidence.standard) or standards
        first = _DEFAULT_STANDARD if _DEFAULT_STANDARD in standards else standards[0]
        # The most different versions come first: they exclude most findings that occur in one version only.
        rest = sorted(set(standards) - {first}, key=_STANDARDS_BY_DIFFERENCE.index)
        made = [self._configure_version(standard, versions.reason) for standard in (first, *rest)]
        return made[0], tuple(each.configuration.dialect for each in made[1:])

    def _configure_version(self, standard: str, reason: str) -> ConfigurationResult:
        before = self.configured.configuration
        layer = OptionLayer("in host code", BuildOptions(standard=standard), reason)
        return merge_option_layers((layer, *self.layers), before.device)


_DEFAULT_STANDARD = "CL1.2"
_STANDARDS_BY_DIFFERENCE = ("CL2.0", "CL3.0", "CL1.0", "CL1.2", "CL1.1")


def plan_unit(
    root: DocumentName,
    *,
    client: BuildOptions | None = None,
    command_line: BuildOptions | None = None,
    workspace_folders: Sequence[str] = (),
    files: FileSystem = LOCAL_FILE_SYSTEM,
    document: Document | None = None,
    opened: Mapping[DocumentName, Document] | None = None,
    search: EvidenceSearch | None = None,
    variant: str | None = None,
    subject: DocumentName = "",
    hosts: HostProjectProvider | None = None,
    user: UserConfiguration = NO_USER_CONFIGURATION,
) -> PlannedUnit:
    """Plans the unit of the document `root`, see `prepare_unit`.

    If no option sets the language version, the evidence in `document`, the root's text, determines it: see
    `UnitPreparation.find_evidence`.
    """
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
        run_lines=() if document is None else find_run_lines(document.text.data),
    )
    evidence = NO_EVIDENCE if document is None else preparation.find_evidence(document, opened, search)
    return preparation.plan_with_evidence(evidence, document)


def prepare_unit(
    root: DocumentName,
    *,
    client: BuildOptions | None = None,
    command_line: BuildOptions | None = None,
    workspace_folders: Sequence[str] = (),
    files: FileSystem = LOCAL_FILE_SYSTEM,
    variant: str | None = None,
    subject: DocumentName = "",
    hosts: HostProjectProvider | None = None,
    user: UserConfiguration = NO_USER_CONFIGURATION,
    run_lines: Sequence[RunLine] = (),
) -> UnitPreparation:
    """Collects the options of the document `root` from all sources.

    `root` is an absolute path, or the URI of a document that is not a file. The sources, in ascending
    precedence:

    - the language version that the text suggests; it also overrides an older version
      from host code that possibly does not build the document
    - the user's own configuration `user`
    - options in the RUN lines `run_lines` of the root's text; if there are none, options that `hosts` finds in
      host code and those of `compile_commands.json`
    - options of `.clangd`
    - options of the client
    - the nearest `compile_flags.txt`
    - the nearest `openclsp.toml`, with the variant
    - the command line

    `variant` selects one of several variants. `subject` is a document that the root includes and for which
    the unit is created. All paths that the client, the command line or the user's configuration name can be
    read. Paths that project files name are refused unless they are in the project or below a path that the
    user named.
    """
    layers = [] if client is None else [OptionLayer(CLIENT_SETTINGS_SOURCE, client, written_by_user=True)]
    of_person = [user.layer, *layers]
    if command_line is not None:
        of_person.append(OptionLayer(COMMAND_LINE_SOURCE, command_line, written_by_user=True))
    named_files = [file for layer in of_person for file in layer.options.forced_includes]
    permission = read_permission_of_unit(
        root, workspace_folders, user_readable_folders(of_person), named_files, files
    )
    problems: tuple[BuildOptionProblem, ...] = ()
    flags = project = None
    top = ""
    if os.path.isabs(root):
        top = find_project_root(root, workspace_folders, files)
        flags, project = find_compile_flags(root, top, files), find_project_file(root, top, files)
    if flags is not None:
        layers.append(OptionLayer(f"in {FILE_NAME}", flags.options))
        problems = flags.problems
    if project is not None:
        source = f"in {PROJECT_FILE_NAME}"
        layers.append(OptionLayer(source, project.options, f"from {PROJECT_FILE_NAME}"))
    variants = () if project is None else tuple(each for each in project.variants if each.applies_to(root))
    default = variant if variant is not None or project is None else project.variant
    host = NO_HOST_OPTIONS
    if hosts is not None and os.path.isabs(root) and (project is None or project.uses_host_options):
        host = collect_found_options(
            root, top, run_lines, hosts, default, permission, files, first=not variants
        )
    built = select_variant((*variants, *host.variants), variant, None if project is None else project.variant)
    if built in variants and built is not None:
        source = f"in variant {built.name}"
        layers.append(OptionLayer(source, built.options, f"from variant {built.name} in {PROJECT_FILE_NAME}"))
    if command_line is not None:
        layers.append(of_person[-1])
    has_standard = any(each.options.standard is not None for each in layers)
    links = tuple(describe_ignored_links(root, top, OPTION_FILE_NAMES, files)) if top else ()
    # Paths are checked before the layers are merged: a configuration no longer shows which layer named a
    # folder.
    inside = confine_option_layers([user.layer, *host.layers, *layers], permission, files)
    configured = merge_option_layers(inside.layers, DEFAULT_DEVICE if project is None else project.device)
    cpp_for_opencl = configured.cpp_for_opencl or is_cpp_for_opencl_file(root)
    loader = IncludeLoader(configured.configuration, permission, DocumentStore(files))
    forced = zip(configured.configuration.forced_includes, loader.forced_includes(), strict=True)
    missing = tuple(
        f"-include {path}: {found.reason}" for path, found in forced if isinstance(found, Refusal)
    )
    return UnitPreparation(
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
        not has_standard and not cpp_for_opencl,
        files,
        hosts.headers_of(top, root) if hosts is not None and os.path.isabs(root) else None,
    )


def _make_macro_layer(macro: AssumedMacro) -> OptionLayer:
    """Creates the option layer that defines an assumed macro."""
    return OptionLayer(f"by assumption, {macro.reason}", parse_build_options([macro.option]).options)


def _make_evidence_layer(evidence: LanguageEvidence, document: Document) -> OptionLayer:
    """Creates the option layer for the version that the evidence requires."""
    return OptionLayer(
        "in the text", BuildOptions(standard=evidence.standard), _evidence_reason(evidence, document)
    )


def _evidence_reason(evidence: LanguageEvidence, document: Document) -> str:
    where = "" if evidence.document == document.name else f" of {os.path.basename(evidence.document)}"
    return evidence.reason(where)


def _mention_evidence(
    configured: ConfigurationResult, evidence: LanguageEvidence, document: Document
) -> ConfigurationResult:
    """Adds "although …" to the explanation of the dialect if the evidence requires a newer version.

    The dialect does not change: the version that the host sets takes precedence over the evidence.
    """
    if evidence.version <= configured.configuration.dialect.version:
        return configured
    although = _evidence_reason(evidence, document).replace("because", "although", 1)
    origins = replace(configured.origins, dialect=f"{configured.origins.dialect}, {although}")
    return replace(configured, origins=origins)
