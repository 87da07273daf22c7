"""Declaration specifiers: the base type, qualifiers and storage class before the declarators."""

from __future__ import annotations

import re

from openclsp.dataclass import dataclass
from openclsp.language.features import STORAGE_CLASSES
from openclsp.language.spaces import ATTRIBUTES, QUALIFIERS, Space, target_space
from openclsp.semantics import known_types
from openclsp.semantics.context import Context, element_type
from openclsp.semantics.dispatch import (
    is_expression,
    is_type_specifier,
    quiet_value,
    specified_type,
    type_specifier,
    value_of,
)
from openclsp.semantics.entities import EntityKind, Origin, Place, Reason, place_of
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.levels import RawLevel
from openclsp.semantics.reserved_words import following
from openclsp.semantics.types import (
    ATOMIC,
    CONST,
    RESTRICT,
    UNKNOWN,
    VOLATILE,
    BlockPointer,
    Opaque,
    Pointer,
    Scalar,
    Type,
    Unknown,
    levels,
    pipe,
    spell,
    vector,
    with_access,
)
from openclsp.semantics.unknown_names import tell_unknown_type
from openclsp.source.tree import ERROR, FIELDS, kind

_STORAGE = kind("storage_class_specifier")
_QUALIFIER = kind("type_qualifier")
_KERNEL = kind("function_qualifier")
_ATTRIBUTE = kind("attribute_specifier")
_ATTRIBUTE_DECLARATION = kind("attribute_declaration")
_MACRO_MODIFIER = kind("macro_modifier")
_DECLARED = FIELDS["declarator"]
_OPERAND, _ELEMENT = FIELDS["operand"], FIELDS["element"]

_QUALIFIER_BITS = {
    **{prefix + "const" + suffix: CONST for prefix in ("", "__") for suffix in ("", "__")},
    **{prefix + "volatile" + suffix: VOLATILE for prefix in ("", "__") for suffix in ("", "__")},
    **{prefix + "restrict" + suffix: RESTRICT for prefix in ("", "__") for suffix in ("", "__")},
    "_Atomic": ATOMIC,
}
_ACCESS = {prefix + word: word for prefix in ("", "__") for word in ("read_only", "write_only", "read_write")}
_FUNCTION_SPECIFIERS = frozenset(("inline", "__inline", "__inline__", "__forceinline"))
_TARGET_SPACE = "address_space"
_VALUES = frozenset((EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.FUNCTION))
_BIT_INT = "_BitInt"
"""An integer type of any width (C23), which is treated as unknown."""
_C_ALONE, _SINCE_1_2 = ("auto", "register"), ("static", "extern")
_STORAGE_CLASSES = frozenset(("typedef", "static", "extern", "auto", "register", "_Thread_local", "__thread"))
_TYPE_DEFINITION = kind("type_definition")
_TYPE_IDENTIFIER = kind("type_identifier")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_XILINX = b"xcl_"
"""How the names of Xilinx' attributes begin"""
_ENDS = frozenset((b";", b"{", b")"))
_FARTHEST = 64
"""Tokens of a declaration that are looked at."""
_VECTOR_ATTRIBUTE = re.compile(
    r"\b(?:__)?(?:ext_vector_type(?:__)?\s*\(\s*(?:\(\s*)?(?P<width>\d+)\s*\)|(?:ext_vector_type|vector_size)(?:__)?\s*\()"
)


@dataclass(slots=True)
class Specifiers:
    """The specifiers of a declaration.

    `levels[0]` is the level of the base type itself; further ones come from a typedef. `place` covers all
    specifiers. `unknown` means that one of them is an unknown word, which may stand for anything: a space,
    `kernel`, the type.
    """

    type: Type
    levels: list[RawLevel]
    storage: str
    storage_place: Place | None
    kernel: bool
    attributes: frozenset[str]
    place: Place
    unknown: bool


def add_qualifier(ctx: Context, row: int, raw: RawLevel) -> int:
    """Adds one `type_qualifier` to a level; returns the bit of a qualifier that is not an address space."""
    leaf = ctx.table.first[row]
    word = ctx.table.leaf(leaf)
    space = QUALIFIERS.get(word)
    if space is None:
        if word == "_Atomic":
            ctx.emit(Construct(ConstructKind.ATOMIC_QUALIFIER, place_of(leaf, leaf + 1), word))
        return _QUALIFIER_BITS.get(word, 0)
    if space is Space.GENERIC:
        ctx.emit(Construct(ConstructKind.GENERIC_QUALIFIER, place_of(leaf, leaf + 1), word))
        if not ctx.dialect.generic:
            # in a dialect without this space, the qualifier has no effect, as in clang
            return 0
    raw.written.append((space, leaf))
    return 0


