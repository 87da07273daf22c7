"""The built-in types of OpenCL C, and their dialects.

Names, versions and required features are those of clang 22, which follows the unified specification 6.3 and
adds the vector, image and atomic types of the extensions that it knows. Sizes are those of a device with 64
address bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect


class TypeCategory(Enum):
    """The category of a built-in type, such as `vector`, or `image` for an opaque type."""

    VOID = "void"
    SCALAR = "scalar"
    VECTOR = "vector"
    ATOMIC = "atomic"
    ENUM = "enum"
    IMAGE = "image"
    SAMPLER = "sampler"
    EVENT = "event"
    QUEUE = "queue"
    CLK_EVENT = "clk_event"
    RESERVE_ID = "reserve_id"
    NDRANGE = "ndrange"
    MOTION_ESTIMATION = "motion_estimation"


@dataclass(frozen=True, slots=True)
class BuiltinScalar:
    """An arithmetic type.

    `size` is in bytes; `rank` its conversion rank: bool 0 to long 4, half 5, double 7.
    """

    size: int
    rank: int
    signed: bool
    floating: bool


@dataclass(frozen=True, slots=True)
class BuiltinType:
    """One built-in type.

    - `canonical`: the aliased type (`ulong` for `size_t`), or the name itself
    - `scalar`: set for scalars only
    - `element`: the name of the element type of a vector or an atomic type
    - `width`: the number of elements of a vector
    - `since`: the first language version that has the name
    - `needs`: the extensions and features that must be on
    - `needs_in_3_0`: further extensions and features that must be on in OpenCL C 3.0
    """

    name: str
    category: TypeCategory
    canonical: str
    scalar: BuiltinScalar | None = None
    element: str = ""
    width: int = 0
    since: int = 100
    needs: tuple[str, ...] = ()
    needs_in_3_0: tuple[str, ...] = ()

    def missing_in(self, dialect: Dialect) -> tuple[str, ...]:
        """Returns what the dialect lacks for this type: a version (`OpenCL C 2.0`), extensions, features."""
        if dialect.version < self.since:
            return (f"OpenCL C {self.since // 100}.{self.since // 10 % 10}",)
        needs = self.needs + self.needs_in_3_0 if dialect.version >= 300 else self.needs
        return tuple(name for name in needs if name not in dialect.extensions)


def builtin_type(name: str, dialect: Dialect) -> BuiltinType | None:
    """Returns the built-in type of that name, or None if the dialect has none."""
    found = (_OF_32_BITS.get(name) if dialect.address_bits == 32 else None) or BUILTIN_TYPES.get(name)
    return found if found is not None and not found.missing_in(dialect) else None


def is_builtin_type_name(name: str) -> bool:
    """Whether some dialect has a built-in type of that name."""
    return name in BUILTIN_TYPES


@lru_cache(maxsize=64)
def predeclared_constants(dialect: Dialect) -> Mapping[str, int]:
    """Returns the enumerators of `memory_order` and `memory_scope` (unified specification 6.15.12)."""
    if dialect.version < 200:
        return MappingProxyType({})
    return MappingProxyType(dict(_constants(dialect)))


def _constants(dialect: Dialect) -> Iterator[tuple[str, int]]:
    on = dialect.extensions
    orders = {"relaxed": 0, "acquire": 2, "release": 3, "acq_rel": 4}
    if "__opencl_c_atomic_order_seq_cst" in on:
        orders["seq_cst"] = 5
    scopes = {"work_item": 0, "work_group": 1, "device": 2}
    if "__opencl_c_atomic_scope_all_devices" in on:
        scopes["all_svm_devices"] = 3
        if dialect.version >= 300:
            scopes["all_devices"] = 3
    if on & {"cl_intel_subgroups", "cl_khr_subgroups", "__opencl_c_subgroups"}:
        scopes["sub_group"] = 4
    for enumeration, values in (("memory_order", orders), ("memory_scope", scopes)):
        for name, value in values.items():
            yield f"{enumeration}_{name}", value


_SCALARS = {
    "bool": BuiltinScalar(1, 0, signed=False, floating=False),
    "char": BuiltinScalar(1, 1, signed=True, floating=False),
    "uchar": BuiltinScalar(1, 1, signed=False, floating=False),
    "short": BuiltinScalar(2, 2, signed=True, floating=False),
    "ushort": BuiltinScalar(2, 2, signed=False, floating=False),
    "int": BuiltinScalar(4, 3, signed=True, floating=False),
    "uint": BuiltinScalar(4, 3, signed=False, floating=False),
    "long": BuiltinScalar(8, 4, signed=True, floating=False),
    "ulong": BuiltinScalar(8, 4, signed=False, floating=False),
    "half": BuiltinScalar(2, 5, signed=True, floating=True),
    "float": BuiltinScalar(4, 6, signed=True, floating=True),
    "double": BuiltinScalar(8, 7, signed=True, floating=True),
}
_ALIASES = {
    "_Bool": "bool",
    "size_t": "ulong",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "ulong",
    "cl_mem_fence_flags": "uint",
}
_ALIASES_OF_32_BITS = {"size_t": "uint", "ptrdiff_t": "int", "intptr_t": "int", "uintptr_t": "uint"}
ADDRESS_SIZED = frozenset(_ALIASES_OF_32_BITS)
"""The names of the scalar types that are as wide as an address"""
_ALIASES_SINCE_2_0 = {"kernel_enqueue_flags_t": "int", "clk_profiling_info": "int"}

_NEEDS: Mapping[str, tuple[str, ...]] = {"half": ("cl_khr_fp16",), "double": ("cl_khr_fp64",)}
_INT64_ATOMICS = ("cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
_ATOMICS = {
    "int": "int",
    "uint": "uint",
    "long": "long",
    "ulong": "ulong",
    "half": "half",
    "float": "float",
    "double": "double",
    "flag": "int",
    "size_t": "ulong",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "ulong",
}

_IMAGES = """image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image2d_depth_t
    image2d_array_depth_t image2d_msaa_t image2d_array_msaa_t image2d_msaa_depth_t image2d_array_msaa_depth_t
    image3d_t"""

_MOTION_ESTIMATION = """mce_payload ime_payload ref_payload sic_payload mce_result ime_result ref_result
    sic_result ime_result_single_reference_streamout ime_result_dual_reference_streamout
    ime_single_reference_streamin ime_dual_reference_streamin"""


def _scalars() -> Iterator[BuiltinType]:
    for name, scalar in _SCALARS.items():
        # a pointer to half is valid without the extension (6.3.1.1)
        needs = () if name == "half" else _NEEDS.get(name, ())
        yield BuiltinType(name, TypeCategory.SCALAR, name, scalar, needs=needs)
    for names, since in ((_ALIASES, 100), (_ALIASES_SINCE_2_0, 200)):
        for name, canonical in names.items():
            yield BuiltinType(name, TypeCategory.SCALAR, canonical, _SCALARS[canonical], since=since)


def _derived() -> Iterator[BuiltinType]:
    for element in _SCALARS:
        for width in () if element == "bool" else (2, 3, 4, 8, 16):
            name = f"{element}{width}"
            needs = _NEEDS.get(element, ())
            yield BuiltinType(name, TypeCategory.VECTOR, name, element=element, width=width, needs=needs)
    for suffix, element in _ATOMICS.items():
        name = f"atomic_{suffix}"
        needs = _NEEDS.get(element, ()) + (_INT64_ATOMICS if _SCALARS[element].size == 8 else ())
        # atomic_size_t and similar types are aliases of the atomic types of their elements
        canonical = name if suffix == "flag" else f"atomic_{element}"
        yield BuiltinType(name, TypeCategory.ATOMIC, canonical, element=element, since=200, needs=needs)


def _opaque(name: str, category: TypeCategory, since: int = 100, *needs_in_3_0: str) -> BuiltinType:
    return BuiltinType(name, category, name, since=since, needs_in_3_0=needs_in_3_0)


def _others() -> Iterator[BuiltinType]:
    yield BuiltinType("void", TypeCategory.VOID, "void")
    for name in _IMAGES.split():
        needs = ("cl_khr_gl_msaa_sharing",) if "msaa" in name else ()
        yield BuiltinType(name, TypeCategory.IMAGE, name, needs=needs, needs_in_3_0=("__opencl_c_images",))
    yield _opaque("sampler_t", TypeCategory.SAMPLER, 100, "__opencl_c_images")
    yield _opaque("event_t", TypeCategory.EVENT)
    yield _opaque("queue_t", TypeCategory.QUEUE, 200, "__opencl_c_device_enqueue")
    yield _opaque("clk_event_t", TypeCategory.CLK_EVENT, 200, "__opencl_c_device_enqueue")
    yield _opaque("reserve_id_t", TypeCategory.RESERVE_ID, 200, "__opencl_c_pipes")
    enqueue = ("__opencl_c_device_enqueue",)
    yield BuiltinType("ndrange_t", TypeCategory.NDRANGE, "ndrange_t", since=200, needs=enqueue)
    yield _opaque("memory_order", TypeCategory.ENUM, 200)
    yield _opaque("memory_scope", TypeCategory.ENUM, 200)
    avc = ("cl_intel_device_side_avc_motion_estimation",)
    for stem in _MOTION_ESTIMATION.split():
        name = f"intel_sub_group_avc_{stem}_t"
        yield BuiltinType(name, TypeCategory.MOTION_ESTIMATION, name, since=120, needs=avc)


BUILTIN_TYPES: Mapping[str, BuiltinType] = MappingProxyType(
    {each.name: each for group in (_scalars(), _derived(), _others()) for each in group}
)
"""All built-in types of any dialect by name, on a device with 64 address bits"""


def _of_32_bits() -> Iterator[BuiltinType]:
    for name, canonical in _ALIASES_OF_32_BITS.items():
        yield replace(BUILTIN_TYPES[name], canonical=canonical, scalar=_SCALARS[canonical])
        atomic = BUILTIN_TYPES[f"atomic_{name}"]
        yield replace(atomic, canonical=f"atomic_{canonical}", element=canonical, needs=())


_OF_32_BITS: Mapping[str, BuiltinType] = {each.name: each for each in _of_32_bits()}
"""The types that differ with 32 address bits"""
