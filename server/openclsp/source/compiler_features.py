"""Evaluates `__has_attribute`, `__has_extension` and `__has_feature` as clang 22 does for OpenCL C.

For a name that this module does not list, the result is 0, but it counts as a guess: another compiler may
know the name.
"""

from __future__ import annotations

from typing import Final

_ATTRIBUTES: Final = frozenset(
    b"""
    address_space alias aligned always_inline amdgpu_flat_work_group_size amdgpu_num_vgpr amdgpu_waves_per_eu annotate
    cleanup cold const convergent deprecated diagnose_if enable_if ext_vector_type fallthrough flatten format gnu_inline
    hot intel_reqd_sub_group_size malloc may_alias nodebug noduplicate noinline nonnull noreturn nosvm
    opencl_constant opencl_generic opencl_global opencl_local opencl_private opencl_unroll_hint optnone overloadable
    packed pure reqd_work_group_size section target transparent_union unavailable unused used vec_type_hint
    vector_size visibility warn_unused_result weak work_group_size_hint
    """.split()
)
_FEATURES: Final = frozenset(
    b"attribute_deprecated_with_message attribute_overloadable blocks enumerator_attributes".split()
)
_EXTENSIONS: Final = _FEATURES | frozenset(
    b"c_alignas c_atomic c_generic_selections c_static_assert overloadable_unmarked".split()
)


def has(operator: bytes, name: bytes) -> bool:
    """Whether an operator such as `__has_attribute` gives 1 for a name."""
    if len(name) > 4 and name.startswith(b"__") and name.endswith(b"__"):
        name = name[2:-2]
    if operator == b"__has_attribute":
        return name in _ATTRIBUTES
    return name in (_FEATURES if operator == b"__has_feature" else _EXTENSIONS)
