"""The extensions and optional features of OpenCL C.

They are those that clang 22 knows for spir64. A name is an extension (`cl_khr_fp16`) or a feature of OpenCL C
3.0 (`__opencl_c_pipes`). `-cl-ext` switches both; each one that is on is predefined as a macro with the value
1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from openclsp.dataclass import dataclass

VERSIONS = (100, 110, 120, 200, 300)
"""The language versions of OpenCL C, as in `__OPENCL_C_VERSION__`"""


@dataclass(frozen=True, slots=True)
class Feature:
    """One extension or optional feature.

    - `since`: the first language version that has it
    - `core`: the versions that include it, in which it needs no `#pragma OPENCL EXTENSION`
    - `optional_core`: the versions in which it needs no pragma, but a device may lack it (unified
      specification 6.2.1)
    """

    name: str
    since: int
    core: frozenset[int] = frozenset()
    optional_core: frozenset[int] = frozenset()

    def available_in(self, version: int) -> bool:
        """Whether the language version (100 to 300) can have this feature."""
        return version >= self.since


def _from(first: int) -> frozenset[int]:
    return frozenset(version for version in VERSIONS if version >= first)


def _family(
    since: int, names: str, core: Iterable[int] = (), optional_core: Iterable[int] = ()
) -> tuple[Feature, ...]:
    return tuple(Feature(name, since, frozenset(core), frozenset(optional_core)) for name in names.split())


_ALL = (
    *_family(
        100,
        """cl_khr_byte_addressable_store
        cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics
        cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics""",
        core=_from(110),
    ),
    *_family(100, "cl_khr_fp64", optional_core=_from(120)),
    *_family(100, "cl_khr_3d_image_writes", core=(200,), optional_core=(300,)),
    *_family(
        100,
        """cl_khr_fp16 cl_khr_gl_msaa_sharing cl_khr_int64_base_atomics cl_khr_int64_extended_atomics
        __cl_clang_bitfields __cl_clang_function_pointers __cl_clang_non_portable_kernel_param_types
        __cl_clang_variadic_functions cl_clang_storage_class_specifiers
        cl_amd_media_ops cl_amd_media_ops2 cl_intel_bfloat16_conversions""",
    ),
    *_family(110, "cles_khr_int64"),
    *_family(
        120,
        """cl_khr_depth_images
        cl_intel_device_side_avc_motion_estimation cl_intel_subgroup_buffer_prefetch
        cl_intel_subgroup_local_block_io cl_intel_subgroups cl_intel_subgroups_char cl_intel_subgroups_long
        cl_intel_subgroups_short""",
    ),
    *_family(
        200,
        """cl_ext_float_atomics cl_intel_required_subgroup_size
        cl_khr_extended_bit_ops cl_khr_integer_dot_product cl_khr_kernel_clock
        cl_khr_mipmap_image cl_khr_mipmap_image_writes cl_khr_srgb_image_writes
        cl_khr_subgroup_ballot cl_khr_subgroup_clustered_reduce cl_khr_subgroup_extended_types
        cl_khr_subgroup_named_barrier cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_non_uniform_vote
        cl_khr_subgroup_rotate cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroups""",
    ),
    *_family(
        200,
        """__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst
        __opencl_c_atomic_scope_all_devices __opencl_c_atomic_scope_device
        __opencl_c_device_enqueue __opencl_c_generic_address_space __opencl_c_images __opencl_c_pipes
        __opencl_c_program_scope_global_variables __opencl_c_read_write_images
        __opencl_c_work_group_collective_functions""",
        core=(200,),
        optional_core=(300,),
    ),
    *_family(
        200,
        """__opencl_c_ext_fp16_global_atomic_add __opencl_c_ext_fp16_global_atomic_load_store
        __opencl_c_ext_fp16_global_atomic_min_max __opencl_c_ext_fp16_local_atomic_add
        __opencl_c_ext_fp16_local_atomic_load_store __opencl_c_ext_fp16_local_atomic_min_max
        __opencl_c_ext_fp32_global_atomic_add __opencl_c_ext_fp32_global_atomic_min_max
        __opencl_c_ext_fp32_local_atomic_add __opencl_c_ext_fp32_local_atomic_min_max
        __opencl_c_ext_fp64_global_atomic_add __opencl_c_ext_fp64_global_atomic_min_max
        __opencl_c_ext_fp64_local_atomic_add __opencl_c_ext_fp64_local_atomic_min_max
        __opencl_c_ext_image_raw10_raw12 __opencl_c_ext_image_unorm_int_2_101010
        __opencl_c_ext_image_unsigned_10x6_12x4_14x2
        __opencl_c_integer_dot_product_input_4x8bit __opencl_c_integer_dot_product_input_4x8bit_packed
        __opencl_c_kernel_clock_scope_device __opencl_c_kernel_clock_scope_sub_group
        __opencl_c_kernel_clock_scope_work_group""",
        optional_core=(300,),
    ),
    *_family(300, "__opencl_c_3d_image_writes __opencl_c_fp64 __opencl_c_subgroups", optional_core=(300,)),
)

FEATURES: Mapping[str, Feature] = MappingProxyType({feature.name: feature for feature in _ALL})
"""All known extensions and features by name"""

_REQUIRES_IN_3_0 = {
    "__opencl_c_3d_image_writes": ("__opencl_c_images",),
    "__opencl_c_device_enqueue": (
        "__opencl_c_generic_address_space",
        "__opencl_c_program_scope_global_variables",
    ),
    "__opencl_c_pipes": ("__opencl_c_generic_address_space",),
    "__opencl_c_read_write_images": ("__opencl_c_images",),
}
_REQUIRES_ALWAYS = {name: ("cl_khr_fp64",) for name in FEATURES if name.startswith("__opencl_c_ext_fp64_")}


def requirements(version: int) -> Mapping[str, tuple[str, ...]]:
    """Returns the requirements of each feature (unified specification 6.2.1, table of features).

    The features of OpenCL C 3.0 have requirements only from 3.0 on: OpenCL C 2.0 includes all these features.
    """
    return _REQUIRES_ALWAYS | _REQUIRES_IN_3_0 if version >= 300 else _REQUIRES_ALWAYS


SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "cl_khr_fp64": "__opencl_c_fp64",
        "__opencl_c_fp64": "cl_khr_fp64",
        "cl_khr_3d_image_writes": "__opencl_c_3d_image_writes",
        "__opencl_c_3d_image_writes": "cl_khr_3d_image_writes",
    }
)
"""Extensions that are also features of OpenCL C 3.0.

Both are on or both are off.
"""


def available_in(version: int) -> frozenset[str]:
    """Returns the names of all extensions and features that the language version can have."""
    return frozenset(name for name, feature in FEATURES.items() if feature.available_in(version))


FUNCTION_POINTERS = "__cl_clang_function_pointers"
VARIADIC_FUNCTIONS = "__cl_clang_variadic_functions"
BIT_FIELDS = "__cl_clang_bitfields"
STORAGE_CLASSES = "cl_clang_storage_class_specifiers"
"""clang's extensions for constructs that OpenCL C excludes.

Each is off until a pragma enables it.
"""
