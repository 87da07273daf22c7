"""Candidates after `.` and `->`: members of structs and unions, and components of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.cursor_scope import CursorScope
from openclsp.ide.completion.predefined_names import NameKind
from openclsp.semantics.types.type_model import Pointer, Record, Type, Vector, spell, vector
from openclsp.semantics.types.type_structure import decayed, is_unknown

_LETTERS = "xyzw"
_SWIZZLES = ("xy", "yz", "zw", "xz", "xyz", "yzw", "xyzw")
"""The swizzles that are offered even if the code uses none: consecutive components, and two of ray tracers."""


def member_candidates(
    scope: CursorScope, word: str, uses: Mapping[str, float], *, arrow: bool
) -> Iterator[CompletionCandidate]:
    """Yields the members of the operand that can follow `.` or, with `arrow`, `->`.

    For a vector, `word` and `uses` determine which swizzles are yielded.
    """
    base = decayed(scope.operand_type) if scope.operand_type is not None else None
    pointed = isinstance(base, Pointer)
    container: Type | None = base.pointee if isinstance(base, Pointer) else base
    if arrow and not pointed:
        return
    amend = pointed and not arrow
    if isinstance(container, Record):
        for each in scope.context.members(container) or ():
            if not each.name:
                continue
            yield CompletionCandidate(
                each.name,
                NameKind.MEMBER,
                spell(each.type, each.name),
                needs_arrow=amend,
                type=each.type,
                is_own=True,
            )
    elif isinstance(container, Vector):
        for name in _components(container.width, word, uses):
            width = _width_of(name, container.width)
            type_ = container.element if width == 1 else vector(container.element, width)
            detail = spell(type_, name)
            yield CompletionCandidate(
                name, NameKind.MEMBER, detail, needs_arrow=amend, type=type_, is_own=True
            )


def is_operand_unknown(scope: CursorScope) -> bool:
    """Whether nothing is known about the members of the operand before the `.` or `->`."""
    base = decayed(scope.operand_type) if scope.operand_type is not None else None
    container: Type | None = base.pointee if isinstance(base, Pointer) else base
    if container is None or is_unknown(container):
        return True
    return isinstance(container, Record) and scope.context.members(container) is None


def _components(width: int, word: str, uses: Mapping[str, float]) -> Iterator[str]:
    """Yields the names of a vector's components and parts (OpenCL C 6.3.7), each once.

    The parts are `lo`, `hi`, `even`, `odd`, and swizzles: common ones, those in `uses`, and those that begin
    with `word`.
    """
    letters = _LETTERS[:width]
    found = dict.fromkeys(letters)
    found.update(dict.fromkeys(("lo", "hi", "even", "odd")))
    found.update(dict.fromkeys(f"s{number:x}" for number in range(width)))
    found.update(dict.fromkeys(each for each in _SWIZZLES if set(each) <= set(letters)))
    found.update(dict.fromkeys(each for each in uses if _is_component(each, width)))
    # a swizzle may have 1, 2, 3, 4, 8 or 16 elements
    if word and _is_component(word, width):
        found[word] = None
        continued = letters if word[0] in _LETTERS else "" if word[0] != "s" else "0123456789abcdef"[:width]
        found.update(dict.fromkeys(word + each for each in continued if _is_component(word + each, width)))
    yield from found


def _is_component(name: str, width: int) -> bool:
    """Whether a name is a swizzle of a vector of this width."""
    letters = name if name[0] != "s" else ""
    if letters:
        return len(letters) <= 4 and set(letters) <= set(_LETTERS[:width])
    digits = name[1:].lower()
    allowed = "0123456789abcdef"[:width]
    return len(digits) in (1, 2, 3, 4, 8, 16) and all(each in allowed for each in digits)


def _width_of(name: str, width: int) -> int:
    if name in ("lo", "hi", "even", "odd"):
        return 2 if width == 3 else width // 2
    return len(name) - 1 if name[0] == "s" else len(name)
