"""Applying all preferred fixes of a file removes their errors and adds none, however the fixes interact."""

from __future__ import annotations

from pathlib import Path

from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import TextEdit
from openclsp.ide.fixes.fix_all import FixAllResult, fix_all
from openclsp.rules.finding import Severity

from .units import analyse


def fixed(folder: Path, text: str, code: str = "", **others: str) -> tuple[FixAllResult, str, list[str]]:
    """Fixes `k.cl`; returns the result, the new text, and the codes of the remaining errors."""
    unit = analyse(folder, text, others)
    name = unit.document.name
    result = fix_all(unit, document=name, codes=(code,) if code else ())
    after = edited(text, name, result.edits)
    left = [
        each.code for each in compute_diagnostics(analyse(folder, after)) if each.severity is Severity.ERROR
    ]
    return result, after, left


def edited(text: str, name: str, edits: tuple[TextEdit, ...]) -> str:
    data = text.encode()
    for edit in reversed([edit for edit in edits if edit.location.document == name]):
        data = data[: edit.location.start] + edit.text.encode() + data[edit.location.end :]
    return data.decode()


def test_fixes_that_hold_together_are_made_in_one_batch(tmp_path: Path) -> None:
    result, after, left = fixed(
        tmp_path,
        """kernel void k(global int *g, constant float *c) {
    local int *l = g;
    global float *f = c;
    char *s = "text";
}
""",
    )
    assert len(result.applied) == 3
    assert not left
    assert "global int *l = g;" in after
    assert "constant float *f = c;" in after


def test_qualifiers_are_spelled_as_in_the_code_and_not_in_its_comments(tmp_path: Path) -> None:
    result, after, left = fixed(
        tmp_path,
        """// a kernel that reads global memory and no local memory
__kernel void k(__global float *a, float *b) {
    a[0] = b[0];
}
""",
    )
    assert len(result.applied) == 1
    assert not left
    assert "__global float *b" in after


def test_callers_that_differ_get_copies_of_their_own(tmp_path: Path) -> None:
    _, after, left = fixed(
        tmp_path,
        """void clear(int *a) { *a = 0; }

kernel void k(global int *g, local int *l) {
    int x;
    clear(&x);
    clear(g);
    clear(l);
    clear(g + 1);
}
""",
    )
    assert not left
    assert after.count("void clear_global(global int *a) { *a = 0; }") == 1
    assert after.count("void clear_local(local int *a) { *a = 0; }") == 1
    assert "clear_global(g + 1);" in after


def test_one_code_leaves_the_others_alone(tmp_path: Path) -> None:
    result, _, left = fixed(
        tmp_path,
        """kernel void k(global int *g, global int *h) {
    local int *l = g;
    global int *c = (local int *)h;
}
""",
        code="pointer-cast",
    )
    assert {each.diagnostic.code for each in result.applied} == {"pointer-cast"}
    assert left == ["pointer-conversion"]


def test_a_prototype_in_a_header_is_changed_along(tmp_path: Path) -> None:
    unit = analyse(
        tmp_path,
        """#include "clear.h"

kernel void k(global int *g) {
    clear(g);
}

void clear(int *a) { *a = 0; }
""",
        {"clear.h": "void clear(int *a);\n"},
    )
    result = fix_all(unit, document=unit.document.name)
    assert {Path(edit.location.document).name for edit in result.edits} == {"clear.h", "k.cl"}
    assert {edit.text for edit in result.edits} == {"global "}


def test_nothing_to_fix_is_no_edit(tmp_path: Path) -> None:
    result, _, _ = fixed(tmp_path, "kernel void k(global int *g) { *g = 1; }\n")
    assert result == FixAllResult((), ())
