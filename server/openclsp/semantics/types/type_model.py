"""The types of OpenCL C, interned: two types are equal exactly if they are the same object.

At every level, a type carries the address space of the object that it describes, and its `const`, `volatile`
and `restrict`. The space is None if there is no object (a value, a function) or it is not decided yet. An
array has the qualifiers of its element (C99 6.7.3p8).

A struct or union is identified by its name and place, not by its members, which are looked up on demand. So a
changed member invalidates exactly those queries that looked up the members.
"""

from __future__ import annotations

from openclsp.language.spaces import Space

CONST = 1
VOLATILE = 2
RESTRICT = 4
ATOMIC = 8

_QUALIFIER_WORDS = ((CONST, "const"), (VOLATILE, "volatile"), (RESTRICT, "restrict"), (ATOMIC, "_Atomic"))


class Type:
    """One interned type. Created only by the functions of this module."""

    __slots__ = ("_pointers", "_variants", "qualifiers", "space", "unqualified")

    space: Space | None
    qualifiers: int
    unqualified: Type
    """This type without its own space and qualifiers."""

    def __init__(self) -> None:
        self.space = None
        self.qualifiers = 0
        self.unqualified = self
        self._variants: dict[tuple[Space | None, int], Type] = {(None, 0): self}
        self._pointers: Pointer | None = None

    def _copy(self) -> Type:
        raise NotImplementedError

    def _variant(self, space: Space | None, qualifiers: int) -> Type:
        variants = self.unqualified._variants
        found = variants.get((space, qualifiers))
        if found is None:
            found = self.unqualified._copy()
            found.space, found.qualifiers, found.unqualified = space, qualifiers, self.unqualified
            variants[space, qualifiers] = found
        return found

    def with_space(self, space: Space | None) -> Type:
        """Returns this type for an object in `space`. For an array, the space is that of its elements."""
        if self.space is space:
            return self
        return self._variant(space, self.qualifiers)

    def with_qualifiers(self, qualifiers: int) -> Type:
        """Returns this type with exactly `qualifiers` (CONST | VOLATILE | RESTRICT | ATOMIC)."""
        if self.qualifiers == qualifiers:
            return self
        return self._variant(self.space, qualifiers)

    def __repr__(self) -> str:
        return f"<{spell(self)}>"


class Void(Type):
    """`void`."""

    __slots__ = ()

    def _copy(self) -> Void:
        return Void()


class Unknown(Type):
    """A type that cannot be determined. Nothing is reported that depends on it."""

    __slots__ = ()

    def _copy(self) -> Unknown:
        return Unknown()


class Scalar(Type):
    """An arithmetic type.

    `size` is in bytes. `canonical` is the name of the aliased type (`ulong` for `size_t`), or else `name`.
    """

    __slots__ = ("canonical", "floating", "name", "rank", "signed", "size")

    def __init__(self, name: str, rank: int, signed: bool, floating: bool, size: int, canonical: str) -> None:
        super().__init__()
        self.name, self.rank, self.signed, self.floating, self.size = name, rank, signed, floating, size
        self.canonical = canonical

    def _copy(self) -> Scalar:
        return Scalar(self.name, self.rank, self.signed, self.floating, self.size, self.canonical)


class Vector(Type):
    """A vector of a scalar type (OpenCL C 6.3.2, or `ext_vector_type`)."""

    __slots__ = ("element", "width")

    def __init__(self, element: Scalar, width: int) -> None:
        super().__init__()
        self.element, self.width = element, width

    def _copy(self) -> Vector:
        return Vector(self.element, self.width)


class Opaque(Type):
    """A type whose values only built-in functions can access: an image, a sampler, an event, a pipe …

    `category` is `pipe`, or the value of a `TypeCategory`, such as `image`.
    """

    __slots__ = ("access", "category", "name")

    def __init__(self, name: str, category: str, access: str) -> None:
        super().__init__()
        self.name, self.category, self.access = name, category, access

    def _copy(self) -> Opaque:
        return Opaque(self.name, self.category, self.access)


