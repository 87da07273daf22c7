"""The rule `missing-barrier` while its kernel is edited, and when it is off."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.rules.book.missing_barrier import CODE
from openclsp.semantics.memory import missing_barriers
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document

from ..interpreted import interpreted
from .analysis import NAME, analyse

KERNEL = """\
#define OFFSET 0
#define FENCE CLK_LOCAL_MEM_FENCE
int element(local int *row, int i) { return row[i + OFFSET]; }
void store(local int *row, int i, int value) { row[i] = value; }
kernel void k(global int *out, local int *row, int n) {
    int i = get_local_id(0);
    for (int t = 0; t < n; ++t) {
        store(row, i, out[t]);
        barrier(FENCE);
        out[t] = element(row, i);
    }
}
"""
EDITS = (
    ("#define OFFSET 0", "#define OFFSET 1"),
    ("int i = get_local_id(0)", "int i = get_local_id(0) / 2"),
    ("int i = get_local_id(0) / 2", "int i = get_local_id(0)"),
    ("#define OFFSET 1", "#define OFFSET 0"),
    ("#define FENCE CLK_LOCAL_MEM_FENCE", "#define FENCE CLK_GLOBAL_MEM_FENCE"),
    ("element(row, i)", "element(row, i + 1)"),
    ("#define FENCE CLK_GLOBAL_MEM_FENCE", "#define FENCE CLK_LOCAL_MEM_FENCE"),
    ("return row[i + OFFSET];", "barrier(FENCE); return row[i + OFFSET];"),
    ("row[i] = value;", "barrier(FENCE); row[i] = value;"),
    ("int i = get_local_id(0)", "int i = 0"),
)


def found(unit: TranslationUnit) -> list[tuple[str, int]]:
    return [(each.message, each.location.start) for each in compute_diagnostics(unit) if each.code == CODE]


def test_findings_after_edits_are_those_of_a_fresh_analysis() -> None:
    text = KERNEL
    unit = analyse(text, "CL1.2", ((CODE, "information"),))
    counts = [len(found(unit))]
    for before, after in EDITS:
        assert before in text
        text = text.replace(before, after)
        unit.update(Document.of(NAME, text.encode()))
        fresh = found(analyse(text, "CL1.2", ((CODE, "information"),)))
        assert found(unit) == fresh
        counts.append(len(fresh))
    assert counts == [0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0]


@interpreted(missing_barriers)
def test_nothing_is_run_unless_the_project_enables_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[object] = []
    text = KERNEL.replace("OFFSET 0", "OFFSET 1")
    original = missing_barriers.WorkItemRun
    monkeypatch.setattr(
        missing_barriers, "WorkItemRun", lambda *given: runs.append(given) or original(*given)
    )
    compute_diagnostics(analyse(text, "CL1.2"))
    assert not runs
    compute_diagnostics(analyse(text, "CL1.2", ((CODE, "information"),)))
    assert runs
