"""Types declarations and function definitions, at program scope and inside functions."""

from __future__ import annotations

from openclsp.language.features import VARIADIC_FUNCTIONS
from openclsp.language.spaces import Space
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.declarations import (
    Declaration,
    FunctionDeclaration,
    Initialiser,
    Redeclaration,
    Scope,
)
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    Origin,
    Place,
    Reason,
    place_of,
)
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.compatibility import agree, may_be_overloadable
from openclsp.semantics.types.type_model import (
    CONST,
    UNKNOWN,
    VOLATILE,
    BlockPointer,
    Function,
    Opaque,
    Scalar,
    Type,
    vector,
)
from openclsp.semantics.types.type_structure import element_type, is_unknown, levels
from openclsp.semantics.typing.conversions import rvalue
from openclsp.semantics.typing.declarators import Declarator, read_declarator
from openclsp.semantics.typing.default_spaces import finished_levels, settle_object
from openclsp.semantics.typing.dispatch import is_expression, value_of, value_without_facts
from openclsp.semantics.typing.endianness import emit_endianness, note_endianness
from openclsp.semantics.typing.incomplete_types import check_parameters, emit_incomplete_variable
from openclsp.semantics.typing.initialiser_results import InitialisedEntity
from openclsp.semantics.typing.initialisers import completed, initialise
from openclsp.semantics.typing.layout_attributes import typedef_alignment
from openclsp.semantics.typing.specifiers import Specifiers, read_specifiers
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import FunctionFrame, TypingContext
from openclsp.source.parser import ERROR, FIELDS, kind

_DECLARATOR, _VALUE, _BODY = FIELDS["declarator"], FIELDS["value"], FIELDS["body"]
_INIT_DECLARATOR = kind("init_declarator")
_PARENTHESES = kind("parenthesized_declarator")
_OTHER_KINDS = (EntityKind.TYPEDEF, EntityKind.FUNCTION, EntityKind.ENUMERATOR)
_OTHER_THAN_FUNCTIONS = (EntityKind.VARIABLE, EntityKind.TYPEDEF, EntityKind.ENUMERATOR)
_DEDUCED = "__auto_type"
_NAME = "identifier"


def declare(ctx: TypingContext, node: int) -> None:
    """Types a `declaration`: variables, functions without a body, or only a tag."""
    table = ctx.table
    specifiers = read_specifiers(ctx, node)
    runs_on = table.has_error and _runs_on(table, node)
    for child in table.children(node):
        if table.field[child] != _DECLARATOR:
            continue
        declarator_node, value_node = child, -1
        if table.kind[child] == _INIT_DECLARATOR:
            declarator_node, value_node = table.child(child, _DECLARATOR), table.child(child, _VALUE)
        if runs_on or (table.missing and _lacks_name(table, declarator_node)):
            # `int local; local = 1;`: the parser goes on with the declaration, in which the word names nothing
            if value_node >= 0 and is_expression(table.kind[value_node]):
                value_of(ctx, value_node)
            continue
        declarator = read_declarator(ctx, declarator_node, specifiers)
        if isinstance(declarator.type, Function):
            declare_function(ctx, specifiers, declarator, ctx.place(node), definition=False)
        else:
            if ctx.depth and specifiers.storage != "extern":
                # at program scope, a later definition may complete a tentative one (C99 6.9.2)
                emit_incomplete_variable(
                    ctx, declarator.type, declarator.name_place, ctx.place(declarator_node), value_node >= 0
                )
            _declare_variable(ctx, specifiers, declarator, ctx.place(node), value_node)


def _runs_on(table: Table, node: int) -> bool:
    """Whether the parser read beyond the end of a declaration, so that an error node contains its `;`."""
    return any(
        table.kind[child] == ERROR and b";" in table.tokens[table.first[child] : table.last[child]]
        for child in table.children(node)
    )


def _lacks_name(table: Table, node: int) -> bool:
    """Whether the parser inserted a missing name in a declarator."""
    first, last = table.first[node], table.last[node]
    return any(first <= token_index < last and word == _NAME for token_index, word in table.missing.items())


