"""Emits facts about unused variables and parameters of a function."""

from __future__ import annotations

from openclsp.language.attributes import UNUSED_ATTRIBUTES
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration, Scope
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.facts.faults import UnusedName
from openclsp.semantics.typing.fault_facts import is_certain
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import kind

_FUNCTION_DEFINITION = kind("function_definition")
_LOCAL = (Scope.FUNCTION, Scope.KERNEL, Scope.KERNEL_INNER)


def emit_unused_names(ctx: TypingContext) -> None:
    """Emits a fact for each variable or parameter whose name does not occur again in the function."""
    table = ctx.table
    if table.kind[0] != _FUNCTION_DEFINITION or not is_certain(ctx):
        return
    declared = list(_declared(ctx))
    if not declared:
        return
    counts = {entity.name.encode(): 0 for entity, _ in declared}
    for token in table.tokens:
        if token in counts:
            counts[token] += 1
    for entity, parameter in declared:
        if counts[entity.name.encode()] > 1:
            continue
        if UNUSED_ATTRIBUTES.isdisjoint(table.tokens[entity.whole.first : entity.whole.last]):
            ctx.emit(UnusedName(entity.name, parameter, entity.place))


def _declared(ctx: TypingContext) -> list[tuple[Entity, bool]]:
    found: list[tuple[Entity, bool]] = []
    for fact in ctx.facts:
        if isinstance(fact, Declaration):
            if fact.entity.kind is EntityKind.VARIABLE and fact.scope in _LOCAL and fact.definition:
                found.append((fact.entity, False))
        elif isinstance(fact, FunctionDeclaration) and fact.definition:
            found += [(parameter, True) for parameter in fact.parameters if parameter.name]
    return found
