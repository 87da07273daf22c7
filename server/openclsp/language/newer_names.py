"""Names that no compiler before OpenCL C 2.0 has, whatever its extensions.

What an extension can bring to OpenCL C 1.2 is left out: sub-group functions (cl_intel_subgroups), depth and multisampled
images, half and double, the 64-bit `atom_` functions. So are functions of extensions that devices offer beside any
version, and macros that programs like to call so themselves (`MAX_WORK_DIM`, `CL_COMPLETE`). Held against clang 22, which
refuses each of them in OpenCL C 1.2 with everything switched on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from openclsp.language.builtin_functions import named_in
from openclsp.language.builtin_types import BUILTIN_TYPES
from openclsp.language.dialect import Dialect, DialectError, make_dialect
from openclsp.language.features import FEATURES

_CONSTANTS = """memory_order_relaxed memory_order_acquire memory_order_release memory_order_acq_rel
    memory_order_seq_cst memory_scope_work_item memory_scope_sub_group memory_scope_work_group memory_scope_device
    memory_scope_all_svm_devices
    CLK_ENQUEUE_FLAGS_NO_WAIT CLK_ENQUEUE_FLAGS_WAIT_KERNEL CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP
    CLK_NULL_QUEUE CLK_NULL_EVENT CLK_NULL_RESERVE_ID CLK_PROFILING_COMMAND_EXEC_TIME CLK_IMAGE_MEM_FENCE"""


@lru_cache(maxsize=1)
def newer_functions() -> Mapping[str, int]:
    """Built-in functions (unified specification 6.15) with the first language version that has them."""
    optional = [f"-{name}" for name, feature in FEATURES.items() if 200 not in feature.core]
    made = make_dialect("CL2.0", optional)
    assert not isinstance(made, DialectError)
    new = named_in(made[0]) - named_in(Dialect.of("CL1.2"))
    return MappingProxyType(dict.fromkeys((name for name in new if not name.startswith("sub_group_")), 200))


NEWER_CONSTANTS: Mapping[str, int] = MappingProxyType(
    {**dict.fromkeys(_CONSTANTS.split(), 200), "memory_scope_all_devices": 300}
)
"""Enumerators and macros that stand for values, with the first language version that has them."""

NEWER_TYPES: Mapping[str, int] = MappingProxyType(
    {name: each.since for name, each in BUILTIN_TYPES.items() if each.since >= 200}
)
"""Built-in types, likewise."""
