"""The language version detected from the text, during edits."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from .conftest import Start
from .editor import Buffer

KERNEL = """\
kernel void count(global int *values, global ⟪atomic_int⟫ *counter) {
    int *⟪any⟫ = values;
    atomic_fetch_add(counter, *any);
}
"""


OLDER = """\
kernel void sum(global int *values) {
    int *any = values;
    barrier(CLK_LOCAL_MEM_FENCE);
}
"""


async def _hover(buffer: Buffer) -> str:
    return await buffer.hover_text(buffer.text.index("any"))


async def test_it_is_detected_and_reported_with_its_evidence(start: Start, pulls: bool) -> None:
    buffer = await (await start(pulls=pulls)).open_kernel(KERNEL)
    assert await buffer.errors() == []
    told = await _hover(buffer)
    assert "generic int *private any" in told
    assert "OpenCL C 2.0, because `atomic_int` in line 1 requires OpenCL C 2.0 or later" in told


async def test_it_comes_and_goes_with_its_evidence(start: Start, pulls: bool) -> None:
    buffer = await (await start(pulls=pulls)).open_kernel(OLDER)
    assert await buffer.errors() == [("pointer-conversion", "values")]
    assert "OpenCL C 1.2, the default" in await _hover(buffer)
    buffer.replace("barrier(", "work_group_barrier(")
    assert await buffer.errors() == []
    assert "`work_group_barrier` in line 3" in await _hover(buffer)
    buffer.replace("work_group_barrier(", "barrier(")
    assert await buffer.errors() == [("pointer-conversion", "values")]
    assert "OpenCL C 1.2, the default" in await _hover(buffer)


async def test_typing_character_by_character(start: Start) -> None:
    buffer = await (await start()).open_kernel("kernel void k(global int *g) {\n    int *any = g;\n    \n}\n")
    at = buffer.text.index("    \n") + 4
    for number, character in enumerate("work_group_barrier(CLK_LOCAL_MEM_FENCE);"):
        buffer.change((at + number, at + number, character))
    assert await buffer.errors() == []
    assert "`work_group_barrier` in line 3" in await _hover(buffer)


async def test_the_evidence_is_reported_at_its_present_line(start: Start) -> None:
    buffer = await (await start()).open_kernel(KERNEL)
    assert "in line 1 requires" in await _hover(buffer)
    buffer.change((0, 0, "// a comment\n\n"))
    assert await buffer.errors() == []
    assert "in line 3 requires" in await _hover(buffer)


async def test_evidence_in_an_open_header(start: Start, tmp_path: Path) -> None:
    header = "inline void add(global int *counter) {}\n"
    (tmp_path / "add.h").write_text(header)
    editor = await start()
    included = await editor.open_kernel(header, "add.h")
    buffer = await editor.open_kernel('#include "add.h"\nkernel void k(global int *g) { int *any = g; }\n')
    assert await buffer.errors() == [("pointer-conversion", "g")]
    included.replace("global int", "global atomic_int")
    await buffer.comes_to([])
    assert "because `atomic_int` in line 1 of add.h requires" in await _hover(buffer)


async def test_an_untitled_document(start: Start) -> None:
    buffer = await (await start()).open("untitled:Untitled-1", KERNEL)
    assert await buffer.errors() == []
    assert "OpenCL C 2.0, because" in await _hover(buffer)


async def test_a_version_that_is_written_down_counts(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL3.0\n")
    buffer = await (await start()).open_kernel(KERNEL)
    assert "OpenCL C 3.0, from -cl-std=CL3.0 in compile_flags.txt" in await _hover(buffer)


async def test_a_kernel_that_mixes_versions(start: Start) -> None:
    buffer = await (await start()).open_kernel(
        "kernel void k(global atomic_int *a, global int *g) {\n"
        "    atom_inc(g);\n"
        "    local int *l = ⟪g⟫;\n"
        "    atomic_store_explicit(a, 1, memory_order_relaxed, memory_scope_all_devices);\n"
        "}\n"
    )
    assert await buffer.errors() == [("pointer-conversion", "g")]
    told = await buffer.hover_text(buffer.spans[0][0])
    assert "OpenCL C 3.0, because `memory_scope_all_devices` in line 4 requires" in told
    assert all(each.severity is not types.DiagnosticSeverity.Warning for each in await buffer.diagnostics())