def define_types(ctx: TypingContext, node: int) -> None:
    """Types a `type_definition`: each declarator declares a typedef name."""
    table = ctx.table
    specifiers = read_specifiers(ctx, node)
    for child in table.children(node):
        if table.field[child] != _DECLARATOR:
            continue
        declarator = read_declarator(ctx, child, specifiers)
        type_ = _with_vector_attribute(declarator)
        if isinstance(type_, Function) and declarator.number < 0:
            _emit_function_space(ctx, declarator)
        levels = finished_levels(type_, declarator.levels, Reason.TYPEDEF_USE)
        number = declarator.number if declarator.number >= 0 else ctx.reserve(1)
        entity = Entity(
            ctx.ref(number),
            EntityKind.TYPEDEF,
            declarator.name,
            type_,
            levels,
            declarator.name_place,
            ctx.place(node),
        )
        ctx.entities[number] = entity
        ctx.emit(Declaration(entity, ctx.scope, "typedef", None, None, True))
        previous = ctx.bound_here(declarator.name)
        if previous is not None:
            again = previous.kind is not EntityKind.TYPEDEF
            ctx.emit(Redeclaration(entity, previous.ref, previous.type, False, redefinition=again))
        aligned = typedef_alignment(ctx, node, child)
        symbol = Symbol(declarator.name, EntityKind.TYPEDEF, type_, entity.ref, ctx.scope, alignment=aligned)
        ctx.bind_at(symbol, ctx.place(node))


def _emit_function_space(ctx: TypingContext, declarator: Declarator) -> None:
    """Emits a fact for each address space qualifier in `global F f;`, if `F` names a function type."""
    for space, token_index in declarator.levels[0].written if declarator.levels else ():
        place = place_of(token_index, token_index + 1)
        ctx.emit(Construct(ConstructKind.FUNCTION_TYPE_SPACE, place, declarator.name, space=space))


def _with_vector_attribute(declarator: Declarator) -> Type:
    width = declarator.vector_width
    if not width:
        return declarator.type
    element = declarator.type.unqualified
    made = vector(element, width) if isinstance(element, Scalar) and width > 0 else UNKNOWN
    return made.with_space(declarator.type.space).with_qualifiers(declarator.type.qualifiers)


def _declare_variable(
    ctx: TypingContext, specifiers: Specifiers, declarator: Declarator, whole: Place, value_node: int
) -> None:
    """Declares a variable: creates its entity, binds its name, and emits the facts about the declaration."""
    scope, storage = ctx.scope, specifiers.storage
    if value_node >= 0 and is_unknown(declarator.type):
        _deduce_type(ctx, specifiers, declarator, value_node)
    space, reason = _object_default(ctx, scope, storage, declarator.type)
    type_ = settle_object(declarator.type, declarator.levels[0] if declarator.levels else RawLevel(), space)
    number = ctx.reserve(1)
    ref = ctx.ref(number)
    previous = ctx.bound_here(declarator.name)
    constancy, value = Constancy.NOT_CONSTANT, None
    # at program scope, several declarations may declare one object; in a function, each declares another (C99
    # 6.7p3, 6.9.2)
    defined = value_node >= 0 or (scope is not Scope.PROGRAM and storage != "extern")
    automatic = scope is not Scope.PROGRAM and storage not in ("static", "extern")
    if isinstance(type_, BlockPointer):
        # a block variable is implicitly const (OpenCL C 6.14)
        type_ = type_.with_qualifiers(type_.qualifiers | CONST)
    symbol = Symbol(
        declarator.name,
        EntityKind.VARIABLE,
        type_,
        ref,
        scope,
        constancy,
        defined=defined,
        automatic=automatic,
    )
    # the scope of a name begins before its initialiser (C99 6.2.1p7)
    ctx.bind_at(symbol, declarator.name_place)
    note_endianness(ctx, ref, (*specifiers.attributes, *declarator.attributes))
    initialiser = None
    if value_node >= 0:
        before = type_
        outcome = initialise(ctx, type_, value_node, InitialisedEntity(Origin(ref, 0), declarator.name))
        initialiser = Initialiser(ctx.place(value_node), outcome.constancy)
        ctx.share_literal(ref, outcome.origin)
        type_ = completed(before, outcome)
        own = element_type(type_)
        if not own.qualifiers & VOLATILE and (own.qualifiers & CONST or own.space is Space.CONSTANT):
            constancy, value = outcome.constancy, outcome.number
        if isinstance(own, Opaque):
            # a sampler holds no value (OpenCL C 6.7.5): reading one is never a constant expression
            constancy, value = Constancy.NOT_CONSTANT, None
        target = outcome.target or Constancy.UNKNOWN
        ctx.bind_at(_read_as(symbol, type_, constancy, value, target), declarator.name_place)
    elif storage == "extern":
        other = previous if scope is Scope.PROGRAM else ctx.find_outside(declarator.name)
        ctx.bind_at(_uninitialised_symbol(ctx, symbol, type_, other), declarator.name_place)
    levels = finished_levels(type_, declarator.levels, reason)
    entity = Entity(ref, EntityKind.VARIABLE, declarator.name, type_, levels, declarator.name_place, whole)
    ctx.entities[number] = entity
    shadowed = previous is not None and previous.kind is EntityKind.PARAMETER
    has_error = previous is not None and _has_syntax_error(ctx)
    if previous is not None and previous.kind in _OTHER_KINDS and not has_error:
        ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloadable=False, redefinition=True))
    if previous is None and storage == "extern" and scope is not Scope.PROGRAM:
        # an extern declaration in a function redeclares the program-scope variable (C99 6.2.2p4)
        previous = ctx.find_outside(declarator.name)
    linked = storage == "extern" and previous is not None and previous.scope is Scope.PROGRAM
    if (
        previous is not None
        and not has_error
        and (shadowed or (previous.kind is EntityKind.VARIABLE and (linked or previous.scope is scope)))
    ):
        again = defined and (shadowed or previous.defined)
        ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloadable=False, redefinition=again))
        if not agree(type_, previous.type):
            # as in clang, the earlier declaration stays in effect
            ctx.bind(previous)
    definition = storage != "extern" or initialiser is not None
    ctx.emit(Declaration(entity, scope, storage, specifiers.storage_place, initialiser, definition))
    emit_endianness(ctx, entity)


