"""What typing an item tells the rules: plain facts, each with its place; none says whether it is an error.

Facts are made by the declared layer in one pass and consumed at once by the rules that ask for their kind.
Places are leaves of the item (see `entities`).
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.dataclass import dataclass
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
    BLOCK = "a block in a kernel or at program scope"
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

    `hidden` is the named space into which a generic pointer, or an integer made of a pointer, certainly points, where
    the expression itself shows it. `measured` is the type whose size the value is. `captured` says that it is, or lies
    in, the constant copy that a block makes of a variable around it; `of_block` that a block was called for it.
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
    hidden: Space | None = None
    measured: Type | None = None
    captured: bool = False
    of_block: bool = False

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
class UnionMembers:
    """A union is defined whose members are pointers, among others: their names, types and places."""

    keyword: str
    name: str
    pointers: tuple[Entity, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Application:
    """Something is done with opaque values or blocks that takes numbers and pointers. `operator` is as in the text, or
    `?:`, `cast`, `[]` for an index; or the word of the statement whose condition it is. `target` is a cast's type.
    `place` is the operator's leaf, or else the operand."""

    operator: str
    operands: tuple[Value, ...]
    place: Place
    target: Type | None = None


@dataclass(frozen=True, slots=True)
class BlockLiteral:
    """A block literal; `place` is its `^`, `parameters` are the places of its parameters. `captures` are the variables
    around that it reads, at their first use in it; `returned` are the types of its `return` statements with their places,
    where they say what it yields."""

    type: Type
    place: Place
    parameters: tuple[Place, ...]
    captures: tuple[Value, ...]
    returned: tuple[tuple[Type, Place], ...]


@dataclass(frozen=True, slots=True)
class EnqueueCall:
    """A call of a built-in function that takes a block: `enqueue_kernel`, or a question about a kernel. Arrays among the
    arguments are still arrays. `literal` is the block that is passed, which may stand elsewhere; None if not known."""

    name: str
    arguments: tuple[Value, ...]
    literal: BlockLiteral | None
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
class Call:
    """A function is called. `function` is None where it is not known; `recursive` where it is the one around."""

    name: str
    function: Type | None
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    recursive: bool


class DeferredCall(NamedTuple):
    """A call of the program's function `name`, of which only the result was looked at: what its parameters say of the
    arguments is another question. Calls with arguments that are alike in all that rules judge by are of one `sort`."""

    name: str
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    sort: int


@dataclass(frozen=True, slots=True)
class RecursiveCall:
    """A call of `callee` that leads back to `function`, which is the one around. `origin` is the callee."""

    callee: str
    place: Place
    function: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class KernelCall:
    """The kernel `callee`, which has `variables` in local memory, is called as a function. `origin` is the kernel."""

    callee: str
    place: Place
    variables: tuple[str, ...]
    origin: Origin


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


class ArgumentFault(Enum):
    """What is wrong with an argument of a built-in function that no signature describes."""

    NO_POINTER = "no pointer"
    NO_PIPE = "no pipe"
    ACCESS = "another access"
    TYPE = "another type"
    CONSTANT = "a pointer into constant"
    COUNT = "another number of arguments"


@dataclass(frozen=True, slots=True)
class InvalidArgument:
    """Argument `number` (from 0) of the built-in function `name` is not what it must be; `wanted` says that in words,
    for ACCESS it is the qualifier. `value` is the argument before an array became a pointer; for COUNT only its place
    counts, the end of the call."""

    name: str
    fault: ArgumentFault
    number: int
    value: Value
    wanted: str


@dataclass(frozen=True, slots=True)
class Reinterpretation:
    """The bits of a value are taken as another type: `as_int` and its like."""

    value: Value
    target: Type
    place: Place


@dataclass(frozen=True, slots=True)
class FormatArgument:
    """Argument `number` (from 0) of a printf is what a `%s` of its literal format takes."""

    number: int
    value: Value


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


