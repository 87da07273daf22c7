"""The macros that clang 22 predefines for spir64 and spir.

clang defines them before any header, in every dialect. The macros of integer types are generated for each
width, and those of floating types for each format. A table contains the others. Macros for sizes and byte
order are included, macros that name the target (such as `__SPIR__`) are not. The two targets differ only in
the size of addresses, and in the macros that depend on this size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_TYPE = {8: "char", 16: "short", 32: "int", 64: "long int", 128: "long long int"}
_UNSIGNED_TYPE = {
    8: "unsigned char",
    16: "unsigned short",
    32: "unsigned int",
    64: "long unsigned int",
    128: "long long unsigned int",
}
_LENGTH = {8: "hh", 16: "h", 32: "", 64: "l", 128: "ll"}
_SUFFIX = {8: "", 16: "", 32: "", 64: "L", 128: "LL"}
_UNSIGNED_SUFFIX = {8: "", 16: "", 32: "U", 64: "UL", 128: "ULL"}

_FLOATS = """
FLT 6 9 24 38 128 -37 -125 F 3.40282347e+38 1.17549435e-38 1.19209290e-7 1.40129846e-45
DBL 15 17 53 308 1024 -307 -1021 - 1.7976931348623157e+308 2.2250738585072014e-308 2.2204460492503131e-16 \
4.9406564584124654e-324
FLT16 3 5 11 4 16 -4 -13 F16 6.5504e+4 6.103515625e-5 9.765625e-4 5.9604644775390625e-8
LDBL 33 36 113 4932 16384 -4931 -16381 L 1.18973149535723176508575932662800702e+4932 \
3.36210314311209350626267781732175260e-4932 1.92592994438723585305597794258492732e-34 \
6.47517511943802511092443895822764655e-4966
"""
"""Floating types with the values of their macros.

