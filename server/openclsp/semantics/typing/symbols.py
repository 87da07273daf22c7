"""Symbols, the names that an item declares, and the lookup of names at program scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Protocol

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.facts.entities import (
    EntityKind,
    EntityRef,
)
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.items.extension_states import ExtensionStates
from openclsp.semantics.types.sizes import Slots
from openclsp.semantics.types.type_model import (
    UNKNOWN,
    Record,
    Type,
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """The meaning of a name.

    - `alignment`: the alignment in bytes that the attributes of a typedef request: 0 without a request, None
      if unknown.
    - `number`: the value of an enumerator, or of a constant variable if it is known.
    - `constancy`: whether the variable's value is constant.
    - `target`: whether the object that the variable points to is constant.

    Parameter i of a function is the entity with the number `ref.number + 1 + i`. A symbol contains no
    position, so an edit elsewhere in its item does not change it.
    """

    name: str
    kind: EntityKind
    type: Type
    ref: EntityRef
    scope: Scope
    constancy: Constancy = Constancy.NOT_CONSTANT
    number: int | None = None
    overloadable: bool = False
    uncertain: bool = False
    """Whether an unknown word in a declaration of the function may make it overloadable."""
    kernel: bool = False
    defined: bool = False
    parameters: tuple[str, ...] = ()
    automatic: bool = False
    """A parameter, or a non-static variable of a function: captured by blocks (OpenCL C 6.14)."""
    alignment: int | None = 0
    target: Constancy = Constancy.UNKNOWN


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct or union; its type has no address space, because the object determines it.

    A member with an empty name and an unknown type represents any number of members, from a macro of the host.
    """

    name: str
    type: Type
    ref: EntityRef
    anonymous: bool = False
    """Whether it is a member of an unnamed member (struct or union)."""
    union: int = 0
    """The number of the anonymous union that contains it, unique within the record; 0 for none."""
    groups: tuple[int, ...] = ()
    """The numbers of the anonymous structs and unions around it, from the outside in; those of unions are negative."""


Members = tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Exports:
    """The declarations of an item at program scope.

    `symbols` are the ordinary identifiers; `members` maps the identity of each struct or union to its
    members.
    """

    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    tags: Mapping[str, Type] = field(default_factory=dict)
    members: Mapping[object, Members] = field(default_factory=dict)


class Names(Protocol):
    """The program-scope names visible to an item.

    A lookup that returns one declaration returns the last one before the item.
    """

    def symbol(self, name: str) -> Symbol | None:
        """Returns the last earlier declaration of the ordinary identifier `name`; None if there is none."""

    def result_signature(self, name: str) -> Symbol | None:
        """Returns the function `name` without its parameters; None if undeclared, overloadable or unknown."""

    def has_many_declarations(self, name: str) -> bool:
        """Whether more declarations of the name are visible than overload resolution considers."""

    def overloads(self, name: str) -> tuple[Symbol, ...]:
        """Returns all declarations of the function `name` before the item, the last one first."""

    def tag(self, tag: str) -> Type | None:
        """Returns the type that `tag` (`struct S`) names; None if no earlier item declares the tag."""

    def members(self, record: Record) -> Members | None:
        """Returns the members of a record defined at program scope; None if incomplete or unknown."""

    def slots(self, record: Record) -> Slots | None:
        """Returns the layouts of the members of a struct or union; None if `members` returns None."""

    def packing(self) -> int | None:
        """Returns the maximum alignment set by `#pragma pack` for the item: 0 for none, None if unknown."""

    def may_be_declared_elsewhere(self, name: str) -> bool:
        """Whether an unavailable header, or a branch excluded by a guessed condition, may declare `name`."""

    def is_switched_on(self, extension: str) -> bool:
        """Whether a pragma before or in the item enables the extension, or an unavailable header may do so."""

    def extension_states(self, extension: str) -> ExtensionStates:
        """Returns at which tokens of the item the extension is enabled.

        The extension counts as enabled at all tokens if its state is unknown.
        """

    def enables(self, extension: str) -> bool:
        """Whether a pragma before or in the item enables the extension.

        Unlike `is_switched_on`, a pragma in an unavailable header does not count.
        """

    def uncertain_tokens(self) -> tuple[tuple[int, int], ...]:
        """Returns the item's token ranges that depend on a missing header, as (first, last) inclusive."""

    def loop_pragmas(self) -> tuple[tuple[int, str], ...]:
        """Returns the loop pragmas in the item: for each, the token index after it and its first words."""

    def is_declared_later(self, name: str) -> bool:
        """Whether an item after this one declares the name."""

    def is_macro_of_unknown_value(self, name: str) -> bool:
        """Whether the name is a macro defined as itself (`-DN=N`), or one whose expansion is too large."""

    def host_may_define_names(self) -> bool:
        """Whether the unit depends on names that only the host defines, or on an unavailable header."""

    def has_guessed_conditions(self) -> bool:
        """Whether the host may define a name so that a condition includes other code."""

    def program_scope_macro_words(self) -> frozenset[str]:
        """Returns the identifiers in the unknown macro calls at program scope before or in this item."""

    def is_within_macro_call(self) -> bool:
        """Whether an unknown macro call begins in an item before this one and does not end in the same item."""

    def is_macro_call_closed_later(self) -> bool:
        """Whether an item after this one begins with the end of a macro call."""

    def declared_names(self) -> frozenset[str]:
        """Returns all names declared at program scope anywhere in the unit. A tag is listed as `struct S`."""

    def vocabulary(self) -> frozenset[str]:
        """Returns the names of all typedefs and macros of the unit."""


def uncertain_symbol(symbol: Symbol) -> Symbol:
    """Returns the symbol with an unknown type, value and alignment, and without parameters."""
    return Symbol(
        symbol.name,
        symbol.kind,
        UNKNOWN,
        symbol.ref,
        symbol.scope,
        Constancy.UNKNOWN,
        automatic=symbol.automatic,
        alignment=None,
    )


def member_named(members: Iterable[Member], name: str) -> Member | None:
    """Returns the member called `name`, or None."""
    for member in members:
        if member.name == name:
            return member
    return None


def in_object(member: Type, container: Type) -> Type:
    """Returns a member's type as an lvalue, with the space and qualifiers of its object (C99 6.5.2.3p3)."""
    type_ = member.with_space(container.space) if container.space is not None else member
    return type_.with_qualifiers(type_.qualifiers | container.qualifiers) if container.qualifiers else type_
