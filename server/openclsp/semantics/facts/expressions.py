"""Facts about expressions: conversions, operators, accesses and reinterpretations."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import Entity, Origin, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Type


class ConversionKind(Enum):
    """The reason for a conversion."""

    ASSIGNMENT = "assigning"
    INITIALISATION = "initialising"
    ARGUMENT = "passing"
    RETURN = "returning"
    CAST = "casting"


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion of a value to a type.

    - `target_origin`: the entity whose type is the target: a variable, a parameter, a cast, or the function
      that returns the value.
    - `target_name`: the name of that entity for messages; empty if it has none.
    - `callee`, `argument`: for an argument of a call, the name of the function and the index, from 0.
    """

    context: ConversionKind
    value: Value
    target: Type
    place: Place
    target_origin: Origin | None = None
    callee: str = ""
    argument: int = -1
    target_name: str = ""


@dataclass(frozen=True, slots=True)
class EndianConversion:
    """A conversion of the pointer `name` to a pointer whose pointee has another byte order.

    `order` and `target_order` are the byte orders before and after: `host` or `device`.
    """

    name: str
    order: str
    target_order: str
    place: Place
    source: Origin
    target: Origin


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator on two operands, at least one of them a pointer.

    `operator` is `==` `!=` `<` `>` `<=` `>=` `-` `?:`; `place` is its token.
    """

    operator: str
    left: Value
    right: Value
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class SizeOperation:
    """An operator (`==`, `<`, `/`, …) on the sizes of two pointer types.

    `left` and `right` are these types; for an array of pointers, the type of its elements. `place` is the
    operator's token.
    """

    operator: str
    left: Type
    right: Type
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class Application:
    """An operator or a condition that is applied to opaque values or blocks.

    - `operator`: the operator as written, `?:`, `cast`, `[]` for an index, or the keyword of the statement
      that has the condition.
    - `target`: the type of a cast.
    - `place`: the operator's token, or the operand if there is none.
    """

    operator: str
    operands: tuple[Value, ...]
    place: Place
    target: Type | None = None


class AccessKind(Enum):
    """The kinds of accesses to an lvalue."""

    WRITE = "written"
    ADDRESS = "address taken"


@dataclass(frozen=True, slots=True)
class Access:
    """A write to an lvalue or the operator `&` on it. `operator` is the operator (`=`, `+=`, `++`, `&`)."""

    kind: AccessKind
    value: Value
    operator: str
    place: Place


@dataclass(frozen=True, slots=True)
class NarrowStore:
    """A write of less than 32 bits through a pointer, without the extension that OpenCL C 1.0 requires for
    it.
    """

    value: Value


@dataclass(frozen=True, slots=True)
class Reinterpretation:
    """A reinterpretation of the bits of a value as another type by `as_int` or a similar function."""

    value: Value
    target: Type
    place: Place


class HalfUse(Enum):
    """The kinds of uses of half; the value describes the use in messages."""

    VARIABLE = "a variable of type half"
    PARAMETER = "a parameter of type half"
    KERNEL_RECORD = "a kernel's structure with a member of type half"
    RESULT = "a result of type half"
    CAST = "a cast to half"
    LITERAL = "a literal of type half"
    READ = "reading a half"
    WRITE = "writing a half"


@dataclass(frozen=True, slots=True)
class HalfStorage:
    """A use of half that no pragma for cl_khr_fp16 enables (OpenCL C 6.3.1.1).

    `entity` is the declaration that uses half, `value` the object that is read or written. A cast or a
    literal has neither.
    """

    use: HalfUse
    place: Place
    entity: Entity | None = None
    value: Value | None = None
