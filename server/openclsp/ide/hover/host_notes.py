"""Hover notes on macros that build options define: the option, and where it is set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.ide.document_part import find_part
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.units import UnitConfig

_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_MAXIMUM_NAME_BYTES: Final = 200
"""The maximum length of a name in bytes"""


def describe_macro_options(unit: UnitConfig, name: str) -> Iterator[str]:
    """Yields a note for each option of the unit that defines or may define the macro `name`."""
    defines = unit.configuration.defines
    for (written, value), source in zip(defines, unit.origins.defines, strict=True):
        if written.partition("(")[0] != name:
            continue
        if value == name:
            yield f"`{name}` is defined by the host with a computed value: `-D{name}=…` {source}"
        else:
            yield f"`{name}` = `{value}`, from `-D{written}={value}` {source}"
    for open_name, note in unit.origins.possible_macros:
        if open_name == name:
            yield note


def identifier_at(unit: TranslationUnit, document: str, offset: int) -> tuple[str, int, int] | None:
    """Returns the identifier at a byte of a document of the unit, with its start and end (exclusive).

    None if there is no identifier.
    """
    part = find_part(unit, document)
    if part is None:
        return None
    data = part.preprocessed.document.text.data
    start = max(0, offset - _MAXIMUM_NAME_BYTES)
    for match in _WORD.finditer(data, start, offset + _MAXIMUM_NAME_BYTES):
        if match.start() <= offset <= match.end():
            return match[0].decode("ascii", "replace"), match.start(), match.end()
    return None
