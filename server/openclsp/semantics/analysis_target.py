"""The interface to the root document and the build configuration of a translation unit."""

from __future__ import annotations

from typing import Protocol

from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import DocumentName


class AnalysisTarget(Protocol):
    """A root document with one build configuration. The workspace's `UnitConfig` implements it."""

    @property
    def root(self) -> DocumentName:
        """The root document."""
        ...

    @property
    def configuration(self) -> BuildConfiguration:
        """The build configuration."""
        ...

    @property
    def subject(self) -> DocumentName:
        """The analysed document if it is only included by the root; empty if the root itself is analysed."""
        ...

    @property
    def is_root_kernel_file(self) -> bool:
        """Whether the root has the name of a kernel file, or a name that does not show the kind of file."""
        ...

    def enables(self, code: str) -> bool:
        """Whether the project file sets a severity other than `off` for the rule with this code."""
        ...

    def with_configuration(self, configuration: BuildConfiguration) -> AnalysisTarget:
        """Returns the same target under another configuration."""
        ...
