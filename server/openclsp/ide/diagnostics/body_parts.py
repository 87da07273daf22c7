"""Recognises files whose text the host inserts into a function.

Such a file has statements outside of functions, and no function. A variable at program scope in the file is a local
variable of the program that the host builds, and the function may declare further names.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.other_languages import Weight
from openclsp.source.parser import kind

_FUNCTION: Final = kind("function_definition")
_EXPRESSION: Final = kind("expression_statement")
_ASSIGNMENT: Final = re.compile(
    rb"(?:[^(){}\[\]\"'=]|\[[^\]]*\])*?(?:(?:(?<![<>!])|(?<=<<)|(?<=>>))=(?!=)|\+\+|--)"
)
"""An expression that no macro call is: it assigns before its first parenthesis"""


def is_body_part(unit: TranslationUnit) -> bool:
    """Whether the unit has statements outside of functions, and no function.

    In a unit with a function, a surplus brace may have ended the function before the statements.
    """
    # First, because most units have a function, so that few items are visited at each edit.
    if any(item.kind == _FUNCTION for item in unit.items):
        return False
    groups = (group for part in unit.parts() for group in part.groups)
    return any(
        group.foreign is not None and group.foreign.weight is Weight.STATEMENT for group in groups
    ) or any(item.kind == _EXPRESSION and _assigns(item) for item in unit.items)


def _assigns(item: Item) -> bool:
    text = item.group.part.preprocessed.text
    return _ASSIGNMENT.match(text, item.start, item.start + item.length) is not None
