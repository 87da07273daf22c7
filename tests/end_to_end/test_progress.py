"""Scanning a large project: answers come before it ends, and the client is shown the progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .conftest import Start
from .plain_client import Message, publishes, started

KERNEL = "kernel void k(global int *g) {\n    local int *p = g;\n}\n"

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
    """Host code that takes one or two seconds to scan."""
    (folder / ".git").mkdir()
    for number in range(700):
        (folder / f"host_{number}.c").write_text(HOST.format(number=number) * 3)
        (folder / f"kernel_{number}.cl").write_text("kernel void k(global int *p) {}\n")


def test_a_long_scan_of_the_project_reports_progress(tmp_path: Path) -> None:
    _project(tmp_path)
    document = {"uri": (tmp_path / "kernel.cl").as_uri()}
    opened = {"textDocument": {**document, "languageId": "opencl", "version": 1, "text": KERNEL}}
    hovered = {"textDocument": document, "position": {"line": 0, "character": KERNEL.index("g)")}}

    with started(tmp_path, window={"workDoneProgress": True}) as client:
        client.send({"method": "textDocument/didOpen", "params": opened})
        client.until(publishes)
        assert client.published() == [(1, ["pointer-conversion"])]
        assert "end" not in _kinds(client.got), "the first diagnostics came after the look"
        while "end" not in _kinds(client.got):
            # The user's requests take precedence.
            assert client.ask("textDocument/hover", hovered) is not None

    assert _kinds(client.got)[0] == "begin"
    assert _kinds(client.got)[-1] == "end"
    (begin,) = (value for value in _values(client.got) if value["kind"] == "begin")
    assert begin["title"] == "openclsp: scanning the project"


async def test_a_client_that_cannot_show_it_hears_nothing(start: Start, tmp_path: Path) -> None:
    _project(tmp_path)
    editor = await start(own=True)
    kernel = await editor.open_kernel(
        "#ifdef WIDTH_7\n#define SPACE local\n#else\n#define SPACE global\n#endif\n"
        "kernel void k(global int *g) { SPACE int *p = ⟪g⟫; }\n",
        "kernel_7.cl",
    )
    assert await kernel.errors() == []
    # The options in the host code are known after the scan.
    await kernel.comes_to([("pointer-conversion", "g")])
    assert not editor.client.progress_reports


def _values(messages: list[Message]) -> list[Any]:
    """The progress notifications that the client received."""
    return [each["params"]["value"] for each in messages if each.get("method") == "$/progress"]


def _kinds(messages: list[Message]) -> list[str]:
    return [value["kind"] for value in _values(messages)]
