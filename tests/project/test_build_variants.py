"""Variants in openclsp.toml: those of a file, the chosen one, and its options."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.workspace.project_file import read_project_file
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit

PROJECT = """\
language-version = "CL1.2"
defines = { REAL = "half", N = 1 }
[variants.single]
defines = { REAL = "float" }
[variants.double]
language-version = "CL2.0"
extensions = ["+cl_khr_fp64"]
defines = { REAL = "double", N = false }
include-folders = ["double"]
files = ["linear/*.cl"]
"""


def planned(folder: Path, name: str = "linear/k.cl", variant: str | None = None) -> PlannedUnit:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    return plan_unit(str(path), variant=variant)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "openclsp.toml").write_text(PROJECT)
    return tmp_path


def test_a_variant_adds_to_the_common_options(project: Path) -> None:
    single = planned(project).unit_config
    assert single.configuration.defines == (("N", "1"), ("REAL", "float"))
    assert single.configuration.dialect.standard == "CL1.2"
    double = planned(project, variant="double").unit_config
    assert double.configuration.defines == (("REAL", "double"),)
    assert double.configuration.undefines == ("N",)
    assert double.configuration.include_folders == (str(project / "double"),)
    assert double.dialect_explanation == (
        "OpenCL C 2.0, from variant double in openclsp.toml; variant double, from openclsp.toml"
    )


def test_the_first_that_the_file_has_counts_unless_another_is_named(project: Path) -> None:
    def chosen(name: str, variant: str | None = None) -> str:
        unit = planned(project, name, variant).unit_config
        return "" if unit.variant is None else unit.variant.name

    assert chosen("linear/k.cl") == "single"
    assert chosen("linear/k.cl", "double") == "double"
    assert chosen("k.cl", "double") == "single"
    (project / "openclsp.toml").write_text(f'variant = "double"\n{PROJECT}')
    assert chosen("linear/k.cl") == "double"
    assert chosen("linear/k.cl", "single") == "single"
    assert chosen("k.cl") == "single"
    assert chosen("linear/k.cl", "of another file") == "double"


def test_options_of_the_command_line_count_above_all(project: Path) -> None:
    from openclsp.project.option_parser import parse_build_options

    options = parse_build_options(["-DREAL=int", "-cl-std=CL3.0"]).options
    (project / "k.cl").touch()
    unit = plan_unit(str(project / "k.cl"), command_line=options).unit_config
    assert dict(unit.configuration.defines)["REAL"] == "int"
    assert unit.configuration.dialect.standard == "CL3.0"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('variant = "x"\n[variants.y]\n', "1: there is no variant 'x': there are 'y'"),
        ('variant = "x"\n', "1: there is no variant 'x'"),
        ("[variants.y]\ndefines = { '9' = 1 }\n", "2: 'variants.y.defines.9': -D needs NAME or NAME=VALUE, and '9=1' is neither"),
        ("[variants.y]\nfoo = 1\n", "2: unknown key 'variants.y.foo'"),
        ('[variants.y]\nlanguage-version = "CL9"\n', "2: 'variants.y.language-version' must be"),
        ('file-endings = ["knl"]\n', "1: 'file-endings': 'knl' is not a file name ending such as '.knl'"),
    ],
)  # fmt: skip
def test_an_invalid_variant_is_reported_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "openclsp.toml").write_text(text)
    (told,) = read_project_file(str(tmp_path / "openclsp.toml")).problems
    assert told.removeprefix(f"{tmp_path}/openclsp.toml:").startswith(problem)
