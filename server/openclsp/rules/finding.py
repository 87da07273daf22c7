"""What a rule gives back: a diagnostic with its place, what it relates to, and the candidate fixes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from openclsp.language.spaces import Space
from openclsp.semantics.entities import EntityRef, Origin, Place


class Severity(Enum):
    """How bad it is; the values are the words of the JSON output."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class SetSpace:
    """Give the level of the entity that `origin` stands at the space `space`: replaces the qualifier, or writes one."""

    origin: Origin
    space: Space


@dataclass(frozen=True, slots=True)
class RemoveSpace:
    """Take the written qualifiers of that level away."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class AddQualifier:
    """Write `const` (or `volatile`) at that level."""

    origin: Origin
    word: str


@dataclass(frozen=True, slots=True)
class RemoveCast:
    """Take the parenthesised type of this cast away; its operand stays."""

    cast: EntityRef


@dataclass(frozen=True, slots=True)
class ReplaceLeaves:
    """Put `text` for the leaves of this item (an empty place inserts before `place.first`)."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class SetDialect:
    """Check this workspace as another language version: `CL2.0` or `CL3.0`."""

    name: str


@dataclass(frozen=True, slots=True)
class CallCopy:
    """Copy the function `callee` with its parameters pointing where the arguments of this call do, and call the copy:
    under a name of its own, or with `overloads` under the same, a copy for each way in which the function is called.

    `argument` is the place of one of the call's arguments."""

    callee: str
    argument: Place
    overloads: bool = False


Change = SetSpace | RemoveSpace | AddQualifier | RemoveCast | ReplaceLeaves | SetDialect | CallCopy


@dataclass(frozen=True, slots=True)
class Fix:
    """A candidate fix: all `changes` together. It is offered only when re-analysis shows that it mends the fault and
    makes no new one. `preferred` where one fix is clearly right.

    `onward` where it changes what takes a pointer to what the pointer is: when another fix has changed the pointer, this
    one may be made along with it."""

    title: str
    changes: tuple[Change, ...]
    preferred: bool = False
    onward: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """The declaration, at the level that gave a space, that a message speaks of."""

    origin: Origin
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic of one item, free of absolute positions."""

    code: str
    severity: Severity
    message: str
    place: Place
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
