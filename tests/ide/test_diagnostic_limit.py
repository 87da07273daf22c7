"""A file with thousands of faults: a bounded number of diagnostics is reported, the worst first, and the rest is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from openclsp.ide.diagnostics import diagnostic_limit
from openclsp.ide.diagnostics.diagnostic_limit import CODE, MAXIMUM_DIAGNOSTICS
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.rules.runner.rule_registry import CODES

from .units import analyse

HEAD = "kernel void k(global int *g, local int *l, constant int *c) {\n"
ERROR = "l = g;\n"


def kernel(*lines: str) -> str:
    return HEAD + "".join(lines) + "}\n"


def codes(found: tuple[Diagnostic, ...]) -> set[str]:
    return {each.code for each in found}


def test_the_limit_has_a_page() -> None:
    assert CODE in CODES


def test_as_many_as_the_limit_are_all_reported(tmp_path: Path) -> None:
    found = compute_diagnostics(analyse(tmp_path, kernel(ERROR * MAXIMUM_DIAGNOSTICS)))
    assert len(found) == MAXIMUM_DIAGNOSTICS
    assert codes(found) == {"pointer-conversion"}


def test_what_is_beyond_the_limit_is_counted_at_the_first_of_it(tmp_path: Path) -> None:
    text = kernel(ERROR * (MAXIMUM_DIAGNOSTICS + 3_000))
    found = compute_diagnostics(analyse(tmp_path, text))
    assert len(found) == MAXIMUM_DIAGNOSTICS + 1
    notice = found[-1]
    assert notice.code == CODE
    assert notice.location.start == len(HEAD) + len(ERROR) * MAXIMUM_DIAGNOSTICS + ERROR.index("g")
    assert (
        notice.message == "not shown: 3,000 more errors in this file, beyond the limit of 1,000 diagnostics"
    )


def test_errors_come_before_warnings_wherever_they_are(tmp_path: Path) -> None:
    text = "#warning word\n" + kernel(ERROR * MAXIMUM_DIAGNOSTICS)
    found = compute_diagnostics(analyse(tmp_path, text))
    assert [each.code for each in found] == [CODE] + ["pointer-conversion"] * MAXIMUM_DIAGNOSTICS
    assert found[0].location.start == 0
    assert found[0].message.startswith("not shown: 1 more warning in this file")


def test_each_document_has_its_own_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnostic_limit, "MAXIMUM_DIAGNOSTICS", 5)
    header = "void h(global int *g) { local int *l;\n" + ERROR * 8 + "}\n"
    unit = analyse(tmp_path, f'#include "h.h"\n{kernel(ERROR * 6)}', {"h.h": header})
    found = compute_diagnostics(unit, header_bodies=True)
    messages = [(Path(each.location.document).name, each.message[:22]) for each in found if each.code == CODE]
    assert messages == [("k.cl", "not shown: 1 more erro"), ("h.h", "not shown: 3 more erro")]
    assert len(found) == 12


def test_the_project_may_turn_the_notice_off(tmp_path: Path) -> None:
    settings = f'[severity]\n{CODE} = "off"\n'
    unit = analyse(tmp_path, kernel(ERROR * 1_005), {"openclsp.toml": settings})
    assert codes(compute_diagnostics(unit)) == {"pointer-conversion"}


def test_the_notice_has_no_fix(tmp_path: Path) -> None:
    unit = analyse(tmp_path, kernel(ERROR * 1_005))
    assert compute_fixes(unit, compute_diagnostics(unit)[-1]) == ()
