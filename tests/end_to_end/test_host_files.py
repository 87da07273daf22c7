"""Kernels in strings of open host files."""

from __future__ import annotations

from lsprotocol import types

from .conftest import Start
from .editor import Buffer

SOURCE = """#include <string>
const char *source =
  "// \\"quoted\\"\\n"
  "kernel void a(global int *⟪x⟫) {\\n"
  "  int *p = ⟪x⟫;\\n"
  "  p[0] = 1;\\n"
  "}\\n";
"""


async def opened(start: Start, pulls: bool) -> Buffer:
    editor = await start(pulls=pulls)
    return await editor.open((editor.folder / "host.cpp").as_uri(), SOURCE, "cpp")


async def test_diagnostics_and_fixes_are_placed_in_the_host_file(start, pulls):
    buffer = await opened(start, pulls)
    await buffer.comes_to([("pointer-conversion", "x")])
    action = next(each for each in await buffer.actions(buffer.spans[1]) if each.is_preferred)
    fixed = buffer.after(action)
    assert '"  global int *p = x;\\n"' in fixed
    buffer.change((0, 0, "// one line more\n"))
    await buffer.comes_to([("pointer-conversion", "x")])
    buffer.replace("int *p", "global int *p")
    await buffer.comes_to([])
    buffer.replace("= 1;", "= ;")
    await buffer.comes_to_show(lambda found: "syntax-error" in {each.code for each in found}, True)


async def test_no_fix_is_preferred_for_a_string_that_two_programs_share(start):
    editor = await start()
    text = """#define SHARED "void put(int *a) { *a = 1; }\\n"
const char *first = SHARED "kernel void a(global int *x) { put(⟪x⟫); }\\n";
const char *second = SHARED "kernel void b(global int *x) { int y; put(&y); x[0] = y; }\\n";
"""
    buffer = await editor.open((editor.folder / "host.cpp").as_uri(), text, "cpp")
    await buffer.comes_to([("pointer-conversion", "x")])
    found = await buffer.actions(buffer.spans[0])
    assert any("another program in host.cpp contains this text" in each.title for each in found)
    assert not any(each.is_preferred for each in found)


async def test_requests_about_a_place_in_a_string(start):
    buffer = await opened(start, pulls=False)
    _, used = buffer.spans
    assert "global int *private x" in await buffer.hover_text(used[0])
    client, document = buffer.editor.client, types.TextDocumentIdentifier(buffer.uri)
    where = types.Position(4, 14)
    (place,) = await client.text_document_definition_async(types.DefinitionParams(document, where))
    assert (place.uri, buffer.covered(place.range)) == (buffer.uri, "x")
    edit = await client.text_document_rename_async(types.RenameParams(document, where, "input"))
    assert sorted(buffer.covered(each.range) for each in edit.changes[buffer.uri]) == ["x", "x"]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert list(tokens.data[:3]) == [2, 3, len(SOURCE.splitlines()[2]) - 6]
    assert await client.text_document_hover_async(types.HoverParams(document, types.Position(0, 3))) is None
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert {each.range.start.line for each in lenses or ()} == {3}
    hints = await client.text_document_inlay_hint_async(
        types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(7, 0)))
    )
    assert all(2 <= each.position.line <= 6 for each in hints or ())
    buffer.replace("p[0] = 1", "get_loc")
    found = await client.text_document_completion_async(
        types.CompletionParams(document, types.Position(5, 10))
    )
    items = found.items if isinstance(found, types.CompletionList) else found
    assert "get_local_id" in {each.label for each in items}


CALLS = """void set(cl_program program, cl_mem x, cl_int n) {
  cl_kernel scale = clCreateKernel(program, "scale", 0);
  clSetKernelArg(scale, 0, ⟪sizeof(cl_int), &n⟫);
}
"""


async def test_calls_are_checked_against_the_kernels_of_the_project(start, pulls):
    editor = await start(pulls=pulls)
    kernel = editor.folder / "scale.cl"
    kernel.write_text("kernel void scale(global float *x, float factor) { }\n")
    buffer = await editor.open((editor.folder / "host.c").as_uri(), CALLS, "c")
    await buffer.comes_to([("host-argument-kind", "sizeof(cl_int), &n")])
    buffer.change((0, 0, "// one line more\n"))
    await buffer.comes_to([("host-argument-kind", "sizeof(cl_int), &n")])
    buffer.replace("sizeof(cl_int), &n", "sizeof(cl_mem), &x")
    await buffer.comes_to([])


async def test_a_python_file_that_holds_no_kernel_has_its_calls_checked(start):
    editor = await start(pulls=False)
    (editor.folder / "scale.cl").write_text("kernel void scale(global float *x, float factor) { }\n")
    text = "import pyopencl as cl\nprg = cl.Program(ctx, open('scale.cl').read()).build()\n"
    text += "⟪prg.scale(queue, (5,), None, 1.0)⟫\n"
    buffer = await editor.open((editor.folder / "host.py").as_uri(), text, "python")
    await buffer.comes_to([("host-argument-count", "prg.scale(queue, (5,), None, 1.0)")])


KERNEL = """kernel void scale(global float *⟪x⟫, local float *tile) {
  x[0] = ⟪tile⟫[0];
}
"""


async def test_a_file_of_kernels_shows_what_the_host_passes(start, pulls):
    editor = await start(pulls=pulls)
    host = CALLS.replace("⟪", "").replace("⟫", "").replace("}", "  clSetKernelArg(scale, 1, 640, NULL);\n}")
    (editor.folder / "host.c").write_text(host)
    buffer = await editor.open((editor.folder / "scale.cl").as_uri(), KERNEL, "opencl")
    await buffer.comes_to_show(lambda found: [each.code for each in found], ["host-argument-kind"])
    found = next(each for each in await buffer.newest() if each.code == "host-argument-kind")
    assert (buffer.covered(found.range), found.severity) == ("x", types.DiagnosticSeverity.Information)
    (call,) = found.related_information
    assert call.location.uri.endswith("host.c")
    assert call.location.range.start.line == 2
    assert "the host sets 640 bytes" in await buffer.hover_text(buffer.spans[1][0])
    client, document = editor.client, types.TextDocumentIdentifier(buffer.uri)
    (lens,) = await client.text_document_code_lens_async(types.CodeLensParams(document))
    assert (
        "640 bytes that the host sets for tile" in (await client.code_lens_resolve_async(lens)).command.title
    )
    caller = await editor.open((editor.folder / "host.c").as_uri(), host, "c")
    caller.replace("sizeof(cl_int), &n", "sizeof(cl_mem), &x")
    await buffer.comes_to([])
