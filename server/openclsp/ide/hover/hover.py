"""Hover: the type under the cursor with the address space of every level, and the origin of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from openclsp.ide.feature_results import (
    FlowStep,
    Hover,
    Location,
    PointerFlow,
    SpaceReason,
)
from openclsp.ide.flow.pointer_flow import (
    compute_flow_if_generic,
    compute_flow_of_token,
    describe_caveat,
    describe_flow,
    describe_flow_if_generic,
)
from openclsp.ide.hover.builtin_notes import describe_builtin
from openclsp.ide.hover.host_notes import describe_macro_options, identifier_at
from openclsp.ide.hover.markdown import escape_sentence, fence_code
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.ide.unit_config import unit_config
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
from openclsp.semantics.types.type_model import Function, Type, spell
from openclsp.semantics.types.type_structure import is_unknown, levels
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import kind
from openclsp.source.source_locations import MacroUse

_TYPE_NAME = kind("type_identifier")
_DECLARED = frozenset(
    (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.TYPEDEF, EntityKind.FUNCTION)
)


def compute_hover(unit: TranslationUnit, document: str, offset: int) -> Hover | None:
    """Computes the hover at a byte of a document; None if there is nothing to show."""
    places = LocationMap(unit)
    macro = _macro_at(unit, document, offset)
    found = places.item_at(document, offset)
    answer = None
    if found is not None:
        item, token_index = found
        ctx = places.context(item.key)
        answer = _hover_at_token(places, item.key, ctx, token_index)
        if answer is not None:
            flow = compute_flow_of_token(places, item.key, token_index)
            answer = replace(answer, flow=flow, flow_if_generic=_flow_if_generic(places, ctx, token_index))
        notes = describe_builtin(ctx, token_index)
        if notes:
            answer = answer or _hover(
                places, places.location(item.key, Place(token_index, token_index + 1)), "", (), ()
            )
            answer = replace(answer, notes=(*answer.notes, *notes))
    if macro is not None:
        answer = _with_macro(unit, macro, answer)
    return _with_options(unit, document, offset, answer)


def _with_options(unit: TranslationUnit, document: str, offset: int, answer: Hover | None) -> Hover | None:
    """Adds the source of a macro that build options define; it may occur in a condition of a directive."""
    named = identifier_at(unit, document, offset)
    notes = () if named is None else tuple(describe_macro_options(unit_config(unit), named[0]))
    if named is None or not notes:
        return answer
    if answer is not None:
        return replace(answer, notes=(*answer.notes, *notes))
    return _hover_without_type(unit, Location(document, named[1], named[2]), notes)


def _hover_at_token(places: LocationMap, key: ItemKey, ctx: TypingContext, token_index: int) -> Hover | None:
    table = ctx.table
    named = _narrowest([entity for entity in ctx.entities.values() if _covers(entity.place, token_index)])
    if named is not None:
        return _of_entity(places, key, named)
    node = _type_node(table, token_index)
    if node >= 0:
        symbol = ctx.names.symbol(table.text(node))
        entity = places.entity(symbol.ref) if symbol is not None else None
        if entity is not None:
            return replace(
                _of_entity(places, entity.ref.item, entity), location=places.location(key, ctx.place(node))
            )
    value = _value_at(ctx, token_index)
    if value is not None and not is_unknown(value.type):
        return _of_value(places, key, value)
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


def _flow_if_generic(places: LocationMap, ctx: TypingContext, token_index: int) -> PointerFlow | None:
    """Computes the flow that the pointer declared or named at the token would have if it were generic.

    None unless its pointee is private by default.
    """
    if places.unit.dialect.generic:
        return None
    named = _narrowest([entity for entity in ctx.entities.values() if _covers(entity.place, token_index)])
    if named is not None:
        pointer = named.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER)
        return (
            compute_flow_if_generic(places, Origin(named.ref, 1), named.type, named.name) if pointer else None
        )
    value = _value_at(ctx, token_index)
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


def _value_at(ctx: TypingContext, token_index: int) -> Value | None:
    """The value of the innermost expression that contains the token."""
    trace = ctx.trace or {}
    return next(
        (trace[node] for node in reversed(nodes_around(ctx.table, token_index)) if node in trace), None
    )


def _of_entity(places: LocationMap, key: ItemKey, entity: Entity) -> Hover:
    why = tuple(
        _why(places, Origin(entity.ref, depth), level, depth) for depth, level in enumerate(entity.levels)
    )
    word = "typedef " if entity.kind is EntityKind.TYPEDEF else ""
    declaration = word + spell(entity.type, entity.name)
    found = _hover(places, places.location(key, entity.place), declaration, _spaces(entity.levels), why)
    return replace(found, notes=_shared_qualifier_note(places, entity))


def _shared_qualifier_note(places: LocationMap, entity: Entity) -> tuple[str, ...]:
    """A note about a qualifier that several declarators share.

    For `y` in `local int x, *y;`: `x` is in local memory, but `y` is a private pointer to local memory.
    """
    if entity.kind is not EntityKind.VARIABLE or len(entity.levels) < 2 or not entity.levels[-1].written:
        return ()
    space, token_index = entity.levels[-1].written[0]
    for other in places.context(entity.ref.item).entities.values():
        if (
            other.whole == entity.whole
            and len(other.levels) == 1
            and (space, token_index) in other.levels[0].written
        ):
            return (
                f"`{space.word}` applies to the pointee of `{entity.name}`; `{other.name}` itself is in {space.word} memory",
            )
    return ()


def _spaces(entity_levels: tuple[Level, ...]) -> tuple[str, ...]:
    return tuple(level.space.word for level in entity_levels)


def _of_value(places: LocationMap, key: ItemKey, value: Value) -> Hover:
    type_ = value.type
    named = isinstance(type_, Function) or (value.lvalue and _ends_with_name(places, key, value))
    declaration = spell(type_, value.name if named else "")
    result: Type = type_.result if isinstance(type_, Function) else type_
    spaces: list[str] = []
    why: list[SpaceReason] = []
    for depth, each in enumerate(levels(result)):
        space = each.space.word if each.space is not None else "private"
        spaces.append(space)
        if depth or value.origin is not None or not isinstance(type_, Function):
            # the result of a built-in function has no declaration to point to
            why.append(_value_why(places, value, depth, space))
    return _hover(places, places.location(key, value.place), declaration, tuple(spaces), tuple(why))


def _ends_with_name(places: LocationMap, key: ItemKey, value: Value) -> bool:
    """Whether the expression ends with the entity's name, as `p` and `s.p` do, but not `p[0]`."""
    return places.table(key).token(value.place.last - 1) == value.name


