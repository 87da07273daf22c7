"""Detects documents in languages other than OpenCL C, which are not analysed."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.severity_settings import effective_severity
from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.rules.finding import Severity
from openclsp.semantics.items.item import ItemGroup
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.foreign_beginnings import foreign_beginning
from openclsp.source.host_strings import has_opencl_word, is_string_list, is_string_macros
from openclsp.source.other_languages import Evidence, Weight, has_opencl_kernel
from openclsp.workspace.project_file import ProjectConfiguration

_CODE = "cpp-for-opencl"
_MESSAGE = "C++ for OpenCL is not supported: this file is not checked"
_UNRECOGNISABLE = "this file is not recognised as OpenCL C: it is checked only if a command names it"


@dataclass(frozen=True, slots=True)
class UnsupportedLanguage:
    """The verdict that a unit is not OpenCL C and is not checked.

    `diagnostic` is on the line that shows the other language. It is None if the root document is host code
    that contains kernels as strings, because such a file is not meant for an OpenCL compiler.
    """

    diagnostic: Diagnostic | None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of the unit: `diagnostic`, or none."""
        return () if self.diagnostic is None else (self.diagnostic,)


def detect_unsupported_language(unit: TranslationUnit) -> UnsupportedLanguage | None:
    """Detects units that are not OpenCL C; None for OpenCL C.

    Such a unit, or one of its headers, contains C++, CUDA, HIP, Metal, HLSL or host C, or the unit begins like
    a file of another language whose files have the same endings.
    """
    document = unit.document
    beginning = foreign_beginning(document.text.data)
    if beginning is not None:
        text = document.text
        line = text.line_of(beginning.start)
        location = Location(document.name, text.line_start(line), text.line_end(line))
        message = f"{beginning.subject}, not OpenCL C: this file is not checked"
        return UnsupportedLanguage(Diagnostic(_CODE, Severity.INFORMATION, message, location))
    if is_string_list(unit.preprocessed.text):
        return UnsupportedLanguage(None)
    for part in unit.parts():
        for group in part.groups:
            found = group.foreign
            if found is None or found.weight is Weight.STATEMENT or _is_outweighed(found, unit):
                continue
            if part.checks_bodies and found.weight in (Weight.HOST_STRING, Weight.HOST_CODE):
                return UnsupportedLanguage(None)
            return UnsupportedLanguage(_diagnostic(found, group, part))
    if not unit.by_key and is_string_macros(unit.document.text.data):
        return UnsupportedLanguage(None)
    return None


def _diagnostic(found: Evidence, group: ItemGroup, part: UnitPart) -> Diagnostic:
    preprocessed = part.preprocessed
    word = group.text[found.start : found.end].decode("utf-8", "replace").strip()
    text = preprocessed.document.text
    line = preprocessed.source_map.lines.find(group.start + found.start)
    location = Location(preprocessed.document.name, text.line_start(line), text.line_end(line))
    message = f"`{word}` is C++, CUDA or another language, not OpenCL C: this file is not checked"
    if not part.checks_bodies:
        message = f"`{word}` in an included file is not OpenCL C: neither file is checked"
    return Diagnostic(_CODE, Severity.INFORMATION, message, location)


def _is_outweighed(found: Evidence, unit: TranslationUnit) -> bool:
    """Whether other text of the unit shows OpenCL C and outweighs the evidence for another language."""
    if found.weight is Weight.SPECIFIER:
        return any(has_opencl_kernel(part.preprocessed.text) for part in unit.parts())
    if found.weight is Weight.HOST_STRING:
        return any(has_opencl_word(part.preprocessed.text) for part in unit.parts())
    return False


def create_cpp_for_opencl_diagnostic(
    project: ProjectConfiguration | None, document: Document
) -> Diagnostic | None:
    """Creates the diagnostic for a C++ for OpenCL document; None if the project disables it.

    The diagnostic is on the first line.
    """
    return _create_diagnostic(project, document, _MESSAGE, 0)


def create_unrecognisable_diagnostic(
    project: ProjectConfiguration | None, document: Document
) -> Diagnostic | None:
    """Creates the diagnostic for a document that is not recognised as OpenCL C; None if the project disables it.

    The diagnostic is on the first line that is not blank.
    """
    data = document.text.data
    return _create_diagnostic(project, document, _UNRECOGNISABLE, len(data) - len(data.lstrip()))


def _create_diagnostic(
    project: ProjectConfiguration | None, document: Document, message: str, start: int
) -> Diagnostic | None:
    severity = effective_severity(project, _CODE, Severity.INFORMATION)
    if severity is None:
        return None
    line = document.text.line_of(start)
    location = Location(document.name, document.text.line_start(line), document.text.line_end(line))
    return Diagnostic(_CODE, severity, message, location)
