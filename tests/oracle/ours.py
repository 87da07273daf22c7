"""openclsp's diagnostics of a program with their lines, in any dialect."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import GENERIC_ADDRESS_SPACE, PROGRAM_SCOPE_GLOBAL_VARIABLES, Dialect
from openclsp.project.file_system import BYTE_ORDER_MARK, DocumentStore
from openclsp.project.option_parser import parse_build_options
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.unit_preparation import plan_unit

from ..rules.analysis import analyse

_SWITCHES = {"generic": GENERIC_ADDRESS_SPACE, "globals": PROGRAM_SCOPE_GLOBAL_VARIABLES}
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic in the program itself; `line` is counted from 1."""

    line: int
    code: str
    severity: str
    message: str

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


def analysed_file(file: Path, dialect: Dialect, options: Sequence[str] = ()) -> TranslationUnit:
    """Analyses the file at this absolute path as a unit of the dialect; `options` are as for clang."""
    return analysed_text(file, file.read_bytes(), dialect, options)


def analysed_text(file: Path, text: bytes, dialect: Dialect, options: Sequence[str] = ()) -> TranslationUnit:
    """Like `analysed_file`, with this text instead of the file's."""
    standard, *off = dialect.name.split("-")
    switches = ",".join(["+all", *(f"-{_SWITCHES[part]}" for part in off)])
    written = [f"-cl-std={standard}", f"-cl-ext={switches}", *options]
    planned = plan_unit(str(file), command_line=parse_build_options(written).options)
    assert planned.unit_config.configuration.dialect == dialect, (
        planned.unit_config.configuration.dialect.name
    )
    document = Document.of(str(file), text.removeprefix(BYTE_ORDER_MARK))
    return TranslationUnit(planned.unit_config, document, planned.make_include_loader(DocumentStore()))


def diagnostics_of(unit: TranslationUnit) -> list[Diagnostic]:
    """Returns the diagnostics of the root document in text order."""
    document = unit.document
    return [
        Diagnostic(
            document.text.line_of(item.location.start) + 1, item.code, item.severity.value, item.message
        )
        for item in compute_diagnostics(unit)
        if item.location.document == document.name
    ]


def diagnostics_of_text(text: str, dialect: Dialect) -> list[Diagnostic]:
    """Returns the diagnostics of a program that is not in a file."""
    return diagnostics_of(analyse(text, dialect.name))


def diagnostics_of_texts(texts: Sequence[str], dialect: Dialect, jobs: int) -> list[list[Diagnostic]]:
    """Returns the diagnostics of many programs, in order, computed by several processes."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(diagnostics_of_text, texts, [dialect] * len(texts), chunksize=_BATCH))
