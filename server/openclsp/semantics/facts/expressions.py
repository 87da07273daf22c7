"""Facts about expressions: conversions, operators, and what is read, written and reinterpreted."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.semantics.entities import Entity, Origin, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import Type


class Context(Enum):
    """Why a value is converted; the value is the participle that a message begins with."""

    ASSIGNMENT = "assigning"
    INITIALISATION = "initialising"
    ARGUMENT = "passing"
    RETURN = "returning"
    CAST = "casting"


@dataclass(frozen=True, slots=True)
class Conversion:
    """A value is converted to a type. `target_origin` is the entity whose type is the target (variable, parameter,
    the function whose result it is, the cast). `callee` and `argument` (from 0) are set for arguments.

    `target_name` is the name of that entity, for people; empty where it has none."""

    context: Context
    value: Value
    target: Type
    place: Place
    target_origin: Origin | None = None
    callee: str = ""
    argument: int = -1
    target_name: str = ""


@dataclass(frozen=True, slots=True)
class EndianConversion:
    """The pointer `name` is converted to one whose attribute gives another byte order: `host` or `device`."""

    name: str
    order: str
    target_order: str
    place: Place
    source: Origin
    target: Origin


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands meet: `operator` is `==` `!=` `<` `>` `<=` `>=` `-` `?:`. `place` is the operator's leaf."""

    operator: str
    left: Value
    right: Value
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class SizeOperation:
    """The sizes of two pointer types meet at an operator (`==`, `<`, `/`, …): `left` and `right` are the types, of an
    array its element's. `place` is the operator's leaf."""

    operator: str
    left: Type
    right: Type
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class Application:
    """Something is done with opaque values or blocks that takes numbers and pointers. `operator` is as in the text, or
    `?:`, `cast`, `[]` for an index; or the word of the statement whose condition it is. `target` is a cast's type.
    `place` is the operator's leaf, or else the operand."""

    operator: str
    operands: tuple[Value, ...]
    place: Place
    target: Type | None = None


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
class NarrowStore:
    """An object of less than 32 bits is written through a pointer, where no pragma has switched on what allows that in
    OpenCL C 1.0."""

    value: Value


@dataclass(frozen=True, slots=True)
class Reinterpretation:
    """The bits of a value are taken as another type: `as_int` and its like."""

    value: Value
    target: Type
    place: Place


class HalfUse(Enum):
    """What is done with a half; the value says it in words."""

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
    """A half is more than stored, where no pragma has switched cl_khr_fp16 on (OpenCL C 6.3.1.1). `entity` is what is
    declared, `value` what is read or written."""

    use: HalfUse
    place: Place
    entity: Entity | None = None
    value: Value | None = None
