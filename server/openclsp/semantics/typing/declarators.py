"""Declarators: derive the type of `p` from a base type and `*p[3]`, with the space of every level.

A declarator is read from the outside in, as it is nested in C's grammar: each `*`, `[n]` and `(…)` derives a
new type from the type derived before. An unqualified pointee gets its default space when the `*` is read
(OpenCL C 6.7.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.language.features import FUNCTION_POINTERS
from openclsp.language.keywords import NEVER_NAMES
from openclsp.language.spaces import Space
from openclsp.semantics.facts.constructs import (
    Construct,
    ConstructKind,
    LimitReached,
    SyntaxFault,
    SyntaxReason,
)
from openclsp.semantics.facts.declarations import Declaration, KernelRecord, Redeclaration, Scope
from openclsp.semantics.facts.entities import Entity, EntityKind, EntityRef, Place, Reason, place_of
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator
from openclsp.semantics.limits import MAXIMUM_LEVELS, Limit
from openclsp.semantics.types.type_model import (
    RESTRICT,
    UNKNOWN,
    VOID,
    Array,
    Function,
    Pipe,
    Record,
    Type,
    Void,
    array_of,
    block_pointer,
    function,
    pipe,
    pointer_to,
)
from openclsp.semantics.types.type_structure import element_type, is_unknown
from openclsp.semantics.typing.array_sizes import emit_star, read_array_size
from openclsp.semantics.typing.default_spaces import finished_levels, settle_object, settle_pointee
from openclsp.semantics.typing.endianness import emit_endianness, note_endianness
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.incomplete_types import emit_incomplete_element
from openclsp.semantics.typing.old_style_parameters import read_old_style_parameter
from openclsp.semantics.typing.specifiers import (
    Specifiers,
    add_attribute,
    add_qualifier,
    is_attribute,
    read_specifiers,
    vector_width,
)
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import emit_unknown_macro
from openclsp.source.parser import ERROR, FIELDS, kind

_POINTER = frozenset((kind("pointer_declarator"), kind("abstract_pointer_declarator")))
_BLOCK = frozenset((kind("block_pointer_declarator"), kind("abstract_block_pointer_declarator")))
_ARRAY = frozenset((kind("array_declarator"), kind("abstract_array_declarator")))
_NAMED_FUNCTION = kind("function_declarator")
_FUNCTION = frozenset((_NAMED_FUNCTION, kind("abstract_function_declarator")))
_PARENTHESES = frozenset((kind("parenthesized_declarator"), kind("abstract_parenthesized_declarator")))
_ATTRIBUTED = kind("attributed_declarator")
_NAMES = frozenset(
    (kind("identifier"), kind("field_identifier"), kind("type_identifier"), kind("primitive_type"))
)
_QUALIFIER = kind("type_qualifier")
_PARAMETER, _IDENTIFIER = kind("parameter_declaration"), kind("identifier")
_VARIADIC = kind("variadic_parameter")
_MACRO_MODIFIER = kind("macro_modifier")
_TRAILING = frozenset((kind("identifier"), kind("call_expression")))
_POINTER_MODIFIER = kind("ms_pointer_modifier")
"""The node kind that C's grammar produces for `__restrict` after a `*`."""
_DECLARATOR, _SIZE, _PARAMETERS = FIELDS["declarator"], FIELDS["size"], FIELDS["parameters"]

_NOWHERE = place_of(0, 0)
_MAX_NESTING = 16
"""The greatest nesting of structs that is expanded; deeper members are not."""


@dataclass(slots=True)
class Declarator:
    """The result of reading a declarator.

    - `name_place`: the place of the declared name; empty if no name is declared.
    - `levels`: the levels of the type; for a function, those of its result.
    - `number`: the number of a function's entity; -1 for other declarators. The entities of the function's
      parameters have the numbers after it.
    """

    type: Type
    levels: list[RawLevel]
    name: str = ""
    name_place: Place = field(default=_NOWHERE)
    number: int = -1
    parameters: list[Entity] = field(default_factory=list)
    parameter_tags: dict[str, Type] = field(default_factory=dict)
    attributes: list[str] = field(default_factory=list)
    vector_width: int = 0


