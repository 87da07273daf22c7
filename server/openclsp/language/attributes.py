"""The attributes of OpenCL C and clang: their arguments and meanings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from openclsp.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute, named without the underscores around its name.

    `description` is one or two sentences. `example` is an argument list with its parentheses, empty if the
    attribute takes no arguments.
    """

    name: str
    description: str
    example: str = ""


_ATTRIBUTES = (
    Attribute(
        "reqd_work_group_size", "The kernel runs only in work-groups of exactly this size.", "(X, Y, Z)"
    ),
    Attribute(
        "work_group_size_hint",
        "The most likely size of work-groups, as a hint for the compiler.",
        "(X, Y, Z)",
    ),
    Attribute(
        "vec_type_hint",
        "The type of most computations of the kernel, as a hint for vectorisation; `int` by default.",
        "(float4)",
    ),
    Attribute(
        "aligned",
        "Aligns the variable, member or type to at least the given number of bytes, a power of two; without a number, to 16.",
        "(16)",
    ),
    Attribute("packed", "Removes the padding: each member directly follows the one before it."),
    Attribute("always_inline", "Inlines every call of the function."),
    Attribute("noinline", "Inlines no call of the function."),
    Attribute("overloadable", "Several functions of this name may exist; the arguments decide between them."),
    Attribute(
        "opencl_unroll_hint",
        "Unrolls the following loop: by the given factor, completely without one, and not at all for 1.",
        "(4)",
    ),
    Attribute(
        "intel_reqd_sub_group_size", "Compiles the kernel for sub-groups of exactly this size.", "(16)"
    ),
    Attribute("unused", "Nothing is reported if the name is not used."),
    Attribute("used", "The name is kept even if nothing refers to it."),
    Attribute("weak", "Another definition of the name takes precedence."),
    Attribute("pure", "The function writes nothing; its result depends on the arguments and on memory."),
    Attribute(
        "const",
        "The result depends on the arguments only; nothing is read from memory and nothing is written.",
    ),
    Attribute(
        "convergent",
        "All work-items that call the function together must do so: no condition around the call may be added.",
    ),
    Attribute("noduplicate", "Calls of the function are not copied, for example by unrolling a loop."),
    Attribute("nosvm", "The pointer does not point to shared virtual memory."),
    Attribute("endian", "The byte order of the variable in memory: `host` or `device`.", "(host)"),
    Attribute(
        "ext_vector_type",
        "A vector with the given number of elements, with the operators and components of OpenCL's vectors.",
        "(4)",
    ),
    Attribute("may_alias", "Pointers to the type may point to objects of any type."),
    Attribute("deprecated", "Uses of the name get a warning."),
    Attribute("fallthrough", "The statement above falls through to the next `case` on purpose."),
    Attribute(
        "amdgpu_flat_work_group_size",
        "The minimum and maximum size of work-groups in which the kernel runs, on devices of AMD.",
        "(64, 256)",
    ),
    Attribute(
        "amdgpu_waves_per_eu",
        "The number of waves of the kernel that run on an execution unit at the same time, on devices of AMD.",
        "(1, 2)",
    ),
    Attribute("nodebug", "No debug information is made for the function."),
    Attribute("hot", "The function is called often."),
    Attribute("cold", "The function is rarely called."),
    Attribute("flatten", "Inlines every call within the function."),
    Attribute("noreturn", "The function does not return."),
    Attribute(
        "format",
        "The arguments are checked against the format string, as those of `printf`.",
        "(printf, 1, 2)",
    ),
    Attribute("target", "Compiles the function for other features of the device.", '("feature")'),
    Attribute("visibility", "Whether other program objects see the name.", '("default")'),
    Attribute("annotate", "Attaches a text for tools to the declaration.", '("text")'),
)

ATTRIBUTES: Mapping[str, Attribute] = MappingProxyType({each.name: each for each in _ATTRIBUTES})
"""The attributes by name, the most common first"""

UNUSED_ATTRIBUTES = frozenset((b"unused", b"__unused__"))
"""The spellings of the attribute `unused`, as tokens"""
