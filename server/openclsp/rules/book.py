"""All rules together: what the declared layer's facts are held against, and the page of each code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from openclsp.rules import (
    pointer_cast,
    pointer_conversion,
)
from openclsp.rules.page import Page, read_page
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Fact

RULES: tuple[Rule[Any], ...] = (
    *pointer_cast.RULES,
    *pointer_conversion.RULES,
)

CODES: tuple[str, ...] = tuple(sorted({rule.code for rule in RULES}))


def _by_fact() -> Mapping[type[Fact], tuple[Rule[Any], ...]]:
    table: dict[type[Fact], tuple[Rule[Any], ...]] = {}
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
