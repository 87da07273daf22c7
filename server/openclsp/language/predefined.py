"""The macros predefined before a kernel's first line, for each dialect.

They are those of clang 22 for spir64 with its default header (opencl-c-base.h), without the macros that name
the target, and with `__OPENCL_VERSION__`, which clang leaves to the device (unified specification 6.11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from openclsp.language.device import DEFAULT_DEVICE, Device
from openclsp.language.dialect import Dialect
from openclsp.language.predefined_compiler import compiler_macros, table
from openclsp.language.predefined_motion_estimation import MOTION_ESTIMATION_MACROS

_EVERYWHERE = """
CHAR_BIT 8
CHAR_MAX SCHAR_MAX
CHAR_MIN SCHAR_MIN
INT_MAX 2147483647
INT_MIN (-2147483647-1)
LONG_MAX 0x7fffffffffffffffL
LONG_MIN (-0x7fffffffffffffffL-1)
SCHAR_MAX 127
SCHAR_MIN (-128)
SHRT_MAX 32767
SHRT_MIN (-32768)
UCHAR_MAX 255
UINT_MAX 0xffffffff
ULONG_MAX 0xffffffffffffffffUL
USHRT_MAX 65535
CLK_LOCAL_MEM_FENCE 0x01
CLK_GLOBAL_MEM_FENCE 0x02
CLK_ADDRESS_NONE 0
CLK_ADDRESS_CLAMP_TO_EDGE 2
CLK_ADDRESS_CLAMP 4
CLK_ADDRESS_REPEAT 6
CLK_ADDRESS_MIRRORED_REPEAT 8
CLK_FILTER_NEAREST 0x10
CLK_FILTER_LINEAR 0x20
CLK_NORMALIZED_COORDS_FALSE 0
CLK_NORMALIZED_COORDS_TRUE 1
FP_ILOGB0 INT_MIN
FP_ILOGBNAN INT_MAX
HUGE_VAL (__builtin_huge_val())
HUGE_VALF (__builtin_huge_valf())
INFINITY (__builtin_inff())
MAXFLOAT 0x1.fffffep127f
NAN as_float(INT_MAX)
NULL ((void*)0)
_OPENCL_BASE_H_
__half half
__opencl_c_int64 1
"""

_SINCE_2_0 = """
ATOMIC_FLAG_INIT 0
ATOMIC_VAR_INIT(x) (x)
CLK_IMAGE_MEM_FENCE 0x04
CLK_sRGB 0x10BF
CLK_sRGBx 0x10C0
CLK_sRGBA 0x10C1
CLK_sBGRA 0x10C2
CLK_ABGR 0x10C3
CLK_NULL_RESERVE_ID (__builtin_astype(((void*)(__SIZE_MAX__)), reserve_id_t))
CLK_NULL_EVENT (__builtin_astype(((__SIZE_MAX__)), clk_event_t))
CLK_NULL_QUEUE 0
CL_COMPLETE 0x0
CL_RUNNING 0x1
CL_SUBMITTED 0x2
CL_QUEUED 0x3
CLK_SUCCESS 0
CLK_ENQUEUE_FAILURE -101
CLK_INVALID_QUEUE -102
CLK_INVALID_NDRANGE -160
CLK_INVALID_EVENT_WAIT_LIST -57
CLK_DEVICE_QUEUE_FULL -161
CLK_INVALID_ARG_SIZE -51
CLK_EVENT_ALLOCATION_FAILURE -100
CLK_OUT_OF_RESOURCES -5
CLK_ENQUEUE_FLAGS_NO_WAIT 0x0
CLK_ENQUEUE_FLAGS_WAIT_KERNEL 0x1
CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP 0x2
CLK_PROFILING_COMMAND_EXEC_TIME 0x1
MAX_WORK_DIM 3
"""

_BY_FEATURE = {
    "__opencl_c_ext_image_raw10_raw12": """
