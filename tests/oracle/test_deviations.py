"""The documented differences from clang are exactly those that the comparison permits."""

from __future__ import annotations

import re

from openclsp.rules.runner.page import read_page

from .deviations import CLANG_TEST_DEVIATIONS, DEVIATIONS

_ALL = (*DEVIATIONS, *CLANG_TEST_DEVIATIONS)


def _words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_every_reason_stands_on_the_page() -> None:
    page = _words(read_page("clang").text)
    assert [each.reason for each in _ALL if _words(each.reason) not in page] == []


def test_every_point_of_the_page_excuses_something() -> None:
    points = [
        _words(point) for point in re.findall(r"^- (.+(?:\n  .+)*)", read_page("clang").text, re.MULTILINE)
    ]
    points = [point for point in points if not point.startswith("Clause:")]
    reasons = [_words(each.reason) for each in _ALL]
    assert [point for point in points if not any(reason in point for reason in reasons)] == []


def test_what_clang_is_said_to_get_wrong_follows_a_text() -> None:
    blamed = [each for each in DEVIATIONS if each.reason.startswith("clang") or not each.clang]
    uncited = [each.reason for each in blamed if not each.text]
    assert uncited == [], uncited
