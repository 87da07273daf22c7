"""Reads how many bytes of local memory the calls of a host file pass to kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from openclsp.host_code.kernel_calls.kernel_uses import (
    ArgumentList,
    ArgumentSet,
    HostSpan,
    KernelUse,
    KernelUses,
    ListForm,
    PassedKind,
    PassedValue,
)
from openclsp.ide.feature_results import Location
from openclsp.ide.host_contract.kernel_signature import KernelSignature, ParameterKind
from openclsp.ide.kernels.local_arguments import LocalArgument
from openclsp.source.document import DocumentName

FindDefinitions = Callable[[str], Sequence[KernelSignature]]
"""Returns the kernels that a name may refer to; none if there may be others"""


def find_local_arguments(
    host: DocumentName, uses: KernelUses, definitions: FindDefinitions
) -> Iterator[tuple[DocumentName, LocalArgument]]:
    """Yields the sizes that the calls of a host file pass for pointers to local memory.

    Each size is paired with the document of the kernel.
    """
    for use in uses.uses:
        for index, value, span in _given(use):
            if value.kind not in (PassedKind.LOCAL, PassedKind.UNKNOWN):
                continue
            for kernel in definitions(use.kernel.name):
                parameters = kernel.parameters or ()
                if 0 <= index < len(parameters) and parameters[index].kind is ParameterKind.LOCAL:
                    size = value.size if value.kind is PassedKind.LOCAL else None
                    found = LocalArgument(kernel.name, index, size, Location(host, *span))
                    yield kernel.location.document, found


def _given(use: KernelUse) -> Iterator[tuple[int, PassedValue, HostSpan]]:
    """Yields the index, the value and the host range of each argument that a call sets."""
    if isinstance(use, ArgumentSet):
        if use.index is not None:
            yield use.index, use.value, use.value_span
    elif isinstance(use, ArgumentList) and use.form in (ListForm.CALL, ListForm.SET_ALL):
        for index, each in enumerate(use.arguments):
            yield index, each.value, each.span
