"""Why a file is taken for another language than OpenCL C."""

from __future__ import annotations

import os.path

from openclsp.workspace.scan import Kind, kind_of

HOST_STRINGS = "is host code that holds kernels in strings, not OpenCL C"


def not_opencl(path: str) -> str:
    """Continues the sentence "FILE …" for a file that neither its name nor a kernel's `#include` makes OpenCL C."""
    kind = kind_of(os.path.basename(path))
    if kind is Kind.HEADER:
        return "is a header that no kernel of its project includes (--language opencl checks it by itself)"
    if kind is not None:
        return f"is {kind.value}, not OpenCL C"
    return "does not have a file ending of OpenCL C (--language opencl checks it, as does 'file-endings' in openclsp.toml)"
