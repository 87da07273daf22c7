"""`openclsp.toml`: its settings and the diagnostics of invalid ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from openclsp.language.device import Device
from openclsp.project.option_parser import parse_build_options
from openclsp.workspace.project_file import (
    ProjectConfiguration,
    find_project_file,
    load_schema,
    read_project_file,
)
from openclsp.workspace.unit_preparation import plan_unit


def project(folder: Path, text: str) -> ProjectConfiguration:
    (folder / "openclsp.toml").write_text(text)
    return read_project_file(str(folder / "openclsp.toml"))


def told(folder: Path, text: str) -> list[str]:
    """The problems, without the folder."""
    return [each.removeprefix(f"{folder}/openclsp.toml:") for each in project(folder, text).problems]


def kernel(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.cl").touch()
    return str(folder / "k.cl")


def test_everything_that_it_can_say(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        """\
language-version = "CL3.0"
extensions = ["-cl_khr_fp64", "-__opencl_c_images"]
include-folders = ["include", "/opt/kernels"]
exclude = ["generated/"]

[defines]
N = 4
TYPE = "float"
FAST = true
SLOW = false
"TWICE(x)" = "((x) * 2)"

[severity]
recursion = "warning"
duplicate-space = "off"

[device]
profile = "embedded"
address-bits = 32
version = "2.1"

