"""Analyses a kernel in one call, with headers and a project file where a test has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.project.file_system import DocumentStore
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit


def analyse(folder: Path, text: str, others: Mapping[str, str] | None = None) -> TranslationUnit:
    """The analysis of `k.cl` in the folder, with the `others` next to it."""
    for name, content in {"openclsp.toml": "", **(others or {}), "k.cl": text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    name = str(folder / "k.cl")
    planned = plan_unit(name)
    return TranslationUnit(
        planned.unit_config, Document.of(name, text.encode()), planned.make_include_loader(DocumentStore())
    )


def errors_in(folder: Path, text: str) -> list[tuple[str, int]]:
    """The code and the line, from 1, of each error in `k.cl`."""
    unit = analyse(folder, text)
    return [
        (each.code, unit.document.text.line_of(each.location.start) + 1)
        for each in compute_diagnostics(unit)
        if each.severity is Severity.ERROR
    ]
