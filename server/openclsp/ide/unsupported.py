"""What is said of a document that is recognised and not analysed."""

from __future__ import annotations

from openclsp.ide.answers import Diagnostic, Location
from openclsp.ide.severities import severity_of
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.other_languages import has_opencl_kernel
from openclsp.workspace.project_file import ProjectFile

_CODE = "cpp-for-opencl"
_MESSAGE = "C++ for OpenCL is not supported: this file is not checked"


def another_language(unit: TranslationUnit) -> Diagnostic | None:
    """The diagnostic of a unit whose text, or a header's, is C++, CUDA, HIP, Metal or HLSL: all that is told of it."""
    for fragment in unit.fragments():
        for group in fragment.groups:
            found = group.foreign
            if found is None or (found.specifier and _has_kernel(unit)):
                continue
            preprocessed = fragment.preprocessed
            word = group.text[found.start : found.end].decode("utf-8", "replace").strip()
            text = preprocessed.document.text
            line = preprocessed.source_map.lines.find(group.start + found.start)
            location = Location(preprocessed.document.name, text.line_start(line), text.line_end(line))
            message = f"`{word}` is C++, CUDA or another language, not OpenCL C: this file is not checked"
            if not fragment.main:
                message = f"`{word}` in an included file is not OpenCL C: neither is checked"
            return Diagnostic(_CODE, Severity.INFORMATION, message, location)
    return None


def _has_kernel(unit: TranslationUnit) -> bool:
    return any(has_opencl_kernel(fragment.preprocessed.text) for fragment in unit.fragments())


def cpp_for_opencl(project: ProjectFile | None, document: Document) -> Diagnostic | None:
    """The diagnostic of a document that is C++ for OpenCL, on its first line; None where the project wants none."""
    severity = severity_of(project, _CODE, Severity.INFORMATION)
    if severity is None:
        return None
    return Diagnostic(_CODE, severity, _MESSAGE, Location(document.name, 0, document.text.line_end(0)))
