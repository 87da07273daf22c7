"""Output of `check --kernels`: the device resources that each kernel needs, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.cli.check_text import Line
from openclsp.cli.excerpt import printable
from openclsp.cli.json_output import Json, range_json
from openclsp.cli.report import KernelReport
from openclsp.ide.kernel_limits import CONSTANT_ARGUMENTS, limit_named
from openclsp.ide.kernel_memory import KernelMemory, MemoryObjects, known_bytes, unknown_sizes
from openclsp.ide.kernel_words import arguments_words, constant_words, local_words
from openclsp.semantics.memory_uses import MemoryObject

_DIM = "bright_black"
_PASSED = "bold yellow"


def kernels_text(reports: Sequence[KernelReport]) -> Iterator[Line]:
    """The text output: for each kernel its memory by address space, its variables and functions."""
    for report in reports:
        memory = report.summary.memory
        yield [
            (f"{printable(report.spot.start_label)}", "bold"),
            (": kernel ", ""),
            (printable(memory.name), "bold"),
            (f" ({printable(', '.join(report.builds))})", _DIM),
        ]
        yield _row("arguments", arguments_words(memory))
        yield _row("local", local_words(memory))
        yield from _objects(memory.local)
        yield _row("constant", constant_words(memory, report.summary.limits))
        yield from _objects(memory.constant)
        if memory.uncertain:
            yield _row("unknown", "variables whose address space is unknown")
            yield from _objects(memory.uncertain)
        yield _row("functions", ", ".join(memory.functions) if memory.functions else "no others")
        if memory.unseen:
            yield _row("not seen", f"{', '.join(memory.unseen)}: the kernel may use more than is shown")
        for passed in report.summary.passed:
            yield _row("limit", passed.message, _PASSED)
        yield []


def _row(title: str, text: str, style: str = "") -> Line:
    return [(f"  {title:<10}", style or "cyan"), (printable(text), style)]


def _objects(objects: MemoryObjects) -> Iterator[Line]:
    sizes = [f"{each.layout.size:,}" if each.layout is not None else "?" for _, each in objects]
    width = max(map(len, sizes), default=0)
    for size, (function, each) in zip(sizes, objects, strict=True):
        where = f", in {function}" if function else ""
        why = f": {each.why}" if each.why else ""
        yield [(f"            {size:>{width}}  ", _DIM), (printable(f"{each.name}{where}{why}"), "")]


def kernels_json(reports: Sequence[KernelReport]) -> dict[str, Json]:
    """The JSON output; sizes are in bytes, null if unknown."""
    return {"kernels": [_kernel(report) for report in reports]}


def _kernel(report: KernelReport) -> Json:
    summary, memory = report.summary, report.summary.memory
    limit = limit_named(summary.limits, CONSTANT_ARGUMENTS)
    return {
        "name": memory.name,
        "path": report.spot.path,
        "range": range_json(report.spot),
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
        },
        "constant": _memory(memory.constant, memory),
        "unknown": [_object(*each) for each in memory.uncertain],
        "constantArguments": {
            "arguments": len(memory.constant_arguments),
            "variables": len(memory.constant),
            "count": memory.constants,
            "limit": limit.value,
            "limitGiven": limit.given,
        },
        "functions": list(memory.functions),
        "notSeen": list(memory.unseen),
        "passed": [
            {
                "limit": each.limit.name,
                "value": each.limit.value,
                "given": each.limit.given,
                "needed": each.needed,
                "message": each.message,
            }
            for each in summary.passed
        ],
    }


def _memory(objects: MemoryObjects, memory: KernelMemory) -> dict[str, Json]:
    return {
        "bytes": known_bytes(objects),
        "complete": memory.is_complete and not unknown_sizes(objects),
        "variables": [_object(*each) for each in objects],
    }


def _object(function: str, each: MemoryObject) -> Json:
    return {
        "name": each.name,
        "function": function or None,
        "bytes": None if each.layout is None else each.layout.size,
        "why": each.why or None,
    }
