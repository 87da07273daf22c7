"""No test is left out: those that the compiled package skips run with plain Python."""

from __future__ import annotations

from pathlib import Path

from .run import SUITES

TESTS = Path(__file__).parent


def test_tests_that_need_plain_python_run_with_it() -> None:
    plain = [TESTS.parent / each for each in SUITES["plain"]]
    need = [
        path
        for path in TESTS.rglob("test_*.py")
        if path != Path(__file__) and "interpreted import" in path.read_text(encoding="utf-8")
    ]
    assert len(need) > 10
    assert [path for path in need if not any(path == each or each in path.parents for each in plain)] == []


def test_every_suite_exists() -> None:
    assert [each for suite in SUITES.values() for each in suite if not (TESTS.parent / each).exists()] == []
