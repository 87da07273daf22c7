"""Kernels in which marks after a name state every occurrence of one symbol.

`x@D` is a definition, `x@d` a declaration, `x@r` a read and `x@w` a write. Unmarked names are other symbols.
"""

from __future__ import annotations

import re

from openclsp.ide.navigation.symbols import Occurrence, Role
from openclsp.semantics.translation_unit import TranslationUnit

from ...semantics.units import ROOT, Headers, unit_of

MARK = re.compile(r"(\w+)@([Ddrw])")
ROLES = {"D": Role.DEFINITION, "d": Role.DECLARATION, "r": Role.READ, "w": Role.WRITE}

Places = list[tuple[str, int, Role]]
"""Document, byte and role of each occurrence, in order."""


def marked_unit(texts: dict[str, str], dialect: str = "CL2.0") -> tuple[TranslationUnit, Places]:
    """The unit of the first text, which may include the others by their names, and its marked occurrences."""
    places: Places = []
    plain: dict[str, bytes] = {}
    for name, text in texts.items():
        removed = 0
        for match in MARK.finditer(text):
            places.append((f"/{name}", len(text[: match.start()].encode()) - removed, ROLES[match[2]]))
            removed += 2
        plain[name] = re.sub(r"(?<=\w)@[Ddrw]", "", text).encode()
    root = ROOT.lstrip("/")
    unit = unit_of(
        plain[root], dialect, Headers({name: text for name, text in plain.items() if name != root})
    )
    return unit, sorted(places, key=lambda place: place[:2])


def placed(occurrences: list[Occurrence]) -> Places:
    """The same form of occurrences that were found."""
    return [(each.location.document, each.location.start, each.role) for each in occurrences]
