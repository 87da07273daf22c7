"""How pointers flow within one function, as values: what the solution joins into one graph of the unit.

A function (or block literal) is a list of *nodes*, each a set of places that a value comes from. A value is a tuple of
*atoms*; a node is made for a parameter, the result, each assignment to a variable, and each merge of a loop. Nothing here
depends on other functions: a call names its callee, and what comes of it is the solution's.

Everything is plain tuples and numbers, so that equal flow is equal, and an edit that leaves it as it was ends here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.entities import EntityRef, ItemKey, Place
from openclsp.semantics.flow.transfers import Transfer

FunctionId = tuple[ItemKey, int]
"""A function's item and 0, or the number of a block literal's entity in that item."""

Path = tuple[str, ...]
"""The way from an object to a member in it, by names; elements of arrays count as one. Ends with ANYWHERE where it is not
known which part is meant, and in a union, whose members share one place."""
ANYWHERE = "*"


class ObjectId(NamedTuple):
    """Memory that holds pointers. `leaves` are the ways to the pointers in it.

    `kind` is `variable`; `parameter` or `result` for a struct passed or returned by value; `host` for what a kernel's
    argument points to, one for each space and type; `literal` for a compound literal.
    """

    kind: str
    owner: object
    space: Space | None
    leaves: tuple[Path, ...]
    name: str


COPY, BASE, OBJECT, RESULT, LOAD, CELL, DATA, BLOCK = range(8)
"""Where an atom comes from:

COPY    of node `a`, moved on to member `b` of what it points to
BASE    data in the space with bit `a` (or null, or unknown); `b` is the object, where there is a declared one
OBJECT  the address of member `b` of object `a`
RESULT  of call number `a`
LOAD    from member `b` of what node `a` points to
CELL    from member `b` of object `a`
DATA    from memory of the space with bit `a`, of which no objects are known
BLOCK   the block literal with id `a`
"""


class Atom(NamedTuple):
    """One place that a value comes from, and what became of it on the way. `place` is where it was read."""

    kind: int
    a: Any
    b: Any
    transfer: Transfer
    place: Place


Flow = tuple[Atom, ...]
"""A value: the union of its atoms. Empty where nothing has reached it, or it is no pointer."""


class Declared(NamedTuple):
    """An object for people: its name, what it is, its space's word, and the entity that declares it."""

    name: str
    what: str
    ref: EntityRef | None


class NodeInfo(NamedTuple):
    """What a node is, for people: `parameter`, `variable`, `result`, `merge`, `narrowed`, `null` (found to be null) or
    `temporary`. `entity` is the number of the variable to which something is assigned."""

    kind: str
    name: str
    place: Place
    entity: int = -1


class Store(NamedTuple):
    """`value` is stored to member `path` of what `address` points to. `place` is the whole assignment.

    With `copied` what lies where that points to is copied as it lies there, and `value` is empty.
    """

    address: Flow
    path: Path
    value: Flow
    place: Place
    name: str
    copied: Flow = ()


class CallSite(NamedTuple):
    """A call: of the function that `callee` declares, or of the blocks that `through` holds. Neither: a function that is
    not known. `escapes` are the arguments that such a function may store anything through. `name` is for people.

    `enqueued` is set where the callee is a block that runs as a kernel: what its own parameters hold is local. `certain` is
    whether the call happens whenever the function runs (see `guards`).
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
    """What is done with a pointer that a finding may speak of."""

    DEREFERENCE = "dereference"
    CAST = "cast"
    ADDRESS_FUNCTION = "address function"
    COMPARISON = "comparison"
    RETURN = "return"
    INTEGER = "integer"
    BUILTIN = "builtin"


class Event(NamedTuple):
    """Something done with a pointer. `value` is what it holds there, `other` the second operand of a comparison. `target`
    is the bit of the space that a cast or address space function names; of another built-in function's argument its number,
    from 0. `name` is the operator or function. `certain` is whether it happens whenever the function runs (see `guards`)."""

    kind: str
    place: Place
    value: Flow
    other: Flow
    target: int
    name: str
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function or block. `transfer` is the conversion to its type; `base` what it holds where nobody in
    the unit calls: a kernel's argument. `captured` marks a variable that a block captures."""

    node: int
    name: str
    place: Place
    transfer: Transfer
    base: Flow
    number: int
    captured: bool = False


@dataclass(frozen=True, slots=True)
class FunctionFlow:
    """The flow within one function or block literal."""

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
    names: tuple[tuple[int, Flow], ...] = ()
    """What the generic pointers hold where they are named, by leaf: where that is wanted."""
    variables: tuple[tuple[int, str, Place], ...] = ()
    """The generic pointers among the followed variables, without parameters: entity, name, and where it is declared."""
    carries: bool = False
    """Whether pointers are made of integers in it, or lie where it may read and write them as plain data."""
