"""Formats kernel summaries for the terminal, and for the code lens above a kernel."""

from __future__ import annotations

from openclsp.ide.kernels.kernel_limits import CONSTANT_ARGUMENTS, DeviceLimit, find_limit
from openclsp.ide.kernels.kernel_memory import (
    KernelMemory,
    MemoryObjects,
    total_known_bytes,
    variables_of_unknown_size,
)
from openclsp.ide.kernels.kernel_summary import KernelSummary
from openclsp.ide.kernels.local_arguments import LocalArgumentSize, format_sizes

NO_MEMORY = "no local memory"
"""The title of the code lens about a kernel's memory if there is nothing to list."""


def format_lens_title(summary: KernelSummary) -> str:
    """Formats the title of a single code lens about both the arguments and the memory of a kernel."""
    return " | ".join(filter(None, (format_arguments_title(summary), format_memory_title(summary))))


def format_arguments_title(summary: KernelSummary) -> str:
    """Formats the title of the code lens about a kernel's arguments: their address spaces."""
    return f"arguments: {_spaces(summary.memory)}"


def format_memory_title(summary: KernelSummary) -> str:
    """Formats the title of the code lens about a kernel's memory.

    It lists local memory, constant memory, functions, and exceeded limits. Empty if there is none of these.
    """
    memory = summary.memory
    constant = ""
    if memory.constants:
        limit = find_limit(summary.limits, CONSTANT_ARGUMENTS)
        constant = f"constant: {_bytes(memory.constant, memory)}, {memory.constants} of {limit.value}"
    parts = [
        f"local: {_local(memory, summary.local_sizes)}" if memory.local or memory.local_arguments else "",
        constant,
        _format_count(len(memory.functions), "function") if memory.functions else "",
        f"not seen: {', '.join(memory.functions_without_body)}" if memory.functions_without_body else "",
        *(
            f"\N{WARNING SIGN} {each.limit.name}: {each.needed:,} > {each.limit.value:,}"
            for each in summary.exceeded_limits
        ),
    ]
    return " | ".join(filter(None, parts))


def format_kernel_summary(summary: KernelSummary) -> str:
    """Formats the whole summary, one line for each part: `kernel k`, `arguments: …`, `local: …` and so on."""
    memory = summary.memory
    local, constant = _format_objects(memory.local), _format_objects(memory.constant)
    lines = [
        f"kernel {memory.name}",
        f"arguments: {format_arguments(memory)}",
        f"local: {format_local_memory(memory, summary.local_sizes)}{local}",
        f"constant: {format_constant_memory(memory, summary.limits)}{constant}",
        f"in an unknown address space{_format_objects(memory.unknown_space)}" if memory.unknown_space else "",
        f"functions: {', '.join(memory.functions) or 'no others'}",
        f"not seen: {', '.join(memory.functions_without_body)}: the kernel may use more than is shown"
        if memory.functions_without_body
        else "",
        *(f"limit: {each.message}" for each in summary.exceeded_limits),
    ]
    return "\n".join(filter(None, lines))


def _format_objects(objects: MemoryObjects) -> str:
    """Formats variables with their sizes, for example ` (a 16, b in f 4)`; empty if there are none."""
    each = ", ".join(
        f"{found.name}{f' in {function}' if function else ''}"
        + (f" {found.layout.size:,}" if found.layout is not None else f": {found.why}")
        for function, found in objects
    )
    return f" ({each})" if each else ""


def format_arguments(memory: KernelMemory) -> str:
    """Formats the address spaces and the size of the arguments, for example `global, local; 24 bytes`."""
    if not memory.arguments:
        return "none"
    least = "" if all(each.size is not None for each in memory.arguments) else "at least "
    return f"{_spaces(memory)}; {least}{_format_count(memory.argument_bytes, 'byte')}"


def format_local_memory(memory: KernelMemory, sizes: tuple[LocalArgumentSize, ...] = ()) -> str:
    """Formats local memory, for example `64 bytes, plus the size that the host sets for tile`.

    `sizes` are the sizes that host code is known to set. With them, the text is, for example, `64 bytes, plus
    512 bytes that the host sets for tile`.
    """
    if not (memory.local or memory.local_arguments) and memory.is_complete:
        return "none"
    return _local(memory, sizes)


def format_constant_memory(memory: KernelMemory, limits: tuple[DeviceLimit, ...]) -> str:
    """Formats constant memory and the number of constant arguments that it may count as.

    For example, `16 bytes; 1 argument and 2 variables, which may count as 3 constant arguments (every device
    has 8)`.
    """
    if not memory.constants and memory.is_complete:
        return "none"
    limit = find_limit(limits, CONSTANT_ARGUMENTS)
    arguments, variables = len(memory.constant_arguments), len(memory.constant)
    whose = "the device" if limit.is_configured else "every device"
    return (
        f"{_bytes(memory.constant, memory)}; {_format_count(arguments, 'argument')} and {_format_count(variables, 'variable')}, "
        f"which may count as {_format_count(memory.constants, 'constant argument')} ({whose} has {limit.value})"
    )


def _spaces(memory: KernelMemory) -> str:
    return ", ".join(space.word for space in memory.spaces) or "no pointers"


def _local(memory: KernelMemory, sizes: tuple[LocalArgumentSize, ...]) -> str:
    by_index = {each.index: each for each in sizes}
    unknown: list[str] = []
    given: list[str] = []
    for index, argument in enumerate(memory.arguments):
        if argument not in memory.local_arguments:
            continue
        name = argument.name or "an argument"
        size = by_index.get(index)
        if size is None:
            unknown.append(name)
        else:
            given.append(f"{format_sizes(size)} that the host sets for {name}")
    if unknown:
        given.append(f"the size that the host sets for {', '.join(unknown)}")
    own = [] if not memory.local and memory.is_complete else [_bytes(memory.local, memory)]
    return ", plus ".join((*own, *given))


def _bytes(objects: MemoryObjects, memory: KernelMemory) -> str:
    least = "" if memory.is_complete and not variables_of_unknown_size(objects) else "at least "
    known = total_known_bytes(objects)
    gaps = known - sum(each.layout.size for _, each in objects if each.layout is not None)
    return f"{least}{_format_count(known, 'byte')}" + (f" ({gaps:,} of them for alignment)" if gaps else "")


def _format_count(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")
