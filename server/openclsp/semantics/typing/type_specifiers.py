"""Type specifiers: typedef names, built-in types, `typeof` and `pipe`."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import (
    EntityKind,
    Origin,
    Reason,
    place_of,
)
from openclsp.semantics.facts.faults import InvalidSpecifiers
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types import known_types
from openclsp.semantics.types.type_model import (
    UNKNOWN,
    Scalar,
    Type,
    Unknown,
    pipe,
)
from openclsp.semantics.types.type_structure import levels
from openclsp.semantics.typing.dispatch import (
    specified_type,
    type_specifier,
    value_of,
)
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.specifiers import add_qualifier
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import emit_unknown_type
from openclsp.source.parser import FIELDS, kind

_QUALIFIER = kind("type_qualifier")
_TYPE_IDENTIFIER = kind("type_identifier")
_PARAMETER, _PARAMETER_LIST = kind("parameter_declaration"), kind("parameter_list")
_TYPE_DESCRIPTOR, _ABSTRACT_FUNCTION = kind("type_descriptor"), kind("abstract_function_declarator")
_SUFFIXES = frozenset((_ABSTRACT_FUNCTION, kind("abstract_array_declarator")))
_OPERAND, _ELEMENT = FIELDS["operand"], FIELDS["element"]
_TYPE, _DECLARATOR = FIELDS["type"], FIELDS["declarator"]
_VALUES = frozenset((EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.FUNCTION))
_BIT_INT = "_BitInt"
"""An integer type of any width (C23), which is treated as unknown."""
_XILINX = b"xcl_"
"""The prefix of the names of Xilinx' attributes."""
_ENDS = frozenset((b";", b"{", b")"))
_FARTHEST = 64
"""The limit of tokens of a declaration searched for such an attribute."""


@type_specifier("primitive_type", "type_identifier")
def _read_named_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """Returns the type that an identifier names, and the levels that come from its typedef.

    The list of levels is empty for a built-in or unknown type.
    """
    name = ctx.table.text(node)
    symbol = ctx.find(name)
    if _is_parenthesized_name(ctx, node):
        ctx.misparsed_names[ctx.table.first[node]] = NameClass.DECLARED
        return UNKNOWN, []
    if symbol is not None:
        if symbol.kind is not EntityKind.TYPEDEF:
            if symbol.kind in _VALUES and not isinstance(symbol.type, Unknown):
                ctx.misparsed_names[ctx.table.first[node]] = NameClass.VALUE
            return UNKNOWN, []
        ctx.note_use(ctx.table.first[node], symbol)
        place = place_of(ctx.table.first[node], ctx.table.first[node] + 1)
        depths = range(sum(1 for _ in levels(symbol.type)))
        return _as_built_in_type(ctx, name, symbol.type), [
            RawLevel(place=place, via=Origin(symbol.ref, depth), reason=Reason.TYPEDEF) for depth in depths
        ]
    built_in = known_types.named(name, ctx.dialect)
    if built_in is None:
        emit_unknown_type(ctx, node)
    return built_in or UNKNOWN, []


def _is_type(ctx: TypingContext, name: str) -> bool:
    symbol = ctx.find(name)
    if symbol is not None:
        return symbol.kind is EntityKind.TYPEDEF
    return known_types.named(name, ctx.dialect) is not None


def _is_parenthesized_name(ctx: TypingContext, node: int) -> bool:
    """Whether `node`, which is parsed as a type, is the name of a parameter: `name` in `int f(int (name))`.

    If `name` is a typedef name, it is indeed a type: the parameter is then a function that takes a `name`
    (C99 6.7.5.3p11).
    """
    table = ctx.table
    # These conditions hold for few nodes, so that the search for the enclosing parameter is rare.
    inner = node - 1
    if (
        inner < 2
        or table.kind[inner] != _PARAMETER
        or table.field[node] != _TYPE
        or not _begins_after_name(table, table.child(inner, _DECLARATOR))
        or table.kind[inner - 1] != _PARAMETER_LIST
        or table.kind[inner - 2] != _ABSTRACT_FUNCTION
        or table.skip[inner - 1] != table.skip[inner]
    ):
        return False
    return _enclosing_parameter(table, inner - 2) >= 0 and not _is_type(ctx, table.text(node))


def _begins_after_name(table: Table, declarator: int) -> bool:
    """Whether an abstract declarator can follow a declared name: `[3]`, `(int)`, or none at all (-1)."""
    return declarator < 0 or table.kind[declarator] in _SUFFIXES


