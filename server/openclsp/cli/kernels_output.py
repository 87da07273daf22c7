"""Output of `check --kernels`: the device resources that each kernel needs, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.cli.check_report import KernelReport
from openclsp.cli.excerpt import printable
from openclsp.cli.json_output import Json, range_json
from openclsp.cli.styled_text import StyledLine
from openclsp.ide.kernels.kernel_limits import CONSTANT_ARGUMENTS, find_limit
from openclsp.ide.kernels.kernel_memory import (
    KernelMemory,
    MemoryObjects,
    total_known_bytes,
    variables_of_unknown_size,
)
from openclsp.ide.kernels.kernel_text import format_arguments, format_constant_memory, format_local_memory
from openclsp.semantics.memory.memory_uses import MemoryObject

_DIM = "bright_black"
_EXCEEDED = "bold yellow"


def kernels_text(reports: Sequence[KernelReport]) -> Iterator[StyledLine]:
    """Yields the text output: for each kernel its memory by address space, its variables and functions."""
    for report in reports:
        memory = report.summary.memory
        yield [
            (f"{printable(report.location.start_label)}", "bold"),
            (": kernel ", ""),
            (printable(memory.name), "bold"),
            (f" ({printable(', '.join(report.builds))})", _DIM),
        ]
        yield _kernel_line("arguments", format_arguments(memory))
        yield _kernel_line("local", format_local_memory(memory, report.summary.local_sizes))
        yield from _objects(memory.local)
        yield _kernel_line("constant", format_constant_memory(memory, report.summary.limits))
        yield from _objects(memory.constant)
        if memory.unknown_space:
            yield _kernel_line("unknown", "variables whose address space is unknown")
            yield from _objects(memory.unknown_space)
        yield _kernel_line("functions", ", ".join(memory.functions) if memory.functions else "no others")
        if memory.functions_without_body:
            yield _kernel_line(
                "not seen",
                f"{', '.join(memory.functions_without_body)}: the kernel may use more than is shown",
            )
        for passed in report.summary.exceeded_limits:
            yield _kernel_line("limit", passed.message, _EXCEEDED)
        yield []


def _kernel_line(title: str, text: str, style: str = "") -> StyledLine:
    return [(f"  {title:<10}", style or "cyan"), (printable(text), style)]


def _objects(objects: MemoryObjects) -> Iterator[StyledLine]:
    sizes = [f"{each.layout.size:,}" if each.layout is not None else "?" for _, each in objects]
    width = max(map(len, sizes), default=0)
    for size, (function, each) in zip(sizes, objects, strict=True):
        where = f", in {function}" if function else ""
        why = f": {each.why}" if each.why else ""
        yield [(f"            {size:>{width}}  ", _DIM), (printable(f"{each.name}{where}{why}"), "")]


def kernels_json(reports: Sequence[KernelReport]) -> dict[str, Json]:
    """Returns the JSON output; sizes are in bytes, or null if unknown."""
    return {"kernels": [_kernel(report) for report in reports]}


def _kernel(report: KernelReport) -> Json:
    summary, memory = report.summary, report.summary.memory
    limit = find_limit(summary.limits, CONSTANT_ARGUMENTS)
    return {
        "name": memory.name,
        "path": report.location.path,
        "range": range_json(report.location),
        "builds": list(report.builds),
        "spaces": [space.word for space in memory.spaces],
        "arguments": [
            {
                "name": each.name,
                "declaration": each.declaration,
                "spaces": [space.word for space in each.spaces],
                "bytes": each.size,
            }
            for each in memory.arguments
        ],
        "local": {
            **_memory(memory.local, memory),
            "givenByHost": [each.name for each in memory.local_arguments],
            "givenBytes": [
                {
                    "name": memory.arguments[each.index].name,
                    "bytes": list(each.sizes),
                    "complete": not each.has_computed,
                }
                for each in summary.local_sizes
            ],
        },
        "constant": _memory(memory.constant, memory),
        "unknown": [_object(*each) for each in memory.unknown_space],
        "constantArguments": {
            "arguments": len(memory.constant_arguments),
            "variables": len(memory.constant),
            "count": memory.constants,
            "limit": limit.value,
            "limitGiven": limit.is_configured,
        },
        "functions": list(memory.functions),
        "notSeen": list(memory.functions_without_body),
        "passed": [
            {
                "limit": each.limit.name,
                "value": each.limit.value,
                "given": each.limit.is_configured,
                "needed": each.needed,
                "message": each.message,
            }
            for each in summary.exceeded_limits
        ],
    }


def _memory(objects: MemoryObjects, memory: KernelMemory) -> dict[str, Json]:
    return {
        "bytes": total_known_bytes(objects),
        "complete": memory.is_complete and not variables_of_unknown_size(objects),
        "variables": [_object(*each) for each in objects],
    }


def _object(function: str, each: MemoryObject) -> Json:
    return {
        "name": each.name,
        "function": function or None,
        "bytes": None if each.layout is None else each.layout.size,
        "why": each.why or None,
    }
