"""What typing an item tells the rules: plain facts, each with its place; none says whether it is an error.

Facts are made by the declared layer in one pass and consumed at once by the rules that ask for their kind.
Places are leaves of the item (see `entities`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.entities import Entity, EntityRef, Origin, Place
from openclsp.semantics.types import Function, Type


class Context(Enum):
    """Why a value is converted; the value is the participle that a message begins with."""

    ASSIGNMENT = "assigning"
    INITIALISATION = "initialising"
    ARGUMENT = "passing"
    RETURN = "returning"
    CAST = "casting"


class Scope(Enum):
    """Where a declaration stands (C99 6.2.1, and OpenCL C 6.7.2 for a kernel's outermost compound statement)."""

    PROGRAM = "program scope"
    KERNEL = "the outermost scope of a kernel"
    KERNEL_INNER = "an inner scope of a kernel"
    FUNCTION = "a function"
    PARAMETER = "a parameter"
    KERNEL_PARAMETER = "a kernel parameter"
    MEMBER = "a member"


class Constancy(Enum):
    """What is known of a value before the program runs."""

    CONSTANT = "constant"
    NOT_CONSTANT = "not constant"
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What an expression yields: its type as written (an lvalue's with its object's space), and where it comes from.

    `origin` is None where no declaration gives the type. `null` marks a null pointer constant (C99 6.3.2.3p3),
    `string` a string literal, `element` a component of a vector. `constancy` is that of the value read, `number` its
    value where it is an integer constant expression; `fixed` says that the object has one address for the whole
    program.

    `held` is set for a member: at level `held[0]` of this value the space is that of the object around, which
    `held[1]` gave and which is called `held[2]`.
    """

    type: Type
    place: Place
    lvalue: bool = False
    origin: Origin | None = None
    name: str = ""
    null: bool = False
    string: bool = False
    constancy: Constancy = Constancy.NOT_CONSTANT
    number: int | None = None
    fixed: bool = False
    element: bool = False
    held: tuple[int, Origin, str] | None = None

    def given(self, depth: int) -> tuple[Origin | None, str]:
        """What gives level `depth` of this value its space, and its name: the declaration, or for a member the one of
        the object that holds it."""
        if self.held is not None and self.held[0] == depth:
            return self.held[1], self.held[2]
        if self.origin is None:
            return None, self.name
        return Origin(self.origin.entity, self.origin.level + depth), self.name


@dataclass(frozen=True, slots=True)
class Conversion:
    """A value is converted to a type. `target_origin` is the entity whose type is the target (variable, parameter,
    the function whose result it is, the cast). `callee` and `argument` (from 0) are set for arguments.

    `target_name` is the name of that entity, for people; empty where it has none. `outer_origin` is set for a cast
    whose result is itself converted at once: the entity that takes it (`l` in `local int *l = (local int *)g`)."""

    context: Context
    value: Value
    target: Type
    place: Place
    target_origin: Origin | None = None
    callee: str = ""
    argument: int = -1
    target_name: str = ""
    outer_origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands meet: `operator` is `==` `!=` `<` `>` `<=` `>=` `-` `?:`. `place` is the operator's leaf."""

    operator: str
    left: Value
    right: Value
    place: Place
    whole: Place


class AccessKind(Enum):
    """What is done with an lvalue."""

    WRITE = "written"
    ADDRESS = "address taken"


@dataclass(frozen=True, slots=True)
class Access:
    """An lvalue is written, or its address is taken. `operator` is as in the text (`=`, `+=`, `++`, `&`)."""

    kind: AccessKind
    value: Value
    operator: str
    place: Place


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
    """A kernel takes a struct or union by value: every member, nested ones with their dotted path, and its type with
    its pointees' spaces as declared."""

    parameter: Entity
    members: tuple[tuple[str, Type], ...]


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
class Call:
    """A function is called. `function` is None where it is not known; `recursive` where it is the one around."""

    name: str
    function: Type | None
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    recursive: bool


@dataclass(frozen=True, slots=True)
class UnresolvedCall:
    """A call of an overloaded function that means none of the candidates, though the types of all arguments are known:
    either none takes them (`viable` is empty), or several take them equally well. `place` is the function's name."""

    name: str
    arguments: tuple[Value, ...]
    candidates: tuple[Function, ...]
    viable: tuple[Function, ...]
    place: Place
    whole: Place


class ConstructKind(Enum):
    """A construct that some dialect restricts; the value is the noun for people."""

    VARIABLE_LENGTH_ARRAY = "variable length array"
    FLEXIBLE_ARRAY = "flexible array member"
    BIT_FIELD = "bit-field"
    FUNCTION_POINTER = "pointer to function"
    BLOCK = "block"
    RESTRICT_NOT_POINTER = "restrict on a type that is no pointer"
    GENERIC_QUALIFIER = "the reserved word generic as a qualifier"
    FUNCTION_TYPE_SPACE = "address space on a function type"
    ADDRESS_OF_VECTOR_ELEMENT = "address of a vector element"
    RESERVED_NAME = "address space name used as an identifier"
    AUTO_TYPE = "declaration without a type"
    OPAQUE_ELEMENT = "element of an opaque object"


@dataclass(frozen=True, slots=True)
class Construct:
    """Such a construct occurs. `detail` is the name or word at issue; `entity` the declaration that it belongs to."""

    kind: ConstructKind
    place: Place
    detail: str = ""
    entity: Entity | None = None
    space: Space | None = None


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The parser could not go on here. `found` is the word there, which is not what the grammar allows, or after which
    `expected` is missing. `closing` is what would close the bracket `found`; None for one that closes nothing itself,
    empty where no bracket is at fault."""

    place: Place
    found: str = ""
    expected: str = ""
    closing: str | None = ""


class NameRole(Enum):
    """What an unknown name stands for, as far as the parser can tell; the value is the noun for people."""

    TYPE = "type"
    OTHER = "name"
    FUNCTION = "function"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that nothing here declares or defines stands where a type is wanted, or where only a macro can stand.
    `near` are the known names that it may be a slip for; empty where something that is not known here (a header that
    cannot be had, a branch left out by a guess) may declare it."""

    name: str
    place: Place
    role: NameRole
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnavailableName:
    """A built-in function, type or constant that other dialects have is used, and nothing here declares the name."""

    name: str
    place: Place
    role: NameRole


Fact = (
    Conversion
    | Operation
    | Access
    | Declaration
    | FunctionDeclaration
    | KernelRecord
    | TypeName
    | Redeclaration
    | Call
    | UnresolvedCall
    | Construct
    | SyntaxFault
    | UnknownName
    | UnavailableName
)
