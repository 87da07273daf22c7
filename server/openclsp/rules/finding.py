"""Findings of the rules: diagnostics with their places, related declarations and candidate fixes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    Origin,
    Place,
)


class Severity(Enum):
    """The severity of a finding; the values are those of the JSON output."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class SetSpace:
    """Sets the address space qualifier of one level of a declared type.

    `origin` identifies the declaration and the level. An existing qualifier is replaced.
    """

    origin: Origin
    space: Space


@dataclass(frozen=True, slots=True)
class RemoveSpace:
    """Removes the address space qualifiers of one level of a declared type.

    `origin` identifies the declaration and the level.
    """

    origin: Origin


@dataclass(frozen=True, slots=True)
class AddQualifier:
    """Inserts `const` or `volatile` at one level of a declared type.

    `origin` identifies the declaration and the level.
    """

    origin: Origin
    qualifier: str


@dataclass(frozen=True, slots=True)
class RemoveCast:
    """Removes the parenthesised type of a cast and keeps the operand."""

    cast: EntityRef


@dataclass(frozen=True, slots=True)
class ReplaceTokens:
    """Replaces tokens of the finding's item by `text`.

    An empty place inserts the text before the token `place.first`.
    """

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class SetDialect:
    """Changes the language version of the workspace to `name`: `CL2.0` or `CL3.0`."""

    name: str


@dataclass(frozen=True, slots=True)
class CopyFunctionForCall:
    """Copies the function `callee` with parameters that accept the arguments of a call.

    By default, there is one copy, which has a new name, and the call is changed to use it. With `overloads`,
    the copies are overloads of `callee`: one for each combination of address spaces that the calls of
    `callee` pass. `argument` is the place of one argument of the call, and so identifies the call.
    """

    callee: str
    argument: Place
    overloads: bool = False


@dataclass(frozen=True, slots=True)
class AddOverloads:
    """Adds overloads of the function `name`, which the finding's item defines.

    There is one overload for each combination of named address spaces that calls pass to its parameters of
    generic pointer type.
    """

    name: str


@dataclass(frozen=True, slots=True)
class RemoveQualifier:
    """Removes `const` or `volatile` at one level of a declared type.

    `origin` identifies the declaration and the level.
    """

    origin: Origin
    qualifier: str


@dataclass(frozen=True, slots=True)
class SetType:
    """Replaces the type specifier of the entity's declaration by `name`, for all its declarators."""

    entity: EntityRef
    name: str


@dataclass(frozen=True, slots=True)
class SplitInitialisation:
    """Splits an initialisation: `int x = 1;` -> `int x; x = 1;`. `x` must be the last declarator."""

    entity: EntityRef


class OuterScope(Enum):
    """The outer scope to which a declaration can be moved; the value is used in fix titles."""

    KERNEL = "the kernel's outermost scope"
    PROGRAM = "program scope"


@dataclass(frozen=True, slots=True)
class MoveToOuterScope:
    """Moves the declaration of a variable out of its block.

    This is impossible if a name would then refer to another entity, or would be declared twice.
    """

    entity: EntityRef
    to: OuterScope


@dataclass(frozen=True, slots=True)
class MoveIntoKernel:
    """Moves a program-scope variable into the only kernel that uses it, and removes `static`."""

    entity: EntityRef


@dataclass(frozen=True, slots=True)
class AddInitialiser:
    """Adds the initialiser `text` to a variable that has none."""

    entity: EntityRef
    text: str


class DeclarationPart(Enum):
    """A part of a declaration that can be removed."""

    STAR = "the outermost `*` of a pointer to a pointer: `global float **p` becomes `global float *p`"
    WIDTH = "the width of a bit-field"
    ELLIPSIS = "the `, ...` of a function's parameters"


@dataclass(frozen=True, slots=True)
class RemoveDeclarationPart:
    """Removes a part of a declaration."""

    entity: EntityRef
    part: DeclarationPart


DeclarationChange = (
    RemoveQualifier
    | SetType
    | SplitInitialisation
    | MoveToOuterScope
    | MoveIntoKernel
    | AddInitialiser
    | RemoveDeclarationPart
)
"""Changes of a single declaration"""

FixChange = (
    DeclarationChange
    | SetSpace
    | RemoveSpace
    | AddQualifier
    | RemoveCast
    | ReplaceTokens
    | SetDialect
    | CopyFunctionForCall
    | AddOverloads
)


@dataclass(frozen=True, slots=True)
class Fix:
    """A candidate fix, consisting of all `changes` together.

    The fix is offered only if re-analysis shows that it removes the fault and introduces none.

    - `preferred`: whether the fix is clearly right
    - `adapts_target`: whether the fix changes the target of a conversion and not the source. If changing the
      source causes the fault, both changes can be applied as one fix.
    """

    title: str
    changes: tuple[FixChange, ...]
    preferred: bool = False
    adapts_target: bool = False


@dataclass(frozen=True, slots=True)
class RelatedDeclaration:
    """A declaration that a finding refers to; `origin` identifies it and the level of its type."""

    origin: Origin
    message: str


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step by which an object's address flows to the pointer that a message is about.

    `at` is an entity that the item declares, or a place in the item. `digest` is the hash of the item's
    content for which the place was computed; with any other content, the place is invalid.
    """

    item: ItemKey
    digest: bytes
    at: Place | EntityRef
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One diagnostic of one item, without absolute positions.

    - `default_private_pointees`: the pointees in the message that are private, perhaps only because their
      declarations have no address space qualifier; empty in a dialect with a generic address space
    - `chain`: the steps by which the addresses of objects flow to the pointers to `default_private_pointees`
    - `name`: the name that the finding is about, for rules whose findings become one diagnostic per document;
      this diagnostic lists the names
    - `mismatches`: all mismatches between the two types of a conversion. The message describes only the first
      one, so a fix of the first one reveals the next.
    """

    code: str
    severity: Severity
    message: str
    place: Place
    related: Sequence[RelatedDeclaration] = ()
    fixes: Sequence[Fix] = ()
    default_private_pointees: Sequence[Origin] = ()
    chain: Sequence[ChainStep] = ()
    name: str = ""
    mismatches: frozenset[str] = frozenset()
