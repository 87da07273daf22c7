"""Declaration specifiers: the base type, qualifiers and storage class before the declarators."""

from __future__ import annotations

import re

from openclsp.dataclass import dataclass
from openclsp.language.features import STORAGE_CLASSES
from openclsp.language.spaces import ATTRIBUTES, QUALIFIERS, Space, target_space
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.facts.entities import (
    EntityKind,
    Place,
    Reason,
    place_of,
)
from openclsp.semantics.types.type_model import (
    ATOMIC,
    CONST,
    RESTRICT,
    UNKNOWN,
    VOLATILE,
    BlockPointer,
    Opaque,
    Pipe,
    Pointer,
    Scalar,
    Type,
    Unknown,
    spell,
    vector,
    with_access,
)
from openclsp.semantics.types.type_structure import element_type
from openclsp.semantics.typing.dispatch import (
    is_expression,
    is_type_specifier,
    specified_type,
    value_of,
)
from openclsp.semantics.typing.reserved_words import following_token, lacks_type
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import ERROR, FIELDS, kind

_STORAGE = kind("storage_class_specifier")
_QUALIFIER = kind("type_qualifier")
_KERNEL = kind("function_qualifier")
_ATTRIBUTE = kind("attribute_specifier")
_ATTRIBUTE_DECLARATION = kind("attribute_declaration")
_MACRO_MODIFIER = kind("macro_modifier")
_DECLARED = FIELDS["declarator"]

_QUALIFIER_BITS = {
    **{prefix + "const" + suffix: CONST for prefix in ("", "__") for suffix in ("", "__")},
    **{prefix + "volatile" + suffix: VOLATILE for prefix in ("", "__") for suffix in ("", "__")},
    **{prefix + "restrict" + suffix: RESTRICT for prefix in ("", "__") for suffix in ("", "__")},
    "_Atomic": ATOMIC,
}
_ACCESS = {prefix + word: word for prefix in ("", "__") for word in ("read_only", "write_only", "read_write")}
_FUNCTION_SPECIFIERS = frozenset(("inline", "__inline", "__inline__", "__forceinline"))
_TARGET_SPACE = "address_space"
_C_ALONE, _SINCE_1_2 = ("auto", "register"), ("static", "extern")
_STORAGE_CLASSES = frozenset(("typedef", "static", "extern", "auto", "register", "_Thread_local", "__thread"))
_TYPE_DEFINITION = kind("type_definition")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_VECTOR_ATTRIBUTE = re.compile(
    r"\b(?:__)?(?:ext_vector_type(?:__)?\s*\(\s*(?:\(\s*)?(?P<width>\d+)\s*\)|(?:ext_vector_type|vector_size)(?:__)?\s*\()"
)


@dataclass(slots=True)
class Specifiers:
    """The specifiers of a declaration.

    `levels[0]` is the level of the base type itself; further levels come from a typedef. `place` covers all
    specifiers. `unknown` means that one of them is an unknown word. It may be a macro for any specifier: a
    space, `kernel`, the type. `piped` means that `pipe` is one of them, and not part of a typedef.
    """

    type: Type
    levels: list[RawLevel]
    storage: str
    storage_place: Place | None
    kernel: bool
    attributes: frozenset[str]
    place: Place
    unknown: bool
    piped: bool


def add_qualifier(ctx: TypingContext, node: int, raw: RawLevel) -> int:
    """Adds an address space qualifier to the level `raw`, or returns the bit of any other qualifier.

    Returns 0 for an address space; `raw` is unchanged for any other qualifier.
    """
    token_index = ctx.table.first[node]
    word = ctx.table.token(token_index)
    space = QUALIFIERS.get(word)
    if space is None:
        if word == "_Atomic":
            ctx.emit(Construct(ConstructKind.ATOMIC_QUALIFIER, place_of(token_index, token_index + 1), word))
        return _QUALIFIER_BITS.get(word, 0)
    if space is Space.GENERIC:
        ctx.emit(Construct(ConstructKind.GENERIC_QUALIFIER, place_of(token_index, token_index + 1), word))
        if not ctx.dialect.generic:
            # in a dialect without this space, the qualifier has no effect, as in clang
            return 0
    raw.written.append((space, token_index))
    return 0


