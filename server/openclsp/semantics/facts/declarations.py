"""Facts about declarations of variables, functions and structures, and about redeclarations."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import Entity, EntityRef, Place
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.type_model import Type


class Scope(Enum):
    """The scope of a declaration (C99 6.2.1; OpenCL C 6.7.2 for a kernel's outermost compound statement)."""

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
    """The initialiser of a declaration; `constancy` states whether the whole initialiser is constant."""

    place: Place
    constancy: Constancy


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration of a variable, parameter, member or typedef.

    `storage` is `static`, `extern`, `typedef`, `auto`, `register` or empty; `storage_place` is the place of
    this keyword. `definition` is False for an `extern` declaration without an initialiser, and for the
    parameters of a prototype.
    """

    entity: Entity
    scope: Scope
    storage: str
    storage_place: Place | None
    initialiser: Initialiser | None
    definition: bool


@dataclass(frozen=True, slots=True)
class FunctionDeclaration:
    """A declaration or definition of a function.

    Level 0 of `entity` describes the function's *result*, level 1 the result's pointee, and so on.
    `parameters` are in order. `attributes` are the names in `__attribute__((…))`.
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
    """A struct or union parameter of a kernel, passed by value.

    `members` lists all members, including nested ones, as (name, type, declaration). The name of a nested
    member is a path with dots: `inner.data`.
    """

    parameter: Entity
    members: tuple[tuple[str, Type, EntityRef], ...]


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type name outside of a declaration: in a cast, `sizeof` or a compound literal.

    The conversion performed by a cast is a separate Conversion.
    """

    entity: Entity
    operand: Value | None
    scope: Scope


@dataclass(frozen=True, slots=True)
class Redeclaration:
    """A redeclaration of a name in the same scope.

    `redefinition` means that both declarations are definitions; C99 6.9p5 allows only one.
    """

    entity: Entity
    previous: EntityRef
    previous_type: Type
    overloadable: bool
    redefinition: bool = False


@dataclass(frozen=True, slots=True)
class TagRedeclaration:
    """A tag declared again in the same scope: defined a second time, or as another kind of type.

    - `previous`: the tag with the keyword of its first declaration (`struct S`).
    - `member`: the first member of the first definition; None if that has no members.
    """

    tag: str
    previous: str
    member: EntityRef | None
    place: Place


@dataclass(frozen=True, slots=True)
class UnionMembers:
    """A definition of a union that has several pointers among its members."""

    keyword: str
    name: str
    pointers: tuple[Entity, ...]
    place: Place