def read_declarator(
    ctx: TypingContext, node: int, specifiers: Specifiers, *, in_kernel: bool = False
) -> Declarator:
    """Reads the declarator at `node` of a declaration with these specifiers.

    `node` is -1 if there is no declarator, as in `int f(float)`. `in_kernel` means that the declarator
    declares a kernel's parameter, whose pointees have no default space (OpenCL C 6.7.8).
    """
    base = specifiers.type
    if isinstance(base, Pipe) and specifiers.piped:
        base = base.element.with_space(base.space).with_qualifiers(base.qualifiers)
    result = Declarator(base, list(specifiers.levels))
    table = ctx.table
    while node >= 0:
        shape = table.kind[node]
        inner = table.child(node, _DECLARATOR)
        if inner < 0 and (shape in _PARENTHESES or shape == _ATTRIBUTED):
            inner = next((c for c in table.children(node) if not is_attribute(table.kind[c])), -1)
        if shape in _POINTER:
            _read_pointer(ctx, node, result, in_kernel)
        elif shape in _BLOCK:
            raw, bits = _own_level(ctx, node)
            _emit_restrict(ctx, node)
            signature = result.type
            block = block_pointer(signature) if isinstance(signature, Function) else UNKNOWN
            result.type, result.levels = _in_own_space(block.with_qualifiers(bits), raw), [raw]
            ctx.emit(Construct(ConstructKind.BLOCK, ctx.place(node), _declared_name(ctx, node)))
        elif shape in _ARRAY:
            if isinstance(result.type, Function):
                _emit_invalid(ctx, node, DeclaratorFault.FUNCTION_ARRAY)
            name, size = _declared_name(ctx, node), table.child(node, _SIZE)
            emit_incomplete_element(ctx, node, result.type, name)
            if size < 0:
                emit_star(ctx, node, name)
            result.type = array_of(
                result.type, read_array_size(ctx, size, result.type, name) if size >= 0 else None
            )
        elif shape in _FUNCTION:
            made = inner >= 0 and table.kind[inner] == _NAMED_FUNCTION
            named = made or _is_name(ctx, inner)
            if table.find(node, ERROR) >= 0 or _has_unknown_attribute(ctx, node):
                # an unknown word follows the parameters: it may be a macro that changes the name or makes the
                # function overloadable
                result.type = result.type.with_space(Space.UNKNOWN)
            if isinstance(result.type, Array) and not is_unknown(result.type):
                _emit_invalid(ctx, node, DeclaratorFault.RETURNED_ARRAY)
            _read_function(ctx, node, result, named=named, kernel=specifiers.kernel)
            if made:
                # C has no functions that return functions: in `FUNC(name)(int x)` a macro forms the name
                result.name_place = ctx.place(inner)
                emit_unknown_macro(ctx, inner)
                break
        elif shape in _NAMES:
            result.name, result.name_place = table.text(node), ctx.place(node)
            if result.name == "pipe" and ctx.dialect.version >= 200:
                ctx.emit(Construct(ConstructKind.RESERVED_NAME, result.name_place, result.name))
            elif result.name in NEVER_NAMES:
                emit_fault(ctx, SyntaxFault(result.name_place, found=result.name))
            break
        for child in table.children(node):
            if is_attribute(table.kind[child]):
                raw = result.levels[0] if result.levels else RawLevel()
                result.attributes += add_attribute(ctx, child, raw)
                result.type = _with_attribute(result.type, raw)
                result.vector_width = vector_width(ctx, child) or result.vector_width
        node = inner
    if specifiers.piped:
        _apply_pipe(specifiers, base, result)
    return result


def _emit_invalid(ctx: TypingContext, node: int, fault: DeclaratorFault) -> None:
    """Emits a fact for an invalid type, such as an array of functions, unless a macro may have caused it."""
    name = _declared_name(ctx, node)
    if name:
        emit_fault(ctx, InvalidDeclarator(fault, name, ctx.place(node)))


def _apply_pipe(specifiers: Specifiers, packet: Type, result: Declarator) -> None:
    """Applies `pipe` to the whole declared type: `pipe int *p` is a pipe of pointers, as in clang."""
    whole, made = specifiers.type, result.type
    if isinstance(made, Function):
        result.type = function(whole, made.parameters, made.variadic)
        return
    if made is packet:
        result.type = whole
        return
    access = whole.access if isinstance(whole, Pipe) else ""
    result.type = pipe(made.unqualified, access).with_space(whole.space)
    result.levels = specifiers.levels[:1]


def _has_unknown_attribute(ctx: TypingContext, node: int) -> bool:
    """Whether an unknown word, which may be any attribute, follows a function's parameters."""
    table = ctx.table
    behind = table.child(node, _PARAMETERS)
    if behind < 0:
        return False
    return any(
        child > behind and table.kind[child] in _TRAILING and not is_attribute(table.kind[child])
        for child in table.children(node)
    )


