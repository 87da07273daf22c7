"""An undeclared name: a spelling mistake if a known name is similar, else a name that the host may define."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.language.dialect import Dialect
from openclsp.language.near_names import is_certain_misspelling
from openclsp.rules.finding import Finding, Fix, ReplaceTokens, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import UnknownName
from openclsp.source.templates import is_filled_in

CODE = "unknown-name"


def message(names: Sequence[str]) -> str:
    """Returns the message for names that the host may define; `names` contains them in backquotes."""
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    verb = "is" if len(names) == 1 else "are"
    return f"{listed} {verb} not defined in this file or its includes; passed by the host?"


def _check(fact: UnknownName, dialect: Dialect) -> Iterator[Finding]:
    if is_filled_in(fact.name.encode()):
        return
    if not fact.near:
        yield Finding(CODE, Severity.HINT, message((f"`{fact.name}`",)), fact.place, name=fact.name)
        return
    suggested = " or ".join(f"`{name}`" for name in fact.near)
    message_text = f"unknown {fact.role.value} `{fact.name}`; did you mean {suggested}?"
    fixes = tuple(
        Fix(
            f"Write `{name}`",
            (ReplaceTokens(fact.place, name),),
            # the name of a structure may lack `struct`
            preferred=len(fact.near) == 1 and is_certain_misspelling(fact.name, name.rpartition(" ")[2]),
        )
        for name in fact.near
    )
    yield Finding(CODE, Severity.ERROR, message_text, fact.place, fixes=fixes, name=fact.name)


RULES = (Rule(CODE, UnknownName, _check),)