[device.limits]
max-constant-args = 8
""",
    )
    assert found.problems == ()
    assert found.options.standard == "CL3.0"
    assert found.options.switches == ("-cl_khr_fp64", "-__opencl_c_images")
    assert found.options.include_folders == (str(tmp_path / "include"), "/opt/kernels")
    assert [(macro.name, macro.value) for macro in found.options.macros] == [
        ("N", "4"),
        ("TYPE", "float"),
        ("FAST", "1"),
        ("SLOW", None),
        ("TWICE(x)", "((x) * 2)"),
    ]
    assert [(each.code, each.severity, each.line) for each in found.severities] == [
        ("recursion", "warning", 14),
        ("duplicate-space", "off", 15),
    ]
    assert found.device == Device(embedded=True, version=210, limits=(("max-constant-args", 8),))
    assert found.options.address_bits == 32


def test_an_empty_file_has_no_settings(tmp_path: Path) -> None:
    assert project(tmp_path, "") == ProjectConfiguration(str(tmp_path / "openclsp.toml"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('languageversion = "CL2.0"', "1: unknown key 'languageversion'; did you mean 'language-version'?"),
        ("\n[device]\nprofil = 1", "3: unknown key 'device.profil'; did you mean 'profile'?"),
        (
            "[device.limits]\nnumber-of-cows = 3",
            "2: unknown key 'device.limits.number-of-cows'; the known keys are '",
        ),
        ('language-version = "CL2.1"', "1: 'language-version' must be 'CL1.0', "),
        ("language-version = 2.0", "1: 'language-version' must be a string, but is a number"),
        ('extensions = "+all"', "1: 'extensions' must be a list, but is a string"),
        ("extensions = [\n  3\n]", "1: an item of 'extensions' must be a string, but is a whole number"),
        ('extensions = ["+cl_khr_fp46"]', "1: 'extensions': unknown extension or feature 'cl_khr_fp46'"),
        ('[defines]\nA = 1\n"2b" = 1', "3: 'defines.2b': -D needs NAME or NAME=VALUE"),
        (
            "[defines]\nA = 1979-05-27",
            "2: 'defines.A' must be a string, a number or true or false, but is a date",
        ),
        ('severity.recursion = "eror"', "1: 'severity.recursion' must be 'off', "),
        ("device = 3", "1: 'device' must be a table, but is a whole number"),
        ("[device]\naddress-bits = 16", "2: 'device.address-bits' must be 32 or 64, but is 16"),
        (
            "[device.limits]\nmax-constant-args = -1",
            "2: 'device.limits.max-constant-args' must be at least 0",
        ),
        ('exclude = ["!"]', "1: 'exclude': '!' is not a valid .gitignore pattern"),
        ("[severity\n", "1: "),
        ("exclude = [", "1: "),
        ("a = " + 5000 * "[", "1: "),
    ],
)
def test_an_invalid_setting_is_reported_once_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    problems = told(tmp_path, text)
    assert len(problems) == 1
    assert problems[0].startswith(problem), problems


def test_valid_settings_next_to_an_invalid_one_apply(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        'language-version = "CL2.0"\nextensions = ["-cl_khr_fp64", "-nonsense"]\n[severity]\na = 1\nb = "off"\n',
    )
    assert len(found.problems) == 2
    assert found.options.standard == "CL2.0"
    assert found.options.switches == ("-cl_khr_fp64",)
    assert [each.code for each in found.severities] == ["b"]


def test_a_file_that_is_no_toml_is_not_used(tmp_path: Path) -> None:
    found = project(tmp_path, 'language-version = "CL2.0"\n\nwhat is this\n')
    assert found.options.standard is None
    assert found.problems == (
        f"{tmp_path}/openclsp.toml:3: Expected '=' after a key in a key/value pair; the file is not used",
    )


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_bytes(b"exclude = []\n# \xff\n")
    found = read_project_file(str(tmp_path / "openclsp.toml"))
    assert found.problems == (f"{tmp_path}/openclsp.toml:2: the text is not UTF-8; the file is not used",)


def test_the_nearest_file_up_to_the_root_counts(tmp_path: Path) -> None:
    project(tmp_path, 'language-version = "CL2.0"')
    near = tmp_path / "near"
    path = kernel(near)
    assert find_project_file(path, str(near)) is None
    far = find_project_file(path, str(tmp_path))
    assert far is not None and far.path == str(tmp_path / "openclsp.toml")
    project(near, 'language-version = "CL3.0"')
    found = find_project_file(path, str(tmp_path))
    assert found is not None and found.options.standard == "CL3.0"


def test_it_beats_compile_flags_and_gives_way_to_the_command_line(tmp_path: Path) -> None:
    path = kernel(tmp_path)
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL1.1\n-DN=1\n-DM=1\n")
    project(tmp_path, 'language-version = "CL2.0"\ndefines = { N = 2, M = false }')
    unit = plan_unit(path).unit_config
    assert unit.dialect_explanation == "OpenCL C 2.0, from openclsp.toml"
    assert unit.configuration.defines == (("N", "2"),)
    assert unit.configuration.undefines == ("M",)
    assert unit.origins.defines == ("in openclsp.toml",)
    line = parse_build_options(["-cl-std=CL3.0", "-DN=3"]).options
    over = plan_unit(path, command_line=line).unit_config
    assert over.configuration.dialect.name == "CL3.0"
    assert over.configuration.defines == (("N", "3"),)


def test_the_device_is_part_of_the_unit(tmp_path: Path) -> None:
    path = kernel(tmp_path)
    before = plan_unit(path).unit_config
    project(tmp_path, '[device]\nversion = "3.0"')
    after = plan_unit(path).unit_config
    assert after.configuration.device.version == 300
    assert before != after


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        ("*.gen.cl", {"a.gen.cl", "sub/b.gen.cl"}),
        ("sub/", {"sub/b.gen.cl", "sub/c.cl", "sub/deep/d.cl"}),
        ("sub/*.cl", {"sub/b.gen.cl", "sub/c.cl"}),
        ("**/deep/**", {"sub/deep/d.cl"}),
        ("/e.cl", {"e.cl"}),
        ("nothing", set()),
    ],
)
def test_files_are_left_out_by_patterns(tmp_path: Path, pattern: str, left_out: set[str]) -> None:
    found = project(tmp_path, f'exclude = ["{pattern}"]')
    names = ("a.gen.cl", "e.cl", "sub/b.gen.cl", "sub/c.cl", "sub/deep/d.cl")
    assert {name for name in names if found.excludes(str(tmp_path / name))} == left_out
    assert not found.excludes(str(tmp_path.parent / "outside.gen.cl"))


def _schemas(of: object) -> Iterator[dict[str, object]]:
    assert isinstance(of, dict)
    yield of
    for below in of.get("properties", {}).values():
        yield from _schemas(below)
    for key in ("items", "additionalProperties"):
        if of.get(key):
            yield from _schemas(of[key])


def test_the_schema_asks_for_nothing_that_the_reader_does_not_check() -> None:
    checked = {"type", "enum", "minimum", "properties", "additionalProperties", "items"}
    spoken = {"$schema", "title", "description"}
    for each in _schemas(json.loads(json.dumps(load_schema()))):
        assert each.keys() <= checked | spoken
        assert "type" in each
        # a table is closed, or says what every key of it is
        assert each["type"] != "object" or "additionalProperties" in each
