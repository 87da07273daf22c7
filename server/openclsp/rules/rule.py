"""The interface of a rule: its code, the kind of fact it checks, and a pure check function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, TypeName
from openclsp.semantics.facts.expressions import Access, Conversion, HalfStorage
from openclsp.semantics.facts.fact import Fact

F = TypeVar("F", bound=Fact)

KINDS_WITH_READS: tuple[type[Fact], ...] = (Access, Call, Conversion, Declaration, TypeName)
"""The frequent kinds of facts. Their rules declare what they read, because results are shared by equal facts."""

Declaring = Declaration | FunctionDeclaration | HalfStorage
"""The kinds of facts that may make the entity that they declare invalid."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[F]):
    """A rule: `check` maps a fact of the kind `fact` to findings.

    `code` identifies the rule and its page (`code` with `-` replaced by `_`, plus `.md`). Several rules that
    differ only in the kind of fact share a code and a page.
    `reads` lists the attributes of a fact that decide whether the rule reports anything. Only rules for the
    kinds `KINDS_WITH_READS` have this list. If two facts are equal in all attributes that the rules for their
    kind list, only one of them is checked. Attributes that a rule reads only to describe a fault (names,
    places) are not listed.

    - `value.type` is an attribute of an attribute.
    - `initialiser?` means that the rule reads only whether the attribute is present, or not empty.
    - `initialiser?.constancy` is an attribute of an attribute that may be absent.
    - `entity.levels[].space` is an attribute of each element.

    `invalidates` means that an error of this rule makes the declared entity invalid. Like clang, we do not
    report the uses of an invalid entity.
    """

    code: str
    fact: type[F]
    check: Callable[[F, Dialect], Iterator[Finding]]
    reads: tuple[str, ...] = ()
    invalidates: bool = False