def add_attribute(ctx: Context, row: int, raw: RawLevel) -> list[str]:
    """Adds the space of an attribute to a level; returns the names in the attribute.

    Such attributes are `opencl_global` and `address_space(1)`.
    """
    table = ctx.table
    names = []
    for leaf in range(table.first[row], table.last[row]):
        word = table.leaf(leaf)
        if _IDENTIFIER.fullmatch(word) is None:
            continue
        if word.isupper() and _names_attribute(ctx, row, leaf):
            # an unknown macro: it may be any attribute
            raw.unknown = True
        name = word.strip("_")
        names.append(name)
        if name == "blocks":
            # compilers define `__block` as a macro with this attribute
            ctx.emit(Construct(ConstructKind.BLOCK_STORAGE, ctx.place(row)))
        if name == _TARGET_SPACE:
            space = _target_space(ctx, row, leaf)
        elif name in ATTRIBUTES:
            space = ATTRIBUTES[name]
        else:
            continue
        if space is None:
            raw.unknown = True
            continue
        raw.written.append((space, leaf))
        ctx.emit(Construct(ConstructKind.VENDOR_SPACE, place_of(leaf, leaf + 1), name, space=space))
    return names


def _names_attribute(ctx: Context, row: int, leaf: int) -> bool:
    """Whether a token of an attribute is its name, not an argument."""
    table = ctx.table
    depth = 0
    for each in range(table.first[row], leaf):
        depth += (table.leaf(each) == "(") - (table.leaf(each) == ")")
    return depth <= 2


def _target_space(ctx: Context, row: int, leaf: int) -> Space | None:
    """The space of `address_space(n)`, whose name is the token `leaf`; None if n is missing or unknown."""
    table = ctx.table
    inside = range(row, table.skip[row])
    operand = next((r for r in inside if table.first[r] == leaf + 2 and is_expression(table.kind[r])), -1)
    number = value_of(ctx, operand).number if operand >= 0 else None
    return target_space(number) if number is not None and number >= 0 else None


def vector_width(ctx: Context, row: int) -> int:
    """The number of elements specified by an `ext_vector_type` attribute; 0 for attributes that make no vector.

    Negative if the number is not a literal: it may depend on a name that only the host defines.
    """
    found = _VECTOR_ATTRIBUTE.search(ctx.table.text(row))
    if found is None:
        return 0
    return int(found["width"]) if found["width"] else -1


def is_attribute(number: int) -> bool:
    """Whether nodes of this kind are attributes, in either spelling."""
    return number == _ATTRIBUTE or number == _ATTRIBUTE_DECLARATION