Name, decimal digits, digits for an exact round trip, mantissa bits, maximum exponents (of 10, of 2), minimum
exponents (likewise), suffix, then MAX, MIN, EPSILON and DENORM_MIN.
"""

_SINGLE = """
__ATOMIC_ACQUIRE 2
__ATOMIC_ACQ_REL 4
__ATOMIC_CONSUME 1
__ATOMIC_RELAXED 0
__ATOMIC_RELEASE 3
__ATOMIC_SEQ_CST 5
__BIGGEST_ALIGNMENT__ 8
__BITINT_MAXWIDTH__ 128
__BOOL_WIDTH__ 1
__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
__CHAR16_TYPE__ unsigned short
__CHAR32_TYPE__ unsigned int
__CHAR_BIT__ 8
__CONSTANT_CFSTRINGS__ 1
__DECIMAL_DIG__ __LDBL_DECIMAL_DIG__
__ELF__ 1
__ENDIAN_LITTLE__ 1
__FINITE_MATH_ONLY__ 0
__FLT_RADIX__ 2
__GCC_CONSTRUCTIVE_SIZE 64
__GCC_DESTRUCTIVE_SIZE 64
__IMAGE_SUPPORT__ 1
__INT_MAX__ 2147483647
__INT_WIDTH__ 32
__LITTLE_ENDIAN__ 1
__LLONG_WIDTH__ 128
__LONG_LONG_MAX__ 170141183460469231731687303715884105727LL
__LONG_MAX__ 9223372036854775807L
__LONG_WIDTH__ 64
__NO_MATH_ERRNO__ 1
__OBJC_BOOL_IS_BOOL 0
__OPTIMIZE__ 1
__ORDER_BIG_ENDIAN__ 4321
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_PDP_ENDIAN__ 3412
__PRAGMA_REDEFINE_EXTNAME 1
__SCHAR_MAX__ 127
__SHRT_MAX__ 32767
__SHRT_WIDTH__ 16
__SIG_ATOMIC_MAX__ 2147483647
__SIG_ATOMIC_WIDTH__ 32
__STDC_EMBED_EMPTY__ 2
__STDC_EMBED_FOUND__ 1
__STDC_EMBED_NOT_FOUND__ 0
__STDC_HOSTED__ 1
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__STDC_VERSION__ 199901L
__STDC__ 1
__STRICT_ANSI__ 1
__USER_LABEL_PREFIX__
__VERSION__ "Debian Clang 22.1.8 (1~deb12u1)"
__WCHAR_MAX__ 2147483647
__WCHAR_TYPE__ int
__WCHAR_WIDTH__ 32
__WINT_MAX__ 2147483647
__WINT_TYPE__ int
__WINT_WIDTH__ 32
__clang__ 1
__clang_literal_encoding__ "UTF-8"
__clang_major__ 22
__clang_minor__ 1
__clang_patchlevel__ 8
__clang_version__ "22.1.8 (1~deb12u1)"
__clang_wide_literal_encoding__ "UTF-32"
__llvm__ 1
CL_VERSION_1_0 100
CL_VERSION_1_1 110
CL_VERSION_1_2 120
CL_VERSION_2_0 200
CL_VERSION_3_0 300
"""

_NUMBERED = {
    "__MEMORY_SCOPE_{}": "SYSTEM DEVICE WRKGRP WVFRNT SINGLE CLUSTR",
    "__OPENCL_MEMORY_SCOPE_{}": "WORK_ITEM WORK_GROUP DEVICE ALL_SVM_DEVICES SUB_GROUP",
}
_LOCK_FREE = "BOOL CHAR16_T CHAR32_T CHAR INT POINTER SHORT WCHAR_T"
_SIZEOF = "DOUBLE=8 FLOAT=4 INT=4 LONG_DOUBLE=16 LONG_LONG=16 LONG=8 SHORT=2 \
WCHAR_T=4 WINT_T=4"
_FLOAT_CLASSES = "SNAN QNAN NEGINF NEGNORMAL NEGSUBNORMAL NEGZERO POSZERO POSSUBNORMAL POSNORMAL POSINF"


def table(lines: str) -> Iterator[tuple[str, str]]:
    """Yields the (head, replacement) pairs of a text with one macro per line.

    The first blank of a line separates the two.
    """
    for line in lines.strip().splitlines():
        head, _, replacement = line.partition(" ")
        yield head, replacement


def _integer(
    name: str, bits: int, *, signed: bool, width: bool = False, constant: bool = False
) -> Iterator[tuple[str, str]]:
    suffix = (_SUFFIX if signed else _UNSIGNED_SUFFIX)[bits]
    type_name = (_TYPE if signed else _UNSIGNED_TYPE)[bits]
    yield f"__{name}_TYPE__", "signed char" if type_name == "char" else type_name
    yield f"__{name}_MAX__", f"{2 ** (bits - signed) - 1}{suffix}"
    for conversion in "di" if signed else "ouxX":
        yield f"__{name}_FMT{conversion}__", f'"{_LENGTH[bits]}{conversion}"'
    if width:
        yield f"__{name}_WIDTH__", str(bits)
    if constant:
        yield f"__{name}_C_SUFFIX__", suffix
        yield f"__{name}_C(c)", f"c##{suffix}" if suffix else "c"


def _integers() -> Iterator[tuple[str, str]]:
    for bits in _TYPE:
        yield from _integer(f"INT{bits}", bits, signed=True, constant=True)
        yield from _integer(f"UINT{bits}", bits, signed=False, constant=True)
        if bits < 128:
            for kind in ("LEAST", "FAST"):
                yield from _integer(f"INT_{kind}{bits}", bits, signed=True, width=True)
                yield from _integer(f"UINT_{kind}{bits}", bits, signed=False)
    yield from _integer("INTMAX", 128, signed=True, width=True, constant=True)
    yield from _integer("UINTMAX", 128, signed=False, width=True, constant=True)


def _floats() -> Iterator[tuple[str, str]]:
    for line in _FLOATS.strip().splitlines():
        name, digits, exact, mantissa, max10, max2, min10, min2, suffix, *limits = line.split()
        literal_suffix = suffix.strip("-")
        greatest, least, epsilon, denormal = (limit + literal_suffix for limit in limits)
        for key, value in {
            "DIG": digits,
            "DECIMAL_DIG": exact,
            "MANT_DIG": mantissa,
            "MAX_10_EXP": max10,
            "MAX_EXP": max2,
            "MIN_10_EXP": f"({min10})",
            "MIN_EXP": f"({min2})",
            "MAX": greatest,
            "NORM_MAX": greatest,
            "MIN": least,
            "EPSILON": epsilon,
            "DENORM_MIN": denormal,
            "HAS_DENORM": "1",
            "HAS_INFINITY": "1",
            "HAS_QUIET_NAN": "1",
        }.items():
            yield f"__{name}_{key}__", value


def _by_address_bits(address_bits: int) -> Iterator[tuple[str, str]]:
    yield "__POINTER_WIDTH__", str(address_bits)
    for name in ("POINTER", "PTRDIFF_T", "SIZE_T"):
        yield f"__SIZEOF_{name}__", str(address_bits // 8)
    if address_bits == 64:
        yield "_LP64", "1"
        yield "__LP64__", "1"
    yield "__CLANG_ATOMIC_LONG_LOCK_FREE", "2" if address_bits == 64 else "1"
    yield from _integer("INTPTR", address_bits, signed=True, width=True)
    yield from _integer("UINTPTR", address_bits, signed=False, width=True)
    yield from _integer("PTRDIFF", address_bits, signed=True, width=True)
    yield from _integer("SIZE", address_bits, signed=False, width=True)


def _everywhere() -> Iterator[tuple[str, str]]:
    yield from table(_SINGLE)
    yield from _integers()
    yield from _floats()
    for head, names in _NUMBERED.items():
        for number, name in enumerate(names.split()):
            yield head.format(name), str(number)
    for name in _LOCK_FREE.split():
        yield f"__CLANG_ATOMIC_{name}_LOCK_FREE", "2"
    yield "__CLANG_ATOMIC_LLONG_LOCK_FREE", "1"
    for pair in _SIZEOF.split():
        name, _, size = pair.partition("=")
        yield f"__SIZEOF_{name}__", size
    for bit, name in enumerate(_FLOAT_CLASSES.split()):
        yield f"__FPCLASS_{name}", f"0x{1 << bit:04X}"


_EVERYWHERE: Mapping[str, str] = dict(_everywhere())


def compiler_macros(address_bits: int) -> Mapping[str, str]:
    """Returns the macros for a device with 32 or 64 address bits."""
    return {**_EVERYWHERE, **dict(_by_address_bits(address_bits))}
