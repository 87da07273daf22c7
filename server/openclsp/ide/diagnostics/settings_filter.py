"""Applies the project's settings to diagnostics, and what is known about the names that the host defines."""

from __future__ import annotations

import re
from typing import Final

from openclsp.ide.diagnostics.diagnostic_folding import HOST_NAME_RULES, INCLUDE
from openclsp.ide.diagnostics.severity_settings import apply_severity
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.unit_config import unit_config
from openclsp.rules.book import undeclared_name, unknown_name
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.word_search import word_starts

_MACRO_DEFINITION: Final = "macro-definition"
_MARKER: Final = re.compile(rb"[ \t]*#[ \t]*define[ \t]+(?P<word>(?P<name>\w+)[^\w\s]\S*)[ \t]*\r?\n?\Z")


def apply_settings(unit: TranslationUnit, found: Diagnostic, *, tagged: bool) -> Diagnostic | None:
    """Applies the project's settings to a diagnostic; None if the diagnostic is suppressed.

    The diagnostic is suppressed if the project excludes its header or switches its code off, or if the host
    may define the name that it is about. `tagged` has the same meaning as in `apply_severity`.
    """
    document, config = found.location.document, unit_config(unit)
    # The caller has already checked the root document.
    if document != unit.document.name and config.project is not None and config.project.excludes(document):
        return None
    if _is_defined_elsewhere(unit, found):
        return None
    return apply_severity(config, found, tagged=tagged)


def _is_defined_elsewhere(unit: TranslationUnit, found: Diagnostic) -> bool:
    """Whether the unknown name of a diagnostic is probably defined outside of this unit.

    That is the case if another OpenCL file of the project defines the name and the host concatenates the
    files, or if the host defines the name as a macro in a way that could not be analysed. A missing header
    counts as defined if host code contains its name, because the host then generates it, and so does a
    marker for which the host searches.
    """
    name = find_unknown_name(found) or _find_marker(unit, found)
    return name != "" and may_be_defined_elsewhere(unit, name)


def _find_marker(unit: TranslationUnit, found: Diagnostic) -> str:
    """Returns the word after `#define` that is no macro's name, such as `EndDefaults%`; the host may search for it.

    Returns "" if other text follows the word, or if the document uses the macro.
    """
    if found.code != _MACRO_DEFINITION:
        return ""
    name, start = found.location.document, found.location.start
    text = next(
        (each.document.text for each in unit.preprocessed.with_included() if each.document.name == name), None
    )
    if text is None:
        return ""
    line = text.line_of(start)
    match = _MARKER.match(text.data, text.line_start(line), text.line_end(line))
    if match is None or len(list(word_starts(text.data, match["name"]))) > text.data.count(match["word"]):
        return ""
    return match["word"].decode("utf-8", "replace")


def find_unknown_name(found: Diagnostic) -> str:
    """Returns the unknown name that a diagnostic is about, or the name of a missing header; empty if there is none."""
    if found.group is not None:
        return found.group.name if found.code == INCLUDE or found.code in HOST_NAME_RULES else ""
    # errors are not folded
    if found.code in (undeclared_name.CODE, unknown_name.CODE) and found.origin is not None:
        return found.origin.finding.name
    return ""


def may_be_defined_elsewhere(unit: TranslationUnit, name: str) -> bool:
    """Whether another OpenCL file of the project, or the host, may define a name.

    If the unit includes that file, the file's definition counts only if it is in an inactive branch. An
    active definition comes after the use of the name, where it does not help.
    """
    origins = unit_config(unit).origins
    path = origins.names_defined_elsewhere.get(name)
    if path is not None and not (name in unit.declared_names() and _contains(unit, path)):
        return True
    return any(name == given for given, _ in origins.possible_macros)


def _contains(unit: TranslationUnit, path: str) -> bool:
    return any(each.document.name == path for each in unit.preprocessed.with_included())