def read_specifiers(ctx: Context, row: int) -> Specifiers:
    """Reads the specifiers of a declaration, parameter, member, type name or function definition."""
    table = ctx.table
    base: Type | None = None
    base_levels: list[RawLevel] = []
    raw = RawLevel()
    bits = width = 0
    storage, storage_place, kernel, access = "", None, False, ""
    attributes: list[str] = []
    insertion = type_leaf = restrict = access_leaf = contradiction = -1
    last = table.first[row]
    for child in table.children(row):
        number = table.kind[child]
        first = table.first[child]
        if is_type_specifier(number):
            if base is not None:
                # of two types, one is a word that the parser misclassified
                raw.unknown = raw.unknown or table.field[child] != _DECLARED
                continue
            base, base_levels = specified_type(ctx, child, raw)
            type_leaf = first
            insertion = first if insertion < 0 else insertion
        elif number == _QUALIFIER:
            word = table.leaf(first)
            if word in _ACCESS:
                if access and access != _ACCESS[word]:
                    contradiction = first
                access, access_leaf = _ACCESS[word], first
            else:
                bit = add_qualifier(ctx, child, raw)
                restrict = first if bit == RESTRICT else restrict
                bits |= bit
            insertion = first if insertion < 0 else insertion
        elif number == _STORAGE:
            if table.leaf(first) == "__block":
                ctx.emit(Construct(ConstructKind.BLOCK_STORAGE, ctx.place(child)))
            elif table.leaf(first) not in _FUNCTION_SPECIFIERS:
                _tell_second_storage(ctx, row, storage, first)
                storage, storage_place = table.leaf(first), ctx.place(child)
        elif number == _KERNEL:
            kernel = True
        elif is_attribute(number):
            attributes += add_attribute(ctx, child, raw)
            width = vector_width(ctx, child) or width
        elif number == _MACRO_MODIFIER and table.leaf(first) in _STORAGE_CLASSES:
            # in some places, the grammar takes a storage class for a macro
            _tell_second_storage(ctx, row, storage, first)
            storage, storage_place = storage or table.leaf(first), storage_place or ctx.place(child)
        elif number == _MACRO_MODIFIER and table.leaf(first) in _QUALIFIER_BITS:
            bits |= _QUALIFIER_BITS[table.leaf(first)]
            restrict = first if table.leaf(first).strip("_") == "restrict" else restrict
        elif number == _MACRO_MODIFIER or number == ERROR:
            # a word that the parser could not classify
            raw.unknown = True
        else:
            continue
        last = table.last[child]
    # OpenCL C has static variables in functions since 2.0 (6.8.g of 1.2)
    first = 121 if storage == "static" and ctx.scope is not Scope.PROGRAM else 120
    restricted = storage in _C_ALONE or (storage in _SINCE_1_2 and ctx.dialect.version < first)
    if restricted and ctx.names.enables(STORAGE_CLASSES):
        storage_place = None
    if base is None:
        base, type_leaf = UNKNOWN, last
        ctx.emit(
            Construct(
                ConstructKind.AUTO_TYPE, place_of(table.first[row], max(last, table.first[row] + 1)), storage
            )
        )
    if width and isinstance(base, Scalar):
        base = vector(base, width) if width > 0 else UNKNOWN
    if restrict >= 0 and not isinstance(element_type(base), Pointer | BlockPointer | Unknown):
        ctx.emit(Construct(ConstructKind.RESTRICT_NOT_POINTER, place_of(restrict, restrict + 1), spell(base)))
    base = _accessed(ctx, base, bool(base_levels), access, access_leaf, contradiction)
    raw.place = place_of(type_leaf, type_leaf + 1)
    raw.insertion = insertion if insertion >= 0 else table.first[row]
    type_ = _qualified(base, base_levels, raw, bits)
    place = place_of(table.first[row], last)
    return Specifiers(
        type_,
        [raw, *base_levels[1:]],
        storage,
        storage_place,
        kernel,
        frozenset(attributes),
        place,
        raw.unknown or isinstance(base, Unknown),
    )


def _accessed(ctx: Context, base: Type, named: bool, access: str, leaf: int, contradiction: int) -> Type:
    """Applies the access qualifier at `leaf` to the base type.

    An image or pipe without one is read_only (OpenCL C 6.8), so a typedef of it (`named`) can take no other.
    `contradiction` is the token index of a second access qualifier, or -1.
    """
    place = place_of(leaf, leaf + 1)
    if not isinstance(base, Opaque) or base.category not in ("image", "pipe"):
        # at the end of a declaration, the word stands in place of the name, which is reported instead
        ends = following(ctx.table.leaves, leaf) == b";"
        if access and not ends and not isinstance(base, Unknown):
            ctx.emit(Construct(ConstructKind.ACCESS_QUALIFIER, place, spell(base)))
        return base
    if access == "read_write" and base.category == "pipe":
        ctx.emit(Construct(ConstructKind.ACCESS_PIPE, place, base.name))
    if contradiction >= 0 or (named and access and base.access and access != base.access):
        at = place_of(contradiction, contradiction + 1) if contradiction >= 0 else place
        ctx.emit(Construct(ConstructKind.ACCESS_CONFLICT, at, spell(base)))
        return base
    return with_access(base, access or base.access or "read_only")


def _tell_second_storage(ctx: Context, row: int, before: str, leaf: int) -> None:
    """Emits a fact for a second, different storage class (C99 6.7.1p2)."""
    before = before or ("typedef" if ctx.table.kind[row] == _TYPE_DEFINITION else "")
    if before and before != ctx.table.leaf(leaf):
        place = place_of(leaf, leaf + 1)
        ctx.emit(Construct(ConstructKind.SECOND_STORAGE_CLASS, place, f"{before} {ctx.table.leaf(leaf)}"))


