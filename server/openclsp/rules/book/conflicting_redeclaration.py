"""Names that are redeclared with another type or address space, or redefined (C99 6.7p4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.availability import extension_of
from openclsp.language.builtin_functions import named_in
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import fixable_origin, innermost_element
from openclsp.semantics.facts.declarations import Declaration, Redeclaration, Scope, TagRedeclaration
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    EntityRef,
    Origin,
)
from openclsp.semantics.types.compatibility import agree, may_be_overloadable, same_space
from openclsp.semantics.types.type_model import Function, Type, Unknown, function, spell
from openclsp.semantics.types.type_structure import levels

CODE = "conflicting-redeclaration"


def check(fact: Redeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a redeclaration with another type, and a second definition. Overloads are allowed."""
    entity = fact.entity
    types = (entity.type, fact.previous_type)
    if entity.kind is EntityKind.MEMBER:
        first = RelatedDeclaration(Origin(fact.previous, 0), f"`{entity.name}` is first declared here")
        yield Finding(CODE, Severity.ERROR, f"duplicate member `{entity.name}`", entity.place, (first,))
        return
    if isinstance(fact.previous_type, Unknown):
        return
    overloads = fact.overloadable or any(may_be_overloadable(type_) for type_ in types)
    if agree(*types) and not _only_one_names_a_space(entity, fact.previous_type):
        uncertain = overloads and any(_is_partly_unknown(type_) for type_ in types)
        # `MACRO x = 1;` may be a statement followed by an assignment, instead of a declaration of x
        uncertain = uncertain or any(isinstance(level, Unknown) for level in levels(entity.type))
        if fact.redefinition and not uncertain:
            first = RelatedDeclaration(Origin(fact.previous, 0), f"`{entity.name}` is defined here")
            message = f"redefinition of `{entity.name}`"
            yield Finding(CODE, Severity.ERROR, message, entity.place, (first,))
        return
    if overloads and not _differ_in_result_only(*types):
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        f"`{spell(entity.type, entity.name)}` conflicts with the previous declaration "
        f"`{spell(fact.previous_type, entity.name)}`",
        entity.place,
        (RelatedDeclaration(Origin(fact.previous, 0), f"`{entity.name}` is first declared here"),),
        tuple(_fixes(fact)),
    )


def check_builtin_name(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable at program scope with the name of a built-in function.

    Names of extensions are not reported, because a device may lack the extension.
    """
    entity = fact.entity
    if fact.scope is not Scope.PROGRAM or entity.kind is not EntityKind.VARIABLE:
        return
    if entity.name in named_in(dialect) and not extension_of(entity.name):
        message = f"`{entity.name}` is a built-in function, and cannot be a variable at program scope"
        yield Finding(CODE, Severity.ERROR, message, entity.place)


def check_tag(fact: TagRedeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a tag that is defined twice, or that names two kinds of type in one scope."""
    if fact.tag == fact.previous:
        message = f"redefinition of `{fact.tag}`"
    else:
        message = f"`{fact.tag}` conflicts with `{fact.previous}`: a tag names one type"
    related: tuple[RelatedDeclaration, ...] = ()
    if fact.member is not None:
        related = (RelatedDeclaration(Origin(fact.member, 0), f"`{fact.previous}` is defined here"),)
    yield Finding(CODE, Severity.ERROR, message, fact.place, related)


def _only_one_names_a_space(entity: Entity, previous: Type) -> bool:
    """Whether only one of two typedefs of a name qualifies its outermost type with an address space.

    An example is `typedef global int T;` and `typedef int T;`. `previous` is the type of the earlier typedef.
    """
    own, before = innermost_element(entity.type), innermost_element(previous)
    if entity.kind is not EntityKind.TYPEDEF or isinstance(own, Unknown) or isinstance(before, Unknown):
        return False
    return (own.space is None) != (before.space is None)


def _differ_in_result_only(now: Type, before: Type) -> bool:
    """Whether two functions certainly have the same parameters.

    Two overloads cannot differ only in their results.
    """
    if not isinstance(now, Function) or not isinstance(before, Function):
        return False
    known = not any(_is_partly_unknown(type_) or may_be_overloadable(type_) for type_ in (now, before))
    return known and agree(function(before.result, now.parameters, now.variadic), before)


def _is_partly_unknown(type_: Type) -> bool:
    """Whether the type of a parameter is partly unknown: two overloads that seem equal may then differ."""
    if not isinstance(type_, Function):
        return False
    return any(
        isinstance(level, Unknown) or level.space is Space.UNKNOWN
        for parameter in type_.parameters
        for level in levels(parameter)
    )


def _fixes(fact: Redeclaration) -> Iterator[Fix]:
    """Yields the fix that gives the redeclaration the address spaces of the previous declaration."""
    entity = fact.entity
    if isinstance(entity.type, Function) and isinstance(fact.previous_type, Function):
        function_changes = tuple(_of_function(entity, entity.type, fact.previous_type))
        if function_changes:
            yield Fix(f"Declare `{entity.name}` as before", function_changes, adapts_target=True)
        return
    before, now = list(levels(fact.previous_type)), list(levels(entity.type))
    if len(before) != len(now):
        return
    changes = tuple(
        SetSpace(fixable_origin(entity, number), old.space)
        for number, (old, new) in enumerate(zip(before, now, strict=True))
        if old.space is not None and not same_space(old, new)
    )
    if changes:
        yield Fix(f"Declare `{entity.name}` as before", changes)


def _of_function(entity: Entity, now: Function, before: Function) -> Iterator[SetSpace]:
    """Yields changes that copy the spaces of pointees from the previous declaration to the new one."""
    if len(now.parameters) != len(before.parameters):
        return
    pairs = [(now.result, before.result), *zip(now.parameters, before.parameters, strict=True)]
    for offset, (new_type, old_type) in enumerate(pairs):
        ref = EntityRef(entity.ref.item, entity.ref.number + offset)
        for number, (old, new) in enumerate(zip(levels(old_type), levels(new_type), strict=False)):
            if number and old.space is not None and not same_space(old, new):
                yield SetSpace(Origin(ref, number), old.space)


RULES = (
    Rule(CODE, Redeclaration, check),
    Rule(CODE, TagRedeclaration, check_tag),
    Rule(CODE, Declaration, check_builtin_name, reads=("scope", "entity.kind", "entity.name")),
)