def _with_attribute(type_: Type, raw: RawLevel) -> Type:
    """Returns the type with the address space of an attribute that follows the declarator.

    The type is unchanged if it has an address space already.
    """
    decided = element_type(type_).space is not None or isinstance(type_, Function)
    return type_ if decided or not raw.written else type_.with_space(raw.written[0][0])


def _is_name(ctx: TypingContext, node: int) -> bool:
    while node >= 0 and ctx.table.kind[node] in _PARENTHESES:
        node = next(iter(ctx.table.children(node)), -1)
    return node < 0 or ctx.table.kind[node] in _NAMES


def _declared_name(ctx: TypingContext, node: int) -> str:
    """Returns the name that a declarator declares at any depth; empty for an abstract one."""
    table = ctx.table
    for inner in range(node, table.skip[node]):
        if table.kind[inner] in _NAMES and table.field[inner] in (0, _DECLARATOR):
            return table.text(inner)
    return ""


def _own_level(ctx: TypingContext, node: int) -> tuple[RawLevel, int]:
    """Returns the level of a `*` or `^` with its space qualifiers, and the bits of its other qualifiers."""
    table = ctx.table
    star = table.first[node]
    raw = RawLevel(place=place_of(star, star + 1), insertion=star + 1)
    bits = 0
    for child in table.children(node):
        if table.kind[child] == _QUALIFIER:
            bits |= add_qualifier(ctx, child, raw)
        elif table.kind[child] == _POINTER_MODIFIER and table.token(table.first[child]) == "__restrict":
            bits |= RESTRICT
        elif table.kind[child] == _MACRO_MODIFIER or table.kind[child] == ERROR:
            raw.unknown = True
    return raw, bits


def _emit_restrict(ctx: TypingContext, node: int) -> None:
    """Emits a fact for `restrict` after a `^`."""
    for child in ctx.table.children(node):
        if ctx.table.kind[child] == _QUALIFIER and "restrict" in ctx.table.text(child):
            ctx.emit(Construct(ConstructKind.RESTRICT_NOT_POINTER, ctx.place(child), "a block"))


def _read_pointer(ctx: TypingContext, node: int, result: Declarator, in_kernel: bool) -> None:
    """Derives a pointer type from the type derived so far, and stores it in `result`."""
    pointee = settle_pointee(ctx, result.type, result.levels[0], in_kernel)
    raw, bits = _own_level(ctx, node)
    if isinstance(pointee, Function):
        result.levels = []
        ctx.emit_restricted(
            Construct(ConstructKind.FUNCTION_POINTER, ctx.place(node), _declared_name(ctx, node)),
            FUNCTION_POINTERS,
        )
    if len(result.levels) > MAXIMUM_LEVELS:  # the base type is a level too
        ctx.emit(LimitReached(ctx.place(node), Limit.LEVELS))
        pointee, result.levels = UNKNOWN, []
    type_ = _in_own_space(pointer_to(pointee).with_qualifiers(bits), raw)
    result.type, result.levels = type_, [raw, *result.levels]


def _in_own_space(type_: Type, raw: RawLevel) -> Type:
    """Returns the type of a pointer or block, with its own address space if a qualifier gives one."""
    if raw.written:
        return type_.with_space(raw.written[0][0])
    return type_.with_space(Space.UNKNOWN) if raw.unknown else type_


def _may_lack_parameters(ctx: TypingContext) -> bool:
    """Whether a missing header or an excluded branch of a guessed condition may contain further parameters."""
    return ctx.names.has_guessed_conditions() or ctx.names.host_may_define_names()


def _read_function(ctx: TypingContext, node: int, result: Declarator, *, named: bool, kernel: bool) -> None:
    """Derives a function type from the type in `result`, and reads its parameters.

    `named` means that the declarator declares a function, `kernel` that this function is a kernel.
    """
    table = ctx.table
    nodes = table.child(node, _PARAMETERS)
    children = table.children(nodes) if nodes >= 0 else ()
    declared = [each for each in children if table.kind[each] in (_PARAMETER, _IDENTIFIER)]
    if nodes >= 0 and table.tokens[table.last[nodes] - 2] == b"," and not _may_lack_parameters(ctx):
        # the grammar accepts `f(int a,)`
        comma = Place(table.last[nodes] - 2, table.last[nodes] - 1)
        emit_fault(ctx, SyntaxFault(comma, ",", reason=SyntaxReason.COMMA))
    number = ctx.reserve(len(declared) + 1)
    entities: list[Entity] = []
    ctx.open_scope()
    for offset, parameter in enumerate(declared):
        read = read_parameter if table.kind[parameter] == _PARAMETER else read_old_style_parameter
        entity = read(ctx, parameter, number + 1 + offset, named and kernel)
        if entity is not None:
            entities.append(entity)
        if (entity is None and len(declared) > 1) or (entity is not None and isinstance(entity.type, Void)):
            emit_fault(ctx, InvalidDeclarator(DeclaratorFault.VOID_PARAMETER, "", ctx.place(parameter)))
    tags = ctx.tags[-1]
    if named and kernel:
        for entity in entities:
            _emit_record(ctx, entity)
    ctx.close_scope()
    variadic = nodes >= 0 and table.find(nodes, _VARIADIC) >= 0
    types = tuple(entity.type.unqualified for entity in entities)
    result.type = function(result.type, types, variadic)
    if named:
        result.number, result.parameters, result.parameter_tags = number, entities, tags


