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
        """The document that is analysed if that is not the root but included by it; otherwise empty."""
        ...

    @property
    def is_root_kernel_file(self) -> bool:
        """Whether the root's file name is that of a kernel, or says nothing about its language."""
        ...

    def enables(self, code: str) -> bool:
        """Whether the project gives the rule of this code a severity."""
        ...

    def with_configuration(self, configuration: BuildConfiguration) -> AnalysisTarget:
        """The same target under another configuration."""
        ...
