"""What is said of a document that is recognised and not analysed."""

from __future__ import annotations

from openclsp.ide.answers import Diagnostic, Location
from openclsp.ide.severities import severity_of
from openclsp.rules.finding import Severity
from openclsp.source.document import Document
from openclsp.workspace.project_file import ProjectFile

_CODE = "cpp-for-opencl"
_MESSAGE = "C++ for OpenCL is not supported: this file is not checked"


def cpp_for_opencl(project: ProjectFile | None, document: Document) -> Diagnostic | None:
    """The diagnostic of a document that is C++ for OpenCL, on its first line; None where the project wants none."""
    severity = severity_of(project, _CODE, Severity.INFORMATION)
    if severity is None:
        return None
    return Diagnostic(_CODE, severity, _MESSAGE, Location(document.name, 0, document.text.line_end(0)))