def read_parameter(ctx: TypingContext, node: int, number: int, in_kernel: bool) -> Entity | None:
    """Reads a parameter and adjusts array and function types (C99 6.7.5.3p7); None for `(void)`."""
    specifiers = read_specifiers(ctx, node)
    declarator = read_declarator(ctx, ctx.table.child(node, _DECLARATOR), specifiers, in_kernel=in_kernel)
    type_ = declarator.type
    if type_ is VOID and not declarator.name:
        return None
    raws = declarator.levels
    if isinstance(type_, Array):
        type_ = pointer_to(_array_parameter(ctx, type_.element, raws[0], in_kernel))
        raws = [RawLevel(place=declarator.name_place), *raws]
    elif isinstance(type_, Function):
        type_ = pointer_to(type_)
        raws = [RawLevel(place=declarator.name_place)]
    type_ = settle_object(type_, raws[0], Space.PRIVATE)
    levels = finished_levels(type_, raws, Reason.PARAMETER_DEFAULT)
    name_place = declarator.name_place if declarator.name else ctx.place(node)
    entity = Entity(
        ctx.ref(number), EntityKind.PARAMETER, declarator.name, type_, levels, name_place, ctx.place(node)
    )
    ctx.entities[number] = entity
    scope = Scope.KERNEL_PARAMETER if in_kernel else Scope.PARAMETER
    previous = ctx.bound_here(declarator.name) if declarator.name else None
    if previous is not None:
        ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloadable=False, redefinition=True))
    ctx.bind_at(Symbol(declarator.name, EntityKind.PARAMETER, type_, entity.ref, scope), name_place)
    ctx.emit(Declaration(entity, scope, specifiers.storage, specifiers.storage_place, None, True))
    note_endianness(ctx, entity.ref, (*specifiers.attributes, *declarator.attributes))
    emit_endianness(ctx, entity)
    return entity


def _array_parameter(ctx: TypingContext, element: Type, raw: RawLevel, in_kernel: bool) -> Type:
    """Returns the pointee of an array parameter.

    By the specification, the array is adjusted to a pointer first, so its pointee gets the default space of
    pointees. clang 22 gives the array the space of a parameter before the adjustment, and so does this function.
    """
    if element_type(element).space is not None or raw.unknown or is_unknown(element):
        return settle_pointee(ctx, element, raw, in_kernel)
    raw.reason = Reason.KERNEL_NO_DEFAULT if in_kernel else Reason.ARRAY_PARAMETER
    return element.with_space(Space.PRIVATE)


def _emit_record(ctx: TypingContext, parameter: Entity) -> None:
    """Emits a fact for a struct or union passed by value to a kernel."""
    if isinstance(parameter.type, Record):
        members = tuple(_flatten_members(ctx, parameter.type, "", 0))
        if members:
            ctx.emit(KernelRecord(parameter, members))


def _flatten_members(
    ctx: TypingContext, record: Record, path: str, depth: int
) -> Iterator[tuple[str, Type, EntityRef]]:
    for member in ctx.members(record) or ():
        name = f"{path}{member.name}"
        inner = element_type(member.type)
        if isinstance(inner, Record) and depth < _MAX_NESTING:
            yield from _flatten_members(ctx, inner, name + ".", depth + 1)
        else:
            yield name, member.type, member.ref


def type_name(ctx: TypingContext, node: int, kind_: EntityKind, whole: Place) -> Entity:
    """Reads a `type_descriptor` (in a cast, `sizeof` or compound literal) as an entity."""
    specifiers = read_specifiers(ctx, node)
    declarator = read_declarator(ctx, ctx.table.child(node, _DECLARATOR), specifiers)
    number = ctx.reserve(1)
    levels = finished_levels(declarator.type, declarator.levels, Reason.VALUE)
    entity = Entity(ctx.ref(number), kind_, "", declarator.type, levels, ctx.place(node), whole)
    ctx.entities[number] = entity
    return entity
