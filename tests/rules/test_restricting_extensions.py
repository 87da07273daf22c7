"""clang's extensions that permit C features which OpenCL C lacks are off until a pragma enables them."""

from __future__ import annotations

import pytest
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics

from .analysis import analyse

CASES = (
    ("__cl_clang_function_pointers", "void f(int (*p)(int));\n", "function-pointer"),
    ("__cl_clang_variadic_functions", "void f(int n, ...);\n", "variadic-function"),
    ("__cl_clang_bitfields", "struct flags { int low : 3; int : 2; };\n", "bit-field"),
    ("cl_clang_storage_class_specifiers", "void f(register int n);\n", "storage-class"),
)


def codes(text: str) -> set[str]:
    return {each.code for each in compute_diagnostics(analyse(text, "CL1.2"))}


@pytest.mark.parametrize(("extension", "text", "code"), CASES)
def test_a_pragma_allows_from_where_it_stands(extension: str, text: str, code: str) -> None:
    pragma = f"#pragma OPENCL EXTENSION {extension} : "
    assert codes(text) == {code}
    assert codes(f"{pragma}enable\n{text}") == set()
    assert codes(f"{text}{pragma}enable\n") == {code}
    assert codes(f"{pragma}enable\n{pragma}disable\n{text}") == {code}
    # A header that is not read may contain further pragmas, but none is known that disables the extension.
    missing = '#include "missing.h"\n'
    assert codes(f"{missing}{text}") - {"include-not-found"} == {code}
    assert codes(f"{missing}{pragma}enable\n{text}") - {"include-not-found"} == set()