def _has_syntax_error(ctx: TypingContext) -> bool:
    """Whether the item has a syntax error. Error recovery of the parser may then have invented a name."""
    return ctx.table.has_error_or_missing


def _uninitialised_symbol(ctx: TypingContext, variable: Symbol, type_: Type, other: Symbol | None) -> Symbol:
    """Returns the symbol of a variable that is declared without an initialiser.

    Its value is constant only if `other`, another declaration of the variable, makes it constant.
    """
    if other is not None and other.kind is EntityKind.VARIABLE and other.scope is Scope.PROGRAM:
        return _read_as(variable, type_, other.constancy, other.number, other.target)
    unknown = ctx.names.may_be_declared_elsewhere(variable.name)
    return _read_as(variable, type_, Constancy.UNKNOWN if unknown else Constancy.NOT_CONSTANT, None)


def _read_as(
    variable: Symbol,
    type_: Type,
    constancy: Constancy,
    number: int | None,
    target: Constancy = Constancy.UNKNOWN,
) -> Symbol:
    """Returns the symbol of a variable with this type and value.

    `constancy`, `number` and `target` describe the value that an expression gets if it reads the variable.
    """
    return Symbol(
        variable.name,
        variable.kind,
        type_,
        variable.ref,
        variable.scope,
        constancy,
        number,
        defined=variable.defined,
        automatic=variable.automatic,
        target=target,
    )


def _deduce_type(ctx: TypingContext, specifiers: Specifiers, declarator: Declarator, value_node: int) -> None:
    """Deduces the type of `__auto_type x = …` from the initialiser."""
    place = specifiers.place
    words = (ctx.table.token(token_index) for token_index in range(place.first, place.last))
    if _DEDUCED not in words:
        return
    value = rvalue(value_without_facts(ctx, value_node)).type
    declarator.type = value.with_space(declarator.type.space).with_qualifiers(declarator.type.qualifiers)
    below = [RawLevel(reason=Reason.EXPRESSION) for _ in levels(value)][1:]
    declarator.levels = [*declarator.levels[:1], *below]


def _object_default(
    ctx: TypingContext, scope: Scope, storage: str, type_: Type
) -> tuple[Space | None, Reason]:
    """Returns the space of an object without an address space qualifier, and the reason (OpenCL C 6.7.8)."""
    if scope is not Scope.PROGRAM and storage not in ("static", "extern"):
        return Space.PRIVATE, Reason.VARIABLE_DEFAULT
    own = element_type(type_)
    if isinstance(own, Opaque) and own.category == "sampler":
        return Space.CONSTANT, Reason.PROGRAM_DEFAULT
    if ctx.dialect.program_scope_globals:
        return Space.GLOBAL, Reason.PROGRAM_DEFAULT
    return Space.UNKNOWN, Reason.PROGRAM_NO_DEFAULT