def _value_why(places: LocationMap, value: Value, depth: int, space: str) -> SpaceReason:
    if value.string:
        return SpaceReason(space, depth, Reason.LITERAL.value, None)
    if depth == 0 and not value.lvalue and not isinstance(value.type, Function):
        return SpaceReason(space, depth, Reason.VALUE.value, None)
    origin, _ = value.space_source(depth)
    entity = places.entity(origin.entity) if origin is not None else None
    if origin is None or entity is None or not 0 <= origin.level < len(entity.levels):
        return SpaceReason(space, depth, Reason.EXPRESSION.value, None)
    if value.held is not None and value.held[0] == depth:
        return SpaceReason(space, depth, Reason.OBJECT.value, places.origin_location(origin))
    return replace(_why(places, origin, entity.levels[origin.level], depth), space=space)


def _why(places: LocationMap, origin: Origin, level: Level, depth: int) -> SpaceReason:
    return SpaceReason(level.space.word, depth, _reason(places, level), places.origin_location(origin))


def _reason(places: LocationMap, level: Level) -> str:
    """The reason for a level's address space; for a typedef, whether it depends on the language version."""
    typedef = places.entity(level.via.entity) if level.via is not None else None
    if level.via is None or typedef is None or not 0 < level.via.level < len(typedef.levels):
        return level.reason.value
    inner = typedef.levels[level.via.level]
    where = {
        Reason.POINTEE_GENERIC: "generic here, private without the generic address space",
        Reason.POINTEE_PRIVATE: "private here, generic with the generic address space",
    }.get(inner.reason)
    if where is None:
        return _reason(places, inner) if inner.via is not None else level.reason.value
    return f"{level.reason.value}, whose pointee has no qualifier: {where}"


