"""A surplus `}` ends a function early: only the brace is reported, not the rest of the body."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.per_item_diagnostics import PerItemDiagnostics
from openclsp.source.document import Document

from tests.ide.units import analyse, errors_in

KERNEL = "kernel void k(global int *p) {\n    if (p[0]) { p[0] = 1; }\n    int n = p[0];\n    float limit = 4;\n    n += 1;\n}\n"
SURPLUS = KERNEL.replace("1; }", "1; }\n    }")
PART = "    x = y;\n    int n = x;\n  }\n  l->x = x;\n}\n"
GLOBAL = "int n;\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SURPLUS, [("syntax-error", 7)]),
        (SURPLUS + KERNEL.replace("k(", "l("), [("syntax-error", 7)]),
        (SURPLUS + GLOBAL + KERNEL.replace("k(", "l("), [("syntax-error", 7), ("program-scope-space", 8)]),
        (GLOBAL + SURPLUS, [("program-scope-space", 1), ("syntax-error", 8)]),
        (SURPLUS.replace("n += 1", "n += ") + SURPLUS.replace("k(", "l("), [("syntax-error", 6), ("syntax-error", 7), ("syntax-error", 14)]),
        (GLOBAL + "}\n", [("syntax-error", 2)]),
        (GLOBAL, [("program-scope-space", 1)]),
    ],
)  # fmt: skip
def test_the_rest_of_the_body_is_not_reported(
    tmp_path: Path, text: str, expected: list[tuple[str, int]]
) -> None:
    assert errors_in(tmp_path, text) == expected


def test_the_variables_after_it_get_no_address_space(tmp_path: Path) -> None:
    assert all("constant" not in each.message for each in compute_diagnostics(analyse(tmp_path, SURPLUS)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PART, []),
        (PART.replace("x = y", "q[i].x *= y"), []),
        (PART.replace("  }\n", "", 1), [("syntax-error", 4)]),
        (PART.replace("x = y", "int x = y", 1), [("syntax-error", 3), ("syntax-error", 5)]),
        (PART + KERNEL, [("syntax-error", 3), ("syntax-error", 5)]),
    ],
)
def test_the_end_of_a_function_of_another_file_may_have_surplus_braces(
    tmp_path: Path, text: str, expected: list[tuple[str, int]]
) -> None:
    assert errors_in(tmp_path, text) == expected


@pytest.mark.parametrize("after", [KERNEL, GLOBAL + SURPLUS, SURPLUS + GLOBAL, KERNEL + "}\n", PART, GLOBAL])
def test_an_edit_leads_to_the_result_of_a_first_analysis(tmp_path: Path, after: str) -> None:
    unit = analyse(tmp_path, SURPLUS)
    shown = compute_diagnostics(unit)
    for text in (after, SURPLUS, after):
        unit.update(Document.of(unit.document.name, text.encode()))
        fresh = analyse(tmp_path, text)
        assert compute_diagnostics(unit) == compute_diagnostics(fresh)
        assert PerItemDiagnostics(unit).depend_on_items_only == PerItemDiagnostics(fresh).depend_on_items_only
    unit.update(Document.of(unit.document.name, SURPLUS.encode()))
    assert compute_diagnostics(unit) == shown