def declare_function(
    ctx: TypingContext, specifiers: Specifiers, declarator: Declarator, whole: Place, *, definition: bool
) -> Symbol:
    """Declares a function, emits its facts and returns its symbol.

    Level 0 of the function's entity is the return type.
    """
    type_ = declarator.type
    result = type_.result if isinstance(type_, Function) else UNKNOWN
    number = declarator.number if declarator.number >= 0 else ctx.reserve(1)
    raws = declarator.levels
    if declarator.number < 0:
        # the whole function type comes from a typedef, so a qualifier applies to the function, not to its
        # result
        raws = []
        _emit_function_space(ctx, declarator)
    levels = finished_levels(result, raws, Reason.PARAMETER_DEFAULT)
    entity = Entity(
        ctx.ref(number), EntityKind.FUNCTION, declarator.name, type_, levels, declarator.name_place, whole
    )
    ctx.entities[number] = entity
    attributes = specifiers.attributes.union(declarator.attributes)
    overloadable = "overloadable" in attributes
    # clang's overloads with other conditions are other functions, also with the same parameters
    conditional = "enable_if" in attributes
    previous = ctx.bound_here(declarator.name)
    # a definition is a kernel if an earlier declaration is (as for any function attribute)
    kernel = specifiers.kernel or (previous is not None and previous.kernel and previous.type is type_)
    symbol = Symbol(
        declarator.name,
        EntityKind.FUNCTION,
        type_,
        entity.ref,
        ctx.scope,
        Constancy.CONSTANT,
        overloadable=overloadable or (previous is not None and previous.overloadable),
        kernel=kernel,
        uncertain=conditional or may_be_overloadable(type_) or (previous is not None and previous.uncertain),
        defined=definition,
        parameters=tuple(parameter.name for parameter in declarator.parameters),
    )
    in_force = symbol
    misplaced = result.space is Space.UNKNOWN and ctx.table.has_error
    if previous is not None and previous.kind is EntityKind.FUNCTION and not misplaced:
        again = definition and previous.defined
        overloads = symbol.overloadable or previous.uncertain or may_be_overloadable(type_)
        if not conditional:
            ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloads, again))
        in_force = symbol if overloads or agree(type_, previous.type) else previous
    elif previous is not None and previous.kind in _OTHER_THAN_FUNCTIONS and not _has_syntax_error(ctx):
        ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloadable=False, redefinition=True))
    ctx.bind_at(in_force, whole)
    variadic = isinstance(type_, Function) and type_.variadic and not ctx.names.enables(VARIADIC_FUNCTIONS)
    ctx.emit(
        FunctionDeclaration(
            entity,
            result,
            tuple(declarator.parameters),
            kernel,
            definition,
            variadic,
            specifiers.storage,
            specifiers.storage_place,
            attributes,
        )
    )
    return symbol


def define_function(ctx: TypingContext, node: int) -> int:
    """Types a `function_definition` up to its body and opens its scope.

    Returns the body's node, or -1.
    """
    table = ctx.table
    specifiers = read_specifiers(ctx, node)
    declarator = read_declarator(ctx, table.child(node, _DECLARATOR), specifiers)
    body = table.child(node, _BODY)
    # the body is not part of the declaration
    whole = place_of(table.first[node], table.first[body] if body >= 0 else table.last[node])
    if specifiers.unknown and (
        not isinstance(declarator.type, Function)
        or table.kind[table.child(node, _DECLARATOR)] == _PARENTHESES
    ):
        # `WITH(lock) { … }` and `TEST(NAME(int, a)) { … }` are macro calls, each followed by a block: nothing is
        # declared
        ctx.frames.append(FunctionFrame("", UNKNOWN, ctx.ref(ctx.reserve(1)), kernel=True))
        ctx.open_scope()
        return body
    symbol = declare_function(ctx, specifiers, declarator, whole, definition=True)
    result = symbol.type.result if isinstance(symbol.type, Function) else UNKNOWN
    kernel = symbol.kernel or specifiers.unknown
    ctx.frames.append(FunctionFrame(symbol.name, result, symbol.ref, kernel))
    ctx.open_scope()
    ctx.tags[-1].update(declarator.parameter_tags)
    check_parameters(ctx, declarator.parameters)
    for parameter in declarator.parameters:
        ctx.bind_parameter(parameter)
        if not parameter.name and is_unknown(parameter.type):
            # a definition without a prototype names its parameters only (C99 6.9.1p6), as does one whose
            # parameters a macro declares
            name, ref = table.token(parameter.whole.last - 1), parameter.ref
            ctx.bind(Symbol(name, EntityKind.PARAMETER, UNKNOWN, ref, Scope.PARAMETER, automatic=True))
    return body
