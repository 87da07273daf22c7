"""All rules together: what the declared layer's facts are held against, and the page of each code.

A rule is a pair of files: `pointer_cast.md` is its page, `pointer_cast.py` its code. The pages are the register: to add
a rule is to add its two files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from openclsp.rules.page import Page, page_codes, read_page
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Fact


def _all_rules() -> Iterator[Rule[Any]]:
    for code in page_codes():
        yield from import_module(f"{__package__}.{code.replace('-', '_')}").RULES


RULES: tuple[Rule[Any], ...] = tuple(_all_rules())
"""Every rule, by code."""

CODES: tuple[str, ...] = tuple(sorted({rule.code for rule in RULES}))


def _by_fact() -> Mapping[type[Any], tuple[Rule[Any], ...]]:
    table: dict[type[Any], tuple[Rule[Any], ...]] = {}
    for rule in RULES:
        table[rule.fact] = (*table.get(rule.fact, ()), rule)
    return MappingProxyType(table)


_BY_FACT = _by_fact()


def rules_for(fact: type[Fact]) -> tuple[Rule[Any], ...]:
    """The rules that want facts of this kind, in the order of RULES."""
    return _BY_FACT.get(fact, ())


@cache
def page(code: str) -> Page | None:
    """The page of that code; None where no rule has it."""
    return read_page(code) if code in CODES else None
