"""Every statement of five of Khronos' reference pages has its place: an example on a rule's page, or a reason.

`statements.tsv` lists them in our own words, in the pages' order: the `global` and `local` pages of OpenCL C 1.0, the
generic and `constant` pages of 2.0, and the `global` page of 2.1. `said` is how openclsp says it: `rule` (a block of a
rule's page, as code#block, shows it), `hover` (such a block shows it in a hover), or `none`, with the reason.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from openclsp.language.dialect import Dialect
from openclsp.rules import book

VERSIONS = {
    "global-1.0": (100, 110, 120),
    "local-1.0": (100, 110, 120),
    "generic-2.0": (200,),
    "constant-2.0": (200,),
    "global-2.1": (200, 300),
}
"""The language versions that each page speaks of; that of 2.1 is 2.0's with additions that 3.0 kept."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One row of the table; `line` is its line, from 1."""

    line: int
    page: str
    statement: str
    said: str
    where: str


def _read() -> list[Statement]:
    with (Path(__file__).parent / "statements.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        assert next(rows) == ["page", "statement", "said", "where"]
        return [Statement(line, *row) for line, row in enumerate(rows, 2)]


STATEMENTS = _read()


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: f"{each.page}-{each.line}")
def test_a_statement_has_its_place(statement: Statement) -> None:
    if statement.said == "none":
        assert len(statement.where.split()) > 3 and "#" not in statement.where
        return
    code, _, name = statement.where.partition("#")
    page = book.page(code)
    assert page is not None, f"no rule {code}"
    block = next((block for block in page.blocks if block.name == name), None)
    assert block is not None, f"{code} has no block {name!r}"
    if statement.said == "hover":
        assert block.hovers, "the block shows no hover"
    else:
        assert statement.said == "rule"
    versions = {Dialect.of(dialect).version for dialect in block.dialects}
    exempt = "before OpenCL C 2.0" in statement.statement
    assert exempt or versions & set(VERSIONS[statement.page]), (
        "the block is not of the page's language version"
    )


def test_no_page_is_left_out_and_no_statement_stands_twice() -> None:
    assert {each.page for each in STATEMENTS} == set(VERSIONS)
    assert max(Counter((each.page, each.statement) for each in STATEMENTS).values()) == 1
