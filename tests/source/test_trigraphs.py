"""Trigraphs (C99 5.2.1.1) are replaced before the text is divided into tokens, and all other text keeps its place."""

from __future__ import annotations

import random

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.source import document_preprocessing
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.trigraphs import replace_trigraphs

from ..rules.analysis import analyse
from .marks import expansion
from .test_incremental import NAME, OPTIONS, OneHeader, answers, edited, fresh


@pytest.mark.parametrize(
    ("source", "replaced"),
    [
        ("a??(1??) = ??<??-2??> ??' 3;", "a[  1]   = {  ~  2}   ^   3;"),
        ("a ??!??! b ??!= c ??'= d |??! e", "a ||     b |=   c ^=   d ||   e"),
        ("??=define X(a) ??=a ??=??= #??=", "#  define X(a) #  a ##     ##  "),
        ("'??'' '??/'' \"??/\"??!\" ??!", "'^'   '\\''   \"\\\"|\"     |  "),
        ("// why??/\nint a;", "// why\\  \nint a;"),
        ("/* ??( */ what?? ?? ???", "/* [   */ what?? ?? ???"),
        ("a ? b ??) c", "a ? b ]   c"),
    ],
)
def test_trigraphs_are_replaced(source: str, replaced: str) -> None:
    assert replace_trigraphs(source.encode()).decode() == replaced


def test_a_trigraph_joins_lines() -> None:
    with_trigraphs, text = (f"int a {mark}\n= 1; // b{mark}\n#define d\nint d;" for mark in ("??/", "\\  "))
    assert expansion(with_trigraphs) == expansion(text)
    assert expansion(text).endswith("int d;")


@pytest.mark.parametrize("dialect", ["CL1.2", "CL2.0", "CL3.0"])
def test_a_program_of_trigraphs_has_no_error(dialect: str) -> None:
    text = """\
??=define N 4
kernel void f(global int *p) {
  int a??(N??) = ??< 1, 2 ??>;
  p??(0??) = a[0] ??! 3 ??' ??-4;
  p[0] ??!= 1; // a comment ??/
  int x y z;
  p[1] = a[1] ??!??! a??(2??);
}
"""
    assert list(compute_diagnostics(analyse(text, dialect))) == []


def test_edits_of_trigraphs_give_the_result_of_a_fresh_run() -> None:
    chance = random.Random(1)
    pieces = [b"?", b"??", b"=", b"/", b"\n", b"??=define X 1\n", b"??/\n", b"X ", b'"', b""]
    unit = fresh(
        Document.of(NAME, b"??=define X(a) a??(1??)\nint a;\nint b = X(c) ??! 1;\n#define Y 2\nint d = Y;\n")
    )
    for _ in range(120):
        document, edit = edited(unit, chance.random(), chance.choice((0, 0, 1, 3)), chance.choice(pieces))
        unit = document_preprocessing.update(
            unit, document, edit, OPTIONS, OneHeader(), IncludeCache()
        ).result
        assert answers(unit) == answers(fresh(document))