def _hover(
    places: LocationMap,
    location: Location,
    declaration: str,
    spaces: tuple[str, ...],
    why: tuple[SpaceReason, ...],
) -> Hover:
    unit = places.unit
    return Hover(location, declaration, spaces, why, unit.dialect.name, unit_config(unit).dialect_explanation)


def _macro_at(unit: TranslationUnit, document: str, offset: int) -> MacroUse | None:
    for fragment in unit.fragments():
        if fragment.preprocessed.document.name == document:
            return fragment.preprocessed.source_map.macro_at(offset)
    return None


def _with_macro(unit: TranslationUnit, macro: MacroUse, answer: Hover | None) -> Hover:
    """Adds the definition and the expansion of the macro at the cursor."""
    location = Location(macro.document, macro.start, macro.end)
    if macro.expansion == macro.name:
        # A macro that expands to itself is only known to be defined by the host.
        return answer if answer is not None else _hover_without_type(unit, location)
    notes = [f"macro `{macro.name}`: `{' '.join(macro.definition_text.split())}`"]
    if macro.expansion:
        notes.append(f"expands to `{' '.join(macro.expansion.split())}`")
    if answer is not None:
        return replace(answer, location=location, notes=(*answer.notes, *notes))
    return _hover_without_type(unit, location, tuple(notes))


def _hover_without_type(unit: TranslationUnit, location: Location, notes: tuple[str, ...] = ()) -> Hover:
    return Hover(location, "", (), (), unit.dialect.name, unit_config(unit).dialect_explanation, notes)


def describe_level(level: int) -> str:
    """Describes a level: 0 is the object itself."""
    return _LEVEL_NAMES[level] if level < len(_LEVEL_NAMES) else f"level {level}"


_LEVEL_NAMES = ("the object itself", "its pointee", "the pointee's pointee")


def render_markdown(answer: Hover, link: Callable[[FlowStep], str]) -> str:
    """Renders the hover as Markdown.

    It contains the type, a line for the address space of each level, the flow of a generic pointer, notes and
    the dialect. `link` creates a link to a step's location.
    """
    return _render(answer, link, escape_sentence)


def render_plain_text(answer: Hover) -> str:
    """Renders the hover for clients that do not support Markdown."""
    return _render(answer, lambda step: f"line {step.line}", lambda sentence: sentence)


def _render(answer: Hover, link: Callable[[FlowStep], str], written: Callable[[str], str]) -> str:
    lines = [fence_code(answer.type)] if answer.type else []
    for why in answer.why:
        lines.append(f"- `{why.space}`, {describe_level(why.level)}: {written(why.reason)}")

    def witnesses(flow: PointerFlow) -> list[str]:
        return [
            f"  - `{each.space.word}`: "
            + " → ".join(f"{written(step.description)} ({link(step)})" for step in each.steps)
            for each in flow.witnesses
        ]

    if answer.flow is not None:
        lines += [f"- **{describe_flow(answer.flow)}**", *witnesses(answer.flow)]
        if describe_caveat(answer.flow):
            lines.append(f"  - {written(describe_caveat(answer.flow))}")
    if answer.flow_if_generic is not None:
        lines += [
            f"- **{describe_flow_if_generic(answer.flow_if_generic)}**",
            *witnesses(answer.flow_if_generic),
        ]
    lines += [f"- {written(note)}" for note in answer.notes]
    lines += ["", f"*{written(answer.dialect_reason)}*"]
    return "\n".join(lines)
