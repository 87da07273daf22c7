"""Hover: the type under the cursor with the address space of every level, and the origin of each space."""

from __future__ import annotations

from dataclasses import replace

from openclsp.ide.doc_comments import (
    doc_comment_of,
    doc_comment_of_function,
    doc_comment_of_item,
    doc_comment_of_macro,
    paragraphs_of,
)
from openclsp.ide.document_part import find_part
from openclsp.ide.feature_results import Hover, Location, PointerFlow, SpaceReason
from openclsp.ide.flow.pointer_flow import compute_flow_if_generic, compute_flow_of_token
from openclsp.ide.hover.attribute_notes import describe_attribute
from openclsp.ide.hover.builtin_notes import describe_builtin
from openclsp.ide.hover.constant_notes import describe_constant, describe_floating_literal, enumerator_number
from openclsp.ide.hover.directive_notes import describe_include, find_macro_body_use
from openclsp.ide.hover.function_signature import function_declaration, spell_signature
from openclsp.ide.hover.host_notes import describe_macro_options, identifier_at
from openclsp.ide.hover.layout_notes import (
    describe_member,
    describe_size,
    has_notable_size,
    spell_enum,
    spell_record,
)
from openclsp.ide.hover.space_reasons import describe_shared_qualifier, space_reason, value_space_reason
from openclsp.ide.hover.uncertain_names import UNCERTAIN_DECLARATION, find_uncertain_declaration
from openclsp.ide.layout.record_definitions import definition_of_tag
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.ide.unit_config import unit_config
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    ItemKey,
    Level,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.known_types import named as builtin_type_named
from openclsp.semantics.types.type_model import Enum, Function, Record, Scalar, Type, spell
from openclsp.semantics.types.type_structure import is_unknown, levels
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import kind
from openclsp.source.source_locations import MacroUse

_TYPE_NAME, _BUILTIN_TYPE = kind("type_identifier"), kind("primitive_type")
_SIZED_TYPE = kind("sized_type_specifier")
_IDENTIFIER, _FIELD, _NUMBER = kind("identifier"), kind("field_expression"), kind("number_literal")
_DECLARED = frozenset(
    (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.TYPEDEF, EntityKind.FUNCTION)
)


def compute_hover(unit: TranslationUnit, document: str, offset: int) -> Hover | None:
    """Computes the hover at a byte of a document; None if there is nothing to show."""
    included = describe_include(unit, document, offset)
    if included is not None:
        return _hover_without_type(unit, included[0], (included[1],))
    places = LocationMap(unit)
    macro = _macro_at(unit, document, offset)
    found = places.item_at(document, offset)
    answer = None
    if found is not None:
        answer = _hover_in_item(places, found[0].key, found[1])
    elif macro is None:
        answer = _hover_in_macro_body(places, document, offset)
    if macro is not None:
        answer = _with_macro(unit, macro, answer)
    return _with_options(unit, document, offset, answer)


def _hover_in_item(places: LocationMap, key: ItemKey, token_index: int) -> Hover | None:
    ctx = places.context(key)
    answer = _hover_at_token(places, key, ctx, token_index)
    if answer is not None and answer.spaces:
        flow = compute_flow_of_token(places, key, token_index)
        answer = replace(answer, flow=flow, flow_if_generic=_flow_if_generic(places, ctx, token_index))
    notes = describe_builtin(ctx, token_index)
    if notes:
        answer = answer or _hover(
            places, places.location(key, Place(token_index, token_index + 1)), "", (), ()
        )
        answer = replace(answer, notes=(*answer.notes, *notes))
    return answer


def _hover_in_macro_body(places: LocationMap, document: str, offset: int) -> Hover | None:
    """Returns the hover on a word in a macro's body: the hover on this word in the macro's first use."""
    named = identifier_at(places.unit, document, offset)
    use = find_macro_body_use(places.unit, document, offset, named[0]) if named is not None else None
    answer = _hover_in_item(places, use.item, use.token_index) if use is not None else None
    if named is None or use is None or answer is None:
        return None
    where = "" if use.document == document else f" of `{use.document}`"
    note = f"as in the macro's use in line {use.line + 1}{where}"
    return replace(answer, location=Location(document, named[1], named[2]), notes=(*answer.notes, note))