CLK_UNSIGNED_INT_RAW10_EXT 0x10E3
CLK_UNSIGNED_INT_RAW12_EXT 0x10E4
""",
    "__opencl_c_ext_image_unorm_int_2_101010": "CLK_UNORM_INT_2_101010_EXT 0x10E5",
    "__opencl_c_ext_image_unsigned_10x6_12x4_14x2": """
CLK_UNSIGNED_INT10X6_EXT 0x10E6
CLK_UNSIGNED_INT12X4_EXT 0x10E7
CLK_UNSIGNED_INT14X2_EXT 0x10E8
CLK_UNORM_10X6_EXT 0x10E1
CLK_UNORM_12X4_EXT 0x10E9
CLK_UNORM_14X2_EXT 0x10EA
""",
}

_CHANNEL_TYPES = """SNORM_INT8 SNORM_INT16 UNORM_INT8 UNORM_INT16 UNORM_SHORT_565 UNORM_SHORT_555
    UNORM_INT_101010 SIGNED_INT8 SIGNED_INT16 SIGNED_INT32 UNSIGNED_INT8 UNSIGNED_INT16 UNSIGNED_INT32
    HALF_FLOAT FLOAT UNORM_INT24"""
_CHANNEL_ORDERS = "R A RG RA RGB RGBA BGRA ARGB INTENSITY LUMINANCE Rx RGx RGBx DEPTH DEPTH_STENCIL"

_MATHEMATICS = """
E 0x1.5bf0a8b145769p+1 2.71828182845904523536028747135266250
LOG2E 0x1.71547652b82fep+0 1.44269504088896340735992468100189214
LOG10E 0x1.bcb7b1526e50ep-2 0.434294481903251827651128918916605082
LN2 0x1.62e42fefa39efp-1 0.693147180559945309417232121458176568
LN10 0x1.26bb1bbb55516p+1 2.30258509299404568401799145468436421
PI 0x1.921fb54442d18p+1 3.14159265358979323846264338327950288
PI_2 0x1.921fb54442d18p+0 1.57079632679489661923132169163975144
PI_4 0x1.921fb54442d18p-1 0.785398163397448309615660845819875721
1_PI 0x1.45f306dc9c883p-2 0.318309886183790671537767526745028724
2_PI 0x1.45f306dc9c883p-1 0.636619772367581343075535053490057448
2_SQRTPI 0x1.20dd750429b6dp+0 1.12837916709551257389615890312154517
SQRT2 0x1.6a09e667f3bcdp+0 1.41421356237309504880168872420969808
SQRT1_2 0x1.6a09e667f3bcdp-1 0.707106781186547524400844362104849039
"""
"""The constants `M_x`: the double, then the decimal digits shared by `M_x_F` and `M_x_H`"""

_FLOAT_LIMITS = {
    "FLT": "6 24 +38 +128 -37 -125 2 0x1.fffffep127f 0x1.0p-126f 0x1.0p-23f",
    "DBL": "15 53 +308 +1024 -307 -1021 2 0x1.fffffffffffffp1023 0x1.0p-1022 0x1.0p-52",
    "HALF": "3 11 +4 +16 -4 -13 2 ((0x1.ffcp15h)) ((0x1.0p-14h)) ((0x1.0p-10h))",
}
_LIMIT_NAMES = (
    "DIG",
    "MANT_DIG",
    "MAX_10_EXP",
    "MAX_EXP",
    "MIN_10_EXP",
    "MIN_EXP",
    "RADIX",
    "MAX",
    "MIN",
    "EPSILON",
)

_REINTERPRETED = "char uchar short ushort int uint long ulong float"
_REINTERPRETED_ONCE = "size_t ptrdiff_t intptr_t uintptr_t"

_KERNEL_EXEC = "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))"


@lru_cache(maxsize=64)
def predefined_macros(dialect: Dialect, device: Device = DEFAULT_DEVICE) -> Mapping[str, str]:
    """Returns all predefined macros of the dialect on the device.

    Each item stands for `#define KEY VALUE`. A key is the macro's name, for a function-like macro followed by
    its parameters without a blank: `kernel_exec(X,typen)`. Equal arguments return the same mapping object.
    """
    macros = dict(compiler_macros(dialect.address_bits))
    macros.update(_HEADER_MACROS)
    macros["__OPENCL_C_VERSION__"] = str(dialect.version)
    macros["__OPENCL_VERSION__"] = str(dialect.version if device.version is None else device.version)
    if device.embedded:
        macros["__EMBEDDED_PROFILE__"] = "1"
    macros.update(dict.fromkeys(dialect.extensions, "1"))
    macros.update(_conditional(dialect))
    return MappingProxyType(macros)


def _conditional(dialect: Dialect) -> Iterator[tuple[str, str]]:
    """Yields the macros that depend on the dialect.

    As in clang's header, they depend on the language version, the extensions and the features.
    """
    version, on = dialect.version, dialect.extensions
    if "cl_khr_fp16" in on:
        yield from _FP16_MACROS.items()
    if "cl_khr_fp64" in on:
        yield from _reinterpretations("double")
    if "cl_intel_device_side_avc_motion_estimation" in on:
        yield from MOTION_ESTIMATION_MACROS.items()
    if on & {"cl_intel_subgroups", "cl_khr_subgroups", "__opencl_c_subgroups"}:
        yield "__opencl_subgroup_builtins", "1"
    if "__opencl_c_generic_address_space" not in on:
        yield "__opencl_c_named_address_space_builtins", "1"
    for feature, lines in _BY_FEATURE.items():
        if feature in on:
            yield from table(lines)
    if version >= 200:
        yield from table(_SINCE_2_0)
    if version >= 300:
        yield "CLK_UNORM_INT_101010_2", "0x10E0"
    if dialect.device_enqueue:
        yield "__BLOCKS__", "1"
        yield "__block", "__attribute__((__blocks__(byref)))"


def _reinterpretations(scalar: str) -> Iterator[tuple[str, str]]:
    for width in ("", 2, 3, 4, 8, 16):
        yield f"as_{scalar}{width}(x)", f"__builtin_astype((x), {scalar}{width})"


def _float_limits(prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in zip(_LIMIT_NAMES, _FLOAT_LIMITS[prefix].split(), strict=True):
        yield f"{prefix}_{name}", value


def _mathematics() -> Iterator[tuple[str, str, str]]:
    for line in _MATHEMATICS.strip().splitlines():
        name, double, digits = line.split()
        yield f"M_{name}", double, digits


def _header() -> Iterator[tuple[str, str]]:
    yield from table(_EVERYWHERE)
    for name, double, digits in _mathematics():
        yield name, double
        yield f"{name}_F", f"{digits}f"
    yield from _float_limits("FLT")
    yield from _float_limits("DBL")
    for number, name in enumerate(_CHANNEL_TYPES.split()):
        yield f"CLK_{name}", f"0x{0x10D0 + number:X}"
    for number, name in enumerate(_CHANNEL_ORDERS.split()):
        yield f"CLK_{name}", f"0x{0x10B0 + number:X}"
    for scalar in _REINTERPRETED.split():
        yield from _reinterpretations(scalar)
    for scalar in _REINTERPRETED_ONCE.split():
        yield f"as_{scalar}(x)", f"__builtin_astype((x), {scalar})"
    yield "kernel_exec(X,typen)", _KERNEL_EXEC
    yield "__kernel_exec(X,typen)", _KERNEL_EXEC


def _fp16() -> Iterator[tuple[str, str]]:
    yield from _float_limits("HALF")
    yield from _reinterpretations("half")
    for name, _, digits in _mathematics():
        yield f"{name}_H", f"{digits}h"


_HEADER_MACROS: Mapping[str, str] = dict(_header())
_FP16_MACROS: Mapping[str, str] = dict(_fp16())
