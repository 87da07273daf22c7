"""Formats kernel summaries for the terminal, and for the code lens above a kernel."""

from __future__ import annotations

from openclsp.ide.kernel_limits import CONSTANT_ARGUMENTS, Limit, limit_named
from openclsp.ide.kernel_memory import KernelMemory, MemoryObjects, known_bytes, unknown_sizes
from openclsp.ide.kernel_summary import KernelSummary


def lens_title(summary: KernelSummary) -> str:
    """Formats the title of the code lens.

    It lists the address spaces of the arguments, local memory, constant memory, functions, and exceeded
    limits.
    """
    memory = summary.memory
    constant = ""
    if memory.constants:
        limit = limit_named(summary.limits, CONSTANT_ARGUMENTS)
        constant = f"constant: {_bytes(memory.constant, memory)}, {memory.constants} of {limit.value}"
    parts = [
        f"arguments: {_spaces(memory)}",
        f"local: {_local(memory)}" if memory.local or memory.local_arguments else "",
        constant,
        _counted(len(memory.functions), "function") if memory.functions else "",
        f"not seen: {', '.join(memory.unseen)}" if memory.unseen else "",
        *(
            f"\N{WARNING SIGN} {each.limit.name}: {each.needed:,} > {each.limit.value:,}"
            for each in summary.passed
        ),
    ]
    return " | ".join(filter(None, parts))


def told(summary: KernelSummary) -> str:
    """Formats the whole summary, one line for each part: `kernel k`, `arguments: …`, `local: …` …"""
    memory = summary.memory
    local, constant = _listed(memory.local), _listed(memory.constant)
    lines = [
        f"kernel {memory.name}",
        f"arguments: {arguments_words(memory)}",
        f"local: {local_words(memory)}{local}",
        f"constant: {constant_words(memory, summary.limits)}{constant}",
        f"in an unknown address space{_listed(memory.uncertain)}" if memory.uncertain else "",
        f"functions: {', '.join(memory.functions) or 'no others'}",
        f"not seen: {', '.join(memory.unseen)}: the kernel may use more than is shown"
        if memory.unseen
        else "",
        *(f"limit: {each.message}" for each in summary.passed),
    ]
    return "\n".join(filter(None, lines))


def _listed(objects: MemoryObjects) -> str:
    """Lists variables with their sizes: ` (a 16, b in f 4, c: `N` is not known here)`."""
    each = ", ".join(
        f"{found.name}{f' in {function}' if function else ''}"
        + (f" {found.layout.size:,}" if found.layout is not None else f": {found.why}")
        for function, found in objects
    )
    return f" ({each})" if each else ""


def arguments_words(memory: KernelMemory) -> str:
    """Formats the arguments: `global, local; 24 bytes`."""
    if not memory.arguments:
        return "none"
    least = "" if all(each.size is not None for each in memory.arguments) else "at least "
    return f"{_spaces(memory)}; {least}{_counted(memory.argument_bytes, 'byte')}"


def local_words(memory: KernelMemory) -> str:
    """Formats local memory: `at least 64 bytes, plus the size that the host sets for tile`."""
    if not (memory.local or memory.local_arguments) and memory.is_complete:
        return "none"
    return _local(memory)


def constant_words(memory: KernelMemory, limits: tuple[Limit, ...]) -> str:
    """Formats constant memory and the number of constant arguments that it may count as.

    For example, `16 bytes; 1 argument and 2 variables, which may count as 3 constant arguments (every device
    has 8)`.
    """
    if not memory.constants and memory.is_complete:
        return "none"
    limit = limit_named(limits, CONSTANT_ARGUMENTS)
    arguments, variables = len(memory.constant_arguments), len(memory.constant)
    whose = "the device" if limit.given else "every device"
    return (
        f"{_bytes(memory.constant, memory)}; {_counted(arguments, 'argument')} and {_counted(variables, 'variable')}, "
        f"which may count as {_counted(memory.constants, 'constant argument')} ({whose} has {limit.value})"
    )


def _spaces(memory: KernelMemory) -> str:
    return ", ".join(space.word for space in memory.spaces) or "no pointers"


def _local(memory: KernelMemory) -> str:
    names = ", ".join(each.name or "an argument" for each in memory.local_arguments)
    given = f"the size that the host sets for {names}" if names else ""
    if not memory.local and memory.is_complete:
        return given
    return ", plus ".join(filter(None, (_bytes(memory.local, memory), given)))


def _bytes(objects: MemoryObjects, memory: KernelMemory) -> str:
    least = "" if memory.is_complete and not unknown_sizes(objects) else "at least "
    known = known_bytes(objects)
    gaps = known - sum(each.layout.size for _, each in objects if each.layout is not None)
    return f"{least}{_counted(known, 'byte')}" + (f" ({gaps:,} of them for alignment)" if gaps else "")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")