def _with_options(unit: TranslationUnit, document: str, offset: int, answer: Hover | None) -> Hover | None:
    """Adds to a hover the build options that define the macro at the cursor.

    The macro may be in code, or in a condition of a directive.
    """
    named = identifier_at(unit, document, offset)
    notes = () if named is None else tuple(describe_macro_options(unit_config(unit), named[0]))
    if named is None or not notes:
        return answer
    if answer is not None:
        return replace(answer, notes=(*answer.notes, *notes))
    return _hover_without_type(unit, Location(document, named[1], named[2]), notes)


def _hover_at_token(places: LocationMap, key: ItemKey, ctx: TypingContext, token_index: int) -> Hover | None:
    table = ctx.table
    word = Place(token_index, token_index + 1)
    described = describe_attribute(table, token_index)
    if described:
        return _hover(places, places.location(key, word), "", (), (), described)
    named = _narrowest([entity for entity in ctx.entities.values() if _covers(entity.place, token_index)])
    if named is not None:
        return _of_entity(places, key, named)
    found = _of_type_name(places, key, ctx, token_index)
    if found is not None:
        return found
    node, value = _value_at(ctx, token_index)
    if value is not None and not is_unknown(value.type):
        function = _called_function(places, table, token_index, value)
        if function is not None:
            return _of_function(places, places.location(key, word), function)
        return _of_value(places, key, ctx, node, value)
    uncertain = find_uncertain_declaration(places, key, token_index)
    if uncertain is not None:
        made = _of_entity(places, uncertain.ref.item, uncertain)
        return replace(made, location=places.location(key, word), notes=(*made.notes, UNCERTAIN_DECLARATION))
    around = _narrowest(
        [
            each
            for each in ctx.entities.values()
            if _covers(each.whole, token_index) and each.kind in _DECLARED
        ]
    )
    if around is not None and token_index < around.place.first + 1 and value is None:
        return _of_entity(places, key, around)
    return None


def _of_type_name(places: LocationMap, key: ItemKey, ctx: TypingContext, token_index: int) -> Hover | None:
    """Creates the hover on the name of a typedef, the tag of a structure or the name of a built-in type."""
    table = ctx.table
    word = table.token(token_index)
    location = places.location(key, Place(token_index, token_index + 1))
    node = _type_node(table, token_index)
    if node >= 0:
        symbol = ctx.names.symbol(word)
        entity = places.entity(symbol.ref) if symbol is not None else None
        if entity is not None:
            return replace(_of_entity(places, entity.ref.item, entity), location=location)
    before = table.token(token_index - 1)
    definition = definition_of_tag(ctx, token_index)
    tagged: Type | None = definition.record if definition is not None else None
    if tagged is None and before in ("struct", "union"):
        tagged = ctx.find_tag(f"{before} {word}")
    if isinstance(tagged, Record) and ctx.members(tagged) is not None:
        made = _hover(places, location, spell_record(ctx, tagged), (), (), describe_size(ctx, tagged))
        return replace(made, documentation=_documentation_of_record(places, ctx, tagged))
    type_ = (
        builtin_type_named(word, ctx.dialect) if node >= 0 or _is_builtin_type(table, token_index) else None
    )
    if type_ is None:
        return None
    alias: tuple[str, ...] = ()
    if isinstance(type_, Scalar) and type_.canonical != type_.name:
        alias = (f"another name of `{type_.canonical}` on {ctx.dialect.address_bits}-bit devices",)
    return _hover(places, location, word, (), (), (*describe_size(ctx, type_), *alias))


def _is_builtin_type(table: Table, token_index: int) -> bool:
    around = nodes_around(table, token_index)
    # `unsigned int` is one type
    return any(table.kind[node] == _BUILTIN_TYPE for node in around) and not any(
        table.kind[node] == _SIZED_TYPE for node in around
    )


def _documentation_of_record(places: LocationMap, ctx: TypingContext, type_: Record) -> tuple[str, ...]:
    members = ctx.members(type_)
    if not members:
        return ()
    return paragraphs_of(doc_comment_of_item(places, members[0].ref.item))


