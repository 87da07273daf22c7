"""The cost of a file's fixes is bounded by the cost of its analysis, and deterministic."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.fixes import fix_budget
from openclsp.ide.fixes.fix_all import fix_all
from openclsp.ide.fixes.fix_budget import ANALYSIS_MULTIPLE, FixBudget
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.semantics.translation_unit import TranslationUnit

from ..rules import analysis


def analyse(text: str) -> TranslationUnit:
    return analysis.analyse(text, "CL1.2")


def kernel(*lines: str) -> str:
    return (
        "kernel void k(global int *g, local int *l) {\n" + "".join(f"    {line}\n" for line in lines) + "}\n"
    )


def many(count: int) -> str:
    """Returns a function with this number of faults, each with a fix of its own."""
    return kernel(*(f"local int *p{number} = g;" for number in range(count)))


def nested(depth: int) -> str:
    return kernel(f"local int *p = {'(local int *)(global int *)' * depth}g;")


def repeated(count: int) -> str:
    return f"kernel void k({'global ' * count}int *g) {{\n}}\n"


def all_fixes(unit: TranslationUnit) -> tuple[list[list[str]], int, int]:
    """Returns the titles of the fixes of each diagnostic, the number of typed tokens, and the number of skipped diagnostics."""
    found = compute_diagnostics(unit)
    tokens_before, work = unit.typed_tokens, FixBudget.for_unit(unit)
    titles = [[fix.title for fix in compute_fixes(unit, each, work=work)] for each in found]
    return titles, unit.typed_tokens - tokens_before, work.skipped_diagnostics


FULL = {"faults": many(200), "nested casts": nested(60), "a word": repeated(500)}


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> int:
    """Reduces the budget of a file so that small texts exhaust it."""
    monkeypatch.setattr(fix_budget, "BASE_TOKENS", 5_000)
    return 5_000


@pytest.mark.parametrize("text", FULL.values(), ids=FULL.keys())
def test_the_search_costs_no_more_than_it_may(text: str, little: int) -> None:
    unit = analyse(text)
    compute_diagnostics(unit)
    own = unit.typed_tokens
    token_count = sum(len(unit.table(item.key).tokens) for item in unit.items)
    titles, cost, left_out = all_fixes(unit)
    assert 0 < left_out < len(titles)
    # the last attempt may go over: it types the function at most twice
    assert cost <= little + ANALYSIS_MULTIPLE * own + 2 * token_count
    assert own <= 4 * token_count


@pytest.mark.usefixtures("little")
def test_the_same_file_has_the_same_fixes() -> None:
    first, second = (all_fixes(analyse(many(100))) for _ in range(2))
    assert first[2] > 0
    assert first == second


@pytest.mark.parametrize("count", [1, 60])
def test_a_small_file_keeps_all_its_fixes(count: int) -> None:
    titles, _, left_out = all_fixes(analyse(many(count)))
    assert left_out == 0
    assert all(titles)


def test_edits_that_many_diagnostics_propose_are_analysed_once() -> None:
    uses = kernel("int *p;", *(f"l = g + {number};" for number in range(200)))
    titles, cost, left_out = all_fixes(analyse(uses))
    assert left_out == 0
    assert len(titles) == 200
    assert all(titles)
    single = all_fixes(analyse(kernel("int *p;", *("l = g + 1;" if n < 1 else ";" for n in range(200)))))[1]
    assert cost < 3 * single + 20_000


def test_what_was_left_out_is_found_where_somebody_asks_for_it() -> None:
    unit = analyse(many(100))
    found = compute_diagnostics(unit)
    work = FixBudget.for_unit(unit)
    work.spend(work.remaining)
    assert compute_fixes(unit, found[-1], work=work) == ()
    assert work.skipped_diagnostics == 1
    assert compute_fixes(unit, found[-1])


def test_fixing_all_stops_where_the_work_is_used_up(little: int) -> None:
    unit = analyse(many(100))
    compute_diagnostics(unit)
    own = unit.typed_tokens
    found = fix_all(unit, document=unit.document.name)
    assert found.applied
    assert found.skipped_diagnostics > 0
    assert len(found.applied) + found.skipped_diagnostics == 100
    assert unit.typed_tokens - own <= little + (ANALYSIS_MULTIPLE + 4) * own


def test_analysis_and_fixes_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = analyse(many(100))
    compute_diagnostics(unit)
    analysed = fix_budget.creation_work(unit) + unit.typed_tokens
    monkeypatch.setattr(fix_budget, "MOST", analysed + 7_000)
    monkeypatch.setattr(fix_budget, "LEAST", 5_000)
    assert FixBudget.for_unit(unit).remaining == 7_000
    assert FixBudget.for_unit(unit).other_programs.remaining == 3_500
    monkeypatch.setattr(fix_budget, "MOST", analysed)
    titles, cost, left_out = all_fixes(unit)
    assert 0 < left_out < len(titles)
    assert cost <= 5_000 + 2 * sum(len(unit.table(item.key).tokens) for item in unit.items)


def test_another_version_is_not_tried_where_its_unit_costs_too_much() -> None:
    unit = analyse("kernel void k(global int *g) { generic int *p = g; }\n")
    found = compute_diagnostics(unit)
    titles = {fix.title for each in found for fix in compute_fixes(unit, each, work=FixBudget.for_unit(unit))}
    assert any("2.0" in title for title in titles)
    unit = analyse("kernel void k(global int *g) { generic int *p = g; }\n")
    found = compute_diagnostics(unit)
    work = FixBudget(fix_budget.creation_work(unit) - 1)
    titles = {fix.title for each in found for fix in compute_fixes(unit, each, work=work)}
    assert not any("2.0" in title for title in titles)
    assert work.skipped_diagnostics
