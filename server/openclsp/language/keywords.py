"""The reserved words of OpenCL C (unified specification 6.1.9), by dialect."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from openclsp.language.builtin_types import BUILTIN_TYPES, TypeCategory
from openclsp.language.dialect import Dialect
from openclsp.language.spaces import QUALIFIERS

_C99 = """auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union unsigned
    void volatile while _Bool _Complex _Imaginary"""
_CLANG = """_Alignas _Alignof _BitInt _Float16 _Generic _Noreturn _Static_assert _Thread_local __alignof
    __alignof__ __asm __asm__ __attribute __attribute__ __bf16 __builtin_astype __const __extension__
    __fp16 __func__ __inline __inline__ __int128 __restrict __restrict__ __signed __typeof __typeof__
    __volatile__"""

C99_KEYWORDS = frozenset(_C99.split())

ACCESS_QUALIFIERS: Mapping[str, str] = MappingProxyType(
    {prefix + access: access for access in ("read_only", "write_only", "read_write") for prefix in ("", "__")}
)
"""All spellings of access qualifiers, each with the spelling without underscores"""

KERNEL_QUALIFIERS = frozenset(("kernel", "__kernel"))

NEVER_NAMES = C99_KEYWORDS - {"int", "long", "short", "char", "double", "signed", "unsigned"} | {
    "bool",
    "half",
    "true",
    "false",
}
"""Keywords that no declaration can declare. `typedef unsigned long long;` is valid although its last word is no name."""

CLANG_KEYWORDS = frozenset(_CLANG.split())
"""Keywords of clang in every version, besides those of C"""
_OTHER_KEYWORDS = frozenset(("bool", "half", "true", "false", "vec_step"))
_KEYWORDS_SINCE_2_0 = frozenset(("pipe",))

_RESERVED_SCALARS = ("quad", "complex", "imaginary")
_WIDTHS = (2, 3, 4, 8, 16)
RESERVED_TYPE_NAMES = frozenset(
    (
        *_RESERVED_SCALARS,
        *(f"{scalar}{width}" for scalar in ("bool", "quad") for width in _WIDTHS),
        *(f"{scalar}{n}x{m}" for scalar in ("float", "double") for n in _WIDTHS for m in _WIDTHS),
    )
)
"""Type names that are reserved and have no meaning yet (unified specification 6.3.4)"""


@lru_cache(maxsize=64)
def keywords(dialect: Dialect) -> frozenset[str]:
    """Returns the dialect's keywords, which cannot be identifiers.

    `generic` is reserved in every version (6.1.9), and image types are keywords even if the device has none.
    """
    since_2_0 = _KEYWORDS_SINCE_2_0 if dialect.version >= 200 else frozenset()
    return (
        C99_KEYWORDS
        | CLANG_KEYWORDS
        | _OTHER_KEYWORDS
        | KERNEL_QUALIFIERS
        | since_2_0
        | frozenset(QUALIFIERS)
        | frozenset(ACCESS_QUALIFIERS)
        | _IMAGE_NAMES
    )


_IMAGE_NAMES = frozenset(
    name for name, builtin in BUILTIN_TYPES.items() if builtin.category is TypeCategory.IMAGE
)