def _called_function(
    places: LocationMap, table: Table, token_index: int, value: Value
) -> FunctionDeclaration | None:
    """Returns the function of the program that a token names, in a call or as a value; None otherwise."""
    if value.origin is None or table.token(token_index) != value.name:
        return None
    return function_declaration(places.unit, value.origin.entity)


def _of_function(places: LocationMap, location: Location, declared: FunctionDeclaration) -> Hover:
    """Creates the hover on a function of the program: signature, comment and address spaces of the result."""
    entity = declared.entity
    why = tuple(
        space_reason(places, Origin(entity.ref, depth), level, depth)
        for depth, level in enumerate(entity.levels)
        if depth
    )
    spaces = _spaces(entity.levels[1:])
    comment = doc_comment_of_function(places, entity.name, entity.type, entity.ref.item)
    made = _hover(places, location, spell_signature(declared), spaces, why)
    return replace(made, documentation=paragraphs_of(comment))


def _flow_if_generic(places: LocationMap, ctx: TypingContext, token_index: int) -> PointerFlow | None:
    """Computes the flow that the pointer at a token would have if it were generic.

    None unless the pointee is private by default, and the pointer is known to point into another space.
    """
    if places.unit.dialect.generic:
        return None
    named = _narrowest([entity for entity in ctx.entities.values() if _covers(entity.place, token_index)])
    if named is not None:
        pointer = named.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER)
        return (
            compute_flow_if_generic(places, Origin(named.ref, 1), named.type, named.name) if pointer else None
        )
    _, value = _value_at(ctx, token_index)
    origin = value.space_source(1)[0] if value is not None else None
    return (
        None
        if value is None or origin is None
        else compute_flow_if_generic(places, origin, value.type, value.name)
    )


def _covers(place: Place, token_index: int) -> bool:
    return place.first <= token_index < place.last


def _narrowest(entities: list[Entity]) -> Entity | None:
    return min(entities, key=lambda each: each.place.last - each.place.first + each.whole.last, default=None)


def _type_node(table: Table, token_index: int) -> int:
    around = nodes_around(table, token_index)
    return next(
        (node for node in around if table.kind[node] == _TYPE_NAME and table.first[node] == token_index), -1
    )


def _value_at(ctx: TypingContext, token_index: int) -> tuple[int, Value | None]:
    """Finds the innermost expression that contains the token; returns its node and value, or -1 and None."""
    trace = ctx.trace or {}
    for node in reversed(nodes_around(ctx.table, token_index)):
        if node in trace:
            return node, trace[node]
    return -1, None


def _of_entity(places: LocationMap, key: ItemKey, entity: Entity) -> Hover:
    location = places.location(key, entity.place)
    if entity.kind is EntityKind.FUNCTION:
        declared = function_declaration(places.unit, entity.ref)
        if declared is not None:
            return _of_function(places, location, declared)
    # the type name of a cast or `sizeof` designates no object
    shown = 1 if entity.levels and entity.levels[0].reason is Reason.VALUE else 0
    why = tuple(
        space_reason(places, Origin(entity.ref, depth), level, depth)
        for depth, level in enumerate(entity.levels)
        if depth >= shown
    )
    ctx = places.context(entity.ref.item)
    notes = describe_shared_qualifier(places, entity)
    declaration = spell(entity.type, entity.name)
    if entity.kind is EntityKind.TYPEDEF:
        type_ = entity.type.unqualified
        notes += describe_size(ctx, type_)
        declaration = f"typedef {declaration}"
        if isinstance(type_, Record) and type_.name in ("", f"typedef {entity.name}"):
            declaration = spell_record(ctx, type_, entity.name)
        elif isinstance(type_, Enum) and type_.name == f"typedef {entity.name}":
            declaration = f"typedef {spell_enum(ctx, entity)} {entity.name}"
    elif entity.kind is EntityKind.MEMBER:
        notes += describe_member(places, entity)
    elif entity.kind is EntityKind.ENUMERATOR:
        notes += _enumerator_value(ctx, entity)
    elif shown or has_notable_size(entity.type):
        notes += describe_size(ctx, entity.type)
    found = _hover(places, location, declaration, _spaces(entity.levels[shown:]), why, notes)
    return replace(found, documentation=paragraphs_of(doc_comment_of(places, entity.ref)))


