"""Registry of all rules and their pages.

A rule is a pair of files: `pointer_cast.md` is its page, `pointer_cast.py` its code. The pages are the
registry: adding the two files adds the rule. A page without a module documents a diagnostic that is found
elsewhere, by the preprocessor or before the analysis starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from openclsp.rules.rule import KINDS_WITH_READS, Declaring, Rule
from openclsp.rules.runner.page import (
    Page,
    Trait,
    concept_names,
    page_codes,
    read_page,
)
from openclsp.semantics.facts.fact import Fact


def _all_rules() -> Iterator[Rule[Any]]:
    for code in page_codes():
        name = f"openclsp.rules.book.{code.replace('-', '_')}"
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
        else:
            yield from module.RULES


RULES: tuple[Rule[Any], ...] = tuple(_all_rules())
"""Every rule, by code."""

CODES: tuple[str, ...] = page_codes()
"""Every code that a diagnostic can have, sorted."""

CONCEPTS: tuple[str, ...] = concept_names()
"""The names of the concept pages, which belong to no code, sorted."""


def _by_fact() -> Mapping[type[Any], tuple[Rule[Any], ...]]:
    table: dict[type[Any], tuple[Rule[Any], ...]] = {}
    for rule in RULES:
        if rule.fact in KINDS_WITH_READS and not rule.reads:
            raise ValueError(f"rule {rule.code}: declare in `reads` what it reads of a {rule.fact.__name__}")
        if rule.invalidates and not issubclass(rule.fact, Declaring):
            raise ValueError(f"rule {rule.code}: a {rule.fact.__name__} declares no entity to be invalid")
        table[rule.fact] = (*table.get(rule.fact, ()), rule)
    return MappingProxyType(table)


_BY_FACT = _by_fact()
_INVALIDATING = {fact: tuple(rule for rule in rules if rule.invalidates) for fact, rules in _BY_FACT.items()}


def rules_for_fact(fact: type[Fact]) -> tuple[Rule[Any], ...]:
    """Returns the rules that check facts of this kind, in the order of RULES."""
    return _BY_FACT.get(fact, ())


def invalidating_rules(fact: type[Fact]) -> tuple[Rule[Any], ...]:
    """Returns those rules for facts of this kind whose errors make the declared entity invalid."""
    return _INVALIDATING.get(fact, ())


def reads_of_fact(fact: type[Fact]) -> frozenset[str]:
    """Returns the attributes that the rules for facts of this kind read, in the notation of `Rule.reads`."""
    return frozenset(read for rule in rules_for_fact(fact) for read in rule.reads)


@cache
def is_off_by_default(code: str, severity: str) -> bool:
    """Whether findings of the rule `code` with this severity are off by default."""
    found = page(code)
    return found is not None and severity in found.off_by_default


@cache
def traits_of_rule(code: str) -> frozenset[Trait]:
    """Returns the traits of the rule `code`; none if there is no such rule."""
    found = page(code)
    return frozenset() if found is None else frozenset(found.traits)


@cache
def page(name: str) -> Page | None:
    """Returns the page of a rule's code or of a concept; None if there is none."""
    return read_page(name) if name in CODES or name in CONCEPTS else None
