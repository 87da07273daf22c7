"""The ignore comment that a code action inserts silences only its diagnostic and changes no token."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.ignore.ignore_actions import create_ignore_edit
from openclsp.semantics.translation_unit import TranslationUnit

from .units import analyse


def ignored(unit: TranslationUnit, diagnostic: Diagnostic) -> str:
    """The text after the edit."""
    text = unit.document.text
    edit = create_ignore_edit(text, diagnostic)
    assert edit is not None
    return text.replace(edit.location.start, edit.location.end, edit.text.encode()).data.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    local int *b = a;", "    local int *b = a; // openclsp: ignore[pointer-conversion]"),
        ("    local int *b = a;  ", "    local int *b = a;  // openclsp: ignore[pointer-conversion]"),
        (
            "    local int *b = a; // why not",
            "    // openclsp: ignore[pointer-conversion]\n    local int *b = a; // why not",
        ),
        (
            "\tlocal int *b = a; /* why\nnot */",
            "\t// openclsp: ignore[pointer-conversion]\n\tlocal int *b = a; /* why\nnot */",
        ),
        (
            "    local int *b = \\\n a;",
            "    local int *b = \\\n a; // openclsp: ignore[pointer-conversion]",
        ),
        (
            "    local int *b = a; // openclsp: ignore[recursion]",
            "    local int *b = a; // openclsp: ignore[recursion, pointer-conversion]",
        ),
        (
            "// openclsp: ignore[recursion] why\nlocal int *b = a;",
            "// openclsp: ignore[recursion, pointer-conversion] why\nlocal int *b = a;",
        ),
        (
            "/* why\nnot */ local int *b = a;",
            "/* why\nnot */ local int *b = a; // openclsp: ignore[pointer-conversion]",
        ),
    ],
)
def test_where_it_is_written(tmp_path: Path, before: str, after: str) -> None:
    def frame(inside: str) -> str:
        return f"void f(global int *a) {{\n{inside}\n}}\n"

    unit = analyse(tmp_path, frame(before))
    (found,) = (each for each in compute_diagnostics(unit) if each.code == "pointer-conversion")
    text = ignored(unit, found)
    assert text == frame(after)
    assert "pointer-conversion" not in [each.code for each in compute_diagnostics(analyse(tmp_path, text))]


def test_the_line_ends_of_the_document_are_kept(tmp_path: Path) -> None:
    unit = analyse(tmp_path, "void f(global int *a) {\r\n  local int *b = a; // a\r\n}\r\n")
    (found,) = compute_diagnostics(unit)
    assert ignored(unit, found) == (
        "void f(global int *a) {\r\n  // openclsp: ignore[pointer-conversion]\r\n  local int *b = a; // a\r\n}\r\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "void f(global int *a) {\n    local int *b = a;\n    local int *c = a;\n}\n",
        "kernel void f(int **a) {\n  local local int *é = 0; /* ü */ f(f);\n",
        '#include "nowhere.h"\n#define A(x\n#if\nint f(',
        "void f(void) {\n/* the end",
        "#define MAKE(a) \\\n  local int *b = a; // made\n\nvoid f(global int *a) {\n  MAKE(a)\n}\n",
        "#error it's all \\\nwrong\n",
    ],
)
def test_each_diagnostic_can_be_ignored_alone(tmp_path: Path, text: str) -> None:
    unit = analyse(tmp_path, text)
    found = compute_diagnostics(unit)
    assert found
    for diagnostic in found:
        after = compute_diagnostics(analyse(tmp_path, ignored(unit, diagnostic)))
        gone = [each.code for each in found]
        for each in after:
            gone.remove(each.code)
        line = unit.document.text.line_of(diagnostic.location.start)
        there = [
            each
            for each in found
            if each.code == diagnostic.code and unit.document.text.line_of(each.location.start) == line
        ]
        assert gone == [diagnostic.code] * len(there)


def test_what_is_said_of_a_comment_is_not_ignored_by_another(tmp_path: Path) -> None:
    unit = analyse(tmp_path, "int f(void); // openclsp: ignore\n")
    (hint,) = compute_diagnostics(unit)
    assert create_ignore_edit(unit.document.text, hint) is None
