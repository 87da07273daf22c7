"""compile_flags.txt: found in parent folders, and read as clangd reads it."""

from __future__ import annotations

from pathlib import Path

from openclsp.project.option_parser import MacroOption
from openclsp.workspace.compile_flags import find_compile_flags


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_one_option_a_line_and_folders_from_its_own_place(tmp_path: Path) -> None:
    root = tmp_path / "mit leer%20zeichen"
    flags = write(root / "compile_flags.txt", "-cl-std=CL2.0\r\n\n  -Iinc lude  \n-D\nN=2\n-DS=a b\n")
    found = find_compile_flags(str(root / "src" / "k.cl"), str(root))
    assert found is not None and found.problems == ()
    assert found.path == str(flags)
    assert found.options.standard == "CL2.0"
    assert found.options.include_folders == (str(root / "inc lude"),)
    assert found.options.macros == (MacroOption("N", "2"), MacroOption("S", "a b"))


def test_the_nearest_counts(tmp_path: Path) -> None:
    write(tmp_path / "compile_flags.txt", "-DOUTER")
    write(tmp_path / "a" / "compile_flags.txt", "-DINNER")
    found = find_compile_flags(str(tmp_path / "a" / "b" / "k.cl"), str(tmp_path))
    assert found is not None and found.options.macros == (MacroOption("INNER", "1"),)


def test_none_is_looked_for_above_the_root(tmp_path: Path) -> None:
    write(tmp_path / "compile_flags.txt", "-DOUTER")
    (tmp_path / "a").mkdir()
    assert find_compile_flags(str(tmp_path / "a" / "k.cl"), str(tmp_path / "a")) is None


def test_one_that_leads_out_of_the_root_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "secret.txt", "-DSECRET")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "compile_flags.txt").symlink_to(tmp_path / "secret.txt")
    assert find_compile_flags(str(tmp_path / "a" / "k.cl"), str(tmp_path / "a")) is None


def test_an_invalid_flag_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "compile_flags.txt", b"-cl-std=CL7\n-D\xff\xfe=1\n-DOK\n")
    found = find_compile_flags(str(tmp_path / "k.cl"), str(tmp_path))
    assert found is not None
    assert "-cl-std=CL7" in [problem.option for problem in found.problems]
    assert MacroOption("OK", "1") in found.options.macros
