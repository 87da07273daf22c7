"""Resolving includes: searched folders and refused files."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.language.dialect import Dialect
from openclsp.project import file_system
from openclsp.project.file_system import DocumentStore
from openclsp.project.project_roots import read_permission_of_unit
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document
from openclsp.workspace.include_loader import (
    HIDDEN_FILE_REFUSAL,
    NOT_FOUND,
    NOT_SOURCE_REFUSAL,
    OUTSIDE_REFUSAL,
    IncludeLoader,
    Refusal,
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """ws/k.cl and ws/sub/a.h in the workspace, inc/a.h and inc/b.h in an include folder, secret.h outside."""
    for path in ("ws/k.cl", "ws/sub/a.h", "ws/ü %41.h", "inc/a.h", "inc/b.h", "quote/q.h", "secret.h"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path)
    return tmp_path


def loader(tree: Path, documents: DocumentStore | None = None) -> IncludeLoader:
    folders = (str(tree / "inc"),)
    quote = (str(tree / "quote"),)
    configuration = BuildConfiguration(Dialect.of("CL1.2"), include_folders=folders, quote_folders=quote)
    permission = read_permission_of_unit(str(tree / "ws" / "k.cl"), [str(tree / "ws")], (*folders, *quote))
    return IncludeLoader(configuration, permission, documents or DocumentStore())


def loaded(tree: Path, name: str, includer: str = "ws/k.cl", angled: bool = False) -> str:
    found = loader(tree).load(name, angled, str(tree / includer))
    assert isinstance(found, Document), found
    return str(Path(found.name).relative_to(tree))


def refused(tree: Path, name: str, includer: str = "ws/k.cl", angled: bool = False) -> Refusal:
    found = loader(tree).load(name, angled, str(tree / includer))
    assert isinstance(found, Refusal), found
    return found


def test_quotes_look_beside_the_includer_first(tree: Path) -> None:
    assert loaded(tree, "a.h", includer="ws/sub/other.h") == "ws/sub/a.h"
    assert loaded(tree, "a.h") == "inc/a.h"
    assert loaded(tree, "sub/a.h") == "ws/sub/a.h"


def test_angles_look_in_the_include_folders_and_beside_the_includer_at_last(tree: Path) -> None:
    assert loaded(tree, "a.h", includer="ws/sub/other.h", angled=True) == "inc/a.h"
    assert loaded(tree, "sub/a.h", angled=True) == "ws/sub/a.h"
    assert refused(tree, "k.h", angled=True) == NOT_FOUND


def test_a_folder_that_is_left_again_must_be_there(tree: Path) -> None:
    assert loaded(tree, "sub/../sub/a.h") == "ws/sub/a.h"
    assert refused(tree, "gone/../sub/a.h") == NOT_FOUND
    assert refused(tree, "sub/a.h/../a.h") == NOT_FOUND


def test_no_answer_tells_whether_a_folder_outside_is_there(tree: Path) -> None:
    (tree / "private").mkdir()
    assert loaded(tree, "../private/../ws/sub/a.h") == "ws/sub/a.h"
    assert loaded(tree, "../nowhere/../ws/sub/a.h") == "ws/sub/a.h"


def test_quote_folders_serve_quotes_only(tree: Path) -> None:
    assert loaded(tree, "q.h") == "quote/q.h"
    assert refused(tree, "q.h", angled=True) == NOT_FOUND


def test_names_with_blanks_percent_signs_and_umlauts(tree: Path) -> None:
    assert loaded(tree, "ü %41.h") == "ws/ü %41.h"


def test_one_file_has_one_name(tree: Path) -> None:
    assert loaded(tree, "sub/../sub/./a.h") == "ws/sub/a.h"
    assert loaded(tree, str(tree / "inc" / "b.h")) == "inc/b.h"


def test_an_include_that_leaves_the_roots_is_refused(tree: Path) -> None:
    for name in ("../secret.h", str(tree / "secret.h"), "/etc/passwd"):
        assert refused(tree, name) == OUTSIDE_REFUSAL


def test_a_file_outside_is_refused_whether_it_exists_or_not(tree: Path) -> None:
    names = ["../secret.h", "../no such file.h", "/etc/passwd", "/etc/no such file", "/no such folder/a.h"]
    (tree / "ws" / "there.h").symlink_to(tree / "secret.h")
    (tree / "ws" / "not there.h").symlink_to(tree / "no such file.h")
    assert {refused(tree, name) for name in (*names, "there.h", "not there.h")} == {OUTSIDE_REFUSAL}


def test_hidden_files_are_refused(tree: Path) -> None:
    (tree / "ws" / ".git").mkdir()
    (tree / "ws" / ".git" / "config.h").write_text("int a;")
    (tree / "ws" / ".env").write_text("int a;")
    (tree / "ws" / "link.h").symlink_to(".env")
    assert {refused(tree, name) for name in (".env", ".git/config.h", "link.h")} == {HIDDEN_FILE_REFUSAL}


def test_a_file_that_is_no_source_is_refused(tree: Path) -> None:
    for name in ("id_rsa", "notes.txt"):
        (tree / "ws" / name).write_text("correct horse battery staple\n")
    (tree / "ws" / "link.h").symlink_to("notes.txt")
    assert {refused(tree, name) for name in ("id_rsa", "notes.txt", "link.h")} == {NOT_SOURCE_REFUSAL}
    (tree / "ws" / "types.txt").write_text("typedef float real;\n")
    assert loaded(tree, "types.txt") == "ws/types.txt"


def test_a_link_out_of_the_roots_is_refused(tree: Path) -> None:
    (tree / "ws" / "link.h").symlink_to(tree / "secret.h")
    (tree / "ws" / "folder").symlink_to(tree)
    assert refused(tree, "link.h") == OUTSIDE_REFUSAL
    assert refused(tree, "folder/secret.h") == OUTSIDE_REFUSAL
    assert loaded(tree, "folder/inc/b.h") == "ws/folder/inc/b.h"


def test_a_name_without_a_file_is_not_found(tree: Path) -> None:
    for name in ("missing.h", "sub", "", "a\0b", "x" * 5000):
        assert refused(tree, name) == NOT_FOUND


def test_an_unreadable_file_is_refused_with_a_reason(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_system, "MAXIMUM_FILE_SIZE", 3)
    assert refused(tree, "a.h").reason == "the file is larger than 0 MB"


def test_a_refused_file_does_not_hide_a_readable_one(tree: Path) -> None:
    (tree / "ws" / "b.h").symlink_to(tree / "secret.h")
    assert loaded(tree, "b.h") == "inc/b.h"


def test_open_documents_are_included_as_the_editor_has_them(tree: Path) -> None:
    header = str(tree / "ws" / "new.h")
    opened = Document.of(header, b"unsaved")
    found = loader(tree, DocumentStore(open_documents={header: opened})).load(
        "new.h", False, str(tree / "ws" / "k.cl")
    )
    assert found is opened


def test_a_document_that_is_no_file_has_nothing_beside_it(tree: Path) -> None:
    found = loader(tree).load("b.h", False, "untitled:Untitled-1")
    assert isinstance(found, Document) and found.name == str(tree / "inc" / "b.h")
    assert isinstance(loader(tree).load("k.cl", False, "untitled:Untitled-1"), Refusal)


def test_has_include(tree: Path) -> None:
    assert loader(tree).exists("b.h", True, str(tree / "ws" / "k.cl"))
    assert not loader(tree).exists("../secret.h", False, str(tree / "ws" / "k.cl"))


def test_clangs_own_headers_are_known_without_them(tree: Path) -> None:
    includer = str(tree / "ws" / "k.cl")
    found = loader(tree).load("opencl-c.h", True, includer)
    assert isinstance(found, Document) and found.text.data == b""
    (tree / "ws" / "opencl-c.h").write_text("of the project")
    found = loader(tree).load("opencl-c.h", False, includer)
    assert isinstance(found, Document) and found.text.data == b"of the project"


def test_names_that_an_include_may_have(tree: Path) -> None:
    for path in ("ws/.hidden.h", "ws/data.bin", "ws/sub/inner/deep.h"):
        (tree / path).parent.mkdir(exist_ok=True)
        (tree / path).write_text("")
    (tree / "ws" / "link").symlink_to(tree)
    found = loader(tree)
    includer = str(tree / "ws" / "k.cl")
    assert found.list_names("", False, includer) == (
        ("k.cl", False),
        ("ü %41.h", False),
        ("q.h", False),
        ("a.h", False),
        ("b.h", False),
        ("sub", True),
    )
    assert found.list_names("", True, includer) == (("a.h", False), ("b.h", False))
    assert found.list_names("sub", False, includer) == (("a.h", False), ("inner", True))
    assert found.list_names("sub/..", False, includer)[0] == ("k.cl", False)
    for outside in ("..", "link", str(tree), "../ws/../..", "gone", "x" * 100_000):
        assert found.list_names(outside, True, includer) == ()
