"""The interface of a rule: its code, the kind of fact it checks, and a pure check function."""

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
    """A rule: `check` maps a fact of the kind `fact` to findings.

    `code` identifies the rule and its page (`code` with `-` replaced by `_`, plus `.md`). Several rules that
    differ only in the kind of fact share a code and a page.
    """

    code: str
    fact: type[F]
    check: Callable[[F, Dialect], Iterator[Finding]]
