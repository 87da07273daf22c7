"""What a rule gives back: a diagnostic with its place, what it relates to, and the candidate fixes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.entities import EntityRef, ItemKey, Origin, Place


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


@dataclass(frozen=True, slots=True)
class SplitFunction:
    """Add an overload of the function `name`, which this item defines, for each way in which calls point its generic
    parameters into named spaces."""

    name: str


@dataclass(frozen=True, slots=True)
class RemoveQualifier:
    """Take `const` (or `volatile`) away at that level."""

    origin: Origin
    word: str


@dataclass(frozen=True, slots=True)
class SetType:
    """Put the type `name` for the one that the declaration of the entity names: for all that it declares."""

    entity: EntityRef
    name: str


@dataclass(frozen=True, slots=True)
class AssignLater:
    """`int x = 1;` -> `int x; x = 1;`, where nothing else is declared behind `x`."""

    entity: EntityRef


class Outer(Enum):
    """Where a declaration can be moved to out of an inner block; the value is the phrase for people."""

    KERNEL = "the kernel's outermost scope"
    PROGRAM = "program scope"


@dataclass(frozen=True, slots=True)
class MoveOut:
    """Move the declaration of a variable out of its block; where a name would come to mean something else, or would
    be met twice, that is not possible."""

    entity: EntityRef
    to: Outer


@dataclass(frozen=True, slots=True)
class MoveIn:
    """Move the declaration of a program-scope variable into the kernel that alone uses it, without `static`."""

    entity: EntityRef


@dataclass(frozen=True, slots=True)
class Initialise:
    """Write an initialiser for a variable that has none."""

    entity: EntityRef
    text: str


class Part(Enum):
    """A part of a declaration that can be removed."""

    STAR = "the outermost `*` of a pointer to a pointer: `global float **p` becomes `global float *p`"
    WIDTH = "the width of a bit-field"
    ELLIPSIS = "the `, ...` of a function's parameters"


@dataclass(frozen=True, slots=True)
class RemovePart:
    """Removes a part of a declaration."""

    entity: EntityRef
    part: Part


DeclarationChange = RemoveQualifier | SetType | AssignLater | MoveOut | MoveIn | Initialise | RemovePart
"""Changes of one declaration alone"""

Change = (
    DeclarationChange
    | SetSpace
    | RemoveSpace
    | AddQualifier
    | RemoveCast
    | ReplaceLeaves
    | SetDialect
    | CallCopy
    | SplitFunction
)


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
class ChainStep:
    """A step on the way of an object's address to a pointer that a message speaks of: a place in an item whose content has
    that digest, or the declaration of an entity there."""

    item: ItemKey
    digest: bytes
    at: Place | EntityRef
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic of one item, free of absolute positions.

    `defaulted` are the pointees that the message speaks of which are private, perhaps because no space is written, where
    there is no generic address space. `chain` is how what reaches them comes there. `name` is what the finding is about, where
    all findings of the rule in a document are shown as one with their names. `mismatches` are all that the types of a
    conversion do not agree in: the message names the first, and a fix may leave the others to be reported."""

    code: str
    severity: Severity
    message: str
    place: Place
    related: Sequence[Related] = ()
    fixes: Sequence[Fix] = ()
    defaulted: Sequence[Origin] = ()
    chain: Sequence[ChainStep] = ()
    name: str = ""
    mismatches: frozenset[str] = frozenset()
