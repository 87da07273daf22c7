"""The look over a large project: the first answers come before it, and the client is told of it."""

from __future__ import annotations

import time
from pathlib import Path

from lsprotocol import types

from .conftest import Start

KERNEL = "kernel void k(global int *g) {\n    local int *p = ⟪g⟫;\n}\n"

HOST = """#include <CL/cl.h>
static cl_program build_{number}(cl_context context, cl_device_id device, int wide) {{
    const char *name = "kernel_{number}.cl";
    cl_program program = load(context, name);
    char options[200];
    sprintf(options, "-cl-std=CL1.2 -DWIDTH_{number}=%d -I include", wide);
    clBuildProgram(program, 1, &device, options, NULL, NULL);
    return program;
}}
"""


def _project(folder: Path) -> None:
    """Host code that takes seconds to read."""
    (folder / ".git").mkdir()
    for number in range(1500):
        (folder / f"host_{number}.c").write_text(HOST.format(number=number) * 3)
        (folder / f"kernel_{number}.cl").write_text("kernel void k(global int *p) {}\n")


async def test_a_long_look_over_the_project_is_told(start: Start, tmp_path: Path) -> None:
    _project(tmp_path)
    editor = await start(progress=True, own=True)
    kernel = await editor.open_kernel(KERNEL)
    found = await kernel.diagnostics()
    assert [each.code for each in found] == ["pointer-conversion"]
    reports = editor.client.progress_reports
    kinds = [type(each) for told in reports.values() for each in told]
    assert types.WorkDoneProgressEnd not in kinds, "the first diagnostics came after the look"
    end = time.monotonic() + 60
    while types.WorkDoneProgressEnd not in kinds and time.monotonic() < end:
        # what the person asks for goes before it
        assert await kernel.hover(kernel.text.index("g)")) is not None
        kinds = [type(each) for told in reports.values() for each in told]
    assert kinds[0] is types.WorkDoneProgressBegin
    assert kinds[-1] is types.WorkDoneProgressEnd
    ((begin, *_),) = reports.values()
    assert begin.title == "openclsp: looking over the project"


async def test_a_client_that_cannot_show_it_hears_nothing(start: Start, tmp_path: Path) -> None:
    _project(tmp_path)
    editor = await start(own=True)
    kernel = await editor.open_kernel(KERNEL)
    await kernel.diagnostics()
    end = time.monotonic() + 3
    while time.monotonic() < end:
        assert await kernel.hover(kernel.text.index("g)")) is not None
    assert not editor.client.progress_reports
