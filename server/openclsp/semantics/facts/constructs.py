"""Facts about single places: restricted constructs, syntax errors and unknown names."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Entity, Place
from openclsp.semantics.limits import Limit


class ConstructKind(Enum):
    """A kind of construct that some dialect restricts."""

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
    PREDEFINED_OUTSIDE = "predefined identifier outside of a function"
    VENDOR_SPACE = "address space by an attribute"
    ENDIAN = "byte order by an attribute"
    SECOND_STORAGE_CLASS = "second storage class"
    AUTO_VARIABLE = "auto in place of a type"
    COMPUTED_GOTO = "jump to an address"
    LABEL_ADDRESS = "address of a label"


@dataclass(frozen=True, slots=True)
class Construct:
    """An occurrence of a restricted construct.

    `detail` is the name or keyword that a message quotes. `entity` is the declaration that contains the
    construct; None if no declaration contains it.
    """

    kind: ConstructKind
    place: Place
    detail: str = ""
    entity: Entity | None = None
    space: Space | None = None


class SyntaxReason(Enum):
    """The reasons why a token is unexpected, if the token alone does not show it."""

    NONE = ""
    CONDITION = "a declaration in the place of a condition"
    TYPE = "a type in the place of a value"
    DECLARATION = "a declaration in the place of a statement"
    COMMA = "a comma after the last parameter"
    FUNCTION = "a function defined in a function"


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A syntax error.

    - `found`: the unexpected token or, if `expected` is set, the token before the missing one.
    - `expected`: the missing token; empty if nothing is missing.
    - `closing`: if `found` is an opening bracket without a closing one, the missing closing bracket; None if
      `found` is a closing bracket without an opening one; empty for all other errors.
    - `tolerated`: whether compilers accept the text with a warning.
    """

    place: Place
    found: str = ""
    expected: str = ""
    closing: str | None = ""
    tolerated: bool = False
    reason: SyntaxReason = SyntaxReason.NONE


@dataclass(frozen=True, slots=True)
class LimitReached:
    """Code that exceeds a limit of the analysis; its meaning is unknown."""

    place: Place
    bound: Limit


class NameRole(Enum):
    """The role of an unknown name, as far as syntax shows; the value is the noun for messages."""

    TYPE = "type"
    OTHER = "name"
    FUNCTION = "function"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class UnknownName:
    """An undeclared name that may be declared in unknown text.

    The grammar accepts a type or a macro where the name is, or an unknown macro may declare the name. `near`
    are known names of similar spelling. It is empty if an unavailable header or a branch excluded by a
    guessed condition may declare the name.
    """

    name: str
    place: Place
    role: NameRole
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnavailableName:
    """A use of an undeclared name that is a built-in function, type or constant in another dialect."""

    name: str
    place: Place
    role: NameRole
