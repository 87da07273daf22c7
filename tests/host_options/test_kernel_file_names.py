"""The names that a kernel file defines, by patterns in its text."""

from __future__ import annotations

import pytest
from openclsp.host_options.kernel_file_names import extract_kernel_functions

DEFINED = {
    "a kernel": ("kernel void scale(global int *p) { }", {"scale"}),
    "an attribute": (
        "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void scale(int n) { }",
        {"scale"},
    ),
    "in a macro's body": (
        "#define SCALE(T) \\\n    kernel void scale(global T *p) { }\nSCALE(int)\n",
        {"scale"},
    ),
    "a parameter of the macro": (
        "#define REDUCE(T, name) \\\n    kernel void name(global T *p) \\\n    { }\nkernel void sum(void) { }\n",
        {"sum"},
    ),
    "a macro before": ("#define NAME(name) name\nkernel void name(void) { }\n", {"name"}),
    "line ends of Windows": ("#define REDUCE(name) \\\r\n    kernel void name(void) { }\r\n", set()),
}


@pytest.mark.parametrize("title", DEFINED)
def test_kernel_functions(title: str) -> None:
    text, expected = DEFINED[title]
    assert extract_kernel_functions(text.encode()) == expected
