"""Determines which of the kernel files that a host function names are built by which of its calls."""

from __future__ import annotations

from typing import TypeAlias

from openclsp.host_options.build_calls import builds_program, looks_like_options
from openclsp.host_options.host_file_analysis import HostFile, resolve_nonlocal_values
from openclsp.host_options.host_functions import RecordedCall
from openclsp.host_options.kernel_names import KernelFileIndex
from openclsp.host_options.program_sources import HOST_STRING, sources_of_value
from openclsp.host_options.symbolic_text import PathCondition

NamedKernels: TypeAlias = "list[tuple[str, PathCondition]]"
"""The paths of kernel files, each with the condition under which the host uses it"""


def sources_of_recorded_call(file: HostFile, found: RecordedCall) -> frozenset[str]:
    """Returns the sources of the program that a call in a host file builds (see `program_sources.py`)."""
    call = found.call
    values = [
        resolve_nonlocal_values(value, file, found.function)
        for value in (call.receiver_value, *call.arguments, *call.keywords.values())
        if not looks_like_options(value)
    ]
    return frozenset[str]().union(*map(sources_of_value, values))


class BuiltFiles:
    """Maps the calls of host code to the kernel files from which they build programs.

    The sources of the values in a call determine these files (see `program_sources.py`).
    """

    def __init__(self, kernels: KernelFileIndex) -> None:
        self._kernels = kernels
        self._by_call: dict[RecordedCall, frozenset[str]] = {}

    def of_call(self, file: HostFile, found: RecordedCall) -> frozenset[str]:
        """Returns the kernel files from which a call in a host file builds a program."""
        paths = self._by_call.get(found)
        if paths is None:
            names = sources_of_recorded_call(file, found) - {HOST_STRING}
            each = [self._kernels.files_of_name(name, file.path) for name in names]
            paths = self._by_call[found] = frozenset[str]().union(*each)
        return paths

    def without_files_of_other_calls(
        self,
        named: NamedKernels,
        own: frozenset[str],
        file: HostFile,
        found: RecordedCall,
        function: str | None,
    ) -> NamedKernels:
        """Returns the kernel files that a function names, without those that its other calls build.

        `own` are the files that the call `found` certainly builds. If `function` is None, the whole host file counts.
        If no file would remain, all are returned, because the sources of this call's program are then unknown.
        """
        if len(named) < 2:
            return named
        others = frozenset[str]().union(
            *(
                self.of_call(file, each)
                for each in file.calls
                if each is not found
                and builds_program(each.call)
                and (function is None or each.function == function)
            )
        )
        return [(path, condition) for path, condition in named if path in own or path not in others] or named
