"""The order in which an initialiser without designators sets the members of a struct or union (C99 6.7.8p17, C11 6.7.2.1p13).

The member list of a record also contains the members of its anonymous structs and unions. `Member.groups`
names the anonymous structs and unions that contain a member.
"""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.types.type_model import Record, Type
from openclsp.semantics.typing.symbols import Members
from openclsp.semantics.typing.typing_context import TypingContext


class MemberRange(NamedTuple):
    """All members of a record, or those of an anonymous struct or union: the indices `first` to `last - 1`.

    `depth` is the number of anonymous structs and unions around them.
    """

    first: int
    last: int
    depth: int
    union: bool


class Subobject(NamedTuple):
    """A member, or an anonymous struct or union, of a record.

    `position` is the index of the member, or of the first member of the anonymous struct or union. `depth` is
    the number of anonymous structs and unions around the subobject.
    """

    position: int
    depth: int


def all_members(type_: Record, members: Members) -> MemberRange:
    """Returns the range of all members of a struct or union."""
    return MemberRange(0, len(members), 0, type_.keyword == "union")


def subobject_after(members: Members, within: MemberRange, position: int, depth: int = -1) -> Subobject:
    """Returns the subobject that is initialised after the member at `position`.

    With a `depth` of 0 or more, this is the subobject after an anonymous struct or union: the one inside
    `depth` others, whose last member is at `position`. If nothing in `within` remains to be initialised, the
    result has the position `within.last`. Only one member of a union is initialised.
    """
    end = Subobject(within.last, within.depth)
    if not within.first <= position < within.last:
        return end
    groups = members[position].groups
    if depth >= 0:
        groups = groups[:depth]
    for following in range(position + 1, within.last):
        others = members[following].groups
        common = within.depth
        while common < len(groups) and common < len(others) and groups[common] == others[common]:
            common += 1
        if not (within.union if common == within.depth else groups[common - 1] < 0):
            return Subobject(following, common)
    return end


def group_at(members: Members, subobject: Subobject) -> MemberRange | None:
    """Returns the members of the anonymous struct or union at a subobject; None if the subobject is a member."""
    position, depth = subobject
    groups = members[position].groups[: depth + 1]
    if len(groups) <= depth:
        return None
    last = position + 1
    while last < len(members) and members[last].groups[: depth + 1] == groups:
        last += 1
    return MemberRange(position, last, depth + 1, groups[depth] < 0)


def designated_position(ctx: TypingContext, type_: Type, designator: int) -> int:
    """Returns the index of the member that a designator names; -1 if there is none."""
    members = ctx.members(type_) if isinstance(type_, Record) else None
    name = ctx.table.text(next(iter(ctx.table.children(designator)), designator))
    return next((number for number, member in enumerate(members or ()) if member.name == name), -1)
