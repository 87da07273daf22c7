"""Facts about declarations: variables, functions, structures, and names that are declared again."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.semantics.entities import Entity, EntityRef, Place
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types import Type


class Scope(Enum):
    """Where a declaration stands (C99 6.2.1, and OpenCL C 6.7.2 for a kernel's outermost compound statement)."""

    PROGRAM = "program scope"
    KERNEL = "the outermost scope of a kernel"
    KERNEL_INNER = "an inner scope of a kernel"
    BLOCK = "a block in a kernel or at program scope"
    FUNCTION = "a function"
    PARAMETER = "a parameter"
    KERNEL_PARAMETER = "a kernel parameter"
    MEMBER = "a member"


@dataclass(frozen=True, slots=True)
class Initialiser:
    """The initialiser of a declaration; `constancy` of all its parts together."""

    place: Place
    constancy: Constancy


@dataclass(frozen=True, slots=True)
class Declaration:
    """A variable, parameter, member or typedef is declared.

    `storage` is `static`, `extern`, `typedef`, `auto`, `register` or empty, `storage_place` its leaf.
    `definition` is false for an `extern` without initialiser and for the parameters of a prototype.
    """

    entity: Entity
    scope: Scope
    storage: str
    storage_place: Place | None
    initialiser: Initialiser | None
    definition: bool


@dataclass(frozen=True, slots=True)
class FunctionDeclaration:
    """A function is declared or defined. Level 0 of `entity` is the function's *result*, level 1 its pointee …

    `parameters` in order. `attributes` are the names given in
    `__attribute__((…))`.
    """

    entity: Entity
    result: Type
    parameters: tuple[Entity, ...]
    kernel: bool
    definition: bool
    variadic: bool
    storage: str
    storage_place: Place | None
    attributes: frozenset[str]


@dataclass(frozen=True, slots=True)
class KernelRecord:
    """A kernel takes a struct or union by value: every member, nested ones with their dotted path, its type with its
    pointees' spaces as declared, and where it is declared."""

    parameter: Entity
    members: tuple[tuple[str, Type, EntityRef], ...]


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type is named outside of a declaration: a cast, `sizeof`, a compound literal. (The conversion that a cast
    makes is a Conversion of its own.)"""

    entity: Entity
    operand: Value | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Redeclaration:
    """A name is declared again at the same scope: `previous` and `entity` have these types. `redefinition` where both
    are definitions, of which there may be one (C99 6.9p5)."""

    entity: Entity
    previous: EntityRef
    previous_type: Type
    overloadable: bool
    redefinition: bool = False


@dataclass(frozen=True, slots=True)
class TagRedeclaration:
    """A tag is declared again at the same scope: defined a second time, or as another kind of type, of which `previous`
    (`struct S`) is the first. `member` is one of the first definition's, where it has any."""

    tag: str
    previous: str
    member: EntityRef | None
    place: Place


@dataclass(frozen=True, slots=True)
class UnionMembers:
    """A union is defined whose members are pointers, among others: their names, types and places."""

    keyword: str
    name: str
    pointers: tuple[Entity, ...]
    place: Place
