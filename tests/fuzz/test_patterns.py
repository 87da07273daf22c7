"""Every regular expression of the package takes linear time, in steps of a backtracking matcher."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import threading
from collections.abc import Iterator
from typing import Any

import openclsp
import pytest

from .step_matcher import StepMatcher, TooManySteps, adversarial

SIZES = (24, 48)
LIMIT = 200_000


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The compiled patterns of all modules."""
    seen: set[tuple[Any, int]] = set()
    for info in pkgutil.walk_packages(openclsp.__path__, "openclsp."):
        if info.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(info.name)).items():
            values = value if isinstance(value, tuple | list) else (value,)
            for number, each in enumerate(values):
                if isinstance(each, re.Pattern) and (each.pattern, each.flags) not in seen:
                    seen.add((each.pattern, each.flags))
                    yield f"{info.name.removeprefix('openclsp.')}.{name}{number or ''}", each


def worst(pattern: re.Pattern[Any], *, search: bool) -> tuple[float, str]:
    """The greatest growth of the steps where the text doubles, and a text that shows it."""
    matcher = StepMatcher(pattern)
    found = 0.0, ""
    for make in adversarial(matcher.tree, pattern.flags):
        try:
            small = matcher.run(make(SIZES[0]), LIMIT, search=search)
            large = matcher.run(make(SIZES[1]), LIMIT, search=search)
        except TooManySteps:
            return 99.0, make(3)
        if large > 400:
            found = max(found, (large / (small + 20), make(3)))
    return found


def in_deep_stack(action: Any) -> Any:
    """What an action gives in a thread whose stack holds the matcher's recursion."""
    results: list[Any] = []
    limit, size = sys.getrecursionlimit(), threading.stack_size(256 << 20)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=lambda: results.append(action()))
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    assert results, "the matcher raised"
    return results[0]


ALL = dict(patterns())


@pytest.mark.parametrize("name", ALL)
def test_a_match_takes_steps_in_proportion_to_the_text(name: str) -> None:
    growth, text = in_deep_stack(lambda: worst(ALL[name], search=False))
    assert growth <= 2.6, f"with longer and longer {text!r}"


@pytest.mark.parametrize(
    ("pattern", "linear"),
    [
        (r"(a+)+b", False),
        (r"(?:a|ab|b)*c", False),
        (r"a*a*b", False),
        (r"\s*;?\s*x", False),
        (r"%[0]*\d*x", False),
        (r"a+b", True),
        (r"(?:a|b)*c", True),
        (r'"(?:[^"\\]|\\.)*"', True),
    ],
)
def test_the_matcher_finds_patterns_that_are_not_linear(pattern: str, linear: bool) -> None:
    growth, _ = in_deep_stack(lambda: worst(re.compile(pattern), search=False))
    assert (growth <= 2.6) is linear


def test_patterns_are_found() -> None:
    assert {"source.lexer.TOKEN", "ide.ignore_comments._COMMENT"} <= set(ALL)
