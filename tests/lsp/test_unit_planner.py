"""The options of a document, from the client's settings, compile_flags.txt and the command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types
from openclsp.ide.unit_config import unit_config
from openclsp.lsp.session.analysis_session import AnalysisSession
from openclsp.lsp.session.host_scans import HostScans
from openclsp.lsp.session.open_documents import OpenDocuments
from openclsp.lsp.session.settings import Settings
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import (
    UnitPlanner,
    option_messages,
    plan_uncached,
    project_file_problems,
)
from openclsp.project.file_system import LOCAL_FILE_SYSTEM
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.include_loader import IncludeLoader, Refusal
from openclsp.workspace.units import PlannedUnit


def _plan(uri: str, snapshot: Snapshot, language: str = "opencl") -> PlannedUnit:
    return plan_uncached(
        OpenDocuments().open(types.TextDocumentItem(uri, language, 1, "")), snapshot, LOCAL_FILE_SYSTEM
    )


def _settings(folder: Path | None = None, **values: object) -> Snapshot:
    settings = Settings(**values)  # type: ignore[arg-type]
    return Snapshot(folders=() if folder is None else (str(folder),), settings={"": settings})


def test_settings_become_the_configuration(tmp_path: Path) -> None:
    snapshot = _settings(
        tmp_path,
        language_version="CL2.0",
        extensions="-cl_khr_fp64",
        defines=("N=4",),
        include_folders=("inc",),
    )
    configuration = _plan((tmp_path / "k.cl").as_uri(), snapshot).unit_config.configuration
    assert configuration.dialect.name == "CL2.0"
    assert not configuration.dialect.has("cl_khr_fp64")
    assert configuration.defines == (("N", "4"),)
    assert configuration.include_folders == (str(tmp_path / "inc"),)


def test_compile_flags_count_before_the_settings(tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL3.0\n")
    unit = _plan((tmp_path / "k.cl").as_uri(), _settings(tmp_path, language_version="CL1.1")).unit_config
    assert unit.configuration.dialect.name == "CL3.0"
    assert "compile_flags.txt" in unit.dialect_explanation


def test_a_version_chosen_by_command_counts_before_everything(tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL1.1\n")
    snapshot = Snapshot(
        folders=(str(tmp_path),), settings={"": Settings("CL1.2")}, chosen_versions={"": "CL2.0"}
    )
    unit = _plan((tmp_path / "k.cl").as_uri(), snapshot).unit_config
    assert unit.configuration.dialect.name == "CL2.0"
    assert unit.dialect_explanation == "OpenCL C 2.0, chosen by command for this project"


def test_an_untitled_document_has_the_options_of_the_first_folder(tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n-Iinc\n")
    planned = _plan("untitled:Untitled-1", Snapshot(folders=(str(tmp_path),)))
    assert planned.unit_config.root == "untitled:Untitled-1"
    assert planned.unit_config.configuration.dialect.name == "CL2.0"
    assert planned.unit_config.configuration.include_folders == (str(tmp_path / "inc"),)


def test_an_untitled_document_without_any_folder_has_the_defaults() -> None:
    unit = _plan("untitled:Untitled-1", Snapshot()).unit_config
    assert unit.configuration.dialect.name == "CL1.2"
    assert "default" in unit.dialect_explanation


@pytest.mark.parametrize(
    "values, named",
    [
        ({"language_version": "CL2.5"}, "CL2.5"),
        ({"extensions": "+cl_khr_fp46"}, "cl_khr_fp64"),
        ({"defines": ("2N=4",)}, "2N=4"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_complaint(values: dict[str, object], named: str) -> None:
    planned = _plan("untitled:Untitled-1", _settings(None, **values))
    (complaint,) = option_messages(planned)
    assert named in complaint
    assert planned.unit_config.configuration.dialect.name == "CL1.2"


@pytest.mark.parametrize(
    "uri, language, cpp",
    [
        ("file:///k.cl", "opencl", False),
        ("file:///k.cl", "lisp", False),
        ("file:///k.clcpp", "opencl", True),
        ("file:///K.CLC++", "c", True),
        ("untitled:Untitled-1", "clcpp", True),
    ],
)
def test_cpp_for_opencl_is_recognised(uri: str, language: str, cpp: bool) -> None:
    assert _plan(uri, Snapshot(), language).cpp_for_opencl is cpp


def test_openclsp_toml_counts_before_compile_flags_and_gives_way_to_the_command(tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL1.1\n")
    (tmp_path / "openclsp.toml").write_text('language-version = "CL2.0"\n')
    snapshot = Snapshot(folders=(str(tmp_path),), settings={"": Settings("CL1.2")})
    for uri in ((tmp_path / "k.cl").as_uri(), "untitled:Untitled-1"):
        assert _plan(uri, snapshot).unit_config.dialect_explanation == "OpenCL C 2.0, from openclsp.toml"
    chosen = _plan((tmp_path / "k.cl").as_uri(), replace(snapshot, chosen_versions={"": "CL3.0"}))
    assert chosen.unit_config.configuration.dialect.name == "CL3.0"


def test_everything_that_is_wrong_in_openclsp_toml_is_one_complaint(tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text("exclud = []\n[severity]\nrecurson = 'off'\n")
    planned = _plan((tmp_path / "k.cl").as_uri(), Snapshot(folders=(str(tmp_path),)))
    path, complaint = project_file_problems(planned)
    assert path == str(tmp_path / "openclsp.toml")
    assert "'exclude'" in complaint
    assert "'recursion'" in complaint


def test_files_are_left_out_and_a_document_that_is_no_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "openclsp.toml").write_text("exclude = ['*']\n")
    snapshot = Snapshot(folders=(str(tmp_path),))
    assert _plan((tmp_path / "k.cl").as_uri(), snapshot).unit_config.is_excluded
    assert not _plan("untitled:Untitled-1", snapshot).unit_config.is_excluded


def test_headers_are_loaded_again_only_where_they_may_be_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence of the language version in included files is found on disk and in open documents."""
    loads: list[str] = []
    load = IncludeLoader.load

    def noted(loader: IncludeLoader, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        loads.append(name)
        return load(loader, name, angled, includer)

    monkeypatch.setattr(IncludeLoader, "load", noted)
    header, inner = tmp_path / "h.h", tmp_path / "inner.h"
    header.write_text('#include "inner.h"\nint plain;\n')
    inner.write_text("int inner;\n")
    uri = (tmp_path / "k.cl").as_uri()
    text = '#include "h.h"\nkernel void k(void) {\n    int one;\n}\n'
    documents, session = OpenDocuments(), AnalysisSession()
    documents.open(types.TextDocumentItem(uri, "opencl", 1, text))
    disk = 0

    def version() -> str:
        document = documents.get_by_uri(uri)
        assert document is not None
        snapshot = Snapshot(documents=documents.all_by_name(), folders=(str(tmp_path),), disk_revision=disk)
        analysed = session.analyse(document, snapshot, lambda: None)
        assert analysed is not None
        return unit_config(analysed.unit).configuration.dialect.name

    def typed(line: int, new: str) -> None:
        at = types.Position(line, 0)
        change = types.TextDocumentContentChangePartial(types.Range(at, at), new)
        document = documents.get_by_uri(uri)
        assert document is not None
        documents.apply_changes(
            types.VersionedTextDocumentIdentifier(document.version + 1, uri), [change], "utf-16"
        )

    usual = version()
    assert loads
    for new in ("x", "y", "// "):
        loads.clear()
        typed(2, new)
        assert version() == usual
        assert not loads
    inner.write_text("typedef global atomic_int *place;\n")
    disk += 1
    assert version() == "CL2.0" != usual
    documents.open(types.TextDocumentItem(inner.as_uri(), "opencl", 1, "int opened;\n"))
    assert version() == usual
    documents.close(inner.as_uri())
    typed(2, "z")
    assert version() == "CL2.0"
    typed(0, "// ")
    assert version() == usual


def test_a_document_has_another_plan_when_it_is_its_own_root(tmp_path: Path) -> None:
    path = tmp_path / "k.cl"
    document = OpenDocuments().open(types.TextDocumentItem(path.as_uri(), "opencl", 1, ""))
    planner = UnitPlanner(HostScans(), LOCAL_FILE_SYSTEM)
    snapshot = Snapshot(folders=(str(tmp_path),))
    through_itself = planner.plan(document, snapshot, document.document).unit_config
    alone = planner.plan(document, snapshot, None).unit_config
    assert (through_itself.subject, alone.subject) == (document.name, "")


def test_a_closed_document_leaves_nothing_in_the_caches(tmp_path: Path) -> None:
    document = OpenDocuments().open(types.TextDocumentItem((tmp_path / "k.h").as_uri(), "opencl", 1, ""))
    planner = UnitPlanner(HostScans(), LOCAL_FILE_SYSTEM)
    root = Document.of(str(tmp_path / "k.cl"), b"// RUN: clang %s -DN=1\n")
    planner.plan(document, Snapshot(folders=(str(tmp_path),)), root)
    planner.drop_document(document.name)
    assert not planner._plans and not planner._run_lines