def _enumerator_value(ctx: TypingContext, entity: Entity) -> tuple[str, ...]:
    number = enumerator_number(ctx, entity.place.first)
    return () if number is None else (describe_constant(Value(entity.type, entity.place, number=number)),)


def _spaces(entity_levels: tuple[Level, ...]) -> tuple[str, ...]:
    return tuple(level.space.word for level in entity_levels)


def _of_value(places: LocationMap, key: ItemKey, ctx: TypingContext, node: int, value: Value) -> Hover:
    type_ = value.type
    entity = places.entity(value.origin.entity) if value.origin is not None else None
    enumerator = entity is not None and entity.kind is EntityKind.ENUMERATOR
    named = isinstance(type_, Function) or (
        (value.lvalue or enumerator) and _is_name(ctx.table, node, value.name)
    )
    declaration = spell(type_, value.name if named else "")
    result: Type = type_.result if isinstance(type_, Function) else type_
    spaces: list[str] = []
    why: list[SpaceReason] = []
    for depth, each in enumerate(levels(result)):
        if not depth and not value.lvalue:
            # a value is no object and lies in no address space
            continue
        space = each.space.word if each.space is not None else "private"
        spaces.append(space)
        why.append(value_space_reason(places, value, depth, space))
    made = _hover(
        places,
        places.location(key, value.place),
        declaration,
        tuple(spaces),
        tuple(why),
        _value_notes(ctx, node, value),
    )
    if not named or entity is None or entity.name != value.name:
        return made
    if value.origin is None or value.origin.level:
        return made
    notes = describe_member(places, entity) if entity.kind is EntityKind.MEMBER else ()
    comment = paragraphs_of(doc_comment_of(places, entity.ref))
    return replace(made, notes=(*made.notes, *notes), documentation=comment)


def _value_notes(ctx: TypingContext, node: int, value: Value) -> tuple[str, ...]:
    """Returns a note with the value of a constant expression or floating literal; otherwise empty."""
    type_ = value.type.unqualified
    if value.measured is not None and value.number is None:
        return ()
    note = describe_constant(value)
    if not note and ctx.table.kind[node] == _NUMBER and isinstance(type_, Scalar):
        note = describe_floating_literal(ctx.table.text(node), type_)
    return (note,) if note else ()


def _is_name(table: Table, node: int, name: str) -> bool:
    """Whether an expression names an object or a member called `name`, such as `p` or `s.p` but not `*p`."""
    return table.kind[node] in (_IDENTIFIER, _FIELD) and table.token(table.last[node] - 1) == name


def _hover(
    places: LocationMap,
    location: Location,
    declaration: str,
    spaces: tuple[str, ...],
    why: tuple[SpaceReason, ...],
    notes: tuple[str, ...] = (),
) -> Hover:
    unit = places.unit
    explanation = unit_config(unit).dialect_explanation
    return Hover(location, declaration, spaces, why, unit.dialect.name, explanation, notes)


def _macro_at(unit: TranslationUnit, document: str, offset: int) -> MacroUse | None:
    part = find_part(unit, document)
    return None if part is None else part.preprocessed.source_map.macro_at(offset)


def _with_macro(unit: TranslationUnit, macro: MacroUse, answer: Hover | None) -> Hover:
    """Adds to a hover the definition and the expansion of the macro at the cursor."""
    location = Location(macro.document, macro.start, macro.end)
    if macro.expansion == macro.name:
        # A macro that expands to itself is only known to be defined by the host.
        return answer if answer is not None else _hover_without_type(unit, location)
    notes = [f"macro `{macro.name}`: `{' '.join(macro.definition_text.split())}`"]
    if macro.expansion:
        notes.append(f"expands to `{' '.join(macro.expansion.split())}`")
    comment = paragraphs_of(doc_comment_of_macro(unit, macro.macro))
    if answer is not None:
        comment = answer.documentation or comment
        return replace(answer, location=location, notes=(*answer.notes, *notes), documentation=comment)
    return replace(_hover_without_type(unit, location, tuple(notes)), documentation=comment)


def _hover_without_type(unit: TranslationUnit, location: Location, notes: tuple[str, ...] = ()) -> Hover:
    return Hover(location, "", (), (), unit.dialect.name, unit_config(unit).dialect_explanation, notes)
