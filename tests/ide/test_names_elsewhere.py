"""Which names a unit's diagnostics search in the other files of the project; each search reads these files."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.language.dialect import Dialect
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_layers import ConfigurationOrigins
from openclsp.project.read_permission import NO_READ_PERMISSION
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.source.other_files import SEVERAL_FILES
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import UnitConfig

NAME = "/kernel.cl"

SEARCHES = {
    "a faulty conversion": ("kernel void k(global int *g) { local int *l = g; }\n", "pointer-conversion", ""),
    "an undeclared name": (
        "kernel void k(global int *g, int count) { *g = cuont; }\n",
        "undeclared-name",
        "cuont",
    ),
    "a name of the project": ("kernel void k(global int *g, int sizes) { *g = sizse; }\n", "", "sizse"),
    "no diagnostic": ("kernel void k(global int *g) { *g = 1; }\n", "", ""),
}


class Names:
    """Only `sizse` is defined elsewhere; `searched` contains the names that were asked for."""

    def __init__(self) -> None:
        self.searched: set[str] = set()

    def __contains__(self, name: str, /) -> bool:
        return self.get(name) is not None

    def get(self, name: str, /) -> str | None:
        self.searched.add(name)
        return SEVERAL_FILES if name == "sizse" else None


@pytest.mark.parametrize("title", SEARCHES)
def test_only_undeclared_names_are_searched(title: str) -> None:
    text, codes, searched = SEARCHES[title]
    names = Names()
    configuration = BuildConfiguration(Dialect.of("CL1.2"))
    origins = ConfigurationOrigins("chosen by the test", names_defined_elsewhere=names)
    loader = IncludeLoader(configuration, NO_READ_PERMISSION, DocumentStore())
    unit = TranslationUnit(UnitConfig(NAME, configuration, origins), Document.of(NAME, text.encode()), loader)
    assert [each.code for each in compute_diagnostics(unit)] == codes.split()
    assert names.searched == set(searched.split())