@dataclass(frozen=True, slots=True)
class NarrowStore:
    """An object of less than 32 bits is written through a pointer, where no pragma has switched on what allows that in
    OpenCL C 1.0."""

    value: Value


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
    RESERVED_NAME = "address space name used as an identifier"
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
class EndianConversion:
    """The pointer `name` is converted to one whose attribute gives another byte order: `host` or `device`."""

    name: str
    order: str
    target_order: str
    place: Place
    source: Origin
    target: Origin


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


@dataclass(frozen=True, slots=True)
class BarrierFence:
    """A barrier is called whose flags are known: `fenced` are the kinds of memory that they name (`local`, `global`,
    `image`). Since a barrier last named it, what is not in `may` has certainly not been touched; since the last barrier,
    what is in `seen` and in `written` is touched and written in the text. `place` is the flags."""

    name: str
    fenced: frozenset[str]
    may: frozenset[str]
    seen: frozenset[str]
    written: frozenset[str]
    place: Place


class Reaching(NamedTuple):
    """What reaches a generic pointer, all of which is known: the spaces of the objects, and whether it may be null.
    `sources` are those objects, and parameters, that the function itself names, each with its space and its name."""

    spaces: tuple[Space, ...]
    null: bool
    sources: tuple[tuple[Space, Origin, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReachedCast:
    """A generic pointer, or an integer made of a pointer (`integer`), is cast to a pointer into `target`."""

    reaching: Reaching
    target: Space
    place: Place
    integer: bool


@dataclass(frozen=True, slots=True)
class AddressQuestion:
    """`to_global` or its like is called, `name`, which asks for `target`. `tested` where another question has already told
    something of the pointer there."""

    name: str
    reaching: Reaching
    target: Space
    place: Place
    tested: bool = False


@dataclass(frozen=True, slots=True)
class ReachedComparison:
    """Two pointers are compared with `operator`."""

    operator: str
    left: Reaching
    right: Reaching
    place: Place


@dataclass(frozen=True, slots=True)
class EmptyUse:
    """A generic pointer is dereferenced, or passed to the built-in function `callee`, that no object has reached."""

    null: bool
    callee: str
    place: Place


@dataclass(frozen=True, slots=True)
class PointerStore:
    """A pointer is stored in memory, under `name`: what it holds, and where it is stored to."""

    name: str
    value: Reaching
    target: Reaching
    place: Place


@dataclass(frozen=True, slots=True)
class ReturnedAddress:
    """A function returns the address of its own variable `name`, through the calls of `helpers`."""

    name: str
    origin: Origin
    helpers: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class EnqueuedCapture:
    """A block that is enqueued has captured a generic pointer, `name`."""

    name: str
    reaching: Reaching
    origin: Origin
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedDeclaration:
    """A generic pointer is declared: a parameter of `function`, or a variable of it (`parameter` is false). `origin` is its
    pointee. What reaches it is what all functions pass, or assign, that a kernel reaches."""

    name: str
    function: str
    parameter: bool
    origin: Origin
    reaching: Reaching
    place: Place


Fact = (
    Conversion
    | Operation
    | SizeOperation
    | Application
    | BlockLiteral
    | EnqueueCall
    | UnionMembers
    | Access
    | Declaration
    | FunctionDeclaration
    | KernelRecord
    | TypeName
    | Redeclaration
    | TagRedeclaration
    | Call
    | RecursiveCall
    | KernelCall
    | UnresolvedCall
    | InvalidArgument
    | Reinterpretation
    | FormatArgument
    | HalfStorage
    | NarrowStore
    | Construct
    | EndianConversion
    | SyntaxFault
    | UnknownName
    | UnavailableName
    | BarrierFence
    | ReachedCast
    | AddressQuestion
    | ReachedComparison
    | EmptyUse
    | PointerStore
    | ReturnedAddress
    | EnqueuedCapture
    | ReachedDeclaration
)
