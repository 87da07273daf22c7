"""Keys of kernel objects: the C expressions that denote them, as `object->k[0]`, without blanks."""

from __future__ import annotations

import re
from collections.abc import Collection


def last_name(key: str) -> str:
    """Returns the last name of a key, with its subscript: `k[0]` for the key `object.k[0]`."""
    return re.split(r"->|\.|::", key)[-1].lstrip("*")


def path_of(key: str) -> tuple[str, ...]:
    """Returns the names of a key without subscripts: `object`, `k` for the key `object->k[0]`."""
    return tuple(name.partition("[")[0].lstrip("*") for name in re.split(r"->|\.|::", key))


def is_other_member(key: str, assigned: Collection[tuple[str, ...]], objects: Collection[str]) -> bool:
    """Whether a key is a member of another structure than the assigned members with the same last name.

    `assigned` has the paths of the assigned members, and `objects` the last names of all assigned objects.
    After `a->kernel = …`, both `a->tool.kernel` and `b->kernel.kernel` are members of other structures.
    """
    path = path_of(key)
    if len(path) > 2 and path[-2] in objects:
        return True
    return len(path) > 1 and path not in assigned and any(each[0] == path[0] for each in assigned)
