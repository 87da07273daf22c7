"""The units of other programs in which a fix of a shared header is checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.project_units import make_project_sharing, units_of_file
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.ide.fixes.fault_state import get_fault_state
from openclsp.ide.fixes.fix_budget import FixBudget
from openclsp.ide.fixes.project_units import ProjectUnitSource
from openclsp.project.option_parser import BuildOptions
from openclsp.semantics.translation_unit import TranslationUnit

HELPERS = 40
OPTIONS = BuildOptions(standard="CL1.2")


def unit_of(path: Path) -> TranslationUnit:
    """An analysed unit of a program, made without other units."""
    (unit,) = units_of_file(str(path), ScannedProjects(), OPTIONS, RequestedBuilds())
    get_fault_state(unit, header_bodies=True)
    return unit


def sharing() -> ProjectUnitSource:
    return make_project_sharing(ScannedProjects(), OPTIONS, RequestedBuilds())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three programs that include the same header; the last one passes its helper a pointer into local memory."""
    (tmp_path / ".git").mkdir()
    helpers = "".join(f"float helper{n}(global float *p) {{ return p[{n}] * 2; }}\n" for n in range(HELPERS))
    (tmp_path / "shared.h").write_text(helpers)
    for name, space in (("a", "global"), ("b", "global"), ("c", "local")):
        kernel = f"kernel void {name}({space} float *p) {{ p[0] = helper1(p); }}\n"
        (tmp_path / f"{name}.cl").write_text('#include "shared.h"\n' + kernel)
    return tmp_path


def test_the_header_is_not_analysed_again_in_other_programs(project: Path) -> None:
    unit = unit_of(project / "a.cl")
    others = sharing().units(unit, [str(project / "shared.h")], FixBudget(100_000))
    assert [Path(each.document.name).name for each in others.units] == ["b.cl", "c.cl"]
    for each in others.units:
        alone = unit_of(Path(each.document.name))
        assert each.typed_tokens < alone.typed_tokens / 10
        found, expected = (
            get_fault_state(each, header_bodies=True),
            get_fault_state(alone, header_bodies=True),
        )
        assert (found.faults, found.problems) == (expected.faults, expected.problems)
    assert any(get_fault_state(others.units[1], header_bodies=True).faults.values())


def test_the_budget_does_not_depend_on_what_was_analysed_before(project: Path) -> None:
    """A program with equal headers costs as much as one whose headers are analysed for it."""
    unit, header = unit_of(project / "a.cl"), [str(project / "shared.h")]
    spent = []
    for like in (unit, unit_of(project / "b.cl")):
        work = FixBudget(100_000)
        sharing().units(like, header, work)
        spent.append(100_000 - work.remaining)
    (project / "a.cl").write_text((project / "a.cl").read_text().replace('"shared.h"', '"./shared.h"'))
    work = FixBudget(100_000)
    assert len(sharing().units(unit_of(project / "a.cl"), header, work).units) == 2
    spent.append(100_000 - work.remaining)
    assert max(spent) - min(spent) <= 10


def test_a_program_that_is_too_large_is_not_created_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit, source = unit_of(project / "a.cl"), sharing()
    large = project / "b.cl"
    large.write_text(
        large.read_text() + "".join(f"int more{n}(int x) {{ return x; }}\n" for n in range(2000))
    )
    created = []

    def create(*given: object, **named: object) -> list[TranslationUnit]:
        created.append(given)
        return units_of_file(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("openclsp.cli.project_units.units_of_file", create)
    for _ in range(3):
        work = FixBudget(12_000)
        found = source.units(unit, [str(project / "shared.h")], work)
        assert found.unchecked == "not checked in b.cl and 1 more"
        assert work.remaining <= 0
    assert len(created) == 1


def test_a_spent_budget_matters_only_if_there_are_other_programs(project: Path) -> None:
    unit = unit_of(project / "a.cl")
    found = sharing().units(unit, [str(project / "a.cl")], FixBudget(-1))
    assert (found.units, found.unchecked) == ((), "")
    assert sharing().units(unit, [str(project / "shared.h")], FixBudget(-1)).unchecked