class Pipe(Opaque):
    """A pipe (OpenCL C 6.15.16); `element` is the type of its packets, without an address space."""

    __slots__ = ("element",)

    def __init__(self, name: str, element: Type, access: str) -> None:
        super().__init__(name, "pipe", access)
        self.element = element

    def _copy(self) -> Pipe:
        return Pipe(self.name, self.element, self.access)


class Enum(Type):
    """An enumerated type, whose values behave as `int` or `uint`.

    `identity` distinguishes types of the same name.
    """

    __slots__ = ("identity", "name")

    def __init__(self, name: str, identity: object) -> None:
        super().__init__()
        self.name, self.identity = name, identity

    def _copy(self) -> Enum:
        return Enum(self.name, self.identity)


class Record(Type):
    """A struct or union. Its members are looked up by `identity`; `name` is its tag, `typedef T` or empty."""

    __slots__ = ("identity", "keyword", "name")

    def __init__(self, keyword: str, name: str, identity: object) -> None:
        super().__init__()
        self.keyword, self.name, self.identity = keyword, name, identity

    def _copy(self) -> Record:
        return Record(self.keyword, self.name, self.identity)


class Pointer(Type):
    """A pointer; the space of its pointee is the space that it points into."""

    __slots__ = ("pointee",)

    def __init__(self, pointee: Type) -> None:
        super().__init__()
        self.pointee = pointee

    def _copy(self) -> Pointer:
        return Pointer(self.pointee)


class BlockPointer(Type):
    """A block (OpenCL C 6.14): `int (^)(int)`."""

    __slots__ = ("function",)

    def __init__(self, function: Type) -> None:
        super().__init__()
        self.function = function

    def _copy(self) -> BlockPointer:
        return BlockPointer(self.function)


class Array(Type):
    """An array; `size` is the number of elements, or None if it is unknown or not written."""

    __slots__ = ("element", "size")

    def __init__(self, element: Type, size: int | None) -> None:
        super().__init__()
        self.element, self.size = element, size
        self.space, self.qualifiers = element.space, element.qualifiers

    def _variant(self, space: Space | None, qualifiers: int) -> Type:
        return array_of(self.element._variant(space, qualifiers), self.size)


class Function(Type):
    """A function type with adjusted parameters (arrays are pointers)."""

    __slots__ = ("parameters", "result", "variadic")

    def __init__(self, result: Type, parameters: tuple[Type, ...], variadic: bool) -> None:
        super().__init__()
        self.result, self.parameters, self.variadic = result, parameters, variadic

    def _copy(self) -> Function:
        return Function(self.result, self.parameters, self.variadic)


VOID = Void()
UNKNOWN = Unknown()

_interned: dict[tuple[object, ...], Type] = {}


def scalar(name: str, rank: int, signed: bool, floating: bool, size: int, canonical: str = "") -> Scalar:
    """Returns the arithmetic type `name`; `size` is in bytes, `rank` is the conversion rank (C99 6.3.1.1)."""
    # `size_t` is a different type for each address width of a device
    key = ("scalar", name, size)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Scalar(name, rank, signed, floating, size, canonical or name)
    assert isinstance(found, Scalar)
    return found


def vector(element: Scalar, width: int) -> Vector:
    """Returns the vector type with `width` elements of the unqualified type `element`."""
    key = ("vector", element, width)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Vector(element, width)
    assert isinstance(found, Vector)
    return found


def opaque(name: str, category: str, access: str = "") -> Opaque:
    """Returns the opaque type `name`; `access` is `read_only`, `write_only`, `read_write` or empty."""
    key = ("opaque", name, access)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Opaque(name, category, access)
    assert isinstance(found, Opaque)
    return found


def pipe(element: Type, access: str = "") -> Pipe:
    """Returns the type of pipes with packets of type `element`; `access` as for `opaque`."""
    key = ("pipe", element, access)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Pipe(f"pipe {spell(element)}", element, access)
    assert isinstance(found, Pipe)
    return found


def with_access(type_: Opaque, access: str) -> Opaque:
    """Returns the same image or pipe type with this access qualifier."""
    made: Type = opaque(type_.name, type_.category, access)
    if isinstance(type_, Pipe):
        made = pipe(type_.element, access)
    made = made.with_space(type_.space).with_qualifiers(type_.qualifiers)
    assert isinstance(made, Opaque)
    return made


