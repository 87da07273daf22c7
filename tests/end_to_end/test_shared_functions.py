"""A helper in a header is told what all kernels of the project pass to it, closed ones too."""

from __future__ import annotations

from pathlib import Path

from .conftest import Start

HEADER = "// OpenCL C 2.0\nint load(int *⟪p⟫) { return *p; }\n"
FIRST = '#include "load.h"\nkernel void a(global int *g) { g[0] = load(g); }\n'
SECOND = '#include "load.h"\nkernel void b(local int *l) { l[0] = load(l); }\n'


async def test_closed_kernels_count(start: Start, tmp_path: Path) -> None:
    (tmp_path / "compile_flags.txt").write_text("-cl-std=CL2.0\n")
    (tmp_path / "load.h").write_text(HEADER.replace("⟪", "").replace("⟫", ""))
    (tmp_path / "a.cl").write_text(FIRST)
    (tmp_path / "b.cl").write_text(SECOND)
    editor = await start()
    header = await editor.open_kernel(HEADER, "load.h")
    await header.comes_to_show(lambda shown: [each.code for each in shown], ["several-spaces"])
    told = await header.hover_text(header.spans[0][0])
    assert "holds {global, local}" in told
    assert "global from `a`" in told and "local from `b`" in told
