"""Names that one file uses and another declares, without an include."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.navigation.definitions import Destination
from openclsp.ide.navigation.project_definitions import find_project_destinations
from openclsp.ide.navigation.project_references import find_references
from openclsp.ide.navigation.symbols import Role
from openclsp.ide.navigation.undeclared_names import (
    UndeclaredUses,
    find_destinations_elsewhere,
    find_undeclared_uses,
)
from openclsp.language.dialect import Dialect
from openclsp.project.project_scan import scan_project
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import NameIndex, ProjectNames

from ...oracle.ours import analysed_file

FILES = {
    "common.cl": "#define SIDE 4\nint twice(int a) { return 2 * a; }\n",
    "first.cl": "// twice\nkernel void first(global int *p) { p[0] = twice(SIDE) + p->twice; }\n",
    "second.cl": "kernel void second(global int *p) { int twice = 1; p[0] = twice; }\nint f(void) { return twice(1); }\n",
    "sub/other.cl": "kernel void third(global int *p) { p[0] = twice(1); }\n",
}


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        graph, index = IncludeGraph(), NameIndex()
        graph.update(scan_project(str(folder)))
        index.update(graph.opencl_files, graph.permission)
        index.advance(lambda: None)
        self.names = ProjectNames(graph, index, {})

    def unit(self, name: str) -> TranslationUnit:
        return analysed_file(self.folder / name, Dialect.of("CL2.0"))

    def short(self, path: str) -> str:
        return Path(path).relative_to(self.folder).as_posix()

    def definition(self, name: str, text: str) -> list[tuple[str, int]]:
        unit = self.unit(name)
        offset = unit.document.text.data.index(text.encode())
        found = find_destinations_elsewhere(unit, unit.document.name, offset, lambda: self.names)
        places = () if found is None else found.places
        return [(self.short(each.location.document), each.location.start) for each in places]

    def references(self, name: str, text: str) -> set[tuple[str, int]]:
        unit = self.unit(name)
        offset = unit.document.text.data.index(text.encode())
        found = find_references(unit, unit.document.name, offset, lambda: self.names, lambda: ())
        return {(self.short(each.location.document), each.location.start) for each in found}

    def renamed(self, name: str, text: str, new: str) -> UndeclaredUses | str:
        unit = self.unit(name)
        offset = unit.document.text.data.index(text.encode())
        return find_undeclared_uses(unit, unit.document.name, offset, new, lambda: self.names)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_an_undeclared_name_leads_to_the_other_file(project: Path) -> None:
    names = Project(project)
    definition = [("common.cl", FILES["common.cl"].index("twice"))]
    assert names.definition("first.cl", "twice(SIDE)") == definition
    assert names.definition("first.cl", "SIDE") == [("common.cl", FILES["common.cl"].index("SIDE"))]
    # another folder only if there is no declaration in the own one
    assert names.definition("sub/other.cl", "twice") == definition
    for nothing in ("twice\n", "twice; }", "global", "first("):
        assert names.definition("first.cl", nothing) == []


def test_its_references_are_those_in_the_folder(project: Path) -> None:
    names = Project(project)
    expected = {
        ("common.cl", FILES["common.cl"].index("twice")),
        ("first.cl", FILES["first.cl"].index("twice(")),
        ("second.cl", FILES["second.cl"].index("twice(")),
    }
    assert names.references("common.cl", "twice") == expected
    assert names.references("first.cl", "twice(") == expected


def test_a_rename_takes_them_along_unless_they_may_denote_another(project: Path) -> None:
    names = Project(project)
    found = names.renamed("common.cl", "twice", "double_of")
    assert isinstance(found, UndeclaredUses)
    assert {names.short(path): starts for path, starts in found.places.items()} == {
        "first.cl": (FILES["first.cl"].index("twice("),),
        "second.cl": (FILES["second.cl"].index("twice("),),
    }
    first = str(project / "first.cl")
    assert (
        names.renamed("common.cl", "twice", "first")
        == f"`first` occurs in `{first}`, which uses `twice` of this file"
    )
    (project / "third.cl").write_text("int twice(int a) { return a + a; }\n")
    again = Project(project)
    assert again.renamed("common.cl", "twice", "double_of") == UndeclaredUses(
        {}, first, str(project / "third.cl")
    )
    assert again.references("common.cl", "twice") == {("common.cl", FILES["common.cl"].index("twice"))}


def test_a_file_that_includes_a_declaration_has_its_own(project: Path) -> None:
    (project / "h.h").write_text("int twice(int a);\n")
    (project / "second.cl").write_text('#include "h.h"\nint f(void) { return twice(1); }\n')
    (project / "h.h").rename(project / "sub" / "h.h")
    (project / "second.cl").write_text('#include "sub/h.h"\nint f(void) { return twice(1); }\n')
    found = Project(project).renamed("common.cl", "twice", "double_of")
    assert isinstance(found, UndeclaredUses) and list(found.places) == [str(project / "first.cl")]


def test_the_definition_in_another_program_of_a_function_that_a_header_declares(project: Path) -> None:
    (project / "h.h").write_text("int thrice(int a);\n")
    (project / "user.cl").write_text('#include "h.h"\nint f(void) { return thrice(1); }\n')
    (project / "thrice.cl").write_text('#include "h.h"\nint thrice(int a) { return 3 * a; }\n')
    names = Project(project)
    unit = names.unit("user.cl")
    offset = unit.document.text.data.index(b"thrice")
    expected = {
        Destination.DEFINITION: [("thrice.cl", Role.DEFINITION)],
        Destination.IMPLEMENTATION: [("thrice.cl", Role.DEFINITION)],
        Destination.DECLARATION: [("h.h", Role.DECLARATION)],
    }
    for wanted, places in expected.items():
        found = find_project_destinations(unit, unit.document.name, offset, wanted, lambda: names.names)
        assert found is not None
        assert [(names.short(each.location.document), each.role) for each in found.places] == places