def record(keyword: str, name: str, identity: object) -> Record:
    """Returns the struct or union with this identity."""
    # after an edit, the same identity may have another name
    key = ("record", keyword, identity, name)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Record(keyword, name, identity)
    assert isinstance(found, Record)
    return found


def enum(name: str, identity: object) -> Enum:
    """Returns the enumerated type with this name and identity."""
    key = ("enum", identity, name)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Enum(name, identity)
    assert isinstance(found, Enum)
    return found


def pointer_to(pointee: Type) -> Pointer:
    """Returns the type of pointers to `pointee`, which includes the address space of the object."""
    found = pointee._pointers
    if found is None:
        found = pointee._pointers = Pointer(pointee)
    return found


def array_of(element: Type, size: int | None) -> Array:
    """Returns the type of arrays of `size` elements (None if unknown)."""
    key = ("array", element, size)
    found = _interned.get(key)
    if found is None:
        made = Array(element, size)
        plain = element._variant(None, 0)
        if plain is not element:
            made.unqualified = array_of(plain, size)
        found = _interned[key] = made
    assert isinstance(found, Array)
    return found


def function(result: Type, parameters: tuple[Type, ...], variadic: bool = False) -> Function:
    """Returns the function type; parameters have no qualifiers of their own (C99 6.7.5.3p15)."""
    key = ("function", result, parameters, variadic)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = Function(result, parameters, variadic)
    assert isinstance(found, Function)
    return found


def block_pointer(signature: Function) -> BlockPointer:
    """Returns the block type with this signature."""
    key = ("block", signature)
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = BlockPointer(signature)
    assert isinstance(found, BlockPointer)
    return found


def _qualifier_words(type_: Type, default: Space | None = None) -> list[str]:
    space = type_.space if type_.space is not None else default
    words = [space.qualifier] if space is not None else []
    return words + [word for bit, word in _QUALIFIER_WORDS if type_.qualifiers & bit]


def spell(type_: Type, name: str = "") -> str:
    """Spells the type, or a declaration of `name`, with the address space of each level."""
    # a C declarator is built from the inside out: each derived type wraps it, in parentheses if a prefix `*`
    # would bind less tightly than a suffix `[]` or `()`
    declarator = name
    while True:
        if isinstance(type_, Pointer):
            declarator = " ".join(
                ["*" + " ".join(_qualifier_words(type_))] + ([declarator] if declarator else [])
            )
            if declarator.startswith("* "):
                declarator = "*" + declarator[2:]
            type_ = type_.pointee
            if isinstance(type_, Array | Function):
                declarator = f"({declarator})"
        elif isinstance(type_, BlockPointer):
            inner = " ".join([*_qualifier_words(type_), declarator]).strip()
            declarator, type_ = f"(^{inner})", type_.function
        elif isinstance(type_, Array):
            declarator = f"{declarator}[{'' if type_.size is None else type_.size}]"
            type_ = type_.element
        elif isinstance(type_, Function):
            parameters = [spell(parameter) for parameter in type_.parameters] or ["void"]
            if type_.variadic:
                parameters.append("...")
            declarator = f"{declarator}({', '.join(parameters)})"
            type_ = type_.result
        else:
            base = " ".join([*_qualifier_words(type_), _base_name(type_)])
            if not declarator:
                return base
            return f"{base}{'' if declarator.startswith('[') else ' '}{declarator}"


def _base_name(type_: Type) -> str:
    if isinstance(type_, Opaque):
        return f"{type_.access} {type_.name}".strip()
    if isinstance(type_, Vector):
        return f"{type_.element.name}{type_.width}"
    if isinstance(type_, Record | Enum):
        if type_.name.startswith("typedef "):
            return type_.name.removeprefix("typedef ")
        keyword = type_.keyword if isinstance(type_, Record) else "enum"
        return f"{keyword} {type_.name or '(unnamed)'}"
    if isinstance(type_, Scalar):
        return type_.name
    return "void" if isinstance(type_, Void) else "(unknown type)"
