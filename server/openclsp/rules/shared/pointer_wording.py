"""Shared helpers for rules about pointers: pointee address spaces, wording of messages, candidate fixes."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import (
    AddQualifier,
    Fix,
    RelatedDeclaration,
    RemoveSpace,
    ReplaceTokens,
    SetDialect,
    SetSpace,
)
from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import CONST, VOLATILE, Pointer, Type, pointer_to, spell
from openclsp.semantics.types.type_structure import decayed


def pointee_space(type_: Type) -> Space | None:
    """Returns the address space that a value of this type points into.

    None if the type is not a pointer or its address space is undetermined.
    """
    pointer = decayed(type_)
    return pointer.pointee.space if isinstance(pointer, Pointer) else None


def pointee_origin(origin: Origin | None, levels: int = 1) -> Origin | None:
    """Returns the origin (a level of a declared type) that is `levels` pointees below the given one."""
    return Origin(origin.entity, origin.level + levels) if origin is not None else None


def dropped_qualifiers(source: Type, target: Type) -> tuple[str, ...]:
    """Returns the qualifiers of the source's pointee that the target's pointee lacks, except `restrict`."""
    a, b = decayed(source), decayed(target)
    if not isinstance(a, Pointer) or not isinstance(b, Pointer):
        return ()
    return qualifier_names(a.pointee.qualifiers & ~b.pointee.qualifiers)


def qualifier_names(qualifiers: int) -> tuple[str, ...]:
    """Returns the keywords of a set of qualifiers; `restrict` is omitted."""
    return tuple(word for bit, word in ((CONST, "const"), (VOLATILE, "volatile")) if qualifiers & bit)


def describe_value(value: Value) -> str:
    """Describes a value by its type; the address space of the value itself is omitted.

    A string literal is described as `a string literal`.
    """
    return "a string literal" if value.string else f"`{spell(decayed(value.type))}`"


def describe_target(fact: Conversion) -> str:
    """Describes the target of a conversion: `local int *l`, or a parameter or result with its function."""
    type_ = decayed(fact.target)
    if fact.context is ConversionKind.ARGUMENT:
        where = f"parameter {fact.argument + 1}" if not fact.target_name else "parameter"
        return f"{where} `{spell(type_, fact.target_name)}`" + (f" of `{fact.callee}`" if fact.callee else "")
    if fact.context is ConversionKind.RETURN:
        return f"`{spell(type_)}`" + (f", the result of `{fact.target_name}`" if fact.target_name else "")
    return f"`{spell(type_, fact.target_name)}`"


_VERBS = {
    ConversionKind.ASSIGNMENT: "cannot be assigned to",
    ConversionKind.INITIALISATION: "cannot initialise",
    ConversionKind.ARGUMENT: "cannot be passed to",
    ConversionKind.RETURN: "cannot be returned as",
    ConversionKind.CAST: "cannot be cast to",
}


def describe_failed_conversion(fact: Conversion) -> str:
    """Returns the first half of a message: the value, and the target that it cannot be converted to."""
    return f"{describe_value(fact.value)} {_VERBS[fact.context]} {describe_target(fact)}"


def describe_disjoint_spaces(source: Space, target: Space, dialect: Dialect) -> str:
    """Returns the reason why a pointer cannot be converted between two named address spaces."""
    why = f"{source.word} and {target.word} are disjoint"
    if target is Space.PRIVATE and not dialect.generic:
        why += describe_private_default(dialect)
    return why


def describe_private_default(dialect: Dialect) -> str:
    """Returns the reason why a pointee without a qualifier is private."""
    return f" (a pointee without a qualifier is private in {dialect.title})"


def default_private_pointees(
    dialect: Dialect, *pointees: tuple[Origin | None, Space | None]
) -> tuple[Origin, ...]:
    """Returns the origins of those pointees that are private, and perhaps only by default.

    Each of `pointees` is a pointee's origin (a level of a declaration) and its address space. Returns nothing
    in a dialect with a generic address space.
    """
    if dialect.generic:
        return ()
    return tuple(
        origin
        for origin, space in pointees
        if origin is not None and origin.level > 0 and space is Space.PRIVATE
    )


def describe_pointee_space(name: str, space: Space, fallback: str) -> str:
    """Returns a note for the declaration of `name`, which determines a pointee's address space.

    An empty name is replaced by `fallback`.
    """
    return f"{f'`{name}`' if name else fallback} points into {space.word}"


def related_space_declarations(
    fact: Conversion, source: Space, target: Space
) -> tuple[RelatedDeclaration, ...]:
    """Returns the declarations that determine the spaces of the two pointees of a conversion."""
    notes = []
    to = pointee_origin(fact.target_origin)
    if to is not None and fact.context is not ConversionKind.CAST:
        name = "" if fact.context is ConversionKind.RETURN else fact.target_name
        fallback = "the result" if fact.context is ConversionKind.RETURN else "the target"
        notes.append(RelatedDeclaration(to, describe_pointee_space(name, target, fallback)))
    return (*notes, *related_source_declaration(fact.value, source))


def related_source_declaration(value: Value, space: Space) -> Iterator[RelatedDeclaration]:
    """Yields the declaration that determines the address space into which a pointer value points."""
    origin, name = value.space_source(1)
    if origin is None:
        return
    if origin.level == 0:
        yield RelatedDeclaration(origin, f"{f'`{name}`' if name else 'the object'} is {space.word}")
    else:
        yield RelatedDeclaration(origin, describe_pointee_space(name, space, "the value"))


def suggest_space_change(
    origin: Origin | None,
    name: str,
    space: Space,
    fallback: str,
    *,
    preferred: bool = False,
    onward: bool = False,
    words: tuple[str, ...] = (),
    callee: str = "",
) -> Iterator[Fix]:
    """Yields the fix that changes the address space of one level of a declared type to `space`.

    - `origin`: the declaration and the level; if None, there is no fix
    - `name`: the entity that the fix's title names; if empty, the title uses `fallback`
    - `onward`: whether the fix adapts the target of a conversion (see `Fix.adapts_target`)
    - `words`: qualifiers that the fix adds to the level
    - `callee`: for the declaration of a parameter, the function's name in the title
    """
    if origin is None:
        return
    who = f"`{name}`" if name else fallback
    more = tuple(AddQualifier(origin, word) for word in words)
    if space is Space.GENERIC:
        title = f"Make {who} a generic pointer"
        yield Fix(title, (RemoveSpace(origin), *more), preferred, onward)
    elif origin.level <= 0:
        yield Fix(f"Declare {who} {space.word}", (SetSpace(origin, space),), preferred)
    else:
        into = " ".join([*words, space.word])
        title = f"Point {who} into {into}"
        if callee:
            title = f"Qualify {f'parameter {who}' if name else 'the parameter'} of `{callee}` as `{into}`"
        yield Fix(title, (SetSpace(origin, space), *more), preferred, onward)


def with_source_qualifiers(source: Type, target: Type) -> Type:
    """Returns the target's type with the qualifiers of the source's pointee added to its pointee.

    A cast to this type discards no qualifier.
    """
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return target
    kept = (source.pointee.qualifiers & (CONST | VOLATILE)) | target.pointee.qualifiers
    return pointer_to(target.pointee.with_qualifiers(kept))


def with_pointee_space(type_: Type, space: Space | None) -> Type:
    """Returns the pointer type with its pointee in `space`; None removes the pointee's address space."""
    return pointer_to(type_.pointee.with_space(space)) if isinstance(type_, Pointer) else type_


def create_cast_fix(value: Value, target: Type) -> Fix:
    """Creates the fix that casts the value. An operand of several tokens is always parenthesised."""
    place, type_ = value.place, spell(target)
    at_start, at_end = Place(place.first, place.first), Place(place.last, place.last)
    if place.last - place.first == 1:
        return Fix(f"Cast to `{type_}`", (ReplaceTokens(at_start, f"({type_})"),))
    return Fix(f"Cast to `{type_}`", (ReplaceTokens(at_start, f"({type_})("), ReplaceTokens(at_end, ")")))


def suggest_generic_versions(dialect: Dialect, *spaces: Space) -> Iterator[Fix]:
    """Yields fixes that select a language version with generic pointers.

    `spaces` are the address spaces of the pointees that an error is about. Yields nothing if none of them is
    private, or if the dialect already has generic pointers.
    """
    if dialect.generic or Space.PRIVATE not in spaces:
        return
    for name in ("CL2.0", "CL3.0"):
        yield Fix(f"Check this workspace as OpenCL C {name.removeprefix('CL')}", (SetDialect(name),))
