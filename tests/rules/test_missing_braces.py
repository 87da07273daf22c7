"""A missing `}` moves declarations into an inner scope: only the brace is reported, and they stay where they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.source.document import Document

from tests.ide.units import analyse, errors_in

KERNEL = """kernel void k(global int *p, int n) {
    if (n > 3) {
        p[0] = 1;
    }
    for (int i = 0; i < n; i++) {
        p[i] = 2;
    }
    local int t[16];
    constant int two = 2;
    t[0] = p[0];
    p[1] = t[0] * two;
}
"""
MISSING = KERNEL.replace("1;\n    }", "1;")
INNER = KERNEL.replace("p[0] = 1;", "local int s;")
FUNCTION = "void f(int n) {\n    if (n) {\n        n = 1;\n    local int t;\n}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (KERNEL, []),
        (MISSING, [("syntax-error", 1)]),
        (KERNEL.replace("2;\n    }", "2;"), [("syntax-error", 1)]),
        (MISSING + KERNEL.replace("k(", "l("), [("syntax-error", 1)]),
        (MISSING + INNER.replace("k(", "l("), [("syntax-error", 1), ("local-scope", 14)]),
        (INNER, [("local-scope", 3)]),
        (FUNCTION, [("syntax-error", 1), ("local-scope", 4)]),
    ],
)
def test_the_scopes_after_it_are_unknown(tmp_path: Path, text: str, expected: list[tuple[str, int]]) -> None:
    assert errors_in(tmp_path, text) == expected


@pytest.mark.parametrize(
    "after", [KERNEL, INNER, INNER.replace("s;\n    }", "s;"), FUNCTION, MISSING + "}\n"]
)
def test_an_edit_leads_to_the_result_of_a_first_analysis(tmp_path: Path, after: str) -> None:
    unit = analyse(tmp_path, MISSING)
    shown = compute_diagnostics(unit)
    for text in (after, MISSING, after):
        unit.update(Document.of(unit.document.name, text.encode()))
        fresh = analyse(tmp_path, text)
        assert compute_diagnostics(unit) == compute_diagnostics(fresh)
        assert PerItemDiagnostics(unit).depend_on_items_only == PerItemDiagnostics(fresh).depend_on_items_only
    unit.update(Document.of(unit.document.name, MISSING.encode()))
    assert compute_diagnostics(unit) == shown
