"""Finds the kernels that a host file names and the calls that use them, in any host language."""

from __future__ import annotations

from openclsp.host_code.host_language import STRING_ONLY_LANGUAGES, HostLanguage
from openclsp.host_code.host_tree import parse_host_file
from openclsp.host_code.host_words import MAXIMUM_HOST_BYTES, may_use_kernel
from openclsp.host_code.inactive_code import blank_inactive_code
from openclsp.host_code.kernel_calls.c_kernel_uses import find_c_kernel_uses
from openclsp.host_code.kernel_calls.kernel_uses import NO_KERNEL_USES, HostSpan, KernelUses
from openclsp.host_code.kernel_calls.python_kernel_uses import find_python_kernel_uses
from openclsp.host_code.notebook_cells import read_notebook_code
from openclsp.host_code.stringifying_macros import blank_stringified, find_stringified


def find_kernel_uses(data: bytes, language: HostLanguage) -> KernelUses:
    """Finds the kernels that a host file names, and the calls that set their arguments or enqueue them.

    A file without the words of such calls is not parsed.
    """
    if language in STRING_ONLY_LANGUAGES or not may_use_kernel(data) or len(data) > MAXIMUM_HOST_BYTES:
        return NO_KERNEL_USES
    if language is HostLanguage.NOTEBOOK:
        code = read_notebook_code(data)
        tree = parse_host_file(code.text.data, HostLanguage.PYTHON)
        return find_python_kernel_uses(tree, code.kernels).placed(
            lambda span: HostSpan(*code.text.host_range(span.start, span.end))
        )
    if language is HostLanguage.PYTHON:
        return find_python_kernel_uses(parse_host_file(data, language))
    if language is HostLanguage.C and b'R"' in data:
        # Raw strings are an extension of GNU C.
        language = HostLanguage.CPP
    data = blank_inactive_code(data)
    stringified = tuple(find_stringified(data))
    return find_c_kernel_uses(parse_host_file(blank_stringified(data, stringified), language))
