"""Explains why a file is not considered to be OpenCL C."""

from __future__ import annotations

import os.path
from collections.abc import Sequence

from openclsp.host_code.host_language import host_language_of_file
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_hold_kernel
from openclsp.host_code.kernels_outside_strings import defines_kernel_outside_strings
from openclsp.project.project_scan import ScannedFileKind, classify_file_name
from openclsp.source.host_strings import has_opencl_word

HOST_STRINGS = "is host code with kernels in strings, not OpenCL C"
_HOW_TO_CHECK = "to check them, name them and give --language opencl"
_LIKE_HOST_CODE = (
    "defines kernels, but its name is that of host code (to check it, name it and give --language opencl)"
)
_LISTED_PATHS = 3


def is_host_code(path: str, data: bytes) -> bool:
    """Whether the ending of a file's name is that of host code.

    A header is host code only if it contains no word that only OpenCL C uses.
    """
    if host_language_of_file(path) is None:
        return False
    header = classify_file_name(os.path.basename(path)) is ScannedFileKind.HEADER
    return not (header and has_opencl_word(data))


def explain_host_name(paths: Sequence[str]) -> str:
    """Returns a sentence about files that define kernels although their names are those of host code."""
    listed = ", ".join(paths[:_LISTED_PATHS])
    if len(paths) > _LISTED_PATHS:
        listed += f" and {len(paths) - _LISTED_PATHS} more"
    if len(paths) == 1:
        return f"{listed} {_LIKE_HOST_CODE}"
    return f"{len(paths)} files define kernels, but their names are those of host code: {listed} ({_HOW_TO_CHECK})"


def explain_no_kernel(path: str, data: bytes) -> str:
    """Returns the end of a sentence "FILE …" about host code without any kernel in its strings."""
    if defines_kernel_outside_strings(data, host_language_of_file(path)):
        return _LIKE_HOST_CODE
    if len(data) > MAXIMUM_HOST_BYTES and may_hold_kernel(data):
        return f"is larger than {MAXIMUM_HOST_BYTES // (1024 * 1024)} MB, so its strings are not searched"
    if b"\0" in data and may_hold_kernel(data):
        return "is binary, so its strings are not searched"
    return "holds no kernel in its strings"


def explain_not_opencl(path: str) -> str:
    """Returns the end of a sentence "FILE …": why the file's name does not identify it as OpenCL C.

    Must be called only for files that no kernel includes.
    """
    kind = classify_file_name(os.path.basename(path))
    if kind is ScannedFileKind.HEADER:
        return "is a header that no kernel of its project includes (use --language opencl to check it alone)"
    if kind is not None:
        return f"is {kind.value}, not OpenCL C"
    return (
        "does not have a file ending of OpenCL C "
        "(use --language opencl, or add the ending to 'file-endings' in openclsp.toml)"
    )
