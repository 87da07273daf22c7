"""Every rule about address spaces, and every statement of five Khronos reference pages, is covered by an example or has a reason.

`statements.tsv` lists the statements in our own words: first those of the reference pages, in their order (the `global`
and `local` pages of OpenCL C 1.0, the generic and `constant` pages of 2.0, and the `global` page of 2.1), then those of
the specification, by topic. The column `said` states how openclsp covers it: `rule` (a block of a page, as name#block;
a rule's name alone means the blocks with its diagnostic), `hover` (such a block has a hover), or `none`, with the
reason.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from openclsp.language.dialect import Dialect
from openclsp.rules.runner import rule_registry

from .marked_page import Block, MarkedPage, marked_page

_ALL = (100, 110, 120, 200, 300)
VERSIONS = {
    "global-1.0": (100, 110, 120),
    "local-1.0": (100, 110, 120),
    "generic-2.0": (200,),
    "constant-2.0": (200,),
    "global-2.1": (200, 300),
    "spaces": _ALL,
    "declarations": _ALL,
    "defaults": _ALL,
    "initialisation and writing": _ALL,
    "kernels": _ALL,
    "conversions": _ALL,
    "operators": _ALL,
    "built-in functions": _ALL,
    "opaque types": _ALL,
    "blocks": (200, 300),
    "extensions and dialects": _ALL,
    "contradictions": _ALL,
}
"""The language versions that each reference page, or topic, speaks of; 2.1's is 2.0's with additions that 3.0 kept."""


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


def _blocks(page: MarkedPage, name: str) -> list[Block]:
    if name:
        return [block for block in page.blocks if block.name == name]
    return [block for block in page.blocks if any(mark.code == page.code for mark in block.marks)]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: f"{each.page}-{each.line}")
def test_a_statement_has_its_place(statement: Statement) -> None:
    if statement.said == "none":
        assert len(statement.where.split()) > 3 and "#" not in statement.where
        return
    name, _, block_name = statement.where.partition("#")
    blocks = _blocks(marked_page(name), block_name)
    assert blocks, f"{name} has no block {block_name!r}"
    if statement.said == "hover":
        assert any(block.hovers for block in blocks), "the block shows no hover"
    else:
        assert statement.said == "rule"
    versions = {Dialect.of(dialect).version for block in blocks for dialect in block.dialects}
    exempt = "before OpenCL C 2.0" in statement.statement
    assert exempt or versions & set(VERSIONS[statement.page]), (
        "the block is not of the page's language version"
    )


def test_every_page_has_statements_and_none_twice() -> None:
    assert {each.page for each in STATEMENTS} == set(VERSIONS)
    assert max(Counter((each.page, each.statement) for each in STATEMENTS).values()) == 1


def test_every_page_about_spaces_has_a_statement() -> None:
    """Every concept has one, and every rule about the language; rules about the text before parsing need none."""
    said = {each.where.partition("#")[0] for each in STATEMENTS}
    assert set(rule_registry.CONCEPTS) <= said
