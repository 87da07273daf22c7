"""Signatures of functions with the names of their parameters."""

from __future__ import annotations

from openclsp.semantics.database.signatures import HEAD
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Entity, EntityRef
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Function, spell

_MAXIMUM_LINE = 100
"""The length in characters beyond which a signature gets a line for each parameter"""


def function_declaration(unit: TranslationUnit, ref: EntityRef) -> FunctionDeclaration | None:
    """Returns the declaration of a function, given its entity; None if the function no longer exists.

    No function body is type-checked.
    """
    if ref.item not in unit.by_key:
        return None
    facts = unit.database.get(HEAD, ref.item).facts
    return next(
        (fact for fact in facts if isinstance(fact, FunctionDeclaration) and fact.entity.ref == ref), None
    )


def spell_signature(declared: FunctionDeclaration) -> str:
    """Spells a function with the names and the types of its parameters."""
    prefix = "kernel " if declared.kernel else ""
    type_ = declared.entity.type
    if isinstance(type_, Function) and len(type_.parameters) != len(declared.parameters):
        # declared by a typedef, which names no parameters
        return prefix + spell(type_, declared.entity.name)
    parameters = [_spell_parameter(each) for each in declared.parameters]
    if declared.variadic:
        parameters.append("...")
    line = prefix + _spell_declarator(declared, ", ".join(parameters) or "void")
    if len(line) <= _MAXIMUM_LINE:
        return line
    lines = ",\n".join(f"    {parameter}" for parameter in parameters)
    return prefix + _spell_declarator(declared, f"\n{lines}")


def _spell_declarator(declared: FunctionDeclaration, parameters: str) -> str:
    """Spells the declarator of a function together with the type of its result.

    If the result is a pointer to an array, its declarator encloses the parameters (C99 6.7.5.3).
    """
    return spell(declared.result.unqualified, f"{declared.entity.name}({parameters})")


def _spell_parameter(parameter: Entity) -> str:
    # a parameter is a private object in every function
    return spell(parameter.type.with_space(None), parameter.name)
