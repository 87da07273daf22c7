"""Severities set by the project, and headers that it excludes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from openclsp.ide.diagnostics.diagnostics import (
    compute_all_diagnostics,
    compute_diagnostics,
    unlimited_diagnostics,
)
from openclsp.ide.diagnostics.severity_settings import list_project_problems
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.ide.unit_config import unit_config

from .units import analyse

FAULTS = "void f(global global int *a) {\n    local int *b = a;\n}\n"


@pytest.mark.parametrize("severity", ["off", "hint", "information", "warning", "error"])
def test_a_rule_is_as_severe_as_asked(tmp_path: Path, severity: str) -> None:
    settings = f'[severity]\npointer-conversion = "{severity}"\n'
    unit = analyse(tmp_path, FAULTS, {"openclsp.toml": settings})
    severities = {each.code: each.severity.value for each in compute_diagnostics(unit)}
    expected = {"duplicate-space": "warning", "pointer-conversion": severity}
    assert severities == {code: each for code, each in expected.items() if each != "off"}
    # the rules themselves found what they always find
    assert {each.code: each.severity.value for each in compute_all_diagnostics(unit)}[
        "pointer-conversion"
    ] == "error"


def test_what_is_off_by_default_is_switched_on_by_a_severity(tmp_path: Path) -> None:
    text = "void f(private int x, global int y) { }\n"
    assert [each.severity.value for each in compute_diagnostics(analyse(tmp_path, text))] == ["error"]
    for severity in ("hint", "information", "warning"):
        settings = f'[severity]\nparameter-space = "{severity}"\n'
        unit = analyse(tmp_path, text, {"openclsp.toml": settings})
        assert [each.severity.value for each in compute_diagnostics(unit)] == [severity, severity]
    off = analyse(tmp_path, text, {"openclsp.toml": '[severity]\nparameter-space = "off"\n'})
    assert compute_diagnostics(off) == ()
    commented = text.replace(")", ") /* openclsp: ignore[parameter-space] */", 1).replace("global ", "")
    assert compute_diagnostics(analyse(tmp_path, commented)) == ()


def test_fixes_are_offered_whatever_the_severity(tmp_path: Path) -> None:
    unit = analyse(tmp_path, FAULTS)
    usual = [fix.title for each in compute_diagnostics(unit) for fix in compute_fixes(unit, each)]
    settings = '[severity]\npointer-conversion = "hint"\nduplicate-space = "error"\n'
    unit = analyse(tmp_path, FAULTS, {"openclsp.toml": settings})
    assert [fix.title for each in compute_diagnostics(unit) for fix in compute_fixes(unit, each)] == usual


def test_a_comment_for_a_rule_that_is_off_is_of_use(tmp_path: Path) -> None:
    text = FAULTS.replace("b = a;", "b = a; // openclsp: ignore[pointer-conversion]")
    settings = '[severity]\npointer-conversion = "off"\nduplicate-space = "off"\n'
    assert compute_diagnostics(analyse(tmp_path, text, {"openclsp.toml": settings})) == ()


def test_a_code_that_no_rule_has_is_named(tmp_path: Path) -> None:
    settings = 'exclud = []\n[severity]\nrecursion = "off"\npointer-conversoin = "off"\n'
    unit = analyse(tmp_path, FAULTS, {"openclsp.toml": settings}).target
    path = tmp_path / "openclsp.toml"
    assert list_project_problems(unit.project) == (
        f"{path}:1: unknown key 'exclud'; did you mean 'exclude'?",
        f"{path}:4: there is no rule 'pointer-conversoin'; did you mean 'pointer-conversion'?",
    )


def test_a_header_that_is_left_out_says_nothing(tmp_path: Path) -> None:
    others = {"vendor/h.h": "local int *l = 3.0f;\nglobal global int *g;\n"}
    text = '#include "vendor/h.h"\nlocal int *m;\n'
    documents = {each.location.document for each in compute_diagnostics(analyse(tmp_path, text, others))}
    assert documents == {str(tmp_path / "vendor" / "h.h"), str(tmp_path / "k.cl")}
    others["openclsp.toml"] = 'exclude = ["vendor/"]'
    documents = {each.location.document for each in compute_diagnostics(analyse(tmp_path, text, others))}
    assert documents == {str(tmp_path / "k.cl")}


def test_errors_of_c_are_left_to_another_server(tmp_path: Path) -> None:
    text = "void f(global int *a) {\n    local int *b = a;\n    cuont = 1;\n    break;\n}\n"
    unit = analyse(tmp_path, text)
    codes = {each.code for each in compute_diagnostics(unit)}
    assert {"undeclared-name", "misplaced-statement", "pointer-conversion"} <= codes
    unit.target = replace(unit_config(unit), general_errors=False)
    assert {each.code for each in compute_diagnostics(unit)} == codes - {
        "undeclared-name",
        "misplaced-statement",
    }


def test_unused_names_are_hints_where_they_fade(tmp_path: Path) -> None:
    text = "int f(int used, int spare) {\n    int unread;\n    return used;\n}\n"
    unit = analyse(tmp_path, text)
    assert compute_diagnostics(unit) == ()
    found = [(each.code, each.severity.value) for each in unlimited_diagnostics(unit, tagged=True)]
    assert found == [("unused-parameter", "hint"), ("unused-variable", "hint")]
    off = analyse(tmp_path, text, {"openclsp.toml": '[severity]\nunused-parameter = "off"\n'})
    assert [each.code for each in unlimited_diagnostics(off, tagged=True)] == ["unused-variable"]
