"""Built-in functions of a dialect as interned function types."""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.builtin_functions import Signature, builtin_function, is_unchecked
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.types.known_types import named
from openclsp.semantics.types.type_model import (
    CONST,
    UNKNOWN,
    VOLATILE,
    Function,
    Opaque,
    Type,
    function,
    opaque,
    pointer_to,
)

_BITS = {"const": CONST, "volatile": VOLATILE}
_ACCESS = ("read_only", "write_only", "read_write")


@lru_cache(maxsize=2048)
def overloads_of(name: str, dialect: Dialect) -> tuple[Function, ...]:
    """Returns the overloads of a built-in function.

    Empty if there is none, or if compilers check its arguments by special rules (`special_result`).
    """
    found = builtin_function(name, dialect)
    if found is None or is_unchecked(name):
        return ()
    return tuple(_function_type(signature, dialect) for signature in found)


@lru_cache(maxsize=256)
def special_result(name: str, dialect: Dialect) -> Type | None:
    """Returns the result type of a built-in function with special argument rules; None for any other name."""
    found = builtin_function(name, dialect)
    if found is None or not is_unchecked(name):
        return None
    return _parse_type(found[0].result, dialect)


def _function_type(signature: Signature, dialect: Dialect) -> Function:
    parameters = tuple(_parse_type(parameter, dialect) for parameter in signature.parameters)
    return function(_parse_type(signature.result, dialect), parameters, signature.variadic)


@lru_cache(maxsize=2048)
def _parse_type(spelled: str, dialect: Dialect) -> Type:
    """Returns the type spelled in a signature: `global const float *`, `read_only image2d_t`."""
    words = spelled.split()
    if words[-1] == "*":
        *qualifiers, base = words[1:-1]
        bits = sum(_BITS[word] for word in qualifiers)
        return pointer_to(_parse_type(base, dialect).with_qualifiers(bits).with_space(QUALIFIERS[words[0]]))
    found = named(words[-1], dialect)
    if found is None:
        return UNKNOWN
    if isinstance(found, Opaque) and words[0] in _ACCESS:
        return opaque(found.name, found.category, words[0])
    return found