def add_attribute(ctx: TypingContext, node: int, raw: RawLevel) -> list[str]:
    """Adds the address space that an attribute such as `opencl_global` specifies, if any, to the level `raw`.

    Returns all identifiers in the attribute, without underscores around them.
    """
    table = ctx.table
    names = []
    for token_index in range(table.first[node], table.last[node]):
        word = table.token(token_index)
        if _IDENTIFIER.fullmatch(word) is None:
            continue
        if word.isupper() and _names_attribute(ctx, node, token_index):
            # an unknown macro: it may be any attribute
            raw.unknown = True
        name = word.strip("_")
        names.append(name)
        if name == "blocks":
            # compilers define `__block` as a macro with this attribute
            ctx.emit(Construct(ConstructKind.BLOCK_STORAGE, ctx.place(node)))
        if name == _TARGET_SPACE:
            space = _target_space(ctx, node, token_index)
        elif name in ATTRIBUTES:
            space = ATTRIBUTES[name]
        else:
            continue
        if space is None:
            raw.unknown = True
            continue
        raw.written.append((space, token_index))
        ctx.emit(
            Construct(ConstructKind.VENDOR_SPACE, place_of(token_index, token_index + 1), name, space=space)
        )
    return names


def _names_attribute(ctx: TypingContext, node: int, token_index: int) -> bool:
    """Whether a token of an attribute is the attribute's name, not an argument."""
    table = ctx.table
    depth = 0
    for each in range(table.first[node], token_index):
        depth += (table.token(each) == "(") - (table.token(each) == ")")
    return depth <= 2


def _target_space(ctx: TypingContext, node: int, token_index: int) -> Space | None:
    """Returns the space of `address_space(n)`; `token_index` is that of the name `address_space`.

    None if n is missing or unknown.
    """
    table = ctx.table
    inside = range(node, table.skip[node])
    operand = next(
        (r for r in inside if table.first[r] == token_index + 2 and is_expression(table.kind[r])), -1
    )
    number = value_of(ctx, operand).number if operand >= 0 else None
    return target_space(number) if number is not None and number >= 0 else None


def vector_width(ctx: TypingContext, node: int) -> int:
    """Returns the number of elements that an `ext_vector_type` attribute specifies.

    0 for any other attribute. Negative if the number is not a literal, because it may depend on a name that
    only the host defines.
    """
    found = _VECTOR_ATTRIBUTE.search(ctx.table.text(node))
    if found is None:
        return 0
    return int(found["width"]) if found["width"] else -1


def is_attribute(number: int) -> bool:
    """Whether `number` is the node kind of an attribute: `__attribute__((…))` or `[[…]]`."""
    return number == _ATTRIBUTE or number == _ATTRIBUTE_DECLARATION


