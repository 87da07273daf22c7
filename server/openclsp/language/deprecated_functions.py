"""The built-in functions that OpenCL C deprecates, and what replaces them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from openclsp.language.dialect import Dialect

_FENCE = "atomic_work_item_fence"
_SINCE = 200
_REPLACEMENTS = {
    # OpenCL C 3.0, "Legacy Explicit Memory Fence Functions"
    "mem_fence": _FENCE,
    "read_mem_fence": _FENCE,
    "write_mem_fence": _FENCE,
    # OpenCL C 3.0, "OpenCL C 1.x Legacy Atomics"
    "atomic_add": "atomic_fetch_add_explicit",
    "atomic_and": "atomic_fetch_and_explicit",
    "atomic_cmpxchg": "atomic_compare_exchange_strong_explicit",
    "atomic_dec": "atomic_fetch_sub_explicit",
    "atomic_inc": "atomic_fetch_add_explicit",
    "atomic_max": "atomic_fetch_max_explicit",
    "atomic_min": "atomic_fetch_min_explicit",
    "atomic_or": "atomic_fetch_or_explicit",
    "atomic_sub": "atomic_fetch_sub_explicit",
    "atomic_xchg": "atomic_exchange_explicit",
    "atomic_xor": "atomic_fetch_xor_explicit",
}

DEPRECATED_FUNCTIONS: Mapping[str, str] = MappingProxyType(_REPLACEMENTS)
"""Each function that OpenCL C 2.0 deprecates, with the function that replaces it"""


def is_deprecated(name: str, dialect: Dialect) -> bool:
    """Whether the dialect deprecates the built-in function."""
    return dialect.version >= _SINCE and name in DEPRECATED_FUNCTIONS