def _enclosing_parameter(table: Table, node: int) -> int:
    """Returns the innermost parameter around a node.

    Returns -1 if there is none, or if a type name (C99 6.7.6) is between the parameter and the node.
    """
    for outer in range(node - 1, -1, -1):
        if table.skip[outer] > node and table.kind[outer] in (_PARAMETER, _TYPE_DESCRIPTOR):
            return outer if table.kind[outer] == _PARAMETER else -1
    return -1


def _as_built_in_type(ctx: TypingContext, name: str, type_: Type) -> Type:
    """Returns the type of a typedef.

    If the typedef has the name of a built-in type such as `size_t`, and names the same arithmetic type,
    returns the built-in type, because the size of that type may depend on the device.
    """
    built_in = known_types.named(name, ctx.dialect)
    same = (
        isinstance(built_in, Scalar) and isinstance(type_, Scalar) and type_.canonical == built_in.canonical
    )
    if not same or built_in is None:
        return type_
    return built_in.with_space(type_.space).with_qualifiers(type_.qualifiers)


@type_specifier("sized_type_specifier")
def _read_sized_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    table = ctx.table
    for child in table.children(node):
        if table.kind[child] == _QUALIFIER:
            add_qualifier(ctx, child, raw)
        elif table.kind[child] == _TYPE_IDENTIFIER:
            if table.text(child) == _BIT_INT:
                return UNKNOWN, []
            raw.unknown = True
    words = [table.token(token_index) for token_index in range(table.first[node], table.last[node])]
    if not raw.unknown and not known_types.is_valid_combination(words, ctx.dialect):
        emit_fault(ctx, InvalidSpecifiers(" ".join(words), ctx.place(node)))
    return known_types.sized(words), []


@type_specifier("typeof_specifier")
def _read_typeof(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """Returns the type of the operand of `typeof`, and its levels, which have the reason EXPRESSION."""
    operand = ctx.table.child(node, _OPERAND)
    if operand < 0:
        return UNKNOWN, []
    before = len(ctx.facts)
    ctx.unevaluated += 1
    value = value_of(ctx, operand)
    ctx.unevaluated -= 1
    # the operand is not evaluated, but must be valid
    ctx.facts[before:] = [fact for fact in ctx.facts[before:] if isinstance(fact, Construct)]
    # the private space of an automatic variable is not part of its type
    private = value.type.space is Space.PRIVATE
    type_ = value.type.with_space(None) if private or not value.lvalue else value.type
    place = place_of(ctx.table.first[node], ctx.table.last[node])
    return type_, [RawLevel(place=place, reason=Reason.EXPRESSION) for _ in levels(type_)]


@type_specifier("pipe_type")
def _read_pipe(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    element = ctx.table.child(node, _ELEMENT)
    token_index = ctx.table.first[node]
    if _has_vendor_attribute(ctx, token_index):
        # Xilinx' pipes between kernels are variables, which OpenCL C does not have
        return UNKNOWN, []
    if ctx.find("pipe") is None and not ctx.names.may_be_declared_elsewhere("pipe"):
        ctx.emit(Construct(ConstructKind.PIPE, place_of(token_index, token_index + 1)))
    packet = specified_type(ctx, element, raw)[0] if element >= 0 else UNKNOWN
    return pipe(packet.unqualified), []


def _has_vendor_attribute(ctx: TypingContext, token_index: int) -> bool:
    """Whether a Xilinx attribute follows in the declaration that contains the token."""
    tokens = ctx.table.tokens
    for behind in range(token_index, min(token_index + _FARTHEST, len(tokens))):
        if tokens[behind] in _ENDS:
            break
        if tokens[behind].startswith(_XILINX):
            return True
    return False


@type_specifier("macro_type_specifier")
def _read_macro_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    table = ctx.table
    token_index = table.first[node]
    symbol = ctx.find(table.token(token_index))
    if symbol is not None and symbol.kind in _VALUES and not isinstance(symbol.type, Unknown):
        ctx.misparsed_names[token_index] = NameClass.VALUE
    elif _is_type(ctx, table.token(token_index)):
        # the declaration `T (a);` of a member or parameter
        ctx.misparsed_names[token_index] = NameClass.TYPE
        name = token_index + 2
        parameter = _enclosing_parameter(table, node)
        alone = parameter >= 0 and table.child(parameter, _TYPE) == node and table.last[node] == name + 2
        if alone and not _is_type(ctx, table.token(name)):
            ctx.misparsed_names[name] = NameClass.DECLARED
    return UNKNOWN, []
