"""The forms of vector literals (OpenCL C 6.3.4), as signatures."""

from __future__ import annotations

from openclsp.ide.signature_help.written_signatures import CallSignature, write_signature
from openclsp.language.dialect import Dialect
from openclsp.semantics.types.known_types import named
from openclsp.semantics.types.type_model import Vector

_LETTERS = "xyzw"


def literal_signatures(dialect: Dialect, name: str) -> tuple[CallSignature, ...]:
    """Returns the two forms of a vector literal: one value for all elements, and one value for each.

    Empty if `name` is no vector type.
    """
    found = named(name, dialect)
    if not isinstance(found, Vector):
        return ()
    element = found.element.name
    letters = _LETTERS if found.width <= len(_LETTERS) else [f"s{number:x}" for number in range(found.width)]
    each = [(f"{element} {letter}", f"element `{letter}`") for letter in letters[: found.width]]
    head = f"({name})"
    return (
        write_signature(head, [(f"{element} value", "")], "All elements get this value."),
        write_signature(head, each, "A vector as an argument gives as many elements as it has."),
    )
