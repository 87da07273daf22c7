"""Input without an end, in the editor: explained, with the rest analysed before and after an edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Start

REST = "kernel void rest(global int *p) { local int *q = ⟪p⟫; }\n"
DOUBLING = "#define A0 x x\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 41))


@pytest.mark.parametrize(
    ("before", "code"),
    [
        ('#include "a.h"\n', "include-too-deep"),
        ('#include "kernel.cl"\n', "include-too-deep"),
        ('#include "/etc/hostname"\n', "include-not-found"),
        (f"{DOUBLING}void f() {{ A40; }}\n", "expansion-too-large"),
    ],
)
async def test_the_rest_is_answered(start: Start, tmp_path: Path, before: str, code: str) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n')
    editor = await start()
    buffer = await editor.open_kernel(before + REST)
    codes = [each.code for each in await buffer.diagnostics()]
    assert code in codes and "pointer-conversion" in codes
    assert "global int *" in await buffer.hover_text(buffer.spans[0][0])
    buffer.replace("local int", "global int")
    assert [each.code for each in await buffer.diagnostics()] == [code]
