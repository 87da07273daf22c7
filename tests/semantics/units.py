"""Translation units in memory, analysed without a file system."""

from __future__ import annotations

from collections.abc import Mapping

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.hover.hover import compute_hover
from openclsp.ide.kernels.kernel_summary import compute_kernel_summaries
from openclsp.language.dialect import Dialect
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.source.options import Refusal
from openclsp.workspace.units import UnitConfig

ROOT = "/k.cl"


class Headers:
    """A loader over a mapping from names to texts."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self.texts = dict(texts)

    def load(self, name: str, angled: bool, includer: str) -> Document | Refusal:
        """The header of that name."""
        text = self.texts.get(name)
        return Refusal("file not found") if text is None else Document.of(f"/{name}", text)

    def exists(self, name: str, angled: bool, includer: str) -> bool:
        """Whether there is a header of that name."""
        return name in self.texts


def unit_of(
    text: bytes,
    dialect: str = "CL2.0",
    headers: Headers | None = None,
    defines: tuple[tuple[str, str], ...] = (),
    subject: str = "",
) -> TranslationUnit:
    """The unit of a text under a dialect; `subject` is the header for which it is analysed, if any."""
    configuration = BuildConfiguration(Dialect.of(dialect), defines)
    unit = UnitConfig(ROOT, configuration, ConfigurationOrigins("chosen by the test"), subject=subject)
    return TranslationUnit(unit, Document.of(ROOT, text), headers or Headers({}))


def edited(unit: TranslationUnit, text: bytes) -> None:
    """Replaces the text of the unit's document."""
    unit.update(Document.of(ROOT, text), headers_changed=False)


def errors_in(text: bytes, dialect: str = "CL2.0") -> list[tuple[int, str]]:
    """The line, from 1, and the code of each error in a text."""
    unit = unit_of(text, dialect)
    return [
        (unit.document.text.line_of(each.location.start) + 1, each.code)
        for each in compute_diagnostics(unit)
        if each.severity is Severity.ERROR
    ]


def answers(unit: TranslationUnit) -> tuple[object, ...]:
    """The answers of a unit, comparable between units: diagnostics, kernel summaries, and sampled hovers."""
    found = [
        (each.code, each.severity, each.message, each.location, each.related)
        for each in compute_diagnostics(unit)
    ]
    size = len(unit.document.text.data)
    hovers = (compute_hover(unit, ROOT, offset) for offset in range(0, size, max(size // 25, 7)))
    return (*found, *compute_kernel_summaries(unit), *hovers)
