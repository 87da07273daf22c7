"""The meanings of the attributes of OpenCL C and clang, for hovers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_DESCRIPTIONS = {
    "aligned": "Aligns the variable, member or type to at least the given number of bytes, a power of two; without a number, to 16.",
    "always_inline": "Inlines every call of the function.",
    "annotate": "Attaches a text for tools to the declaration.",
    "cold": "The function is rarely called.",
    "const": "The result depends on the arguments only; nothing is read from memory and nothing is written.",
    "convergent": "All work-items that call the function together must do so: no condition around the call may be added.",
    "deprecated": "Uses of the name get a warning.",
    "endian": "The byte order of the variable in memory: `host` or `device`.",
    "ext_vector_type": "A vector with the given number of elements, with the operators and components of OpenCL's vectors.",
    "fallthrough": "The statement above falls through to the next `case` on purpose.",
    "flatten": "Inlines every call within the function.",
    "format": "The arguments are checked against the format string, as those of `printf`.",
    "hot": "The function is called often.",
    "intel_reqd_sub_group_size": "Compiles the kernel for sub-groups of exactly this size.",
    "may_alias": "Pointers to the type may point to objects of any type.",
    "noduplicate": "Calls of the function are not copied, for example by unrolling a loop.",
    "noinline": "Inlines no call of the function.",
    "noreturn": "The function does not return.",
    "nosvm": "The pointer does not point to shared virtual memory.",
    "opencl_unroll_hint": "Unrolls the following loop: by the given factor, completely without one, and not at all for 1.",
    "overloadable": "Several functions of this name may exist; the arguments decide between them.",
    "packed": "Removes the padding: each member directly follows the one before it.",
    "pure": "The function writes nothing; its result depends on the arguments and on memory.",
    "reqd_work_group_size": "The kernel runs only in work-groups of exactly this size.",
    "target": "Compiles the function for other features of the device.",
    "unused": "Nothing is reported if the name is not used.",
    "used": "The name is kept even if nothing refers to it.",
    "vec_type_hint": "The type of most computations of the kernel, as a hint for vectorisation; `int` by default.",
    "visibility": "Whether other program objects see the name.",
    "weak": "Another definition of the name takes precedence.",
    "work_group_size_hint": "The most likely size of work-groups, as a hint for the compiler.",
}

ATTRIBUTE_DESCRIPTIONS: Mapping[str, str] = MappingProxyType(_DESCRIPTIONS)
"""The meaning of each attribute by its name without underscores around it, as one sentence or two"""