def read_specifiers(ctx: TypingContext, node: int) -> Specifiers:
    """Reads the specifiers of a declaration, parameter, member, type name or function definition."""
    table = ctx.table
    base: Type | None = None
    base_levels: list[RawLevel] = []
    raw = RawLevel()
    bits = width = 0
    storage, storage_place, kernel, access = "", None, False, ""
    attributes: list[str] = []
    insertion = type_token_index = restrict = access_token_index = contradiction = -1
    last = table.first[node]
    for child in table.children(node):
        number = table.kind[child]
        first = table.first[child]
        if is_type_specifier(number):
            if base is not None:
                # of two types, one is a word that the parser misclassified
                raw.unknown = raw.unknown or table.field[child] != _DECLARED
                continue
            base, base_levels = specified_type(ctx, child, raw)
            type_token_index = first
            insertion = first if insertion < 0 else insertion
        elif number == _QUALIFIER:
            word = table.token(first)
            if word in _ACCESS:
                if access and access != _ACCESS[word]:
                    contradiction = first
                access, access_token_index = _ACCESS[word], first
            else:
                bit = add_qualifier(ctx, child, raw)
                restrict = first if bit == RESTRICT else restrict
                bits |= bit
            insertion = first if insertion < 0 else insertion
        elif number == _STORAGE:
            if table.token(first) == "__block":
                ctx.emit(Construct(ConstructKind.BLOCK_STORAGE, ctx.place(child)))
            elif table.token(first) not in _FUNCTION_SPECIFIERS:
                _emit_second_storage(ctx, node, storage, first)
                storage, storage_place = table.token(first), ctx.place(child)
        elif number == _KERNEL:
            kernel = True
        elif is_attribute(number):
            attributes += add_attribute(ctx, child, raw)
            width = vector_width(ctx, child) or width
        elif number == _MACRO_MODIFIER and table.token(first) in _STORAGE_CLASSES:
            # in some places, the grammar takes a storage class for a macro
            _emit_second_storage(ctx, node, storage, first)
            storage, storage_place = storage or table.token(first), storage_place or ctx.place(child)
        elif number == _MACRO_MODIFIER and table.token(first) in _QUALIFIER_BITS:
            bits |= _QUALIFIER_BITS[table.token(first)]
            restrict = first if table.token(first).strip("_") == "restrict" else restrict
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
        base, type_token_index = UNKNOWN, last
        ctx.emit(
            Construct(
                ConstructKind.AUTO_TYPE,
                place_of(table.first[node], max(last, table.first[node] + 1)),
                storage,
            )
        )
    if width and isinstance(base, Scalar):
        base = vector(base, width) if width > 0 else UNKNOWN
    if restrict >= 0 and not isinstance(element_type(base), Pointer | BlockPointer | Unknown):
        ctx.emit(Construct(ConstructKind.RESTRICT_NOT_POINTER, place_of(restrict, restrict + 1), spell(base)))
    base = _apply_access(ctx, base, bool(base_levels), access, access_token_index, contradiction)
    if storage == "auto" and lacks_type(table.tokens, type_token_index):
        _declare_auto(ctx, type_token_index)
        storage, storage_place = "", None
    raw.place = place_of(type_token_index, type_token_index + 1)
    raw.insertion = insertion if insertion >= 0 else table.first[node]
    type_ = _apply_qualifiers(base, base_levels, raw, bits)
    place = place_of(table.first[node], last)
    return Specifiers(
        type_,
        [raw, *base_levels[1:]],
        storage,
        storage_place,
        kernel,
        frozenset(attributes),
        place,
        raw.unknown or isinstance(base, Unknown),
        isinstance(base, Pipe) and not base_levels,
    )


def _declare_auto(ctx: TypingContext, token_index: int) -> None:
    """Declares the variable of `auto n = 0;`, whose name is parsed as a type."""
    name = ctx.table.token(token_index)
    ctx.emit(Construct(ConstructKind.AUTO_VARIABLE, place_of(token_index - 1, token_index), name))
    ctx.bind(Symbol(name, EntityKind.VARIABLE, UNKNOWN, ctx.ref(ctx.reserve(1)), ctx.scope))


def _apply_access(
    ctx: TypingContext, base: Type, named: bool, access: str, token_index: int, contradiction: int
) -> Type:
    """Applies the access qualifier at `token_index` to the base type.

    An image or pipe without an access qualifier is read_only (OpenCL C 6.8). `named` means that the base
    type comes from a typedef, so that its access qualifier cannot be changed. `contradiction` is the token
    index of a second access qualifier, or -1.
    """
    place = place_of(token_index, token_index + 1)
    if not isinstance(base, Opaque) or base.category not in ("image", "pipe"):
        # at the end of a declaration, the word is parsed in place of the name, which is reported instead
        ends = following_token(ctx.table.tokens, token_index) == b";"
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


def _emit_second_storage(ctx: TypingContext, node: int, before: str, token_index: int) -> None:
    """Emits a fact if a storage class follows a different one, `before`, in a declaration (C99 6.7.1p2).

    `before` is empty if there is none; the `typedef` of a type definition counts too.
    """
    before = before or ("typedef" if ctx.table.kind[node] == _TYPE_DEFINITION else "")
    if before and before != ctx.table.token(token_index):
        place = place_of(token_index, token_index + 1)
        ctx.emit(
            Construct(ConstructKind.SECOND_STORAGE_CLASS, place, f"{before} {ctx.table.token(token_index)}")
        )


def _apply_qualifiers(base: Type, base_levels: list[RawLevel], raw: RawLevel, bits: int) -> Type:
    """Returns the base type with the qualifiers `bits` and the address space of `raw`.

    If a typedef has given the base type a space already, the base type keeps it.
    """
    type_ = base.with_qualifiers(base.qualifiers | bits)
    if base.space is not None:
        raw.reason, raw.via = Reason.TYPEDEF, base_levels[0].via if base_levels else None
        return type_
    if raw.unknown:
        return type_.with_space(Space.UNKNOWN)
    return type_.with_space(raw.written[0][0]) if raw.written else type_
