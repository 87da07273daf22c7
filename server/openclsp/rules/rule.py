"""The frame of a rule: its code, the facts that it asks for, and the pure function from one fact to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding
from openclsp.semantics.facts.fact import Fact

F = TypeVar("F", bound=Fact)


@dataclass(frozen=True, slots=True)
class Rule(Generic[F]):
    """`code` names the rule and its page (`code` with `-` as `_`, and `.md`); `fact` is the kind of fact it wants.

    A page may stand for several rules that differ in the kind of fact only: they share the code.
    """

    code: str
    fact: type[F]
    check: Callable[[F, Dialect], Iterator[Finding]]
