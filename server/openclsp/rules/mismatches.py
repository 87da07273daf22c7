"""All mismatches between the two pointer types of a conversion; compilers report only the first one."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import encloses
from openclsp.rules.finding import Fix, Part, RemovePart
from openclsp.rules.nested import nested_mismatch
from openclsp.rules.pointers import dropped_qualifiers
from openclsp.semantics import compatibility
from openclsp.semantics.compatibility import Compatibility
from openclsp.semantics.entities import EntityRef
from openclsp.semantics.facts.expressions import Context, Conversion
from openclsp.semantics.types import Pointer, Type, Unknown, Void, decayed

SPACE, NESTED, DEPTH, ELEMENT, QUALIFIERS = "space", "nested space", "depth", "element", "qualifiers"


def mismatches(fact: Conversion) -> frozenset[str]:
    """Finds every mismatch of a conversion between pointers; empty if one of the types is not a pointer."""
    source, target = decayed(fact.value.type), decayed(fact.target)
    if not isinstance(source, Pointer) or not isinstance(target, Pointer):
        return frozenset()
    found = set()
    spaces = source.pointee.space, target.pointee.space
    if spaces[0] is not None and spaces[1] is not None and not encloses(spaces[1], spaces[0]):
        found.add(SPACE)
    if nested_mismatch(source, target) is not None:
        found.add(NESTED)
    if has_other_depth(source, target):
        found.add(DEPTH)
    if _elements(source, target) is Compatibility.DIFFERENT:
        found.add(ELEMENT)
    different = compatibility.pointees(source.pointee, target.pointee) is Compatibility.DIFFERENT
    if different and found.isdisjoint((NESTED, DEPTH)):
        found.add(ELEMENT)
    if dropped_qualifiers(source, target):
        found.add(QUALIFIERS)
    return frozenset(found)


def has_other_depth(source: Pointer, target: Pointer) -> bool:
    """Whether the types differ in their number of pointer levels, and neither points to `void`."""
    if isinstance(source.pointee, Void) or isinstance(target.pointee, Void):
        return False
    a, b = _depth(source), _depth(target)
    return a != b and not isinstance(_element(source if a < b else target), Unknown)


def remove_star(fact: Conversion) -> Iterator[Fix]:
    """Removes one `*` from the target's declaration if it has more pointer levels than the value."""
    origin, source, target = fact.target_origin, decayed(fact.value.type), decayed(fact.target)
    if origin is None or not fact.target_name or fact.context in (Context.CAST, Context.RETURN):
        return
    if not isinstance(target, Pointer):
        return
    if isinstance(source, Pointer):
        deeper = origin.level == 0 and has_other_depth(source, target) and _depth(target) > _depth(source)
    else:
        # `p[0] = 1` for an `int **p` that should have been declared `int *p`
        deeper = origin.level > 0
    if deeper:
        yield without_star(origin.entity, fact.target_name)


def without_star(entity: EntityRef, name: str) -> Fix:
    """Creates the fix that removes the outermost `*` of a declaration."""
    return Fix(f"Remove one `*` from `{name}`", (RemovePart(entity, Part.STAR),))


def _depth(type_: Type) -> int:
    depth = 0
    while isinstance(type_, Pointer):
        depth, type_ = depth + 1, type_.pointee
    return depth


def _element(type_: Type) -> Type:
    while isinstance(type_, Pointer):
        type_ = type_.pointee
    return type_


def _elements(source: Pointer, target: Pointer) -> Compatibility:
    if isinstance(source.pointee, Void) or isinstance(target.pointee, Void):
        return Compatibility.SAME
    return compatibility.types(_element(source), _element(target))
