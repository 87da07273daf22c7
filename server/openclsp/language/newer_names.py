"""Names that exist only from OpenCL C 2.0 on, whatever the extensions.

Names that an extension can provide in OpenCL C 1.2 are excluded: sub-group functions (cl_intel_subgroups),
depth and multisampled images, half and double, 64-bit `atom_` functions. Macros whose names programs define
themselves (`MAX_WORK_DIM`, `CL_COMPLETE`) are also excluded. Functions of extensions that need OpenCL C 2.0
(`sub_group_ballot`, `dot_acc_sat`) are included. clang 22 rejects each of the included names in OpenCL C 1.2,
even with all extensions on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from openclsp.language.builtin_functions import named_in
from openclsp.language.builtin_types import BUILTIN_TYPES
from openclsp.language.dialect import Dialect
from openclsp.language.features import FEATURES

_CONSTANTS = """memory_order_relaxed memory_order_acquire memory_order_release memory_order_acq_rel
    memory_order_seq_cst memory_scope_work_item memory_scope_sub_group memory_scope_work_group memory_scope_device
    memory_scope_all_svm_devices
    CLK_ENQUEUE_FLAGS_NO_WAIT CLK_ENQUEUE_FLAGS_WAIT_KERNEL CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP
    CLK_NULL_QUEUE CLK_NULL_EVENT CLK_NULL_RESERVE_ID CLK_PROFILING_COMMAND_EXEC_TIME CLK_IMAGE_MEM_FENCE"""


@lru_cache(maxsize=1)
def newer_functions() -> Mapping[str, int]:
    """Returns the built-in functions that OpenCL C 2.0 adds to 1.2, each with its first version, 200."""
    return MappingProxyType(dict.fromkeys(named_in(Dialect.of("CL2.0")) - named_in(Dialect.of("CL1.2")), 200))


NEWER_ARGUMENTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("read_imagef", "read_imagei", "read_imageui"), (4, 5)),
        **dict.fromkeys(("write_imagef", "write_imagei", "write_imageui"), (4,)),
        "sub_group_barrier": (2,),
    }
)
"""Numbers of arguments that older functions accept from 2.0 on only.

The additional arguments are a level of detail or gradients (cl_khr_mipmap_image), or a memory scope.
"""

NEWER_VECTOR_ARGUMENTS: Mapping[str, tuple[int, ...]] = MappingProxyType({"sub_group_broadcast": (2,)})
"""Numbers of arguments of older functions whose first argument may be a vector from 2.0 on only.

cl_khr_subgroup_extended_types adds these overloads. `dot`, whose overloads for `char4` are also newer, is excluded: so
many programs call it that searching its arguments would slow down most of them.
"""


NEWER_CONSTANTS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(_CONSTANTS.split(), 200), "memory_scope_all_devices": 300}
)
"""Enumerators and constant macros, with the first language version that has them"""

NEWER_EXTENSIONS: Mapping[str, int] = MappingProxyType(
    {
        name: each.since
        for name, each in FEATURES.items()
        if each.since >= 200 and name.startswith("cl_khr_") and name != "cl_khr_subgroups"
    }
)
"""Khronos extensions that need a newer version, with that version.

A program that enables one is written for that version. cl_khr_subgroups is excluded, since cl_intel_subgroups
provides its functions in OpenCL C 1.2.
"""

NEWER_TYPES: Mapping[str, int] = MappingProxyType(
    {name: each.since for name, each in BUILTIN_TYPES.items() if each.since >= 200}
)
"""Built-in types, with the first language version that has them"""
