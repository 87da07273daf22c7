"""OpenCL C programs about pointers as plain values, to be generated, printed, solved and run.

Only constructs that carry pointers are represented. A condition is opaque (any path may be taken) unless it tests a
pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

GENERIC = "generic"
NAMED = ("global", "local", "private")
NULL = "null"


# --- types


@dataclass(frozen=True, slots=True)
class Plain:
    """A type without pointers, or an integer wide enough to carry one (`ulong`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer into `space`; `generic` if the text names none."""

    space: str
    pointee: Type


@dataclass(frozen=True, slots=True)
class Array:
    element: Type
    size: int


@dataclass(frozen=True, slots=True)
class Record:
    """A struct or union, given by its tag."""

    tag: str


Type = Plain | Pointer | Array | Record
INT = Plain("int")
CARRIER = Plain("ulong")
VOID = Plain("void")
POINTER = Pointer(GENERIC, INT)


@dataclass(frozen=True, slots=True)
class RecordType:
    """The members of a struct or union, in order."""

    tag: str
    union: bool
    members: tuple[tuple[str, Type], ...]


# --- lvalues: where a value is kept


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, given by its name; `type` is its own type."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Member:
    base: Place
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Dereference:
    """`*pointer`, or `pointer->member` if a member is given."""

    pointer: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array, with an opaque index."""

    base: Place
    type: Type
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """A compound literal: an unnamed private object, numbered within its function."""

    number: int
    type: Type
    values: Values


Place = Variable | Member | Dereference | Element | Literal


# --- expressions


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a place. If it is a generic pointer, it is a use with the number `use`."""

    place: Place
    use: int | None = None


@dataclass(frozen=True, slots=True)
class AddressOf:
    """`&place`, or an array's name, which decays to a pointer to its first element."""

    place: Place
    space: str


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type)operand`; `type` is a pointer type or `CARRIER`."""

    type: Type
    operand: Expression


@dataclass(frozen=True, slots=True)
class ToSpace:
    """`to_global(operand)` or one of its variants."""

    space: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """`condition ? first : second`."""

    condition: Condition
    first: Expression
    second: Expression


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class BlockCall:
    block: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Null:
    """A null pointer constant."""


@dataclass(frozen=True, slots=True)
class Offset:
    """Pointer arithmetic that stays in the object: `form` is the text with `{}` for the pointer."""

    form: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class AssignValue:
    """`(place = value)` as an expression."""

    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Compound:
    """A braced initialiser of a record or array; omitted parts are zero."""

    type: Type
    values: Values


Values = tuple[tuple[str | int, "Expression"], ...]
"""Initial values by member or by the element's number."""

Expression = (
    Load | AddressOf | Cast | ToSpace | Choice | Call | BlockCall | Null | Offset | AssignValue | Compound
)


# --- conditions


@dataclass(frozen=True, slots=True)
class Opaque:
    """A condition on an argument of the kernel, so that either branch may be taken."""

    number: int


@dataclass(frozen=True, slots=True)
class Steady:
    """Nobody knows which way, but it is the same way each time in a run."""

    number: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class NotNull:
    """`(operand)` as a condition, or `!(operand)`, for a pointer or `to_space(pointer)`."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Both:
    """`first && second`, or `first || second`."""

    first: Condition
    second: Condition
    either: bool


Condition = Opaque | Steady | NotNull | Both


# --- statements


@dataclass(frozen=True, slots=True)
class Declare:
    """A variable of a function in the address space `space`; uninitialised if it has no value.

    `constant`: it is declared `const` and never assigned again.
    """

    variable: Variable
    value: Expression | None
    space: str = "private"
    constant: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Advance:
    """Arithmetic that changes the pointer in a place within its object: `form` is the text with `{}` for the place."""

    form: str
    place: Place


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression that is evaluated for its uses: `form` is the text with `{}` for it."""

    form: str
    value: Expression


@dataclass(frozen=True, slots=True)
class If:
    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """`kind` is for, while or do; the number of iterations is opaque and bounded."""

    kind: str
    condition: Condition
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """Each case with whether it ends in `break`; `default` is whether the last case is the default."""

    number: int
    cases: tuple[tuple[tuple[Statement, ...], bool], ...]
    default: bool


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Jump:
    """`break`, `continue` or `goto label`, under an opaque condition unless that is None."""

    how: str
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Label:
    name: str


@dataclass(frozen=True, slots=True)
class DeclareBlock:
    """`result (^name)(parameters) = ^…{body}`; `captured` are the variables that the body captures by value."""

    name: str
    parameters: tuple[Variable, ...]
    result: Type
    captured: tuple[Variable, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class CopyBytes:
    """A loop that copies an object; `form` is word, byte or vector, helper if a function copies it, or builtin."""

    form: str
    type: Type
    to: Expression
    source: Expression


Statement = (
    Declare
    | Assign
    | Advance
    | Evaluate
    | If
    | Loop
    | Switch
    | Return
    | Jump
    | Label
    | DeclareBlock
    | CopyBytes
)


# --- programs


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    result: Type
    parameters: tuple[Variable, ...]
    body: tuple[Statement, ...]
    kernel: bool = False


@dataclass(frozen=True, slots=True)
class Global:
    """A program-scope variable in global memory; zero without a value."""

    variable: Variable
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """A translation unit. `known` are the answers that its generation determines, by the number of the use."""

    name: str
    records: tuple[RecordType, ...]
    globals: tuple[Global, ...]
    functions: tuple[Function, ...]
    known: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def record(self, tag: str) -> RecordType:
        """Returns the struct or union with that tag."""
        return next(each for each in self.records if each.tag == tag)


def type_of(program: Program, value: Expression) -> Type:
    """Returns the type of an expression."""
    if isinstance(value, Load):
        return value.place.type
    if isinstance(value, AddressOf):
        kept = value.place.type
        return Pointer(value.space, kept.element if isinstance(kept, Array) else kept)
    if isinstance(value, (Cast, Compound)):
        return value.type
    if isinstance(value, ToSpace):
        given = type_of(program, value.operand)
        assert isinstance(given, Pointer)
        return Pointer(value.space, given.pointee)
    if isinstance(value, Choice):
        first, second = type_of(program, value.first), type_of(program, value.second)
        if first == second or not (isinstance(first, Pointer) and isinstance(second, Pointer)):
            return first
        return first if first.space == GENERIC else Pointer(GENERIC, first.pointee)
    if isinstance(value, Call):
        return next(each.result for each in program.functions if each.name == value.function)
    if isinstance(value, Offset):
        return type_of(program, value.operand)
    if isinstance(value, AssignValue):
        return value.place.type
    return POINTER


def bodies(statement: Statement) -> Iterator[tuple[Statement, ...]]:
    """Yields the bodies of a statement that run as part of it, which excludes a block's body."""
    if isinstance(statement, If):
        yield statement.then
        yield statement.otherwise
    elif isinstance(statement, Loop):
        yield statement.body
    elif isinstance(statement, Switch):
        for body, _ in statement.cases:
            yield body


def inside(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yields each statement of a body and of nested bodies, in text order."""
    for each in statements:
        yield each
        for body in bodies(each):
            yield from inside(body)


def uses_memory(program: Program) -> bool:
    """Whether pointers are in anything but plain variables, or change other than by an assignment."""
    text = repr(program.functions)
    places = (Member, Element, Dereference, Literal, DeclareBlock, CopyBytes, Advance, AssignValue)
    globals_ = any(isinstance(each.variable.type, Pointer) for each in program.globals)
    return globals_ or any(f"{each.__name__}(" in text for each in places)


def copies_several_shapes(program: Program) -> bool:
    """Whether one helper copies objects of several types."""
    copied = {
        each.type
        for function in program.functions
        for each in _all_inside(function.body)
        if isinstance(each, CopyBytes) and each.form == "helper"
    }
    return len(copied) > 1


def _all_inside(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yields each statement of a body, including those in blocks."""
    for each in inside(statements):
        yield each
        if isinstance(each, DeclareBlock):
            yield from _all_inside(each.body)
