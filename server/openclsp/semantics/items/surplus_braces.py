"""Finds the items that a surplus closing brace has cut off from a function.

    void f(global int *p) {
        if (p[0]) { p[0] = 1; }}
        int n = p[0];
    }

The first surplus brace ends the function early. The compiler reads the rest of the body as declarations at program
scope, and the last brace as the surplus one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import Item
from openclsp.source.parser import kind

ERROR: Final = kind("ERROR")
_FUNCTION: Final = kind("function_definition")
_STATEMENT: Final = kind("expression_statement")
_ASSIGNS: Final = re.compile(rb"[\w.>\-\[\]\s]{1,200}?(?:[-+*/%&|^]|<<|>>)?=(?!=)")
_BRACE: Final = b"}"
_BRACES_OF_A_PART: Final = 2
"""One surplus brace is more likely a fault in a whole program"""


class Detachment(Enum):
    """How an item outside of functions belongs to the body of a function.

    - `CUT_OFF`: a surplus brace before the item has ended the function.
    - `PART`: the document is the end of a function that begins in another file; this is the item of a brace.
    """

    CUT_OFF = "cut off"
    PART = "part"


def find_detached_items(items: Sequence[Item]) -> dict[ItemKey, Detachment]:
    """Returns the items of a unit that belong to the body of a function although they are outside of one.

    Those are the items between a function, or the start of the document, and a surplus brace. In a document without
    functions that begins with an assignment and has several surplus braces, they are also the braces.
    """
    found: dict[ItemKey, Detachment] = {}
    braces: list[Item] = []
    outside: list[Item] = []
    for index, item in enumerate(items):
        if index and item.group.part is not items[index - 1].group.part:
            outside = []
        if item.kind == _FUNCTION:
            outside = []
        elif _is_brace(item):
            braces.append(item)
            found.update((each.key, Detachment.CUT_OFF) for each in outside)
            outside = []
        else:
            outside.append(item)
    if len(braces) >= _BRACES_OF_A_PART and _begins_within_function(items):
        found.update((brace.key, Detachment.PART) for brace in braces)
    return found


def _is_brace(item: Item) -> bool:
    return item.kind == ERROR and item.group.text[item.offset : item.offset + item.length] == _BRACE


def _begins_within_function(items: Sequence[Item]) -> bool:
    first = items[0]
    return (
        first.kind == _STATEMENT
        and _ASSIGNS.match(first.group.text, first.offset, first.offset + first.length) is not None
        and all(item.kind != _FUNCTION for item in items)
    )
