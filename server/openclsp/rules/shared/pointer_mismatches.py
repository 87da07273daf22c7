"""All mismatches between the two pointer types of a conversion; compilers report only the first one."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import encloses
from openclsp.rules.finding import DeclarationPart, Fix, RemoveDeclarationPart
from openclsp.rules.shared.nested_spaces import find_nested_mismatch
from openclsp.rules.shared.pointer_wording import dropped_qualifiers
from openclsp.semantics.facts.entities import EntityRef
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.type_model import Pointer, Type, Unknown, Void
from openclsp.semantics.types.type_structure import decayed

SPACE, NESTED, DEPTH, ELEMENT, QUALIFIERS = "space", "nested space", "depth", "element", "qualifiers"


def find_mismatches(fact: Conversion) -> frozenset[str]:
    """Returns the kinds of all mismatches of a conversion between pointers, such as SPACE and ELEMENT.

    Empty if one of the types is not a pointer.
    """
    source, target = decayed(fact.value.type), decayed(fact.target)
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return frozenset()
    found = set()
    spaces = source.pointee.space, target.pointee.space
    if spaces[0] is not None and spaces[1] is not None and not encloses(spaces[1], spaces[0]):
        found.add(SPACE)
    if find_nested_mismatch(source, target) is not None:
        found.add(NESTED)
    if has_different_depth(source, target):
        found.add(DEPTH)
    if _compare_elements(source, target) is Compatibility.DIFFERENT:
        found.add(ELEMENT)
    different = compatibility.pointees(source.pointee, target.pointee) is Compatibility.DIFFERENT
    if different and found.isdisjoint((NESTED, DEPTH)):
        found.add(ELEMENT)
    if dropped_qualifiers(source, target):
        found.add(QUALIFIERS)
    return frozenset(found)


def has_different_depth(source: Pointer, target: Pointer) -> bool:
    """Whether the types certainly have different numbers of pointer levels, and neither points to `void`."""
    if isinstance(source.pointee, Void) or isinstance(target.pointee, Void):
        return False
    a, b = _depth(source), _depth(target)
    return a != b and not isinstance(_element(source if a < b else target), Unknown)


def suggest_star_removal(fact: Conversion) -> Iterator[Fix]:
    """Yields the fix that removes one `*` from a target with more pointer levels than the value."""
    origin, source, target = fact.target_origin, decayed(fact.value.type), decayed(fact.target)
    if origin is None or not fact.target_name or fact.context in (ConversionKind.CAST, ConversionKind.RETURN):
        return
    if not isinstance(target, Pointer):
        return
    if isinstance(source, Pointer):
        deeper = origin.level == 0 and has_different_depth(source, target) and _depth(target) > _depth(source)
    else:
        # `p[0] = 1` for an `int **p` that should have been declared `int *p`
        deeper = origin.level > 0
    if deeper:
        yield create_star_removal_fix(origin.entity, fact.target_name)


def create_star_removal_fix(entity: EntityRef, name: str) -> Fix:
    """Creates the fix that removes the outermost `*` of a declaration."""
    return Fix(f"Remove one `*` from `{name}`", (RemoveDeclarationPart(entity, DeclarationPart.STAR),))


def _depth(type_: Type) -> int:
    depth = 0
    while isinstance(type_, Pointer):
        depth, type_ = depth + 1, type_.pointee
    return depth


def _element(type_: Type) -> Type:
    while isinstance(type_, Pointer):
        type_ = type_.pointee
    return type_


def _compare_elements(source: Pointer, target: Pointer) -> Compatibility:
    if isinstance(source.pointee, Void) or isinstance(target.pointee, Void):
        return Compatibility.SAME
    return compatibility.types(_element(source), _element(target))
