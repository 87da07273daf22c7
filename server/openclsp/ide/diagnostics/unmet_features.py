"""Errors for build options that enable a feature but disable a feature that it requires (OpenCL C 6.2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.language.dialect import listed
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit

_CODE = "feature-requirement"


def create_unmet_feature_errors(unit: TranslationUnit) -> Iterator[Diagnostic]:
    """Yields an error for each enabled feature whose requirement is disabled.

    The error is on the first line of the root document, because no particular line causes it.
    """
    document = unit.document
    for name, missing in unit.dialect.unmet:
        needed = listed([f"`{each}`" for each in missing])
        message = (
            f"`{name}` requires {needed}, which the options disable: the file is checked without `{name}`"
        )
        yield Diagnostic(
            _CODE, Severity.ERROR, message, Location(document.name, 0, document.text.line_end(0))
        )
