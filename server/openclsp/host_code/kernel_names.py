"""Names in OpenCL's API and its bindings by which kernels are found in C, C++ and Python code.

Two analyses use these names: the token search that indexes whole projects, and the analysis that follows
kernel objects in the syntax tree of a file.
"""

from __future__ import annotations

import re
from typing import Final

CREATING_FUNCTION: Final = re.compile(
    r"(?:.*_)?(?:cl_?create_?kernel|create_?kernel)\Z", re.IGNORECASE | re.DOTALL
)
"""Functions that make a kernel object of a program and a name"""
FUNCTOR_NAMES: Final = ("KernelFunctor", "make_kernel")
"""Class templates of the C++ bindings whose arguments are the types of a kernel's parameters"""
PROGRAM_ATTRIBUTES: Final = frozenset(
    ("build", "all_kernels", "kernel_names", "get_info", "get_build_info", "context", "devices", "binaries")
    + ("source", "num_devices", "num_kernels", "reference_count", "program", "compile", "link", "il", "kind")
    + ("int_ptr", "from_int_ptr", "create_kernel", "set_specialization_constant", "binary_sizes")
    + ("binary_type", "get_cl_version", "_build", "_source", "_context", "_prg", "_get_prg")
)
"""Attributes of a program of pyopencl that are no kernels; nor are those that begin with `__`"""
