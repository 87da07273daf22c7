"""The predefined names of a dialect: keywords, types, constants and built-in functions."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from openclsp.dataclass import dataclass
from openclsp.language.builtin_functions import named_in
from openclsp.language.builtin_types import BUILTIN_TYPES, predeclared_constants
from openclsp.language.dialect import Dialect
from openclsp.language.keywords import CLANG_KEYWORDS, keywords


class NameKind(Enum):
    """The kinds of names in a completion list."""

    VARIABLE = "variable"
    PARAMETER = "parameter"
    MEMBER = "member"
    FUNCTION = "function"
    TYPE = "type"
    CONSTANT = "constant"
    MACRO = "macro"
    KEYWORD = "keyword"
    WORD = "word"
    """An identifier of the file whose meaning is unknown."""
    FILE = "file"
    FOLDER = "folder"
    SNIPPET = "snippet"


@dataclass(frozen=True, slots=True)
class PredefinedName:
    """A predefined name with its kind."""

    name: str
    kind: NameKind


@lru_cache(maxsize=8)
def predefined_names_of(dialect: Dialect) -> Mapping[str, tuple[PredefinedName, ...]]:
    """Returns the sorted predefined names of the dialect, grouped by their first letter in lower case."""
    types = [name for name, found in BUILTIN_TYPES.items() if not found.missing_in(dialect)]
    # `generic` cannot be used (6.1.9); image types are keywords even if the device has no images, and are
    # added below only if they are available
    taken = ({"generic", "__generic"} | CLANG_KEYWORDS | BUILTIN_TYPES.keys()) - {"__attribute__"}
    kinds = dict.fromkeys((keywords(dialect) | {"__attribute__"}) - taken, NameKind.KEYWORD)
    kinds.update(dict.fromkeys(named_in(dialect), NameKind.FUNCTION))
    kinds.update(dict.fromkeys(predeclared_constants(dialect), NameKind.CONSTANT))
    kinds.update(dict.fromkeys(types, NameKind.TYPE))
    found: dict[str, list[PredefinedName]] = {}
    for name, kind in sorted(kinds.items()):
        found.setdefault(name[0].lower(), []).append(PredefinedName(name, kind))
    return MappingProxyType({initial: tuple(words) for initial, words in found.items()})
