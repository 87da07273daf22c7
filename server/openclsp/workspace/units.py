"""Units and plans of units. A unit is a root document under one build configuration."""

from __future__ import annotations

import os.path
from dataclasses import field, replace

from openclsp.dataclass import dataclass
from openclsp.host_options.host_project import (
    NO_HOST_OPTIONS,
    HostOptionsOfKernel,
)
from openclsp.language.dialect import Dialect
from openclsp.project.build_variants import BuildVariant
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_confinement import (
    LEADS_OUT_OF_PROJECT,
)
from openclsp.project.option_layers import (
    ConfigurationOrigins,
    OptionLayer,
)
from openclsp.project.option_parser import BuildOptionProblem
from openclsp.project.project_headers import ProjectHeaders
from openclsp.project.project_scan import HOST_CODE_KINDS, ScannedFileKind, classify_file_name
from openclsp.project.read_permission import HOW_TO_ALLOW, ReadPermission
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import DocumentName
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.language_evidence import LanguageEvidence
from openclsp.workspace.project_file import ProjectConfiguration


@dataclass(frozen=True, slots=True)
class UnitConfig:
    """A root document with the build configuration under which it is analysed.

    `origins` and `project` are not part of the unit's identity: they decide only which diagnostics are
    reported, and what answers show.
    """

    root: DocumentName
    configuration: BuildConfiguration
    origins: ConfigurationOrigins = field(compare=False)
    project: ProjectConfiguration | None = field(default=None, compare=False)
    variant: BuildVariant | None = field(default=None, compare=False)
    """The selected variant, if there are several"""
    variants: tuple[BuildVariant, ...] = field(default=(), compare=False)
    """All variants of the root document, from `openclsp.toml` and host code"""
    subject: DocumentName = field(default="", compare=False)
    """The document for which the unit was created, if it is not the root but included by the root."""
    other_dialects: tuple[Dialect, ...] = ()
    """The other possible dialects if the language version is unknown.

    A finding is reported only if it occurs in the configuration's dialect and in each of these."""
    assumptions: tuple[str, ...] = field(default=(), compare=False)
    """Sentences about the macros that are taken as defined because of the text"""
    general_errors: bool = True
    """Whether errors of C are reported that another server of the same document may report too."""

    @property
    def is_root_kernel_file(self) -> bool:
        """Whether the root's name is that of a kernel file, or of no known kind of file (`untitled:a`)."""
        return classify_file_name(os.path.basename(self.root)) in (None, ScannedFileKind.KERNEL)

    def enables(self, code: str) -> bool:
        """Whether the project file sets a severity other than `off` for the rule with this code."""
        severities = () if self.project is None else self.project.severities
        return any(each.code == code and each.severity != "off" for each in severities)

    def with_configuration(self, configuration: BuildConfiguration) -> UnitConfig:
        """Returns the same unit under another configuration."""
        return replace(self, configuration=configuration)

    @property
    def dialect_explanation(self) -> str:
        """An explanation of the dialect, the variant and the including program, for messages.

        For example: `OpenCL C 1.2, the default of OpenCL compilers; variant double, from openclsp.toml; as
        included by k.cl`.
        """
        dialect = f"{self.configuration.dialect.title}, {self.origins.dialect}"
        if self.other_dialects:
            dialect = f"OpenCL C, version unknown: {self.origins.dialect}"
        return "; ".join((dialect, *self.choices))

    @property
    def choices(self) -> tuple[str, ...]:
        """Descriptions of the chosen variant, assumed macros and the root through which the subject is analysed."""
        variant = () if self.variant is None else (self.variant.description,)
        choices = (*variant, *self.assumptions)
        if not self.subject:
            return choices
        how = "joined in" if classify_file_name(self.root) in HOST_CODE_KINDS else "included by"
        return (*choices, f"as {how} {os.path.basename(self.root)}")

    @property
    def is_excluded(self) -> bool:
        """Whether the project file excludes the document for which the unit was created."""
        return self.project is not None and self.project.excludes(self.subject or self.root)


@dataclass(frozen=True, slots=True)
class PlannedUnit:
    """A unit with its read permission, and the notes and problems that result from its options.

    - `notes`: messages about features that options turn off indirectly or that the version lacks
    - `problems`: options that could not be used, each with its source
    - `refused`: messages about paths in project options that openclsp is not permitted to read
    - `cpp_for_opencl`: whether the document is C++ for OpenCL, which is not analysed
    - `is_other_language`: whether the document is in another language, which is not analysed
    - `evidence`: set if only the text determines the language version
    - `layers`: all options with their sources, in ascending precedence
    - `host_options`: the options that the project's own files pass to the kernel
    """

    unit_config: UnitConfig
    permission: ReadPermission
    notes: tuple[str, ...] = ()
    problems: tuple[BuildOptionProblem, ...] = ()
    cpp_for_opencl: bool = False
    is_other_language: bool = False
    compile_flags: str | None = None
    refused: tuple[str, ...] = ()
    evidence: LanguageEvidence | None = field(default=None, compare=False)
    layers: tuple[OptionLayer, ...] = field(default=(), compare=False)
    host_options: HostOptionsOfKernel = field(default=NO_HOST_OPTIONS, compare=False)
    headers: ProjectHeaders | None = field(default=None, compare=False)
    """The project files that an include may mean, if they are known"""

    @property
    def is_analysed(self) -> bool:
        """Whether the unit is analysed; it is not if its language is not OpenCL C."""
        return not (self.cpp_for_opencl or self.is_other_language)

    def after_unread_text(self, includer: PlannedUnit) -> PlannedUnit:
        """Returns the plan for a document that `includer` may include after text that is not read.

        This text may define any name and enable any extension, as a missing header may. The language version
        may be that of the includer.
        """
        other = includer.unit_config
        dialects = dict.fromkeys(
            (*self.unit_config.other_dialects, other.configuration.dialect, *other.other_dialects)
        )
        dialects.pop(self.unit_config.configuration.dialect, None)
        own = self.unit_config.configuration
        configuration = replace(own, unread_includes=(*own.unread_includes, other.root))
        unit = replace(self.unit_config, configuration=configuration, other_dialects=tuple(dialects))
        return replace(self, unit_config=unit)

    @property
    def permission_advice(self) -> tuple[str, ...]:
        """A sentence that explains how to allow reading outside the project; empty if no path was refused."""
        messages = (*self.refused, *self.host_options.problems)
        how = f"{HOW_TO_ALLOW[:1].upper()}{HOW_TO_ALLOW[1:]}; see SECURITY.md"
        return (how,) if any(each.endswith(LEADS_OUT_OF_PROJECT) for each in messages) else ()

    def make_include_loader(self, documents: DocumentStore) -> IncludeLoader:
        """Creates the loader for this unit's includes."""
        return IncludeLoader(self.unit_config.configuration, self.permission, documents, self.headers)
