"""The VS Code extension sends the host files to the server in which the server searches for kernels."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from openclsp.host_code.host_words import may_hold_kernel

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode" / "src" / "headers.ts"
EXPRESSION = re.compile(r"^const (\w+) = /(.+)/(i?);$", re.MULTILINE)

HOLDING = [
    '"kernel void k() {}"',
    '"__kernel\\n void k() {}"',
    '"__kernel\\tvoid k() {}"',
    '"kernel \\\n  void k() {}"',
    '"kernel \\\r\n  void k() {}"',
    '"kernel /* all */ void k() {}"',
    '"kernel // all"',
    '"kernel __attribute__((x)) void k() {}"',
    '"__kernel " "void k() {}"',
    "'kernel ' + 'void'",
    'f"kernel {result} k()"',
    '"kernel %s k()"',
    '"kernel $T k()"',
    '"kernel <T> k()"',
    "STRING(kernel VOID k() {})",
    '"kernel static void k() {}"',
    "a kernel; void f(__global int *p);",
    "ElementwiseKernel(context, 'int *x', 'x[i] = 1')",
    "MyReductionKernel (a)",
    "RawKernel(a)",
    "GenericScanKernel(a)",
    '#include "add.cl"',
    '# include "kernels/add.ocl"',
    '#include "add.opencl"',
    '// OpenCL\nauto text = /* opencl */ R"(int f();)";',
    "# OpenCL\ntext = '# opencl'",
    "OpenCL, language=opencl",
    "OpenCL, language = OpenCL",
]
NOT_HOLDING = [
    "",
    "int main() {}",
    "kernel.void",
    "the kernel runs",
    "void f(__global int *p);",
    "__globals(); kernel();",
    '#include "add.clang"',
    "#include <add.cl>",
    "/* opencl */",
    "OpenCL is a language",
    "MyKernel(a)",
]


def extension_searches(text: str) -> bool:
    """The answer of `mayHoldKernel` in the extension, with its regular expressions."""
    source = EXTENSION.read_text()
    kernel, included, mark = (
        re.compile(pattern, re.IGNORECASE if flag else 0)
        for name, pattern, flag in EXPRESSION.findall(source)
        if name in ("KERNEL", "INCLUDED_KERNEL", "LANGUAGE_MARK")
    )
    if "ernel" in text and kernel.search(text):
        return True
    return bool(included.search(text) or ("OpenCL" in text and mark.search(text)))


@pytest.mark.parametrize("text", HOLDING)
def test_both_search_the_text(text: str) -> None:
    assert may_hold_kernel(text.encode())
    assert extension_searches(text)


@pytest.mark.parametrize("text", NOT_HOLDING)
def test_neither_searches_the_text(text: str) -> None:
    assert not may_hold_kernel(text.encode())
    assert not extension_searches(text)
