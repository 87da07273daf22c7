"""The first analysis of a unit postpones some rules; its final diagnostics are the same."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics, unlimited_diagnostics
from openclsp.rules.runner.rule_registry import rules_for_fact
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.semantics.database import typed_body
from openclsp.semantics.database.unit_inputs import TRACK_NAME_SPACES
from openclsp.source.document import Document

from .analysis import NAME, analyse
from .marked_page import marked_rules, strip_marks

KERNEL = """\
float load(float *p, int i) { return p[i]; }
float *later(float *p) { return p + 1; }
kernel void k(global float *out, local float *tile) {
    tile[0] = load(out, 0);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[0] = load(later(tile), 1);
    out[1] = *to_local(out);
}
"""

TEXTS = [KERNEL, *(strip_marks(block.text) for page in marked_rules() for block in page.blocks)]


def test_what_flows_is_not_read_at_the_first_look_where_it_may_wait() -> None:
    unit = analyse(KERNEL, "CL2.0")
    unit.database.set(TRACK_NAME_SPACES, "", True)
    first = dict(update_unit_findings(unit, allow_stale_flow=True))
    counts = unit.database.computed
    assert [counts[name] for name in ("flow", "program", "token meanings", "direct accesses")] == [0, 0, 0, 0]
    assert dict(update_unit_findings(unit)) != first
    assert [counts[name] for name in ("flow", "token meanings", "pass")] == [3, 3, 3]
    assert compute_diagnostics(unit) == compute_diagnostics(analyse(KERNEL, "CL2.0"))


def test_an_edited_function_alone_is_read_anew_and_no_other() -> None:
    unit = analyse(KERNEL, "CL2.0")
    update_unit_findings(unit)
    unit.database.computed.clear()
    unit.update(Document.of(NAME, KERNEL.replace("p[i]", "p[i + 1]").encode()))
    update_unit_findings(unit, allow_stale_flow=True)
    counts = unit.database.computed
    assert [counts[name] for name in ("pass", "body findings", "flow")] == [1, 1, 1]


@pytest.mark.parametrize("nodes", [0, 100])
@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0"])
def test_what_is_no_longer_at_hand_is_typed_again(
    monkeypatch: pytest.MonkeyPatch, nodes: int, dialect: str
) -> None:
    wanted = [compute_diagnostics(analyse(text, dialect)) for text in TEXTS[::4]]
    monkeypatch.setattr(typed_body, "_MAXIMUM_NODES", nodes)
    for text, expected in zip(TEXTS[::4], wanted, strict=True):
        unit = analyse(text, dialect)
        unlimited_diagnostics(unit, allow_stale_flow=True)
        assert compute_diagnostics(unit) == expected, text


def test_a_rule_speaks_under_its_own_code() -> None:
    for text in TEXTS:
        unit = analyse(text, "CL2.0")
        for item in unit.items:
            for fact in unit.typed(item.key, bodies=True).facts:
                for rule in rules_for_fact(type(fact)):
                    assert {each.code for each in rule.check(fact, unit.dialect)} <= {rule.code}, text
