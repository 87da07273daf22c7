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
        """The analysed document if it is a file included by the root; empty if it is the root itself."""
        ...

    @property
    def is_root_kernel_file(self) -> bool:
        """Whether the root's file name is that of a kernel file, or is of no known kind."""
        ...

    def enables(self, code: str) -> bool:
        """Whether the project file sets a severity other than `off` for the rule with this code."""
        ...

    def with_configuration(self, configuration: BuildConfiguration) -> AnalysisTarget:
        """Returns the same target under another configuration."""
        ...
