"""An image parameter with `const` or `volatile` (OpenCL C 6.8; clang accepts both)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import opaque_category
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.types.type_model import CONST, VOLATILE

CODE = "qualified-image"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports `const` and `volatile` on an image parameter.

    Only the access qualifier determines whether an image is read or written.
    """
    entity = fact.entity
    if entity.kind is not EntityKind.PARAMETER or opaque_category(entity.type) != "image":
        return
    for word, bit in (("const", CONST), ("volatile", VOLATILE)):
        if entity.type.qualifiers & bit:
            message = (
                f"image `{entity.name}` cannot be `{word}`: use an access qualifier instead; clang accepts it"
            )
            yield Finding(CODE, Severity.WARNING, message, entity.place)


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.type",
        ),
    ),
)
