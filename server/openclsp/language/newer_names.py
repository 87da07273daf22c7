"""Names that no compiler before OpenCL C 2.0 has, whatever its extensions.

What an extension can bring to OpenCL C 1.2 is left out: sub-group functions (cl_intel_subgroups), depth and multisampled
images, half and double, the 64-bit `atom_` functions. So are functions of extensions that devices offer beside any
version, and macros that programs like to call so themselves (`MAX_WORK_DIM`, `CL_COMPLETE`). Held against clang 22, which
refuses each of them in OpenCL C 1.2 with everything switched on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from openclsp.language.builtin_types import BUILTIN_TYPES

_ATOMIC_OPERATIONS = """exchange compare_exchange_strong compare_exchange_weak load store
    fetch_add fetch_sub fetch_or fetch_xor fetch_and fetch_min fetch_max flag_test_and_set flag_clear"""
_OTHER_FUNCTIONS = """atomic_init atomic_work_item_fence
    work_group_barrier work_group_all work_group_any work_group_broadcast
    to_global to_local to_private get_fence ctz
    get_enqueued_local_size get_global_linear_id get_local_linear_id
    read_pipe write_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe
    work_group_reserve_read_pipe work_group_reserve_write_pipe
    work_group_commit_read_pipe work_group_commit_write_pipe
    is_valid_reserve_id get_pipe_num_packets get_pipe_max_packets
    enqueue_kernel enqueue_marker get_default_queue ndrange_1D ndrange_2D ndrange_3D
    get_kernel_work_group_size get_kernel_preferred_work_group_size_multiple
    get_kernel_max_sub_group_size_for_ndrange get_kernel_sub_group_count_for_ndrange
    create_user_event retain_event release_event is_valid_event set_user_event_status
    capture_event_profiling_info"""
_COLLECTIVES = ("reduce", "scan_exclusive", "scan_inclusive")
_FUNCTIONS = (
    *(f"atomic_{name}{suffix}" for name in _ATOMIC_OPERATIONS.split() for suffix in ("", "_explicit")),
    *(f"work_group_{kind}_{operation}" for kind in _COLLECTIVES for operation in ("add", "min", "max")),
    *_OTHER_FUNCTIONS.split(),
)
_CONSTANTS = """memory_order_relaxed memory_order_acquire memory_order_release memory_order_acq_rel
    memory_order_seq_cst memory_scope_work_item memory_scope_sub_group memory_scope_work_group memory_scope_device
    memory_scope_all_svm_devices
    CLK_ENQUEUE_FLAGS_NO_WAIT CLK_ENQUEUE_FLAGS_WAIT_KERNEL CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP
    CLK_NULL_QUEUE CLK_NULL_EVENT CLK_NULL_RESERVE_ID CLK_PROFILING_COMMAND_EXEC_TIME CLK_IMAGE_MEM_FENCE"""

NEWER_FUNCTIONS: Mapping[str, int] = MappingProxyType(dict.fromkeys(_FUNCTIONS, 200))
"""Built-in functions (unified specification 6.15) with the first language version that has them."""

NEWER_CONSTANTS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(_CONSTANTS.split(), 200), "memory_scope_all_devices": 300}
)
"""Enumerators and macros that stand for values, likewise."""

NEWER_TYPES: Mapping[str, int] = MappingProxyType(
    {name: each.since for name, each in BUILTIN_TYPES.items() if each.since >= 200}
)
"""Built-in types, likewise."""
