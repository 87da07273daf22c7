"""Kernels within raw strings and templates in the editor: positions, fixes and edits refer to the file."""

from __future__ import annotations

from .conftest import Start

RAW = """\
// größe: for #include
R"(
kernel void k(global int *p) {
    /* ß */ local int *q = ⟪p⟫;
}
)" // the end
"""
TEMPLATE = """\
% if wide:
#define N 4
% endif
kernel void k(global ⟪${T}⟫ *p) {
    /* ß ${größe} */ local ${T} *q = ⟪p⟫;
    p[0] = ${value};
}
"""


async def test_a_raw_string(start: Start, pulls: bool) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel(RAW, "k.opencl")
    (error,) = await buffer.diagnostics()
    assert (error.code, buffer.covered(error.range)) == ("pointer-conversion", "p")
    assert "global int *" in await buffer.hover_text(buffer.spans[0][0])
    action = next(each for each in await buffer.actions(buffer.spans[0]) if each.is_preferred)
    assert buffer.after(action) == buffer.text.replace("local int", "global int")
    buffer.replace(')" // the end', 'int f() { return 1; }\n)"')
    assert await buffer.errors() == [("pointer-conversion", "p")]
    # What is more than a raw string is no kernel any more, and becomes one again.
    buffer.replace('R"(', '+ R"(')
    assert [each.code for each in await buffer.diagnostics()] != ["pointer-conversion"]
    buffer.replace('+ R"(', 'R"(')
    assert await buffer.errors() == [("pointer-conversion", "p")]


async def test_a_template(start: Start, pulls: bool) -> None:
    editor = await start(pulls=pulls)
    buffer = await editor.open_kernel(TEMPLATE)
    hint, error = await buffer.diagnostics()
    assert (hint.code, buffer.covered(hint.range)) == ("template", "% if wide:")
    assert (error.code, buffer.covered(error.range)) == ("pointer-conversion", "p")
    action = next(each for each in await buffer.actions(buffer.spans[1]) if each.is_preferred)
    assert buffer.after(action) == buffer.text.replace("local ${T}", "global ${T}")
    buffer.replace("local ${T}", "global ${T}")
    assert [each.code for each in await buffer.diagnostics()] == ["template"]
