"""Regular expressions and file patterns match as `re` and pathspec do, in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.project import regular_expression
from openclsp.project.path_patterns import MAXIMUM_LENGTH, compile_path_patterns, describe_pattern_fault
from openclsp.project.regular_expression import RegularExpression
from pathspec import GitIgnoreSpec

pieces = st.lists(
    st.sampled_from(
        ["a", "b", "(", "(?:", ")", "*", "+", "?", "|", "[ab]", "[^a]", ".", "^", "$", "{2}", "{1,2}", "{0,}"]
    ),
    max_size=8,
)
globs = st.lists(
    st.sampled_from(["a", "b", "*", "**", "?", "/", "[ab]", "[!a]", "!", "\\*", "a.b", ".", "#", " ", "-"]),
    min_size=1,
    max_size=6,
).map("".join)
paths = st.lists(st.sampled_from(["a", "b", "ab", "a.b", "c", "*"]), min_size=1, max_size=4).map("/".join)


@settings(deadline=None, max_examples=500)
@given(pieces.map("".join), st.text("abc", max_size=7))
def test_it_finds_what_re_finds(pattern: str, text: str) -> None:
    try:
        expected = re.compile(pattern).search(text) is not None
        found = RegularExpression.compile_pattern(pattern).search(text) is not None
    except (re.error, ValueError):
        return
    assert found is expected


@settings(deadline=None, max_examples=500)
@given(st.lists(globs, min_size=1, max_size=3), paths, st.sampled_from(["", "/"]))
def test_patterns_match_as_pathspec_matches(lines: list[str], path: str, end: str) -> None:
    good = tuple(line for line in lines if not describe_pattern_fault(line))
    assert compile_path_patterns(good).match(path + end) is GitIgnoreSpec.from_lines(good).match_file(
        path + end
    )


@pytest.mark.parametrize("pattern", ["(a*)*b", "^(?:a|a)*$b", "a*" * 12 + "b", "(a+)+$b", "^(?:.*)*x$"])
def test_work_is_linear_in_the_text(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    closure = RegularExpression._epsilon_closure

    def counting(self: RegularExpression, threads: list, *arguments: bool, **named: bool) -> object:
        steps.append(len(threads))
        return closure(self, threads, *arguments, **named)

    monkeypatch.setattr(RegularExpression, "_epsilon_closure", counting)
    expression = RegularExpression.compile_pattern(pattern)
    assert expression.search("a" * 2_000) is None
    assert sum(steps) <= 2_000 * expression.size


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "*",
        "a**",
        "[",
        "a{3,2}",
        "\\1",
        "(?=a)",
        "\\",
        "(" * 60 + ")" * 60,
        "(a{99}){99}",
        "a" * 20_000,
    ],
)
def test_what_is_none_or_too_large_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="."):
        RegularExpression.compile_pattern(pattern)


def test_transitions_that_are_kept_are_bounded() -> None:
    expression = RegularExpression.compile_pattern("[^a]*b")
    expression.search("".join(map(chr, range(200, 5_000))))
    assert len(expression._cached_transitions) <= regular_expression._MAXIMUM_CACHED_TRANSITIONS


def test_a_pattern_that_is_too_long_does_not_count() -> None:
    long = "a" * (MAXIMUM_LENGTH + 1)
    assert describe_pattern_fault(long) == "is longer than 1,000 characters"
    assert not compile_path_patterns((long,)).match(long)
