"""Analyses a kernel in one call; converts positions to lines and columns from 0, as rule pages use them."""

from __future__ import annotations

from openclsp.ide.feature_results import CheckedFix, Location
from openclsp.language.dialect import Dialect
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.option_parser import BuildOptions
from openclsp.project.read_permission import NO_READ_PERMISSION
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.project_file import ProjectConfiguration, SeveritySetting
from openclsp.workspace.units import UnitConfig

NAME = "/kernel.cl"


def analyse(text: str, dialect: str, severities: tuple[tuple[str, str], ...] = ()) -> TranslationUnit:
    """The analysis of a kernel that includes nothing, in a project that has these settings."""
    configuration = BuildConfiguration(Dialect.of(dialect))
    project = None
    if severities:
        settings = tuple(SeveritySetting(code, severity, 1) for code, severity in severities)
        project = ProjectConfiguration(NAME, BuildOptions(), severities=settings)
    unit = UnitConfig(NAME, configuration, ConfigurationOrigins("chosen by the test"), project=project)
    loader = IncludeLoader(configuration, NO_READ_PERMISSION, DocumentStore())
    return TranslationUnit(unit, Document.of(NAME, text.encode()), loader)


def line_and_columns(text: str, location: Location) -> tuple[int, tuple[int, int]]:
    """The line on which the location begins, and its columns in code points; an end on a later line is that line's."""
    before, inside = text.encode()[: location.start].decode(), text.encode()[location.start : location.end]
    line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
    return line, (column, column + len(inside.decode()))


def offset_of(text: str, line: int, column: int) -> int:
    """The byte at which that column begins."""
    lines = text.split("\n")
    return len(("\n".join([*lines[:line], ""]) + lines[line][:column]).encode())


def applied(text: str, fix: CheckedFix) -> str:
    """The text after the fix's edits."""
    data = text.encode()
    for edit in sorted(fix.edits, key=lambda edit: edit.location.start, reverse=True):
        assert edit.location.document == NAME
        data = data[: edit.location.start] + edit.text.encode() + data[edit.location.end :]
    return data.decode()
