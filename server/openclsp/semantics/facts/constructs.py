"""Facts about single places: constructs that some dialect restricts, faults of syntax, and unknown names."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.bounds import Bound
from openclsp.semantics.entities import Entity, Place


class ConstructKind(Enum):
    """A construct that some dialect restricts; the value is the noun for people."""

    VARIABLE_LENGTH_ARRAY = "variable length array"
    FLEXIBLE_ARRAY = "flexible array member"
    UNSIZED_MEMBER = "array without a size before another member"
    BIT_FIELD = "bit-field"
    FUNCTION_POINTER = "pointer to function"
    BLOCK = "block"
    RESTRICT_NOT_POINTER = "restrict on a type that is no pointer"
    GENERIC_QUALIFIER = "the reserved word generic as a qualifier"
    FUNCTION_TYPE_SPACE = "address space on a function type"
    ADDRESS_OF_VECTOR_ELEMENT = "address of a vector element"
    ATOMIC_QUALIFIER = "the keyword _Atomic"
    RESERVED_NAME = "reserved word used as an identifier"
    RESERVED_NAME_ALONE = "reserved word in the place of the only name of a declaration"
    AUTO_TYPE = "declaration without a type"
    OPAQUE_ELEMENT = "element of an opaque object"
    CAPTURED_BLOCK = "block variable in another block"
    ADDRESS_OF_CAPTURE = "address of a captured variable"
    ACCESS_QUALIFIER = "access qualifier on a type that is no image and no pipe"
    ACCESS_CONFLICT = "two access qualifiers"
    ACCESS_PIPE = "read_write on a pipe"
    PIPE = "pipe"
    BLOCK_STORAGE = "the storage class __block"
    PREDEFINED_IDENTIFIER = "predefined identifier"
    VENDOR_SPACE = "address space by an attribute"
    ENDIAN = "byte order by an attribute"
    SECOND_STORAGE_CLASS = "second storage class"


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


@dataclass(frozen=True, slots=True)
class LimitReached:
    """What lies at the place is beyond a bound of the analysis: nothing is known of it."""

    place: Place
    bound: Bound


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