def _qualified(base: Type, base_levels: list[RawLevel], raw: RawLevel, bits: int) -> Type:
    """The base type with its qualifiers; the space of a typedef applies if no space is written."""
    type_ = base.with_qualifiers(base.qualifiers | bits)
    if base.space is not None:
        raw.reason, raw.via = Reason.TYPEDEF, base_levels[0].via if base_levels else None
        return type_
    if raw.unknown:
        return type_.with_space(Space.UNKNOWN)
    return type_.with_space(raw.written[0][0]) if raw.written else type_


@type_specifier("primitive_type", "type_identifier")
def _named_type(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """The type named by an identifier: a typedef's, or else a built-in one."""
    name = ctx.table.text(row)
    symbol = ctx.find(name)
    if symbol is not None:
        if symbol.kind is not EntityKind.TYPEDEF:
            if symbol.kind in _VALUES and not isinstance(symbol.type, Unknown):
                ctx.misread[ctx.table.first[row]] = False
            return UNKNOWN, []
        place = place_of(ctx.table.first[row], ctx.table.first[row] + 1)
        depths = range(sum(1 for _ in levels(symbol.type)))
        return _as_built_in(ctx, name, symbol.type), [
            RawLevel(place=place, via=Origin(symbol.ref, depth), reason=Reason.TYPEDEF) for depth in depths
        ]
    built_in = known_types.named(name, ctx.dialect)
    if built_in is None:
        tell_unknown_type(ctx, row)
    return built_in or UNKNOWN, []


def _as_built_in(ctx: Context, name: str, type_: Type) -> Type:
    """The type of a typedef.

    A program's own `size_t` becomes the built-in one, whose size depends on the device.
    """
    built_in = known_types.named(name, ctx.dialect)
    same = (
        isinstance(built_in, Scalar) and isinstance(type_, Scalar) and type_.canonical == built_in.canonical
    )
    if not same or built_in is None:
        return type_
    return built_in.with_space(type_.space).with_qualifiers(type_.qualifiers)


@type_specifier("sized_type_specifier")
def _sized_type(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    table = ctx.table
    for child in table.children(row):
        if table.kind[child] == _QUALIFIER:
            add_qualifier(ctx, child, raw)
        elif table.kind[child] == _TYPE_IDENTIFIER:
            if table.text(child) == _BIT_INT:
                return UNKNOWN, []
            raw.unknown = True
    return known_types.sized([table.leaf(leaf) for leaf in range(table.first[row], table.last[row])]), []


@type_specifier("typeof_specifier")
def _typeof(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """The type of a `typeof` operand, whose levels have the reason EXPRESSION."""
    operand = ctx.table.child(row, _OPERAND)
    if operand < 0:
        return UNKNOWN, []
    value = quiet_value(ctx, operand)
    # the private space of an automatic variable is not part of its type
    private = value.type.space is Space.PRIVATE
    type_ = value.type.with_space(None) if private or not value.lvalue else value.type
    place = place_of(ctx.table.first[row], ctx.table.last[row])
    return type_, [RawLevel(place=place, reason=Reason.EXPRESSION) for _ in levels(type_)]


@type_specifier("pipe_type")
def _pipe(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    element = ctx.table.child(row, _ELEMENT)
    leaf = ctx.table.first[row]
    if _is_vendors(ctx, leaf):
        # Xilinx' pipes between kernels are variables, which OpenCL C does not have
        return UNKNOWN, []
    if ctx.find("pipe") is None and not ctx.names.may_be_elsewhere("pipe"):
        ctx.emit(Construct(ConstructKind.PIPE, place_of(leaf, leaf + 1)))
    packet = specified_type(ctx, element, raw)[0] if element >= 0 else UNKNOWN
    return pipe(packet.unqualified), []


def _is_vendors(ctx: Context, leaf: int) -> bool:
    """Whether the declaration around a leaf goes on with an attribute of Xilinx'."""
    leaves = ctx.table.leaves
    for behind in range(leaf, min(leaf + _FARTHEST, len(leaves))):
        if leaves[behind] in _ENDS:
            break
        if leaves[behind].startswith(_XILINX):
            return True
    return False


@type_specifier("macro_type_specifier")
def _macro_type(ctx: Context, row: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    leaf = ctx.table.first[row]
    symbol = ctx.find(ctx.table.leaf(leaf))
    if symbol is not None and symbol.kind in _VALUES and not isinstance(symbol.type, Unknown):
        ctx.misread[leaf] = False
    return UNKNOWN, []
