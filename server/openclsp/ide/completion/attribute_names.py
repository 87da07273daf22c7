"""The attributes that compilers of OpenCL C know, and the arguments that each takes."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.ide.completion.completion_list import CompletionCandidate
from openclsp.ide.completion.predefined_names import NameKind

_ATTRIBUTES = (
    ("reqd_work_group_size", "(X, Y, Z)", "kernel: the only work-group size with which it runs"),
    ("work_group_size_hint", "(X, Y, Z)", "kernel: the probable work-group size"),
    ("vec_type_hint", "(float4)", "kernel: the type of most computations"),
    ("aligned", "(16)", "type or variable: the minimum alignment in bytes"),
    ("packed", "", "struct: no padding"),
    ("always_inline", "", "function: inlined at each call"),
    ("noinline", "", "function: not inlined"),
    ("overloadable", "", "function: may have overloads"),
    ("opencl_unroll_hint", "(4)", "loop: the factor by which to unroll it"),
    ("intel_reqd_sub_group_size", "(16)", "kernel: the sub-group size (Intel)"),
    ("unused", "", "no warning if it is not used"),
    ("used", "", "kept even if it is not used"),
    ("weak", "", "function: another definition replaces it"),
    ("pure", "", "function: reads memory, but changes nothing"),
    ("const", "", "function: depends on its arguments only"),
    ("convergent", "", "function: its calls do not depend on more conditions after optimisation"),
    ("noduplicate", "", "function: its calls are not duplicated"),
    ("nosvm", "", "pointer: does not point to shared virtual memory"),
    ("endian", "(host)", "variable: the byte order of what a pointer points to"),
    ("ext_vector_type", "(4)", "typedef: a vector with this number of elements"),
    ("may_alias", "", "type: accesses may alias objects of any type"),
    ("deprecated", "", "uses are reported"),
    ("amdgpu_flat_work_group_size", "(64, 256)", "kernel: the minimum and maximum work-group size (AMD)"),
    ("amdgpu_waves_per_eu", "(1, 2)", "kernel: the number of waves for each execution unit (AMD)"),
    ("nodebug", "", "function: no debug information"),
    ("hot", "", "function: called often"),
    ("cold", "", "function: called rarely"),
)


def attribute_candidates(*, snippets: bool) -> Iterator[CompletionCandidate]:
    """The attributes, the most common first; with their arguments to fill in if `snippets`."""
    for name, arguments, about in _ATTRIBUTES:
        yield CompletionCandidate(
            name, NameKind.KEYWORD, about, insertion=_snippet(name, arguments) if snippets else ""
        )


def _snippet(name: str, arguments: str) -> str:
    if not arguments:
        return ""
    fields = (f"${{{number}:{each}}}" for number, each in enumerate(arguments[1:-1].split(", "), 1))
    return f"{name}({', '.join(fields)})"
