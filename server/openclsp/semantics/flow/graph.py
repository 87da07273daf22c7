"""The flow graph of one function, as immutable values.

A function (or block literal) is a list of *nodes*, each a points-to set given by its sources. A value is a
tuple of *atoms*. There is a node for each parameter, for the result, for each assignment to a variable and
for each merge of paths. A graph is independent of other functions: a call names its callee, and the solution
supplies the result.

All data are tuples and numbers, so that graphs compare by value: an edit that does not change the graph needs
no new solution.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef, ItemKey, Place
from openclsp.semantics.flow.transfers import Transfer

FunctionId = tuple[ItemKey, int]
"""A function's item, and 0 or the number of a block literal's entity"""

Path = tuple[str, ...]
"""Member names that lead from an object to a part of it.

All elements of an array are one part. Ends with ANYWHERE if the part is not known, and in a union, whose
members share one place.
"""
ANYWHERE = "*"


class ObjectId(NamedTuple):
    """A memory object that contains pointers.

    `pointer_paths` lists the paths to the pointers in it. `kind` is

    - `variable`: a variable or parameter
    - `literal`: a compound literal
    - `result`: the struct that a function returns
    - `value`: a struct value that is in no variable
    - `host`: the memory that kernel arguments point to, one object for each space and type
    - `pipe`: all pipes with packets of one type
    """

    kind: str
    owner: object
    space: Space | None
    pointer_paths: tuple[Path, ...]
    name: str


COPY, BASE, OBJECT, RESULT, LOAD, CELL, DATA, BLOCK = range(8)
"""Kinds of atoms, by source:

COPY    node `a`, moved to member `b` of what it points to
BASE    data in the space with bit `a` (or null, or unknown); `b` is the declared object, if any
OBJECT  the address of member `b` of object `a`
RESULT  the result of call number `a`, or the pointer at path `b` in the struct that it returns
LOAD    a load from member `b` of what node `a` points to
CELL    a load from member `b` of object `a`
DATA    a load from unknown objects in the space with bit `a`
BLOCK   the block literal with id `a`
"""


class Atom(NamedTuple):
    """One source of a value, with the transfer (a cast, a test, …) that is applied to the source.

    `place` is the place in the text where the source is read.
    """

    kind: int
    a: Any
    b: Any
    transfer: Transfer
    place: Place


Flow = tuple[Atom, ...]
"""A value: the union of its atoms.

Empty if nothing has reached it, or if it is no pointer.
"""


class Declared(NamedTuple):
    """A declared object as shown to the user: its name, its kind, and the entity that declares it."""

    name: str
    what: str
    ref: EntityRef | None


class NodeInfo(NamedTuple):
    """The description of a node for messages and queries.

    `kind` is `parameter`, `variable`, `result`, `merge`, `narrowed`, `null` (tested to be null), `part`,
    `captured`, `returned`, `cast` or `temporary`. `entity` is the number of the entity to which the node's
    value is assigned, or of the cast.
    """

    kind: str
    name: str
    place: Place
    entity: int = -1


class Store(NamedTuple):
    """A store of `value` to memory.

    The store goes to member `path` of the object that `address` points to. `place` is the whole assignment.
    If the address `copied` is given, memory is copied from there member by member, and `value` is empty.
    """

    address: Flow
    path: Path
    value: Flow
    place: Place
    name: str
    copied: Flow = ()


class CallSite(NamedTuple):
    """A call of a function or of block literals, or the creation of a block literal.

    Creating a block literal passes the captured variables to it, like arguments.

    - `name`: the callee's name, for messages
    - `callee`: the declaration of the called function
    - `through`: the called blocks, as a value. If neither `callee` nor `through` is given, an unknown
      function is called.
    - `block`: the block literal that is created; None for a call
    - `enqueued`: whether the callee is a block that runs as a kernel; its parameters point to local memory
    - `certain`: whether the call happens whenever the function runs (see `guards`)
    """

    name: str
    callee: EntityRef | None
    through: Flow
    block: FunctionId | None
    arguments: tuple[Flow, ...]
    argument_places: tuple[Place, ...]
    place: Place
    enqueued: bool = False
    certain: bool = False


class EventKind:
    """Kinds of uses of a pointer that a finding may be about."""

    DEREFERENCE = "dereference"
    CAST = "cast"
    ADDRESS_FUNCTION = "address function"
    COMPARISON = "comparison"
    RETURN = "return"
    INTEGER = "integer"
    BUILTIN = "builtin"


class Event(NamedTuple):
    """A use of a pointer.

    - `value`: the pointer
    - `other`: the second operand of a comparison
    - `target`: the bit of the space that a cast or address space function names; for other built-in
      functions, the index of the argument, from 0
    - `name`: the operator or function
    - `certain`: whether the use happens whenever the function runs (see `guards`)
    """

    kind: str
    place: Place
    value: Flow
    other: Flow
    target: int
    name: str
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function or block.

    - `transfer`: the conversion to the parameter's type
    - `base`: the value that a caller outside the unit passes, such as the host for a kernel
    - `captured`: whether this is a variable that a block captures
    """

    node: int
    name: str
    place: Place
    transfer: Transfer
    base: Flow
    number: int
    captured: bool = False


@dataclass(frozen=True, slots=True)
class FunctionFlow:
    """The flow graph of one function or block literal."""

    id: FunctionId
    name: str
    kernel: bool
    parameters: tuple[Parameter, ...]
    nodes: tuple[Flow, ...]
    infos: tuple[NodeInfo, ...]
    result: int
    stores: tuple[Store, ...]
    calls: tuple[CallSite, ...]
    events: tuple[Event, ...]
    place: Place
    results: tuple[tuple[Path, int], ...] = ()
    """The nodes of the pointers in a returned struct, by path"""
    names: tuple[tuple[int, Flow], ...] = ()
    """The values of names, by token index, if they were requested"""
    variables: tuple[tuple[int, str, Place], ...] = ()
    """The tracked variables that are generic pointers, without parameters: entity, name, declaration"""
    carries: bool = False
    """Whether it converts integers to pointers, or may access pointers as plain data"""
