"""Quick text search that skips host files without kernels.

A file that contains none of the searched words holds no kernel, and is not parsed. The search of 10,000 lines
without such a word takes less than 1 ms.
"""

from __future__ import annotations

import re
from typing import Final

MAXIMUM_HOST_BYTES: Final = 4 * 1024 * 1024
"""The maximum size in bytes of a host file; a larger one is not parsed."""
_KERNEL_WORD: Final = b"ernel"
"""Part of `kernel`, and of the names of kernel builders"""
_MARK_WORD: Final = b"OpenCL"
_KERNEL_ENDINGS: Final = b'cl"'
"""The end that the quoted names of all included OpenCL C files share"""
_QUALIFIER: Final = re.compile(
    rb"kernel(?:\s|\\[nrt]|\\\r?\n)+(?:void\b|__attribute__|\"|'|[$%{<]|[A-Z_]+\b|/[/*]|[A-Za-z_]\w*\s+void\b)"
)
_SPACE: Final = re.compile(rb"__(?:global|local|constant)\b")
_BUILDER: Final = re.compile(rb"Kernel\s*\(")
_BUILDER_PREFIXES: Final = (b"Elementwise", b"Reduction", b"Scan", b"Raw")
_LONGEST_PREFIX: Final = 11
_INCLUDED_KERNEL: Final = re.compile(rb"\#[ \t]*include[ \t]*\"[^\"\r\n]+\.(?:cl|ocl|opencl)\"")
"""Matches an `#include` of a file that may contain a kernel as string literals"""
_USING_WORDS: Final = (
    *(b"KernelArg", b"kernel_arg", b"CreateKernel", b"create_kernel", b"setArg(", b"set_arg(", b"set_args("),
    *(b"make_kernel", b"KernelFunctor", b"cl::Kernel"),
)
"""Parts of the names by which host code makes kernel objects and passes arguments to them"""
_PYTHON_MODULE: Final = b"pyopencl"
_IMPORT_BYTES: Final = 64 * 1024
"""The number of bytes at the beginning of a file in which the import of the module is searched"""
_LANGUAGE_MARK: Final = re.compile(rb"(?:language\s*=\s*|/\*\s*|#\s*)opencl\b", re.IGNORECASE)


_OPENCL_WORDS: Final = (b"pencl", b"penCL", b"clCreate", b"cl::", b"cl_")
"""Parts of names of OpenCL, of its headers and of its bindings"""


def may_name_kernel(data: bytes) -> bool:
    """Whether host code may name kernels: it contains a word that all code with kernels needs."""
    if _KERNEL_WORD not in data:
        # Code that runs kernels through pyopencl need not contain any other word.
        return _PYTHON_MODULE in data
    return any(word in data for word in _OPENCL_WORDS)


def includes_kernel(data: bytes) -> bool:
    """Whether host code includes an OpenCL C file, as in `#include "add.cl"`.

    The included file must then contain its kernels in string literals.
    """
    return _KERNEL_ENDINGS in data and _INCLUDED_KERNEL.search(data) is not None


def _has_kernel(data: bytes) -> bool:
    """Whether the text contains `kernel` or an address space as a qualifier, or a call of a kernel builder.

    An example of such a call is `ElementwiseKernel(`. Each regular expression begins with a literal, for
    which `re` has a fast search; a single expression for all three takes ten times as long.
    """
    if _QUALIFIER.search(data) is not None or _SPACE.search(data) is not None:
        return True
    return any(
        data[max(0, each.start() - _LONGEST_PREFIX) : each.start()].endswith(_BUILDER_PREFIXES)
        for each in _BUILDER.finditer(data)
    )


def may_hold_kernel(data: bytes) -> bool:
    """Whether host code may hold the text of a kernel, by a quick search for words."""
    if _KERNEL_WORD in data and _has_kernel(data):
        return True
    # Three searches in a text that holds no kernel: 1 ms for 10,000 lines of 60 bytes on a busy machine.
    return includes_kernel(data) or (_MARK_WORD in data and _LANGUAGE_MARK.search(data) is not None)


def may_use_kernel(data: bytes) -> bool:
    """Whether host code may create kernel objects or pass arguments to kernels.

    If not, it need not be parsed: the names of kernels are found by tokens, without a syntax tree.
    """
    if data.find(_PYTHON_MODULE, 0, _IMPORT_BYTES) >= 0:
        return True
    return may_name_kernel(data) and any(word in data for word in _USING_WORDS)
