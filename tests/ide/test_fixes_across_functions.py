"""Fixes across functions on random programs, alone and all together, compared with clang."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import CheckedFix
from openclsp.ide.fixes.fix_all import fix_all
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit

from ..language.clang import needs_clang
from ..oracle.clang import errors_of_texts
from ..rules.analysis import NAME, analyse
from .applied_fixes import Tried, applied, tried_fixes
from .helper_programs import helper_program

DIALECTS = [
    # in one process, because they try the same fixes
    pytest.param(dialect, marks=pytest.mark.xdist_group(f"fixes across functions, {dialect}"))
    for dialect in ("CL1.2", "CL2.0", "CL3.0-generic")
]
SEEDS = range(20)


def again(data: bytes, dialect: str) -> TranslationUnit:
    return analyse(data.decode(), dialect)


def errors(unit: TranslationUnit) -> Counter[str]:
    return Counter(each.code for each in compute_diagnostics(unit) if each.severity is Severity.ERROR)


@cache
def tried(dialect: str) -> list[tuple[str, Tried]]:
    """Every fix of every program, each with the program."""
    programs = [helper_program(Random(seed)) for seed in SEEDS]
    return [(text, each) for text in programs for each in tried_fixes(analyse(text, dialect), again)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fix_is_one(dialect: str) -> None:
    found = tried(dialect)
    kinds = {each.fix.title.split("`")[0] for _, each in found}
    assert {"Qualify parameter ", "Copy ", "Add overloads of "} <= kinds
    wrong = [f"{each.fix.title}: {fault}\n{each.after.decode()}" for _, each in found for fault in each.wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_all_fixes_together_leave_none_of_what_they_fixed(dialect: str) -> None:
    applied_count = 0
    for seed in SEEDS:
        text = helper_program(Random(seed))
        unit = analyse(text, dialect)
        before = errors(unit)
        result = fix_all(unit, document=NAME)
        after = applied(text.encode(), CheckedFix("", False, result.edits))
        left = errors(again(after, dialect))
        fixed = sum(each.diagnostic.severity is Severity.ERROR for each in result.applied)
        applied_count += fixed
        assert sum(left.values()) <= sum(before.values()) - fixed, after.decode()
        assert not left - before, after.decode()
    assert applied_count > 10


@needs_clang
@pytest.mark.parametrize("dialect", DIALECTS)
def test_clang_takes_every_fixed_program_as_better(dialect: str) -> None:
    """clang reports only one argument of a call, so numbers of errors are compared only if both report the same."""
    texts: dict[str, dict[str, None]] = {dialect: {}}
    cases = tried(dialect)
    for text, each in cases:
        texts[dialect][text] = None
        texts.setdefault(each.dialect, {})[each.after.decode()] = None
    counts = {
        (name, text): len(found)
        for name, several in texts.items()
        for text, found in zip(several, errors_of_texts(list(several), Dialect.of(name)), strict=True)
    }
    ours = {text: sum(errors(analyse(text, dialect)).values()) for text in texts[dialect]}
    compared = [case for case in cases if counts[dialect, case[0]] == ours[case[0]]]
    assert len(compared) > 20
    wrong = [
        f"{each.fix.title}\n{each.after.decode()}"
        for text, each in compared
        if counts[each.dialect, each.after.decode()] >= counts[dialect, text]
    ]
    assert not wrong, "\n".join(wrong)
