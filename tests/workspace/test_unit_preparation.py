"""Units: a root document with a configuration and its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.project.file_system import DocumentStore
from openclsp.project.option_confinement import LEADS_OUT_OF_PROJECT
from openclsp.project.option_parser import BuildOptions, parse_build_options
from openclsp.source.document import Document
from openclsp.workspace.include_loader import HIDDEN_FILE_REFUSAL, NOT_FOUND, NOT_SOURCE_REFUSAL
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.user_configuration import UserConfiguration


def options(*arguments: str) -> BuildOptions:
    return parse_build_options(arguments).options


def kernel(folder: Path, flags: str | None = None) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k.cl").touch()
    if flags is not None:
        (folder / "compile_flags.txt").write_text(flags)
    return str(folder / "k.cl")


def test_the_default_with_its_reason(tmp_path: Path) -> None:
    plan = plan_unit(kernel(tmp_path))
    assert plan.unit_config.dialect_explanation == "OpenCL C 1.2, the default of OpenCL compilers"
    assert (plan.compile_flags, plan.problems, plan.notes) == (None, (), ())


def test_the_version_from_compile_flags(tmp_path: Path) -> None:
    plan = plan_unit(kernel(tmp_path, "-cl-std=CL2.0\n-DN=3\n"))
    assert plan.unit_config.dialect_explanation == "OpenCL C 2.0, from -cl-std=CL2.0 in compile_flags.txt"
    assert plan.unit_config.configuration.defines == (("N", "3"),)
    assert plan.unit_config.origins.defines == ("in compile_flags.txt",)
    assert plan.compile_flags == str(tmp_path / "compile_flags.txt")


def test_the_command_line_beats_the_file_and_the_file_the_client(tmp_path: Path) -> None:
    path = kernel(tmp_path, "-cl-std=CL2.0")
    client, line = options("-cl-std=CL1.1", "-DC"), options("--std=CL3.0")
    assert plan_unit(path, client=client).unit_config.configuration.dialect.name == "CL2.0"
    plan = plan_unit(path, client=client, command_line=line)
    assert plan.unit_config.dialect_explanation == "OpenCL C 3.0, from --std=CL3.0 on the command line"
    assert plan.unit_config.configuration.defines == (("C", "1"),)


def test_compile_flags_above_the_workspace_are_not_read(tmp_path: Path) -> None:
    kernel(tmp_path, "-cl-std=CL2.0")
    path = kernel(tmp_path / "ws")
    assert plan_unit(path, workspace_folders=[str(tmp_path / "ws")]).compile_flags is None
    assert plan_unit(path).compile_flags is not None


def test_the_same_configuration_makes_the_same_unit_whatever_said_it(tmp_path: Path) -> None:
    path = kernel(tmp_path)
    by_client = plan_unit(path, client=options("-cl-std=CL2.0")).unit_config
    by_line = plan_unit(path, command_line=options("-cl-std=CL2.0")).unit_config
    assert by_client == by_line and hash(by_client) == hash(by_line)
    assert by_client.dialect_explanation != by_line.dialect_explanation


def test_problems_in_compile_flags_are_handed_on(tmp_path: Path) -> None:
    plan = plan_unit(kernel(tmp_path, "-cl-std=CL9.9\n"))
    assert [problem.option for problem in plan.problems] == ["-cl-std=CL9.9"]
    assert plan.unit_config.configuration.dialect.name == "CL1.2"


def test_cpp_for_opencl_by_name_and_by_option(tmp_path: Path) -> None:
    assert plan_unit(str(tmp_path / "k.clcpp")).cpp_for_opencl
    assert plan_unit(kernel(tmp_path, "-cl-std=clc++")).cpp_for_opencl
    assert not plan_unit(kernel(tmp_path, "-cl-std=CL2.0")).cpp_for_opencl


def test_includes_of_a_unit(tmp_path: Path) -> None:
    path = kernel(tmp_path / "project", "-I../common\n-include\nforced.h\n")
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "c.h").write_text("int c;")
    (tmp_path / "project" / "forced.h").write_text("int f;")
    person = BuildOptions(readable_folders=(str(tmp_path / "common"),))
    planned = plan_unit(path, client=person)
    assert planned.refused == ()
    loader = planned.make_include_loader(DocumentStore())
    found = loader.load("c.h", True, path)
    assert isinstance(found, Document) and found.text.data == b"int c;"
    assert [type(each) for each in loader.forced_includes()] == [Document]
    assert not loader.exists("../common/../secret.h", False, path)


@pytest.mark.parametrize(
    "option",
    ["-I../common", "-isystem ../common", "-iquote ../common", "-include ../common/c.h", "-I/", "-Ilink"],
)
@pytest.mark.parametrize("there", [False, True])
def test_options_of_the_project_do_not_lead_out_of_it(tmp_path: Path, option: str, there: bool) -> None:
    """The message does not reveal whether the folder exists either."""
    path = kernel(tmp_path / "project", option.replace(" ", "\n"))
    (tmp_path / "project" / "link").symlink_to("../common")
    if there:
        (tmp_path / "common").mkdir()
        (tmp_path / "common" / "c.h").write_text("int c;")
    planned = plan_unit(path)
    (told,) = planned.refused
    assert told.startswith(("compile_flags.txt: -i", "compile_flags.txt: -I"))
    assert told.endswith(LEADS_OUT_OF_PROJECT)
    loader = planned.make_include_loader(DocumentStore())
    assert loader.load("c.h", True, path) == NOT_FOUND
    assert list(loader.forced_includes()) == []


def test_an_unread_forced_include_is_reported(tmp_path: Path) -> None:
    path = kernel(tmp_path, "-include\n.env\n-include\nmissing.h\n-include\nwords.txt\n")
    for name in (".env", "words.txt"):
        (tmp_path / name).write_text("correct horse battery staple\n")
    planned = plan_unit(path)
    assert planned.refused == (
        f"-include {tmp_path}/.env: {HIDDEN_FILE_REFUSAL.reason}",
        f"-include {tmp_path}/missing.h: {NOT_FOUND.reason}",
        f"-include {tmp_path}/words.txt: {NOT_SOURCE_REFUSAL.reason}",
    )


def test_what_a_person_names_may_be_read(tmp_path: Path) -> None:
    path = kernel(tmp_path / "project", "")
    sdk = tmp_path / "sdk"
    sdk.mkdir()
    (sdk / "c.h").write_text("int c;")
    folders = BuildOptions(include_folders=(str(sdk),))
    forced = BuildOptions(forced_includes=(str(sdk / "c.h"),))
    user = UserConfiguration(options=folders)
    for plan in (
        plan_unit(path, client=folders),
        plan_unit(path, command_line=folders),
        plan_unit(path, user=user),
    ):
        assert isinstance(plan.make_include_loader(DocumentStore()).load("c.h", True, path), Document)
    (document,) = plan_unit(path, command_line=forced).make_include_loader(DocumentStore()).forced_includes()
    assert isinstance(document, Document)


def test_an_untitled_document_reads_the_workspace(tmp_path: Path) -> None:
    kernel(tmp_path, "-cl-std=CL2.0")
    plan = plan_unit("untitled:Untitled-1", workspace_folders=[str(tmp_path)])
    assert plan.unit_config.configuration.dialect.name == "CL1.2"
    assert plan.permission.allows(str(tmp_path / "k.cl"))
